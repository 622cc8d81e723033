# SPDX-License-Identifier: MIT
"""ACO-B: ant colony optimisation over DAGs, arc by arc."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from stigmergy import _core
from stigmergy.errors import ParameterError
from stigmergy.search.aco_e import HEURISTICS, SCHEDULES, AntRule, magnitude
from stigmergy.search.base import Run, Search, improves
from stigmergy.search.dag_space import check_count, check_number, start_dag
from stigmergy.search.orders import grow_order

#: rho, q0 and beta with the best score per network (Daly & Shen 2009, Table 9).
TABLE_9 = MappingProxyType(
    {
        "alarm": AntRule(0.1, 0.85, 2.0),
        "barley": AntRule(0.5, 0.7, 2.0),
        "diabetes": AntRule(0.5, 0.8, 2.0),
        "hailfinder": AntRule(0.4, 0.9, 2.0),
        "mildew": AntRule(0.4, 0.7, 2.5),
        "win95pts": AntRule(0.1, 0.95, 2.5),
    }
)


@dataclass(frozen=True)
class AcoB(Search):
    """Ants add arcs to a DAG, led by gain and pheromone; the arcs of the best DAG are reinforced.

    Parameters
    ----------
    ants
        Ants per iteration; *m*.
    iterations
        Iterations; *t_max*.
    local_search_every
        Every so many iterations, and in the last one, each ant's DAG is climbed on from by
        additions, deletions and reversals.
    rho
        Rate at which pheromone evaporates and is laid, in [0, 1].
    q0
        Probability of taking the best arc instead of drawing one, in [0, 1].
    beta
        Weight of the gain against the pheromone, >= 0.
    heuristic
        How desirable an arc is: ``"dynamic"`` or ``"static"``. Dynamic is its gain in the present
        DAG. Static is its gain in the start (the empty graph if none is given), computed once; an
        arc is added when it really improves.
    schedule
        When the ants of an iteration see one another's pheromone: ``"parallel"`` (after it) or
        ``"paper"`` (at once). In parallel, they start from the same pheromone and their local
        updates are merged in ant order; the same result at any number of threads. As printed in the
        paper, one ant walks after another and sees the local updates of those before it.

    Notes
    -----
    ``TABLE_9`` in this module has the rho, q0 and beta that Daly & Shen (2009) found best for each
    of six networks, with 20 ants and 200 iterations. ``tau0 = 1 / (n |score of K2SN's network|)``,
    and the global update lays ``1 / |best score|``. An ant ends when no arc improves the score. Of
    arcs with the same weight the first by the names of tail and head is taken. Ant k of iteration t
    draws from a random stream of its own, named by (seed, t, k).

    References
    ----------
    L. M. de Campos, J. M. Fernandez-Luna, J. A. Gamez and J. M. Puerta (2002), "Ant colony
    optimization for learning Bayesian networks", International Journal of Approximate Reasoning 31,
    291-311, algorithm ACO-B; as told in R. Daly and Q. Shen (2009), "Learning Bayesian network
    equivalence classes with ant colony optimization", Journal of Artificial Intelligence Research
    35, 391-447, Section 5.1.2.
    """

    name: ClassVar[str] = "aco-b"

    ants: int = 20
    iterations: int = 200
    local_search_every: int = 10
    rho: float = 0.4
    q0: float = 0.8
    beta: float = 2.0
    heuristic: str = "dynamic"
    schedule: str = "parallel"

    def __post_init__(self) -> None:
        check_count("ants", self.ants, 1)
        check_count("iterations", self.iterations)
        check_count("local_search_every", self.local_search_every, 1)
        check_number("rho", self.rho, 0.0, 1.0)
        check_number("q0", self.q0, 0.0, 1.0)
        check_number("beta", self.beta, 0.0, math.inf)
        for name, allowed in (("heuristic", HEURISTICS), ("schedule", SCHEDULES)):
            if getattr(self, name) not in allowed:
                raise ParameterError(
                    f"{name} must be one of {', '.join(allowed)}, got {getattr(self, name)!r}"
                )

    def search(self, run: Run) -> None:
        """ACO-B."""
        scorer = run.scorer
        start = start_dag(run)
        run.propose_dag(start, _core.score_of_class(start, scorer.core))
        greedy = _core.OrderBuilder(scorer.core, scorer.rules)
        if not grow_order(greedy, run):
            run.should_stop()
            return
        tau0 = 1 / (max(scorer.n_nodes, 1) * magnitude(greedy.score))  # of S_K2SN
        pheromone = _core.Pheromone(tau0)
        colony = _core.ArcColony(
            scorer.core, scorer.rules, self.beta, is_static=self.heuristic == "static"
        )
        best, best_score = start, -math.inf  # S+
        for t in run.iterations(self.iterations):
            walks = colony.walk(
                start,
                pheromone,
                rho=self.rho,
                q0=self.q0,
                parallel=self.schedule == "parallel",
                local_search=t % self.local_search_every == 0 or t == self.iterations,
                seed=run.seed,
                iteration=t,
                ants=self.ants,
                threads=scorer.n_threads,
                stop=run.stop,
            )
            if not walks:
                run.should_stop()  # not one was made in time
                break
            dag, score = max(walks, key=lambda walk: walk[1])
            if improves(score, best_score):
                best, best_score = dag, score
                run.propose_dag(best, best_score)
            colony.reinforce(pheromone, best, self.rho, 1 / magnitude(best_score))
