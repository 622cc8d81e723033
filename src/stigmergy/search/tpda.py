# SPDX-License-Identifier: MIT
"""TPDA: a skeleton drafted, thickened and thinned by conditional mutual information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import ClassVar

from stigmergy.checks import is_number
from stigmergy.errors import ParameterError
from stigmergy.search.base import Run, Search
from stigmergy.search.constraint_based import is_cut_short, until_interrupted
from stigmergy.search.orientation import Pair
from stigmergy.search.pc import Skeleton, orient, plain_colliders

# Two values of the mutual information that differ by less are taken as equal.
ROUNDING = 1e-12


@dataclass(frozen=True)
class TPDA(Search):
    """Draft a tree by mutual information, add the edges that it lacks, take away those too many.

    Parameters
    ----------
    threshold
        Two variables are taken as independent given a set when their conditional mutual information
        (in nats) is not above it.

    Notes
    -----
    An iteration is one of three phases, with the current graph G and I for mutual information:

    1. Drafting: pairs with I(X; Y) above the threshold, the strongest first, are joined unless G
       has a path between them already.
    2. Thickening: the other pairs, in the same order, are joined if G needs the edge: if the
       procedure A below cannot separate them.
    3. Thinning: each edge whose ends have another path between them is taken out for a moment, and
       for good if it is not needed: first by the procedure A for all edges, then by B.

    A tries to separate X and Y by the neighbours of X that lie on a path from X to Y, or by those
    of Y, the smaller set first. It descends: while the set does not separate, the node whose
    absence leaves the least I(X; Y | rest) is left out, unless each absence raises it. B does the
    same with the smaller of two larger sets, the neighbours on paths and their neighbours on paths.
    A is an approximation, since too few neighbours may be there yet. That B is right, and with
    O(n^4) values where PC may need exponentially many, rests on the assumption of monotone
    faithfulness: I never grows when fewer paths are active. Chickering & Meek (2003) show that it
    contradicts faithfulness for nearly all graphs; then edges are kept, or taken out, wrongly even
    with the true distribution. Known to be safe are graphs with at most one path between any two
    nodes.

    Directions are found as in `PC` from the sets that separated, and conflicts, the established
    graph and its consistent extension are in `details` in the same way. ``details["phases"]`` has
    the edges after each phase.

    Knowledge: required edges are there from the beginning and stay; pairs that cannot be joined are
    looked at in the second phase only for a set that separates them; a variable that cannot be a
    parent of X is not used as a neighbour of X in A (known children, in the report's words).

    The cost is that of the tables: with n variables and e edges n^2 / 2 of them in the first phase,
    and for each pair or edge looked at later at most the square of its number of neighbours.

    Deviations: B is asked about all edges on cycles, where the publication leaves out those whose
    ends have few neighbours. In the report that came before it, B leaves out several nodes at a
    time, all whose absence does not raise I; two nodes that block one path would both go. Meek's
    rules are applied in full; the publication's two, that no new v-structure and no cycle come up,
    are R1 and R2. Ties are broken by names. Where no set was found because a pair cannot be joined,
    its triples are left ambiguous. What is independent is found by a threshold alone; the p-value
    plays no part.

    References
    ----------
    J. Cheng, R. Greiner, J. Kelly, D. Bell and W. Liu (2002), Learning Bayesian networks from data:
    an information-theory based approach, Artificial Intelligence 137, 43-90, Section 4 (TPDA with
    its subroutines EdgeNeeded_H, EdgeNeeded and OrientEdges). J. Cheng, D. Bell and W. Liu (1997),
    Learning belief networks from data: an information theory based approach, CIKM '97, 325-331 (the
    procedures A and B). D. M. Chickering and C. Meek (2003), Monotone DAG faithfulness: a bad
    assumption, Technical Report MSR-TR-2003-16, Microsoft Research.
    """

    name: ClassVar[str] = "tpda"
    uses_score: ClassVar[bool] = False

    threshold: float = 0.01

    def __post_init__(self) -> None:
        if not is_number(self.threshold) or not 0 <= self.threshold < inf:
            raise ParameterError(f"threshold must be a finite number >= 0, got {self.threshold!r}")

    def search(self, run: Run) -> None:
        """TPDA."""
        state = ThreePhases(run, self.threshold)
        phases = [
            ("drafting", state.draft),
            ("thickening", state.thicken),
            ("thinning", state.thin),
        ]
        names = run.scorer.names
        edges_after = run.details["phases"] = {}
        with until_interrupted(run):
            for _ in run.iterations():
                name, phase = phases.pop(0)
                phase()
                edges_after[name] = [[names[x], names[y]] for x, y in state.skeleton.edges()]
                if not phases:
                    run.record()
                    break
        decided = (set(), set()) if is_cut_short(run) else plain_colliders(state.skeleton)
        orient(run, state.skeleton, *decided)


class ThreePhases:
    """The skeleton in the making."""

    def __init__(self, run: Run, threshold: float) -> None:
        scorer = run.scorer
        self.skeleton = Skeleton([set() for _ in range(scorer.n_nodes)])
        self._run = run
        self._threshold = threshold
        self._rules = scorer.rules
        self._tests = scorer.independence.tests("mi")
        self._required = {(min(arc), max(arc)) for arc in scorer.rules.required_arcs()}
        #: The edges in the order in which they came, and the pairs that thickening will look at.
        self._edges: list[Pair] = []
        self._rest: list[Pair] = []
        for pair in sorted(self._required):
            self._add(*pair)

    # -- the phases ----------------------------------------------------------------------------

    def draft(self) -> None:
        """Phase I."""
        pairs = list(combinations(range(len(self.skeleton.adjacent)), 2))
        information = self._information([(x, y, []) for x, y in pairs])
        strength = dict(zip(pairs, information, strict=True))
        for pair in sorted(pairs, key=lambda pair: (-strength[pair], pair)):
            if pair in self._required:
                continue
            if strength[pair] <= self._threshold:
                self.skeleton.separators[pair] = []
            elif self._joinable(*pair) and pair[1] not in self._reached(*pair):
                self._add(*pair)
            else:
                self._rest.append(pair)

    def thicken(self) -> None:
        """Phase II."""
        for x, y in self._rest:
            if self._run.should_stop():
                break
            if self._is_needed(x, y, self._neighbours_on_paths(x, y)) and self._joinable(x, y):
                self._add(x, y)

    def thin(self) -> None:
        """Phase III."""
        for sets in (self._neighbours_on_paths, self._wider_set_on_paths):
            for x, y in self._edges:
                if (x, y) in self._required or y not in self.skeleton.adjacent[x]:
                    continue
                if self._run.should_stop():
                    return
                self._part(x, y)
                if y not in self._reached(x, y) or self._is_needed(x, y, sets(x, y)):
                    self._join(x, y)

    # -- is an edge needed? --------------------------------------------------------------------

    def _is_needed(self, x: int, y: int, sets: Iterator[list[int]]) -> bool:
        """EdgeNeeded: whether none of the sets, when descended from, separates x and y."""
        for condition in sets:
            separator = self._descend(x, y, condition)
            if separator is not None:
                self.skeleton.separators[x, y] = separator
                return False
        return True

    def _descend(self, x: int, y: int, condition: list[int]) -> list[int] | None:
        """Leave nodes out of a set as long as x and y do not become more dependent by it."""
        (value,) = self._information([(x, y, condition)])
        while value > self._threshold:
            if len(condition) < 2:
                return None
            smaller = [[v for v in condition if v != out] for out in condition]
            values = self._information([(x, y, rest) for rest in smaller])
            least = min(range(len(values)), key=lambda i: (values[i], i))
            if values[least] > value + ROUNDING:
                return None
            value, condition = values[least], smaller[least]
        return condition

    def _neighbours_on_paths(self, x: int, y: int) -> Iterator[list[int]]:
        """Procedure A, or EdgeNeeded_H: S_X and S_Y, the smaller first."""
        sets = [
            sorted(v for v in self._beside(a, b) if self._rules.allows(v, a))
            for a, b in ((x, y), (y, x))
        ]
        yield min(sets, key=len)
        if sets[0] != sets[1]:
            yield max(reversed(sets), key=len)

    def _wider_set_on_paths(self, x: int, y: int) -> Iterator[list[int]]:
        """Procedure B, or EdgeNeeded: the smaller of S_X with S_X' and S_Y with S_Y'."""
        adjacent, on_paths = self.skeleton.adjacent, self._on_paths(x, y)
        wide = []
        for a, b in ((x, y), (y, x)):
            near = self._beside(a, b)
            next_to_near = {w for v in near for w in adjacent[v] & on_paths}
            wide.append(sorted((near | next_to_near) - {x, y}))
        yield min(wide, key=len)

    # -- paths in the current graph, which does not join x and y ----------------------------------

    def _reached(self, x: int, y: int, without: int | None = None) -> set[int]:
        """Return what paths from x lead to; all of it, or at least y."""
        found, open_ = {x}, [x]
        while open_ and y not in found:
            fresh = self.skeleton.adjacent[open_.pop()] - found - {without}
            found |= fresh
            open_ += fresh
        return found

    def _beside(self, x: int, y: int) -> set[int]:
        """Return the neighbours of x that lie on a path from x to y."""
        from_y = self._reached(y, x, without=x)
        return self.skeleton.adjacent[x] & from_y

    def _on_paths(self, x: int, y: int) -> set[int]:
        """Return the nodes on paths (that visit no node twice) between x and y, ends included.

        With x and y joined this would be the block that contains the edge, and a block is made of
        ears: paths whose ends are two different nodes already there.
        """
        block = {x, y}
        ear: list[int] | None = []
        while ear is not None:
            ear = next((e for v in sorted(block) if (e := self._ear(block, v))), None)
            block.update(ear or [])
        return block

    def _ear(self, block: set[int], start: int) -> list[int] | None:
        """Return the inner nodes of a path outside of the block from `start` to another of it."""
        came_from = dict.fromkeys(sorted(self.skeleton.adjacent[start] - block), start)
        open_ = list(came_from)
        while open_:
            v = open_.pop()
            if self.skeleton.adjacent[v] & block - {start}:
                ear = [v]
                while came_from[ear[-1]] != start:
                    ear.append(came_from[ear[-1]])
                return ear
            fresh = sorted(self.skeleton.adjacent[v] - block - came_from.keys())
            came_from.update(dict.fromkeys(fresh, v))
            open_ += fresh
        return None

    # -- small things --------------------------------------------------------------------------

    def _information(self, queries: list[tuple[int, int, list[int]]]) -> list[float]:
        """Return I(x; y | set) for each query."""
        outcomes = self._tests.test_all(queries, self._run.scorer.n_threads)
        return [statistic for statistic, *_ in outcomes]

    def _joinable(self, x: int, y: int) -> bool:
        return self._rules.allows(x, y) or self._rules.allows(y, x)

    def _add(self, x: int, y: int) -> None:
        self._edges.append((x, y))
        self._join(x, y)

    def _join(self, x: int, y: int) -> None:
        self.skeleton.adjacent[x].add(y)
        self.skeleton.adjacent[y].add(x)

    def _part(self, x: int, y: int) -> None:
        self.skeleton.adjacent[x].discard(y)
        self.skeleton.adjacent[y].discard(x)
