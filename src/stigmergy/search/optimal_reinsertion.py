# SPDX-License-Identifier: MIT
"""OR: optimal reinsertion."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search, improves
from stigmergy.search.dag_space import check_count, check_has_end, random_walk, start_dag


@dataclass(frozen=True)
class OptimalReinsertion(Search):
    """Cut a node out of the DAG, put it back with the best parents and children, node after node.

    Parameters
    ----------
    k
        At most so many parents of a node; never more than the scorer allows. The published
        comparisons use 5, 10 and 20.
    restarts
        How often to begin again from a random DAG when no node moves any more; None goes on until
        the budget ends (the published OR1 and OR2 are runs with a time limit).
    max_sets
        The parent sets of a node are listed in full as long as one more parent asks for at most so
        many families; beyond that only the best are extended, and only while that brings sets
        better than all their subsets.

    Notes
    -----
    For given parents P of a node, every node outside P that is no ancestor of P may become a child,
    and the gains of children add up, so only P is searched: by falling score, until not even all
    gains together could lift a set above the best. A set with a subset of at least its score is
    never needed. An iteration is one pass over all nodes in random order; the passes end when one
    changes nothing.

    Deviation: for many variables and parents the reference prunes its enumeration by bounds that it
    computes from the data; here `max_sets` bounds it. The present parents with one more or less are
    always looked at too, so the result is a local maximum of arc additions, deletions and
    reversals as well.

    References
    ----------
    A. Moore and W.-K. Wong (2003), "Optimal reinsertion: a new search operator for accelerated and
    more accurate Bayesian network structure learning", International Conference on Machine Learning
    20, 552-559.
    """

    name: ClassVar[str] = "or"

    k: int = 5
    restarts: int | None = 0
    max_sets: int = 1000

    def __post_init__(self) -> None:
        check_count("k", self.k, 1)
        check_count("restarts", self.restarts, or_none=True)
        check_count("max_sets", self.max_sets, 1)

    def search(self, run: Run) -> None:
        """Reinsert every node, pass after pass, until none moves."""
        check_has_end(run, "restarts", self.restarts)
        scorer = run.scorer
        start = start_dag(run)
        run.propose_dag(start, _core.score_of_class(start, scorer.core))
        operator = _core.Reinsertion(scorer.core, scorer.rules, self.k, self.max_sets)
        for restart in count() if self.restarts is None else range(self.restarts + 1):
            dag = start
            if restart > 0:
                dag = random_walk(run, start, scorer.n_nodes, restart)
            self._passes(run, operator, dag)
            if run.should_stop():
                break

    def _passes(self, run: Run, operator: _core.Reinsertion, dag: _core.Pdag) -> None:
        for t in run.iterations():
            changed = False
            targets = shuffled(run.scorer.n_nodes, run.seed, t)
            threads = run.scorer.n_threads
            for i, target in enumerate(targets):
                if i % threads == 0:  # their lists, where this is the first pass
                    operator.prepare(targets[i : i + threads], threads, run.stop)
                if run.stop.requested():
                    break
                dag, gain = operator.reinsert(dag, target)
                changed = changed or improves(gain, 0.0)
            run.propose_dag(dag, _core.score_of_class(dag, run.scorer.core))
            if not changed:
                break


def shuffled(n: int, seed: int, stream: int) -> list[int]:
    """Return 0 .. n-1 in an order drawn from a stream of the seed (Fisher & Yates)."""
    order = list(range(n))
    random = _core.Random.stream(seed, stream, 1)
    for last in range(n - 1, 0, -1):
        chosen = random.below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order
