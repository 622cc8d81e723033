# SPDX-License-Identifier: MIT
"""FCI: what tests of independence tell when causes may be hidden and rows selected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.pag import pag_of
from stigmergy.pag_orientation import ARROW, CIRCLE, TAIL, PagOrientation, WantedMark
from stigmergy.search.base import Run
from stigmergy.search.constraint_based import (
    ConstraintBased,
    establish,
    is_cut_short,
    until_interrupted,
)
from stigmergy.search.orientation import Conflict, Orientation, Pair, Want
from stigmergy.search.pc import Skeleton, find_skeleton


@dataclass(frozen=True)
class FCI(ConstraintBased):
    """Find the partial ancestral graph of the variables, some of whose causes may be hidden.

    The other parameters of its tests are described at `ConstraintBased`.

    Parameters
    ----------
    max_conditioning
        The largest set that is conditioned on; None is no limit. It bounds the sets from
        Possible-D-SEP too, of which there can be very many.

    Notes
    -----
    The answer is ``result.pag``. The result's `pdag` has its directed edges, ``-->`` and ``o->``,
    and leaves the other ones undirected; its DAG is one over the observed variables only, as good
    as there is. An edge ``<->`` (a common cause outside of the data) or ``---`` (selected rows)
    stands in ``details["conflicts"]``, since no DAG over these variables has it.

    Of Possible-D-SEP of x only the nodes on paths between x and y are looked at for y, those of the
    biconnected component of the edge; others are never needed to separate the two.

    Order of variables plays no part: neighbourhoods are those before a level, Possible-D-SEP is
    computed once, and each round of rules is carried out as a whole. A run that a limit or Ctrl-C
    ends before leaves the edges that were not yet removed, with circles at their ends.

    Knowledge: a required x -> y is ``x --> y``, a forbidden x -> y an arrowhead at x; where both
    directions are forbidden there is no edge. So "forbidden" is taken as "x is no ancestor of y",
    which is what tiers mean; in other searches it speaks of the arc alone.

    References
    ----------
    P. Spirtes, C. Meek and T. Richardson (1995), Causal inference in the presence of latent
    variables and selection bias, UAI-95. P. Spirtes, C. Glymour and R. Scheines (2000), Causation,
    Prediction, and Search, 2nd ed., Section 6.7. J. Zhang (2008), On the completeness of
    orientation rules for causal discovery in the presence of latent confounders and selection bias,
    Artificial Intelligence 172, 1873-1896 (R0 to R10). D. Colombo, M. H. Maathuis, M. Kalisch and
    T. S. Richardson (2012), Learning high-dimensional directed acyclic graphs with latent and
    selection variables, Annals of Statistics 40, 294-321, Algorithms 3.1 to 3.3.
    """

    name: ClassVar[str] = "fci"

    def search(self, run: Run) -> None:
        """FCI."""
        tests, largest = self.tests(run), self.largest_set(run)
        skeleton = find_skeleton(run, tests, self.alpha, largest, parents_only=False)
        with until_interrupted(run):
            self._thin_by_possible_d_sep(run, tests, skeleton, largest)
        graph = ends(run, skeleton)
        with until_interrupted(run):
            if not is_cut_short(run):
                graph.collide()
                graph.close()

        names = run.scorer.names
        run.details["pag"] = pag_of(graph, names).to_dict()
        conflicts = [Conflict((x, y), why) for x, y, why in graph.conflicts]
        for x, y in skeleton.edges():
            if graph.has(x, y, ARROW, ARROW):
                conflicts.append(Conflict((x, y), "a common cause is not in the data (<->)"))
            if graph.has(x, y, TAIL, TAIL):
                conflicts.append(Conflict((x, y), "rows were selected by an effect (---)"))
        directed = Orientation(run.scorer.n_nodes, skeleton.edges(), run.scorer.rules)
        directed.direct(
            Want(x, y, "PAG")
            for x, row in enumerate(graph.marks)
            for y in row
            if graph.has(x, y, TAIL + CIRCLE, ARROW)
        )
        establish(run, directed.graph(), conflicts + directed.conflicts)
        run.record()

    def _thin_by_possible_d_sep(
        self, run: Run, tests: _core.IndependenceTests, skeleton: Skeleton, largest: int
    ) -> None:
        """Remove edges that a set from Possible-D-SEP explains (Colombo et al., Algorithm 3.2)."""
        if is_cut_short(run):
            return
        graph = ends(run, skeleton)
        graph.collide()
        near = []
        for x in range(run.scorer.n_nodes):
            if run.stop.requested():
                return
            near.append(graph.possible_d_sep(x))
        required = {frozenset(arc) for arc in run.scorer.rules.required_arcs()}
        between = blocks(skeleton.adjacent)
        pairs = []
        for x, y in skeleton.edges():
            if frozenset((x, y)) not in required:
                others = between[x, y] - {x, y}
                pairs.append((x, y, sorted(near[x] & others), sorted(near[y] & others)))
        found = _core.find_separating_sets(
            tests, pairs, 1, largest, self.alpha, run.scorer.n_threads, run.stop
        )
        for (x, y, _, _), given in zip(pairs, found, strict=True):
            if given is not None:
                skeleton.separators[x, y] = given
                skeleton.adjacent[x].discard(y)
                skeleton.adjacent[y].discard(x)
        run.should_stop()


def ends(run: Run, skeleton: Skeleton) -> PagOrientation:
    """Return the skeleton with circles at all ends, but for what is known."""
    rules = run.scorer.rules

    def in_separator(z: int, x: int, y: int) -> bool | None:
        given = skeleton.separators.get((min(x, y), max(x, y)))
        return None if given is None else z in given

    graph = PagOrientation(run.scorer.n_nodes, skeleton.edges(), in_separator, run.stop)
    known = []
    for x, row in enumerate(skeleton.adjacent):
        for y in row:
            if rules.requires_arc(x, y):
                known += [WantedMark(x, y, ARROW, "required"), WantedMark(y, x, TAIL, "required")]
            elif not rules.allows(x, y) and not rules.requires_arc(y, x):
                known.append(WantedMark(y, x, ARROW, "forbidden"))
    graph.mark(known)
    return graph


def blocks(adjacent: list[set[int]]) -> dict[Pair, set[int]]:
    """Return for each edge (x, y), x < y, the nodes on paths that visit no node twice between them.

    They are the edge's biconnected component: J. Hopcroft and R. Tarjan (1973), Algorithm 447:
    efficient algorithms for graph manipulation, Communications of the ACM 16, 372-378.
    """
    found: dict[Pair, set[int]] = {}
    order: dict[int, int] = {}
    low: dict[int, int] = {}  # the first node that is reached from below
    edges: list[Pair] = []
    for root in range(len(adjacent)):
        if root in order:
            continue
        order[root] = low[root] = len(order)
        path = [(root, root, iter(sorted(adjacent[root])))]
        while path:
            v, above, rest = path[-1]
            w = next(rest, None)
            if w is None:
                path.pop()
                low[above] = min(low[above], low[v])
                if v != root and low[v] >= order[above]:
                    first = edges.index((above, v))
                    nodes = {end for edge in edges[first:] for end in edge}
                    found.update({(min(edge), max(edge)): nodes for edge in edges[first:]})
                    del edges[first:]
            elif w not in order:
                order[w] = low[w] = len(order)
                edges.append((v, w))
                path.append((w, v, iter(sorted(adjacent[w]))))
            elif w != above and order[w] < order[v]:
                edges.append((v, w))
                low[v] = min(low[v], order[w])
    return found
