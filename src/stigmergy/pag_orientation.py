# SPDX-License-Identifier: MIT
"""Zhang's orientation rules for graphs whose edges end in circles, arrowheads and tails.

As in `stigmergy.search.orientation`, the marks wanted by a round of rules are carried out together,
so no order of nodes plays a part; an end of which both an arrowhead and a tail are wanted keeps its
circle and is listed as a conflict.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from stigmergy import _core

CIRCLE, ARROW, TAIL = "o", ">", "-"


class WantedMark(NamedTuple):
    """The wish for `mark` at y on the edge of x and y, and what makes it."""

    x: int
    y: int
    mark: str
    because: str


class PagOrientation:
    """A partial ancestral graph in the making.

    Parameters
    ----------
    n_nodes
        The nodes are 0 .. n_nodes - 1.
    edges
        The skeleton; all ends are circles.
    in_separator
        ``in_separator(z, x, y)``: whether the set that separates x and y contains z; None when no
        such set is known.
    stop
        When it is requested, `close` ends; a round of rules that is cut short says nothing.
    """

    def __init__(
        self,
        n_nodes: int,
        edges: Iterable[tuple[int, int]],
        in_separator: Callable[[int, int, int], bool | None],
        stop: _core.Stop | None = None,
    ) -> None:
        self.n_nodes = n_nodes
        #: marks[x][y] is the mark at y on the edge of x and y.
        self.marks: list[dict[int, str]] = [{} for _ in range(n_nodes)]
        self.conflicts: list[tuple[int, int, str]] = []
        self._frozen: set[tuple[int, int]] = set()
        self._in_separator = in_separator
        self._stop = stop or _core.Stop()
        for x, y in edges:
            self.marks[x][y] = self.marks[y][x] = CIRCLE

    # -- looking: "x *-> y" is an arrowhead at y, whatever is at x ------------------------------

    def adjacent(self, x: int, y: int) -> bool:
        """Whether x and y are joined."""
        return y in self.marks[x]

    def has(self, x: int, y: int, at_x: str, at_y: str) -> bool:
        """Whether x and y are joined with a mark at x among `at_x` and one at y among `at_y`."""
        return y in self.marks[x] and self.marks[x][y] in at_y and self.marks[y][x] in at_x

    def is_parent(self, x: int, y: int) -> bool:
        """Whether x --> y."""
        return self.has(x, y, TAIL, ARROW)

    def into(self, x: int, y: int) -> bool:
        """Whether x *-> y."""
        return self.marks[x].get(y) == ARROW

    def circle_at(self, y: int, x: int) -> bool:
        """Whether y o-* x."""
        return self.marks[x].get(y) == CIRCLE

    def unshielded(self) -> Iterator[tuple[int, int, int]]:
        """Yield each x *-* z *-* y with x and y apart, as (x, z, y) with x < y."""
        for z, row in enumerate(self.marks):
            for x in sorted(row):
                apart = row.keys() - self.marks[x].keys()
                yield from ((x, z, y) for y in sorted(apart) if x < y)

    # -- marking -------------------------------------------------------------------------------

    def mark(self, wants: Iterable[WantedMark]) -> bool:
        """Carry out one round; tell whether a mark was set."""
        reasons: dict[tuple[int, int], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for x, y, wanted, because in wants:
            reasons[x, y][wanted].add(because)
        changed = False
        for x, y in sorted(reasons):
            wanted_here = reasons[x, y]
            present = self.marks[x][y]
            if len(wanted_here) == 2:
                if present == CIRCLE and (x, y) not in self._frozen:
                    self._frozen.add((x, y))
                    why = " / ".join(f"{m} by {sorted(b)}" for m, b in sorted(wanted_here.items()))
                    self.conflicts.append((x, y, f"two marks wanted at the second: {why}"))
                continue
            ((wanted, because_of),) = wanted_here.items()
            if present == CIRCLE and (x, y) not in self._frozen:
                self.marks[x][y] = wanted
                changed = True
            elif present not in (CIRCLE, wanted):
                why = f"{wanted} wanted at the second, which is {present}: {sorted(because_of)}"
                if (x, y, why) not in self.conflicts:
                    self.conflicts.append((x, y, why))
        return changed

    def collide(self) -> None:
        """Carry out R0: unshielded triples whose middle is in no separating set collide."""
        self.mark(
            WantedMark(end, z, ARROW, "R0")
            for x, z, y in self.unshielded()
            if self._in_separator(z, x, y) is False
            for end in (x, y)
        )

    def close(self) -> None:
        """Apply R1 to R10 until they say nothing new, in the order of Zhang (2008, Section 3)."""
        for rules in (
            (self._r1, self._r2, self._r3, self._r4),
            (self._r5,),
            (self._r6, self._r7),
            (self._r8, self._r9, self._r10),
        ):
            while True:
                wants = [want for rule in rules for want in rule()]
                if self._stop.requested() or not self.mark(wants):
                    break

    # -- the rules, in Zhang's letters ------------------------------------------------------------

    def _r1(self) -> Iterator[WantedMark]:
        """Yield b -> c for a *-> b o-* c with a and c apart."""
        for a, b in self._ends():
            if self.into(a, b):
                for c in self.marks[b]:
                    if c != a and self.circle_at(b, c) and not self.adjacent(a, c):
                        yield WantedMark(c, b, TAIL, "R1")
                        yield WantedMark(b, c, ARROW, "R1")

    def _r2(self) -> Iterator[WantedMark]:
        """Yield a *-> c for a -> b *-> c or a *-> b -> c, and a *-o c."""
        for a, c in self._ends():
            if self.marks[a][c] == CIRCLE and any(
                self.into(a, b)
                and self.into(b, c)
                and (self.is_parent(a, b) or self.is_parent(b, c))
                for b in self.marks[a]
            ):
                yield WantedMark(a, c, ARROW, "R2")

    def _r3(self) -> Iterator[WantedMark]:
        """Yield d *-> b for a *-> b <-* c, a *-o d o-* c, a and c apart, and d *-o b."""
        for d, b in self._ends():
            if self.marks[d][b] == CIRCLE:
                ends = [a for a in self.marks[b] if self.into(a, b) and self.circle_at(d, a)]
                if any(not self.adjacent(a, c) for a, c in combinations(ends, 2)):
                    yield WantedMark(d, b, ARROW, "R3")

    def _r4(self) -> Iterator[WantedMark]:
        """Decide b on discriminating paths w .. a *-* b o-* c by the set that separates w and c."""
        for b in range(self.n_nodes):
            for c in self.marks[b]:
                if self._stop.requested():
                    return
                if not self.circle_at(b, c):
                    continue
                for a in self.marks[b]:
                    if not (self.is_parent(a, c) and self.into(b, a)):
                        continue
                    for w in self._discriminating_ends(a, b, c):
                        inside = self._in_separator(b, w, c)
                        if inside is None:
                            continue
                        yield WantedMark(b, c, ARROW, "R4")
                        if inside:
                            yield WantedMark(c, b, TAIL, "R4")
                        else:
                            yield WantedMark(c, b, ARROW, "R4")
                            yield WantedMark(a, b, ARROW, "R4")

    def _discriminating_ends(self, a: int, b: int, c: int) -> Iterator[int]:
        """Yield each w such that w *-> .. <-> a <-* b *-* c is a discriminating path for b."""
        seen, open_ = {a, b, c}, deque([a])
        while open_:
            v = open_.popleft()
            for w in sorted(self.marks[v]):
                if w in seen or not self.into(w, v):
                    continue
                seen.add(w)
                if not self.adjacent(w, c):
                    yield w
                elif self.is_parent(w, c) and self.into(v, w):
                    open_.append(w)

    def _r5(self) -> Iterator[WantedMark]:
        """Yield --- for a o-o b and uncovered a o-o g .. t o-o b; a, t and g, b apart."""

        def circle_edge(x: int, y: int) -> bool:
            return self.has(x, y, CIRCLE, CIRCLE)

        for a, b in self._ends():
            if a > b or not circle_edge(a, b):
                continue
            for g in sorted(self.marks[a]):
                if g == b or not circle_edge(a, g) or self.adjacent(g, b):
                    continue
                for path in self._uncovered_paths(a, g, circle_edge):
                    if path[-1] == b and not self.adjacent(path[-2], a):
                        for x, y in [(a, b), *pairwise(path)]:
                            yield WantedMark(x, y, TAIL, "R5")
                            yield WantedMark(y, x, TAIL, "R5")
                        break

    def _r6(self) -> Iterator[WantedMark]:
        """Yield b -* c for a - b o-* c."""
        for b in range(self.n_nodes):
            if any(self.has(a, b, TAIL, TAIL) for a in self.marks[b]):
                for c in self.marks[b]:
                    if self.circle_at(b, c):
                        yield WantedMark(c, b, TAIL, "R6")

    def _r7(self) -> Iterator[WantedMark]:
        """Yield b -* c for a -o b o-* c with a and c apart."""
        for a, b in self._ends():
            if self.has(a, b, TAIL, CIRCLE):
                for c in self.marks[b]:
                    if c != a and self.circle_at(b, c) and not self.adjacent(a, c):
                        yield WantedMark(c, b, TAIL, "R7")

    def _r8(self) -> Iterator[WantedMark]:
        """Yield a -> c for a -> b -> c or a -o b -> c, and a o-> c."""
        for a, c in self._half_directed():
            if any(
                self.has(a, b, TAIL, ARROW + CIRCLE) and self.is_parent(b, c) for b in self.marks[a]
            ):
                yield WantedMark(c, a, TAIL, "R8")

    def _r9(self) -> Iterator[WantedMark]:
        """Yield a -> c for a o-> c and an uncovered p.d. path a, b .. c with b and c apart."""
        for a, c in self._half_directed():
            if any(
                c in self._reached(a, b)
                for b in sorted(self.marks[a])
                if b != c and not self.adjacent(b, c)
            ):
                yield WantedMark(c, a, TAIL, "R9")

    def _r10(self) -> Iterator[WantedMark]:
        """Yield a -> c for a o-> c, b -> c <- d and uncovered p.d. paths a, m .. b and a, w .. d.

        m and w are different and apart; m may be b, and w may be d.
        """
        for a, c in self._half_directed():
            parents = {b for b in self.marks[c] if self.is_parent(b, c) and b != a}
            leads = {
                m: (self._reached(a, m) | {m}) & parents
                for m in sorted(self.marks[a])
                if m != c and self._possibly_directed(a, m)
            }
            if any(
                len(leads[m] | leads[w]) > 1 and leads[m] and leads[w]
                for m, w in combinations(leads, 2)
                if not self.adjacent(m, w)
            ):
                yield WantedMark(c, a, TAIL, "R10")

    # -- paths -----------------------------------------------------------------------------------

    def _ends(self) -> Iterator[tuple[int, int]]:
        for x in range(self.n_nodes):
            for y in sorted(self.marks[x]):
                if self._stop.requested():
                    return
                yield x, y

    def _half_directed(self) -> Iterator[tuple[int, int]]:
        for a, c in self._ends():
            if self.has(a, c, CIRCLE, ARROW):
                yield a, c

    def _possibly_directed(self, x: int, y: int) -> bool:
        return self.has(x, y, TAIL + CIRCLE, ARROW + CIRCLE)

    def _reached(self, a: int, m: int) -> set[int]:
        """Return where uncovered possibly directed paths lead that begin with a, m."""
        if not self._possibly_directed(a, m):
            return set()
        return {path[-1] for path in self._uncovered_paths(a, m, self._possibly_directed)}

    def _uncovered_paths(
        self, a: int, m: int, edge: Callable[[int, int], bool]
    ) -> Iterator[tuple[int, ...]]:
        """Yield a shortest path a, m .. u, v for each last step (u, v) there can be.

        A path is uncovered when no node on it is adjacent to the next but one.
        """
        seen = {(a, m)}
        paths: deque[tuple[int, ...]] = deque([(a, m)])
        while paths:
            path = paths.popleft()
            if self._stop.requested():
                return
            u, v = path[-2:]
            for w in sorted(self.marks[v]):
                if (v, w) in seen or w in path or self.adjacent(u, w) or not edge(v, w):
                    continue
                seen.add((v, w))
                paths.append((*path, w))
                yield (*path, w)

    def possible_d_sep(self, x: int) -> set[int]:
        """Return Possible-D-SEP(x): Spirtes, Glymour & Scheines (2000), Section 6.5.

        The nodes at the end of a path from x on which each inner node collides or has neighbours on
        the path that are joined.
        """
        seen = {(x, v) for v in self.marks[x]}
        steps = deque(sorted(seen))
        while steps:
            u, v = steps.popleft()
            for w in sorted(self.marks[v]):
                if w in (u, x) or (v, w) in seen:
                    continue
                if self.adjacent(u, w) or (self.into(u, v) and self.into(w, v)):
                    seen.add((v, w))
                    steps.append((v, w))
        return {v for _, v in seen}
