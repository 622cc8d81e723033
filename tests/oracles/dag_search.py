# SPDX-License-Identifier: MIT
"""Naive searches over DAGs, every move scored by scoring the whole graph twice.

Nodes are 0 .. n-1, a DAG a frozenset of arcs (parent, child). `family(child, parents)` scores a
family, `parents` a sorted tuple. Nothing here imports the package under test or tries to be fast.
"""

import math
from dataclasses import dataclass, field
from itertools import combinations, product

from oracles.graphs import all_dags, all_pdags, is_acyclic

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


# -- searches by chance; `random` has uniform() in [0, 1) and below(n), drawn in written order ----


def draw_move(n, dag, rules, random):
    """Draw a legal move, each equally likely: a pair and a coin, until they name one."""
    legal = dict(neighbours(n, dag, rules))
    while True:
        x = random.below(n)
        y = random.below(n - 1)
        y += y >= x
        tails = random.below(2) == 1
        move = (REVERSE if tails else REMOVE if (x, y) in dag else ADD, x, y)
        if move in legal:
            return move, legal[move]


def anneal(n, dag, family, rules, random, temperatures, tries, changes):
    """Return the DAGs after each temperature and the best DAG met."""
    best, ends = dag, []
    for temperature in temperatures:
        made = 0
        for _ in range(tries):
            if made == changes:
                break
            _, after = draw_move(n, dag, rules, random)
            chance = math.exp((score(n, after, family) - score(n, dag, family)) / temperature)
            if chance < 1 and random.uniform() >= chance:
                continue
            dag = after
            made += 1
            if score(n, dag, family) > score(n, best, family):
                best = dag
        ends.append((made, dag))
    return ends, best


def ant(n, dag, family, rules, pheromone, random, *, rho, q0, beta, tau0, static):
    """Walk one ant of ACO-B; `pheromone` is a dictionary by arc and is updated."""
    start = dag
    while True:
        choices = []
        for y in range(n):
            for x in range(n):
                now = parents_of(dag, y)
                if not is_addable(n, dag, rules, (x, y)):
                    continue
                gain = family(y, (*now, x)) - family(y, now)
                if gain <= TOLERANCE:
                    continue
                if static:
                    first = parents_of(start, y)
                    liked = family(y, (*first, x)) - family(y, first)
                else:
                    liked = gain
                weight = pheromone[x, y] * liked**beta if liked > TOLERANCE else 0.0
                choices.append(((x, y), weight))
        greedy = random.uniform() <= q0
        choices = [(arc, weight) for arc, weight in choices if weight > 0]
        if not choices:
            return dag
        if greedy:
            greatest = max(weight for _, weight in choices)
            arc = min(arc for arc, weight in choices if weight == greatest)
        else:
            total = 0.0
            for _, weight in choices:
                total += weight
            left = random.uniform() * total
            for arc, weight in choices:  # noqa: B007
                left -= weight
                if left < 0:
                    break
        pheromone[arc] = (1 - rho) * pheromone[arc] + rho * tau0
        dag = dag | {arc}


def is_addable(n, dag, rules, arc):
    x, y = arc
    return x != y and not {(x, y), (y, x)} & dag and rules.obeyed_by(n, dag | {arc})


def draw_dag(n, dag, rules, probability, random):
    """Draw arcs, each with its probability, and add in random order those that are legal."""
    drawn = []
    for y in range(n):
        for x in range(n):
            allowed = x != y and (x, y) not in rules.forbidden and (y, x) not in rules.required
            if allowed and random.uniform() < probability[x, y]:
                drawn.append((x, y))
    for left in range(len(drawn), 1, -1):
        chosen = random.below(left)
        drawn[left - 1], drawn[chosen] = drawn[chosen], drawn[left - 1]
    for arc in drawn:
        if is_addable(n, dag, rules, arc):
            dag = dag | {arc}
    return dag


# -- other operators -------------------------------------------------------------------------------


def best_reinsertion(n, dag, family, rules, target):
    """Return the greatest score of all DAGs that differ from `dag` in arcs at the target only."""
    kept = frozenset(arc for arc in dag if target not in arc)
    others = [v for v in range(n) if v != target]
    scores = []
    for marks in product((0, 1, 2), repeat=len(others)):
        arcs = {
            (v, target) if mark == 1 else (target, v)
            for v, mark in zip(others, marks, strict=True)
            if mark
        }
        if rules.obeyed_by(n, kept | arcs):
            scores.append(score(n, kept | arcs, family))
    return max(scores)


def needed_parent_sets(n, family, rules, target):
    """Return the legal parent sets that score better than each of their legal subsets."""
    others = [v for v in range(n) if v != target]
    legal = {}
    for size in range(min(rules.max_parents, n - 1) + 1):
        for parents in combinations(others, size):
            arcs = {(p, target) for p in parents}
            turned = {(y, x) for x, y in rules.required}
            required = {arc for arc in rules.required if arc[1] == target}
            if required <= arcs and not arcs & (rules.forbidden | turned):
                legal[frozenset(parents)] = family(target, parents)
    return {
        parents
        for parents, value in legal.items()
        if all(value > legal[other] + TOLERANCE for other in legal if other < parents)
    }


def candidate_parents(n, dag, family, rules, k):
    """Return, as arcs, each node's parents and the k best to join them."""
    arcs = set(dag)
    for child in range(n):
        parents = parents_of(dag, child)
        base = parents if len(parents) < rules.max_parents else ()
        allowed = [
            x
            for x in range(n)
            if x != child
            and x not in parents
            and (x, child) not in rules.forbidden
            and (child, x) not in rules.required
        ]
        if len(base) < rules.max_parents:
            best = sorted(allowed, key=lambda x: (-family(child, (*base, x)), x))
            arcs |= {(x, child) for x in best[: max(0, k - len(parents))]}
    return arcs


# -- restricted PDAGs (Acid & de Campos 2003), as pairs (directed, undirected) --------------------


def is_restricted(n, graph):
    """Definition 1, literally."""
    directed, links = graph
    for y in range(n):
        if parents_of(directed, y) and any(y in link for link in links):
            return False
    if not is_acyclic(n, directed) or has_link_cycle(n, links):
        return False
    return all(len(parents_of(directed, y)) >= 2 or parents_of(directed, x) for x, y in directed)


def has_link_cycle(n, links):
    group = list(range(n))
    for a, b in sorted(links):
        if group[a] == group[b]:
            return True
        old, new = group[a], group[b]
        group = [new if g == old else g for g in group]
    return False


def restricted_extensions(n, graph):
    """Definition 2: the DAGs with the same skeleton, arcs and head-to-head patterns."""
    directed, links = graph

    def patterns(arcs):
        return {(frozenset((x, z)), y) for x, y in arcs for z, v in arcs if v == y and x != z}

    for marks in product((0, 1), repeat=len(links)):
        turned = {(b, a) if mark else (a, b) for (a, b), mark in zip(links, marks, strict=True)}
        arcs = directed | turned
        if is_acyclic(n, arcs) and patterns(arcs) == patterns(directed):
            yield frozenset(arcs)


def restricted_of_every_dag(n):
    """Return for each DAG the restricted PDAG that it extends: there is exactly one."""
    found = {}
    for graph in all_pdags(n):
        if is_restricted(n, graph):
            for dag in restricted_extensions(n, graph):
                assert dag not in found
                found[dag] = graph
    return found
