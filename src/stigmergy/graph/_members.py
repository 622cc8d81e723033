# SPDX-License-Identifier: MIT
"""The DAGs of an equivalence class: listed, counted, sampled.

The members of a class differ only in its undirected edges. These form chordal chain components, and
a member is any choice of an acyclic orientation without v-structures for each of them.

References
----------
S. A. Andersson, D. Madigan and M. D. Perlman (1997), A characterization of Markov equivalence
classes for acyclic digraphs, Annals of Statistics 25, 505-541.
C. Meek (1995), Causal inference and causal explanation with background knowledge, UAI-95, 403-410:
the orientation rules.
M. Wienöbst, M. Bannach and M. Liśkiewicz (2021), Polynomial-time algorithms for counting and
sampling Markov equivalent DAGs, AAAI-21, 12198-12206: the clique-picking algorithm.
"""

from collections.abc import Iterator, Sequence
from math import factorial, prod
from random import Random

from stigmergy.graph._bits import bits, union
from stigmergy.graph._completion import Rows, components


def oriented_rows(neighbours: Rows) -> Iterator[list[int]]:
    """Yield the parents of each orientation without cycles and v-structures, in a written order.

    The undirected edges (a, b), a < b, are taken in sorted order and a -> b comes before b -> a.
    After each choice all that it implies is directed as well; what then is still undirected can go
    either way, so no branch is in vain.
    """
    stack: list[tuple[list[int], list[int], int]] = [([0] * len(neighbours), list(neighbours), 0)]
    while stack:
        parents, open_edges, first = stack.pop()
        while first < len(open_edges) and not open_edges[first]:
            first += 1
        if first == len(open_edges):
            yield parents
            continue
        second = next(bits(open_edges[first]))
        for tail, head in ((second, first), (first, second)):
            branch = (list(parents), list(open_edges), first)
            _orient(tail, head, branch[0], branch[1], neighbours)
            stack.append(branch)


def _orient(tail: int, head: int, parents: list[int], open_edges: list[int], joined: Rows) -> None:
    """Direct tail -> head in a chordal graph and all that follows by Meek's rules 1 and 2.

    Rule 3 starts from a v-structure, and there is none. Rule 4 directs a - b when c -> d -> b and a
    is joined to all three by open edges. It finds nothing here, because choices are made node by
    node: going back from c -> d by rules 1 and 2 one comes to a choice at some node whose edge to a
    is open as well, so that edge is chosen before a - b, and rules 1 and 2 direct a - b then.
    """
    waiting = [(tail, head)]
    while waiting:
        u, v = waiting.pop()
        if not open_edges[u] >> v & 1:
            continue
        open_edges[u] &= ~(1 << v)
        open_edges[v] &= ~(1 << u)
        parents[v] |= 1 << u
        children_of_v = joined[v] & ~open_edges[v] & ~parents[v]
        # Rule 1: u -> v - w with u, w apart.
        waiting += [(v, w) for w in bits(open_edges[v] & ~joined[u])]
        # Rule 2: u -> v -> w with u - w, the new arc being the first or the second.
        waiting += [(u, w) for w in bits(children_of_v & open_edges[u])]
        waiting += [(w, v) for w in bits(parents[u] & open_edges[v])]


class MemberCounter:
    """Counts and samples the orientations of chordal graphs by clique-picking.

    A chordal graph with clique tree T has sum over the cliques K of T of
    phi(K) * product over H in C(K) of count(H) orientations: K are the nodes that come first, C(K)
    what is then still undirected, and phi(K) the number of orders of K in which no separator on the
    way from the root of T to K comes first, so that each orientation is met at one clique only.

    Parameters
    ----------
    neighbours : sequence of int
        Bit rows of the undirected edges.
    """

    def __init__(self, neighbours: Rows) -> None:
        self._rows = neighbours
        self._components = components(neighbours, (1 << len(neighbours)) - 1)
        self._choices: dict[int, list[tuple[int, int, list[int]]]] = {}

    def count(self) -> int:
        """Return the number of orientations."""
        return prod(map(self._count, self._components))

    def sample(self, rng: Random) -> list[int]:
        """Return the parents in an orientation drawn uniformly."""
        parents = [0] * len(self._rows)
        for component in self._components:
            earlier = 0
            for node in self._sample_order(component, rng):
                parents[node] = self._rows[node] & earlier
                earlier |= 1 << node
        return parents

    def _count(self, graph: int) -> int:
        if not graph & (graph - 1):
            return 1
        return sum(weight for weight, _, _ in self._weigh(graph))

    def _weigh(self, graph: int) -> list[tuple[int, int, list[int]]]:
        """Return (number of orientations, clique, forbidden prefixes) for each maximal clique."""
        if graph not in self._choices:
            cliques = _cliques(self._rows, graph)
            starts = [components(self._rows, graph & ~clique) for clique, _ in cliques]
            ways = self._weigh_branches(graph, {branch for start in starts for branch in start})
            self._choices[graph] = [
                (
                    _orders_without_prefix(clique.bit_count(), forbidden)
                    * prod(map(ways.__getitem__, start)),
                    clique,
                    forbidden,
                )
                for (clique, forbidden), start in zip(cliques, starts, strict=True)
            ]
        return self._choices[graph]

    def _weigh_branches(self, graph: int, branches: set[int]) -> dict[int, int]:
        """Return the number of orientations of each branch and of all branches behind it."""
        split: dict[int, tuple[list[int], list[int]]] = {}
        waiting = list(branches)
        while waiting:
            branch = waiting.pop()
            if branch not in split:
                split[branch] = _split(self._rows, graph, branch)
                waiting += split[branch][1]
        ways: dict[int, int] = {}
        for branch in sorted(split, key=int.bit_count):
            parts, behind = split[branch]
            ways[branch] = prod(map(self._count, parts)) * prod(map(ways.__getitem__, behind))
        return ways

    def _sample_order(self, graph: int, rng: Random) -> list[int]:
        if not graph & (graph - 1):
            return list(bits(graph))
        choices = self._weigh(graph)
        ticket = rng.randrange(sum(weight for weight, _, _ in choices))
        at = 0
        while ticket >= choices[at][0]:
            ticket -= choices[at][0]
            at += 1
        _, clique, forbidden = choices[at]
        order = _sample_clique_order(clique, forbidden, rng)
        branches = components(self._rows, graph & ~clique)
        while branches:
            parts, behind = _split(self._rows, graph, branches.pop())
            branches += behind
            for part in parts:
                order += self._sample_order(part, rng)
        return order


def _cliques(rows: Rows, graph: int) -> list[tuple[int, list[int]]]:
    """Return the maximal cliques of a chordal graph, each with its forbidden prefixes.

    Maximum cardinality search finds the cliques and a clique tree. The forbidden prefixes of a
    clique are the separators on its way to the root that it contains; they are nested.

    References
    ----------
    J. R. S. Blair and B. Peyton (1993), An introduction to chordal graphs and clique trees, in
    Graph Theory and Sparse Matrix Computation, Springer, figure 4.
    """
    by_weight = [graph] + [0] * graph.bit_count()
    weight = dict.fromkeys(bits(graph), 0)
    time: dict[int, int] = {}
    clique_of: dict[int, int] = {}
    cliques: list[int] = []
    separators: list[tuple[int, int]] = []  # to the clique above: its number, the common nodes
    highest = previous = visited = 0
    while visited != graph:
        while not by_weight[highest]:
            highest -= 1
        v = next(bits(by_weight[highest]))
        by_weight[highest] ^= 1 << v
        earlier = rows[v] & visited
        if highest <= previous:
            above = clique_of[max(bits(earlier), key=time.__getitem__)] if earlier else -1
            separators.append((above, earlier))
            cliques.append(earlier)
        cliques[-1] |= 1 << v
        clique_of[v] = len(cliques) - 1
        time[v] = len(time)
        visited |= 1 << v
        for u in bits(rows[v] & graph & ~visited):
            by_weight[weight[u]] ^= 1 << u
            weight[u] += 1
            by_weight[weight[u]] |= 1 << u
        previous = highest
        highest += 1

    forbidden: list[list[int]] = []
    for clique, (above, separator) in zip(cliques, separators, strict=True):
        prefixes = [*forbidden[above], separator] if separator else []
        forbidden.append([prefix for prefix in prefixes if not prefix & ~clique])
    return list(zip(cliques, forbidden, strict=True))


def _split(rows: Rows, graph: int, branch: int) -> tuple[list[int], list[int]]:
    """Direct the edges into a branch, and say what of it stays undirected.

    A branch is a connected set whose neighbours outside, a clique, all come first. Its nodes
    joined to that whole clique come next, with free edges among each other, and before the rest.
    This is what a lexicographic breadth-first search does, for one branch at a time.

    Returns
    -------
    parts : list of int
        The connected sets with free edges.
    branches : list of int
        What is left: branches behind the parts.
    """
    next_ones = branch
    for v in bits(union(rows, branch) & graph & ~branch):
        next_ones &= rows[v]
    return components(rows, next_ones), components(rows, branch & ~next_ones)


def _orders_without_prefix(size: int, prefixes: Sequence[int]) -> int:
    """Count the orders of `size` things in which none of the nested `prefixes` comes first."""
    sizes = [*sorted({prefix.bit_count() for prefix in prefixes}), size]
    shortest: list[int] = []  # orders of the first sizes[i] things with no shorter prefix
    for i, length in enumerate(sizes):
        begun = sum(shortest[j] * factorial(length - sizes[j]) for j in range(i))
        shortest.append(factorial(length) - begun)
    return shortest[-1]


def _sample_clique_order(clique: int, forbidden: Sequence[int], rng: Random) -> list[int]:
    """Draw an order of the clique in which no forbidden prefix comes first.

    Drawing again until it fits is uniform, and at least half of all orders fit.
    """
    order = list(bits(clique))
    while True:
        rng.shuffle(order)
        seen = 0
        begun = {seen := seen | 1 << v for v in order}
        if not begun & set(forbidden):
            return order
