# SPDX-License-Identifier: MIT
import hashlib
import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_scorers import oracle_scorer, scorer_of
from oracles.graphs import all_dags, extensions
from stigmergy import Dag, Dataset, IndependenceFunction, Knowledge, Scorer, networks
from stigmergy.errors import ParameterError
from stigmergy.search import FCI, PC, TPDA, Budget
from strategies import dags, sparse_dags

RULES = ["plain", "conservative", "majority"]


def edges(graph):
    return graph.directed, graph.undirected


@pytest.mark.parametrize("colliders", RULES)
@settings(max_examples=100, deadline=None)
@given(dag=dags(min_nodes=1, max_nodes=7))
def test_perfect_tests_give_the_true_class(colliders, dag):
    result = PC(colliders=colliders).run(oracle_scorer(dag))
    assert result.cpdag == dag.to_cpdag()
    assert edges(result.pdag) == edges(dag.to_cpdag())
    assert result.details["conflicts"] == []
    assert result.details["ambiguous"] == []
    assert result.details["consistent_extension"]


@settings(max_examples=30, deadline=None)
@given(dag=sparse_dags(min_nodes=10, max_nodes=25, max_parents=3))
def test_perfect_tests_give_the_true_class_of_larger_graphs(dag):
    assert PC().run(oracle_scorer(dag)).cpdag == dag.to_cpdag()


def test_perfect_tests_give_the_true_class_of_every_dag_on_four_nodes():
    names = list("abcd")
    for arcs in all_dags(4):
        dag = Dag(names, [(names[x], names[y]) for x, y in arcs])
        assert edges(PC().run(oracle_scorer(dag)).pdag) == edges(dag.to_cpdag())


@st.composite
def dags_with_knowledge(draw):
    """Draw a DAG and true knowledge of it."""
    dag = draw(dags(min_nodes=2, max_nodes=6, labels=None))
    required = draw(st.lists(st.sampled_from(dag.arcs), unique=True)) if dag.arcs else []
    absent = [a for a in itertools.permutations(dag.names, 2) if a not in dag.arcs]
    forbidden = draw(st.lists(st.sampled_from(absent), unique=True, max_size=6)) if absent else []
    order = dag.topological_order()
    cut = draw(st.integers(0, len(order)))
    tiers = [order[:cut], order[cut:]] if draw(st.booleans()) else []
    return dag, Knowledge(required_edges=required, forbidden_edges=forbidden, tiers=tiers)


@settings(max_examples=200, deadline=None)
@given(case=dags_with_knowledge())
def test_knowledge_gives_the_edges_on_which_all_members_that_obey_agree(case):
    dag, knowledge = case
    result = PC().run(oracle_scorer(dag, knowledge=knowledge))
    names = sorted(dag.names)
    number = {name: i for i, name in enumerate(names)}
    cpdag = dag.to_cpdag()
    numbered = [[(number[x], number[y]) for x, y in part] for part in edges(cpdag)]
    members = [
        {(names[x], names[y]) for x, y in member}
        for member in extensions(len(names), frozenset(numbered[0]), numbered[1])
    ]
    obeying = [member for member in members if not knowledge.violations_of_arcs(member)]
    assert set(dag.arcs) in obeying
    assert set(result.pdag.directed) == set.intersection(*obeying)
    assert result.pdag.skeleton == dag.skeleton
    assert result.details["conflicts"] == []
    assert set(result.dag.arcs) in obeying


def noisy(names, seed, share=0.3):
    """Answer tests as it happens, whatever contradicts whatever; the same for the same nodes."""

    def function(x, y, given_):
        text = f"{seed} {x} {y} {' '.join(given_)}"
        chance = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) / 2**32
        return 1.0, 1.0, (0.9 if chance < share else 0.01)

    return IndependenceFunction(names, function)


@pytest.mark.parametrize("colliders", RULES)
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 7), limit=st.none() | st.integers(0, 3))
def test_contradicting_tests_still_give_a_dag_and_are_listed(colliders, seed, n, limit):
    scorer = scorer_of(noisy("abcdefg"[:n], seed), max_parents=limit)
    result = PC(colliders=colliders).run(scorer)
    pdag, dag = result.pdag, result.dag
    assert all(len(dag.parents(v)) <= (n if limit is None else limit) for v in dag.names)
    extension = pdag.consistent_extension()
    if result.details["consistent_extension"]:
        assert extension is not None
        assert edges(extension.to_cpdag()) == edges(result.cpdag)
        assert set(pdag.directed) <= set(dag.arcs)
        assert dag.skeleton == pdag.skeleton
        assert dag.v_structures == pdag.v_structures
    else:
        assert result.details["conflicts"]
        assert set(dag.skeleton) <= set(pdag.skeleton)
        if limit is None:
            assert extension is None
            assert dag.skeleton == pdag.skeleton


@pytest.mark.parametrize("colliders", RULES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), order=st.permutations(range(6)))
def test_names_play_no_part_in_what_is_established(colliders, seed, order):
    """Rename the variables of contradicting tests: only the choice of separators may change."""
    old, new = "abcdef", ["abcdef"[i] for i in order]
    back = dict(zip(new, old, strict=True))
    source = noisy(old, seed)

    def renamed(x, y, given_):
        return source.test(back[x], back[y], [back[v] for v in given_])

    first = PC(colliders=colliders).run(scorer_of(source)).pdag
    second = PC(colliders=colliders).run(scorer_of(IndependenceFunction(new, renamed))).pdag
    as_before = [
        {frozenset((back[x], back[y])) for x, y in second.skeleton},
        {(back[x], back[y]) for x, y in second.directed},
    ]
    assert {frozenset(pair) for pair in first.skeleton} == as_before[0]
    if colliders != "plain":
        assert set(first.directed) == as_before[1]


def test_opposite_wishes_leave_an_edge_undirected_and_are_listed():
    # a - b - c - d, where a, c and b, d are independent given nothing: b and c both collide.
    lines = {("a", "b"), ("b", "c"), ("c", "d")}
    tests = IndependenceFunction(
        "abcd", lambda x, y, given_: (1.0, 1.0, 0.01 if (x, y) in lines else 0.9)
    )
    result = PC(colliders="plain").run(scorer_of(tests))
    pdag = result.pdag
    assert edges(pdag) == ((("a", "b"), ("d", "c")), (("b", "c"),))
    assert result.details["conflicts"] == [
        {
            "nodes": ["b", "c"],
            "why": "wanted in both directions: v-structure b c d / v-structure a b c",
        },
        {
            "nodes": [],
            "why": "no consistent extension: no DAG has exactly these v-structures",
        },
    ]
    assert result.dag.skeleton == pdag.skeleton
    assert result.details["separators"]["a, c"] == []


def test_conservative_rule_leaves_open_what_majority_decides():
    # x and y are independent given nothing, given z, and given w: z is in one set of three.
    sets = {(): 0.9, ("z",): 0.9, ("w",): 0.9, ("w", "z"): 0.01}

    def function(x, y, given_):
        return 1.0, 1.0, (sets[given_] if (x, y) == ("x", "y") else 0.01)

    def run(rule):
        names = ["w", "x", "y", "z"]
        return PC(colliders=rule).run(scorer_of(IndependenceFunction(names, function)))

    assert run("conservative").details["ambiguous"] == [["x", "w", "y"], ["x", "z", "y"]]
    assert set(run("conservative").pdag.directed) == set()
    assert run("majority").details["ambiguous"] == []
    assert set(run("majority").pdag.v_structures) == {("x", "w", "y"), ("x", "z", "y")}


def test_threads_and_column_order_do_not_matter():
    rng = np.random.default_rng(11)
    n_rows, copied = 2000, rng.random((3, 2000))
    columns = {"a": rng.integers(0, 3, n_rows), "b": rng.integers(0, 3, n_rows)}
    columns["c"] = np.where(copied[0] < 0.5, columns["a"], columns["b"])
    columns["d"] = np.where(copied[1] < 0.8, columns["c"], rng.integers(0, 3, n_rows))
    columns["e"] = np.where(copied[2] < 0.5, columns["d"], columns["b"])
    results = []
    for names in itertools.islice(itertools.permutations("abcde"), 0, 120, 17):
        data = Dataset.from_codes([columns[v] for v in names], names, [3] * 5)
        for n_threads in (1, 3):
            result = PC().run(Scorer(data, n_threads=n_threads))
            results.append((result.cpdag, result.dag, result.score, str(result.details)))
    assert len(set(results)) == 1
    assert set(results[0][0].v_structures) == {("a", "c", "b"), ("b", "e", "d")}


def test_tests_count_as_evaluations_and_levels_as_iterations():
    dag = Dag(list("abcd"), [("a", "b"), ("b", "c"), ("c", "d")])
    result = PC(colliders="plain").run(oracle_scorer(dag), truth=dag)
    # Nothing given: 6 pairs. One given: 2 for each of the 3 edges, then 1, 1 and 2 for ac, ad, bd.
    assert result.details["tests"] == result.details["distinct_tests"] == 6 + 6 + 1 + 1 + 2
    assert [row.iteration for row in result.trace] == [1, 2, 2]
    assert result.trace[-1].shd == 0
    assert result.stop == "finished"
    first = PC(colliders="plain").run(oracle_scorer(dag), budget=Budget(iterations=1))
    assert first.stop == "iteration limit"
    assert len(first.pdag.skeleton) == 6


def test_time_limit_ends_the_tests():
    def slow(x, y, given_):
        time.sleep(0.002)
        return 1.0, 1.0, 0.01

    names = [f"v{i:02}" for i in range(20)]
    begun = time.monotonic()
    result = PC().run(scorer_of(IndependenceFunction(names, slow)), budget=Budget(seconds=0.2))
    assert time.monotonic() - begun < 3
    assert result.stop == "time limit"
    assert result.details["conflicts"][-1]["why"].startswith("stopped before the end")
    assert not result.details["consistent_extension"]
    assert len(result.pdag.skeleton) == 190
    assert result.dag.arcs == ()


def test_limit_of_the_sets_is_kept():
    asked = set()

    def function(x, y, given_):
        asked.add(len(given_))
        return 1.0, 1.0, 0.01

    PC(max_conditioning=2).run(scorer_of(IndependenceFunction("abcdef", function)))
    assert asked == {0, 1, 2}


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"alpha": 0}, "alpha must be a number between 0 and 1, got 0"),
        ({"max_conditioning": -1}, "max_conditioning must be an integer >= 0 or None, got -1"),
        ({"colliders": "all"}, "colliders must be one of plain, conservative, majority, got 'all'"),
        ({"test": "t"}, "test must be one of g2, chi2, mi, got 't'"),
        ({"dof": "few"}, "dof must be one of adaptive, classical, got 'few'"),
        ({"min_rows_per_cell": -2}, "min_rows_per_cell must be a finite number >= 0, got -2"),
    ],
)
def test_bad_settings_are_named(settings_, message):
    with pytest.raises(ParameterError, match=message):
        PC(**settings_)


@pytest.mark.parametrize("search", [PC(), FCI(), TPDA()])
def test_an_interruption_leaves_the_edges_so_far(search):
    def press(run):
        raise KeyboardInterrupt

    data = networks.load("asia").sample(500, seed=1)
    result = search.run(Scorer(data), observer=press)
    assert result.stop == "interrupted"
    assert "stopped before the end" in result.details["conflicts"][-1]["why"]
    assert result.details["tests"] > 0
    assert (result.pag if search.name == "fci" else result.pdag).edges
