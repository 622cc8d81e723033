# SPDX-License-Identifier: MIT
"""KES: greedy equivalence search that chooses from a random share of the better classes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

from stigmergy import _core
from stigmergy.search.base import Run, Search, improves
from stigmergy.search.dag_space import check_count, check_has_end, check_number, start_dag


@dataclass(frozen=True)
class KES(Search):
    """Go to the best of a random share of the better classes in the inclusion boundary.

    Parameters
    ----------
    k
        The share, in [0, 1]: 1 is greedy, 0 takes any better class with equal probability.
    restarts
        How often to begin again from the start, each climb drawing other numbers; None goes on
        until the budget ends.

    Notes
    -----
    The inclusion boundary of a class is where one Insert or Delete leads. Because classes are
    drawn, each better one is in the set once, however many operators lead to it. Of m better
    classes max(1, floor(k m)) are drawn without return, and the best of them is taken, of equally
    good ones the first in the order of `GES`. A climb ends when no class of the boundary is better.
    An iteration is one step. Knowledge and the parent limit are obeyed as in `GES`.

    References
    ----------
    J. D. Nielsen, T. Kocka and J. M. Pena (2003), "On local optima in learning Bayesian networks",
    Proceedings of the 19th Conference on Uncertainty in Artificial Intelligence, 435-442, algorithm
    KES.
    """

    name: ClassVar[str] = "kes"
    needs_score_equivalence: ClassVar[bool] = True

    k: float = 0.8
    restarts: int | None = 0

    def __post_init__(self) -> None:
        check_number("k", self.k, 0.0, 1.0)
        check_count("restarts", self.restarts, or_none=True)

    def search(self, run: Run) -> None:
        """Climb once from the start and once more for every restart."""
        check_has_end(run, "restarts", self.restarts)
        start_dag(run)  # within the parent limit
        start_score = _core.score_of_class(run.start, run.scorer.core)
        run.propose(run.start, start_score)
        for climb in count() if self.restarts is None else range(self.restarts + 1):
            self._climb(run, start_score, _core.Random.stream(run.seed, climb))
            if run.should_stop():
                break

    def _climb(self, run: Run, score: float, random: _core.Random) -> None:
        operators = _core.GesMoves(run.scorer.core, run.scorer.rules, run.start)
        for _ in run.iterations():
            better = operators.improving(_core.GES_INSERT | _core.GES_DELETE, run.stop)
            if not better or run.stop.requested():
                break
            drawn = self._draw(len(better), random)
            operator, gain = better[drawn[0]]
            for i in drawn[1:]:
                if improves(better[i][1], gain):
                    operator, gain = better[i]
            operators.apply(operator)
            score += gain
            run.propose(operators.graph, score)

    def _draw(self, m: int, random: _core.Random) -> list[int]:
        """Draw max(1, floor(k m)) of 0 .. m - 1, in increasing order."""
        size = max(1, math.floor(self.k * m))
        items = list(range(m))
        for i in range(size):
            j = i + random.below(m - i)
            items[i], items[j] = items[j], items[i]
        return sorted(items[:size])
