# SPDX-License-Identifier: MIT
"""Checks of what callers hand to a `BayesianNetwork`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from stigmergy.dataset import Dataset
from stigmergy.errors import DataError, NetworkError, ParameterError
from stigmergy.graph import Cpdag, Dag
from stigmergy.parameters import Level


def some(names: Iterable[Any], limit: int = 8) -> str:
    """List some things for a message, all when they are few."""
    names = list(names)
    shown = ", ".join(repr(name) for name in names[:limit])
    return shown + (f", ... ({len(names)} in all)" if len(names) > limit else "")


def refuse_other_names(what: str, given: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse a mapping that has not exactly these names."""
    if not isinstance(given, Mapping):
        raise NetworkError(f"{what} must be a mapping of names, got {type(given).__name__}")
    missing = [name for name in names if name not in given]
    if missing:
        raise NetworkError(f"{what} must have an entry for each node; missing: {some(missing)}")
    known = set(names)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise NetworkError(f"{what} must have entries for nodes only; unknown: {some(unknown)}")


def checked_dag(given: object) -> None:
    """Refuse what is no DAG."""
    if not isinstance(given, Dag):
        way_out = "; take its to_dag()" if isinstance(given, Cpdag) else ""
        raise NetworkError(f"dag must be a Dag, got {type(given).__name__}{way_out}")


def checked_levels(name: str, given: Sequence[Level]) -> tuple[Level, ...]:
    """Return the levels of a variable as a tuple of 1 to 65,535 distinct ones."""
    if isinstance(given, str):
        raise NetworkError(f"levels of '{name}' must be a sequence, got the text {given!r}")
    levels = tuple(v.item() if isinstance(v, np.generic) else v for v in given)
    wrong = [v for v in levels if not isinstance(v, str | int | float) or v != v]
    if wrong:
        raise NetworkError(f"levels of '{name}' must be str, int, bool or float, got {wrong[0]!r}")
    if not 1 <= len(levels) <= 0xFFFF:
        raise NetworkError(f"'{name}' must have 1 to 65535 levels, got {len(levels)}")
    if len(set(levels)) < len(levels):
        raise NetworkError(f"levels of '{name}' must be distinct, got {some(levels)}")
    return levels


def checked_parents(dag: Dag, given: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Return the order of the parent axes of each node."""
    known = set(dag.names)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise NetworkError(f"parents must have entries for nodes only; unknown: {some(unknown)}")
    parents = {}
    for name in dag.names:
        of_dag = tuple(dag.parents(name))
        stated = tuple(given.get(name, of_dag))
        if sorted(stated) != sorted(of_dag):
            raise NetworkError(
                f"parents of '{name}' must be an order of those of the dag ({', '.join(of_dag)}), "
                f"got ({', '.join(map(str, stated))})"
            )
        parents[name] = stated
    return parents


def checked_integer(what: str, value: int, low: int, high: int) -> int:
    """Return an integer in a range as an int."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ParameterError(f"{what} must be an integer, got {value!r}")
    if not low <= value <= high:
        raise ParameterError(f"{what} must be an integer from {low} to {high}, got {value}")
    return int(value)


def refuse_missing_columns(names: Sequence[str], data: Dataset) -> None:
    """Refuse what is no data set, or one that lacks some of these columns."""
    if not isinstance(data, Dataset):
        raise ParameterError(
            f"data must be a Dataset, got {type(data).__name__}; make one with Dataset.from_any"
        )
    there = set(data.names)
    missing = [name for name in names if name not in there]
    if missing:
        raise DataError(f"data must have a column for each node; missing: {some(missing)}")
