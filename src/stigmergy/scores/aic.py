# SPDX-License-Identifier: MIT
"""Akaike's information criterion."""

from dataclasses import dataclass
from typing import ClassVar

__all__ = ["AIC"]


@dataclass(frozen=True)
class AIC:
    r"""Akaike's information criterion, in the scale of the log-likelihood.

    Notes
    -----
    With q the number of configurations that the parents can have, r the child's number of values
    and the log-likelihood as in `LogLikelihood`, the score of a family is

    .. math:: \sum_j \sum_k N_{jk} \log\frac{N_{jk}}{N_j} - q\,(r - 1)

    Natural logarithms; higher is better (half of Akaike's criterion with its sign turned).
    Decomposable and score-equivalent.

    References
    ----------
    H. Akaike (1974), "A new look at the statistical model identification", IEEE Transactions on
    Automatic Control 19.

    Examples
    --------
    >>> AIC().name
    'AIC'
    """

    name: ClassVar[str] = "AIC"
    decomposable: ClassVar[bool] = True
    score_equivalent: ClassVar[bool] = True

    def native(self, n_samples: int) -> tuple[str, float]:
        """Return the core's formula and its parameter."""
        return "likelihood", 1.0
