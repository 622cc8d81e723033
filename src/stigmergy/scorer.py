# SPDX-License-Identifier: MIT
"""The scorer: the one thing that every search asks."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stigmergy import _core
from stigmergy.checks import other_names
from stigmergy.dataset import Dataset
from stigmergy.errors import ParameterError, StructureError
from stigmergy.graph import Cpdag
from stigmergy.independence import Independence
from stigmergy.knowledge import Knowledge
from stigmergy.prior import StructurePrior, UniformPrior
from stigmergy.scores import BD, BDeu, CountScore, NativeScore

__all__ = ["Family", "Scorer"]

_FamilyFunction = Callable[[int, Sequence[int]], float]

_CACHE_BYTES = 1 << 28
# Families handed to the core at a time: Ctrl-C is noticed in between.
_BATCH = 1 << 15


class Family(NamedTuple):
    """A node with its parents and their score, a row of `Scorer.family_table`."""

    child: str
    parents: tuple[str, ...]
    score: float


class Scorer:
    """Scores of families and graphs on one data set: a score, a structure prior, a parent limit.

    The only owner of counting and of the cache, shared by all searches. Higher scores are better;
    natural logarithms.

    Parameters
    ----------
    data
        The data set.
    score
        `BDeu` (the default, with ess 1), `K2`, `BD`, `BIC`, `AIC`, `LogLikelihood`, or an object
        with a method ``family_score(counts, q, r) -> float`` (see `CountScore`).
    prior
        `UniformPrior` or `KappaPrior`; its term is part of every family's score.
    max_parents
        Most parents that a search may give to a node; None is no limit. Families with more
        parents can still be scored, so that a given graph can be compared.
    knowledge
        What is known about the graph beforehand; searches obey it. Contradictions are told here.
    cache_bytes
        Bound of the cache of family scores. When it is full, scores are dropped to make room.
        Searches that keep the gains of moves keep at most as much of them again.
    n_threads
        Threads that count the families of one batch. Answers do not depend on it.

    Attributes
    ----------
    names : tuple of str
        The variables in sorted order: node i of the core is ``names[i]``.
    n_nodes : int
    score_equivalent : bool
        Whether equivalent graphs score equal, prior included.
    rules
        The knowledge as arcs of the core, for searches.
    core
        The native scorer, for searches.

    Examples
    --------
    >>> from stigmergy import BDeu, Dataset, Scorer
    >>> data = Dataset.from_codes([[0, 0, 1, 1], [0, 0, 1, 0]], ["a", "b"], [2, 2])
    >>> scorer = Scorer(data, BDeu(ess=1))
    >>> round(scorer.family("b", ["a"]), 4)
    -3.3604
    """

    def __init__(
        self,
        data: Dataset,
        score: NativeScore | CountScore | None = None,
        *,
        prior: StructurePrior | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        cache_bytes: int = _CACHE_BYTES,
        n_threads: int = 1,
    ) -> None:
        score = BDeu() if score is None else score
        for needed in ("names", "arities", "n_rows", "weights", "codes"):
            if not hasattr(data, needed):
                raise ParameterError(
                    f"data must be a Dataset, got {type(data).__name__}; "
                    "make one with Dataset.from_any(...)"
                )
        self._set_up(data.names, prior, max_parents, knowledge, cache_bytes, n_threads)
        self.data: Dataset | None = data
        self.score: Any = score
        self._independence: Independence | None
        arity_of = dict(zip(data.names, data.arities, strict=True))
        self._arities = [arity_of[name] for name in self.names]
        weights = data.weights
        self._columns = _core.Columns.make(
            [np.ascontiguousarray(data.codes(name)) for name in self.names],
            self._arities,
            None if weights is None else np.ascontiguousarray(weights, dtype=np.uint64),
        )
        self._independence = Independence(self.names, self._columns, n_threads=self.n_threads)
        native_prior = self.prior.native(self.names)
        limit = self._core_limit()
        if isinstance(score, BD) and not score.is_constant:
            self.core = _core.Scorer.from_function(
                self.n_nodes, self._bd_family(score), limit, cache_bytes, native_prior
            )
        elif isinstance(score, NativeScore):
            formula, parameter = score.native(self._columns.total)
            self.core = _core.Scorer.from_columns(
                self._columns, formula, parameter, limit, cache_bytes, native_prior
            )
        elif isinstance(score, CountScore):
            self.core = _core.Scorer.from_function(
                self.n_nodes, self._count_family(score), limit, cache_bytes, native_prior
            )
        else:
            raise ParameterError(
                "score must be BDeu(...), K2(), BD(...), BIC(), AIC(), LogLikelihood() or an "
                f"object with a method family_score(counts, q, r), got {score!r}"
            )
        self.score_equivalent = bool(getattr(score, "score_equivalent", False)) and bool(
            self.prior.score_equivalent
        )

    @classmethod
    def from_function(
        cls,
        names: Sequence[str],
        function: Callable[[str, tuple[str, ...]], float],
        *,
        score_equivalent: bool = False,
        prior: StructurePrior | None = None,
        max_parents: int | None = None,
        knowledge: Knowledge | None = None,
        cache_bytes: int = _CACHE_BYTES,
        n_threads: int = 1,
        independence: Independence | None = None,
    ) -> Scorer:
        """Make a scorer of any function of families; its answers are cached like any others.

        Parameters
        ----------
        names
            The variables.
        function
            ``function(child, parents) -> float``, of a name and a tuple of names in sorted order;
            higher is better. It must always give the same answer for the same family.
        score_equivalent
            Whether equivalent graphs score equal; searches over equivalence classes rely on it.
        prior, max_parents, knowledge, cache_bytes, n_threads
            As for `Scorer`.
        independence
            Tests over the same names for the constraint-based searches, such as a
            `DSeparationOracle`; without it these searches cannot be run.

        Examples
        --------
        >>> scorer = Scorer.from_function("ab", lambda child, parents: -len(parents))
        >>> scorer.family("a", ["b"])
        -1.0
        """
        if not callable(function):
            raise ParameterError(f"function must be callable, got {type(function).__name__}")
        self = cls.__new__(cls)
        self._set_up(names, prior, max_parents, knowledge, cache_bytes, n_threads)
        self.data = None
        self.score = function
        if independence is not None and independence.names != self.names:
            raise ParameterError(
                f"independence must be over the names {_some(self.names)}, "
                f"got {_some(independence.names)}"
            )
        self._independence = independence

        sorted_names = self.names

        def ask(child: int, parents: Sequence[int]) -> float:
            given = tuple(sorted_names[p] for p in parents)
            return _checked(function(sorted_names[child], given), sorted_names[child], given)

        self.core = _core.Scorer.from_function(
            self.n_nodes, ask, self._core_limit(), cache_bytes, self.prior.native(self.names)
        )
        self.score_equivalent = score_equivalent and bool(self.prior.score_equivalent)
        return self

    def _set_up(
        self,
        names: Sequence[str],
        prior: StructurePrior | None,
        max_parents: int | None,
        knowledge: Knowledge | None,
        cache_bytes: int,
        n_threads: int,
    ) -> None:
        self.names = tuple(sorted(names))
        if not self.names:
            raise ParameterError("names must hold at least one variable, got none")
        if len(set(self.names)) < len(self.names):
            double = sorted({a for a, b in itertools.pairwise(self.names) if a == b})
            raise ParameterError(f"names must be distinct, got twice: {double}")
        self.max_parents = _at_least("max_parents", max_parents, 0, or_none=True)
        _at_least("cache_bytes", cache_bytes, 0)
        self.n_threads = operator.index(_at_least("n_threads", n_threads, 1) or 1)
        self.prior: StructurePrior = UniformPrior() if prior is None else prior
        if not hasattr(self.prior, "native"):
            raise ParameterError(f"prior must be UniformPrior() or KappaPrior(...), got {prior!r}")
        self.knowledge = Knowledge() if knowledge is None else knowledge
        self.rules = self.knowledge.rules(self.names, self.max_parents)
        self._number = {name: i for i, name in enumerate(self.names)}

    def _core_limit(self) -> int:
        limit = self.n_nodes - 1 if self.max_parents is None else self.max_parents
        return min(limit, self.n_nodes - 1)

    @property
    def n_nodes(self) -> int:
        """Number of variables."""
        return len(self.names)

    @property
    def independence(self) -> Independence:
        """The tests of conditional independence, on the same counts."""
        if self._independence is None:
            raise ParameterError(
                "this scorer is a function of families and cannot test independence; make a Scorer "
                "of data, or give independence= to Scorer.from_function"
            )
        return self._independence

    @property
    def data_fingerprint(self) -> str | None:
        """Fingerprint of the data; None for a scorer of a function."""
        return None if self.data is None else self.data.fingerprint

    @property
    def settings(self) -> dict[str, Any]:
        """What the scores depend on, by name; plain values only."""
        return {
            "score": _plain(self.score),
            "prior": _plain(self.prior),
            "max_parents": self.max_parents,
            "knowledge": self.knowledge.to_dict(),
        }

    @property
    def evaluations(self) -> int:
        """How often family scores were asked for, by searches and by the methods of this class.

        As counted in Section 6.2.2 of R. Daly and Q. Shen (2009), "Learning Bayesian network
        equivalence classes with ant colony optimization", JAIR 35. A test of independence counts as
        one too: I. Tsamardinos et al. (2006) count "calls of statistical functions" of either kind.
        """
        tests = self._independence
        return self.core.evaluations[0] + (0 if tests is None else tests.evaluations)

    @property
    def distinct_evaluations(self) -> int:
        """How many different families and tests were asked for."""
        tests = self._independence
        return self.core.evaluations[1] + (0 if tests is None else tests.distinct_evaluations)

    def family(self, child: str, parents: Iterable[str] = ()) -> float:
        """Return the score of a node with its parents."""
        return self.core.family(*self._family(child, parents))

    def families(self, families: Iterable[tuple[str, Iterable[str]]]) -> NDArray[np.float64]:
        """Return the scores of many families, counted on `n_threads` threads.

        Neighbours that differ only in their (alphabetically) last parent share work.
        """
        given = [self._family(child, parents) for child, parents in families]
        scores = [np.empty(0)]
        for begin in range(0, len(given), _BATCH):
            part = given[begin : begin + _BATCH]
            children = np.array([child for child, _ in part], dtype=np.uint16)
            parents = np.array([p for _, ps in part for p in ps], dtype=np.uint16)
            offsets = np.zeros(len(part) + 1, dtype=np.uint64)
            np.cumsum([len(ps) for _, ps in part], out=offsets[1:])
            scores.append(self.core.families(children, parents, offsets, self.n_threads))
        return np.concatenate(scores)

    def score_graph(self, graph: Any) -> float:
        """Return the score of a graph: the sum over its families.

        Parameters
        ----------
        graph
            A DAG; or a PDAG or CPDAG, which is scored by a consistent extension, a DAG of its
            equivalence class (see `score_equivalent` for whether all of them score alike).
        """
        return math.fsum(row.score for row in self.family_table(graph))

    def family_table(self, graph: Any) -> list[Family]:
        """Return each node of a graph with its parents and their score, in sorted order.

        A PDAG or CPDAG is taken as in `score_graph`.
        """
        graph = self._as_dag(graph)
        families = [(name, tuple(sorted(graph.parents(name)))) for name in self.names]
        scores = self.families(families)
        return [
            Family(child, parents, float(score))
            for (child, parents), score in zip(families, scores, strict=True)
        ]

    def _as_dag(self, graph: Any) -> Any:
        if not hasattr(graph, "names") or not hasattr(graph, "parents"):
            raise ParameterError(f"graph must be a Dag, Pdag or Cpdag, got {type(graph).__name__}")
        if wrong := other_names("the graph", graph.names, self.names):
            raise StructureError(wrong)
        if isinstance(graph, Cpdag):
            return graph.to_dag()
        if not getattr(graph, "undirected", None):
            return graph
        dag = graph.to_dag() if hasattr(graph, "to_dag") else graph.consistent_extension()
        if dag is None:
            raise StructureError(
                "graph has no consistent extension, so it stands for no DAG and has no score"
            )
        return dag

    def _family(self, child: str, parents: Iterable[str]) -> tuple[int, list[int]]:
        if isinstance(parents, str):
            raise ParameterError(
                f"parents must be a collection of names, got the text {parents!r}; "
                f"write [{parents!r}]"
            )
        try:
            node = self._number[child]
            numbers = sorted(self._number[parent] for parent in parents)
        except KeyError as error:
            raise ParameterError(
                f"{error.args[0]!r} is not a variable; they are {_some(self.names)}"
            ) from None
        for before, after in itertools.pairwise(numbers):
            if before == after:
                raise ParameterError(f"parents of {child!r} name {self.names[after]!r} twice")
        if node in numbers:
            raise ParameterError(f"{child!r} cannot be a parent of itself")
        return node, numbers

    # The core holds the functions that it asks, and a function that held the scorer would make a
    # circle that Python cannot see and never frees; so they hold only the parts they need.

    def _bd_family(self, score: BD) -> _FamilyFunction:
        names, arities, columns = self.names, self._arities, self._columns

        def ask(child: int, parents: Sequence[int]) -> float:
            alpha = score.table(
                names[child],
                tuple(names[p] for p in parents),
                tuple(arities[node] for node in (child, *parents)),
            )
            counts = columns.count(child, parents, "histogram", all=True)
            cells = _core.log_rising_sum(np.ascontiguousarray(alpha), counts)
            rows = _core.log_rising_sum(alpha.sum(axis=1), counts.sum(axis=1))
            return cells - rows

        return ask

    def _count_family(self, score: CountScore) -> _FamilyFunction:
        names, arities, columns = self.names, self._arities, self._columns

        def ask(child: int, parents: Sequence[int]) -> float:
            counts = columns.count(child, parents)
            q = math.prod((float(arities[p]) for p in parents), start=1.0)
            value = score.family_score(counts, q, arities[child])
            return _checked(value, names[child], tuple(names[p] for p in parents))

        return ask

    def __repr__(self) -> str:
        rows = "" if self.data is None else f", {self.data.n_rows} rows"
        limit = "" if self.max_parents is None else f", at most {self.max_parents} parents"
        return f"<Scorer: {self.n_nodes} variables{rows}, {self.score!r}, {self.prior!r}{limit}>"


def _plain(value: Any) -> Any:
    """Describe a score or prior: its name, and its fields when they are plain values."""
    described = {"name": getattr(value, "name", type(value).__name__)}
    if is_dataclass(value):
        for field in fields(value):
            content = getattr(value, field.name)
            content = content.item() if isinstance(content, np.generic) else content
            simple = content is None or isinstance(content, bool | int | float | str)
            described[field.name] = content if simple else repr(content)
    return described


def _checked(value: float, child: str, parents: tuple[str, ...]) -> float:
    result = float(value)
    if math.isnan(result) or result == math.inf:
        raise ParameterError(
            f"the score of family ({child!r}, {parents!r}) must be a number below infinity, "
            f"got {value!r}"
        )
    return result


def _at_least(name: str, value: Any, least: int, *, or_none: bool = False) -> int | None:
    if value is None and or_none:
        return None
    allowed = f"an integer >= {least}" + (" or None" if or_none else "")
    try:
        number = operator.index(value)
    except TypeError:
        raise ParameterError(f"{name} must be {allowed}, got {value!r}") from None
    if number < least or isinstance(value, bool):
        raise ParameterError(f"{name} must be {allowed}, got {value!r}")
    return number


def _some(names: Sequence[str], limit: int = 8) -> str:
    shown = ", ".join(repr(name) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown}, ... ({len(names)} in all)"
