# SPDX-License-Identifier: MIT
"""From a source to codes: names, domains, missing cells, intervals, weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stigmergy.dataset import Level, checked_names
from stigmergy.errors import DataError, ParameterError
from stigmergy.io.columns import Unreadable, values_of
from stigmergy.io.encode import FLOATS_WAY_OUT, Array, Column
from stigmergy.io.memory import open_memory
from stigmergy.io.source import Source

MISSING_POLICIES = ("error", "drop", "level")


@dataclass(slots=True)
class Encoded:
    """What `Dataset` is made of, and what to warn of."""

    names: list[str]
    codes: list[Array]
    levels: list[tuple[Level, ...]]
    weights: Any
    text: str
    concerns: list[str]


def read(
    source: Any,
    *,
    names: Sequence[str] | None = None,
    levels: Mapping[str, Sequence[Level]] | None = None,
    missing: str = "error",
    discretize: Any = None,
    weights: Any = None,
) -> Encoded:
    """Read any table; the arguments are those of `Dataset.from_any`."""
    if missing not in MISSING_POLICIES:
        raise ParameterError(f"missing must be 'error', 'drop' or 'level', got {missing!r}")
    opened = open_memory(source, names)
    return encode(
        opened, names=names, levels=levels, missing=missing, discretize=discretize, weights=weights
    )


def encode(
    source: Source,
    *,
    names: Sequence[str] | None,
    levels: Mapping[str, Sequence[Level]] | None,
    missing: str,
    discretize: Any,
    weights: Any,
) -> Encoded:
    """Turn the values of an opened source into codes."""
    found = checked_names(_named(source, names))
    domains = {**source.levels, **_domains(levels, found)}
    columns = [Column(name, domains.get(name)) for name in found]
    for batch in source.batches:
        for column, values in zip(columns, batch, strict=True):
            _append(column, values)
    n_rows = columns[0].n_rows
    if n_rows == 0:
        raise DataError(f"there are no rows of data ({source.text})")
    _refuse_floats(columns)
    _refuse_problems(columns)
    keep = _kept_rows(columns, n_rows, missing)
    codes, values_by_column = [], []
    for column in columns:
        numbers, values = column.finish(keep, missing_level=missing == "level")
        numbers.flags.writeable = False
        codes.append(numbers)
        values_by_column.append(values)
    _refuse_problems(columns)
    text = f"{source.text}: {len(found):,} columns, {n_rows:,} rows"
    if keep is not None:
        text += f", {n_rows - int(keep.sum()):,} of them left out for missing cells"
        weights = weights if weights is None else np.asarray(weights)[keep]
    return Encoded(list(found), codes, values_by_column, weights, text, source.concerns)


def _append(column: Column, values: Any) -> None:
    try:
        column.append(values_of(values))
    except Unreadable as error:
        raise DataError(f"column {column.name!r} {error}") from None


def _named(source: Source, names: Sequence[str] | None) -> Sequence[str]:
    if names is None:
        return source.names
    if len(names) != len(source.names):
        raise DataError(
            f"names must have one entry per column ({len(source.names)}), got {len(names)}"
        )
    return names


def _domains(
    levels: Mapping[str, Sequence[Level]] | None, names: Sequence[str]
) -> dict[str, Sequence[Level]]:
    if levels is None:
        return {}
    if not isinstance(levels, Mapping):
        raise DataError(f"levels must map columns to their values, got a {type(levels).__name__}")
    unknown = [name for name in levels if name not in set(names)]
    if unknown:
        raise DataError(f"levels names columns that do not exist: {', '.join(map(repr, unknown))}")
    return dict(levels)


def _refuse_floats(columns: Sequence[Column]) -> None:
    floats = [column for column in columns if column.has_fractions]
    if floats:
        shown = "; ".join(column.problem for column in floats[:5])
        more = f"; and {len(floats) - 5:,} more" if len(floats) > 5 else ""
        raise DataError(f"{shown}{more}: {FLOATS_WAY_OUT}")


def _refuse_problems(columns: Sequence[Column]) -> None:
    problems = [column.problem for column in columns if column.problem]
    if problems:
        more = f" (and {len(problems) - 1:,} more columns are refused)" if problems[1:] else ""
        raise DataError(problems[0] + more)


def _kept_rows(columns: Sequence[Column], n_rows: int, missing: str) -> Array | None:
    gaps = [column for column in columns if column.n_missing]
    if not gaps or missing == "level":
        return None
    if missing == "error":
        shown = ", ".join(f"{column.name!r} {column.n_missing:,}" for column in gaps[:10])
        more = f" and {len(gaps) - 10:,} more columns" if len(gaps) > 10 else ""
        raise DataError(
            f"missing cells: {shown}{more} (of {n_rows:,} rows); impute them, or pass "
            "missing='drop' (leave those rows out) or missing='level' (a level of its own)"
        )
    keep = np.ones(n_rows, dtype=bool)
    for column in gaps:
        for rows in column.missing:
            keep[rows] = False
    if not keep.any():
        raise DataError(f"missing='drop' leaves none of the {n_rows:,} rows: each has a gap")
    return keep
