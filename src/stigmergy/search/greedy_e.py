# SPDX-License-Identifier: MIT
"""GREEDY-E: greedy search over equivalence classes with the six operators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search
from stigmergy.search.literal_colony import LiteralColony, LiteralWalk
from stigmergy.search.operators import TABLE_2, Operator, operator_set


@dataclass(frozen=True)
class GreedyE(Search):
    """Take the valid move with the greatest gain until no move improves the score.

    Parameters
    ----------
    operators
        Names of Table 2, or `Operator` objects.

    Notes
    -----
    Ties: of the moves within 1e-9 (relative) of the greatest gain, the first in the order of
    Table 2, then of the nodes' names. A gain of less than 1e-6 is not an improvement: moves between
    classes of equal score could follow one another for ever.

    References
    ----------
    D. M. Chickering (2002), "Learning equivalence classes of Bayesian-network structures", Journal
    of Machine Learning Research 2, 445-498. R. Daly and Q. Shen (2009), "Learning Bayesian network
    equivalence classes with ant colony optimization", Journal of Artificial Intelligence Research
    35, Table 2.
    """

    name: ClassVar[str] = "greedy-e"
    needs_score_equivalence: ClassVar[bool] = True

    operators: Sequence[str | Operator] = TABLE_2

    def __post_init__(self) -> None:
        operator_set(self.operators)

    def search(self, run: Run) -> None:
        """GREEDY-E(P, Path)."""
        bits = operator_set(self.operators)
        scorer = run.scorer
        for _ in run.iterations(1):
            walk: _core.Walk | LiteralWalk
            if bits is None:
                literal = LiteralColony(scorer, self.operators, beta=1.0)
                walk = literal.greedy(run.start, run.stop)
            else:
                walk = _core.Colony(scorer.core, scorer.rules, bits).greedy(run.start, run.stop)
            run.propose(walk.graph, walk.score)
        run.should_stop()
