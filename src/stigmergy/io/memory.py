# SPDX-License-Identifier: MIT
"""Tables in memory: frames, Arrow streams, arrays, dicts of columns, lists of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stigmergy.checks import type_of
from stigmergy.errors import DataError
from stigmergy.io.source import Source

KINDS = (
    "a pandas, polars or pyarrow frame, a NumPy array, a dict of columns, a list of rows or "
    "dicts, or the path of a file"
)


def open_memory(source: Any) -> Source:
    """Find out what kind of table an object is."""
    if isinstance(source, Mapping):
        return _of_columns(list(source), list(source.values()), "dict of columns")
    if isinstance(source, np.ndarray):
        return _of_array(source)
    if isinstance(source, list | tuple):
        return _of_rows(source)
    return _of_frame(source)


def _of_columns(names: list[Any], columns: list[Any], text: str) -> Source:
    lengths = {}
    for name, column in zip(names, columns, strict=True):
        if isinstance(column, str | bytes) or not hasattr(column, "__len__"):
            raise DataError(
                f"column {name!r} must be a sequence of cells, got the {type(column).__name__} "
                f"{column!r}"
            )
        lengths[name] = len(column)
    if len(set(lengths.values())) > 1:
        (a, n), (b, m) = _two_different(lengths)
        raise DataError(
            f"every column must have the same number of rows: {a!r} has {n}, {b!r} has {m}"
        )
    return Source(_as_names(names), [columns], text)


def _two_different(lengths: dict[Any, int]) -> tuple[tuple[Any, int], tuple[Any, int]]:
    first = next(iter(lengths.items()))
    return first, next(item for item in lengths.items() if item[1] != first[1])


def _of_array(array: np.ndarray[Any, Any]) -> Source:
    text = f"NumPy array of {array.dtype}"
    if array.dtype.names:
        if array.ndim != 1:
            raise DataError(f"a structured NumPy array must have one dimension, got {array.ndim}")
        fields = list(array.dtype.names)
        return Source(fields, [[array[field] for field in fields]], "structured NumPy array")
    if array.ndim != 2:
        way_out = "; array.reshape(-1, 1) makes a column of it" if array.ndim == 1 else ""
        raise DataError(
            f"a NumPy array must have two dimensions (rows, columns), got {array.ndim}{way_out}"
        )
    if isinstance(array, np.matrix):  # whose columns would have two dimensions again
        array = array.A
    return Source(_numbered(array.shape[1]), [[array[:, i] for i in range(array.shape[1])]], text)


def _numbered(n: int) -> list[str]:
    return [f"x{i}" for i in range(n)]


def _of_rows(rows: Sequence[Any]) -> Source:
    if not rows:
        raise DataError("there are no rows: the list is empty")
    if all(isinstance(row, Mapping) for row in rows):
        found = list(dict.fromkeys(name for row in rows for name in row))
        columns = [[row.get(name) for row in rows] for name in found]
        return _of_columns(found, columns, "list of dicts")
    if not all(isinstance(row, list | tuple | np.ndarray) for row in rows):
        kind = next(type(row).__name__ for row in rows if not isinstance(row, list | tuple))
        raise DataError(f"a list must hold rows (lists, tuples) or dicts, got one of {kind}")
    width = len(rows[0])
    for i, row in enumerate(rows):
        if len(row) != width:
            raise DataError(
                f"every row must have the same number of cells: data row 1 has {width}, "
                f"data row {i + 1} has {len(row)}"
            )
    columns = [list(column) for column in zip(*rows, strict=True)]
    return Source(_numbered(width), [columns], "list of rows")


def _of_frame(source: Any) -> Source:
    import narwhals.stable.v1 as nw

    kind = type(source).__module__.split(".")[0]
    if kind == "pandas" and (repeated := _repeated(list(getattr(source, "columns", ())))):
        raise DataError(f"names of columns must be distinct; more than once: {repeated}")
    if kind == "pyarrow":
        return _of_arrow_stream(source)
    try:
        frame = nw.from_native(source, eager_or_interchange_only=False, allow_series=True)
    except TypeError:
        if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
            return _of_arrow_stream(source)
        raise DataError(f"source must be {KINDS}, got {type_of(source)}") from None
    if isinstance(frame, nw.Series):
        raise _no_table(source)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    native = [frame.get_column(name).to_native() for name in frame.columns]
    return Source(_as_names(frame.columns), [native], f"{kind} frame")


def _of_arrow_stream(source: Any) -> Source:
    import pyarrow as pa

    if isinstance(source, pa.RecordBatch):
        source = pa.table(source)
    if isinstance(source, pa.Table):
        schema, batches = source.schema, source.unify_dictionaries().to_batches()
    else:
        try:
            batches = pa.RecordBatchReader.from_stream(source)
        except (pa.ArrowException, TypeError):
            raise _no_table(source) from None
        schema = batches.schema
    return Source(_as_names(schema.names), (b.columns for b in batches), "Arrow table")


def _no_table(source: Any) -> DataError:
    what = f"{type(source).__module__.split('.')[0]} {type(source).__name__}"
    return DataError(
        f"source must be a table, got a {what}; a single column goes in as {{'name': column}}"
    )


def _repeated(names: list[Any]) -> str:
    return ", ".join(str(name) for name, n in Counter(names).items() if n > 1)


def _as_names(names: Sequence[Any]) -> list[Any]:
    # pandas numbers the columns of a frame that has no names.
    return [
        str(name) if isinstance(name, int | np.integer) and not isinstance(name, bool) else name
        for name in names
    ]
