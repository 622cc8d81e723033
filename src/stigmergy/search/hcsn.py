# SPDX-License-Identifier: MIT
"""HCSN: hill climbing over orders of the variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search
from stigmergy.search.orders import grow_order, has_own_start, start_order


@dataclass(frozen=True)
class HCSN(Search):
    """Exchange the two variables of the order whose exchange gains most until none gains.

    Notes
    -----
    The score of an order is that of its K2 network. The neighbours of an order are all exchanges of
    two variables; of equally good ones the one with the first place in the order counts. An
    iteration is one exchange. The climb begins at the order of K2SN, or at an order of the start
    graph if one is given (the first by names). Knowledge: orders put required parents before their
    children; exchanges that would not are left out.

    An exchange at places i < j changes what may be a parent for the nodes between only by the two
    nodes exchanged, and for no other node. So each node keeps the steps of its K2 search with the
    scores seen in them; where neither node matters to a step, nothing is searched again.

    References
    ----------
    L. M. de Campos and J. M. Puerta (2001), "Stochastic local algorithms for learning belief
    networks: searching in the space of the orderings", Symbolic and Quantitative Approaches to
    Reasoning with Uncertainty, Lecture Notes in Artificial Intelligence 2143, 228-239, algorithm
    HCSN. The publication was not at hand: the start from K2SN is taken from its name.
    """

    name: ClassVar[str] = "hcsn"

    def search(self, run: Run) -> None:
        """Climb over orders."""
        scorer = run.scorer
        if has_own_start(run):
            order = start_order(run)
        else:
            builder = _core.OrderBuilder(scorer.core, scorer.rules)
            if not grow_order(builder, run):
                run.should_stop()
                return
            order = builder.order
            run.propose_dag(builder.dag(), builder.score)
        network = _core.OrderSearch(scorer.core, scorer.rules)
        if not network.set_order(order, run.stop):
            run.should_stop()
            return
        run.propose_dag(network.dag(), network.score)
        for _ in run.iterations():
            best = network.best_swap(run.stop)
            if best is None:
                break
            i, j, _gain = best
            network.swap(i, j)
            run.propose_dag(network.dag(), network.score)
        run.should_stop()
