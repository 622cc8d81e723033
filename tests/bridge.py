# SPDX-License-Identifier: MIT
"""From the oracles' numbered sets to the core's values and back."""

import random
from functools import cache

from oracles import equivalence as oracle
from stigmergy import _core


def core(n, graph):
    return _core.Pdag(n, sorted(graph[0]), sorted(graph[1]))


def sets(graph):
    return frozenset(graph.directed_edges()), frozenset(graph.undirected_edges())


def named(move):
    nodes = (move.x, move.y) if move.z == 0xFFFF else (move.x, move.y, move.z)
    return (oracle.OPERATORS[move.operator], *nodes)


def random_equivalent_score(seed):
    """s(v, P) = f(P + v) - f(P) with random integers f: score-equivalent and without rounding."""

    @cache
    def f(nodes):
        return random.Random(f"{seed}:{sorted(nodes)}").randrange(-(2**40), 2**40)

    def family(v, parents):
        return float(f(frozenset(parents) | {v}) - f(frozenset(parents)))

    return family


def scorer_of(n, family, max_parents=100):
    return _core.Scorer.from_function(n, lambda v, p: family(v, tuple(p)), max_parents, 1 << 24)
