# SPDX-License-Identifier: MIT
"""Searches over orders and over classes with the operators of GES, and exact search."""

import itertools
import math
import time

import numpy as np
import pytest

from oracles import ges as oracle_ges
from oracles import graphs
from oracles import orders as oracle_orders
from stigmergy import (
    BIC,
    K2,
    Cpdag,
    Dag,
    Dataset,
    Knowledge,
    KnowledgeError,
    ParameterError,
    Scorer,
    networks,
)
from stigmergy.errors import ScoreError
from stigmergy.search import AcoE, Budget, GreedyE
from stigmergy.search.aco_k2sn import AcoK2SN
from stigmergy.search.epq import EPQ
from stigmergy.search.exact import Exact, optimal_classes
from stigmergy.search.ges import GES
from stigmergy.search.ges_operators import GesOperator
from stigmergy.search.hcsn import HCSN
from stigmergy.search.k2 import K2Search
from stigmergy.search.k2sn import K2SN
from stigmergy.search.kes import KES

ORDER_SEARCHES = [K2Search(), K2SN(), HCSN(), AcoK2SN(ants=3, iterations=4)]
CLASS_SEARCHES = [
    GES(),
    GES(turning=True, iterate=True),
    KES(k=0.5, restarts=2),
    EPQ(population=10, generations=15),
]
SEARCHES = [*ORDER_SEARCHES, *CLASS_SEARCHES, Exact()]
KNOWLEDGE = Knowledge(
    required_edges=[("xray", "asia")],
    forbidden_edges=[("lung", "smoke"), ("tub", "either"), ("either", "tub")],
    tiers=[["smoke", "xray"], ["bronc"]],
)


def name_of(search):
    return type(search).__name__ + ("-turning" if getattr(search, "turning", False) else "")


def asia(rows=400, seed=1):
    return networks.load("asia").sample(rows, seed)


every_search = pytest.mark.parametrize("search", SEARCHES, ids=name_of)


def check(result, scorer):
    """Check that a result is what it says."""
    assert result.dag.to_cpdag() == result.cpdag
    assert result.score == pytest.approx(scorer.score_graph(result.dag), abs=1e-6)
    assert sum(family.score for family in result.families) == pytest.approx(result.score, abs=1e-6)
    if scorer.max_parents is not None:
        assert max(len(result.dag.parents(x)) for x in scorer.names) <= scorer.max_parents


# -- what all of them promise ------------------------------------------------------------------


@every_search
def test_result_is_the_graph_with_its_score(search):
    scorer = Scorer(asia(), max_parents=3)
    result = search.run(scorer, seed=4)
    check(result, scorer)
    assert result.stop == "finished"
    assert result.algorithm == search.name
    assert result.score > scorer.score_graph(Dag(scorer.names, []))
    assert [row.best_score for row in result.trace] == sorted(
        row.best_score for row in result.trace
    )


@every_search
@pytest.mark.parametrize("max_parents", [1, 2, None])
def test_knowledge_and_limit_are_obeyed(search, max_parents):
    scorer = Scorer(asia(), max_parents=max_parents, knowledge=KNOWLEDGE)
    result = search.run(scorer, seed=2)
    check(result, scorer)
    assert ("xray", "asia") in result.dag.directed
    assert not set(result.dag.adjacent("tub")) & {"either"}
    assert ("lung", "smoke") not in result.dag.directed
    assert not {("bronc", "smoke"), ("bronc", "xray")} & set(result.dag.directed)


@every_search
def test_same_seed_same_answer_whatever_the_threads_and_columns(search):
    data = asia()
    turned = Dataset.from_codes(
        [data.codes(name) for name in data.names[::-1]],
        data.names[::-1],
        [dict(zip(data.names, data.levels, strict=True))[name] for name in data.names[::-1]],
    )
    results = [
        search.run(Scorer(data), seed=7),
        search.run(Scorer(data, n_threads=3), seed=7),
        search.run(Scorer(turned), seed=7),
    ]
    for result in results[1:]:
        assert result.dag == results[0].dag
        assert result.score == results[0].score
        assert result.evaluations == results[0].evaluations
        assert len(result.trace) == len(results[0].trace)


@pytest.mark.parametrize("search", [SEARCHES[3], SEARCHES[6], SEARCHES[7]], ids=name_of)
def test_other_seeds_go_other_ways(search):
    data = asia(100)
    evaluations = {search.run(Scorer(data), seed=seed).evaluations for seed in range(4)}
    assert len(evaluations) > 1


@every_search
def test_no_time_gives_the_start(search):
    scorer = Scorer(asia(), knowledge=KNOWLEDGE)
    result = search.run(scorer, budget=Budget(seconds=0))
    check(result, scorer)
    assert result.stop == "time limit"
    assert set(result.dag.directed) == {("xray", "asia")}


@every_search
def test_a_short_time_is_kept(search):
    scorer = Scorer(networks.load("insurance").sample(2000, 1), max_parents=4)
    begin = time.monotonic()
    result = search.run(scorer, budget=Budget(seconds=0.2))
    assert time.monotonic() - begin < 3.0
    assert result.dag.to_cpdag() == result.cpdag


@every_search
def test_an_interruption_leaves_the_best_so_far(search):
    def interrupt(run):
        raise KeyboardInterrupt

    scorer = Scorer(asia())
    result = search.run(scorer, observer=interrupt)
    check(result, scorer)
    assert result.stop == "interrupted"
    assert len(result.trace) == 1


@every_search
def test_iterations_and_evaluations_can_be_limited(search):
    scorer = Scorer(asia())
    limited = search.run(scorer, budget=Budget(iterations=2))
    assert len(limited.trace) <= 2
    none = search.run(Scorer(asia()), budget=Budget(evaluations=0))
    assert none.stop == "evaluation limit"


@pytest.mark.parametrize("search", ORDER_SEARCHES, ids=name_of)
def test_order_searches_take_scores_that_differ_within_a_class(search):
    scorer = Scorer(asia(), K2())
    check(search.run(scorer), scorer)


@pytest.mark.parametrize("search", CLASS_SEARCHES, ids=name_of)
def test_class_searches_refuse_scores_that_differ_within_a_class(search):
    with pytest.raises(ScoreError, match="needs a score that is equal for all DAGs"):
        search.run(Scorer(asia(), K2()))


@every_search
def test_a_required_edge_beyond_the_limit_is_refused(search):
    knowledge = Knowledge(required_edges=[("smoke", "lung"), ("asia", "lung")])
    with pytest.raises(KnowledgeError, match="max_parents is 1"):
        search.run(Scorer(asia(), max_parents=1, knowledge=knowledge))


@pytest.mark.parametrize("search", CLASS_SEARCHES, ids=name_of)
def test_a_start_beyond_the_limit_is_refused(search):
    scorer = Scorer(asia(), max_parents=1)
    start = Dag(scorer.names, [("smoke", "lung"), ("asia", "lung")])
    with pytest.raises(ParameterError, match="start must not have more than max_parents=1"):
        search.run(scorer, start=start)


@every_search
def test_one_variable_is_enough(search):
    scorer = Scorer(Dataset.from_codes([[0, 1, 1]], ["only"], [2]))
    assert search.run(scorer).dag == Dag(["only"], [])


@every_search
def test_constant_columns_do_no_harm(search):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, 100)
    data = Dataset.from_codes([x, x, np.zeros(100, int)], ["a", "b", "c"], [2, 2, 2])
    result = search.run(Scorer(data, BIC()))
    assert result.cpdag == Cpdag(["a", "b", "c"], [], [("a", "b")])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KES(k=1.5), r"k must be a number in \[0, 1\], got 1.5"),
        (lambda: KES(restarts=-1), "restarts must be an integer >= 0"),
        (lambda: EPQ(population=0), "population must be an integer >= 1"),
        (lambda: EPQ(generations=-1), "generations must be an integer >= 0"),
        (lambda: AcoK2SN(ants=0), "ants must be an integer >= 1"),
        (lambda: AcoK2SN(rho=2.0), r"rho must be a number in \[0, 1\]"),
        (lambda: AcoK2SN(q0=-0.1), r"q0 must be a number in \[0, 1\]"),
        (lambda: AcoK2SN(beta=-1.0), r"beta must be a number in \[0, inf\]"),
        (lambda: Exact(memory=-1), "memory must be an integer >= 0 or None"),
        (lambda: Exact(most_optima=0), "most_optima must be an integer >= 1"),
        (lambda: GesOperator("Flip"), "name must be one of Insert, Delete, Turn, got 'Flip'"),
    ],
)
def test_parameters_out_of_range_are_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


# -- orders ------------------------------------------------------------------------------------


def family_by_number(scorer):
    names = scorer.names
    return lambda child, parents: scorer.family(names[child], [names[p] for p in sorted(parents)])


def arcs(scorer, network):
    names = scorer.names
    return {(names[p], names[v]) for v, parents in network.items() for p in parents}


def test_k2_finds_the_parents_of_the_oracle():
    scorer = Scorer(asia(), K2(), max_parents=2)
    order = ["xray", "asia", "tub", "smoke", "either", "lung", "dysp", "bronc"]
    numbers = [scorer.names.index(name) for name in order]
    network = oracle_orders.k2_network(family_by_number(scorer), numbers, 2)
    assert set(K2Search(order).run(scorer).dag.directed) == arcs(scorer, network)


def test_k2_without_an_order_takes_that_of_the_start():
    scorer = Scorer(asia())
    start = Dag(scorer.names, [("xray", "tub"), ("tub", "asia")])
    order = ["bronc", "dysp", "either", "lung", "smoke", "xray", "tub", "asia"]
    # Of the start's class the member with the first names before the others.
    member = start.to_cpdag().to_dag()
    assert ("asia", "tub") in member.directed or ("xray", "tub") in member.directed
    found = K2Search().run(scorer, start=start).dag
    assert found in {
        K2Search(list(each)).run(scorer).dag
        for each in (order, [*order[:5], "asia", "tub", "xray"], sorted(order))
    } | {K2Search(topological(member)).run(scorer).dag}
    assert K2Search().run(scorer).dag == K2Search(sorted(order)).run(scorer).dag


def topological(dag):
    order = []
    while len(order) < len(dag.names):
        order.append(
            min(x for x in dag.names if x not in order and set(dag.parents(x)) <= set(order))
        )
    return order


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["asia"], "every variable once; missing: 'bronc', 'dysp', .*'xray'$"),
        (["a", *sorted(networks.load("asia").names)], "every variable once; unknown: 'a'$"),
        ([*sorted(networks.load("asia").names), "lung"], "every variable once; repeated: 'lung'$"),
    ],
)
def test_k2_refuses_an_order_of_other_variables(order, message):
    with pytest.raises(ParameterError, match=message):
        K2Search(order).run(Scorer(asia()))


def test_k2_takes_no_text_for_an_order():
    with pytest.raises(ParameterError, match="order must be a list of names, got the text 'ab'"):
        K2Search("ab")


@pytest.mark.parametrize("order", [3, [3], {"a", "b"}])
def test_k2_takes_nothing_for_an_order_that_has_none(order):
    with pytest.raises(ParameterError, match="order must be a list of names, got"):
        K2Search(order)


def test_k2_keeps_an_order_that_can_be_read_once():
    order = sorted(networks.load("asia").names)
    search = K2Search(iter(order))
    assert search.order == tuple(order)
    assert search.run(Scorer(asia())).dag == search.run(Scorer(asia())).dag


def test_k2_refuses_an_order_against_required_edges():
    order = sorted(networks.load("asia").names)
    with pytest.raises(ParameterError, match="order puts 'asia' before 'xray'"):
        K2Search(order).run(Scorer(asia(), knowledge=KNOWLEDGE))


def test_k2sn_and_hcsn_are_those_of_the_oracle():
    scorer = Scorer(asia(), max_parents=2)
    score = family_by_number(scorer)
    order, network = oracle_orders.k2sn(score, 8, 2)
    assert set(K2SN().run(scorer).dag.directed) == arcs(scorer, network)
    _, climbed = oracle_orders.hcsn(score, order, 2)
    assert set(HCSN().run(scorer).dag.directed) == arcs(scorer, climbed)


def test_order_searches_get_better_one_by_one():
    scorer = Scorer(networks.load("insurance").sample(500, 3), max_parents=4)
    k2sn, hcsn = K2SN().run(scorer).score, HCSN().run(scorer).score
    aco = AcoK2SN(ants=3, iterations=3).run(scorer).score
    assert k2sn <= hcsn <= aco + 1e-6


def test_ants_reinforce_the_best_order():
    """With q0 = 1 and no pheromone spread the first ant repeats K2SN's choices."""
    scorer = Scorer(asia())
    result = AcoK2SN(ants=1, iterations=1, q0=1.0).run(scorer)
    assert result.score >= HCSN().run(scorer).score - 1e-6


# -- classes -----------------------------------------------------------------------------------


def expected_score(n, dag, rng, rows=1e8):
    """BIC of `rows` rows that follow the true distribution exactly: no sampling noise."""
    shape = (2,) * n
    joint = np.ones(shape)
    for v in range(n):
        parents = sorted(a for a, b in dag if b == v)
        one = rng.choice([0.1, 0.2, 0.35, 0.65, 0.8, 0.9], size=(2,) * len(parents))
        one = np.clip(one + rng.uniform(-0.05, 0.05, one.shape), 0.03, 0.97)
        for states in itertools.product((0, 1), repeat=n):
            p = one[tuple(states[u] for u in parents)]
            joint[states] *= p if states[v] else 1 - p

    def entropy(nodes):
        table = joint.sum(axis=tuple(v for v in range(n) if v not in nodes)).ravel()
        return -float((table * np.log(table)).sum())

    def family(child, parents):
        numbers = {int(p[1:]) for p in parents}
        fit = entropy(numbers) - entropy(numbers | {int(child[1:])})
        return rows * fit - 0.5 * math.log(rows) * 2 ** len(parents)

    return family


@pytest.mark.parametrize("seed", range(12))
def test_ges_finds_the_true_class_without_sampling_noise(seed):
    rng = np.random.default_rng(seed)
    n = 6
    order = rng.permutation(n)
    dag = frozenset(
        (int(order[i]), int(order[j]))
        for i in range(n)
        for j in range(i + 1, n)
        if rng.random() < 0.4
    )
    names = [f"v{i}" for i in range(n)]
    scorer = Scorer.from_function(names, expected_score(n, dag, rng), score_equivalent=True)
    truth = Dag(names, [(names[a], names[b]) for a, b in dag]).to_cpdag()
    assert GES().run(scorer).cpdag == truth
    assert GES(turning=True, iterate=True).run(scorer).cpdag == truth
    assert KES(k=0.5).run(scorer, seed=seed).cpdag == truth


def test_ges_makes_the_moves_of_the_oracle():
    """Every step is the best Insert, then the best Delete, told by the members of the class."""
    scorer = Scorer(networks.load("cancer").sample(300, 5))
    score, n = family_by_number(scorer), scorer.n_nodes
    members = [frozenset()]
    visited = []
    for kind in (oracle_ges.INSERT, oracle_ges.DELETE):
        while True:
            options = oracle_ges.operators(n, members, *graphs.cpdag_of_class(members))
            gains = {}
            for operator, pairs in options.items():
                if operator[0] == kind:
                    before, after = pairs[0]
                    gains[operator] = dag_score(score, n, after) - dag_score(score, n, before)
            best = max(gains, key=gains.__getitem__, default=None)
            if best is None or gains[best] <= 1e-6:
                break
            after = options[best][0][1]
            key = oracle_ges.class_key(after)
            members = [d for d in graphs.all_dags(n) if oracle_ges.class_key(d) == key]
            visited.append(dag_score(score, n, after))
    result = GES().run(scorer)
    assert [row.best_score for row in result.trace] == pytest.approx(visited)
    directed, undirected = graphs.cpdag_of_class(members)
    names = scorer.names
    assert result.cpdag == Cpdag(
        names,
        [(names[a], names[b]) for a, b in directed],
        [(names[a], names[b]) for a, b in undirected],
    )


def dag_score(score, n, dag):
    return sum(score(v, {a for a, b in dag if b == v}) for v in range(n))


def test_ges_goes_on_from_a_start():
    scorer = Scorer(asia())
    best = GES().run(scorer)
    full = Dag(scorer.names, list(itertools.combinations(scorer.names, 2)))
    assert GES().run(scorer, start=full).score >= scorer.score_graph(full)
    again = GES().run(scorer, start=best.cpdag)
    assert again.cpdag == best.cpdag
    assert again.trace == ()


def test_turning_never_makes_it_worse():
    for seed in range(5):
        scorer = Scorer(networks.load("insurance").sample(300, seed), BIC(), max_parents=4)
        plain = GES().run(scorer).score
        assert GES(turning=True).run(scorer).score >= plain - 1e-6
        assert GES(turning=True, iterate=True).run(scorer).score >= plain - 1e-6


def test_kes_takes_the_best_with_k_1_and_any_with_k_0():
    scorer = Scorer(asia())
    names = scorer.names
    greedy = KES(k=1.0).run(scorer, seed=1)
    assert greedy.cpdag == KES(k=1.0).run(scorer, seed=2).cpdag
    assert len({KES(k=0.0).run(scorer, seed=seed).trace[0].best_score for seed in range(9)}) > 1
    # Its first step from the empty graph is the best single edge.
    empty = scorer.score_graph(Dag(names, []))
    best = max(scorer.family(y, [x]) - scorer.family(y, []) for x in names for y in names if x != y)
    assert greedy.trace[0].best_score == pytest.approx(empty + best)


def test_kes_ends_in_a_local_maximum():
    scorer = Scorer(asia(100))
    for seed in range(5):
        found = KES(k=0.3).run(scorer, seed=seed)
        assert KES(k=1.0).run(scorer, start=found.cpdag).score == pytest.approx(found.score)


def test_epq_never_loses_its_best():
    scorer = Scorer(asia())
    result = EPQ(population=20, generations=40).run(scorer, seed=3)
    check(result, scorer)
    assert len(result.trace) == 40
    assert result.score > EPQ(population=20, generations=2).run(scorer, seed=3).score


def test_operators_of_ges_serve_ants_and_greedy_search():
    scorer = Scorer(asia(), max_parents=3)
    operators = [GesOperator(name) for name in ("Insert", "Delete", "Turn")]
    greedy = GreedyE(operators=operators).run(scorer)
    ants = AcoE(operators=operators, ants=2, iterations=2, rho=0.4, q0=0.5, beta=1.0).run(scorer)
    check(greedy, scorer)
    check(ants, scorer)
    assert ants.score >= greedy.score - 1e-6
    # With insertions only, greedy search is the first phase of GES.
    forward = GreedyE(operators=operators[:1]).run(scorer)
    empty = Dag(scorer.names, [])
    steps = GES().run(scorer, start=empty)
    assert forward.score <= steps.score + 1e-6
    assert repr(operators[0]) == "GesOperator('Insert')"


# -- exact search ------------------------------------------------------------------------------


def test_all_optimal_classes_are_told():
    """Two copies of a column: which one is joined to a third makes no difference."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, 200)
    y = np.where(rng.random(200) < 0.9, x, 1 - x)
    scorer = Scorer(Dataset.from_codes([x, x, y], ["a", "b", "c"], [2, 2, 2]), BIC())
    result = Exact().run(scorer)
    assert optimal_classes(result) == (
        Cpdag(["a", "b", "c"], [], [("a", "b"), ("a", "c")]),
        Cpdag(["a", "b", "c"], [], [("a", "b"), ("b", "c")]),
    )
    assert not Exact(most_optima=1).run(scorer).details["all_optima"]


def test_too_much_memory_is_refused_before_the_search():
    names = [f"v{i:02}" for i in range(28)]
    scorer = Scorer.from_function(names, lambda child, parents: 0.0, max_parents=2)
    with pytest.raises(
        ParameterError, match=r"28 variables needs 1.69 GB .* only 1 GB are allowed"
    ):
        Exact(memory=10**9).run(scorer)
    more = Scorer.from_function([*names, "x", "y", "z"], lambda child, parents: 0.0)
    with pytest.raises(ParameterError, match="at most 30 variables, got 31; use fewer"):
        Exact().run(more)
    assert scorer.evaluations == 0


def test_memory_is_told(caplog):
    with caplog.at_level("INFO", logger="stigmergy.search.exact"):
        result = Exact().run(Scorer(asia()))
    assert "8 variables, 1024 families" in caplog.text
    assert result.details["memory_bytes"] > 4 * 2**8
    assert result.details["parent_sets"] >= 8
