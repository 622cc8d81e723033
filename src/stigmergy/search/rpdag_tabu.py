# SPDX-License-Identifier: MIT
"""Tabu search over restricted PDAGs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search, improves
from stigmergy.search.dag_space import check_count, start_dag


@dataclass(frozen=True)
class RpdagTabu(Search):
    """Add and delete edges of a restricted PDAG, best first, never back to one seen lately.

    Parameters
    ----------
    tabu_length
        How many graphs are remembered; 0 gives the local search that ends at the first maximum.
    patience
        The search ends when so many moves in a row have not raised the greatest score seen.

    Notes
    -----
    A restricted PDAG stands for DAGs of one class, links where single parents lead back to a root,
    arcs elsewhere; a class may have several. The operators add an arc, a link or the second arc of
    a head-to-head pattern, or delete an arc or a link, and direct or undirect what follows. Each
    gain is that of one parent more or less at one node, so scores must be equal within a class.

    Deviations: the length of the list and the end of the search are as in `Tabu`, and a graph on
    the list is forbidden whichever move leads there. With knowledge, graphs whose class has no DAG
    that obeys it are passed over. Ties go to the first move: arcs added, links added, patterns,
    arcs deleted, links deleted, then by names. An iteration is one move.

    References
    ----------
    S. Acid and L. M. de Campos (2003), "Searching for Bayesian network structures in the space of
    restricted acyclic partially directed graphs", Journal of Artificial Intelligence Research 18,
    445-490: Definition 1, Tables 1 and 2 (operators and their conditions).
    """

    name: ClassVar[str] = "rpdag-tabu"
    needs_score_equivalence: ClassVar[bool] = True

    tabu_length: int = 100
    patience: int = 15

    def __post_init__(self) -> None:
        check_count("tabu_length", self.tabu_length)
        check_count("patience", self.patience, 1)

    def search(self, run: Run) -> None:
        """Make the best move that is not tabu."""
        scorer = run.scorer
        start = _core.restricted_of(start_dag(run))
        moves = _core.RpdagMoves(scorer.core, scorer.rules, start)
        tabu = _core.TabuList(self.tabu_length) if self.tabu_length else None
        if tabu is not None:
            moves.remember(tabu)
        greatest, without_improvement = moves.score, 0
        run.propose(class_of(moves.rpdag), greatest)
        for _ in run.iterations():
            best = moves.best(tabu)
            if best is None or without_improvement == self.patience:
                break
            move, gain = best
            if tabu is None and not improves(gain, 0.0):
                break
            moves.apply(move)
            if tabu is not None:
                moves.remember(tabu)
            without_improvement += 1
            if improves(moves.score, greatest):
                greatest, without_improvement = moves.score, 0
                run.propose(class_of(moves.rpdag), greatest)


def class_of(rpdag: _core.Pdag) -> _core.Pdag:
    """Return the CPDAG of the class whose DAGs a restricted PDAG stands for."""
    extension = rpdag.consistent_extension()
    assert extension is not None  # Theorem 1 of the reference: every restricted PDAG has one
    return extension.completed()
