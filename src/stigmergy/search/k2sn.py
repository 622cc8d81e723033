# SPDX-License-Identifier: MIT
"""K2SN: K2 that finds its order too, one next node after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search
from stigmergy.search.orders import grow_order


@dataclass(frozen=True)
class K2SN(Search):
    """Put next in the order the variable that scores best with its K2 parents among those placed.

    Notes
    -----
    The first of equally good variables by name comes next. Knowledge: a variable can come next when
    its required parents are placed; they are its parents from the beginning. The publication was
    not at hand; the criterion for the next node, the greatest f(x_j, Pa(x_j)), is that of the
    heuristic in Section 5.1.1 of Daly & Shen (2009), which ACO-K2SN takes over from K2SN. A start
    graph has no use here and is passed over.

    References
    ----------
    L. M. de Campos and J. M. Puerta (2001), "Stochastic local and distributed search algorithms for
    learning belief networks", Proceedings of the III International Symposium on Adaptive Systems,
    109-115, algorithm K2SN; as told in R. Daly and Q. Shen (2009), "Learning Bayesian network
    equivalence classes with ant colony optimization", Journal of Artificial Intelligence Research
    35, 391-447, Section 5.1.1.
    """

    name: ClassVar[str] = "k2sn"

    def search(self, run: Run) -> None:
        """Grow the order, the best next node first."""
        builder = _core.OrderBuilder(run.scorer.core, run.scorer.rules)
        for _ in run.iterations(1):
            if not grow_order(builder, run):
                break
            run.propose_dag(builder.dag(), builder.score)
        run.should_stop()
