# SPDX-License-Identifier: MIT
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_scorers import oracle_scorer, scorer_of
from oracles.graphs import all_dags, is_blocked, paths
from oracles.three_phase import skeletons
from stigmergy import Dag, Dataset, IndependenceFunction, Knowledge, Scorer, networks
from stigmergy.errors import ParameterError
from stigmergy.search import PC, TPDA, Budget
from strategies import dags


def edges(graph):
    return graph.directed, graph.undirected


def numbered(dag):
    number = {name: i for i, name in enumerate(sorted(dag.names))}
    return len(number), {(number[x], number[y]) for x, y in dag.arcs}


def monotone(dag, rng):
    """Give each path of a DAG a weight; information is the sum over those that are active.

    So it never grows when fewer paths are active: the assumption that TPDA rests on.
    """
    n, arcs = numbered(dag)
    names = sorted(dag.names)
    weights = {
        (x, y): [(path, rng.uniform(0.1, 1.0)) for path in paths(n, arcs, x, y)]
        for x, y in itertools.combinations(range(n), 2)
    }

    def function(x, y, given_):
        chosen = {names.index(v) for v in given_}
        ways = weights[names.index(x), names.index(y)]
        total = sum(weight for path, weight in ways if not is_blocked(n, arcs, path, chosen))
        return total, 1.0, float(total == 0)

    return IndependenceFunction(names, function)


def exact(dag, tables):
    """Compute information from the joint distribution; tables have P(1 | parents)."""
    names = sorted(dag.names)
    joint = np.ones((2,) * len(names))
    for values in itertools.product(range(2), repeat=len(names)):
        for i, name in enumerate(names):
            chance = tables[name]
            for parent in dag.parents(name):
                chance = chance[values[names.index(parent)]]
            joint[values] *= chance if values[i] else 1 - chance

    def marginal(kept):
        others = tuple(i for i, name in enumerate(names) if name not in kept)
        return joint.sum(axis=others, keepdims=True)

    def function(x, y, given_):
        ratio = marginal({x, y, *given_}) * marginal({*given_})
        ratio = ratio / (marginal({x, *given_}) * marginal({y, *given_}))
        value = max(float((joint * np.log(ratio)).sum()), 0.0)
        return value, 1.0, float(value < 1e-9)

    return IndependenceFunction(names, function)


def random_tables(dag, rng):
    return {v: rng.uniform(0.05, 0.95, size=(2,) * len(dag.parents(v))) for v in dag.names}


def test_monotone_information_gives_the_true_class_of_every_dag_on_four_nodes():
    rng = np.random.default_rng(0)
    for arcs in all_dags(4):
        dag = Dag(list("abcd"), [("abcd"[x], "abcd"[y]) for x, y in arcs])
        result = TPDA().run(scorer_of(monotone(dag, rng)))
        assert edges(result.pdag) == edges(dag.to_cpdag())
        assert result.details["conflicts"] == result.details["ambiguous"] == []


@settings(max_examples=100, deadline=None)
@given(dag=dags(min_nodes=5, max_nodes=6), seed=st.integers(0, 10**6))
def test_monotone_information_gives_the_true_class(dag, seed):
    result = TPDA().run(scorer_of(monotone(dag, np.random.default_rng(seed))))
    assert edges(result.pdag) == edges(dag.to_cpdag())
    assert result.cpdag == dag.to_cpdag()
    assert result.details["consistent_extension"]


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 8))
def test_true_distribution_of_a_polytree_gives_its_class(seed, n):
    rng = np.random.default_rng(seed)
    names = list("abcdefgh"[:n])
    links = [(names[rng.integers(i)], names[i]) for i in range(1, n)]
    dag = Dag(names, [link if rng.random() < 0.5 else link[::-1] for link in links])
    source = exact(dag, random_tables(dag, rng))
    found = PC(colliders="plain").run(scorer_of(source)).pdag
    faithful = edges(found) == edges(dag.to_cpdag())
    if faithful:  # else an arc, or a collider, is too weak to be told from none
        result = TPDA(threshold=1e-9).run(scorer_of(source))
        assert edges(result.pdag) == edges(dag.to_cpdag())


def test_information_that_is_not_monotone_misleads():
    """The class of Chickering & Meek's objection: a common cause beside two common effects.

    Without one of the effects fewer paths between b and c are active, yet they tell more of each
    other; so the descent from {a, d, e} ends at once and never comes to {a}, which separates.
    """
    arcs = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("b", "e"), ("c", "e")]
    dag = Dag(list("abcde"), arcs)
    tables = {
        "a": 0.5,
        "b": [0.7, 0.9],
        "c": [0.7, 0.1],
        "d": [[0.2, 0.3], [0.5, 0.8]],
        "e": [[0.3, 0.1], [0.7, 0.2]],
    }
    source = exact(dag, tables)
    assert edges(PC().run(scorer_of(source)).pdag) == edges(dag.to_cpdag())
    extra = TPDA(threshold=1e-6).run(scorer_of(source)).pdag
    assert set(extra.skeleton) == {*dag.skeleton, ("b", "c")}
    everything = source.test("b", "c", list("ade")).statistic
    assert source.test("b", "c", "a").statistic < 1e-12
    for fewer in ("ad", "ae", "de"):
        assert source.test("b", "c", list(fewer)).statistic > everything
    # The assumption itself holds of the same graph, and then the answer is right.
    right = TPDA().run(scorer_of(monotone(dag, np.random.default_rng(0))))
    assert edges(right.pdag) == edges(dag.to_cpdag())


def test_threshold_of_a_d_separation_oracle_is_met_on_trees():
    dag = Dag(list("abcde"), [("a", "b"), ("b", "c"), ("b", "d"), ("e", "d")])
    assert edges(TPDA().run(oracle_scorer(dag)).pdag) == edges(dag.to_cpdag())


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 6), threshold=st.sampled_from([0.1, 0.4]))
def test_phases_are_those_of_the_naive_twin(seed, n, threshold):
    rng = np.random.default_rng(seed)
    names = "abcdef"[:n]
    values = {}

    def information(x, y, given_):
        key = (min(x, y), max(x, y), frozenset(given_))
        return values.setdefault(key, float(rng.random() ** 2))

    def function(x, y, given_):
        value = information(names.index(x), names.index(y), {names.index(v) for v in given_})
        return value, 1.0, 0.5

    result = TPDA(threshold).run(scorer_of(IndependenceFunction(names, function)))
    found = [
        {(names.index(x), names.index(y)) for x, y in phase}
        for phase in result.details["phases"].values()
    ]
    assert found == skeletons(n, information, threshold)
    assert result.details["consistent_extension"] or result.details["conflicts"]
    assert set(result.dag.skeleton) <= set(result.pdag.skeleton)


def asia(n_rows):
    network = networks.load("asia")
    return network, network.sample(n_rows, seed=1)


def test_threads_and_column_order_do_not_matter():
    _, data = asia(2000)
    levels = dict(zip(data.names, data.levels, strict=True))
    names = data.names[::-1]
    turned = Dataset.from_codes([data.codes(v) for v in names], names, [levels[v] for v in names])
    results = [
        TPDA().run(scorer) for scorer in (Scorer(data), Scorer(turned), Scorer(data, n_threads=3))
    ]
    assert results[0].details == results[1].details == results[2].details
    assert results[0].dag == results[1].dag == results[2].dag
    assert len(results[0].pdag.skeleton) >= 5


def test_information_is_that_of_the_data_in_nats():
    _, data = asia(500)
    scorer = Scorer(data)
    strongest = max(
        itertools.combinations(scorer.names, 2),
        key=lambda pair: scorer.independence.test(*pair, method="mi").statistic,
    )
    value = scorer.independence.test(*strongest, method="mi").statistic
    assert TPDA(threshold=value * 0.999).run(scorer).pdag.skeleton == (strongest,)
    assert TPDA(threshold=value * 1.001).run(scorer).pdag.skeleton == ()


def test_knowledge_is_obeyed():
    _, data = asia(2000)
    knowledge = Knowledge(
        required_edges=[("xray", "asia")],
        forbidden_edges=[("smoke", "bronc"), ("bronc", "smoke"), ("lung", "either")],
    )
    result = TPDA().run(Scorer(data, knowledge=knowledge))
    assert ("xray", "asia") in result.pdag.directed
    assert ("bronc", "smoke") not in result.pdag.skeleton
    assert ("either", "lung") in result.pdag.directed
    assert knowledge.violations_of_arcs(result.dag.arcs) == []


@settings(max_examples=60, deadline=None)
@given(dag=dags(min_nodes=3, max_nodes=6, labels="abcdef"), seed=st.integers(0, 10**6))
def test_true_tiers_change_directions_only(dag, seed):
    order = dag.topological_order()
    tiers = Knowledge(tiers=[order[:2], order[2:]])
    source = monotone(dag, np.random.default_rng(seed))
    result = TPDA().run(scorer_of(source, knowledge=tiers))
    assert result.pdag.skeleton == dag.skeleton
    assert set(dag.to_cpdag().directed) <= set(result.pdag.directed) <= set(dag.arcs)


def test_parent_limit_is_kept():
    _, data = asia(5000)
    dag = TPDA(threshold=0.0005).run(Scorer(data, max_parents=1)).dag
    assert max(len(dag.parents(v)) for v in dag.names) == 1


def test_budget_ends_after_a_phase_and_within_it():
    _, data = asia(1000)
    first = TPDA().run(Scorer(data), budget=Budget(iterations=1))
    assert first.stop == "iteration limit"
    assert list(first.details["phases"]) == ["drafting"]
    none = TPDA().run(Scorer(data), budget=Budget(seconds=0))
    assert none.stop == "time limit"
    assert none.pdag.skeleton == ()
    whole = TPDA().run(Scorer(data))
    assert whole.stop == "finished"
    assert [row.iteration for row in whole.trace] == [1, 2, 3, 3]
    assert whole.evaluations > whole.details["tests"] > 28


@pytest.mark.parametrize("threshold", [-0.1, float("nan"), float("inf")])
def test_bad_settings_are_named(threshold):
    with pytest.raises(ParameterError, match="threshold must be a finite number >= 0, got"):
        TPDA(threshold)
