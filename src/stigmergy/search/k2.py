# SPDX-License-Identifier: MIT
"""K2: greedy parents under a given order of the variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.errors import ParameterError
from stigmergy.search.base import Run, Search
from stigmergy.search.orders import start_order


@dataclass(frozen=True)
class K2Search(Search):
    """Give each variable, in order, the predecessors that raise its score, best first.

    Parameters
    ----------
    order
        All variables, causes before effects. None takes an order of the start graph, which without
        a start is the alphabetical one.

    Notes
    -----
    Of equally good predecessors the first by name is added. Knowledge: the order must put required
    parents before their children; they are parents from the beginning, forbidden ones never are.
    Any score will do; with the score ``K2()`` this is the algorithm as published.

    References
    ----------
    G. F. Cooper and E. Herskovits (1992), "A Bayesian method for the induction of probabilistic
    networks from data", Machine Learning 9, 309-347, procedure K2.
    """

    name: ClassVar[str] = "k2"

    order: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.order is None:
            return
        if isinstance(self.order, str):
            raise ParameterError(f"order must be a list of names, got the text {self.order!r}")
        # A set has no order of its own; an iterator would be used up when it is first looked at.
        ordered = isinstance(self.order, Iterable) and not isinstance(self.order, Set)
        order = tuple(self.order) if ordered else ()
        if not ordered or not all(isinstance(name, str) for name in order):
            raise ParameterError(f"order must be a list of names, got {self.order!r}")
        object.__setattr__(self, "order", order)

    def search(self, run: Run) -> None:
        """Find the parents of each node among its predecessors."""
        order = start_order(run) if self.order is None else self._numbers(run)
        network = _core.OrderSearch(run.scorer.core, run.scorer.rules)
        for _ in run.iterations(1):
            if not network.set_order(order, run.stop):
                break
            run.propose_dag(network.dag(), network.score)
        run.should_stop()

    def _numbers(self, run: Run) -> list[int]:
        assert self.order is not None
        names = run.scorer.names
        order = self.order
        if sorted(order) != list(names):
            wrong = {
                "missing": set(names) - set(order),
                "unknown": set(order) - set(names),
                "repeated": {name for name in order if order.count(name) > 1},
            }
            raise ParameterError(
                "order must name every variable once; "
                + "; ".join(
                    f"{what}: {', '.join(map(repr, sorted(which)))}"
                    for what, which in wrong.items()
                    if which
                )
            )
        place = {name: i for i, name in enumerate(order)}
        for parent, child in run.scorer.rules.required_arcs():
            if place[names[parent]] > place[names[child]]:
                raise ParameterError(
                    f"order puts {names[child]!r} before {names[parent]!r}, but the edge "
                    f"{names[parent]!r} -> {names[child]!r} is required. Change the order, or the "
                    "knowledge"
                )
        return [names.index(name) for name in order]
