# SPDX-License-Identifier: MIT
"""Priors over structures: terms that are added to the scores of families."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from stigmergy import _core
from stigmergy.checks import is_number, other_names
from stigmergy.errors import ParameterError, StructureError

__all__ = ["KappaPrior", "StructurePrior", "UniformPrior"]


class StructurePrior(Protocol):
    """A prior over structures that is a product over families."""

    @property
    def score_equivalent(self) -> bool:
        """Whether equivalent graphs have the same prior probability."""
        ...

    def native(self, names: Sequence[str]) -> _core.StructurePrior:
        """Return the prior in the core's form, for nodes numbered in the order of `names`."""
        ...


@dataclass(frozen=True)
class UniformPrior:
    """All structures are equally probable; nothing is added to the score.

    Examples
    --------
    >>> UniformPrior()
    UniformPrior()
    """

    score_equivalent = True

    def native(self, names: Sequence[str]) -> _core.StructurePrior:
        """Return the prior in the core's form."""
        return _core.StructurePrior(0.0, [])


@dataclass(frozen=True)
class KappaPrior:
    r"""P(G) = c kappa^delta: each arc by which G differs from a prior graph costs log(kappa).

    Parameters
    ----------
    kappa
        In (0, 1]; 1 is the uniform prior.
    graph
        The prior graph, a directed acyclic graph with the names of the data; None is the graph
        without arcs.

    Notes
    -----
    delta is the sum over nodes of delta_i, the size of the symmetric difference between the
    parents of i in G and in the prior graph. The family of i gets log(kappa) delta_i, which is
    never positive; the normalisation log(c) is left out. With the empty prior graph delta is the
    number of arcs and the prior keeps score equivalence; with another graph it does not.

    References
    ----------
    D. Heckerman, D. Geiger and D. M. Chickering (1995), "Learning Bayesian networks: the
    combination of knowledge and statistical data", Machine Learning 20, Section 6.2.

    Examples
    --------
    >>> KappaPrior(0.05)
    KappaPrior(kappa=0.05, graph=None)
    """

    kappa: float
    graph: Any = None

    def __post_init__(self) -> None:
        if not (is_number(self.kappa) and 0 < self.kappa <= 1):
            raise ParameterError(f"kappa must be in (0, 1], got {self.kappa!r}")

    @property
    def score_equivalent(self) -> bool:
        """Whether equivalent graphs have the same prior probability."""
        return self.graph is None or not any(self.graph.parents(x) for x in self.graph.names)

    def native(self, names: Sequence[str]) -> _core.StructurePrior:
        """Return the prior in the core's form."""
        if self.graph is None:
            return _core.StructurePrior(math.log(self.kappa), [])
        if wrong := other_names("graph of KappaPrior", self.graph.names, names):
            raise StructureError(wrong)
        if getattr(self.graph, "undirected", None):
            raise StructureError("graph of KappaPrior must be directed; use its .to_dag()")
        number = {name: i for i, name in enumerate(names)}
        parents = [sorted(number[p] for p in self.graph.parents(name)) for name in names]
        return _core.StructurePrior(math.log(self.kappa), parents)
