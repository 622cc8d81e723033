# SPDX-License-Identifier: MIT
"""The best networks by trying every DAG."""

from oracles.graphs import all_dags


def best_dags(score, n, max_parents=None, required=(), forbidden=()):
    """Return the best score and all DAGs that have it, up to rounding."""
    best, dags = float("-inf"), []
    for dag in all_dags(n):
        parents = [sorted(a for a, b in dag if b == v) for v in range(n)]
        if max_parents is not None and max(map(len, parents)) > max_parents:
            continue
        if not set(required) <= dag or set(forbidden) & dag:
            continue
        total = sum(score(v, parents[v]) for v in range(n))
        if total > best + 1e-6:
            best, dags = total, []
        if total >= best - 1e-6:
            best = max(best, total)
            dags.append(dag)
    return best, dags
