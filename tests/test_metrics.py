# SPDX-License-Identifier: MIT
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import graphs as naive
from stigmergy import (
    Cpdag,
    Dag,
    Pdag,
    compare,
    learn_structure,
    networks,
    shd,
    sid,
    sid_bounds,
    skeleton_shd,
)
from stigmergy.graph._separation import misjudged_effects
from stigmergy.metrics import Agreement
from strategies import dags, sparse_dags

ABCD = list("abcd")
# Worked out by hand: true graph, learned graph, SHD, skeleton SHD. In each the classes are
# a -> c <- b, c -> d (all compelled) against the class of the learned DAG.
TRUTH = Dag(ABCD, [("a", "c"), ("b", "c"), ("c", "d")])
BY_HAND = [
    ([("a", "c"), ("b", "c"), ("c", "d")], 0, 0),
    # a - c is missing; b - c - d has lost its v-structure and both its directions.
    ([("b", "c"), ("c", "d")], 3, 1),
    # a - b is extra, and with a, b joined nothing is compelled: three edges lose their direction.
    ([("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")], 4, 1),
    # The chain a - c - b turns c -> d into c - d as well.
    ([("a", "c"), ("c", "b"), ("c", "d")], 3, 0),
    # d -> c joins the collider: one edge is reversed, one unit.
    ([("a", "c"), ("b", "c"), ("d", "c")], 1, 0),
    ([], 3, 3),
    # The complement: three extra, three missing.
    ([("a", "b"), ("a", "d"), ("b", "d")], 6, 6),
]


@pytest.mark.parametrize(("arcs", "distance", "skeleton_distance"), BY_HAND)
def test_shd_worked_out_by_hand(arcs, distance, skeleton_distance):
    learned = Dag(ABCD, arcs)
    assert shd(TRUTH, learned) == shd(learned, TRUTH) == distance
    assert shd(TRUTH.to_cpdag(), learned) == distance
    assert skeleton_shd(TRUTH, learned) == skeleton_distance
    comparison = compare(TRUTH, learned)
    assert comparison.shd == distance
    assert comparison.skeleton_shd == skeleton_distance


def test_a_pdag_is_compared_as_it_is():
    half = Pdag(["a", "b", "c"], [("a", "b")], [("b", "c")])
    chain = Dag(["a", "b", "c"], [("a", "b"), ("b", "c")])
    assert shd(half, chain) == 1
    assert shd(half, half) == 0


def test_comparison_counts_and_text():
    learned = Dag(ABCD, [("a", "c"), ("b", "c"), ("d", "c"), ("a", "b")])
    # The class of the learned graph: a -> c <- d and b -> c compelled, a - b reversible.
    comparison = compare(TRUTH, learned)
    assert comparison.missing == ()
    assert comparison.extra == (("a", "b"),)
    assert comparison.redirected == (("c", "d"),)
    assert comparison.skeleton == Agreement(3, 1, 0)
    assert comparison.arrowheads == Agreement(2, 1, 1)
    assert comparison.v_structures == Agreement(0, 2, 1)
    assert comparison.skeleton.precision == 0.75
    assert comparison.skeleton.recall == 1.0
    assert comparison.skeleton.f1 == pytest.approx(6 / 7)
    assert str(comparison).splitlines() == [
        "SHD 2: 0 missing, 1 extra, 1 redirected",
        "skeleton      precision 0.750, recall 1.000, F1 0.857 (TP 3, FP 1, FN 0)",
        "arrowheads    precision 0.667, recall 0.667, F1 0.667 (TP 2, FP 1, FN 1)",
        "v-structures  precision 0.000, recall 0.000, F1 0.000 (TP 0, FP 2, FN 1)",
    ]


def test_agreement_over_nothing():
    assert Agreement(0, 0, 0).f1 == Agreement(0, 0, 0).precision == Agreement(0, 0, 0).recall == 1
    assert Agreement(0, 0, 3).precision == 1
    assert Agreement(0, 0, 3).recall == Agreement(0, 0, 3).f1 == 0


def cpdags_on_four_nodes():
    found = {}
    for members in naive.classes(naive.all_dags(4)):
        directed, undirected = naive.cpdag_of_class(members)
        cpdag = Cpdag(
            ABCD,
            [(ABCD[a], ABCD[b]) for a, b in directed],
            [(ABCD[a], ABCD[b]) for a, b in undirected],
        )
        found[directed, undirected] = cpdag
    return found


def test_shd_is_a_metric_and_equals_the_naive_one_on_all_classes_of_four_nodes():
    cpdags = cpdags_on_four_nodes()
    table = np.array([[shd(a, b) for b in cpdags.values()] for a in cpdags.values()])
    wanted = [[naive.shd(a, b) for b in cpdags] for a in cpdags]
    assert (table == wanted).all()
    assert (table == table.T).all()
    assert ((table == 0) == np.eye(len(cpdags), dtype=bool)).all()
    assert all((table <= row[:, None] + row[None, :]).all() for row in table)


@given(dags(labels="abcdef"), dags(labels="abcdef"))
def test_comparison_is_consistent(truth, learned):
    comparison = compare(truth, learned)
    assert comparison.shd == shd(truth, learned)
    assert comparison.skeleton_shd == skeleton_shd(truth, learned)
    assert comparison.skeleton.false_negatives == len(comparison.missing)
    assert comparison.skeleton.false_positives == len(comparison.extra)
    back = compare(learned, truth)
    for forward, backward in (
        (comparison.skeleton, back.skeleton),
        (comparison.arrowheads, back.arrowheads),
        (comparison.v_structures, back.v_structures),
    ):
        assert forward.precision == backward.recall
        assert forward.f1 == backward.f1
    assert 0 <= comparison.skeleton.f1 <= 1


def bit_rows(n, arcs):
    parents = [sum(1 << a for a, b in arcs if b == v) for v in range(n)]
    return parents, [sum(1 << b for a, b in arcs if a == v) for v in range(n)]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_adjustment_by_any_set_in_any_dag(n):
    """The inside of SID, against paths, for all graphs, causes and adjustment sets."""
    for arcs in naive.all_dags(n):
        parents, children = bit_rows(n, arcs)
        for cause in range(n):
            others = [v for v in range(n) if v != cause]
            for chosen in product((False, True), repeat=n - 1):
                adjustment = {v for v, kept in zip(others, chosen, strict=True) if kept}
                found = misjudged_effects(parents, children, cause, sum(1 << v for v in adjustment))
                wanted = {
                    effect
                    for effect in others
                    if naive.is_misjudged(n, arcs, cause, effect, adjustment)
                }
                assert found == sum(1 << v for v in wanted)


def effect_is_wrong(weights, i, j, adjustment):
    """Compare the total effect of i on j in a linear Gaussian model with the adjusted one."""
    n = len(weights)
    total = np.linalg.inv(np.eye(n) - weights)  # total[j, i]: effect of i on j
    covariance = total @ total.T
    if j in adjustment:
        return abs(total[j, i]) > 1e-9
    regressors = [i, *sorted(adjustment)]
    block = covariance[np.ix_(regressors, regressors)]
    return abs(np.linalg.solve(block, covariance[regressors, j])[0] - total[j, i]) > 1e-9


@given(dags(labels="abcde"), dags(labels="abcde"), st.integers(0, 2**32 - 1))
def test_sid_counts_the_wrong_effects_of_a_linear_model(truth, estimate, seed):
    """By definition: with generic coefficients an effect is right only if it is so by the graph."""
    n, rng = len(truth), np.random.default_rng(seed)
    weights = truth.to_matrix().T * rng.uniform(0.5, 2, (n, n)) * rng.choice([-1, 1], (n, n))
    parents = estimate.to_matrix().T
    wrong = sum(
        effect_is_wrong(weights, i, j, set(np.flatnonzero(parents[i]).tolist()))
        for i, j in permutations(range(n), 2)
    )
    assert sid(truth, estimate) == wrong


@given(sparse_dags(max_nodes=7), st.data())
def test_sid_equals_the_naive_one(truth, data):
    estimate = data.draw(dags(labels=truth.names))
    number = {name: i for i, name in enumerate(truth.names)}
    arcs, guess = ({(number[a], number[b]) for a, b in dag.arcs} for dag in (truth, estimate))
    assert sid(truth, estimate) == naive.sid(len(truth), arcs, guess)


def test_sid_of_the_published_example():
    """Two estimates one edge away from the truth: one has all effects right, one misjudges 8."""
    names = ["x1", "x2", "y1", "y2", "y3"]
    arcs = [("x1", "x2"), *product(names[:2], names[2:])]
    truth = Dag(names, arcs)
    assert sid(truth, Dag(names, [*arcs, ("y1", "y2")])) == 0
    assert sid(truth, Dag(names, [("x2", "x1"), *arcs[1:]])) == 8


@given(dags(labels="abcde"), dags(labels="abcde"))
def test_sid_bounds_are_those_of_the_members(truth, estimate):
    cpdag = estimate.to_cpdag()
    distances = [sid(truth, member) for member in cpdag.members()]
    assert sid_bounds(truth, cpdag) == (min(distances), max(distances))


def test_sid_properties():
    empty, full = Dag(ABCD), Dag(ABCD, combinations(ABCD, 2))
    assert sid(TRUTH, TRUTH) == 0
    assert sid(empty, empty) == sid(empty, full) == 0
    # Without adjustment all 6 effects of a later node on an earlier one look real, and the 3
    # effects among b, c and d are confounded.
    assert sid(full, empty) == 6 + 3


@pytest.mark.parametrize("function", [shd, skeleton_shd, compare, sid])
def test_other_nodes_are_named(function):
    many = [f"v{i}" for i in range(12)]
    with pytest.raises(ValueError, match="same nodes; only in the first: a, b; only in the second"):
        function(Dag(["a", "b", "c"]), Dag(["c", "d"]))
    with pytest.raises(ValueError, match=r"same nodes; only in the second: v0, .* and 4 more"):
        function(Dag([]), Dag(many))


def test_other_kinds_are_refused():
    dag, cpdag = Dag(["a"]), Cpdag(["a"])
    with pytest.raises(TypeError, match="a graph must be a Dag, Pdag or Cpdag, got a list"):
        shd(dag, [("a", "b")])
    with pytest.raises(TypeError, match="truth must be a Dag, got a Cpdag"):
        sid(cpdag, dag)
    with pytest.raises(TypeError, match="estimate must be a Dag, got a Cpdag; sid_bounds takes"):
        sid(dag, cpdag)
    with pytest.raises(TypeError, match="estimate must be a Cpdag, got a Dag; sid takes a Dag"):
        sid_bounds(dag, dag)
    clique = Cpdag(ABCD, [], combinations(ABCD, 2))
    with pytest.raises(ValueError, match=r"max_members must be at least 24, got 23: .* a, b, c, d"):
        sid_bounds(TRUTH, clique, max_members=23)


def test_a_network_and_a_result_are_compared_by_their_graphs():
    truth = networks.load("asia")
    result = learn_structure(truth.sample(500, seed=1), "greedy-e")
    assert compare(truth, result) == compare(truth.dag, result.cpdag)
    assert compare(truth, truth).shd == shd(truth, truth.dag) == 0
    with pytest.raises(TypeError, match="a graph must be a Dag, Pdag or Cpdag, got an int"):
        compare(truth, 3)


def test_names_with_commas_are_told_apart():
    with pytest.raises(ValueError, match="only in the first: 'a, b', c; only in the second: d"):
        shd(Dag(["a, b", "c"]), Dag(["d"]))
