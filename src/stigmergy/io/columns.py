# SPDX-License-Identifier: MIT
"""One column of any container to what `encode.Column` takes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from stigmergy.io.encode import Array, Coded, coded_integers


class Unreadable(Exception):
    """A column that has no levels; the message says why and what to do."""


def values_of(column: Any, *, declared: bool = True) -> Array | Coded:
    """Return the values of a NumPy array, Arrow array, series or list, missing ones marked.

    Without `declared` the dictionary of an Arrow array says nothing about levels and their order.
    """
    if isinstance(column, Coded):
        return column
    if isinstance(column, np.ndarray) and column.ndim != 1:
        raise Unreadable(f"has {column.ndim} dimensions; a column has one")
    if isinstance(column, np.ma.MaskedArray) and column.dtype.kind in "biuf":
        return _of_masked(column)
    if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
        return column
    if isinstance(column, np.ndarray) and column.dtype.kind not in "OUT":
        raise Unreadable(f"has the type {column.dtype}; {_WAY_OUT}")
    import pyarrow as pa

    if isinstance(column, np.ndarray | list | tuple):
        return _of_arrow(_arrow_of_objects(column))
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return _of_arrow(column, declared=declared)
    if isinstance(column, Sequence) and not isinstance(column, str | bytes | memoryview):
        return _of_arrow(_arrow_of_objects(list(column)))
    return _of_series(column)


_WAY_OUT = (
    "integers, truth values, strings and categoricals are categories; convert it or leave it out"
)


def _of_masked(column: Any) -> Array | Coded:
    mask = np.ma.getmaskarray(column)
    values = np.asarray(column.data)
    if values.dtype.kind == "f":
        return np.where(mask, np.nan, values)
    if values.dtype.kind == "b":
        return Coded(np.where(mask, -1, values.view(np.uint8).astype(np.int64)), (False, True))
    return coded_integers(values, mask)


def _arrow_of_objects(cells: Any) -> Any:
    import pyarrow as pa

    if isinstance(cells, np.ma.MaskedArray):
        cells = cells.tolist()  # None where masked
    try:
        return pa.array(cells, from_pandas=True)
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        raise Unreadable(_what_is_mixed(cells) or f"cannot be read: {error}") from None


def _what_is_mixed(cells: Any) -> str:
    """Say which types a column mixes and where each of two first occurs."""
    first: dict[str, tuple[int, Any]] = {}
    for row, cell in enumerate(cells):
        if isinstance(cell, np.generic):
            cell = cell.item()
        if cell is None or cell != cell or type(cell).__name__ in ("NAType", "NaTType"):
            continue
        if isinstance(cell, int) and not -(2**63) <= cell < 2**63:
            return f"holds an integer beyond 64 bits in data row {row + 1}: {cell}"
        first.setdefault(type(cell).__name__, (row, cell))
        if len(first) == 2:
            (one, (i, a)), (two, (j, b)) = first.items()
            return (
                f"mixes types: {one} ({a!r} in data row {i + 1}) and {two} ({b!r} in data row "
                f"{j + 1}); make all its values one type, strings if nothing else"
            )
    return ""


def _of_series(column: Any) -> Array | Coded:
    import narwhals.stable.v1 as nw
    import pyarrow as pa

    if type(column).__module__.startswith("pandas") and not hasattr(column, "to_frame"):
        column = sys.modules["pandas"].Series(column)  # a Categorical or another bare array
    try:
        series = nw.from_native(column, series_only=True)
    except TypeError:
        if hasattr(column, "__array__"):
            return values_of(np.asarray(column))
        raise Unreadable(f"is a {type(column).__name__}, not a sequence of cells") from None
    if hasattr(column, "cat") and type(column).__module__.startswith("pandas"):
        # Not through Arrow: intervals, for one, lose there which end is closed.
        levels = [_level(v) for v in column.cat.categories.tolist()]
        return Coded(column.cat.codes.to_numpy(), levels, declared=True)
    if hasattr(column, "sparse"):  # only where pandas keeps a column sparse
        return values_of(np.asarray(column))
    try:
        arrow = series.to_arrow()
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        raise Unreadable(_what_is_mixed(series) or f"cannot be read: {error}") from None
    return _of_arrow(arrow, declared=not _is_polars_categorical(column))


def _is_polars_categorical(column: Any) -> bool:
    # A polars Categorical shares its categories with every other one of the process, so what it
    # lists is not what this column declares; an Enum declares.
    kind = getattr(column, "dtype", None)
    return type(kind).__module__.startswith("polars") and type(kind).__name__ == "Categorical"


def _of_arrow(column: Any, *, declared: bool = True) -> Array | Coded:
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries().combine_chunks()
        if isinstance(column, pa.ChunkedArray):  # an old pyarrow keeps the chunks
            column = pa.concat_arrays(column.chunks)
    if pa.types.is_run_end_encoded(column.type):
        column = pc.run_end_decode(column)
    kind = column.type
    if pa.types.is_null(kind):
        return Coded(np.full(len(column), -1), ())
    if pa.types.is_string_view(kind):
        column, kind = column.cast(pa.large_string()), pa.large_string()
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        column, kind, declared = column.dictionary_encode(), None, False
    if kind is None or pa.types.is_dictionary(kind):
        return _of_dictionary(column, declared)
    if pa.types.is_decimal(kind) or pa.types.is_float16(kind):
        column, kind = column.cast(pa.float64()), pa.float64()
    if pa.types.is_floating(kind):
        return np.asarray(column.to_numpy(zero_copy_only=False))
    mask = pc.is_null(column).to_numpy(zero_copy_only=False) if column.null_count else None
    if pa.types.is_boolean(kind):
        codes = column.cast(pa.int8()).fill_null(-1).to_numpy(zero_copy_only=False)
        return Coded(codes, (False, True))
    if not pa.types.is_integer(kind):
        raise Unreadable(f"has the type {kind}; {_WAY_OUT}")
    values = column.fill_null(0) if mask is not None else column
    numbers = values.to_numpy(zero_copy_only=False)
    return numbers if mask is None else coded_integers(numbers, mask)


def _of_dictionary(column: Any, declared: bool) -> Coded:
    levels = column.dictionary.to_pylist()
    if column.indices.null_count:
        # Codes may be unsigned, which leaves no room for -1.
        numbers = column.indices.fill_null(0).to_numpy(zero_copy_only=False)
        gaps = column.indices.is_null().to_numpy(zero_copy_only=False)
        numbers = np.where(gaps, -1, numbers.astype(np.result_type(numbers, np.int8), copy=False))
    else:
        numbers = column.indices.to_numpy(zero_copy_only=False)
    plain = [isinstance(v, str | bool | int) for v in levels]
    if all(plain):
        return Coded(numbers, levels, declared)
    gone = np.array([v is None or v != v for v in levels])
    kept = [_level(v) for v, g in zip(levels, gone, strict=True) if not g]
    table = np.append(np.where(gone, -1, np.cumsum(~gone) - 1), -1)  # the last is for missing
    return Coded(table[numbers], kept, declared)


def _level(value: Any) -> Any:
    if isinstance(value, str | bool | int | float):
        return value
    return str(value)
