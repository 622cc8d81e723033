# SPDX-License-Identifier: MIT
"""The operators of greedy equivalence search told by their members, one arc at a time."""

from itertools import permutations

from oracles.graphs import is_acyclic, skeleton, v_structures

INSERT, DELETE, TURN = 0, 1, 2


def class_key(dag):
    return skeleton(dag), v_structures(dag)


def operators(n, members, directed, undirected):
    """Map every operator (kind, x, y, set) of a class to the DAG pairs (before, after) behind it.

    An operator stands for the members in which y has the parents that its set names and in which
    the arc x -> y can be added, deleted, or turned out of y -> x into another class.
    """

    def neighbours(v):
        return {a + b - v for a, b in undirected if v in (a, b)}

    def adjacent(v):
        return neighbours(v) | {a + b - v for a, b in directed if v in (a, b)}

    found = {}
    for dag in members:
        for x, y in permutations(range(n), 2):
            parents = {a for a, b in dag if b == y}
            na = neighbours(y) & adjacent(x)
            if (x, y) in dag:
                kind, chosen, after = DELETE, na - parents, dag - {(x, y)}
            elif (y, x) in dag:
                kind, chosen = TURN, neighbours(y) & parents
                after = dag - {(y, x)} | {(x, y)}
                if class_key(after) == class_key(dag):
                    continue
            else:
                kind, chosen, after = INSERT, neighbours(y) & parents - na, dag | {(x, y)}
                if not na <= parents:
                    continue
            if is_acyclic(n, after):
                operator = kind, x, y, tuple(sorted(chosen))
                found.setdefault(operator, []).append((dag, after))
    return found
