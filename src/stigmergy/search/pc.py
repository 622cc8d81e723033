# SPDX-License-Identifier: MIT
"""PC: the skeleton from tests of independence, then v-structures, then Meek's rules."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar, Literal, get_args

from stigmergy import _core
from stigmergy.errors import ParameterError
from stigmergy.search.base import Run
from stigmergy.search.constraint_based import (
    ConstraintBased,
    establish,
    is_cut_short,
    until_interrupted,
)
from stigmergy.search.orientation import Orientation, Pair, Triple, Want, triple, unshielded_triples

ColliderRule = Literal["plain", "conservative", "majority"]
COLLIDER_RULES: tuple[str, ...] = get_args(ColliderRule)


@dataclass
class Skeleton:
    """The pairs that no set separates, and the sets that separate the others."""

    adjacent: list[set[int]]
    separators: dict[Pair, list[int]] = field(default_factory=dict)

    def edges(self) -> list[Pair]:
        """Return each edge once, the smaller node first."""
        return [(x, y) for x, row in enumerate(self.adjacent) for y in sorted(row) if x < y]


@dataclass(frozen=True)
class PC(ConstraintBased):
    """Find the skeleton level by level, then its v-structures, then all that these imply.

    The parameters of its tests are described at `ConstraintBased`.

    Parameters
    ----------
    colliders
        How an unshielded triple x - z - y is decided: ``"plain"``, ``"conservative"`` or
        ``"majority"``. Plain: z is a collider when the set that separated x and y does not contain
        it. Conservative: all subsets of the neighbours of x and of y are tested; a collider when z
        is in none of those that separate, no collider when in all of them. Majority: the same with
        less and more than half of them. In the other cases, and when nothing separates x and y, the
        triple is left ambiguous. PC as first published is plain; the majority rule depends on no
        order of variables, and its decisions contradict one another far less often.

    Notes
    -----
    The skeleton is that of PC-stable: neighbourhoods are taken as they were before a level, so the
    order of variables plays no part. The same holds here for the directions: v-structures are
    directed together, and so is each round of Meek's rules. An edge wanted in both directions stays
    undirected and is listed in ``details["conflicts"]``; ``details["pdag"]`` is what the tests
    establish, ``details["ambiguous"]`` the triples left open. The result's DAG is a consistent
    extension of it where one exists (``details["consistent_extension"]``).

    An iteration is one level of the skeleton, that is one size of the sets. A run that a limit or
    Ctrl-C ends before leaves the edges that were not yet removed, without directions.

    Knowledge: required edges are not tested; edges forbidden in both directions are tested only for
    the set that separates them; a variable that cannot be a parent of x is not conditioned on as a
    neighbour of x, since a set that separates x and y is among the parents of one of them. Known
    directions come first and hold; with them R4 of Meek is needed too.

    Deviations: by default v-structures follow the majority rule, which comes nearer to the truth
    than the one separating set of the publication, ``colliders="plain"``. Of several separating
    sets of a level the first in the order of sizes, then of neighbours of the first node before
    those of the second, then of names, is kept. Colombo & Maathuis write x <-> y for a conflict,
    which is no edge of a CPDAG.

    References
    ----------
    P. Spirtes, C. Glymour and R. Scheines (2000), Causation, Prediction, and Search, 2nd ed., MIT
    Press, Section 5.4.2. D. Colombo and M. H. Maathuis (2014), Order-independent constraint-based
    causal structure learning, Journal of Machine Learning Research 15, 3741-3782, Algorithms 4.1
    and Section 4. J. Ramsey, J. Zhang and P. Spirtes (2006), Adjacency-faithfulness and
    conservative causal inference, UAI-06 (the conservative rule). C. Meek (1995), Causal inference
    and causal explanation with background knowledge, UAI-95 (rules R1 to R4).
    """

    name: ClassVar[str] = "pc"

    colliders: ColliderRule = "majority"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.colliders not in COLLIDER_RULES:
            raise ParameterError(
                f"colliders must be one of {', '.join(COLLIDER_RULES)}, got {self.colliders!r}"
            )

    def search(self, run: Run) -> None:
        """PC-stable."""
        tests, largest = self.tests(run), self.largest_set(run)
        skeleton = find_skeleton(run, tests, self.alpha, largest, parents_only=True)
        colliders: set[Triple] = set()
        ambiguous: set[Triple] = set()
        with until_interrupted(run):
            if is_cut_short(run):  # a graph with most edges still in it says nothing
                pass
            elif self.colliders == "plain":
                colliders, ambiguous = plain_colliders(skeleton)
            else:
                colliders, ambiguous = self._voted_colliders(run, tests, skeleton, largest)
        orient(run, skeleton, colliders, ambiguous)

    def _voted_colliders(
        self, run: Run, tests: _core.IndependenceTests, skeleton: Skeleton, largest: int
    ) -> tuple[set[Triple], set[Triple]]:
        """Decide unshielded triples by all subsets of the neighbours that separate their ends."""
        adjacent = skeleton.adjacent
        middles: dict[Pair, list[int]] = {}
        for x, z, y in unshielded_triples(adjacent):
            middles.setdefault((x, y), []).append(z)
        pairs = sorted(middles)
        counted = _core.count_separating_sets(
            tests,
            [(x, y, sorted(adjacent[x]), sorted(adjacent[y])) for x, y in pairs],
            [middles[pair] for pair in pairs],
            0,
            largest,
            self.alpha,
            run.scorer.n_threads,
            run.stop,
        )
        colliders: set[Triple] = set()
        ambiguous: set[Triple] = set()
        for (x, y), (sets, containing) in zip(pairs, counted, strict=True):
            for z, with_z in zip(middles[x, y], containing, strict=True):
                votes = (with_z == 0, with_z == sets)
                if self.colliders == "majority":
                    votes = (2 * with_z < sets, 2 * with_z > sets)
                if votes == (True, False):
                    colliders.add((x, z, y))
                elif votes != (False, True):
                    ambiguous.add((x, z, y))
        return colliders, ambiguous


def find_skeleton(
    run: Run,
    tests: _core.IndependenceTests,
    alpha: float,
    largest: int,
    *,
    parents_only: bool,
) -> Skeleton:
    """Colombo & Maathuis (2014), Algorithm 4.1: the adjacency search of PC-stable.

    With `parents_only`, a neighbour of x that cannot be its parent is not conditioned on for x.
    """
    n_nodes, rules = run.scorer.n_nodes, run.scorer.rules
    everyone = list(combinations(range(n_nodes), 2))
    known = {frozenset(arc) for arc in rules.required_arcs()}
    apart = {(x, y) for x, y in everyone if not (rules.allows(x, y) or rules.allows(y, x))}
    skeleton = Skeleton([set() for _ in range(n_nodes)])
    adjacent, separators = skeleton.adjacent, skeleton.separators
    for x, y in everyone:
        if (x, y) not in apart:
            adjacent[x].add(y)
            adjacent[y].add(x)

    def around(x: int, y: int, size: int) -> list[int]:
        if size == 0:
            return []
        return [v for v in sorted(adjacent[x] - {y}) if not parents_only or rules.allows(v, x)]

    with until_interrupted(run):
        for level in run.iterations():
            size = level - 1
            pairs = [
                (x, y, around(x, y, size), around(y, x, size))
                for x, y in everyone
                if (y in adjacent[x] or (x, y) in apart) and frozenset((x, y)) not in known
                if (x, y) not in separators
            ]
            found = _core.find_separating_sets(
                tests, pairs, size, size, alpha, run.scorer.n_threads, run.stop
            )
            for (x, y, _, _), given in zip(pairs, found, strict=True):
                if given is not None:
                    separators[x, y] = given
                    adjacent[x].discard(y)
                    adjacent[y].discard(x)
            if size == largest or max(map(len, adjacent)) - 1 <= size:
                run.record()
                break
    return skeleton


def plain_colliders(skeleton: Skeleton) -> tuple[set[Triple], set[Triple]]:
    """Decide unshielded triples by the one set that separated their ends."""
    colliders: set[Triple] = set()
    ambiguous: set[Triple] = set()
    for x, z, y in unshielded_triples(skeleton.adjacent):
        given = skeleton.separators.get((x, y))
        if given is None:  # apart by knowledge alone
            ambiguous.add(triple(x, z, y))
        elif z not in given:
            colliders.add((x, z, y))
    return colliders, ambiguous


def orient(run: Run, skeleton: Skeleton, colliders: set[Triple], ambiguous: set[Triple]) -> None:
    """Direct the v-structures and what follows from them; keep what is established and how."""
    names = run.scorer.names
    graph = Orientation(run.scorer.n_nodes, skeleton.edges(), run.scorer.rules, ambiguous)
    conflicts = graph.conflicts
    with until_interrupted(run):
        if not is_cut_short(run):
            graph.direct(
                Want(end, z, f"v-structure {' '.join(names[v] for v in (x, z, y))}")
                for x, z, y in sorted(colliders)
                for end in (x, y)
            )
            graph.close(run.stop)
            conflicts = conflicts + graph.unexpected_colliders(colliders)
    establish(run, graph.graph(), conflicts)
    run.details["ambiguous"] = [[names[v] for v in t] for t in sorted(ambiguous)]
    run.details["separators"] = {
        f"{names[x]}, {names[y]}": [names[v] for v in given]
        for (x, y), given in sorted(skeleton.separators.items())
    }
    run.record()
