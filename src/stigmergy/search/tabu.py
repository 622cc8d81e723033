# SPDX-License-Identifier: MIT
"""Tabu search over DAGs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search, improves
from stigmergy.search.dag_space import arc_moves, check_count, start_dag


@dataclass(frozen=True)
class Tabu(Search):
    """Make the best arc change to a DAG not seen lately, even if it lowers the score.

    Parameters
    ----------
    tabu_length
        How many DAGs are remembered: the last ones that the search went through.
    patience
        The search ends when so many changes in a row have not raised the greatest score seen.

    Notes
    -----
    The list holds DAGs, not moves, as the reference has it: a change is forbidden when the DAG it
    leads to is on the list. An iteration is one change. Ties as in `HillClimbing`.

    References
    ----------
    I. Tsamardinos, L. E. Brown and C. F. Aliferis (2006), "The max-min hill-climbing Bayesian
    network structure learning algorithm", Machine Learning 65, 31-78, Section 5 (the search of
    MMHC and GS: a list of 100 structures, an end after 15 changes without a new maximum).
    F. Glover (1989), "Tabu search - part I", ORSA Journal on Computing 1, 190-206.
    """

    name: ClassVar[str] = "tabu"

    tabu_length: int = 100
    patience: int = 15

    def __post_init__(self) -> None:
        check_count("tabu_length", self.tabu_length, 1)
        check_count("patience", self.patience, 1)

    def search(self, run: Run) -> None:
        """Climb on past local maxima, never back to a DAG on the list."""
        moves = arc_moves(run, start_dag(run))
        run.propose_dag(moves.dag, moves.score)
        tabu = _core.TabuList(self.tabu_length)
        tabu.insert(moves)
        greatest, without_improvement = moves.score, 0
        for _ in run.iterations():
            best = moves.best(tabu)
            if best is None or without_improvement == self.patience:
                break
            move, _ = best
            moves.apply(move, run.stop)
            tabu.insert(moves)
            without_improvement += 1
            if improves(moves.score, greatest):
                greatest, without_improvement = moves.score, 0
                run.propose_dag(moves.dag, moves.score)
