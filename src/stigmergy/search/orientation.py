# SPDX-License-Identifier: MIT
"""Giving directions to the edges of a skeleton, with every contradiction kept.

What is wanted of the edges is collected in rounds, and a round is carried out as a whole; so the
outcome does not depend on an order of nodes or of rules. An edge that is wanted in both directions
keeps none, for good, and is listed as a conflict.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from stigmergy import _core

Pair = tuple[int, int]
Triple = tuple[int, int, int]


class Want(NamedTuple):
    """The wish for x -> y, and what makes it."""

    x: int
    y: int
    because: str


class Conflict(NamedTuple):
    """An edge or a triple (by node numbers) on which the evidence contradicts itself."""

    nodes: tuple[int, ...]
    why: str


def triple(x: int, z: int, y: int) -> Triple:
    """Return the triple with z in the middle, its ends in order."""
    return (x, z, y) if x < y else (y, z, x)


def unshielded_triples(adjacent: Sequence[set[int]]) -> Iterator[Triple]:
    """Yield each x - z - y with x and y apart, as (x, z, y) with x < y."""
    for z, row in enumerate(adjacent):
        for x in sorted(row):
            yield from ((x, z, y) for y in sorted(row - adjacent[x]) if x < y)


class Orientation:
    """A partially directed graph in the making.

    Parameters
    ----------
    n_nodes
        The nodes are 0 .. n_nodes - 1.
    edges
        The skeleton.
    rules
        Required arcs, and edges of which one direction is forbidden, are directed at once; nothing
        that comes later turns them.
    ambiguous
        Unshielded triples (`triple`) that are neither known to collide nor known not to.
    """

    def __init__(
        self,
        n_nodes: int,
        edges: Iterable[Pair],
        rules: _core.ArcRules,
        ambiguous: Iterable[Triple] = (),
    ) -> None:
        self.n_nodes = n_nodes
        self.adjacent: list[set[int]] = [set() for _ in range(n_nodes)]
        self.parents: list[set[int]] = [set() for _ in range(n_nodes)]
        self.children: list[set[int]] = [set() for _ in range(n_nodes)]
        self.conflicts: list[Conflict] = []
        self._ambiguous = set(ambiguous)
        self._undirected: set[Pair] = set()
        self._frozen: set[Pair] = set()
        self._rules = rules
        for x, y in edges:
            self.adjacent[x].add(y)
            self.adjacent[y].add(x)
            self._undirected.add((min(x, y), max(x, y)))
        for x, y in sorted(self._undirected):
            for a, b in ((x, y), (y, x)):
                if not rules.allows(b, a):
                    self._direct(a, b)

    # -- looking -------------------------------------------------------------------------------

    def unshielded(self) -> Iterator[Triple]:
        """Yield each x - z - y with x and y apart, as (x, z, y) with x < y."""
        return unshielded_triples(self.adjacent)

    def is_undirected(self, x: int, y: int) -> bool:
        """Whether x - y is an edge without direction."""
        return (min(x, y), max(x, y)) in self._undirected

    def _non_collider(self, x: int, z: int, y: int) -> bool:
        """Whether x and y are apart and known not to collide in z, unless they do so already."""
        return y not in self.adjacent[x] and triple(x, z, y) not in self._ambiguous

    # -- directing -----------------------------------------------------------------------------

    def direct(self, wants: Iterable[Want]) -> bool:
        """Carry out one round; tell whether anything was directed."""
        reasons: dict[Pair, set[str]] = defaultdict(set)
        for x, y, because in wants:
            reasons[x, y].add(because)
        changed = False
        for x, y in sorted(reasons):
            why = "; ".join(sorted(reasons[x, y]))
            if (y, x) in reasons:
                if x < y:
                    other = "; ".join(sorted(reasons[y, x]))
                    self._conflict((x, y), f"wanted in both directions: {why} / {other}")
                    self._frozen.add((x, y))
            elif y in self.parents[x]:
                by = "knowledge" if not self._rules.allows(x, y) else "stronger evidence"
                self._conflict((y, x), f"the other direction is wanted, against {by}: {why}")
            elif (min(x, y), max(x, y)) in self._undirected - self._frozen:
                self._direct(x, y)
                changed = True
        self._open_cycles()
        return changed

    def close(self, stop: _core.Stop) -> None:
        """Apply Meek's rules until they say nothing new; a round that is cut short says nothing."""
        while True:
            wants = list(self._implied(stop))
            if stop.requested() or not self.direct(wants):
                break

    def _implied(self, stop: _core.Stop) -> Iterator[Want]:
        """Yield what Meek (1995) concludes, rules R1 to R4 in the figure's naming."""
        for pair in sorted(self._undirected - self._frozen):
            if stop.requested():
                break
            for a, b in (pair, pair[::-1]):
                around, into = self.parents[a], self.parents[b]
                if any(self._non_collider(c, a, b) for c in around):
                    yield Want(a, b, "R1")
                if not into:
                    continue
                if self.children[a] & into:
                    yield Want(a, b, "R2")
                lines = {c for c in self.adjacent[a] if self.is_undirected(a, c)}
                if any(self._non_collider(c, a, d) for c, d in combinations(lines & into, 2)):
                    yield Want(a, b, "R3")
                if any(
                    self._non_collider(d, a, b) and self.children[d] & into & self.adjacent[a]
                    for d in lines - {b}
                ):
                    yield Want(a, b, "R4")

    def _direct(self, x: int, y: int) -> None:
        self._undirected.discard((min(x, y), max(x, y)))
        self.children[x].add(y)
        self.parents[y].add(x)

    def _open_cycles(self) -> None:
        """Take the direction from every arc on a directed cycle that is not there by knowledge."""
        for x, y in self._arcs_on_cycles():
            if self._rules.allows(y, x):
                self.children[x].discard(y)
                self.parents[y].discard(x)
                pair = (min(x, y), max(x, y))
                self._undirected.add(pair)
                self._frozen.add(pair)
                self._conflict((x, y), "lies on a directed cycle")

    def _arcs_on_cycles(self) -> list[Pair]:
        # Nodes that neither come first nor last can be on a cycle; an arc is, when its tail can be
        # reached from its head.
        left = {v for v in range(self.n_nodes) if self.parents[v] and self.children[v]}
        while True:
            ends = {v for v in left if not (self.parents[v] & left and self.children[v] & left)}
            if not ends:
                break
            left -= ends
        found = []
        for y in sorted(left):
            below, open_ = {y}, [y]
            while open_:
                fresh = self.children[open_.pop()] & left - below
                below |= fresh
                open_ += fresh
            found += [(x, y) for x in sorted(self.parents[y] & below)]
        return found

    def _conflict(self, nodes: tuple[int, ...], why: str) -> None:
        self.conflicts.append(Conflict(nodes, why))

    # -- leaving -------------------------------------------------------------------------------

    def unexpected_colliders(self, expected: set[Triple]) -> list[Conflict]:
        """List the v-structures that are neither expected nor ambiguous."""
        return [
            Conflict((x, z, y), "collide here, although a set with the middle node separates them")
            for x, z, y in self.unshielded()
            if {x, y} <= self.parents[z] and not {(x, z, y)} & (expected | self._ambiguous)
        ]

    def graph(self) -> _core.Pdag:
        """Return the present state."""
        arcs = [(x, y) for x in range(self.n_nodes) for y in sorted(self.children[x])]
        return _core.Pdag(self.n_nodes, arcs, sorted(self._undirected))
