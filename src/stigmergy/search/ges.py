# SPDX-License-Identifier: MIT
"""GES: greedy equivalence search, forwards, backwards and, if asked for, by turning edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search
from stigmergy.search.dag_space import start_dag


@dataclass(frozen=True)
class GES(Search):
    """Insert edges while the score rises, then delete edges while it rises.

    Parameters
    ----------
    turning
        Turn edges in a third phase (Hauser & Buehlmann 2012).
    iterate
        Repeat the phases until none of them improves the score.

    Notes
    -----
    An iteration is one operator. Of the operators whose gains are within 1e-9 (relative) of the
    greatest the first counts, in the order Insert, Delete, Turn, then by the names of X and Y, then
    by the set. Only a gain of more than 1e-6 improves.

    The search starts from the empty graph (with the required edges) or from the start given.
    Knowledge: an operator is left out when no DAG of the class it leads to has all required and no
    forbidden edges; so is one that gives a node more parents than the limit. The phases as
    published know neither, and with either the guarantee for large samples falls.

    Families with the same NA + T are scored in one sweep over all X. After an operator only the
    tables of nodes whose surroundings it changed are made anew; paths are looked at for the few
    operators that are about to be taken. Turns are found by the conditions of the article; for
    X - Y these ask C & N to separate C - N from N - C within the neighbours of Y. A test on the
    whole chain component instead would miss some.

    References
    ----------
    D. M. Chickering (2002), "Optimal structure identification with greedy search", Journal of
    Machine Learning Research 3, 507-554: Section 5 (`search`), Theorems 15 and 17, Corollaries 16
    and 18 (the operators). A. Hauser and P. Buehlmann (2012), "Characterization and greedy learning
    of interventional Markov equivalence classes of directed acyclic graphs", Journal of Machine
    Learning Research 13, 2409-2464: Section 4.3 (turning).
    """

    name: ClassVar[str] = "ges"
    needs_score_equivalence: ClassVar[bool] = True

    turning: bool = False
    iterate: bool = False

    def search(self, run: Run) -> None:
        """Climb with each kind of operators in turn."""
        scorer = run.scorer
        start_dag(run)  # within the parent limit
        operators = _core.GesMoves(scorer.core, scorer.rules, run.start)
        score = _core.score_of_class(run.start, scorer.core)
        run.propose(run.start, score)
        phases = [_core.GES_INSERT, _core.GES_DELETE]
        if self.turning:
            phases.append(_core.GES_TURN)
        while True:
            before = score
            for phase in phases:
                score = self._climb(run, operators, phase, score)
            if score == before or not self.iterate or run.should_stop():
                break
        run.should_stop()

    def _climb(self, run: Run, operators: _core.GesMoves, phase: int, score: float) -> float:
        """Apply the best operator of this kind until none improves."""
        for _ in run.iterations():
            best = operators.best(phase, run.stop)
            if best is None:
                break
            operator, gain = best
            operators.apply(operator)
            score += gain
            run.propose(operators.graph, score)
        return score
