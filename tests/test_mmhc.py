# SPDX-License-Identifier: MIT
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_scorers import oracle_scorer, scorer_of
from oracles.max_min import mmpc
from stigmergy import BDeu, Dag, Dataset, IndependenceFunction, Knowledge, Scorer, _core, networks
from stigmergy.errors import ParameterError
from stigmergy.search import MMHC, MMPC, Budget
from strategies import dags, sparse_dags


def neighbours_of(dag):
    return {v: tuple(sorted({*dag.parents(v), *dag.children(v)})) for v in sorted(dag.names)}


@settings(max_examples=150, deadline=None)
@given(dag=dags(min_nodes=1, max_nodes=7))
def test_perfect_tests_give_the_true_neighbours(dag):
    assert MMPC().neighbours(oracle_scorer(dag)) == neighbours_of(dag)


@settings(max_examples=30, deadline=None)
@given(dag=sparse_dags(min_nodes=8, max_nodes=16, max_parents=2))
def test_perfect_tests_give_the_true_neighbours_in_larger_graphs(dag):
    assert MMPC().neighbours(oracle_scorer(dag)) == neighbours_of(dag)


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 6), alpha=st.sampled_from([0.05, 0.3, 0.6]))
def test_contradicting_tests_give_what_the_pseudo_code_gives(seed, n, alpha):
    rng = np.random.default_rng(seed)
    table = {}
    for x, y in itertools.combinations(range(n), 2):
        others = [v for v in range(n) if v not in (x, y)]
        for size in range(n - 1):
            for chosen in itertools.combinations(others, size):
                table[x, y, chosen] = float(rng.random() ** 4)
    names = "abcdef"[:n]

    def p_value(x, y, chosen):
        return table[min(x, y), max(x, y), tuple(chosen)]

    def function(x, y, given_):
        p = p_value(names.index(x), names.index(y), [names.index(v) for v in given_])
        return 1 / p, 1.0, p

    found = MMPC(alpha=alpha).neighbours(scorer_of(IndependenceFunction(names, function)))
    expected = mmpc(n, p_value, alpha)
    assert [{names.index(v) for v in found[name]} for name in names] == expected


def asia(n_rows, seed=1):
    network = networks.load("asia")
    return network, network.sample(n_rows, seed=seed)


def test_tables_with_few_rows_are_not_tested_as_in_the_pseudo_code():
    _, data = asia(150)
    scorer = Scorer(data)
    names = scorer.names

    def p_value(x, y, chosen):
        outcome = scorer.independence.test(
            names[x], names[y], [names[v] for v in chosen], min_rows_per_cell=5
        )
        return outcome.p_value if outcome.testable else None

    found = MMPC().neighbours(Scorer(data))
    assert [{names.index(v) for v in found[name]} for name in names] == mmpc(8, p_value, 0.05)
    assert not math.isnan(sum(map(len, found.values())))


def test_variable_that_cannot_be_tested_is_no_neighbour():
    data = Dataset.from_codes([[0, 1, 2, 3, 0, 1, 2, 3]] * 2, ["a", "b"], [4, 4])
    assert MMPC().neighbours(Scorer(data)) == {"a": (), "b": ()}
    assert MMPC(min_rows_per_cell=0).neighbours(Scorer(data)) == {"a": ("b",), "b": ("a",)}


def test_strongest_association_is_found_where_p_values_underflow():
    # Both p-values are 0 as doubles. c is a itself, b is a with a few errors: c comes in first.
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 5000)
    b = a ^ (rng.random(5000) < 0.02)
    scorer = Scorer(Dataset.from_codes([a, b, a], ["a", "b", "c"], [2, 2, 2]))
    assert scorer.independence.test("a", "b").p_value == 0.0
    assert scorer.independence.test("a", "c").p_value == 0.0
    assert MMPC().neighbours(scorer)["a"] == ("c",)


def test_hill_climbing_stays_on_the_edges_of_mmpc():
    network, data = asia(2000)
    result = MMHC().run(Scorer(data), truth=network.dag)
    allowed = result.details["neighbours"]
    assert all(x in allowed[y] and y in allowed[x] for x, y in result.dag.arcs)
    assert result.score == pytest.approx(Scorer(data).score_graph(result.dag), abs=1e-9)
    assert result.score > Scorer(data).score_graph(Dag(data.names))
    assert result.details["tests"] > 28
    assert result.evaluations > result.details["tests"]
    assert len(result.trace) == 9
    assert result.trace[-1].shd is not None


def test_climb_finds_the_best_dag_on_a_small_skeleton():
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 2, (2, 1500))
    c = np.where(rng.random(1500) < 0.85, a | b, rng.integers(0, 2, 1500))
    scorer = Scorer(Dataset.from_codes([a, b, c], ["a", "b", "c"], [2, 2, 2]), BDeu())
    result = MMHC().run(scorer)
    assert set(result.dag.arcs) == {("a", "c"), ("b", "c")}
    best = max(
        scorer.score_graph(Dag(["a", "b", "c"], arcs))
        for arcs in itertools.product(
            [("a", "c"), ("c", "a")],
            [("b", "c"), ("c", "b")],
        )
    )
    assert result.score == pytest.approx(best)


def test_threads_and_column_order_do_not_matter():
    _, data = asia(1000)
    first = MMHC().run(Scorer(data))
    names = data.names[::-1]
    levels = dict(zip(data.names, data.levels, strict=True))
    turned = Dataset.from_codes([data.codes(v) for v in names], names, [levels[v] for v in names])
    for other in (Scorer(turned), Scorer(data, n_threads=3)):
        second = MMHC().run(other)
        assert (first.dag, first.score, first.details) == (
            second.dag,
            second.score,
            second.details,
        )


def test_knowledge_is_obeyed():
    _, data = asia(1000)
    knowledge = Knowledge(
        required_edges=[("xray", "asia")],
        forbidden_edges=[("smoke", "bronc"), ("bronc", "smoke"), ("lung", "either")],
    )
    result = MMHC().run(Scorer(data, knowledge=knowledge))
    assert knowledge.violations_of_arcs(result.dag.arcs) == []
    assert "asia" in result.details["neighbours"]["xray"]
    assert "bronc" not in result.details["neighbours"]["smoke"]


def test_parent_limit_is_kept():
    _, data = asia(2000)
    dag = MMHC().run(Scorer(data, max_parents=1)).dag
    assert max(len(dag.parents(v)) for v in dag.names) == 1


def test_interrupted_mmpc_has_no_answer(monkeypatch):
    """Where the core takes notice of Ctrl-C, it ends early and Python does not hear of it."""
    stopped = _core.Stop(0.0)
    monkeypatch.setattr(_core, "Stop", lambda seconds: stopped)
    with pytest.raises(KeyboardInterrupt):
        MMPC().neighbours(Scorer(networks.load("asia").sample(1000, seed=1)))


def test_time_limit_leaves_a_result():
    _, data = asia(500)
    result = MMHC().run(Scorer(data), budget=Budget(seconds=0))
    assert result.stop == "time limit"
    assert result.dag.arcs == ()


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"alpha": 1.0}, "alpha must be a number between 0 and 1, got 1.0"),
        ({"tabu": -1}, "tabu must be an integer >= 0, got -1"),
        ({"patience": 1.5}, "patience must be an integer >= 0, got 1.5"),
        ({"test": "z"}, "test must be one of g2, chi2, mi, got 'z'"),
        ({"max_conditioning": -1}, "max_conditioning must be an integer >= 0 or None, got -1"),
    ],
)
def test_bad_settings_are_named(settings_, message):
    with pytest.raises(ParameterError, match=message):
        MMHC(**settings_)
