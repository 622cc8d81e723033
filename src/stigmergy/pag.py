# SPDX-License-Identifier: MIT
"""Ancestral graphs: what is known about ancestors when some variables are not observed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any, Literal

from stigmergy.errors import StructureError
from stigmergy.graph import Dag
from stigmergy.pag_orientation import ARROW, CIRCLE, TAIL, PagOrientation

Edge = tuple[str, str, str]
MarkName = Literal["circle", "arrow", "tail"]
_MARK_NAMES: dict[str, MarkName] = {CIRCLE: "circle", ARROW: "arrow", TAIL: "tail"}


class Pag:
    """A partial ancestral graph: edges whose ends are circles, arrowheads or tails. Immutable.

    An arrowhead at y on the edge of x and y says that y is no ancestor of x; a tail, that it is one
    (of x, or of a variable that rows were selected by); a circle, that both can be. A graph without
    circles is a maximal ancestral graph (MAG), when it is ancestral and maximal.

    Parameters
    ----------
    names : iterable of str
        The nodes, in any order.
    edges : iterable of (str, str, str)
        Triples (x, how, y), where `how` is drawn from x to y: ``-->``, ``<--``, ``<->``, ``o->``,
        ``<-o``, ``o-o``, ``---``, ``o--`` or ``--o``.

    References
    ----------
    T. Richardson and P. Spirtes (2002), Ancestral graph Markov models, Annals of Statistics 30,
    962-1030. J. Zhang (2008), On the completeness of orientation rules for causal discovery in the
    presence of latent confounders and selection bias, Artificial Intelligence 172, 1873-1896.

    Examples
    --------
    >>> pag = Pag(["a", "b", "c"], [("a", "o->", "c"), ("c", "<-o", "b")])
    >>> print(pag)
    a o-> c, b o-> c
    >>> pag.mark_at("c", "a"), pag.mark_at("a", "c")
    ('arrow', 'circle')
    """

    __slots__ = ("_edges", "_marks", "names")

    names: tuple[str, ...]
    _marks: dict[tuple[str, str], str]
    _edges: tuple[Edge, ...]

    def __init__(self, names: Iterable[str], edges: Iterable[Iterable[str]] = ()) -> None:
        put = object.__setattr__
        put(self, "names", tuple(sorted(names)))
        if len(set(self.names)) < len(self.names):
            raise StructureError(f"names must be distinct, got {list(self.names)}")
        marks: dict[tuple[str, str], str] = {}
        for x, how, y in edges:
            if not {x, y} <= set(self.names) or x == y:
                raise StructureError(
                    f"an edge must join two different nodes of the graph, got {x!r} and {y!r}"
                )
            if not re.fullmatch("[<o-]-[>o-]", how):
                raise StructureError(
                    f"an edge is drawn as one of --> <-- <-> o-> <-o o-o --- o-- --o, got {how!r}"
                )
            if (x, y) in marks:
                raise StructureError(f"{x!r} and {y!r} are joined twice")
            marks[x, y] = how[2]
            marks[y, x] = ARROW if how[0] == "<" else how[0]
        put(self, "_marks", marks)
        left = {ARROW: "<", CIRCLE: CIRCLE, TAIL: TAIL}
        put(
            self,
            "_edges",
            tuple(
                (x, f"{left[marks[y, x]]}-{mark}", y)
                if not _backwards(marks, x, y)
                else (y, f"{left[mark]}-{marks[y, x]}", x)
                for (x, y), mark in sorted(marks.items())
                if x < y
            ),
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Pag is immutable")

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges (x, how, y), sorted by their nodes; arrows are drawn to the right."""
        return self._edges

    @property
    def skeleton(self) -> tuple[tuple[str, str], ...]:
        """The pairs (x, y), x < y, that are joined."""
        return tuple((x, y) for x, y in sorted(self._marks) if x < y)

    def is_adjacent(self, x: str, y: str) -> bool:
        """Tell whether two nodes are joined."""
        return (x, y) in self._marks

    def adjacent(self, x: str) -> tuple[str, ...]:
        """Return the nodes joined to x, sorted."""
        return tuple(sorted(b for a, b in self._marks if a == x))

    def mark_at(self, y: str, x: str) -> MarkName:
        """Return the mark at y on the edge of y and x."""
        try:
            return _MARK_NAMES[self._marks[x, y]]
        except KeyError:
            raise StructureError(f"{y!r} and {x!r} are not joined") from None

    @property
    def has_circles(self) -> bool:
        """Whether an end is open."""
        return CIRCLE in self._marks.values()

    def to_dict(self) -> dict[str, Any]:
        """Return names and edges as lists."""
        return {"names": list(self.names), "edges": [list(edge) for edge in self._edges]}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pag):
            return NotImplemented
        return self.names == other.names and self._marks == other._marks

    def __hash__(self) -> int:
        return hash((self.names, frozenset(self._marks.items())))

    def __reduce__(self) -> tuple[type[Pag], tuple[tuple[str, ...], tuple[Edge, ...]]]:
        return (Pag, (self.names, self._edges))

    def __str__(self) -> str:
        joined = {v for pair in self._marks for v in pair}
        text = ", ".join(" ".join(edge) for edge in self._edges)
        isolated = ", ".join(v for v in self.names if v not in joined)
        return "; ".join(part for part in (text, isolated and f"isolated: {isolated}") if part)

    def __repr__(self) -> str:
        return f"<Pag of {len(self.names)} node{'s' * (len(self.names) != 1)}: {self}>"


def _backwards(marks: dict[tuple[str, str], str], x: str, y: str) -> bool:
    """Whether the edge points to x alone, so that it reads better from y."""
    return marks[y, x] == ARROW and marks[x, y] != ARROW


def dag_to_mag(dag: Dag, latent: Iterable[str] = (), selected: Iterable[str] = ()) -> Pag:
    """Return the MAG over the observed nodes of a DAG.

    Parameters
    ----------
    dag : Dag
        The true graph.
    latent : iterable of str
        Nodes that are not observed.
    selected : iterable of str
        Nodes that rows are selected by.

    Notes
    -----
    x and y are joined iff their ancestors and those of the selected nodes, as far as observed, do
    not separate them (then no set does); the end at x is a tail iff x is an ancestor of y or of a
    selected node.

    References
    ----------
    T. Richardson and P. Spirtes (2002), Ancestral graph Markov models, Annals of Statistics 30,
    962-1030, Sections 4.2 and 6.
    """
    latent, selected = set(latent), set(selected)
    observed = [v for v in sorted(dag.names) if v not in latent | selected]

    def ancestors(nodes: set[str]) -> set[str]:
        found, open_ = set(nodes), list(nodes)
        while open_:
            fresh = set(dag.parents(open_.pop())) - found
            found |= fresh
            open_ += fresh
        return found

    edges = []
    for x, y in combinations(observed, 2):
        given = (ancestors({x, y} | selected) - latent - {x, y}) | selected
        if not dag.is_d_separated(x, y, given):
            at_x = "-" if x in ancestors({y} | selected) else "<"
            at_y = "-" if y in ancestors({x} | selected) else ">"
            edges.append((x, f"{at_x}-{at_y}", y))
    return Pag(observed, edges)


def mag_to_pag(mag: Pag) -> Pag:
    """Return the PAG of all MAGs that are Markov equivalent to one.

    Notes
    -----
    The orientation rules of Zhang (2008) on the MAG's skeleton, told by the MAG what separates its
    nodes: two that are not joined are separated by those with a path to one of them on which no
    edge has an arrowhead against the direction of travel.
    """
    if mag.has_circles:
        raise StructureError("a MAG has no circles")
    names = mag.names
    number = {name: i for i, name in enumerate(names)}

    def anterior(x: int, y: int) -> set[int]:
        found, open_ = {x, y}, [x, y]
        while open_:
            v = names[open_.pop()]
            fresh = {number[u] for u in mag.adjacent(v) if mag.mark_at(u, v) == "tail"} - found
            found |= fresh
            open_ += fresh
        return found

    graph = PagOrientation(
        len(names),
        [(number[x], number[y]) for x, y in mag.skeleton],
        lambda z, x, y: z in anterior(x, y),
    )
    graph.collide()
    graph.close()
    return pag_of(graph, names)


def pag_of(graph: PagOrientation, names: tuple[str, ...]) -> Pag:
    """Give a graph over numbers its names."""
    left = {ARROW: "<", CIRCLE: CIRCLE, TAIL: TAIL}
    return Pag(
        names,
        [
            (names[x], f"{left[graph.marks[y][x]]}-{mark}", names[y])
            for x, row in enumerate(graph.marks)
            for y, mark in row.items()
            if x < y
        ],
    )
