# SPDX-License-Identifier: MIT
"""ACO-K2SN: ant colony optimisation over orders of the variables."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from stigmergy import _core
from stigmergy.search.aco_e import magnitude
from stigmergy.search.base import Run, Search, improves
from stigmergy.search.dag_space import check_count, check_number
from stigmergy.search.orders import climb_orders, grow_order

# A variable that its parents explain fully scores zero; its desirability must stay a number.
_LEAST_SCORE = 1e-9


@dataclass(frozen=True)
class AcoK2SN(Search):
    """Ants build orders node by node, led by K2 scores and pheromone; the best order is reinforced.

    Parameters
    ----------
    ants
        Ants per iteration; *m*.
    iterations
        Iterations; *t_max*. In the last one the orders are improved by HCSN.
    rho
        Rate at which pheromone evaporates and is laid, in [0, 1].
    q0
        Probability of putting the best node next instead of drawing one, in [0, 1].
    beta
        Weight of the score against the pheromone, >= 0.

    Notes
    -----
    Pheromone lies on arcs i -> j, "j comes right after i", and on arcs from a dummy node to the
    first node. The desirability of j is ``1 / |f(x_j, Pa(x_j))|``, Pa(x_j) found by K2 among the
    nodes placed; ``tau0 = 1 / (n |f(S_K2SN)|)``; the best order so far is reinforced with
    ``1 / |f(S+)|``. Of equally good nodes the first by name is taken, of equally good ants the
    first. Ant k of iteration t draws from a random stream of its own, named by (seed, t, k); ants
    come one after another and see the local updates of those before them.

    Where the publication leaves a choice: S+ is at first the network of K2SN, and in the last
    iteration HCSN climbs from the order of each ant and from the best order. The default ants, rho,
    q0 and beta are those of ACO-B's middle settings (Daly & Shen 2009, Table 9), for the paper
    gives none. Knowledge: a node can come next when its required parents are placed. A start graph
    has no use here and is passed over.

    References
    ----------
    L. M. de Campos, J. A. Gamez and J. M. Puerta (2002), "Learning Bayesian networks by ant colony
    optimisation: searching in two different spaces", Mathware & Soft Computing 9, 251-268,
    algorithm ACO-K2SN; as told in R. Daly and Q. Shen (2009), "Learning Bayesian network
    equivalence classes with ant colony optimization", Journal of Artificial Intelligence Research
    35, 391-447, Section 5.1.1.
    """

    name: ClassVar[str] = "aco-k2sn"

    ants: int = 20
    iterations: int = 100
    rho: float = 0.4
    q0: float = 0.8
    beta: float = 2.0

    def __post_init__(self) -> None:
        check_count("ants", self.ants, 1)
        check_count("iterations", self.iterations)
        check_number("rho", self.rho, 0.0, 1.0)
        check_number("q0", self.q0, 0.0, 1.0)
        check_number("beta", self.beta, 0.0, math.inf)

    def search(self, run: Run) -> None:
        """Ants over orders, as in Section 5.1.1."""
        scorer, n = run.scorer, run.scorer.n_nodes
        builder = _core.OrderBuilder(scorer.core, scorer.rules)
        if not grow_order(builder, run):
            run.should_stop()
            return
        best, best_score = builder.order, builder.score  # S+
        run.propose_dag(builder.dag(), best_score)
        tau0 = 1 / (max(n, 1) * magnitude(best_score))
        tau = np.full((n + 1, n), tau0)  # row n: the dummy node

        for t in run.iterations(self.iterations):
            orders = []
            for k in range(self.ants):
                random = _core.Random.stream(run.seed, t, k)
                if not self._ant(builder, tau, tau0, random, run):
                    break
                orders.append(builder.order)
                if improves(builder.score, best_score):
                    best, best_score = builder.order, builder.score
                    run.propose_dag(builder.dag(), best_score)
            if t == self.iterations:
                for order in [best, *orders]:
                    network = _core.OrderSearch(scorer.core, scorer.rules)
                    if not network.set_order(order, run.stop):
                        break
                    climb_orders(network, run)
                    if improves(network.score, best_score):
                        best, best_score = network.order, network.score
                        run.propose_dag(network.dag(), best_score)
            for i, j in pairwise([n, *best]):
                tau[i, j] = (1 - self.rho) * tau[i, j] + self.rho / magnitude(best_score)
        run.should_stop()

    def _ant(
        self,
        builder: _core.OrderBuilder,
        tau: NDArray[np.float64],
        tau0: float,
        random: _core.Random,
        run: Run,
    ) -> bool:
        """Build one order from the dummy node on; False when told to stop."""
        builder.clear()
        i = len(tau) - 1
        while ready := builder.ready():
            if run.stop.requested():
                return False
            eta = 1 / np.maximum(np.abs(builder.scores(ready)), _LEAST_SCORE)
            weights = tau[i, ready] * eta**self.beta
            if random.uniform() <= self.q0:
                chosen = int(np.argmax(weights))
            else:
                shares = np.cumsum(weights)
                chosen = int(np.searchsorted(shares, random.uniform() * shares[-1], side="right"))
            j = ready[min(chosen, len(ready) - 1)]
            tau[i, j] = (1 - self.rho) * tau[i, j] + self.rho * tau0
            builder.place(j)
            i = j
        return True
