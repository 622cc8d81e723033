# SPDX-License-Identifier: MIT
"""Hill climbing over DAGs, with or without random restarts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search, improves
from stigmergy.search.dag_space import (
    arc_moves,
    check_count,
    check_has_end,
    random_walk,
    start_dag,
)


@dataclass(frozen=True)
class HillClimbing(Search):
    """Make the best addition, deletion or reversal of an arc until none improves the score.

    Parameters
    ----------
    restarts
        How often to climb again from a random DAG; None goes on until the budget ends.

    Notes
    -----
    An iteration is one move. Of the moves whose gains are within 1e-6 of the greatest the first
    counts, in the order additions, deletions, reversals, then by the names of tail and head. A
    restart begins where as many random legal moves as there are variables lead from the start. The
    first climb and restart k draw nothing in common: each has a random stream of its own.

    A move changes the families of one or two children, so only the gains of these are computed
    again, in one pass over the data each: O(n) families a move after O(n^2) for the first.

    References
    ----------
    D. Heckerman, D. Geiger and D. M. Chickering (1995), "Learning Bayesian networks: the
    combination of knowledge and statistical data", Machine Learning 20, 197-243, Section 7 (local
    search). It is GS in I. Tsamardinos, L. E. Brown and C. F. Aliferis (2006), "The max-min
    hill-climbing Bayesian network structure learning algorithm", Machine Learning 65, 31-78.
    """

    name: ClassVar[str] = "hc"

    restarts: int | None = 0

    def __post_init__(self) -> None:
        check_count("restarts", self.restarts, or_none=True)

    def search(self, run: Run) -> None:
        """Climb from the start, then from random DAGs."""
        check_has_end(run, "restarts", self.restarts)
        start = start_dag(run)
        for restart in count() if self.restarts is None else range(self.restarts + 1):
            dag = start
            if restart > 0:
                dag = random_walk(run, start, run.scorer.n_nodes, restart)
            self._climb(run, dag)
            if run.should_stop():
                break

    def _climb(self, run: Run, dag: _core.Pdag) -> None:
        moves = arc_moves(run, dag)
        run.propose_dag(moves.dag, moves.score)
        for _ in run.iterations():
            best = moves.best()
            if best is None:
                break
            move, gain = best
            if not improves(gain, 0.0):
                break
            moves.apply(move, run.stop)
            run.propose_dag(moves.dag, moves.score)
