# SPDX-License-Identifier: MIT
"""From a PDAG to a DAG that extends it, and from a DAG to the CPDAG of its class.

Graphs are given as bit rows: `parents[v]`, `children[v]` and `neighbours[v]` are the sets of nodes
joined to `v` by `u -> v`, `v -> u` and `u - v`.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

from stigmergy.graph._bits import bits, closure, mask_of

Rows = Sequence[int]


def transpose(rows: Rows) -> list[int]:
    """Return the rows of the reversed relation: children from parents, or the other way."""
    result = [0] * len(rows)
    for node, row in enumerate(rows):
        for other in bits(row):
            result[other] |= 1 << node
    return result


def topological_order(parents: Rows, children: Rows) -> list[int]:
    """Order the nodes, parents first and among the possible ones the smallest first.

    On a cyclic graph the result is shorter than the graph: it lacks the nodes on directed cycles
    and all below them.
    """
    waiting = [row.bit_count() for row in parents]
    ready = [node for node, count in enumerate(waiting) if count == 0]
    order: list[int] = []
    while ready:
        node = heappop(ready)
        order.append(node)
        for child in bits(children[node]):
            waiting[child] -= 1
            if waiting[child] == 0:
                heappush(ready, child)
    return order


def directed_cycle(parents: Rows, children: Rows) -> list[int] | None:
    """Return one directed cycle as its nodes in the direction of the arcs, or None."""
    order = topological_order(parents, children)
    if len(order) == len(parents):
        return None
    left = (1 << len(parents)) - 1
    for node in order:
        left &= ~(1 << node)
    # Every node left has a parent left, so walking up must come back to a node already seen.
    path: list[int] = []
    node = next(bits(left))
    while node not in path:
        path.append(node)
        node = next(bits(parents[node] & left))
    cycle = path[path.index(node) :][::-1]
    first = cycle.index(min(cycle))
    return cycle[first:] + cycle[:first]


def consistent_extension(parents: Rows, children: Rows, neighbours: Rows) -> tuple[list[int], int]:
    """Return the parents of a DAG that extends the PDAG, and the nodes where that failed.

    The nodes are the empty set on success; else their induced graph has no extension.

    The DAG has the skeleton and the v-structures of the PDAG and keeps its directed edges. The
    algorithm removes sinks one by one; a node `x` can be taken as the last one if nothing leaves
    it and each of its neighbours is joined to all other nodes joined to `x`. Of several such nodes
    the smallest number goes first.

    References
    ----------
    D. Dor and M. Tarsi (1992), A simple algorithm to construct a consistent extension of a
    partially oriented graph, Technical Report R-185, Cognitive Systems Laboratory, UCLA.
    """
    n_nodes = len(parents)
    left = (1 << n_nodes) - 1
    joined = [parents[v] | children[v] | neighbours[v] for v in range(n_nodes)]
    result = list(parents)

    def is_sink(x: int) -> bool:
        around = joined[x] & left
        return not children[x] & left and all(
            not around & ~joined[y] & ~(1 << y) for y in bits(neighbours[x] & left)
        )

    # A sink stays one while others leave, so each node enters the heap once: when its last
    # obstacle goes, which is a node joined to it.
    sinks = [x for x in range(n_nodes) if is_sink(x)]
    queued = mask_of(sinks)
    while sinks:
        x = heappop(sinks)
        result[x] |= neighbours[x] & left
        left &= ~(1 << x)
        for y in bits(joined[x] & left & ~queued):
            if is_sink(y):
                heappush(sinks, y)
                queued |= 1 << y
    return result, left


def compelled_parents(parents: Rows, children: Rows) -> list[int]:
    """Return for each node the parents whose arc is the same in all DAGs of the class.

    Chickering labels the arcs node by node in a topological order. All arcs into `y` are settled
    by one look at its parent `x` that comes last in that order, so a node costs a few set
    operations.

    References
    ----------
    D. M. Chickering (1995), A transformational characterization of equivalent Bayesian network
    structures, UAI-95, 87-98: algorithms Order-Edges and Label-Edges.
    """
    order = topological_order(parents, children)
    position = [0] * len(order)
    for place, node in enumerate(order):
        position[node] = place
    compelled = [0] * len(order)
    for y in order:
        if not parents[y]:
            continue
        x = max(bits(parents[y]), key=position.__getitem__)
        if compelled[x] & ~parents[y]:  # w -> x -> y with w, y apart
            compelled[y] = parents[y]
            continue
        compelled[y] = compelled[x]
        if parents[y] & ~parents[x] & ~(1 << x):  # x -> y <- z with x, z apart
            compelled[y] = parents[y]
    return compelled


def complete(parents: Rows) -> tuple[list[int], list[int]]:
    """Return the parents and the neighbours of each node in the CPDAG of a DAG."""
    compelled = compelled_parents(parents, transpose(parents))
    reversible = [row & ~kept for row, kept in zip(parents, compelled, strict=True)]
    other_way = transpose(reversible)
    return compelled, [a | b for a, b in zip(reversible, other_way, strict=True)]


def components(neighbours: Rows, within: int) -> list[int]:
    """Return the connected components of the undirected edges among `within`, smallest first."""
    result = []
    rows = [row & within for row in neighbours]
    while within:
        start = within & -within
        component = start | closure(rows, start)
        result.append(component)
        within &= ~component
    return result
