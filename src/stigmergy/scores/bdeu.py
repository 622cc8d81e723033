# SPDX-License-Identifier: MIT
"""The BDeu score."""

import math
from dataclasses import dataclass
from typing import ClassVar

from stigmergy.checks import is_number
from stigmergy.errors import ParameterError

__all__ = ["BDeu"]


@dataclass(frozen=True)
class BDeu:
    r"""Bayesian Dirichlet score, likelihood-equivalent, with a uniform prior (BDeu).

    The logarithm of the marginal likelihood of the data, with Dirichlet priors of equal pseudo
    counts that together weigh as much as `ess` rows.

    Parameters
    ----------
    ess
        Equivalent sample size, N' in the literature; positive.

    Notes
    -----
    With N_jk the rows in which the child has its k-th value (of r) and its parents their j-th
    configuration (of q), and N_j the sum over k, the score of a family is

    .. math:: \sum_{j=1}^{q} \left[ \log\frac{\Gamma(N'/q)}{\Gamma(N'/q + N_j)} + \sum_{k=1}^{r}
       \log\frac{\Gamma(N'/(qr) + N_{jk})}{\Gamma(N'/(qr))} \right]

    Natural logarithms; higher is better; no term is left out, so the scores of a graph add up to
    log P(data | graph). q is the product of the parents' arities, observed or not.
    Decomposable and score-equivalent.

    References
    ----------
    W. Buntine (1991), "Theory refinement on Bayesian networks", UAI.
    D. Heckerman, D. Geiger and D. M. Chickering (1995), "Learning Bayesian networks: the
    combination of knowledge and statistical data", Machine Learning 20, Equation 28 with
    N'_ijk = N' / (q r).

    Examples
    --------
    >>> BDeu(ess=4)
    BDeu(ess=4)
    """

    ess: float = 1.0

    name: ClassVar[str] = "BDeu"
    decomposable: ClassVar[bool] = True
    score_equivalent: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not (is_number(self.ess) and self.ess > 0 and math.isfinite(self.ess)):
            raise ParameterError(f"ess must be a positive, finite number, got {self.ess!r}")

    def native(self, n_samples: int) -> tuple[str, float]:
        """Return the core's formula and its parameter."""
        return "bdeu", float(self.ess)
