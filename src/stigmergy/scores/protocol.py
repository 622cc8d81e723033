# SPDX-License-Identifier: MIT
"""What a score has to offer."""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

__all__ = ["CountScore", "NativeScore"]


@runtime_checkable
class NativeScore(Protocol):
    """A score that the native core computes."""

    @property
    def name(self) -> str:
        """The name that reports show."""
        ...

    @property
    def decomposable(self) -> bool:
        """Whether the score of a graph is the sum of the scores of its families."""
        ...

    @property
    def score_equivalent(self) -> bool:
        """Whether equivalent graphs score equal."""
        ...

    def native(self, n_samples: int) -> tuple[str, float]:
        """Return the core's formula and its parameter for a data set of `n_samples` rows."""
        ...


@runtime_checkable
class CountScore(Protocol):
    """A score written in Python, as a function of the counts of one family.

    Pass an object with this method as ``Scorer(data, score=...)``. Attributes ``name``
    (default: the class's name) and ``score_equivalent`` (default: False) are used when present.
    """

    def family_score(self, counts: NDArray[np.int64], q: float, r: int) -> float:
        """Return the score of one family; higher is better.

        Parameters
        ----------
        counts
            N_jk, a row for each of the parent configurations that occur (in a fixed order)
            and a column for each value of the child.
        q
            The number of configurations that the parents can have, observed or not.
        r
            The number of values of the child.
        """
        ...
