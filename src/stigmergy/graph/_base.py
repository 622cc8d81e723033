# SPDX-License-Identifier: MIT
"""What the three kinds of graph have in common: names, edges, looking around, equality."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from stigmergy.errors import ParameterError, StructureError
from stigmergy.graph._bits import bits, closure, mask_of
from stigmergy.graph._completion import directed_cycle, transpose

Arc = tuple[str, str]
Kind = Literal["directed", "undirected"]

_SHOWN_NAMES = 8
_SHOWN_EDGES = 40


class Graph:
    """The common part of `Dag`, `Pdag` and `Cpdag`; not made by itself.

    A graph is an immutable value. It remembers its names in the order they were given, but two
    graphs of one kind are equal when they have the same names and the same edges. Everything that
    is listed comes sorted by name. A node without edges is a node all the same.

    Notes
    -----
    Inside, nodes are numbered by the order of their names, and the parents, children and
    neighbours of each node are sets held as bits of an integer.
    """

    __slots__ = ("_children", "_index", "_names", "_neighbours", "_parents", "_sorted")

    _children: tuple[int, ...]
    _index: dict[str, int]
    _names: tuple[str, ...]
    _neighbours: tuple[int, ...]
    _parents: tuple[int, ...]
    _sorted: tuple[str, ...]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Refuse the bare base class."""
        if cls is Graph:
            raise TypeError("Graph is only the common part; make a Dag, a Pdag or a Cpdag")
        return super().__new__(cls)

    # Making

    def _set(self, names: Sequence[str], parents: Iterable[int], neighbours: Iterable[int]) -> None:
        put = object.__setattr__
        put(self, "_names", tuple(names))
        put(self, "_sorted", tuple(sorted(names)))
        put(self, "_index", {name: i for i, name in enumerate(self._sorted)})
        put(self, "_parents", tuple(parents))
        put(self, "_children", tuple(transpose(self._parents)))
        put(self, "_neighbours", tuple(neighbours))

    @classmethod
    def _trusted(
        cls, names: Sequence[str], parents: Iterable[int], neighbours: Iterable[int]
    ) -> Self:
        """Make a graph from bit rows, numbered by sorted name, that are known to be valid."""
        graph = cls.__new__(cls)
        graph._set(names, parents, neighbours)
        return graph

    def _read(
        self, names: Iterable[str], directed: Iterable[Arc], undirected: Iterable[Arc]
    ) -> None:
        """Check what the caller gave and take it."""
        names = _checked_names(names)
        index = {name: i for i, name in enumerate(sorted(names))}
        parents, neighbours = [0] * len(names), [0] * len(names)
        for a, b in _checked_pairs(directed, index, "directed"):
            _refuse_joined(a, b, index, parents, neighbours)
            parents[index[b]] |= 1 << index[a]
        for a, b in _checked_pairs(undirected, index, "undirected"):
            _refuse_joined(a, b, index, parents, neighbours)
            neighbours[index[a]] |= 1 << index[b]
            neighbours[index[b]] |= 1 << index[a]
        self._set(names, parents, neighbours)
        cycle = directed_cycle(self._parents, self._children)
        if cycle is not None:
            path = " -> ".join(self._sorted[node] for node in [*cycle, cycle[0]])
            raise StructureError(f"the directed edges contain the cycle {path}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; make a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} cannot be changed; make a new one")

    def __reduce__(self) -> tuple[Callable[..., "Graph"], tuple[object, ...]]:
        return _restore, (type(self), self._names, self._parents, self._neighbours)

    # Equality and text

    def _content(self) -> tuple[object, ...]:
        return self._sorted, self._parents, self._neighbours

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, Graph)
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._content()))

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __str__(self) -> str:
        return self._text(None)

    def __repr__(self) -> str:
        nodes = "node" if len(self) == 1 else "nodes"
        return f"<{type(self).__name__} of {len(self)} {nodes}: {self._text(_SHOWN_EDGES)}>"

    def _text(self, limit: int | None) -> str:
        signs = {"directed": "->", "undirected": "-"}
        edges = [f"{a} {signs[kind]} {b}" for a, b, kind in self.edges]
        lone = [name for name in self._sorted if not self._joined(self._index[name])]
        parts = []
        if edges:
            parts.append(_listed(edges, limit))
        if lone:
            parts.append("isolated: " + _listed(lone, limit))
        return "; ".join(parts) or "empty"

    # Looking around

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the nodes in the order they were given."""
        return self._names

    @property
    def directed(self) -> tuple[Arc, ...]:
        """The directed edges as pairs (from, to), sorted."""
        return tuple(
            (name, self._sorted[child])
            for name, row in zip(self._sorted, self._children, strict=True)
            for child in bits(row)
        )

    @property
    def undirected(self) -> tuple[Arc, ...]:
        """The undirected edges as pairs (a, b) with a < b, sorted."""
        return self._pairs(self._neighbours)

    @property
    def edges(self) -> tuple[tuple[str, str, Kind], ...]:
        """All edges as triples (a, b, kind), sorted by the pair.

        The kind is "directed", which means a -> b, or "undirected", and then a < b.
        """
        directed: list[tuple[str, str, Kind]] = [(a, b, "directed") for a, b in self.directed]
        undirected: list[tuple[str, str, Kind]] = [(a, b, "undirected") for a, b in self.undirected]
        return tuple(sorted(directed + undirected))

    @property
    def skeleton(self) -> tuple[Arc, ...]:
        """The joined pairs (a, b) with a < b, sorted."""
        return self._pairs([self._joined(v) for v in range(len(self))])

    @property
    def v_structures(self) -> tuple[tuple[str, str, str], ...]:
        """The triples (a, c, b) with a -> c <- b, a < b and a, b not joined, sorted."""
        name = self._sorted
        return tuple(
            sorted(
                (name[a], name[c], name[b])
                for c, row in enumerate(self._parents)
                for a in bits(row)
                for b in bits((row & ~self._joined(a)) >> (a + 1) << (a + 1))
            )
        )

    def parents(self, x: str) -> tuple[str, ...]:
        """Return the nodes p with p -> x, sorted."""
        return self._name_all(self._parents[self._number(x)])

    def children(self, x: str) -> tuple[str, ...]:
        """Return the nodes c with x -> c, sorted."""
        return self._name_all(self._children[self._number(x)])

    def neighbours(self, x: str) -> tuple[str, ...]:
        """Return the nodes n with x - n, sorted."""
        return self._name_all(self._neighbours[self._number(x)])

    def adjacent(self, x: str) -> tuple[str, ...]:
        """Return all nodes joined to x by an edge of any kind, sorted."""
        return self._name_all(self._joined(self._number(x)))

    def is_adjacent(self, a: str, b: str) -> bool:
        """Return whether an edge of any kind joins a and b."""
        return bool(self._joined(self._number(a)) >> self._number(b) & 1)

    def ancestors(self, x: str) -> tuple[str, ...]:
        """Return the nodes from which directed edges lead to x, sorted, without x."""
        return self._name_all(closure(self._parents, 1 << self._number(x)))

    def descendants(self, x: str) -> tuple[str, ...]:
        """Return the nodes to which directed edges lead from x, sorted, without x."""
        return self._name_all(closure(self._children, 1 << self._number(x)))

    # Making others

    def rename(self, mapping: Mapping[str, str]) -> Self:
        """Return the same graph with other names; a name not in `mapping` stays."""
        for name in mapping:
            self._number(name)
        new = {name: mapping.get(name, name) for name in self._names}
        return type(self)._from_edges(
            [new[name] for name in self._names],
            [(new[a], new[b]) for a, b in self.directed],
            [(new[a], new[b]) for a, b in self.undirected],
        )

    def _induced(self, names: Iterable[str]) -> tuple[list[str], list[Arc], list[Arc]]:
        """Return the names, directed and undirected edges of the graph induced by `names`."""
        kept = _checked_names(names)
        inside = mask_of(self._number(name) for name in kept)
        directed, undirected = [], []
        for v in bits(inside):
            name = self._sorted[v]
            directed += [(self._sorted[u], name) for u in bits(self._parents[v] & inside)]
            lines = self._neighbours[v] & inside
            undirected += [(self._sorted[u], name) for u in bits(lines) if u < v]
        return kept, directed, undirected

    @classmethod
    def _from_edges(cls, names: Iterable[str], directed: list[Arc], undirected: list[Arc]) -> Self:
        """Make a graph of this kind from checked or unchecked edges; each kind has its own way."""
        raise NotImplementedError

    def to_matrix(self) -> npt.NDArray[np.uint8]:
        """Return the adjacency matrix, rows and columns in the order of `names`.

        Entry [i, j] is 1 for an edge i -> j, and both [i, j] and [j, i] are 1 for i - j; all other
        entries are 0. So the ones of a row are the children and neighbours of its node.
        """
        place = {name: i for i, name in enumerate(self._names)}
        matrix = np.zeros((len(self), len(self)), dtype=np.uint8)
        for a, b in self.directed:
            matrix[place[a], place[b]] = 1
        for a, b in self.undirected:
            matrix[place[a], place[b]] = matrix[place[b], place[a]] = 1
        return matrix

    @classmethod
    def from_matrix(cls, matrix: npt.ArrayLike, names: Iterable[str]) -> Self:
        """Make a graph from an adjacency matrix as `to_matrix` writes it.

        Parameters
        ----------
        matrix : array_like of shape (n, n)
            Only 0 and 1, with a zero diagonal; [i, j] alone means i -> j, together with [j, i] it
            means i - j.
        names : iterable of str
            The names of rows and columns.
        """
        names = _checked_names(names)
        values = np.asarray(matrix)
        if values.shape != (len(names), len(names)):
            raise StructureError(
                f"matrix must be of shape ({len(names)}, {len(names)}) for {len(names)} names, "
                f"got {values.shape}"
            )
        if not np.isin(values, (0, 1)).all():
            raise StructureError("matrix must hold only 0 and 1 (1 at [i, j] means i -> j)")
        ones = {(int(i), int(j)) for i, j in np.argwhere(values)}
        directed = [(names[i], names[j]) for i, j in sorted(ones) if (j, i) not in ones or i == j]
        undirected = [(names[i], names[j]) for i, j in sorted(ones) if i < j and (j, i) in ones]
        return cls._from_edges(names, directed, undirected)

    def to_networkx(self) -> Any:
        """Return a networkx DiGraph; an undirected edge becomes a pair of opposite arcs."""
        graph = _networkx().DiGraph()
        graph.add_nodes_from(self._names)
        graph.add_edges_from(self.directed)
        graph.add_edges_from(self.undirected)
        graph.add_edges_from((b, a) for a, b in self.undirected)
        return graph

    @classmethod
    def from_networkx(cls, graph: Any) -> Self:
        """Make a graph from a networkx graph whose nodes are strings.

        In a DiGraph a pair of opposite arcs is one undirected edge; in a Graph all edges are
        undirected.
        """
        if graph.is_multigraph():
            raise StructureError(
                "graph must have at most one edge per pair, got a networkx multigraph"
            )
        edges = list(graph.edges())
        if not graph.is_directed():
            return cls._from_edges(graph.nodes(), [], edges)
        arcs = set(edges)
        directed = [(a, b) for a, b in edges if (b, a) not in arcs or a == b]
        place = {name: i for i, name in enumerate(graph.nodes())}
        undirected = [(a, b) for a, b in edges if (b, a) in arcs and place[a] < place[b]]
        return cls._from_edges(graph.nodes(), directed, undirected)

    # Numbers

    def _number(self, name: str) -> int:
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise ParameterError(_unknown(name, self._index)) from None

    def _joined(self, v: int) -> int:
        return self._parents[v] | self._children[v] | self._neighbours[v]

    def _name_all(self, members: int) -> tuple[str, ...]:
        return tuple(self._sorted[v] for v in bits(members))

    def _pairs(self, rows: Sequence[int]) -> tuple[Arc, ...]:
        name = self._sorted
        return tuple(
            (name[a], name[b]) for a, row in enumerate(rows) for b in bits(row >> a << a) if a != b
        )


def _restore(
    kind: type[Graph], names: Sequence[str], parents: Iterable[int], neighbours: Iterable[int]
) -> Graph:
    return kind._trusted(names, parents, neighbours)


def _networkx() -> Any:
    try:
        import networkx
    except ImportError as error:
        raise ImportError("this needs networkx: pip install networkx") from error
    return networkx


def _listed(items: Sequence[str], limit: int | None) -> str:
    if limit is None or len(items) <= limit:
        return ", ".join(items)
    return ", ".join(items[:limit]) + f", and {len(items) - limit} more"


def _unknown(name: object, known: Iterable[str]) -> str:
    return f"unknown node {name!r}; the nodes are {_listed(sorted(known), _SHOWN_NAMES) or 'none'}"


def _checked_names(names: Iterable[str]) -> list[str]:
    if isinstance(names, str):
        raise TypeError(f"names must be a list of strings, got the one string {names!r}")
    names = list(names)
    seen = set()
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"each node name must be a string, got {name!r}")
        if not name.strip():
            raise StructureError(f"each node name must be a string that is not blank, got {name!r}")
        if name in seen:
            raise StructureError(f"each node name must occur once, got {name!r} twice")
        seen.add(name)
    return names


def _checked_pairs(pairs: Iterable[Arc], index: Mapping[str, int], kind: Kind) -> list[Arc]:
    checked = []
    for pair in pairs:
        if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise TypeError(f"each {kind} edge must be a pair of node names, got {pair!r}")
        a, b = pair
        for name in (a, b):
            if not isinstance(name, str) or name not in index:
                raise StructureError(f"{kind} edge {pair!r}: {_unknown(name, index)}")
        if a == b:
            raise StructureError(f"{kind} edge {pair!r} joins {a!r} to itself")
        checked.append((a, b))
    return checked


def _refuse_joined(
    a: str, b: str, index: Mapping[str, int], parents: Sequence[int], neighbours: Sequence[int]
) -> None:
    i, j = index[a], index[b]
    if parents[j] >> i & 1:
        earlier = f"{a} -> {b}"
    elif parents[i] >> j & 1:
        earlier = f"{b} -> {a}"
    elif neighbours[i] >> j & 1:
        earlier = f"{a} - {b}"
    else:
        return
    raise StructureError(
        f"the edge between {a!r} and {b!r} is given twice: "
        f"{earlier} is already there; a pair has at most one edge"
    )
