# SPDX-License-Identifier: MIT
"""Table 2 against what it decides, on every CPDAG of up to five nodes and on larger random ones."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge import core, named, random_equivalent_score, scorer_of, sets
from oracles import equivalence as oracle
from oracles import graphs
from stigmergy import _core

ALL = 0b111111
N_CLASSES = {2: 2, 3: 11, 4: 185, 5: 8782}


def all_cpdags(n):
    return sorted({graphs.cpdag_of_class(m) for m in graphs.classes(graphs.all_dags(n))}, key=str)


@cache
def cpdags_of_five():
    """Meek's closure gives the CPDAGs of n = 5 faster than intersecting classes."""
    found = {}
    for dag in graphs.all_dags(5):
        found.setdefault((graphs.skeleton(dag), graphs.v_structures(dag)), dag)
    return sorted((oracle.completed(5, dag) for dag in found.values()), key=str)


def check_all_moves(n, graph, family, scorer):
    """Valid iff S and E; gain = difference of whole scores; result = the CPDAG."""
    expected = {m: (g, new) for m, g, new in oracle.valid_moves(n, graph, family, n)}
    native = core(n, graph)
    moves = _core.valid_moves(native, ALL, scorer)
    assert [named(m) for m, _ in moves] == list(expected)
    for move, gain in moves:
        assert gain == expected[named(move)][0], (graph, named(move))
        assert sets(_core.apply_move(native, move)) == expected[named(move)][1], (
            graph,
            named(move),
        )


@pytest.mark.parametrize("n", [2, 3, 4])
def test_table_2_on_all_small_classes(n):
    family = random_equivalent_score(n)
    scorer = scorer_of(n, family)
    classes = all_cpdags(n)
    assert len(classes) == N_CLASSES[n]
    for graph in classes:
        check_all_moves(n, graph, family, scorer)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_table_2_on_all_classes_of_five(part):
    """Four plausible misreadings of Table 2 show no error below five nodes."""
    family = random_equivalent_score(5)
    scorer = scorer_of(5, family)
    classes = cpdags_of_five()
    assert len(classes) == N_CLASSES[5]
    for graph in classes[part::4]:
        check_all_moves(5, graph, family, scorer)


def test_the_oracles_extension_is_the_definition():
    for directed, undirected in graphs.all_pdags(4):
        found = oracle.extension(4, directed, undirected)
        possible = set(graphs.extensions(4, directed, undirected))
        assert (found in possible) if possible else found is None


@settings(deadline=None, max_examples=60)
@given(st.integers(6, 30), st.integers(0, 2**32))
def test_table_2_on_larger_random_classes(n, seed):
    rng = random.Random(seed)
    order = rng.sample(range(n), n)
    arcs = frozenset(
        (order[i], order[j])
        for j in range(n)
        for i in rng.sample(range(j), min(j, rng.randrange(4)))
    )
    graph = oracle.completed(n, arcs)
    family = random_equivalent_score(seed)
    native = core(n, graph)
    scorer = scorer_of(n, family)
    valid = {named(move): (move, gain) for move, gain in _core.valid_moves(native, ALL, scorer)}
    before = oracle.class_score(n, graph, family)
    possible = list(oracle.instances(n, graph))
    for move in rng.sample(possible, min(25, len(possible))):
        new = oracle.result(n, graph, move)
        assert (move in valid) == (new is not None), (graph, move)
        if new is not None:
            assert valid[move][1] == oracle.class_score(n, new, family) - before
            assert sets(_core.apply_move(native, valid[move][0])) == new


def test_the_parent_limit_is_a_limit_of_the_class():
    """From a class within the limit exactly the moves that leave it are missing."""
    family = random_equivalent_score(1)
    for limit in (1, 2):
        scorer = scorer_of(4, family, limit)
        for graph in all_cpdags(4):
            if oracle.largest_in_degree(4, oracle.extension(4, *graph)) > limit:
                continue
            expected = [m for m, _, _ in oracle.valid_moves(4, graph, family, limit)]
            moves = _core.valid_moves(core(4, graph), ALL, scorer)
            assert [named(m) for m, _ in moves] == expected


def test_operators_take_any_subset():
    graph = core(3, (frozenset(), frozenset({(0, 2), (1, 2)})))
    scorer = scorer_of(3, random_equivalent_score(0))
    for bit, name in enumerate(oracle.OPERATORS):
        found = {named(move)[0] for move, _ in _core.valid_moves(graph, 1 << bit, scorer)}
        assert found <= {name}
    assert len(_core.valid_moves(graph, ALL, scorer)) == 4
