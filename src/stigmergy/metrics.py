# SPDX-License-Identifier: MIT
"""How far a learned structure is from the true one.

All functions compare graphs over the same names. A `Dag` stands for its equivalence class and is
completed first, except for the structural intervention distance, which is about causal effects; a
`Cpdag` and a `Pdag` are compared edge by edge as they are.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stigmergy.checks import type_of
from stigmergy.errors import ParameterError, StructureError
from stigmergy.graph import Cpdag, Dag, Graph
from stigmergy.graph._base import Arc
from stigmergy.graph._bits import bits
from stigmergy.graph._completion import components
from stigmergy.graph._members import MemberCounter, oriented_rows
from stigmergy.graph._separation import misjudged_effects

if TYPE_CHECKING:
    from stigmergy.network import BayesianNetwork
    from stigmergy.result import Result


def shd(a: Graph, b: Graph) -> int:
    """Return the structural Hamming distance between two equivalence classes.

    Parameters
    ----------
    a, b : Dag, Cpdag or Pdag
        Graphs over the same names. A Dag is replaced by its CPDAG.

    Returns
    -------
    int
        The number of pairs of nodes that the two graphs do not join in the same way: one for each
        missing edge, each extra edge, and each edge with a missing, added or reversed direction.

    Notes
    -----
    It is a metric on CPDAGs over given names: symmetric, 0 only between equal ones, and subject to
    the triangle inequality. Other programs give two units to a reversed edge, or compare DAGs;
    their numbers are not these.

    References
    ----------
    I. Tsamardinos, L. E. Brown and C. F. Aliferis (2006), The max-min hill-climbing Bayesian
    network structure learning algorithm, Machine Learning 65, 31-78: algorithm 4.

    Examples
    --------
    >>> names = ["a", "b", "c"]
    >>> chain = Dag(names, [("a", "b"), ("b", "c")])
    >>> fork = Dag(names, [("b", "a"), ("b", "c")])
    >>> collider = Dag(names, [("a", "b"), ("c", "b")])
    >>> shd(chain, fork), shd(chain, collider)
    (0, 2)
    """
    a, b = _classes(a, b)
    differing = (
        (a._parents[v] ^ b._parents[v])
        | (a._children[v] ^ b._children[v])
        | (a._neighbours[v] ^ b._neighbours[v])
        for v in range(len(a))
    )
    return sum(row.bit_count() for row in differing) // 2


def skeleton_shd(a: Graph, b: Graph) -> int:
    """Return the number of pairs that are joined in one graph only, whatever the directions."""
    _refuse_other_nodes(a, b)
    return sum((a._joined(v) ^ b._joined(v)).bit_count() for v in range(len(a))) // 2


@dataclass(frozen=True, slots=True)
class Agreement:
    """How one set of claims agrees with the truth.

    Attributes
    ----------
    true_positives, false_positives, false_negatives : int
        Claims that are true, claims that are false, and truths that are not claimed.
    """

    true_positives: int
    false_positives: int
    false_negatives: int

    @classmethod
    def of(cls, truth: Collection[object], claims: Collection[object]) -> Agreement:
        """Compare two collections without repetition."""
        common = len(set(truth) & set(claims))
        return cls(common, len(claims) - common, len(truth) - common)

    @property
    def precision(self) -> float:
        """The share of the claims that is true; 1 if nothing is claimed."""
        return _share(self.true_positives, self.false_positives)

    @property
    def recall(self) -> float:
        """The share of the truths that is claimed; 1 if there is nothing to claim."""
        return _share(self.true_positives, self.false_negatives)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, 2 TP / (2 TP + FP + FN); 1 if all are 0."""
        return _share(2 * self.true_positives, self.false_positives + self.false_negatives)

    def __str__(self) -> str:
        return (
            f"precision {self.precision:.3f}, recall {self.recall:.3f}, F1 {self.f1:.3f} "
            f"(TP {self.true_positives}, FP {self.false_positives}, FN {self.false_negatives})"
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a learned structure differs from the true one, as equivalence classes.

    Attributes
    ----------
    missing, extra : tuple of (str, str)
        Pairs (x, y), x < y, that are joined in the truth only, and in the learned graph only.
    redirected : tuple of (str, str)
        Pairs (x, y), x < y, that are joined in both, but not with the same direction or lack of it.
    skeleton, arrowheads, v_structures : Agreement
        Joined pairs; directed edges x -> y; and triples x -> z <- y with x, y not joined.
    """

    missing: tuple[Arc, ...]
    extra: tuple[Arc, ...]
    redirected: tuple[Arc, ...]
    skeleton: Agreement
    arrowheads: Agreement
    v_structures: Agreement

    @property
    def shd(self) -> int:
        """The structural Hamming distance, see `shd`."""
        return self.skeleton_shd + len(self.redirected)

    @property
    def skeleton_shd(self) -> int:
        """The number of missing and extra edges."""
        return len(self.missing) + len(self.extra)

    def __str__(self) -> str:
        return (
            f"SHD {self.shd}: {len(self.missing)} missing, {len(self.extra)} extra, "
            f"{len(self.redirected)} redirected\n"
            f"skeleton      {self.skeleton}\n"
            f"arrowheads    {self.arrowheads}\n"
            f"v-structures  {self.v_structures}"
        )


def compare(
    truth: Graph | BayesianNetwork | Result, learned: Graph | BayesianNetwork | Result
) -> Comparison:
    """Compare a learned structure with the true one, edge by edge.

    Parameters
    ----------
    truth, learned : Dag, Cpdag, Pdag, BayesianNetwork or Result
        Over the same names. A Dag, also that of a network, is replaced by its CPDAG.

    Examples
    --------
    >>> truth = Dag(["a", "b", "c"], [("a", "b"), ("c", "b")])
    >>> print(compare(truth, Dag(["a", "b", "c"], [("a", "b"), ("b", "c")])))
    SHD 2: 0 missing, 0 extra, 2 redirected
    skeleton      precision 1.000, recall 1.000, F1 1.000 (TP 2, FP 0, FN 0)
    arrowheads    precision 1.000, recall 0.000, F1 0.000 (TP 0, FP 0, FN 2)
    v-structures  precision 1.000, recall 0.000, F1 0.000 (TP 0, FP 0, FN 1)
    """
    true, found = _classes(truth, learned)
    true_pairs, learned_pairs = set(true.skeleton), set(found.skeleton)
    one_way_only = set(true.edges) ^ set(found.edges)
    changed = {(min(a, b), max(a, b)) for a, b, _ in one_way_only}
    return Comparison(
        missing=tuple(sorted(true_pairs - learned_pairs)),
        extra=tuple(sorted(learned_pairs - true_pairs)),
        redirected=tuple(sorted(changed & true_pairs & learned_pairs)),
        skeleton=Agreement.of(true_pairs, learned_pairs),
        arrowheads=Agreement.of(true.directed, found.directed),
        v_structures=Agreement.of(true.v_structures, found.v_structures),
    )


def sid(truth: Dag, estimate: Dag) -> int:
    """Return the structural intervention distance from the true DAG to an estimated one.

    Parameters
    ----------
    truth, estimate : Dag
        Graphs over the same names. For an estimated `Cpdag` there is `sid_bounds`.

    Returns
    -------
    int
        The number of ordered pairs (i, j) for which the effect on j of an intervention at i,
        computed from the truth by adjusting for the parents of i in the estimate, is wrong: between
        0 and n (n - 1).

    Notes
    -----
    It is not symmetric, and an estimate with more edges than the truth can be at distance 0. The
    cost is one linear search per node.

    References
    ----------
    J. Peters and P. Bühlmann (2015), Structural intervention distance for evaluating causal graphs,
    Neural Computation 27, 771-799.

    Examples
    --------
    >>> truth = Dag(["a", "b", "c"], [("a", "b"), ("b", "c")])
    >>> sid(truth, Dag(["a", "b", "c"], [("b", "a"), ("b", "c")]))
    3
    """
    _refuse_other_kind("truth", truth, Dag)
    _refuse_other_kind("estimate", estimate, Dag, "; sid_bounds takes a Cpdag")
    _refuse_other_nodes(truth, estimate)
    return sum(
        misjudged_effects(truth._parents, truth._children, v, row).bit_count()
        for v, row in enumerate(estimate._parents)
    )


def sid_bounds(truth: Dag, estimate: Cpdag, *, max_members: int = 1_000_000) -> tuple[int, int]:
    """Return the least and the greatest `sid` between the truth and the DAGs of a class.

    Parameters
    ----------
    truth : Dag
        The true graph.
    estimate : Cpdag
        The estimated class, over the same names.
    max_members : int
        The orientations of each chain component are listed; a component with more than this many
        is refused.

    References
    ----------
    J. Peters and P. Bühlmann (2015), Structural intervention distance for evaluating causal graphs,
    Neural Computation 27, 771-799.
    """
    _refuse_other_kind("truth", truth, Dag)
    _refuse_other_kind("estimate", estimate, Cpdag, "; sid takes a Dag")
    _refuse_other_nodes(truth, estimate)
    known: dict[tuple[int, int], int] = {}

    def errors(v: int, row: int) -> int:
        if (v, row) not in known:
            wrong = misjudged_effects(truth._parents, truth._children, v, row)
            known[v, row] = wrong.bit_count()
        return known[v, row]

    least = greatest = 0
    for component in components(estimate._neighbours, (1 << len(estimate)) - 1):
        rows = [row if component >> v & 1 else 0 for v, row in enumerate(estimate._neighbours)]
        if (count := MemberCounter(rows).count()) > max_members:
            among = ", ".join(estimate._name_all(component)[:8])
            raise ParameterError(
                f"max_members must be at least {count}, got {max_members}: so many orientations "
                f"has the chain component of {among}; sid of a member takes no listing"
            )
        sums = [
            sum(errors(v, estimate._parents[v] | chosen[v]) for v in bits(component))
            for chosen in oriented_rows(rows)
        ]
        least += min(sums)
        greatest += max(sums)
    return least, greatest


def _share(part: int, rest: int) -> float:
    return part / (part + rest) if part + rest else 1.0


def _classes(a: Any, b: Any) -> tuple[Graph, Graph]:
    a, b = (_graph_of(given) for given in (a, b))
    _refuse_other_nodes(a, b)
    return (
        a.to_cpdag() if isinstance(a, Dag) else a,
        b.to_cpdag() if isinstance(b, Dag) else b,
    )


def _graph_of(given: Any) -> Any:
    """Return the graph of a result or a network; anything else goes through."""
    return getattr(given, "cpdag", getattr(given, "dag", given))


def _quoted(name: str) -> str:
    return repr(name) if "," in name or name.strip() != name else name


def _refuse_other_kind(argument: str, graph: object, kind: type[Graph], hint: str = "") -> None:
    if not isinstance(graph, kind):
        raise TypeError(f"{argument} must be a {kind.__name__}, got {type_of(graph)}{hint}")


def _refuse_other_nodes(a: object, b: object) -> None:
    for graph in (a, b):
        if not isinstance(graph, Graph):
            raise TypeError(f"a graph must be a Dag, Pdag or Cpdag, got {type_of(graph)}")
    assert isinstance(a, Graph)
    assert isinstance(b, Graph)
    if a._sorted != b._sorted:
        only = [
            f"only in the {which}: {', '.join(map(_quoted, sorted(names)[:8]))}"
            + (f", and {len(names) - 8} more" if len(names) > 8 else "")
            for which, names in (
                ("first", set(a.names) - set(b.names)),
                ("second", set(b.names) - set(a.names)),
            )
            if names
        ]
        raise StructureError(f"the two graphs must have the same nodes; {'; '.join(only)}")
