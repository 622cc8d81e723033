# SPDX-License-Identifier: MIT
"""Entropy cuts with the MDL stop, straight from Fayyad and Irani (1993): slow, no arrays."""

from collections import Counter
from math import log2


def entropy(labels):
    return -sum(c / len(labels) * log2(c / len(labels)) for c in Counter(labels).values())


def mdlp_cuts(pairs):
    """Return the increasing cuts for (number, class) pairs."""
    pairs = sorted(pairs)
    labels = [label for _, label in pairs]
    n = len(pairs)
    best = None
    for i in range(1, n):
        if pairs[i - 1][0] == pairs[i][0]:
            continue
        left = (i * entropy(labels[:i]) + (n - i) * entropy(labels[i:])) / n
        if best is None or left < best[0] - 1e-12:
            best = (left, i)
    if best is None:
        return []
    left, i = best
    gain = entropy(labels) - left
    k, k1, k2 = len(set(labels)), len(set(labels[:i])), len(set(labels[i:]))
    delta = log2(3**k - 2) - (
        k * entropy(labels) - k1 * entropy(labels[:i]) - k2 * entropy(labels[i:])
    )
    if gain <= (log2(n - 1) + delta) / n:
        return []
    middle = (pairs[i - 1][0] + pairs[i][0]) / 2
    return [*mdlp_cuts(pairs[:i]), middle, *mdlp_cuts(pairs[i:])]
