# SPDX-License-Identifier: MIT
"""GREEDY-E and ANT-E over any set of operators, to the letter of Algorithms 2 and 3.

The compiled colony knows Table 2 only. This one asks operators for all their valid moves in every
step; it is slow, and it is the place to try a new operator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np

from stigmergy import _core
from stigmergy.scorer import Scorer
from stigmergy.search.operators import Operator, OperatorMove, Table2Operator

GAIN_TOLERANCE = 1e-6
TIE = 1e-9


class LiteralPheromone:
    """Pheromone by move key; untouched moves have the initial value."""

    def __init__(self, initial: float) -> None:
        self.initial = initial
        self._values: dict[Hashable, float] = {}

    def __getitem__(self, key: Hashable) -> float:
        return self._values.get(key, self.initial)

    def update(self, key: Hashable, rho: float, target: float) -> None:
        """Move tau towards the target: tau <- (1 - rho) tau + rho target."""
        self._values[key] = (1 - rho) * self[key] + rho * target

    def copy(self) -> LiteralPheromone:
        """Return a pheromone of its own."""
        twin = LiteralPheromone(self.initial)
        twin._values = dict(self._values)
        return twin


@dataclass
class LiteralWalk:
    """Where an ant or a greedy search went."""

    graph: _core.Pdag
    score: float
    path: list[Hashable] = field(default_factory=list)


class LiteralColony:
    """Ants over operators written in Python."""

    def __init__(self, scorer: Scorer, operators: Sequence[str | Operator], beta: float) -> None:
        self.scorer = scorer
        self.beta = beta
        self.operators = [Table2Operator(o) if isinstance(o, str) else o for o in operators]

    def moves(self, graph: _core.Pdag) -> list[OperatorMove]:
        """List the improving moves to classes that knowledge and the parent limit allow."""
        return [
            move
            for operator in self.operators
            for move in operator.moves(graph, self.scorer)
            if move.gain > GAIN_TOLERANCE and self._allows(move.result)
        ]

    def _allows(self, cpdag: _core.Pdag) -> bool:
        member = _core.obeying_member(cpdag, self.scorer.rules)
        if member is None:
            return False
        # The largest number of parents is the same in all members of a class.
        n_parents = Counter(child for _, child in member.directed_edges())
        limit = self.scorer.max_parents
        return limit is None or max(n_parents.values(), default=0) <= limit

    def greedy(self, start: _core.Pdag, stop: _core.Stop) -> LiteralWalk:
        """GREEDY-E: the move with the greatest gain until none improves."""
        walk = LiteralWalk(start, _core.score_of_class(start, self.scorer.core))
        while not stop.requested() and (moves := self.moves(walk.graph)):
            self._take(walk, moves[first_greatest([move.gain for move in moves])])
        return walk

    def walk(
        self,
        start: _core.Pdag,
        pheromone: LiteralPheromone,
        *,
        rho: float,
        q0: float,
        parallel: bool,
        local_search: bool,
        seed: int,
        iteration: int,
        ants: int,
        threads: int,
        trace: bool,
        stop: _core.Stop,
    ) -> list[LiteralWalk]:
        """One iteration of ants, as the compiled colony's.

        `threads` and `trace` are for the compiled one and change nothing here.
        """
        before = pheromone.copy()
        walks = []
        for k in range(ants):
            if stop.requested():
                break
            rng = np.random.default_rng([seed, iteration, k])
            tau = before.copy() if parallel else pheromone
            walk = self._ant(start, tau, rho, q0, rng, stop)
            if local_search:
                climbed = self.greedy(walk.graph, stop)
                walk = LiteralWalk(climbed.graph, climbed.score, walk.path + climbed.path)
            walks.append(walk)
        if parallel:
            for walk in walks:
                for key in walk.path:
                    pheromone.update(key, rho, pheromone.initial)
        return walks

    def _ant(
        self,
        start: _core.Pdag,
        tau: LiteralPheromone,
        rho: float,
        q0: float,
        rng: np.random.Generator,
        stop: _core.Stop,
    ) -> LiteralWalk:
        """Algorithm 2, ANT-E."""
        walk = LiteralWalk(start, _core.score_of_class(start, self.scorer.core))
        while not stop.requested() and (moves := self.moves(walk.graph)):
            weights = [tau[move.key] * move.gain**self.beta for move in moves]
            if rng.random() <= q0:
                chosen = moves[first_greatest(weights)]
            else:
                total = sum(weights)
                chosen = moves[rng.choice(len(moves), p=[weight / total for weight in weights])]
            tau.update(chosen.key, rho, tau.initial)
            self._take(walk, chosen)
        return walk

    def _take(self, walk: LiteralWalk, move: OperatorMove) -> None:
        walk.graph = move.result
        walk.score += move.gain
        walk.path.append(move.key)


def first_greatest(weights: list[float]) -> int:
    """Find the first weight within 1e-9 of the greatest."""
    enough = max(weights) * (1 - TIE)
    return next(i for i, weight in enumerate(weights) if weight >= enough)
