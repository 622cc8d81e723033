# SPDX-License-Identifier: MIT
"""PBIL: population-based incremental learning over arcs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy.search.arc_distribution import arc_model, sample
from stigmergy.search.base import Run, Search
from stigmergy.search.dag_space import check_count, check_number, start_dag


@dataclass(frozen=True)
class PBIL(Search):
    """Draw DAGs arc by arc and move the probabilities towards the best of each generation.

    Parameters
    ----------
    population
        Individuals per generation.
    learning_rate
        How far the probabilities move towards the best individual.
    mutation
        The probability with which an arc's probability is mutated in a generation.
    mutation_shift
        How far a mutation moves it towards 0 or 1.
    generations
        Generations.
    parents_at_first
        Expected number of parents of a node in the first generation, before the repair.

    Notes
    -----
    Individuals and their repair as in `UMDA`. An iteration is one generation; individual k of
    generation t draws from the random stream (seed, t, k).

    Deviations: as in `UMDA` no probability goes below 1 / (n (n - 1)) or above its complement, and
    the first one is that of sparse graphs. The default for `mutation` is 0; over arcs nearly every
    mutation towards 1 is an arc too many.

    References
    ----------
    S. Baluja (1994), "Population-based incremental learning: a method for integrating genetic
    search based function optimization and competitive learning", Technical Report CMU-CS-94-163,
    the basic algorithm. Over arcs of a network with repair: R. Blanco, I. Inza and P. Larranaga
    (2003), "Learning Bayesian networks in the space of structures by estimation of distribution
    algorithms", International Journal of Intelligent Systems 18, 205-220.
    """

    name: ClassVar[str] = "pbil"

    population: int = 100
    learning_rate: float = 0.1
    mutation: float = 0.0
    mutation_shift: float = 0.05
    generations: int = 400
    parents_at_first: float = 1.0

    def __post_init__(self) -> None:
        check_count("population", self.population, 1)
        check_number("learning_rate", self.learning_rate, 0.0, 1.0)
        check_number("mutation", self.mutation, 0.0, 1.0)
        check_number("mutation_shift", self.mutation_shift, 0.0, 1.0)
        check_count("generations", self.generations)
        check_number("parents_at_first", self.parents_at_first, 0.0, 1e6, above=True)

    def search(self, run: Run) -> None:
        """Sample, move towards the best, mutate."""
        start = start_dag(run)
        model = arc_model(run, self.parents_at_first)
        for t in run.iterations(self.generations):
            population = sample(run, model, start, self.population, t)
            if not population:
                run.should_stop()  # not one was made in time
                break
            best, score = population[0]
            run.propose_dag(best, score)
            model.learn([best], self.learning_rate)
            model.mutate(self.mutation, self.mutation_shift, run.seed, t)
