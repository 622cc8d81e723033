# SPDX-License-Identifier: MIT
"""MMPC as its pseudo-code has it, with every association computed anew from all subsets."""

from itertools import chain, combinations


def subsets(nodes):
    nodes = sorted(nodes)
    return chain.from_iterable(combinations(nodes, k) for k in range(len(nodes) + 1))


def min_association(p_value, x, target, nodes):
    """Return the greatest p-value over all subsets; sets without a test (None) are left out."""
    values = [p_value(x, target, given) for given in subsets(nodes)]
    return max((value for value in values if value is not None), default=1.0)


def mmpc_bar(n, p_value, alpha, target):
    cpc = []
    while True:
        others = [x for x in range(n) if x != target and x not in cpc]
        found = {x: min_association(p_value, x, target, cpc) for x in others}
        dependent = [x for x in others if found[x] <= alpha]
        if not dependent:
            break
        cpc.append(min(dependent, key=lambda x: (found[x], x)))
    for x in list(cpc):
        rest = [v for v in cpc if v != x]
        if min_association(p_value, x, target, rest) > alpha:
            cpc = rest
    return cpc


def mmpc(n, p_value, alpha):
    """Return the symmetric neighbours of each node."""
    rows = [mmpc_bar(n, p_value, alpha, target) for target in range(n)]
    return [{x for x in row if t in rows[x]} for t, row in enumerate(rows)]
