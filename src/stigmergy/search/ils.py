# SPDX-License-Identifier: MIT
"""Iterated local search over DAGs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy.search.base import Run, Search, improves
from stigmergy.search.dag_space import (
    check_count,
    check_has_end,
    local_maximum,
    random_walk,
    start_dag,
)


@dataclass(frozen=True)
class ILS(Search):
    """Perturb the best local maximum at random and climb again; keep what is better.

    Parameters
    ----------
    rounds
        How often to perturb and climb; None goes on until the budget ends.
    strength
        How many random legal arc changes a perturbation makes; None for a quarter of the number of
        variables, at least 3.

    Notes
    -----
    An iteration is one round. Round t draws from the random stream (seed, t). The strength is a
    choice of ours: the references leave it open.

    References
    ----------
    L. M. de Campos, J. M. Fernandez-Luna, J. A. Gamez and J. M. Puerta (2002), "Ant colony
    optimization for learning Bayesian networks", International Journal of Approximate Reasoning 31,
    291-311 (ILS, one of the methods compared there). H. R. Lourenco, O. C. Martin and T. Stutzle
    (2003), "Iterated local search", Handbook of Metaheuristics, 320-353 (acceptance: better).
    """

    name: ClassVar[str] = "ils"

    rounds: int | None = 100
    strength: int | None = None

    def __post_init__(self) -> None:
        check_count("rounds", self.rounds, or_none=True)
        check_count("strength", self.strength, 1, or_none=True)

    def search(self, run: Run) -> None:
        """Perturb, climb, accept if better."""
        check_has_end(run, "rounds", self.rounds)
        strength = self.strength or default_strength(run.scorer.n_nodes)
        run.settings.update(strength=strength)
        best, best_score = local_maximum(run, start_dag(run))
        run.propose_dag(best, best_score)
        run.record()
        for t in run.iterations(self.rounds):
            dag, score = local_maximum(run, random_walk(run, best, strength, t))
            if improves(score, best_score):
                best, best_score = dag, score
                run.propose_dag(best, best_score)


def default_strength(n_variables: int) -> int:
    """Return how many changes perturb a DAG enough to leave a local maximum."""
    return max(3, n_variables // 4)
