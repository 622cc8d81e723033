# SPDX-License-Identifier: MIT
"""What the searches over orders share."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from stigmergy import _core
from stigmergy.search.base import Run
from stigmergy.search.dag_space import start_dag


def topological_order(dag: _core.Pdag) -> list[int]:
    """Return the nodes with parents before children; of those that may come next, the smallest."""
    children: list[list[int]] = [[] for _ in range(len(dag))]
    missing = [0] * len(dag)
    for parent, child in dag.directed_edges():
        children[parent].append(child)
        missing[child] += 1
    ready = [node for node, number in enumerate(missing) if number == 0]
    heapify(ready)
    order = []
    while ready:
        node = heappop(ready)
        order.append(node)
        for child in children[node]:
            missing[child] -= 1
            if missing[child] == 0:
                heappush(ready, child)
    return order


def has_own_start(run: Run) -> bool:
    """Tell whether the run starts from more than the required edges."""
    required = _core.Pdag(run.scorer.n_nodes, run.scorer.rules.required_arcs(), [])
    return run.start != required.completed()


def start_order(run: Run) -> list[int]:
    """Return an order of the start's DAG: the first by names."""
    return topological_order(start_dag(run))


def grow_order(builder: _core.OrderBuilder, run: Run) -> bool:
    """Run K2SN: put next the node that scores best there. False when told to stop."""
    start_dag(run)  # within the parent limit
    builder.clear()
    while ready := builder.ready():
        if run.stop.requested():
            return False
        scores = builder.scores(ready)
        best = max(range(len(ready)), key=scores.__getitem__)  # the first of equals
        builder.place(ready[best])
    return True


def climb_orders(search: _core.OrderSearch, run: Run) -> None:
    """Run HCSN within one iteration: make the best exchange until none gains."""
    while (best := search.best_swap(run.stop)) is not None:
        i, j, _ = best
        search.swap(i, j)
