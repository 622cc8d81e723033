# SPDX-License-Identifier: MIT
"""EPQ: evolutionary programming over equivalence classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from stigmergy import _core
from stigmergy.search.base import Run, Search
from stigmergy.search.dag_space import check_count, start_dag


class Individual(NamedTuple):
    """A class and its score."""

    cpdag: _core.Pdag
    score: float


@dataclass(frozen=True)
class EPQ(Search):
    """Mutate the winners of binary tournaments; the best half of old and new lives on.

    Parameters
    ----------
    population
        Classes that live at a time; *P*.
    generations
        Rounds of mutation and selection; *T*. The comparison of Daly & Shen (2009) counts three of
        them as one iteration of ACO-E.

    Notes
    -----
    A mutation is one valid move of Table 2: one of the six operators, each equally likely, then one
    of its valid moves, each equally likely. A tournament is between two draws with return; of
    equals the first drawn wins. The best P of the 2P go on, of equals the older. All individuals
    are the start class at first; how the publication fills its first population was not at hand.
    Daly & Shen (2009) do not give P; with 2,000 about as many different families are scored as they
    report, and scores are far better than with the quick default.
    Mutant i of generation t draws from a random stream of its own, named by (seed, t, i), so the
    answer does not depend on the order of work. Moves to classes beyond the parent limit, or
    without a DAG that obeys the knowledge, are not valid.

    References
    ----------
    C. Cotta and J. Muruzabal (2004), "On the learning of Bayesian network graph structures via
    evolutionary programming", Proceedings of the 2nd European Workshop on Probabilistic Graphical
    Models, 65-72, algorithm EPQ; as told in R. Daly and Q. Shen (2009), "Learning Bayesian
    network equivalence classes with ant colony optimization", Journal of Artificial Intelligence
    Research 35, 391-447, Section 6.2.1.
    """

    name: ClassVar[str] = "epq"
    needs_score_equivalence: ClassVar[bool] = True

    population: int = 100
    generations: int = 600

    def __post_init__(self) -> None:
        check_count("population", self.population, 1)
        check_count("generations", self.generations)

    def search(self, run: Run) -> None:
        """Evolve the population."""
        start_dag(run)  # within the parent limit
        start = Individual(run.start, _core.score_of_class(run.start, run.scorer.core))
        population = [start] * self.population
        run.propose(*start)
        for t in run.iterations(self.generations):
            mutants = []
            for i in range(self.population):
                random = _core.Random.stream(run.seed, t, i)
                mutants.append(self._mutate(self._tournament(population, random), run, random))
                if run.stop.requested():
                    break
            ranked = sorted(population + mutants, key=lambda one: -one.score)  # stable
            population = ranked[: self.population]
            run.propose(*population[0])

    @staticmethod
    def _tournament(population: list[Individual], random: _core.Random) -> Individual:
        first = population[random.below(len(population))]
        second = population[random.below(len(population))]
        return second if second.score > first.score else first

    @staticmethod
    def _mutate(parent: Individual, run: Run, random: _core.Random) -> Individual:
        mutant = _core.mutate(parent.cpdag, run.scorer.core, run.scorer.rules, random)
        if mutant is None:
            return parent
        graph, gain = mutant
        return Individual(graph, parent.score + gain)
