# SPDX-License-Identifier: MIT
"""Ancestral graphs by enumeration, straight from the definitions of Richardson & Spirtes (2002).

A graph on nodes 0 .. n-1 is a dictionary {(x, y): mark at y} with both directions of every edge and
the marks ">" and "-".
"""

from collections import defaultdict
from itertools import chain, combinations, product

KINDS = (None, ("-", ">"), (">", "-"), (">", ">"), ("-", "-"))  # marks at x and at y, for x < y


def subsets(nodes):
    return chain.from_iterable(combinations(nodes, k) for k in range(len(nodes) + 1))


def all_graphs(n):
    pairs = list(combinations(range(n), 2))
    for kinds in product(KINDS, repeat=len(pairs)):
        graph = {}
        for (x, y), kind in zip(pairs, kinds, strict=True):
            if kind:
                graph[y, x], graph[x, y] = kind
        yield graph


def ancestors(n, graph):
    """Return for each node the nodes with a directed path to it, itself included."""
    parents = {
        v: {u for u in range(n) if graph.get((u, v)) == ">" and graph[v, u] == "-"}
        for v in range(n)
    }
    above = {v: {v} for v in range(n)}
    for _ in range(n):
        for v in range(n):
            above[v] = {v}.union(*(above[u] for u in parents[v] | above[v]), parents[v])
    return above


def is_ancestral(n, graph):
    above = ancestors(n, graph)
    for (x, y), mark in graph.items():
        back = graph[y, x]
        if mark == ">" and back == "-" and y in above[x]:
            return False  # a directed cycle
        if mark == ">" and back == ">" and x in above[y]:
            return False  # an almost directed cycle
        if (
            mark == "-"
            and back == "-"
            and any(graph.get((z, v)) == ">" for z in range(n) for v in (x, y))
        ):
            return False  # an arrowhead at the end of an undirected edge
    return True


def paths(n, graph, x, y):
    def extend(path):
        if path[-1] == y:
            yield path
            return
        for v in range(n):
            if v not in path and (path[-1], v) in graph:
                yield from extend([*path, v])

    yield from extend([x])


def is_m_separated(n, graph, x, y, given, above=None):
    above = above or ancestors(n, graph)
    opens = set().union(*(above[z] for z in given)) if given else set()
    for path in paths(n, graph, x, y):
        blocked = False
        for a, v, b in zip(path, path[1:], path[2:], strict=False):
            if graph[a, v] == ">" and graph[b, v] == ">":
                blocked |= v not in opens
            else:
                blocked |= v in given
        if not blocked:
            return False
    return True


def model(n, graph):
    """Return all (x, y, given) that are m-separated."""
    above = ancestors(n, graph)
    found = set()
    for x, y in combinations(range(n), 2):
        if (x, y) not in graph:
            others = [v for v in range(n) if v not in (x, y)]
            found |= {
                (x, y, given)
                for given in subsets(others)
                if is_m_separated(n, graph, x, y, given, above)
            }
    return frozenset(found)


def is_maximal(n, graph, separations):
    apart = {pair for pair in combinations(range(n), 2) if pair not in graph}
    return apart == {(x, y) for x, y, _ in separations}


def classes(n):
    """Group the maximal ancestral graphs by what is separated in them."""
    groups = defaultdict(list)
    for graph in all_graphs(n):
        if is_ancestral(n, graph):
            separations = model(n, graph)
            if is_maximal(n, graph, separations):
                groups[separations].append(graph)
    return groups


def pag_of_class(graphs):
    """Keep the marks that all members share; the others are circles."""
    return {
        end: graphs[0][end] if len({graph[end] for graph in graphs}) == 1 else "o"
        for end in graphs[0]
    }
