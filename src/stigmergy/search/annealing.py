# SPDX-License-Identifier: MIT
"""Simulated annealing over DAGs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search
from stigmergy.search.dag_space import check_count, check_number, start_dag


@dataclass(frozen=True)
class Annealing(Search):
    """Make random arc changes, bad ones ever more rarely as the temperature falls.

    Parameters
    ----------
    temperature
        The first temperature, *T0*, in units of the (natural) log score.
    tries
        Changes looked at per temperature, *alpha*.
    changes
        A temperature ends early when so many changes were made, *beta*.
    decay
        What the temperature is multiplied by, *gamma*.
    coolings
        How often the temperature is lowered, *delta*.

    Notes
    -----
    A change is drawn uniformly from the legal ones and made with probability min(1, exp(gain / T)).
    The search ends after `coolings`, or at a temperature at which no change was made. An iteration
    is one temperature. The result is the best DAG met on the way, where the reference takes the
    last. The default numbers are ours to choose; more `tries` give better scores.

    References
    ----------
    D. M. Chickering, D. Geiger and D. Heckerman (1996), "Learning Bayesian networks: search methods
    and experimental results", Learning from Data: AI and Statistics V, 112-128 (the five
    parameters). D. Heckerman, D. Geiger and D. M. Chickering (1995), "Learning Bayesian networks:
    the combination of knowledge and statistical data", Machine Learning 20, 197-243, Section 7.
    """

    name: ClassVar[str] = "annealing"

    temperature: float = 100.0
    tries: int = 2000
    changes: int = 1000
    decay: float = 0.95
    coolings: int = 150

    def __post_init__(self) -> None:
        check_number("temperature", self.temperature, 0.0, math.inf, above=True)
        check_count("tries", self.tries, 1)
        check_count("changes", self.changes, 1)
        check_number("decay", self.decay, 0.0, 1.0, above=True)
        check_count("coolings", self.coolings)

    def search(self, run: Run) -> None:
        """Lower the temperature until nothing changes."""
        scorer = run.scorer
        chain = _core.Annealing(scorer.core, scorer.rules, start_dag(run), run.seed)
        run.propose_dag(chain.best_dag, chain.best_score)
        temperature = self.temperature
        for _ in run.iterations(self.coolings + 1):
            made = chain.stage(temperature, self.tries, self.changes, run.stop)
            run.propose_dag(chain.best_dag, chain.best_score)
            if made == 0:
                break
            temperature *= self.decay
