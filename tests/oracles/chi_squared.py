# SPDX-License-Identifier: MIT
"""The chi-squared tail for an even number of degrees of freedom, to 50 digits.

P(X >= x) with 2k degrees of freedom is the chance of fewer than k events of a Poisson
process with mean x / 2: a finite sum.
"""

from decimal import Decimal, localcontext


def even_tail(statistic: float, dof: int) -> tuple[float, float]:
    """Return the tail and its natural logarithm."""
    with localcontext() as context:
        context.prec = 50
        mean = Decimal(statistic) / 2
        term = total = Decimal(1)
        for events in range(1, dof // 2):
            term *= mean / events
            total += term
        log_tail = total.ln() - mean
        return float(log_tail.exp()), float(log_tail)
