# SPDX-License-Identifier: MIT
"""Family scores written as their definitions, row by row in plain Python.

A data set is a list of rows, a row a sequence of codes; `arities` has one entry per column.
"""

import math
from collections import Counter


def counts(rows, child, parents, weights=None):
    """{parent configuration: {child value: N_jk}} over what occurs."""
    table = {}
    for i, row in enumerate(rows):
        weight = 1 if weights is None else weights[i]
        if weight:
            key = tuple(row[p] for p in parents)
            table.setdefault(key, Counter())[row[child]] += weight
    return table


def bd(table, pseudo):
    """BD with pseudo(configuration) -> list of N'_jk."""
    total = 0.0
    for configuration, cells in table.items():
        alpha = pseudo(configuration)
        n_j = sum(cells.values())
        total += math.lgamma(sum(alpha)) - math.lgamma(sum(alpha) + n_j)
        for k, n_jk in cells.items():
            total += math.lgamma(alpha[k] + n_jk) - math.lgamma(alpha[k])
    return total


def bdeu(rows, arities, child, parents, ess, weights=None):
    r = arities[child]
    q = math.prod(arities[p] for p in parents)
    return bd(counts(rows, child, parents, weights), lambda _: [ess / (q * r)] * r)


def k2(rows, arities, child, parents, weights=None):
    """By factorials, as Cooper and Herskovits write it."""
    r = arities[child]
    total = 0.0
    for cells in counts(rows, child, parents, weights).values():
        total += math.lgamma(r) - math.lgamma(sum(cells.values()) + r)
        total += sum(math.lgamma(n + 1) for n in cells.values())
    return total


def log_likelihood(rows, arities, child, parents, weights=None):
    total = 0.0
    for cells in counts(rows, child, parents, weights).values():
        n_j = sum(cells.values())
        total += sum(n * math.log(n / n_j) for n in cells.values())
    return total


def free_parameters(arities, child, parents):
    return math.prod(arities[p] for p in parents) * (arities[child] - 1)


def bic(rows, arities, child, parents, weights=None):
    n = len(rows) if weights is None else sum(weights)
    penalty = math.log(n) / 2 * free_parameters(arities, child, parents)
    return log_likelihood(rows, arities, child, parents, weights) - penalty


def aic(rows, arities, child, parents, weights=None):
    penalty = free_parameters(arities, child, parents)
    return log_likelihood(rows, arities, child, parents, weights) - penalty
