# SPDX-License-Identifier: MIT
"""The maximised log-likelihood."""

from dataclasses import dataclass
from typing import ClassVar

__all__ = ["LogLikelihood"]


@dataclass(frozen=True)
class LogLikelihood:
    r"""Log-likelihood of the data at its maximum-likelihood parameters.

    It never falls when a parent is added, so it ranks graphs only under other limits.

    Notes
    -----
    With N_jk the rows in which the child has its k-th value and its parents their j-th
    configuration, and N_j the sum over k, the score of a family is

    .. math:: \sum_j \sum_k N_{jk} \log\frac{N_{jk}}{N_j}

    where cells without rows add nothing. Natural logarithms; higher is better; no term is left
    out. Decomposable and score-equivalent.

    References
    ----------
    D. Koller and N. Friedman (2009), "Probabilistic graphical models", Section 18.3.1.

    Examples
    --------
    >>> LogLikelihood().name
    'log-likelihood'
    """

    name: ClassVar[str] = "log-likelihood"
    decomposable: ClassVar[bool] = True
    score_equivalent: ClassVar[bool] = True

    def native(self, n_samples: int) -> tuple[str, float]:
        """Return the core's formula and its parameter."""
        return "likelihood", 0.0
