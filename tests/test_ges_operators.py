# SPDX-License-Identifier: MIT
"""Insert, Delete and Turn against the truth told by the members of every small class."""

import functools
import random

import pytest

from oracles import ges as oracle
from oracles import graphs
from stigmergy import _core

ALL_KINDS = _core.GES_INSERT | _core.GES_DELETE | _core.GES_TURN
SIZES = [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)]


@functools.cache
def all_classes(n):
    """Members and CPDAG of every class, by skeleton and v-structures."""
    return {
        oracle.class_key(members[0]): (members, graphs.cpdag_of_class(members))
        for members in graphs.classes(graphs.all_dags(n))
    }


def equivalent_score(n, seed):
    """s(v, P) = f(P + v) - f(P) with a random integer f: equal for all DAGs of a class, exact."""
    rng = random.Random(seed)
    f = [rng.randrange(2**40) for _ in range(2**n)]

    def family(child, parents):
        mask = sum(1 << p for p in parents)
        return float(f[mask | 1 << child] - f[mask])

    return family


def scorer_of(score, n, max_parents=None):
    return _core.Scorer.from_function(n, score, n if max_parents is None else max_parents, 1 << 20)


def core_graph(n, cpdag):
    return _core.Pdag(n, sorted(cpdag[0]), sorted(cpdag[1]))


def edges(graph):
    return frozenset(graph.directed_edges()), frozenset(graph.undirected_edges())


def dag_score(score, n, dag):
    return sum(score(v, sorted(a for a, b in dag if b == v)) for v in range(n))


def operator_of(move):
    return move.kind, move.x, move.y, tuple(move.set)


@pytest.mark.parametrize("n", SIZES)
def test_operators_are_those_of_the_members(n):
    score = equivalent_score(n, n)
    scorer = scorer_of(score, n)
    for members, cpdag in all_classes(n).values():
        truth = oracle.operators(n, members, *cpdag)
        graph = core_graph(n, cpdag)
        moves = _core.valid_ges_moves(graph, ALL_KINDS, scorer)
        assert [operator_of(move) for move, _ in moves] == sorted(truth)
        for move, gain in moves:
            result = edges(_core.apply_ges_move(graph, move))
            for before, after in truth[operator_of(move)]:
                assert gain == dag_score(score, n, after) - dag_score(score, n, before)
                assert result == all_classes(n)[oracle.class_key(after)][1]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8])
def test_moves_kept_up_to_date_are_those_found_anew(n):
    """Along random walks over all kinds, tables carried along equal fresh ones."""
    rng = random.Random(n)
    for seed in range(30):
        scorer = scorer_of(equivalent_score(n, seed), n)
        kept = _core.GesMoves(scorer, _core.ArcRules(n), _core.Pdag(n))
        for _ in range(12):
            anew = _core.GesMoves(scorer, _core.ArcRules(n), kept.graph)
            stop = _core.Stop()
            kinds = rng.choice([1, 2, 3, 4, 7])
            assert kept.best(kinds, stop) == anew.best(kinds, stop)
            improving = kept.improving(kinds, stop)
            assert improving == anew.improving(kinds, stop)
            moves = _core.valid_ges_moves(kept.graph, ALL_KINDS, scorer)
            if moves:
                kept.apply(rng.choice(moves)[0])


@pytest.mark.parametrize("n", SIZES)
def test_improving_moves_lead_to_each_better_class_once(n):
    scorer = scorer_of(equivalent_score(n, 17), n)
    for members, cpdag in all_classes(n).values():
        graph = core_graph(n, cpdag)
        better = {
            edges(_core.apply_ges_move(graph, move))
            for move, gain in _core.valid_ges_moves(graph, 3, scorer)
            if gain > 0
        }
        moves = _core.GesMoves(scorer, _core.ArcRules(n), graph).improving(3, _core.Stop())
        reached = [edges(_core.apply_ges_move(graph, move)) for move, _ in moves]
        assert len(reached) == len(set(reached))
        assert set(reached) == better
        assert members


@pytest.mark.parametrize("n", SIZES)
def test_best_move_gains_most(n):
    scorer = scorer_of(equivalent_score(n, 5), n)
    for _, cpdag in all_classes(n).values():
        graph = core_graph(n, cpdag)
        for kinds in (1, 2, 4, 7):
            gains = [gain for _, gain in _core.valid_ges_moves(graph, kinds, scorer)]
            best = _core.GesMoves(scorer, _core.ArcRules(n), graph).best(kinds, _core.Stop())
            if max(gains, default=0.0) > 0.0:
                assert best[1] == max(gains)
            else:
                assert best is None


@pytest.mark.parametrize("max_parents", [0, 1, 2])
def test_moves_stay_within_the_parent_limit(max_parents):
    """From a class within the limit, exactly the moves to classes within it are left."""
    n = 4
    score = equivalent_score(n, 3)
    free, limited = scorer_of(score, n), scorer_of(score, n, max_parents)

    def width(graph):
        dag = graph.consistent_extension().directed_edges()
        return max(sum(b == v for _, b in dag) for v in range(n))

    for _, cpdag in all_classes(n).values():
        graph = core_graph(n, cpdag)
        if width(graph) > max_parents:
            continue
        within = [
            (move, gain)
            for move, gain in _core.valid_ges_moves(graph, ALL_KINDS, free)
            if width(_core.apply_ges_move(graph, move)) <= max_parents
        ]
        assert _core.valid_ges_moves(graph, ALL_KINDS, limited) == within


def test_moves_obey_knowledge():
    """The moves left are those to classes with a member that obeys."""
    n = 4
    scorer = scorer_of(equivalent_score(n, 8), n)
    for seed in range(6):
        rng = random.Random(seed)
        pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
        rng.shuffle(pairs)
        rules = _core.ArcRules(n, pairs[:1], [pairs[1], pairs[2][::-1], pairs[3], pairs[3][::-1]])
        for _, cpdag in all_classes(n).values():
            graph = core_graph(n, cpdag)
            if _core.obeying_member(graph, rules) is None:
                continue
            free = _core.GesMoves(scorer, _core.ArcRules(n), graph).improving(4, _core.Stop())
            ruled = _core.GesMoves(scorer, rules, graph)
            allowed = [
                (move, gain)
                for move, gain in free
                if _core.obeying_member(_core.apply_ges_move(graph, move), rules) is not None
            ]
            assert ruled.improving(4, _core.Stop()) == allowed
            classes = {
                edges(_core.apply_ges_move(graph, move))
                for move, _ in _core.GesMoves(scorer, _core.ArcRules(n), graph).improving(
                    3, _core.Stop()
                )
            }
            reached = {
                edges(_core.apply_ges_move(graph, move))
                for move, _ in ruled.improving(3, _core.Stop())
            }
            assert reached == {
                target
                for target in classes
                if _core.obeying_member(core_graph(n, target), rules) is not None
            }


def test_a_move_that_makes_no_sense_is_refused():
    graph = _core.Pdag(3, [], [(0, 1)])
    with pytest.raises(ValueError, match="kind must be 0, 1 or 2"):
        _core.GesMove(3, 0, 1, [])
    with pytest.raises(IndexError, match="names no node"):
        _core.apply_ges_move(graph, _core.GesMove(0, 0, 7, []))
    with pytest.raises(ValueError, match="neighbours of y"):
        _core.apply_ges_move(graph, _core.GesMove(0, 0, 2, [1]))
    assert repr(_core.GesMove(2, 0, 1, [2, 3])) == "Turn(0, 1, {2, 3})"
