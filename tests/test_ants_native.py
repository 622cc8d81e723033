# SPDX-License-Identifier: MIT
"""The compiled walks against the literal ones, move by move, and Equation 3 against brute force."""

import random

import pytest
from scipy import stats

from bridge import core, named, scorer_of, sets
from oracles import equivalence as oracle
from stigmergy import Scorer, _core
from stigmergy.search import AcoE
from stigmergy.search.base import core_graph

SUBSETS = [0b111111, 0b000111, 0b110111, 0b001111]


def smooth_score(seed, n):
    """A score-equivalent score with interactions, so that ants meet every operator."""
    rng = random.Random(seed)
    weight = {}

    def f(nodes):
        nodes = frozenset(nodes)
        if len(nodes) < 2:
            return 0.0
        if nodes not in weight:
            weight[nodes] = rng_of(nodes).gauss(4.0 / len(nodes), 3.0) - 1.5 * (len(nodes) - 1)
        pairs = sum(f2(a, b) for a in nodes for b in nodes if a < b)
        return weight[nodes] + pairs

    def rng_of(nodes):
        return random.Random(f"{seed}:{sorted(nodes)}")

    strength = {(a, b): rng.gauss(0, 4) for a in range(n) for b in range(a + 1, n)}

    def f2(a, b):
        return strength[a, b]

    memo = {}

    def family(v, parents):
        if (v, parents) not in memo:
            memo[v, parents] = f({*parents, v}) - f(parents) - 10.0
        return memo[v, parents]

    return family


def colony(scorer, n, operators=0b111111, beta=1.0, fixed_gains=False):
    return _core.Colony(scorer, _core.ArcRules(n), operators, beta, fixed_gains)


def names_of(operators):
    return [op for bit, op in enumerate(oracle.OPERATORS) if operators >> bit & 1]


def walk_of(walkers, n, pheromone, **given):
    """Walk with what most tests leave alone."""
    usual = {
        "rho": 0.1,
        "q0": 0.5,
        "parallel": False,
        "local_search": False,
        "seed": 1,
        "iteration": 1,
        "ants": 1,
        "threads": 1,
        "stop": _core.Stop(),
    }
    return walkers.walk(_core.Pdag(n), pheromone, **{**usual, **given})


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("q0", [0.0, 0.5, 1.0])
def test_ants_walk_as_the_literal_ones(seed, q0):
    chance = random.Random(seed)
    n = chance.choice([4, 5, 6, 7])
    schedule = chance.choice(["paper", "parallel"])
    operators = chance.choice(SUBSETS)
    limit = chance.choice([n, 2, 3])
    beta, rho, tau0 = chance.choice([1.0, 2.0, 0.5, 0.0]), 0.2, 0.003
    family = smooth_score(seed, n)
    scorer = scorer_of(n, family, limit)
    ants = colony(scorer, n, operators, beta)
    native, literal = _core.Pheromone(tau0), {}
    seen = []
    for t in (1, 2, 3):
        walks = walk_of(
            ants,
            n,
            native,
            rho=rho,
            q0=q0,
            parallel=schedule == "parallel",
            seed=seed,
            iteration=t,
            ants=3,
            threads=2,
        )
        literal_walks = oracle.ants(
            n,
            family,
            literal,
            schedule,
            seed,
            t,
            3,
            tau0=tau0,
            rho=rho,
            q0=q0,
            beta=beta,
            max_parents=limit,
            operators=names_of(operators),
        )
        for walk, (graph, path) in zip(walks, literal_walks, strict=True):
            assert [named(move) for move in walk.path] == path
            assert sets(walk.graph) == graph
            assert walk.score == pytest.approx(oracle.class_score(n, graph, family), abs=1e-9)
            seen += path
        # A deposit between the iterations, so that pheromone differs from move to move.
        for walk, (_, path) in zip(walks, literal_walks, strict=True):
            for move, literal_move in zip(walk.path, path, strict=True):
                native.update(move, 0.3, 1.0)
                literal[literal_move] = 0.7 * literal.get(literal_move, tau0) + 0.3 * 1.0
                assert native[move.key] == pytest.approx(literal[literal_move], rel=1e-12)
    assert seen


def test_every_operator_is_walked():
    """The walks above would prove little if some operator never occurred in them."""
    seen = set()
    for seed in range(24):
        n = 4 + seed % 4
        ants = colony(scorer_of(n, smooth_score(seed, n)), n)
        walks = walk_of(ants, n, _core.Pheromone(0.1), q0=0.3, seed=seed, ants=5)
        seen |= {named(move)[0] for walk in walks for move in walk.path}
    assert seen == set(oracle.OPERATORS)


def state_with_invalid_candidates(n, family, seed):
    """Walk until some move looks as good as a valid one before its validity is tested."""
    graph = (frozenset(), frozenset())
    scorer = scorer_of(n, family)
    path = walk_of(colony(scorer, n), n, _core.Pheromone(0.1), q0=0.0, seed=seed)[0].path
    for move in path:
        gains = {m: g for m, g, _ in oracle.valid_moves(n, graph, family, n) if g > oracle.EPSILON}
        invalid = [
            move
            for move in oracle.instances(n, graph)
            if oracle.has_a_place_in_the_draw(graph, move)
            and oracle.result(n, graph, move) is None
            and oracle.table_2_gain(graph, move, family, n) > oracle.EPSILON
        ]
        if invalid and len(gains) > 2:
            return graph, gains
        graph = oracle.result(n, graph, named(move))
    raise AssertionError("no state of the walk has invalid candidates")


@pytest.mark.parametrize(("n", "seed"), [(7, 12), (7, 25), (7, 49), (8, 13), (8, 25), (8, 53)])
def test_draws_follow_equation_3(n, seed):
    """Drawing again after an invalid move gives the distribution over the valid ones."""
    draws, beta = 3000, 0.5
    family = smooth_score(seed, n)
    scorer = scorer_of(n, family)
    graph, gains = state_with_invalid_candidates(n, family, seed)
    ants, pheromone, tau = colony(scorer, n, beta=beta), _core.Pheromone(0.01), {}
    for k, (move, _) in enumerate(_core.valid_moves(core(n, graph), 0b111111, scorer)):
        pheromone.update(move, 0.5, 0.01 * (1 + k % 5))
        tau[named(move)] = pheromone[move.key]
    weights = {move: tau[move] * gain**beta for move, gain in gains.items()}
    counts = dict.fromkeys(weights, 0)
    for k in range(draws):
        walk = ants.walk(
            core(n, graph),
            pheromone,
            rho=0.0,
            q0=-1.0,
            parallel=True,
            local_search=False,
            seed=seed,
            iteration=k,
            ants=1,
            threads=1,
            stop=_core.Stop(),
        )[0]
        counts[named(walk.path[0])] += 1
    expected = [draws * weight / sum(weights.values()) for weight in weights.values()]
    assert stats.chisquare(list(counts.values()), expected).pvalue > 1e-4


def test_parallel_ants_do_not_depend_on_threads():
    n = 8
    scorer = scorer_of(n, smooth_score(3, n))
    results = []
    for threads in (1, 2, 4):
        ants, pheromone = colony(scorer, n), _core.Pheromone(0.01)
        for t in range(1, 6):
            walks = ants.walk(
                _core.Pdag(n),
                pheromone,
                rho=0.3,
                q0=0.4,
                parallel=True,
                local_search=True,
                seed=5,
                iteration=t,
                ants=7,
                threads=threads,
                stop=_core.Stop(),
            )
            for move in walks[0].path:
                pheromone.update(move, 0.3, 0.5)
        results.append(([[m.key for m in w.path] for w in walks], pheromone.items()))
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("seed", range(8))
def test_greedy_takes_the_best_valid_move(seed):
    n = 4 + seed % 4
    family = smooth_score(seed + 100, n)
    scorer = scorer_of(n, family)
    walk = colony(scorer, n).greedy(_core.Pdag(n), _core.Stop())
    assert walk.finished
    graph = (frozenset(), frozenset())
    for move in [named(m) for m in walk.path]:
        moves = oracle.valid_moves(n, graph, family, n)
        greatest = max(gain for _, gain, _ in moves)
        near = [m for m, gain, _ in moves if gain >= greatest * (1 - oracle.TIE)]
        assert move == min(near, key=oracle.move_order)
        graph = oracle.result(n, graph, move)
    assert all(gain <= oracle.EPSILON for _, gain, _ in oracle.valid_moves(n, graph, family, n))


def test_local_search_after_an_ant_does_nothing():
    """With the dynamic heuristic ants stop at a local maximum already."""
    n = 7
    scorer = scorer_of(n, smooth_score(1, n))
    for t in range(10):
        plain, searched = (
            colony(scorer, n).walk(
                _core.Pdag(n),
                _core.Pheromone(0.1),
                rho=0.1,
                q0=0.5,
                parallel=False,
                local_search=search,
                seed=1,
                iteration=t,
                ants=3,
                threads=1,
                stop=_core.Stop(),
            )
            for search in (False, True)
        )
        assert [[m.key for m in w.path] for w in plain] == [
            [m.key for m in w.path] for w in searched
        ]


def test_a_score_that_is_not_equivalent_is_caught():
    n = 4
    scorer = scorer_of(n, lambda v, p: float(len(p) * (v + 1)))
    with pytest.raises(ValueError, match="not the same for all DAGs of a class"):
        colony(scorer, n).greedy(_core.Pdag(n), _core.Stop())


def test_local_search_finishes_off_the_static_heuristic():
    """At the end of a run too, and then the trace has it."""
    n = 6
    family = smooth_score(24, n)
    scorer = numbered_scorer(n, family)
    settings = {"heuristic": "static", "m": 5, "rho": 0.2, "q0": 0.3, "beta": 1.0}
    last = [
        AcoE(t_max=4, t_step=t_step, **settings).run(scorer, seed=24).trace for t_step in (1, 100)
    ]
    assert last[1][-2].best_score < last[1][-1].best_score
    for trace in last:
        assert trace[-1].best_score > trace[0].best_score
    result = AcoE(t_max=4, t_step=100, **settings).run(scorer, seed=24)
    assert result.score == last[1][-1].best_score
    end = sets(core_graph(result.cpdag, scorer.names))
    assert all(gain <= oracle.EPSILON for _, gain, _ in oracle.valid_moves(n, end, family, n))


def test_fixed_gains_only_take_moves_that_improve():
    n = 7
    family = smooth_score(2, n)
    scorer = scorer_of(n, family)
    ants = colony(scorer, n, fixed_gains=True)
    walks = ants.walk(
        _core.Pdag(n),
        _core.Pheromone(0.1),
        rho=0.1,
        q0=0.2,
        parallel=False,
        local_search=False,
        seed=1,
        iteration=1,
        ants=5,
        threads=1,
        stop=_core.Stop(),
    )
    for walk in walks:
        graph = (frozenset(), frozenset())
        score = oracle.class_score(n, graph, family)
        for move in [named(m) for m in walk.path]:
            assert move[0] in ("InsertU", "InsertD")
            assert family(move[2], (move[1],)) > family(move[2], ())
            graph = oracle.result(n, graph, move)
            assert oracle.class_score(n, graph, family) > score
            score = oracle.class_score(n, graph, family)


def numbered_scorer(n, family):
    return Scorer.from_function(
        [str(v) for v in range(n)],
        lambda child, parents: family(int(child), tuple(int(p) for p in parents)),
        score_equivalent=True,
    )


@pytest.mark.parametrize("seed", range(8))
def test_aco_e_is_algorithm_1(seed):
    """Initial GREEDY-E, tau0, ants, local search, the best so far and the global update."""
    n, schedule = 5 + seed % 2, ("paper", "parallel")[seed % 2]
    family = smooth_score(seed, n)
    letters = {"m": 3, "t_max": 6, "t_step": 2, "rho": 0.3, "q0": 0.4, "beta": 1.5}
    scorer = numbered_scorer(n, family)
    result = AcoE(schedule=schedule, trace_moves=True, **letters).run(scorer, seed=seed)
    best, scores, paths = oracle.aco_e(n, family, seed=seed, schedule=schedule, **letters)
    assert [row.best_score for row in result.trace] == pytest.approx(scores, abs=1e-9)
    assert sets(core_graph(result.cpdag, scorer.names)) == best
    steps = iter(result.details["moves"])
    for path in paths:
        for step, (op, *nodes) in enumerate(path, start=1):
            seen = next(steps)
            assert seen["step"] == step
            assert seen["chosen"] == f"{op}({', '.join(map(str, nodes))})"
    assert next(steps, None) is None


def test_pheromone_takes_memory_for_the_moves_used_only():
    n = 7
    ants, pheromone = colony(scorer_of(n, smooth_score(5, n)), n), _core.Pheromone(0.1)
    used = set()
    for t in range(1, 4):
        walks = walk_of(ants, n, pheromone, iteration=t, ants=5)
        for walk in walks:
            used |= {move.key for move in walk.path}
            for move in walks[0].path:
                pheromone.update(move, 0.1, 0.7)
        assert {key for key, _ in pheromone.items()} <= used


def test_a_small_cache_changes_nothing_but_memory():
    n, bound = 10, 1 << 13
    family = smooth_score(6, n)
    paths = []
    for cache_bytes in (1 << 24, bound):
        scorer = _core.Scorer.from_function(n, lambda v, p: family(v, tuple(p)), n, cache_bytes)
        ants, pheromone = colony(scorer, n), _core.Pheromone(0.1)
        for t in range(1, 6):
            walks = walk_of(ants, n, pheromone, parallel=True, iteration=t, ants=5)
            assert ants.row_bytes <= cache_bytes
        paths.append([[move.key for move in walk.path] for walk in walks])
    assert paths[0] == paths[1]


def test_moves_are_rescored_only_where_something_changed():
    n = 9
    scorer = scorer_of(n, smooth_score(4, n))
    ants = colony(scorer, n)
    ants.greedy(_core.Pdag(n), _core.Stop())
    steps, rescored, tests = ants.work
    assert steps > 3
    assert tests <= 3 * steps
    assert rescored < steps * n * n
