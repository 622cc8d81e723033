# SPDX-License-Identifier: MIT
"""Moves between equivalence classes from the definitions, and ANT-E to the letter.

A PDAG is (directed, undirected) as in `oracles.graphs`. Nothing here imports the package.

What is true of a move is not Table 2 but what Table 2 decides: the changed graph has a DAG with
its skeleton, its v-structures and all its directed edges (S), and an inserted edge is of the
inserted kind in the new CPDAG (E). The walk evaluates everything anew in every step; it only
draws its random numbers as the compiled walk does, so that the two can be compared move by move.
"""

from itertools import product

from oracles.graphs import meek_closure, skeleton, v_structures

OPERATORS = ("InsertU", "DeleteU", "InsertD", "DeleteD", "ReverseD", "MakeV")
EPSILON = 1e-6
TIE = 1e-9


def parents(graph, v):
    return {a for a, b in graph[0] if b == v}


def neighbours(graph, v):
    return {a + b - v for a, b in graph[1] if v in (a, b)}


def pair(x, y):
    return (min(x, y), max(x, y))


def extension(n, directed, undirected):
    """Find one DAG with the same skeleton and v-structures and all directed edges (Dor & Tarsi)."""
    around = {v: set() for v in range(n)}
    for a, b in skeleton(directed, undirected):
        around[a].add(b)
        around[b].add(a)
    near = {v: neighbours((directed, undirected), v) for v in range(n)}
    children = {v: {b for a, b in directed if a == v} for v in range(n)}
    left, arcs = set(range(n)), set(directed)
    while left:
        for v in sorted(left):
            joined = near[v] & left
            if not children[v] & left and all(
                (around[v] & left) - {y} <= around[y] for y in joined
            ):
                arcs |= {(y, v) for y in joined}
                left.discard(v)
                break
        else:
            return None
    return frozenset(arcs)


def completed(n, arcs):
    """Turn a DAG into its CPDAG: v-structures, and what they imply."""
    directed = {edge for a, c, b in v_structures(arcs) for edge in ((a, c), (b, c))}
    return meek_closure(n, directed, skeleton(arcs) - skeleton(directed))


def instances(n, graph, operators=OPERATORS):
    """List the syntactically possible moves in the order of Table 2, symmetric ones once."""
    directed, undirected = graph
    joined = skeleton(directed, undirected)
    near = {v: neighbours(graph, v) for v in range(n)}
    for op in (op for op in OPERATORS if op in operators):
        for x, y in product(range(n), repeat=2):
            apart = x != y and pair(x, y) not in joined
            if (
                (op == "InsertU" and apart and x < y)
                or (op == "DeleteU" and (x, y) in undirected)
                or (op == "InsertD" and apart)
                or (op in ("DeleteD", "ReverseD") and (x, y) in directed)
            ):
                yield op, x, y
            elif op == "MakeV" and apart and x < y:
                for z in sorted(near[x] & near[y]):
                    yield op, x, y, z


def changed(graph, move):
    """Change the named edges and nothing else."""
    directed, undirected = graph
    op, x, y, *z = move
    if op == "InsertU":
        return directed, undirected | {pair(x, y)}
    if op == "DeleteU":
        return directed, undirected - {pair(x, y)}
    if op == "InsertD":
        return directed | {(x, y)}, undirected
    if op == "DeleteD":
        return directed - {(x, y)}, undirected
    if op == "ReverseD":
        return directed - {(x, y)} | {(y, x)}, undirected
    return directed | {(x, z[0]), (y, z[0])}, undirected - {pair(x, z[0]), pair(y, z[0])}


def result(n, graph, move):
    """Return the CPDAG that a move leads to; None when it is not valid."""
    arcs = extension(n, *changed(graph, move))
    if arcs is None:
        return None
    new = completed(n, arcs)
    if move[0] == "InsertU" and pair(*move[1:]) not in new[1]:
        return None
    if move[0] == "InsertD" and move[1:] not in new[0]:
        return None
    return new


def dag_score(n, arcs, family):
    return sum(family(v, tuple(sorted(a for a, b in arcs if b == v))) for v in range(n))


def class_score(n, graph, family):
    return dag_score(n, extension(n, *graph), family)


def largest_in_degree(n, arcs):
    return max(sum(b == v for _, b in arcs) for v in range(n))


def valid_moves(n, graph, family, max_parents, operators=OPERATORS):
    """List (move, gain, new CPDAG), the gain as the difference of two whole scores."""
    before = class_score(n, graph, family)
    found = []
    for move in instances(n, graph, operators):
        new = result(n, graph, move)
        if new is None:
            continue
        arcs = extension(n, *new)
        if largest_in_degree(n, arcs) <= max_parents:
            found.append((move, dag_score(n, arcs, family) - before, new))
    return found


class Stream:
    """xoshiro256++ (Blackman & Vigna 2021), seeded by SplitMix64 from (seed, a, b)."""

    mask = 2**64 - 1

    def __init__(self, seed, a, b):
        mixed = self.split_mix(seed)[1] ^ a
        mixed = self.split_mix(mixed)[1] ^ b
        state = self.split_mix(mixed)[1]
        self.state = []
        for _ in range(4):
            state, word = self.split_mix(state)
            self.state.append(word)

    def split_mix(self, state):
        state = (state + 0x9E3779B97F4A7C15) & self.mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & self.mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & self.mask
        return state, z ^ (z >> 31)

    def rotated(self, word, k):
        return ((word << k) | (word >> (64 - k))) & self.mask

    def uniform(self):
        a, b, c, d = self.state
        drawn = (self.rotated((a + d) & self.mask, 23) + a) & self.mask
        shifted = (b << 17) & self.mask
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        c, d = c ^ shifted, self.rotated(d, 45)
        self.state = [a, b, c, d]
        return (drawn >> 11) * 2.0**-53


def move_order(move):
    op, *nodes = move
    return OPERATORS.index(op), *nodes


def ants(n, family, pheromone, schedule, seed, iteration, how_many, **given):
    """One iteration: ants one after another, or all from the same pheromone, merged in order."""
    empty = (frozenset(), frozenset())
    walks = []
    for k in range(how_many):
        tau = pheromone if schedule == "paper" else dict(pheromone)
        stream = Stream(seed, iteration, k)
        walks.append(ant_e(n, empty, family, tau, stream=stream, **given))
    if schedule == "parallel":
        rho, tau0 = given["rho"], given["tau0"]
        for _, path in walks:
            for move in path:
                pheromone[move] = (1 - rho) * pheromone.get(move, tau0) + rho * tau0
    return walks


def greedy_e(n, graph, family, max_parents):
    path = []
    while True:
        moves = valid_moves(n, graph, family, max_parents)
        greatest = max((gain for _, gain, _ in moves), default=0.0)
        if greatest <= EPSILON:
            return graph, path
        near = [(move, new) for move, gain, new in moves if gain >= greatest * (1 - TIE)]
        move, graph = min(near, key=lambda item: move_order(item[0]))
        path.append(move)


def aco_e(n, family, *, seed, m, t_max, t_step, rho, q0, beta, schedule):
    """Algorithm 1: the best class, its score after each iteration, and all paths of ants."""
    best, path = greedy_e(n, (frozenset(), frozenset()), family, n)
    scores = [class_score(n, best, family)]
    tau0 = 1 / (n * abs(scores[0]))
    rule = {"tau0": tau0, "rho": rho, "q0": q0, "beta": beta, "max_parents": n}
    pheromone, paths = {}, []
    for t in range(1, t_max + 1):
        found = ants(n, family, pheromone, schedule, seed, t, m, operators=OPERATORS, **rule)
        paths += [way for _, way in found]
        if t % t_step == 0:
            climbed = [greedy_e(n, graph, family, n) for graph, _ in found]
            found = [
                (top, way + more) for (_, way), (top, more) in zip(found, climbed, strict=True)
            ]
        graph, way = max(found, key=lambda walk: class_score(n, walk[0], family))
        if class_score(n, graph, family) > scores[-1] + EPSILON:
            best, path = graph, way
        scores.append(class_score(n, best, family))
        for move in path:
            old = pheromone.get(move, tau0)
            pheromone[move] = (1 - rho) * old + rho / abs(scores[-1])
    return best, scores, paths


def is_plain(graph, move):
    """Tell the insertions without common neighbour or Omega: they come first in a draw."""
    op, x, y, *_ = move
    if op == "InsertU":
        return not neighbours(graph, x) & neighbours(graph, y)
    return op == "InsertD" and not parents(graph, x) & neighbours(graph, y)


def has_a_place_in_the_draw(graph, move):
    """Tell the moves that are drawn before their validity is tested; the other way is a mask."""
    op, x, y, *_ = move
    same = parents(graph, x) == parents(graph, y)
    return not is_plain(graph, move) and not (
        (op in ("InsertU", "MakeV") and not same) or (op == "InsertD" and same)
    )


def draw_order(graph, move):
    op, x, y, *_ = move
    return (0, y, OPERATORS.index(op), x) if is_plain(graph, move) else (1, *move_order(move))


def ant_e(n, start, family, pheromone, *, tau0, rho, q0, beta, max_parents, stream, operators):
    """Algorithm 2. `pheromone` is a dict from move to tau, changed in place."""
    graph, path = start, []

    def total_score(move, gain):
        return pheromone.get(move, tau0) * gain**beta if gain > EPSILON else 0.0

    while True:
        # Moves that a test of validity will reject have a place in the draw: it is repeated then.
        scored = []
        moves = {m: (g, new) for m, g, new in valid_moves(n, graph, family, max_parents, operators)}
        candidates = {
            move: table_2_gain(graph, move, family, max_parents)
            for move in instances(n, graph, operators)
        }
        for move, gain in candidates.items():
            if move in moves or not is_plain(graph, move):
                if move[0] == "InsertU" and parents(graph, move[1]) != parents(graph, move[2]):
                    continue
                if move[0] == "InsertD" and parents(graph, move[1]) == parents(graph, move[2]):
                    continue
                weight = total_score(move, gain)
                if weight > 0:
                    scored.append((move, weight))
        if not scored:
            return graph, path
        q = stream.uniform()
        chosen = None
        while scored and chosen is None:
            if q <= q0:
                greatest = max(weight for _, weight in scored)
                near = [move for move, weight in scored if weight >= greatest * (1 - TIE)]
                drawn = min(near, key=move_order)
            else:
                scored.sort(key=lambda item: draw_order(graph, item[0]))
                rest = stream.uniform() * sum(weight for _, weight in scored)
                for move, weight in scored:
                    drawn = move
                    rest -= weight
                    if rest < 0:
                        break
            if drawn in moves:
                chosen = drawn
            else:
                scored = [item for item in scored if item[0] != drawn]
        if chosen is None:
            return graph, path
        pheromone[chosen] = (1 - rho) * pheromone.get(chosen, tau0) + rho * tau0
        graph = moves[chosen][1]
        path.append(chosen)


def table_2_gain(graph, move, s, max_parents):
    """Evaluate Table 2, column "change in score"; it is defined for invalid moves too."""
    op, x, y, *z = move
    pi, near = (lambda v: parents(graph, v)), (lambda v: neighbours(graph, v))
    if op in ("InsertU", "DeleteU"):
        base = (near(x) & near(y)) | pi(y)
        plus, minus = [(y, base | {x})], [(y, base)]
        if op == "DeleteU":
            plus, minus = minus, plus
    elif op == "InsertD":
        base = (pi(x) & near(y)) | pi(y)
        plus, minus = [(y, base | {x})], [(y, base)]
    elif op == "DeleteD":
        base = near(y) | pi(y)
        plus, minus = [(y, base - {x})], [(y, base)]
    elif op == "ReverseD":
        omega = pi(y) & near(x)
        plus = [(y, pi(y) - {x}), (x, pi(x) | {y} | omega)]
        minus = [(y, pi(y)), (x, pi(x) | omega)]
    else:
        both, c = near(x) & near(y), z[0]
        plus = [(c, pi(c) | {y} | (both - {c}) | {x}), (y, pi(y) | (both - {c}))]
        minus = [(c, pi(c) | (both - {c}) | {x}), (y, pi(y) | both)]
    if any(len(family) > max_parents for _, family in plus):
        return -float("inf")
    return sum(s(v, tuple(sorted(family))) for v, family in plus) - sum(
        s(v, tuple(sorted(family))) for v, family in minus
    )
