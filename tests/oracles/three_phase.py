# SPDX-License-Identifier: MIT
"""The skeleton of TPDA as its phases are told, with every path of the current graph listed."""

from itertools import combinations

from oracles import graphs


def paths(n, edges, x, y):
    return list(graphs.paths(n, edges, x, y))


def needed(n, edges, x, y, information, threshold, wide):
    """EdgeNeeded: descend from sets on paths of the graph without x - y."""
    ways = paths(n, edges, x, y)
    on_paths = {v for way in ways for v in way} - {x, y}

    def near(v):
        return {w for w in on_paths if (min(v, w), max(v, w)) in edges}

    sets = [{way[1] for way in ways} - {y}, {way[-2] for way in ways} - {x}]
    if wide:
        sets = [s.union(*(near(v) for v in s)) for s in sets]
    sets.sort(key=len)
    for condition in sets[:1] if wide else sets:
        value = information(x, y, condition)
        if value <= threshold:
            return False
        while len(condition) > 1:
            smaller = [condition - {v} for v in sorted(condition)]
            values = [information(x, y, rest) for rest in smaller]
            if min(values) <= threshold:
                return False
            if min(values) > value:
                break
            value, condition = min(values), smaller[values.index(min(values))]
    return True


def skeletons(n, information, threshold):
    """Return the edges after each of the three phases."""
    strength = {(x, y): information(x, y, set()) for x, y in combinations(range(n), 2)}
    strong = [pair for pair, value in strength.items() if value > threshold]
    edges, rest = [], []
    for pair in sorted(strong, key=lambda pair: -strength[pair]):
        (rest if paths(n, edges, *pair) else edges).append(pair)
    after = [set(edges)]
    for pair in rest:
        if needed(n, edges, *pair, information, threshold, wide=False):
            edges.append(pair)
    after.append(set(edges))
    for wide in (False, True):
        for pair in list(edges):
            others = [edge for edge in edges if edge != pair]
            if paths(n, others, *pair) and not needed(
                n, others, *pair, information, threshold, wide
            ):
                edges = others
    return [*after, set(edges)]
