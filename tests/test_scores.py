# SPDX-License-Identifier: MIT
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import scores as naive
from stigmergy import AIC, BD, BIC, K2, BDeu, Dag, Dataset, LogLikelihood, Scorer
from stigmergy.errors import ParameterError

# Two binary columns, four rows: (a, b) = 00, 00, 11, 10. N(a=0) = 2 with b = 0, 0;
# N(a=1) = 2 with b = 1, 0.
TINY = Dataset.from_codes([[0, 0, 1, 1], [0, 0, 1, 0]], ["a", "b"], [2, 2])


def test_bdeu_by_hand():
    # ess 1, q = 2, r = 2: alpha_j = 1/2, alpha_jk = 1/4.
    # j = 0 sees value 0 twice:      (1/4 * 5/4) / (1/2 * 3/2) = 5/12
    # j = 1 sees each value once:    (1/4 * 1/4) / (1/2 * 3/2) = 1/12
    assert Scorer(TINY, BDeu(1)).family("b", ["a"]) == pytest.approx(math.log(5 / 144), abs=1e-12)
    # Without parents alpha = 1, alpha_k = 1/2, counts 3 and 1:
    # (1/2 * 3/2 * 5/2) (1/2) / (1 * 2 * 3 * 4) = 15/384
    assert Scorer(TINY, BDeu(1)).family("b") == pytest.approx(math.log(15 / 384), abs=1e-12)


def test_k2_by_hand():
    # j = 0: 1! / 3! * 2! = 1/3;  j = 1: 1! / 3! * 1! 1! = 1/6.
    assert Scorer(TINY, K2()).family("b", ["a"]) == pytest.approx(math.log(1 / 18), abs=1e-12)
    # Without parents: 1! / 5! * 3! 1! = 1/20.
    assert Scorer(TINY, K2()).family("b") == pytest.approx(math.log(1 / 20), abs=1e-12)


def test_likelihood_scores_by_hand():
    # Configuration 0 is certain, configuration 1 is a fair coin twice: log(1/4). Two parameters.
    fit = math.log(1 / 4)
    assert Scorer(TINY, LogLikelihood()).family("b", ["a"]) == pytest.approx(fit, abs=1e-12)
    assert Scorer(TINY, AIC()).family("b", ["a"]) == pytest.approx(fit - 2, abs=1e-12)
    bic = fit - 2 * math.log(4) / 2
    assert Scorer(TINY, BIC()).family("b", ["a"]) == pytest.approx(bic, abs=1e-12)


def test_bd_by_hand():
    # Pseudo counts (1, 2) for a = 0 and (3, 4) for a = 1:
    # j = 0: (1 * 2) / (3 * 4) = 1/6;  j = 1: (3 * 4) / (7 * 8) = 3/14.
    tables = {("b", ("a",)): [[1, 2], [3, 4]]}
    value = Scorer(TINY, BD(tables)).family("b", ["a"])
    assert value == pytest.approx(math.log(1 / 28), abs=1e-12)
    assert Scorer(TINY, BD(lambda child, parents, arities: [[1, 2], [3, 4]])).family(
        "b", ["a"]
    ) == pytest.approx(math.log(1 / 28), abs=1e-12)


def random_table(seed, n_rows, arities, weighted=False):
    rng = np.random.default_rng(seed)
    # Skewed on purpose: the square of a uniform number is small more often than large.
    columns = [(rng.random(n_rows) ** 2 * r).astype(int) for r in arities]
    weights = rng.integers(0, 4, n_rows) if weighted else None
    names = [f"x{i:02}" for i in range(len(arities))]
    data = Dataset.from_codes(columns, names, list(arities), weights)
    return data, [tuple(int(c[i]) for c in columns) for i in range(n_rows)], names


NAIVE = [
    (BDeu(1), lambda *a: naive.bdeu(*a[:4], 1.0, *a[4:])),
    (BDeu(0.01), lambda *a: naive.bdeu(*a[:4], 0.01, *a[4:])),
    (BDeu(100), lambda *a: naive.bdeu(*a[:4], 100.0, *a[4:])),
    (K2(), naive.k2),
    (BIC(), naive.bic),
    (AIC(), naive.aic),
    (LogLikelihood(), naive.log_likelihood),
]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("score", "definition"), NAIVE, ids=lambda x: getattr(x, "name", ""))
def test_scores_match_their_definitions(score, definition, weighted):
    arities = (2, 3, 4, 2, 7, 20, 300, 1)
    for n_rows in (1, 10, 700):
        data, rows, names = random_table(n_rows, n_rows, arities, weighted)
        weights = None if data.weights is None else [int(w) for w in data.weights]
        if weights is not None and sum(weights) == 0:
            continue
        scorer = Scorer(data, score)
        for child in range(len(arities)):
            others = [i for i in range(len(arities)) if i != child]
            for size in range(len(others) + 1):
                parents = others[:size]
                expected = definition(rows, arities, child, parents, weights)
                got = scorer.family(names[child], [names[p] for p in parents])
                assert got == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_bd_with_equal_pseudo_counts_is_bdeu_and_k2():
    data, _, names = random_table(3, 200, (2, 3, 4, 2))
    bdeu = Scorer(data, BDeu(2.5))
    k2 = Scorer(data, K2())
    table = Scorer(data, BD(lambda child, parents, arities: 2.5 / math.prod(arities)))
    one = Scorer(data, BD(1))
    ones = Scorer(data, BD(lambda child, parents, arities: 1.0))
    for child in names:
        parents = [name for name in names if name != child]
        for size in range(len(parents) + 1):
            family = (child, parents[:size])
            assert table.family(*family) == pytest.approx(bdeu.family(*family), abs=1e-9)
            assert one.family(*family) == k2.family(*family)
            assert ones.family(*family) == pytest.approx(k2.family(*family), abs=1e-9)


def test_bd_pseudo_counts_name_their_cells():
    # Distinct pseudo counts per cell: the naive twin looks each one up by configuration.
    arities = (3, 2, 4, 2)
    data, rows, names = random_table(5, 300, arities)
    rng = np.random.default_rng(1)
    parents = [1, 2, 3]
    alpha = rng.random((2 * 4 * 2, 3)) + 0.1
    expected = naive.bd(
        naive.counts(rows, 0, parents), lambda c: alpha[c[0] + 2 * c[1] + 8 * c[2]].tolist()
    )
    tables = {(names[0], tuple(names[p] for p in parents)): alpha}
    got = Scorer(data, BD(tables)).family(names[0], [names[p] for p in parents])
    assert got == pytest.approx(expected, abs=1e-9)


def draw_equivalent(draw, n):
    """A DAG over n nodes and an equivalent one, reached by reversing covered arcs."""
    order = draw(st.permutations(range(n)))
    parents = {v: set() for v in range(n)}
    for i, v in enumerate(order):
        for u in order[:i]:
            if draw(st.booleans()):
                parents[v].add(u)
    other = {v: set(p) for v, p in parents.items()}
    for _ in range(draw(st.integers(1, 6))):
        # x -> y is covered when parents(y) = parents(x) + x (Chickering 1995).
        covered = [(x, y) for y in other for x in sorted(other[y]) if other[y] == other[x] | {x}]
        if not covered:
            break
        x, y = draw(st.sampled_from(covered))
        other[y].remove(x)
        other[x].add(y)
    return parents, other


@st.composite
def equivalent_dags(draw):
    return draw_equivalent(draw, draw(st.integers(2, 6)))


@settings(max_examples=60, deadline=None)
@given(equivalent_dags(), st.integers(0, 10_000))
def test_equivalent_graphs_score_equal(pair, seed):
    n = len(pair[0])
    data, _, names = random_table(seed, 150, [2, 3, 4, 2, 5, 3][:n])
    graphs = [
        Dag(names, [(names[u], names[v]) for v in parents for u in parents[v]]) for parents in pair
    ]
    for score in (BDeu(1), BDeu(10), BIC(), AIC(), LogLikelihood()):
        scorer = Scorer(data, score)
        assert scorer.score_equivalent
        first, second = (scorer.score_graph(graph) for graph in graphs)
        assert first == pytest.approx(second, rel=1e-12, abs=1e-9)


def test_k2_is_not_score_equivalent():
    data, _, names = random_table(0, 100, (2, 5))
    scorer = Scorer(data, K2())
    a, b = names
    assert not scorer.score_equivalent
    forward = scorer.score_graph(Dag(names, [(a, b)]))
    assert abs(forward - scorer.score_graph(Dag(names, [(b, a)]))) > 0.2


@pytest.mark.parametrize("ess", [0, -1, math.inf, math.nan])
def test_bdeu_refuses(ess):
    with pytest.raises(ParameterError, match="ess must be a positive, finite number, got"):
        BDeu(ess)


@pytest.mark.parametrize("value", [0, -2.0, math.nan, "x", None, True])
def test_bd_refuses(value):
    with pytest.raises(ParameterError, match="pseudo_counts must be"):
        BD(value)


def test_bd_names_what_is_wrong_with_a_family():
    with pytest.raises(ParameterError, match=r"no entry for family \('b', \('a',\)\)"):
        Scorer(TINY, BD({})).family("b", ["a"])
    with pytest.raises(ParameterError, match=r"must broadcast to shape \(2, 2\)"):
        Scorer(TINY, BD({("b", ("a",)): [1, 2, 3]})).family("b", ["a"])
    with pytest.raises(ParameterError, match="must all be positive"):
        Scorer(TINY, BD({("b", ("a",)): [[1, 2], [0, 1]]})).family("b", ["a"])
