# SPDX-License-Identifier: MIT
"""Small random problems for searches over DAGs, as the core and the naive twins see them."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from oracles.dag_search import Rules
from stigmergy import _core


@dataclass
class Case:
    """A table of family scores, rules, and a DAG that obeys them."""

    n: int
    table: dict
    rules: Rules
    start: frozenset

    def family(self, child, parents):
        return self.table[child, tuple(sorted(parents))]

    def scorer(self):
        return _core.Scorer.from_function(self.n, self.family, self.rules.max_parents, 1 << 20)

    def arc_rules(self):
        return _core.ArcRules(self.n, sorted(self.rules.required), sorted(self.rules.forbidden))

    def candidates(self):
        return None if self.rules.candidates is None else sorted(self.rules.candidates)

    def graph(self, dag=None):
        return _core.Pdag(self.n, sorted(self.start if dag is None else dag))

    def moves(self, n_threads=1):
        return _core.ArcMoves(
            self.scorer(),
            self.arc_rules(),
            self.graph(),
            _core.Stop(),
            candidates=self.candidates(),
            n_threads=n_threads,
        )


def random_table(n, rng, *, ties=False):
    """Score every family at random; few parents are worth most. With ties, by whole numbers."""
    table = {}
    for child in range(n):
        others = [v for v in range(n) if v != child]
        for size in range(n):
            for parents in combinations(others, size):
                value = rng.normal(scale=3) - size
                table[child, parents] = float(round(value)) if ties else float(value)
    return table


def equivalent_table(n, rng, n_rows=60):
    """Score families by BIC on random binary rows: equal for equivalent DAGs."""
    rows = np.zeros((n_rows, n), dtype=int)
    order = rng.permutation(n)
    for i, v in enumerate(order):
        before = order[:i][rng.random(i) < 0.5]
        chance = 0.2 + 0.6 * (rows[:, before].sum(axis=1) % 2)
        rows[:, v] = rng.random(n_rows) < chance
    table = {}
    for child in range(n):
        others = [v for v in range(n) if v != child]
        for size in range(n):
            for parents in combinations(others, size):
                key = rows[:, list(parents)] @ (2 ** np.arange(size))
                value = -0.5 * np.log(n_rows) * 2**size
                for k in np.unique(key):
                    counts = np.bincount(rows[key == k, child], minlength=2)
                    seen = counts[counts > 0]
                    value += float((seen * np.log(seen / seen.sum())).sum())
                table[child, parents] = value
    return table


def random_case(seed, n, *, ties=False, limited=True, equivalent=False, restricted=False):
    """Draw a problem; a limited one has required and forbidden arcs and a parent limit."""
    rng = np.random.default_rng(seed)
    table = equivalent_table(n, rng) if equivalent else random_table(n, rng, ties=ties)
    order = [int(v) for v in rng.permutation(n)]
    forward = list(combinations(order, 2))
    max_parents = int(rng.integers(1, n)) if limited and n > 1 else max(n - 1, 0)

    def some(arcs, chance):
        return {arc for arc in arcs if rng.random() < chance}

    def within(arcs):
        kept = set()
        for x, y in sorted(arcs):
            if sum(child == y for _, child in kept) < max_parents:
                kept.add((x, y))
        return kept

    start = within(some(forward, 0.3))
    required = some(sorted(start), 0.3) if limited else set()
    everything = {(x, y) for x in range(n) for y in range(n) if x != y}
    forbidden = some(sorted(everything - start), 0.2) if limited else set()
    candidates = frozenset(some(sorted(everything), 0.6)) if restricted else None
    rules = Rules(max_parents, frozenset(required), frozenset(forbidden), candidates)
    return Case(n, table, rules, frozenset(start))


def cases(max_nodes=5, **options):
    """Draw cases for hypothesis."""
    return st.builds(
        random_case,
        st.integers(0, 2**32 - 1),
        st.integers(1, max_nodes),
        ties=st.booleans(),
        limited=st.booleans(),
        **options,
    )


def arcs_of(graph):
    """Return the arcs of a core graph that has no links."""
    assert graph.undirected_edges() == []
    return frozenset(graph.directed_edges())
