# SPDX-License-Identifier: MIT
"""Bayesian networks over discrete variables: a DAG and a table of probabilities per node."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from stigmergy import _core
from stigmergy.dataset import Dataset
from stigmergy.errors import ImpossibleEvidenceError, NetworkError, ParameterError
from stigmergy.graph import Dag
from stigmergy.inference import Propagation, ancestors
from stigmergy.network_checks import (
    checked_dag,
    checked_integer,
    checked_levels,
    checked_parents,
    refuse_missing_columns,
    refuse_other_names,
    some,
)
from stigmergy.parameters import Level, Method, family_counts, fitted_table, recode

Table = npt.NDArray[np.float64]

ROW_SUM_TOLERANCE = 1e-6

_MAX_BYTES = 1 << 30  # of the beliefs of a junction tree, unless the caller says otherwise
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
    >>> network.posterior({"wet": "yes"})["rain"].round(3)
    array([0.348, 0.652])
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
        checked_dag(dag)
        for what, given in (("levels", levels), ("tables", tables)):
            refuse_other_names(what, given, dag.names)
        put = object.__setattr__
        put(self, "_dag", dag)
        put(self, "_levels", {name: checked_levels(name, levels[name]) for name in dag.names})
        put(self, "_arities", {name: len(values) for name, values in self._levels.items()})
        put(
            self,
            "_index",
            {name: {v: k for k, v in enumerate(values)} for name, values in self._levels.items()},
        )
        put(self, "_parents", checked_parents(dag, parents or {}))
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
        if not isinstance(name, str) or name not in self._levels:
            raise NetworkError(f"there is no variable {name!r}; there are {some(self.names)}")
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
        if not isinstance(other, BayesianNetwork):
            raise NetworkError(f"other must be a BayesianNetwork, got {type(other).__name__}")
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
        if not self.names:
            raise NetworkError("a network without variables has no rows to draw")
        n = checked_integer("n", n, 1, 2**48)
        seed = checked_integer("seed", seed, 0, 2**64 - 1)
        n_threads = checked_integer("n_threads", n_threads, 1, 1024)
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

    # Data

    @classmethod
    def fit(
        cls, dag: Dag, data: Dataset, method: Method = "bayes", *, ess: float = 1.0
    ) -> BayesianNetwork:
        """Estimate the tables of a graph from data.

        Parameters
        ----------
        dag : Dag
            Over variables of the data; others in the data are left out.
        data : Dataset
            Its levels, observed or not, become those of the network; weights count.
        method : {"bayes", "mle"}
            ``"bayes"``: the posterior mean under the prior of BDeu, (N_ijk + ess / (r q)) / (N_ij +
            ess / q) for r levels and q parent configurations. ``"mle"``: the relative frequency
            N_ijk / N_ij; a configuration that no row has gets the uniform distribution.
        ess : float
            Equivalent sample size of the prior of ``"bayes"``, > 0.

        Returns
        -------
        BayesianNetwork

        References
        ----------
        D. Heckerman, D. Geiger and D. M. Chickering (1995), Learning Bayesian networks: the
        combination of knowledge and statistical data, Machine Learning 20, 197-243: equation 27
        for the prior.

        Examples
        --------
        >>> data = Dataset.from_codes([[0, 0, 0, 1]], ["a"], [["x", "y"]])
        >>> BayesianNetwork.fit(Dag(["a"]), data, "mle").table("a")
        array([0.75, 0.25])
        >>> BayesianNetwork.fit(Dag(["a"]), data, "bayes", ess=4).table("a")
        array([0.625, 0.375])
        """
        checked_dag(dag)
        if method not in ("bayes", "mle"):
            raise ParameterError(f"method must be 'bayes' or 'mle', got {method!r}")
        if not (isinstance(ess, int | float) and math.isfinite(ess) and ess > 0):
            raise ParameterError(f"ess must be a number > 0, got {ess!r}")
        refuse_missing_columns(dag.names, data)
        levels = {name: data.levels_of(name) for name in dag.names}
        tables = {}
        for name in dag.names:
            family = (*dag.parents(name), name)
            counts = family_counts(data, family, [len(levels[member]) for member in family])
            tables[name] = fitted_table(counts, method, ess)
        return cls(dag, levels, tables)

    def to_bif(self, path: str | os.PathLike[str]) -> None:
        """Write the network as a BIF file; see `stigmergy.write_bif`."""
        from stigmergy.io.bif import write_bif

        write_bif(self, path)

    def log_likelihood(self, data: Dataset) -> float:
        """Return the natural logarithm of the probability of the rows of a data set.

        Parameters
        ----------
        data : Dataset
            Has every variable of the network; other columns are left out. Its levels are matched
            by value, or by text where values differ (a BIF file has only text), whatever their
            order. Weights count.

        Returns
        -------
        float
            ``-inf`` when a row is impossible.

        Raises
        ------
        DataError
            When a variable is missing, or a row has a level that the network does not know.
        """
        refuse_missing_columns(self.names, data)
        recodes = {}
        for name in self.names:
            if (codes := recode(name, self._levels[name], data)) is not None:
                recodes[name] = codes
        terms = []
        for name in self.names:
            family = (*self._parents[name], name)
            counts = family_counts(data, family, [self._arities[v] for v in family], recodes)
            seen = counts > 0
            with np.errstate(divide="ignore"):
                terms.append(float(counts[seen] @ np.log(self._rows(name)[seen])))
        return math.fsum(terms)

    # Inference

    def marginals(self, *, max_bytes: int = _MAX_BYTES) -> dict[str, Table]:
        """Return the exact distribution of every variable; see :meth:`posterior`."""
        return self.posterior({}, max_bytes=max_bytes)

    def posterior(
        self,
        evidence: Mapping[str, Level],
        variables: Iterable[str] | None = None,
        *,
        max_bytes: int = _MAX_BYTES,
    ) -> dict[str, Table]:
        """Return the exact distribution of each variable given evidence.

        Parameters
        ----------
        evidence : mapping of name to level
            What was observed.
        variables : iterable of names, optional
            The variables to return, by default all that are not in the evidence. With few, parts
            of the network that do not bear on them are left out.
        max_bytes : int
            A bound on the tables of the junction tree, by default 1 GiB.

        Returns
        -------
        dict of name to array
            Probabilities in the order of the levels.

        Raises
        ------
        ImpossibleEvidenceError
            When the evidence has probability zero.
        NetworkError
            When the tables would take more than `max_bytes`; with the widest clique.

        Notes
        -----
        A junction tree from a min-fill elimination order, Hugin propagation; cost and memory grow
        with the sum of the clique tables.
        """
        observed = self._observed(evidence)
        if isinstance(variables, str):
            raise ParameterError(f"variables must be a list of names, got the text {variables!r}")
        if variables is None:
            wanted = tuple(name for name in self.names if name not in observed)
        else:
            wanted = tuple(self._known(name) for name in variables)
        found = self._propagation(observed, wanted, max_bytes).marginals()
        return {name: found[name] for name in wanted}

    def probability(self, evidence: Mapping[str, Level], *, max_bytes: int = _MAX_BYTES) -> float:
        """Return the exact probability of evidence; see :meth:`log_probability`."""
        return math.exp(self.log_probability(evidence, max_bytes=max_bytes))

    def log_probability(
        self, evidence: Mapping[str, Level], *, max_bytes: int = _MAX_BYTES
    ) -> float:
        """Return the natural logarithm of the exact probability of evidence, which may be -inf."""
        observed = self._observed(evidence)
        try:
            return min(0.0, self._propagation(observed, (), max_bytes).log_weight)
        except ImpossibleEvidenceError:
            return -math.inf

    def _observed(self, evidence: Mapping[str, Level]) -> dict[str, int]:
        if not isinstance(evidence, Mapping):
            raise ParameterError(
                f"evidence must be a mapping of name to level, got {type(evidence).__name__}"
            )
        observed = {}
        for name, level in evidence.items():
            known = self._index[self._known(name)]
            if not isinstance(level, Hashable) or level not in known:
                raise ParameterError(
                    f"evidence of '{name}' must be one of {some(known)}; got {level!r}"
                )
            observed[name] = known[level]
        return observed

    def _propagation(
        self, observed: Mapping[str, int], wanted: Sequence[str], max_bytes: int
    ) -> Propagation:
        max_bytes = checked_integer("max_bytes", max_bytes, 0, 2**60)
        relevant = ancestors((*observed, *wanted), self._parents)
        tables = {
            name: ((*self._parents[name], name), self._rows(name))
            for name in self.names
            if name in relevant
        }
        return Propagation(tables, self._arities, observed, max_bytes)


def _restore(
    dag: Dag,
    levels: Mapping[str, Sequence[Level]],
    tables: Mapping[str, Table],
    parents: Mapping[str, Sequence[str]],
) -> BayesianNetwork:
    return BayesianNetwork(dag, levels, tables, parents=parents)
