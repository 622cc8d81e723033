# SPDX-License-Identifier: MIT
"""Tests of conditional independence row by row, from the textbook formulas."""

import math
from collections import Counter


def table_test(rows, arities, x, y, given, method="g2", dof="adaptive", weights=None):
    """Return (statistic, dof) of x and y given a list; `rows` are tuples of codes."""
    weights = [1] * len(rows) if weights is None else weights
    joint, with_x, with_y, stratum = Counter(), Counter(), Counter(), Counter()
    for row, weight in zip(rows, weights, strict=True):
        z = tuple(row[v] for v in given)
        joint[z, row[x], row[y]] += weight
        with_x[z, row[x]] += weight
        with_y[z, row[y]] += weight
        stratum[z] += weight
    statistic = 0.0
    free = 0
    for z in sorted(stratum):
        if stratum[z] == 0:
            continue
        values_x = [a for a in range(arities[x]) if with_x[z, a]]
        values_y = [b for b in range(arities[y]) if with_y[z, b]]
        free += (len(values_x) - 1) * (len(values_y) - 1)
        for a in values_x:
            for b in values_y:
                count = joint[z, a, b]
                expected = with_x[z, a] * with_y[z, b] / stratum[z]
                if method == "chi2":
                    statistic += (count - expected) ** 2 / expected
                elif count:
                    statistic += 2 * count * math.log(count / expected)
    if dof == "classical":
        free = (arities[x] - 1) * (arities[y] - 1) * math.prod(arities[v] for v in given)
    if method == "mi":
        statistic /= 2 * sum(weights)
    return statistic, free
