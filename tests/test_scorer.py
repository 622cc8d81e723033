# SPDX-License-Identifier: MIT
"""The scorer around the scores: graphs, priors, the count of evaluations, the cache, threads."""

import itertools
import math
import threading

import numpy as np
import pytest

from oracles import scores as naive
from stigmergy import BIC, K2, BDeu, Dag, Dataset, KappaPrior, Pdag, Scorer, networks
from stigmergy.errors import ParameterError, StructureError


def random_data(n_columns, n_rows, seed=0, arity=3):
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, arity, n_rows) for _ in range(n_columns)]
    return Dataset.from_codes(codes, [f"x{i:05}" for i in range(n_columns)], [arity] * n_columns)


def random_families(names, number, most, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(number):
        picked = rng.choice(len(names), size=1 + rng.integers(0, most + 1), replace=False)
        yield names[picked[0]], [names[i] for i in picked[1:]]


def test_a_graph_scores_the_sum_of_its_families():
    network = networks.load("asia")
    data = network.sample(300, seed=1)
    scorer = Scorer(data, BDeu(2))
    table = scorer.family_table(network.dag)
    assert [row.child for row in table] == sorted(data.names)
    rows = list(zip(*(data.codes(x).tolist() for x in data.names), strict=True))
    number = {x: i for i, x in enumerate(data.names)}
    for child, parents, score in table:
        assert list(parents) == sorted(network.dag.parents(child))
        expected = naive.bdeu(rows, data.arities, number[child], [number[p] for p in parents], 2.0)
        assert score == pytest.approx(expected, abs=1e-9)
    assert scorer.score_graph(network.dag) == math.fsum(row.score for row in table)


def test_a_class_scores_as_each_of_its_members():
    network = networks.load("asia")
    scorer = Scorer(network.sample(300, seed=1), BDeu(2))
    cpdag = network.dag.to_cpdag()
    expected = scorer.score_graph(network.dag)
    assert scorer.score_graph(cpdag) == pytest.approx(expected, abs=1e-9)
    pdag = Pdag(cpdag.names, cpdag.directed, cpdag.undirected)
    assert scorer.score_graph(pdag) == pytest.approx(expected, abs=1e-9)


def test_graphs_that_have_no_score():
    scorer = Scorer(random_data(4, 10))
    a, b, c, d = scorer.names
    circle = Pdag(scorer.names, [], [(a, b), (b, c), (c, d), (d, a)])
    with pytest.raises(StructureError, match="no consistent extension"):
        scorer.score_graph(circle)
    with pytest.raises(StructureError, match="z"):
        scorer.score_graph(Dag([*scorer.names[:3], "z"], []))
    with pytest.raises(ParameterError, match="graph must be a Dag, Pdag or Cpdag"):
        scorer.score_graph([(a, b)])


@pytest.mark.parametrize("kappa", [1.0, 0.25])
def test_kappa_prior_charges_each_difference(kappa):
    """All 25 DAGs of three nodes, against an empty prior graph and every other one."""
    data = random_data(3, 50)
    names = data.names
    pairs = [(x, y) for x in names for y in names if x != y]
    subsets = itertools.chain.from_iterable(itertools.combinations(pairs, k) for k in range(4))
    dags = []
    for arcs in subsets:
        try:
            dags.append(Dag(names, arcs))
        except StructureError:  # a circle
            continue
    assert len(dags) == 25
    plain = Scorer(data, BDeu())
    for prior in [None, *dags]:
        prior_arcs = set() if prior is None else set(prior.directed)
        scorer = Scorer(data, BDeu(), prior=KappaPrior(kappa, prior))
        for dag in dags:
            delta = len(set(dag.directed) ^ prior_arcs)
            expected = plain.score_graph(dag) + delta * math.log(kappa)
            assert scorer.score_graph(dag) == pytest.approx(expected, abs=1e-9)
    assert Scorer(data, prior=KappaPrior(kappa)).score_equivalent
    assert not Scorer(data, prior=KappaPrior(kappa, dags[-1])).score_equivalent
    assert not Scorer(data, K2()).score_equivalent


def test_evaluations_are_requests_and_different_ones():
    scorer = Scorer(random_data(6, 100))
    a, b, c, *_ = scorer.names
    for parents in ([], [b], [c, b], [b, c], [b]):
        scorer.family(a, parents)
    assert (scorer.evaluations, scorer.distinct_evaluations) == (5, 3)
    scorer.families([(a, [b]), (a, [b, c]), (b, [a]), (b, [a])])
    assert (scorer.evaluations, scorer.distinct_evaluations) == (9, 4)
    scorer.score_graph(Dag(scorer.names, [(a, b)]))
    # Four of the six are new: a alone and b given a were asked for before.
    assert (scorer.evaluations, scorer.distinct_evaluations) == (15, 8)


def test_distinct_evaluations_are_estimated_when_scores_were_dropped():
    data = random_data(60, 20)
    families = list(itertools.product(data.names, itertools.combinations(data.names, 2)))
    families = [(child, parents) for child, parents in families if child not in parents]
    full, small = Scorer(data), Scorer(data, cache_bytes=20_000)
    assert (full.families(families) == small.families(families)).all()
    assert (full.families(families) == small.families(families)).all()
    assert full.distinct_evaluations == len(families)
    assert small.distinct_evaluations == pytest.approx(len(families), rel=0.02)
    assert small.evaluations == 2 * len(families)
    kept = len(small.core.export_families()[0])
    assert 0 < 24 * kept <= 20_000


@pytest.mark.parametrize("n_columns", [20, 300])
def test_scores_do_not_depend_on_the_cache(n_columns):
    """Up to 18 parents, which is more than a key of the cache can hold."""
    data = random_data(n_columns, 40)
    families = list(random_families(data.names, 600, 18))
    plain = [Scorer(data).family(*family) for family in families[:60]]
    for cache_bytes in (0, 1, 1000, 1 << 20):
        scorer = Scorer(data, cache_bytes=cache_bytes)
        first = scorer.families(families)
        assert first[:60].tolist() == plain
        assert (scorer.families(families) == first).all()


@pytest.mark.parametrize("score", [BDeu(0.3), BIC()])
def test_threads_and_orders_do_not_matter(score):
    data = random_data(25, 700)
    families = list(random_families(data.names, 3000, 4))
    one = Scorer(data, score).families(families)
    for n_threads in (2, 7):
        assert (Scorer(data, score, n_threads=n_threads).families(families) == one).all()
    turned = Dataset.from_codes(
        [data.codes(x) for x in reversed(data.names)], data.names[::-1], data.arities[::-1]
    )
    assert (Scorer(turned, score).families(families) == one).all()
    backwards = Scorer(data, score).families([(x, ps[::-1]) for x, ps in families[::-1]])
    assert (backwards[::-1] == one).all()


def test_one_scorer_for_many_threads():
    data = random_data(25, 200)
    families = list(random_families(data.names, 2000, 3))
    expected = Scorer(data).families(families)
    scorer = Scorer(data, cache_bytes=30_000)  # so small that scores are replaced all the time
    wrong = []

    def work():
        for _ in range(5):
            if not (scorer.families(families) == expected).all():
                wrong.append(threading.get_ident())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_as_many_variables_as_can_be():
    n = 65_535
    codes = np.array([0, 1, 1, 0, 1], dtype=np.uint8)
    names = [f"x{i:05}" for i in range(n)]
    data = Dataset.from_codes([codes] * n, names, [2] * n)
    scorer = Scorer(data)
    last = scorer.family(names[-1], [names[0], names[-2]])
    assert last == scorer.family(names[0], [names[1], names[2]])
    assert scorer.family(names[0], names[1:10]) == scorer.family(names[-1], names[-10:-1])


def test_more_configurations_than_numbers():
    """700 parents of 30 values: q is beyond any double, and each row is its only one.

    With a = ess / q going to 0, a configuration seen once contributes log(a / r) - log(a).
    """
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, 30, 9) for _ in range(700)]
    child = [0, 1, 2, 0, 1, 2, 0, 1, 2]
    names = [f"x{i:03}" for i in range(701)]
    data = Dataset.from_codes([*codes, child], names, [30] * 700 + [3])
    assert Scorer(data, BDeu()).family(names[-1], names[:-1]) == pytest.approx(-9 * math.log(3))
    assert Scorer(data, K2()).family(names[-1], names[:-1]) == pytest.approx(-9 * math.log(3))
    assert Scorer(data, BIC()).family(names[-1], names[:-1]) == -math.inf


def test_functions_are_asked_once_and_their_errors_come_through():
    asked = []

    def minus_size(child, parents):
        asked.append((child, parents))
        if len(parents) == 3:
            raise RuntimeError("too many")
        return math.nan if child == "d" else -float(len(parents))

    scorer = Scorer.from_function("dbca", minus_size, n_threads=2)
    assert scorer.names == ("a", "b", "c", "d")
    assert [scorer.family("a", ["c", "b"]) for _ in range(3)] == [-2.0] * 3
    assert asked == [("a", ("b", "c"))]
    with pytest.raises(RuntimeError, match="too many"):
        scorer.family("a", ["b", "c", "d"])
    with pytest.raises(ParameterError, match="must be a number below infinity, got nan"):
        scorer.families([("a", ["b"]), ("d", ["a"])])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_parents": -1}, "max_parents must be an integer >= 0 or None, got -1"),
        ({"max_parents": 1.5}, "max_parents must be"),
        ({"cache_bytes": -1}, "cache_bytes must be"),
        ({"n_threads": 0}, "n_threads must be an integer >= 1, got 0"),
        ({"score": "bdeu"}, "score must be"),
        ({"prior": 0.5}, "prior must be"),
        ({"prior": KappaPrior(0.5, Dag(["z"], []))}, "z"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises((ParameterError, StructureError), match=message):
        Scorer(random_data(3, 5), **arguments)


def test_families_that_are_none():
    scorer = Scorer(random_data(3, 5))
    a, b, _ = scorer.names
    with pytest.raises(ParameterError, match="'z' is not a variable"):
        scorer.family(a, ["z"])
    with pytest.raises(ParameterError, match="twice"):
        scorer.family(a, [b, b])
    with pytest.raises(ParameterError, match="parent of itself"):
        scorer.family(a, [a])
    with pytest.raises(ParameterError, match="collection of names"):
        scorer.family(a, b)
    assert scorer.families([]).shape == (0,)
