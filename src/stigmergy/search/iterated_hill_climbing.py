# SPDX-License-Identifier: MIT
"""Iterated hill climbing over DAGs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy.search.base import Run, Search
from stigmergy.search.dag_space import (
    check_count,
    check_has_end,
    local_maximum,
    random_walk,
    start_dag,
)
from stigmergy.search.ils import default_strength


@dataclass(frozen=True)
class IteratedHillClimbing(Search):
    """Climb, perturb the local maximum at random, climb from there, and so on.

    Parameters
    ----------
    rounds
        How often to perturb and climb; None goes on until the budget ends.
    strength
        How many random legal arc changes a perturbation makes; None for a quarter of the number of
        variables, at least 3.

    Notes
    -----
    Each round goes on from the local maximum of the round before, better or not; `ILS` goes on from
    the best. An iteration is one round; round t draws from the random stream (seed, t).

    References
    ----------
    D. M. Chickering, D. Geiger and D. Heckerman (1996), "Learning Bayesian networks: search methods
    and experimental results", Learning from Data: AI and Statistics V, 112-128.
    """

    name: ClassVar[str] = "ihc"

    rounds: int | None = 100
    strength: int | None = None

    def __post_init__(self) -> None:
        check_count("rounds", self.rounds, or_none=True)
        check_count("strength", self.strength, 1, or_none=True)

    def search(self, run: Run) -> None:
        """Climb and perturb in turn."""
        check_has_end(run, "rounds", self.rounds)
        strength = self.strength or default_strength(run.scorer.n_nodes)
        run.settings.update(strength=strength)
        dag, score = local_maximum(run, start_dag(run))
        run.propose_dag(dag, score)
        run.record()
        for t in run.iterations(self.rounds):
            dag, score = local_maximum(run, random_walk(run, dag, strength, t))
            run.propose_dag(dag, score)
