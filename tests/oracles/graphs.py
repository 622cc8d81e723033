# SPDX-License-Identifier: MIT
"""Naive graph theory over small numbered graphs, straight from the definitions.

Nodes are 0 .. n-1; a DAG is a frozenset of arcs (from, to); a PDAG is a pair (directed,
undirected) of frozensets, the undirected edges as pairs (a, b) with a < b. Nothing here imports
the package under test or tries to be fast.
"""

from collections import defaultdict
from itertools import combinations, pairwise, permutations, product


def is_acyclic(n, arcs):
    left = set(range(n))
    while left:
        roots = {v for v in left if not any((u, v) in arcs for u in left)}
        if not roots:
            return False
        left -= roots
    return True


def all_dags(n):
    """List every labelled DAG on n nodes."""
    pairs = list(combinations(range(n), 2))
    for marks in product((0, 1, 2), repeat=len(pairs)):
        arcs = frozenset(
            (a, b) if mark == 1 else (b, a)
            for (a, b), mark in zip(pairs, marks, strict=True)
            if mark
        )
        if is_acyclic(n, arcs):
            yield arcs


def all_pdags(n):
    """List every graph with at most one edge per pair and no directed cycle."""
    pairs = list(combinations(range(n), 2))
    for marks in product((0, 1, 2, 3), repeat=len(pairs)):
        marked = list(zip(pairs, marks, strict=True))
        directed = frozenset(
            (a, b) if mark == 1 else (b, a) for (a, b), mark in marked if mark in (1, 2)
        )
        if is_acyclic(n, directed):
            yield directed, frozenset(pair for pair, mark in marked if mark == 3)


def skeleton(directed, undirected=()):
    return frozenset((min(edge), max(edge)) for edge in [*directed, *undirected])


def v_structures(directed, undirected=()):
    joined = skeleton(directed, undirected)
    return frozenset(
        (a, c, b)
        for a, c in directed
        for b, d in directed
        if c == d and a < b and (a, b) not in joined
    )


def classes(dags):
    """Group DAGs by Verma and Pearl's criterion: equal skeleton and equal v-structures."""
    groups = defaultdict(list)
    for dag in dags:
        groups[skeleton(dag), v_structures(dag)].append(dag)
    return list(groups.values())


def cpdag_of_class(members):
    """Direct an edge when all members agree on its direction."""
    directed = frozenset.intersection(*map(frozenset, members))
    undirected = skeleton(members[0]) - skeleton(directed)
    return directed, undirected


def extensions(n, directed, undirected):
    """List the DAGs with the PDAG's skeleton, v-structures and directed edges."""
    undirected = sorted(undirected)
    wanted = v_structures(directed, undirected)
    for turns in product((False, True), repeat=len(undirected)):
        chosen = [
            edge[::-1] if turn else edge for edge, turn in zip(undirected, turns, strict=True)
        ]
        dag = frozenset(directed) | frozenset(chosen)
        if v_structures(dag) == wanted and is_acyclic(n, dag):
            yield dag


def meek_closure(n, directed, undirected):
    """Apply Meek's four rules until none applies."""
    directed, undirected = set(directed), set(undirected)

    def line(a, b):
        return (min(a, b), max(a, b)) in undirected

    def apart(a, b):
        return a != b and not line(a, b) and (a, b) not in directed and (b, a) not in directed

    def joined(a, b):
        return a != b and not apart(a, b)

    def implied(a, b):
        others = [v for v in range(n) if v not in (a, b)]
        return (
            any((c, a) in directed and apart(c, b) for c in others)
            or any((a, c) in directed and (c, b) in directed for c in others)
            or any(
                line(a, c) and line(a, d) and (c, b) in directed and (d, b) in directed
                for c, d in combinations(others, 2)
                if apart(c, d)
            )
            or any(
                line(a, c) and joined(a, d) and (c, d) in directed and (d, b) in directed
                for c, d in permutations(others, 2)
                if apart(c, b)
            )
        )

    changed = True
    while changed:
        changed = False
        for a, b in sorted(undirected):
            for tail, head in ((a, b), (b, a)):
                if (a, b) in undirected and implied(tail, head):
                    undirected.remove((a, b))
                    directed.add((tail, head))
                    changed = True
    return frozenset(directed), frozenset(undirected)


def ancestors(n, arcs, nodes):
    """Return the nodes with a directed path to one of `nodes`, these included."""
    result = set(nodes)
    for _ in range(n):
        result |= {a for a, b in arcs if b in result}
    return result


def descendants(n, arcs, nodes):
    return ancestors(n, {(b, a) for a, b in arcs}, nodes)


def paths(n, arcs, x, y):
    """List the paths from x to y in the skeleton, as node sequences without repetition."""
    edges = skeleton(arcs)

    def extend(path):
        if path[-1] == y:
            yield path
            return
        for v in range(n):
            if v not in path and (min(v, path[-1]), max(v, path[-1])) in edges:
                yield from extend([*path, v])

    yield from extend([x])


def is_blocked(n, arcs, path, given):
    """Say whether a path is blocked: a given non-collider, or a collider with none given below."""
    for a, v, b in zip(path, path[1:], path[2:], strict=False):
        if (a, v) in arcs and (b, v) in arcs:
            if not descendants(n, arcs, {v}) & set(given):
                return True
        elif v in given:
            return True
    return False


def is_d_separated(n, arcs, x, y, given):
    return all(is_blocked(n, arcs, path, given) for path in paths(n, arcs, x, y))


def is_d_separated_moral(n, arcs, x, y, given):
    """Decide by separation in the moral graph of the ancestors (Lauritzen et al. 1990)."""
    kept = ancestors(n, arcs, {x, y, *given})
    links = {frozenset(arc) for arc in arcs if set(arc) <= kept}
    links |= {
        frozenset((a, b)) for a, c in arcs for b, d in arcs if c == d and a != b and c in kept
    }
    reached = {x}
    for _ in range(n):
        near = {v for link in links if link & reached for v in link}
        reached |= near - set(given)
    return y not in reached


def shd(first, second):
    """Count the pairs on which two PDAGs differ: missing, extra or otherwise directed."""

    def mark(pdag, a, b):
        directed, undirected = pdag
        return ((a, b) in directed, (b, a) in directed, (a, b) in undirected)

    pairs = skeleton(*first) | skeleton(*second)
    return sum(mark(first, a, b) != mark(second, a, b) for a, b in pairs)


def is_misjudged(n, truth, cause, effect, adjustment):
    """Say whether adjusting for a set gives the wrong effect, by Peters and Buehlmann's criterion.

    The set must block all paths but the directed ones and hold no descendant of a node on these. An
    effect in the set counts as no effect.
    """
    if effect in adjustment:
        return effect in descendants(n, truth, {cause})
    directed_paths = []
    for path in paths(n, truth, cause, effect):
        if all(arc in truth for arc in pairwise(path)):
            directed_paths.append(path)
        elif not is_blocked(n, truth, path, adjustment):
            return True
    on_the_way = {v for path in directed_paths for v in path if v != cause}
    return bool(descendants(n, truth, on_the_way) & set(adjustment))


def sid(n, truth, estimate):
    """Count the wrong effects when adjusting for the parents in the estimate."""
    return sum(
        is_misjudged(n, truth, i, j, {a for a, b in estimate if b == i})
        for i, j in permutations(range(n), 2)
    )
