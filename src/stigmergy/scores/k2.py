# SPDX-License-Identifier: MIT
"""The K2 score."""

from dataclasses import dataclass
from typing import ClassVar

__all__ = ["K2"]


@dataclass(frozen=True)
class K2:
    r"""Bayesian Dirichlet score with all pseudo counts 1 (K2).

    Notes
    -----
    With N_jk the rows in which the child has its k-th value (of r) and its parents their j-th
    configuration (of q), and N_j the sum over k, the score of a family is

    .. math:: \sum_{j=1}^{q} \left[ \log\frac{(r-1)!}{(N_j + r - 1)!} + \sum_{k=1}^{r}
       \log N_{jk}! \right]

    Natural logarithms; higher is better; the prior over structures is apart (see `KappaPrior`).
    Decomposable, not score-equivalent.

    References
    ----------
    G. F. Cooper and E. Herskovits (1992), "A Bayesian method for the induction of probabilistic
    networks from data", Machine Learning 9, Equation 8.

    Examples
    --------
    >>> K2().score_equivalent
    False
    """

    name: ClassVar[str] = "K2"
    decomposable: ClassVar[bool] = True
    score_equivalent: ClassVar[bool] = False

    def native(self, n_samples: int) -> tuple[str, float]:
        """Return the core's formula and its parameter."""
        return "dirichlet", 1.0
