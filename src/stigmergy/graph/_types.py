# SPDX-License-Identifier: MIT
"""The three kinds of graph: directed, partially directed, and the graph of an equivalence class."""

from collections.abc import Iterable, Iterator
from operator import index
from random import Random
from typing import Self

from stigmergy.errors import ParameterError, StructureError
from stigmergy.graph import _completion
from stigmergy.graph._base import Arc, Graph, _listed
from stigmergy.graph._bits import bits, mask_of
from stigmergy.graph._members import MemberCounter, oriented_rows
from stigmergy.graph._separation import reachable


class Dag(Graph):
    """A directed acyclic graph over named nodes.

    Parameters
    ----------
    names : iterable of str
        The nodes. Their order is kept, but plays no part in equality.
    arcs : iterable of (str, str)
        Pairs (from, to).

    Examples
    --------
    >>> dag = Dag(["rain", "sprinkler", "wet", "lawn"], [("rain", "wet"), ("sprinkler", "wet")])
    >>> print(dag)
    rain -> wet, sprinkler -> wet; isolated: lawn
    >>> dag.parents("wet")
    ('rain', 'sprinkler')
    >>> dag.is_d_separated("rain", "sprinkler"), dag.is_d_separated("rain", "sprinkler", "wet")
    (True, False)
    """

    __slots__ = ()

    def __init__(self, names: Iterable[str], arcs: Iterable[Arc] = ()) -> None:
        self._read(names, arcs, ())

    @classmethod
    def _from_edges(cls, names: Iterable[str], directed: list[Arc], undirected: list[Arc]) -> Self:
        if undirected:
            a, b = undirected[0]
            raise StructureError(
                f"a Dag has no undirected edges, got {a} - {b} (or both {a} -> {b} and {b} -> {a});"
                " make a Pdag and take its consistent_extension()"
            )
        return cls(names, directed)

    @property
    def arcs(self) -> tuple[Arc, ...]:
        """The arcs as pairs (from, to), sorted; the same as `directed`."""
        return self.directed

    @property
    def moral(self) -> tuple[Arc, ...]:
        """The pairs (a, b), a < b, of the moral graph: joined nodes and parents of one child."""
        rows = [self._joined(v) for v in range(len(self))]
        for family in self._parents:
            for parent in bits(family):
                rows[parent] |= family
        return self._pairs(rows)

    def topological_order(self) -> tuple[str, ...]:
        """Return the names, parents before children; the smallest possible name comes first."""
        order = _completion.topological_order(self._parents, self._children)
        return tuple(self._sorted[v] for v in order)

    def subgraph(self, names: Iterable[str]) -> "Dag":
        """Return the graph induced by `names`, in their order."""
        kept, directed, _ = self._induced(names)
        return Dag(kept, directed)

    def to_cpdag(self) -> "Cpdag":
        """Return the CPDAG of the equivalence class of this DAG.

        References
        ----------
        D. M. Chickering (1995), A transformational characterization of equivalent Bayesian network
        structures, UAI-95, 87-98: algorithms Order-Edges and Label-Edges.
        """
        return Cpdag._trusted(self._names, *_completion.complete(self._parents))

    def is_d_separated(
        self, x: str | Iterable[str], y: str | Iterable[str], given: str | Iterable[str] = ()
    ) -> bool:
        """Return whether `given` d-separates `x` from `y`.

        Parameters
        ----------
        x, y, given : str or iterable of str
            A node or a set of nodes; the three must not overlap.

        Notes
        -----
        A breadth-first search over pairs (node, direction of arrival), which visits each pair once.

        References
        ----------
        R. D. Shachter (1998), Bayes-ball: the rational pastime, UAI-98, 480-487.
        """
        sets = {
            name: mask_of(map(self._number, [nodes] if isinstance(nodes, str) else nodes))
            for name, nodes in (("x", x), ("y", y), ("given", given))
        }
        for first, second in (("x", "y"), ("x", "given"), ("y", "given")):
            if common := sets[first] & sets[second]:
                shared = ", ".join(self._name_all(common))
                raise ParameterError(
                    f"{first} and {second} must not overlap, but both have {shared}"
                )
        return not sets["y"] & reachable(self._parents, self._children, sets["x"], sets["given"])


class Pdag(Graph):
    """A partially directed acyclic graph: directed and undirected edges, no directed cycle.

    Parameters
    ----------
    names : iterable of str
        The nodes. Their order is kept, but plays no part in equality.
    directed : iterable of (str, str)
        Pairs (from, to).
    undirected : iterable of (str, str)
        Pairs in any order.

    Examples
    --------
    >>> pdag = Pdag(["a", "b", "c", "d"], [("a", "b")], [("b", "c")])
    >>> print(pdag)
    a -> b, b - c; isolated: d
    >>> print(pdag.consistent_extension())
    a -> b, b -> c; isolated: d
    >>> pdag.is_completed, pdag.to_cpdag().directed
    (False, ())
    """

    __slots__ = ()

    def __init__(
        self, names: Iterable[str], directed: Iterable[Arc] = (), undirected: Iterable[Arc] = ()
    ) -> None:
        self._read(names, directed, undirected)

    @classmethod
    def _from_edges(cls, names: Iterable[str], directed: list[Arc], undirected: list[Arc]) -> Self:
        return cls(names, directed, undirected)

    def subgraph(self, names: Iterable[str]) -> "Pdag":
        """Return the graph induced by `names`, in their order."""
        return Pdag(*self._induced(names))

    def consistent_extension(self) -> Dag | None:
        """Return a DAG with this skeleton, these v-structures and these directed edges, or None.

        Which one of several is returned depends on the names only.

        References
        ----------
        D. Dor and M. Tarsi (1992), A simple algorithm to construct a consistent extension of a
        partially oriented graph, Technical Report R-185, Cognitive Systems Laboratory, UCLA.
        """
        rows, stuck = _extension(self)
        return None if stuck else Dag._trusted(self._names, rows, [0] * len(self))

    def to_cpdag(self) -> "Cpdag":
        """Return the CPDAG of the class of the consistent extensions, which all are equivalent."""
        dag = self.consistent_extension()
        if dag is None:
            raise StructureError(f"this Pdag has no consistent extension: {_obstacle(self)}")
        return dag.to_cpdag()

    @property
    def is_completed(self) -> bool:
        """Whether this is the CPDAG of an equivalence class of DAGs."""
        dag = self.consistent_extension()
        return dag is not None and dag.to_cpdag()._content() == self._content()


class Cpdag(Graph):
    """A completed PDAG: an equivalence class of DAGs.

    An edge is directed when all DAGs of the class agree on its direction, else undirected.

    Parameters
    ----------
    names : iterable of str
        The nodes. Their order is kept, but plays no part in equality.
    directed : iterable of (str, str)
        Pairs (from, to): the compelled edges.
    undirected : iterable of (str, str)
        Pairs in any order: the reversible edges.

    Raises
    ------
    StructureError
        If the edges are not those of a completed PDAG; the message names an edge.

    Examples
    --------
    >>> cpdag = Dag(["a", "b", "c"], [("a", "b"), ("b", "c")]).to_cpdag()
    >>> print(cpdag)
    a - b, b - c
    >>> cpdag.count_members()
    3
    >>> for dag in cpdag.members():
    ...     print(dag)
    a -> b, b -> c
    b -> a, b -> c
    b -> a, c -> b
    """

    __slots__ = ("_counter",)

    _counter: MemberCounter

    def __init__(
        self, names: Iterable[str], directed: Iterable[Arc] = (), undirected: Iterable[Arc] = ()
    ) -> None:
        self._read(names, directed, undirected)
        self._refuse_incomplete()

    @classmethod
    def _from_edges(cls, names: Iterable[str], directed: list[Arc], undirected: list[Arc]) -> Self:
        return cls(names, directed, undirected)

    def _refuse_incomplete(self) -> None:
        rows, stuck = _extension(self)
        if stuck:
            raise StructureError(
                f"this is not a completed PDAG: {_obstacle(self)}; "
                "a Pdag holds a graph that stands for no equivalence class"
            )
        compelled, reversible = _completion.complete(rows)
        for a, b, kind in self.edges:
            i, j = self._index[a], self._index[b]
            if kind == "directed" and reversible[j] >> i & 1:
                fault = f"{a} -> {b} is reversible and must be undirected"
            elif kind == "undirected" and not reversible[j] >> i & 1:
                tail, head = (a, b) if compelled[j] >> i & 1 else (b, a)
                fault = f"{a} - {b} is compelled and must be {tail} -> {head}"
            else:
                continue
            raise StructureError(
                f"this is not a completed PDAG: {fault}; Pdag(...).to_cpdag() completes it"
            )

    def subgraph(self, names: Iterable[str]) -> Pdag:
        """Return the graph induced by `names`, in their order; it need not be completed."""
        return Pdag(*self._induced(names))

    def to_dag(self) -> Dag:
        """Return one DAG of the class; which one depends on the names only."""
        rows, _ = _extension(self)
        return Dag._trusted(self._names, rows, [0] * len(self))

    def members(self) -> Iterator[Dag]:
        """Yield each DAG of the class once, in a written order.

        The undirected edges (a, b), a < b, are taken in sorted order, and a -> b comes before
        b -> a.

        Notes
        -----
        Between two members there is a polynomial number of steps: each choice is followed by all
        that it implies by the rules of C. Meek (1995), Causal inference and causal explanation with
        background knowledge, UAI-95, 403-410.
        """
        for chosen in oriented_rows(self._neighbours):
            yield self._member(chosen)

    def count_members(self) -> int:
        """Return the exact number of DAGs in the class, in polynomial time.

        References
        ----------
        M. Wienöbst, M. Bannach and M. Liśkiewicz (2021), Polynomial-time algorithms for counting
        and sampling Markov equivalent DAGs, AAAI-21, 12198-12206: the clique-picking algorithm.
        """
        return self._counting().count()

    def sample_member(self, seed: int) -> Dag:
        """Return a DAG drawn uniformly from the class; equal seeds give equal DAGs.

        References
        ----------
        M. Wienöbst, M. Bannach and M. Liśkiewicz (2021), as in `count_members`.
        """
        try:
            number = -1 if isinstance(seed, bool) else index(seed)
        except TypeError:
            number = -1
        if number < 0:
            raise ParameterError(f"seed must be an integer >= 0, got {seed!r}")
        return self._member(self._counting().sample(Random(number)))

    def _member(self, chosen: list[int]) -> Dag:
        rows = [kept | more for kept, more in zip(self._parents, chosen, strict=True)]
        return Dag._trusted(self._names, rows, [0] * len(self))

    def _counting(self) -> MemberCounter:
        # Kept, because sampling many members shares the counts.
        if not hasattr(self, "_counter"):
            object.__setattr__(self, "_counter", MemberCounter(self._neighbours))
        return self._counter


def _extension(graph: Graph) -> tuple[list[int], int]:
    return _completion.consistent_extension(graph._parents, graph._children, graph._neighbours)


def _obstacle(graph: Graph) -> str:
    """Say which edges keep a graph from having a consistent extension."""
    _, stuck = _extension(graph)
    edges = Pdag(*graph._induced(graph._name_all(stuck))).undirected
    listed = _listed([f"{a} - {b}" for a, b in edges], 8)
    return f"no directions of {listed} avoid both a directed cycle and a new v-structure"
