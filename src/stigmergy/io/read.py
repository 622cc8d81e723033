# SPDX-License-Identifier: MIT
"""From a source to codes: names, domains, missing cells, intervals, weights."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from stigmergy.checks import counted, type_of
from stigmergy.dataset import Level, checked_levels, checked_names
from stigmergy.discretize import Discretizer, as_discretizer
from stigmergy.errors import DataError, ParameterError
from stigmergy.io.cells import is_number
from stigmergy.io.columns import Unreadable, values_of
from stigmergy.io.encode import FLOATS_WAY_OUT, Array, Coded, Column
from stigmergy.io.memory import open_memory
from stigmergy.io.numbers import NumberColumn
from stigmergy.io.source import Source
from stigmergy.io.written import WrittenColumn

_POLICIES = ("error", "drop", "level")


@dataclass(slots=True)
class Encoded:
    """What `Dataset` is made of, and what to warn of."""

    names: list[str]
    codes: list[Array]
    levels: list[tuple[Level, ...]]
    weights: Any
    text: str
    concerns: list[str]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user wants of the columns."""

    levels: dict[str, Sequence[Level]]
    missing: str
    discretize: dict[str, Discretizer] | Discretizer | None
    weights: Any

    def discretizer_of(self, name: str) -> Discretizer | None:
        """Return the discretizer for a column; one for all does not go to its class column."""
        if isinstance(self.discretize, dict):
            return self.discretize.get(name)
        one = self.discretize
        return None if one is None or one.target == name else one

    def column(self, name: str, values: Array | Coded, domain: Any, *, is_text: bool) -> Column:
        """Return an empty column that fits its first values."""
        if isinstance(self.weights, str) and name == self.weights:
            return NumberColumn(name, None)
        discretizer = None if name in self.levels else self.discretizer_of(name)
        if discretizer is not None and isinstance(self.discretize, dict):
            return NumberColumn(name, discretizer)
        if is_text:
            if discretizer is not None and _are_fractions(values):
                return NumberColumn(name, discretizer, whole_is_integer=True)
            return WrittenColumn(name, domain, discretizer)
        if discretizer is not None and isinstance(values, np.ndarray) and values.dtype.kind == "f":
            return NumberColumn(name, discretizer, whole_is_integer=True)
        return Column(name, domain)


def read(
    source: Any,
    *,
    names: Sequence[str] | None = None,
    levels: Mapping[str, Sequence[Level]] | None = None,
    missing: str = "error",
    discretize: Any = None,
    weights: Any = None,
    drop: Any = None,
    **dialect: Any,
) -> Encoded:
    """Read any table; the arguments are those of `Dataset.from_any` and `Dataset.from_file`."""
    if missing not in _POLICIES:
        raise ParameterError(f"missing must be 'error', 'drop' or 'level', got {missing!r}")
    domains = _domains(levels)
    rules: Any = discretize
    if isinstance(discretize, Mapping):
        rules = {name: as_discretizer(given) for name, given in discretize.items()}
    elif discretize is not None:
        rules = as_discretizer(discretize)
    if isinstance(source, str | os.PathLike):
        from stigmergy.io.files import open_path

        opened = open_path(source, levels=domains, **dialect)
    elif dialect:
        raise ParameterError(
            f"path must be a str or a path, got {type_of(source)}; Dataset.from_any takes "
            "tables of all kinds"
        )
    else:
        opened = open_memory(source)
    found = checked_names(_named(opened, names))
    wishes = Wishes(domains, missing, rules, weights)
    dropped = _dropped(drop, found)
    _check_wishes(wishes, found, dropped)
    if opened.levels:  # what the source declares goes by its own names
        own = {found[i]: opened.levels[name] for i, name in enumerate(opened.names)}
        domains = {**own, **domains}
    arities = dict(zip(found, opened.arities, strict=True)) if opened.arities else {}
    columns = _columns(opened, found, dropped, domains, wishes)
    return _finished(opened, columns, wishes, arities)


def _columns(
    source: Source,
    names: Sequence[str],
    dropped: Collection[str],
    domains: dict[str, Sequence[Level]],
    wishes: Wishes,
) -> list[Column]:
    """Take in all rows."""
    columns: list[Column] = []
    for batch in source.batches:
        kept = (pair for pair in zip(names, batch, strict=True) if pair[0] not in dropped)
        for i, (name, cells) in enumerate(kept):
            try:
                values = values_of(cells)
            except Unreadable as error:
                raise DataError(f"column {name!r} {error}") from None
            if i == len(columns):
                domain = domains.get(name)
                columns.append(wishes.column(name, values, domain, is_text=source.is_text))
            columns[i].append(values)
    if not columns or columns[0].n_rows == 0:
        raise DataError(f"there are no rows of data in the {source.text}")
    return columns


def _finished(
    source: Source, columns: list[Column], wishes: Wishes, arities: Mapping[str, int]
) -> Encoded:
    """Settle missing cells and weights, then number the levels."""
    n_rows = columns[0].n_rows
    _refuse(columns)
    keep = _kept_rows(columns, n_rows, wishes.missing)
    weights, columns = _take_weights(columns, keep, n_rows, wishes.weights)
    done: dict[str, tuple[Array, tuple[Level, ...]]] = {}
    # Those that look at a class column come after it.
    for column in sorted(columns, key=lambda c: _target(c) is not None):
        column.weights = weights
        if (target := _target(column)) is not None:
            column.classes = done[target][0]
        done[column.name] = column.finish(keep, missing_level=wishes.missing == "level")
    _refuse(columns)
    names = [column.name for column in columns]
    _check_arities(done, arities, wishes)
    for codes, _ in done.values():
        codes.flags.writeable = False
    text = f"{source.text}: {counted(len(names), 'column')}, {counted(n_rows, 'row')}"
    if keep is not None:
        text += f", {n_rows - int(keep.sum()):,} of them left out for missing cells"
    return Encoded(
        names,
        [done[name][0] for name in names],
        [done[name][1] for name in names],
        weights,
        text,
        source.concerns,
    )


def _target(column: Column) -> str | None:
    return None if column.discretizer is None else column.discretizer.target


def _take_weights(
    columns: list[Column], keep: Array | None, n_rows: int, given: Any
) -> tuple[Any, list[Column]]:
    if given is None:
        return None, columns
    if isinstance(given, str):
        weights_column = next(column for column in columns if column.name == given)
        assert isinstance(weights_column, NumberColumn)
        weights = weights_column.all()
        columns = [column for column in columns if column is not weights_column]
        if not columns:
            raise DataError(f"there must be a column besides the weights {given!r}")
    else:
        weights = np.asarray(given)
    if weights.shape != (n_rows,):
        raise DataError(
            f"weights must be whole numbers, one per row ({n_rows}), got shape {weights.shape} of "
            f"{weights.dtype}"
        )
    return (weights if keep is None else weights[keep]), columns


def _are_fractions(values: Array | Coded) -> bool:
    """Tell whether a first batch of written cells is of real numbers."""
    levels = [] if not isinstance(values, Coded) else [level.strip() for level in values.levels]
    return all(map(is_number, levels)) and any(not float(text).is_integer() for text in levels)


def _named(source: Source, names: Sequence[str] | None) -> Sequence[str]:
    if names is None:
        return source.names
    # A set has no order of its own, so it cannot say which column is which.
    ordered = hasattr(names, "__len__") and not isinstance(names, str | set | frozenset)
    if not ordered or len(names) != len(source.names):
        got = str(len(names)) if ordered else f"the {type(names).__name__} {names!r}"
        raise DataError(
            f"names must be a list with one entry per column ({len(source.names)}), got {got}"
        )
    return names


def _domains(levels: Mapping[str, Sequence[Level]] | None) -> dict[str, Sequence[Level]]:
    if levels is None:
        return {}
    if not isinstance(levels, Mapping):
        raise DataError(f"levels must map columns to their values, got {type_of(levels)}")
    for name, values in levels.items():
        if isinstance(values, str) or not hasattr(values, "__iter__"):
            raise DataError(f"levels of column {name!r} must be a sequence, got {values!r}")
    return {name: checked_levels(name, tuple(values)) for name, values in levels.items()}


def _dropped(drop: Any, names: Sequence[str]) -> frozenset[str]:
    """Return the columns to leave out; one may be given as it is."""
    several = hasattr(drop, "__iter__") and not isinstance(drop, str)
    given = list(drop) if several else [] if drop is None else [drop]
    if not all(isinstance(name, str) for name in given):
        raise ParameterError(f"drop must be names of columns, got {drop!r}")
    dropped = frozenset(given)
    _check_known("drop", given, names)
    if dropped.issuperset(names):
        raise DataError("drop must leave a column")
    return dropped


def _check_known(argument: str, mentioned: Sequence[str], names: Sequence[str]) -> None:
    unknown = [name for name in mentioned if name not in names]
    if not unknown:
        return
    close = get_close_matches(str(unknown[0]), names, n=1)
    meant = f" (did you mean {close[0]!r}?)" if close else ""
    raise DataError(
        f"{argument} names columns that do not exist: {', '.join(map(repr, unknown))}{meant}"
    )


def _check_wishes(wishes: Wishes, names: Sequence[str], dropped: Collection[str]) -> None:
    known = set(names) - set(dropped)
    rules = wishes.discretize if isinstance(wishes.discretize, dict) else {}
    _check_known("levels", list(wishes.levels), names)
    _check_known("discretize", list(rules), names)
    if isinstance(wishes.weights, str):
        _check_known("weights", [wishes.weights], [name for name in names if name in known])
    both = [repr(name) for name in rules if name in wishes.levels]
    if both:
        raise DataError(f"give levels or discretize for a column, not both: {', '.join(both)}")
    one = [] if isinstance(wishes.discretize, dict | None) else [wishes.discretize]
    for rule in (*rules.values(), *one):
        target = rule.target
        if target is not None and (
            target not in known or (target in rules and rules[target].target is not None)
        ):
            raise DataError(
                f"discretize looks at the class column {target!r}, which must be a column that "
                "is not discretized by a class itself"
            )


def _check_arities(
    done: Mapping[str, tuple[Array, tuple[Level, ...]]],
    arities: Mapping[str, int],
    wishes: Wishes,
) -> None:
    for name, (_, found) in done.items():
        if len(found) != arities.get(name, len(found)) and name not in wishes.levels:
            raise DataError(
                f"column {name!r} has {len(found)} levels, the arities line says {arities[name]}; "
                f"name all of them by levels={{{name!r}: [...]}}"
            )


def _refuse(columns: Sequence[Column]) -> None:
    """Raise one error for all columns that hold real numbers, else for the first problem."""
    real = [column for column in columns if column.has_fractions]
    floats = [column.problem for column in real]
    others = [column.problem for column in columns if column.problem]
    if floats:
        more = f" and {len(floats) - 5:,} more columns" if len(floats) > 5 else ""
        error = DataError(f"{'; '.join(floats[:5])}{more}: {FLOATS_WAY_OUT}")
        error.real_columns = tuple(column.name for column in real)
        raise error
    if others:
        more = f" (and {len(others) - 1:,} more columns are refused)" if others[1:] else ""
        raise DataError(others[0] + more)


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
