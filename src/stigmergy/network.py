# SPDX-License-Identifier: MIT
"""Bayesian networks over discrete variables: a DAG and a table of probabilities per node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stigmergy import _core
from stigmergy.dataset import Dataset
from stigmergy.errors import NetworkError, ParameterError
from stigmergy.graph import Dag

Level = str | int | bool | float
Table = npt.NDArray[np.float64]

ROW_SUM_TOLERANCE = 1e-6

_ROWS_PER_CALL = 1 << 22  # between two calls of the sampler Ctrl-C is heard


class BayesianNetwork:
    """A Bayesian network: a DAG, the levels of its variables, and a table for each.

    Immutable. The table of a variable has one axis per parent, in the order of
    ``parents(name)``, and the variable itself as its last axis.

    Parameters
    ----------
    dag : Dag
    levels : mapping of name to sequence of levels
        At least one each, distinct.
    tables : mapping of name to array
        Probabilities of shape (levels of first parent, ..., levels of the variable). The entries
        are kept as they come; each row along the last axis must sum to 1 within 1e-6, and what the
        network computes is of the rows divided by their sums.
    parents : mapping of name to sequence of names, optional
        The order of the parent axes, for variables where it is not the sorted one of
        ``dag.parents(name)``.

    Raises
    ------
    NetworkError
        When the parts do not fit together.

    Notes
    -----
    Two networks are equal when they have the same variables, levels in the same order, arcs and
    probabilities; the order of variables and of parents plays no part.

    Examples
    --------
    >>> network = BayesianNetwork(
    ...     Dag(["rain", "wet"], [("rain", "wet")]),
    ...     {"rain": ["no", "yes"], "wet": ["no", "yes"]},
    ...     {"rain": [0.8, 0.2], "wet": [[0.9, 0.1], [0.25, 0.75]]},
    ... )
    >>> network
    <BayesianNetwork of 2 nodes, 1 arc and 3 parameters>
    """

    __slots__ = ("_arities", "_dag", "_index", "_levels", "_parents", "_sampler", "_tables")

    _arities: dict[str, int]
    _dag: Dag
    _index: dict[str, dict[Level, int]]
    _levels: dict[str, tuple[Level, ...]]
    _parents: dict[str, tuple[str, ...]]
    _sampler: _core.Sampler | None
    _tables: dict[str, Table]

    def __init__(
        self,
        dag: Dag,
        levels: Mapping[str, Sequence[Level]],
        tables: Mapping[str, npt.ArrayLike],
        *,
        parents: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        if not isinstance(dag, Dag):
            raise NetworkError(f"dag must be a Dag, got {type(dag).__name__}")
        for what, given in (("levels", levels), ("tables", tables)):
            _refuse_other_names(what, given, dag.names)
        put = object.__setattr__
        put(self, "_dag", dag)
        put(self, "_levels", {name: _checked_levels(name, levels[name]) for name in dag.names})
        put(self, "_arities", {name: len(values) for name, values in self._levels.items()})
        put(
            self,
            "_index",
            {name: {v: k for k, v in enumerate(values)} for name, values in self._levels.items()},
        )
        put(self, "_parents", _checked_parents(dag, parents or {}))
        put(self, "_tables", {name: self._checked_table(name, tables[name]) for name in dag.names})
        put(self, "_sampler", None)

    def _checked_table(self, name: str, given: npt.ArrayLike) -> Table:
        try:
            table = np.array(given, dtype=np.float64, order="C")
        except (TypeError, ValueError) as error:
            raise NetworkError(f"the table of '{name}' must be numbers: {error}") from error
        family = (*self._parents[name], name)
        shape = tuple(self._arities[member] for member in family)
        if table.shape != shape:
            raise NetworkError(
                f"the table of '{name}' must have the shape {shape}, one axis for each of "
                f"{', '.join(family)}; got {table.shape}"
            )
        if not (np.isfinite(table).all() and (table >= 0).all()):
            raise NetworkError(f"the table of '{name}' must have finite probabilities >= 0")
        sums = table.sum(axis=-1)
        miss = np.abs(sums - 1)
        if (miss > ROW_SUM_TOLERANCE).any():
            worst = np.unravel_index(int(miss.argmax()), miss.shape)
            given_states = ", ".join(
                f"{parent}={self._levels[parent][k]}"
                for parent, k in zip(self._parents[name], worst, strict=True)
            )
            raise NetworkError(
                f"each row of the table of '{name}' must sum to 1 within {ROW_SUM_TOLERANCE:g}; "
                f"row ({given_states}) sums to {sums[worst]:.9g}"
            )
        table.setflags(write=False)
        return table

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a BayesianNetwork cannot be changed; make a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a BayesianNetwork cannot be changed; make a new one")

    def __reduce__(self) -> tuple[Callable[..., BayesianNetwork], tuple[object, ...]]:
        return _restore, (self._dag, self._levels, self._tables, self._parents)

    # Looking around

    @property
    def dag(self) -> Dag:
        """The graph."""
        return self._dag

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order in which they were declared."""
        return self._dag.names

    @property
    def levels(self) -> tuple[tuple[Level, ...], ...]:
        """For each variable its levels."""
        return tuple(self._levels[name] for name in self.names)

    @property
    def arities(self) -> tuple[int, ...]:
        """How many levels each variable has."""
        return tuple(self._arities[name] for name in self.names)

    def levels_of(self, name: str) -> tuple[Level, ...]:
        """Return the levels of one variable."""
        return self._levels[self._known(name)]

    def parents(self, name: str) -> tuple[str, ...]:
        """Return the parents of a variable in the order of the axes of its table."""
        return self._parents[self._known(name)]

    def table(self, name: str) -> Table:
        """Return the table of a variable as it was given, read-only."""
        return self._tables[self._known(name)]

    @property
    def n_parameters(self) -> int:
        """How many free parameters there are: per table, rows times (levels - 1)."""
        return sum(
            table.size // self._arities[name] * (self._arities[name] - 1)
            for name, table in self._tables.items()
        )

    def _known(self, name: str) -> str:
        if name not in self._levels:
            raise NetworkError(f"there is no variable {name!r}; there are {_some(self.names)}")
        return name

    def _rows(self, name: str) -> Table:
        """Return the table of a variable with each row divided by its sum."""
        table = self._tables[name]
        rows: Table = table / table.sum(axis=-1, keepdims=True)
        return rows

    # Equality and text

    def _in_sorted_axes(self, name: str) -> Table:
        parents = self._parents[name]
        order = [parents.index(parent) for parent in sorted(parents)]
        return self._tables[name].transpose(*order, len(parents))

    def __eq__(self, other: object) -> bool:
        return (
            self.is_close(other, atol=0.0) if isinstance(other, BayesianNetwork) else NotImplemented
        )

    def __hash__(self) -> int:
        return hash((self._dag, tuple(sorted(self._levels.items()))))

    def is_close(self, other: BayesianNetwork, *, atol: float = 1e-9) -> bool:
        """Return whether another network is equal to this one but for `atol` in probabilities."""
        return (
            self._dag == other._dag
            and self._levels == other._levels
            and all(
                bool((np.abs(self._in_sorted_axes(v) - other._in_sorted_axes(v)) <= atol).all())
                for v in self.names
            )
        )

    def __repr__(self) -> str:
        counts = ((len(self.names), "node"), (len(self._dag.arcs), "arc"))
        nodes, arcs = (f"{n} {what}" + ("" if n == 1 else "s") for n, what in counts)
        return f"<BayesianNetwork of {nodes}, {arcs} and {self.n_parameters} parameters>"

    # Sampling

    def sample(self, n: int, seed: int, *, n_threads: int = 1) -> Dataset:
        """Draw rows by forward sampling.

        Parameters
        ----------
        n : int
            How many rows, at least 1.
        seed : int
            0 to 2**64 - 1. The same seed gives the same rows on any machine and with any number of
            threads, in whatever order the variables and the parents were declared; the first rows
            of a large sample are those of a small one.
        n_threads : int
            Threads to draw with.

        Returns
        -------
        Dataset
            Its variables in the order of ``names``, with the levels of the network.

        Notes
        -----
        Each variable has its own stream of a counter-based generator, by the place of its name in
        sorted order, and takes one 64-bit word per row, so a cell depends on nothing but seed, name
        order, row and the states of the parents. Probabilities are rounded to multiples of 2**-48.

        References
        ----------
        M. Henrion (1988), Propagating uncertainty in Bayesian networks by probabilistic logic
        sampling, UAI-86, 149-163. A. J. Walker (1977), An efficient method for generating discrete
        random variables with general distributions, ACM TOMS 3, 253-256. J. K. Salmon, M. A.
        Moraes, R. O. Dror and D. E. Shaw (2011), Parallel random numbers: as easy as 1, 2, 3,
        SC'11 (Philox4x32-10).
        """
        n = _checked_integer("n", n, 1, 2**48)
        seed = _checked_integer("seed", seed, 0, 2**64 - 1)
        n_threads = _checked_integer("n_threads", n_threads, 1, 1024)
        order = self._dag.topological_order()
        columns: dict[str, npt.NDArray[Any]] = {
            name: np.empty(n, np.uint8 if self._arities[name] <= 256 else np.uint16)
            for name in order
        }
        sampler = self._native_sampler(order)
        for start in range(0, n, _ROWS_PER_CALL):
            part = [column[start : start + _ROWS_PER_CALL] for column in columns.values()]
            sampler.sample(seed, start, part, n_threads)
        for column in columns.values():
            column.setflags(write=False)
        return Dataset.from_codes([columns[name] for name in self.names], self.names, self.levels)

    def _native_sampler(self, order: Sequence[str]) -> _core.Sampler:
        if self._sampler is None:
            sampler = _core.Sampler()
            stream = {name: k for k, name in enumerate(sorted(order))}
            place = {name: k for k, name in enumerate(order)}
            for name in order:
                parents = [place[parent] for parent in self._parents[name]]
                table = self._tables[name].reshape(-1)
                sampler.add(stream[name], self._arities[name], parents, table)
            object.__setattr__(self, "_sampler", sampler)
        assert self._sampler is not None
        return self._sampler


def _restore(
    dag: Dag,
    levels: Mapping[str, Sequence[Level]],
    tables: Mapping[str, Table],
    parents: Mapping[str, Sequence[str]],
) -> BayesianNetwork:
    return BayesianNetwork(dag, levels, tables, parents=parents)


def _some(names: Iterable[Any], limit: int = 8) -> str:
    names = list(names)
    shown = ", ".join(repr(name) for name in names[:limit])
    return shown + (f", ... ({len(names)} in all)" if len(names) > limit else "")


def _refuse_other_names(what: str, given: Mapping[str, Any], names: Sequence[str]) -> None:
    if not isinstance(given, Mapping):
        raise NetworkError(f"{what} must be a mapping of names, got {type(given).__name__}")
    missing = [name for name in names if name not in given]
    if missing:
        raise NetworkError(f"{what} must have an entry for each node; missing: {_some(missing)}")
    known = set(names)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise NetworkError(f"{what} must have entries for nodes only; unknown: {_some(unknown)}")


def _checked_levels(name: str, given: Sequence[Level]) -> tuple[Level, ...]:
    if isinstance(given, str):
        raise NetworkError(f"levels of '{name}' must be a sequence, got the text {given!r}")
    levels = tuple(given)
    if not 1 <= len(levels) <= 0xFFFF:
        raise NetworkError(f"'{name}' must have 1 to 65535 levels, got {len(levels)}")
    if len(set(levels)) < len(levels):
        raise NetworkError(f"levels of '{name}' must be distinct, got {_some(levels)}")
    return levels


def _checked_parents(dag: Dag, given: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    known = set(dag.names)
    unknown = [name for name in given if name not in known]
    if unknown:
        raise NetworkError(f"parents must have entries for nodes only; unknown: {_some(unknown)}")
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


def _checked_integer(what: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ParameterError(f"{what} must be an integer, got {value!r}")
    if not low <= value <= high:
        raise ParameterError(f"{what} must be an integer from {low} to {high}, got {value}")
    return int(value)
