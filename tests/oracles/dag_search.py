# SPDX-License-Identifier: MIT
"""Naive searches over DAGs, every move scored by scoring the whole graph twice.

Nodes are 0 .. n-1, a DAG a frozenset of arcs (parent, child). `family(child, parents)` scores a
family, `parents` a sorted tuple. Nothing here imports the package under test or tries to be fast.
"""

from dataclasses import dataclass, field

from oracles.graphs import all_dags, is_acyclic

TOLERANCE = 1e-6
ADD, REMOVE, REVERSE = range(3)


@dataclass(frozen=True)
class Rules:
    """What a DAG must obey; `candidates` restricts additions only."""

    max_parents: int = 99
    required: frozenset = frozenset()
    forbidden: frozenset = frozenset()
    candidates: frozenset | None = field(default=None)

    def obeyed_by(self, n, dag):
        return (
            is_acyclic(n, dag)
            and self.required <= dag
            and not self.forbidden & dag
            and all(len(parents_of(dag, v)) <= self.max_parents for v in range(n))
        )


def parents_of(dag, v):
    return tuple(sorted(x for x, y in dag if y == v))


def score(n, dag, family):
    return sum(family(v, parents_of(dag, v)) for v in range(n))


def neighbours(n, dag, rules):
    """List (move, DAG) for each legal move, in the order in which ties are broken."""
    found = []
    for change in (ADD, REMOVE, REVERSE):
        for x in range(n):
            for y in range(n):
                new = None
                if change == ADD and x != y and not {(x, y), (y, x)} & dag:
                    new = {(x, y)}
                elif change == REMOVE and (x, y) in dag:
                    new = set()
                elif change == REVERSE and (x, y) in dag:
                    new = {(y, x)}
                if new is None or (rules.candidates is not None and not new <= rules.candidates):
                    continue
                after = frozenset((dag - {(x, y)}) | new)
                if rules.obeyed_by(n, after):
                    found.append(((change, x, y), after))
    return found


def best_move(n, dag, family, rules, tabu=()):
    now = score(n, dag, family)
    scored = [
        (score(n, after, family) - now, move, after)
        for move, after in neighbours(n, dag, rules)
        if after not in tabu
    ]
    if not scored:
        return None
    greatest = max(gain for gain, _, _ in scored)
    return next(entry for entry in scored if entry[0] >= greatest - TOLERANCE)


def hill_climb(n, dag, family, rules):
    """Return the DAGs that plain hill climbing goes through, the start first."""
    path = [dag]
    while (found := best_move(n, path[-1], family, rules)) and found[0] > TOLERANCE:
        path.append(found[2])
    return path


def tabu_search(n, dag, family, rules, length, patience):
    """Return the DAGs that tabu search goes through, the start first, and the best of them."""
    path, best, waiting = [dag], dag, 0
    while waiting < patience:
        found = best_move(n, path[-1], family, rules, path[-length:])
        if found is None:
            break
        path.append(found[2])
        waiting += 1
        if score(n, path[-1], family) > score(n, best, family) + TOLERANCE:
            best, waiting = path[-1], 0
    return path, best


def best_score(n, family, rules):
    """Return the greatest score of all DAGs that obey the rules."""
    return max(score(n, dag, family) for dag in all_dags(n) if rules.obeyed_by(n, dag))
