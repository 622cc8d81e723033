# SPDX-License-Identifier: MIT
"""K2 and its relatives over orders, in plain Python."""

from itertools import combinations


def k2_parents(score, child, predecessors, max_parents, required=(), forbidden=()):
    """Cooper & Herskovits (1992): add the best predecessor while the score rises."""
    parents = frozenset(required)
    while len(parents) < max_parents:
        candidates = [z for z in sorted(predecessors) if z not in parents and z not in forbidden]
        if not candidates:
            break
        best = max(candidates, key=lambda z: (score(child, parents | {z}), -z))
        if not score(child, parents | {best}) > score(child, parents) + 1e-6:
            break
        parents |= {best}
    return parents


def k2_network(score, order, max_parents, required=(), forbidden=()):
    """Parents of every node of an order; `required` and `forbidden` are arcs."""
    return {
        child: k2_parents(
            score,
            child,
            order[:place],
            max_parents,
            {x for x, y in required if y == child},
            {x for x, y in forbidden if y == child},
        )
        for place, child in enumerate(order)
    }


def network_score(score, network):
    return sum(score(child, parents) for child, parents in network.items())


def follows(order, required):
    return all(order.index(x) < order.index(y) for x, y in required)


def k2sn(score, n, max_parents, required=(), forbidden=()):
    """The order that takes the node with the best K2 score next, and its network."""
    order = []
    while len(order) < n:

        def value(child):
            network = k2_network(score, [*order, child], max_parents, required, forbidden)
            return score(child, network[child])

        ready = [
            v for v in range(n) if v not in order and all(x in order for x, y in required if y == v)
        ]
        order.append(max(ready, key=lambda v: (value(v), -v)))
    return order, k2_network(score, order, max_parents, required, forbidden)


def hcsn(score, order, max_parents, required=(), forbidden=()):
    """Exchange the two nodes whose exchange gains most until none gains."""
    order = list(order)
    while True:
        old = network_score(score, k2_network(score, order, max_parents, required, forbidden))
        best = (1e-6, None)
        for i, j in combinations(range(len(order)), 2):
            other = list(order)
            other[i], other[j] = order[j], order[i]
            if not follows(other, required):
                continue
            network = k2_network(score, other, max_parents, required, forbidden)
            gain = network_score(score, network) - old
            if gain > best[0] + 1e-9:
                best = (gain, other)
        if best[1] is None:
            return order, k2_network(score, order, max_parents, required, forbidden)
        order = best[1]
