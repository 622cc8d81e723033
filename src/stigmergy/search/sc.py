# SPDX-License-Identifier: MIT
"""SC: the sparse candidate algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search, improves
from stigmergy.search.dag_space import check_count, start_dag


@dataclass(frozen=True)
class SparseCandidate(Search):
    """Climb among k candidate parents per node, choose the candidates anew, and so on.

    Parameters
    ----------
    k
        Candidate parents of each node. The published comparisons use 5 and 10.

    Notes
    -----
    Restrict: a node's candidates are its parents in the present network and, up to `k`, the nodes
    that would raise the score of its family most as one more parent (the reference's score
    measure; in the first round this ranks single parents). Maximize: hill climbing over arcs from
    candidates, from the present network on. The search ends when a round does not raise the score.

    Deviations: the reference starts from the empty network's candidates by mutual information,
    which for data of one size orders parents like the score without its penalty; the score measure
    is used from the first round on, so the search never needs the data, only the score. An
    iteration is one round.

    References
    ----------
    N. Friedman, I. Nachman and D. Pe'er (1999), "Learning Bayesian network structure from massive
    datasets: the 'sparse candidate' algorithm", Uncertainty in Artificial Intelligence 15, 206-215,
    Figure 1 and Section 3 (M_score).
    """

    name: ClassVar[str] = "sc"

    k: int = 5

    def __post_init__(self) -> None:
        check_count("k", self.k, 1)

    def search(self, run: Run) -> None:
        """Restrict and maximize in turn until the score stays."""
        core, rules, threads = run.scorer.core, run.scorer.rules, run.scorer.n_threads
        dag, score = start_dag(run), -float("inf")
        for _ in run.iterations():
            candidates = _core.sparse_candidates(core, rules, dag, self.k, threads)
            found, found_score, _ = _core.hill_climb(
                core, rules, dag, run.stop, candidates=candidates, n_threads=threads
            )
            run.propose_dag(found, found_score)
            if not improves(found_score, score):
                break
            dag, score = found, found_score
