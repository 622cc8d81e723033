# SPDX-License-Identifier: MIT
"""UMDA: the univariate marginal distribution algorithm over arcs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.arc_distribution import arc_model, sample
from stigmergy.search.base import Run, Search
from stigmergy.search.dag_space import check_count, check_number, start_dag


@dataclass(frozen=True)
class UMDA(Search):
    """Draw DAGs arc by arc, keep the best, and draw the next from the shares of their arcs.

    Parameters
    ----------
    population
        Individuals per generation.
    selected
        The share of the population that the next distribution is estimated from, best first.
    generations
        Generations.
    parents_at_first
        Expected number of parents of a node in the first generation, before the repair.

    Notes
    -----
    An individual is a set of arcs, each drawn with a probability of its own; the repair puts the
    arcs into the graph in random order and leaves out those that would close a cycle, or break the
    parent limit or the knowledge. An iteration is one generation; individual k of generation t
    draws from the random stream (seed, t, k).

    Deviations: the best individual found so far is one of those selected; no probability goes below
    1 / (n (n - 1)) or above its complement, so that no arc is lost for good; the first probability
    is that of sparse graphs, not one half, where nearly all arcs would fall to the repair.

    References
    ----------
    H. Muhlenbein (1997), "The equation for response to selection and its use for prediction",
    Evolutionary Computation 5, 303-346. Over arcs of a network with repair: R. Blanco, I. Inza and
    P. Larranaga (2003), "Learning Bayesian networks in the space of structures by estimation of
    distribution algorithms", International Journal of Intelligent Systems 18, 205-220.
    """

    name: ClassVar[str] = "umda"

    population: int = 500
    selected: float = 0.2
    generations: int = 100
    parents_at_first: float = 1.0

    def __post_init__(self) -> None:
        check_count("population", self.population, 2)
        check_number("selected", self.selected, 0.0, 1.0, above=True)
        check_count("generations", self.generations)
        check_number("parents_at_first", self.parents_at_first, 0.0, 1e6, above=True)

    def search(self, run: Run) -> None:
        """Sample, select, estimate."""
        start = start_dag(run)
        model = arc_model(run, self.parents_at_first)
        n_selected = max(1, round(self.selected * self.population))
        best: list[tuple[_core.Pdag, float]] = []
        for t in run.iterations(self.generations):
            population = sample(run, model, start, self.population, t)
            if not population:
                run.should_stop()  # not one was made in time
                break
            # Sorting is stable: of equal ones the elder comes first.
            population = sorted(best + population, key=lambda one: -one[1])
            best = population[:1]
            run.propose_dag(*best[0])
            model.learn([dag for dag, _ in population[:n_selected]], 1.0)
