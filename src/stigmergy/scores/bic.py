# SPDX-License-Identifier: MIT
"""The Bayesian information criterion."""

import math
from dataclasses import dataclass
from typing import ClassVar

__all__ = ["BIC"]


@dataclass(frozen=True)
class BIC:
    r"""Bayesian information criterion, in the scale of the log-likelihood.

    Notes
    -----
    With N the number of rows (the sum of their weights), q the number of configurations that the
    parents can have, r the child's number of values and the log-likelihood as in `LogLikelihood`,
    the score of a family is

    .. math:: \sum_j \sum_k N_{jk} \log\frac{N_{jk}}{N_j} - \frac{\log N}{2}\, q\,(r - 1)

    Natural logarithms; higher is better (half of Schwarz's criterion with its sign turned). All
    q (r - 1) free parameters are charged, also those of configurations that do not occur.
    Decomposable and score-equivalent.

    References
    ----------
    G. Schwarz (1978), "Estimating the dimension of a model", Annals of Statistics 6.

    Examples
    --------
    >>> BIC().score_equivalent
    True
    """

    name: ClassVar[str] = "BIC"
    decomposable: ClassVar[bool] = True
    score_equivalent: ClassVar[bool] = True

    def native(self, n_samples: int) -> tuple[str, float]:
        """Return the core's formula and its parameter."""
        return "likelihood", math.log(n_samples) / 2 if n_samples > 0 else 0.0
