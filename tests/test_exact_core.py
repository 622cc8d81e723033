# SPDX-License-Identifier: MIT
"""Dynamic programming over sets of nodes against every DAG."""

import random

import pytest

from oracles import exact as oracle
from oracles import ges, graphs
from stigmergy import _core

SIZES = [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)]


def tied_score(n, seed, equivalent):
    """Small integers, so that many networks are equally good."""
    rng = random.Random(seed)
    f = [rng.randrange(4) for _ in range(2**n)]
    own = {}

    def family(child, parents):
        mask = sum(1 << p for p in parents)
        if equivalent:
            return float(f[mask | 1 << child] - f[mask])
        return float(own.setdefault((child, mask), rng.randrange(3)))

    return family


def searched(score, n, max_parents, required=(), forbidden=(), n_threads=1):
    scorer = _core.Scorer.from_function(n, score, max_parents, 1 << 20)
    search = _core.ExactSearch(scorer, _core.ArcRules(n, list(required), list(forbidden)))
    assert search.score_families(n_threads, _core.Stop())
    assert search.solve(n_threads, _core.Stop())
    return search


def dags_of(search, one_per_class):
    networks, complete = search.best_networks(one_per_class, 10**6, 10**9, _core.Stop())
    assert complete
    return [frozenset(network.directed_edges()) for network in networks]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("equivalent", [True, False])
def test_all_best_networks_are_found(n, equivalent):
    for seed in range(8 if n < 5 else 2):
        for max_parents in (n, 1):
            score = tied_score(n, seed, equivalent)
            best, dags = oracle.best_dags(score, n, max_parents)
            search = searched(score, n, max_parents)
            assert search.best_score == best
            found = dags_of(search, one_per_class=False)
            assert len(found) == len(set(found))
            assert set(found) == set(dags)
            assert frozenset(search.best_network().directed_edges()) in set(dags)


@pytest.mark.parametrize("n", SIZES)
def test_one_per_class_loses_no_class(n):
    fewer = 0
    for seed in range(8 if n < 5 else 2):
        score = tied_score(n, seed, equivalent=True)
        search = searched(score, n, n)
        every, few = dags_of(search, one_per_class=False), dags_of(search, one_per_class=True)
        assert set(few) <= set(every)
        assert {ges.class_key(dag) for dag in few} == {ges.class_key(dag) for dag in every}
        fewer += len(every) - len(few)
    assert fewer > 0 or n == 1


@pytest.mark.parametrize("n", [3, 4])
def test_rules_are_obeyed(n):
    for seed in range(12):
        rng = random.Random(seed)
        pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
        rng.shuffle(pairs)
        required, forbidden = pairs[:1], [pairs[1], pairs[2][::-1]]
        score = tied_score(n, seed, equivalent=seed % 2 == 0)
        best, dags = oracle.best_dags(score, n, 2, required, forbidden)
        search = searched(score, n, 2, required, forbidden)
        assert search.best_score == best
        assert set(dags_of(search, one_per_class=False)) == set(dags)


def test_answers_do_not_depend_on_threads():
    score = tied_score(16, 3, equivalent=True)
    one, three = searched(score, 16, 2), searched(score, 16, 2, n_threads=3)
    assert one.best_score == three.best_score
    assert one.best_network() == three.best_network()
    assert one.n_choices == three.n_choices


def test_limits_on_the_list_of_optima_are_told():
    search = searched(lambda child, parents: 0.0, 4, 4)
    stop = _core.Stop()
    assert len(dags_of(search, one_per_class=False)) == 543
    networks, complete = search.best_networks(False, 100, 10**9, stop)
    assert (len(networks), complete) == (100, False)
    assert not search.best_networks(False, 10**6, 50, stop)[1]
    assert len(graphs.classes(dags_of(search, one_per_class=True))) == 185


def test_a_stopped_search_knows_nothing():
    scorer = _core.Scorer.from_function(8, lambda child, parents: -1.0, 8, 1 << 20)
    search = _core.ExactSearch(scorer, _core.ArcRules(8))
    assert not search.score_families(1, _core.Stop(0.0))
    assert not search.solve(1, _core.Stop(0.0))


def test_impossible_scores_are_an_error():
    scorer = _core.Scorer.from_function(2, lambda child, parents: float("-inf"), 2, 1 << 20)
    search = _core.ExactSearch(scorer, _core.ArcRules(2))
    assert search.score_families(1, _core.Stop())
    with pytest.raises(ValueError, match="no network has a finite score"):
        search.solve(1, _core.Stop())


def test_needs_are_told():
    assert _core.ExactSearch.n_families(5, 5) == 5 * 2**4
    assert _core.ExactSearch.n_families(5, 1) == 5 * (1 + 4)
    # Sinks of 2^5 sets, two layers of 10 scores.
    assert _core.ExactSearch.bytes_needed(5, 5, 1) == 4 * 2**5 + 8 * 20
    assert _core.ExactSearch.bytes_needed(31, 2, 1) == 2**64 - 1
    with pytest.raises(ValueError, match="at most 30 nodes"):
        _core.ExactSearch(
            _core.Scorer.from_function(31, lambda c, p: 0.0, 1, 1 << 20), _core.ArcRules(31)
        )
