# SPDX-License-Identifier: MIT
"""The native searches over orders against plain Python."""

import functools

import numpy as np
import pytest

from oracles import orders as oracle
from stigmergy import _core


def random_score(n, seed):
    """A score that falls with the number of parents on average, one number per family."""
    rng = np.random.default_rng(seed)

    @functools.cache
    def family(child, parents):
        return -10.0 - 0.3 * len(parents) + float(rng.normal(0, 1.5))

    return lambda child, parents: family(child, tuple(sorted(parents)))


def scorer_of(score, n, max_parents):
    return _core.Scorer.from_function(n, score, max_parents, 1 << 20)


def random_rules(n, rng):
    """Arcs along and against a random order, so that the rules never contradict each other."""
    order = list(rng.permutation(n))
    pairs = [(int(order[i]), int(order[j])) for i in range(n) for j in range(i + 1, n)]
    chosen = [pairs[k] for k in rng.permutation(len(pairs))[: n // 2]]
    required, forbidden = chosen[::2], [(y, x) for x, y in chosen[1::2]]
    return required, forbidden


def arcs(network):
    return sorted((p, child) for child, parents in network.items() for p in parents)


def allowed_order(n, rng, required):
    while True:
        order = [int(v) for v in rng.permutation(n)]
        if oracle.follows(order, required):
            return order


CASES = [
    (n, k, seed, ruled)
    for n, k in ((1, 3), (4, 2), (6, 6), (7, 3))
    for seed in range(6)
    for ruled in (False, True)
]


def make(n, max_parents, seed, ruled):
    rng = np.random.default_rng(seed)
    required, forbidden = random_rules(n, rng) if ruled else ([], [])
    score = random_score(n, seed)
    scorer = scorer_of(score, n, max_parents)
    return rng, score, scorer, _core.ArcRules(n, required, forbidden), required, forbidden


@pytest.mark.parametrize(("n", "max_parents", "seed", "ruled"), CASES)
def test_order_network_is_the_one_of_k2(n, max_parents, seed, ruled):
    rng, score, scorer, rules, required, forbidden = make(n, max_parents, seed, ruled)
    search = _core.OrderSearch(scorer, rules)
    for _ in range(5):
        order = allowed_order(n, rng, required)
        search.set_order(order, _core.Stop())
        network = oracle.k2_network(score, order, max_parents, required, forbidden)
        assert sorted(search.dag().directed_edges()) == arcs(network)
        assert search.score == pytest.approx(oracle.network_score(score, network), abs=1e-9)


@pytest.mark.parametrize(("n", "max_parents", "seed", "ruled"), CASES)
def test_builder_takes_the_order_of_k2sn(n, max_parents, seed, ruled):
    _, score, scorer, rules, required, forbidden = make(n, max_parents, seed, ruled)
    order, network = oracle.k2sn(score, n, max_parents, required, forbidden)
    builder = _core.OrderBuilder(scorer, rules)
    for _ in range(2):  # once more after clear()
        builder.clear()
        for _ in range(n):
            ready = builder.ready()
            builder.place(ready[int(np.argmax(builder.scores(ready)))])
        assert builder.order == order
        assert sorted(builder.dag().directed_edges()) == arcs(network)
        assert builder.score == pytest.approx(oracle.network_score(score, network), abs=1e-9)


@pytest.mark.parametrize(("n", "max_parents", "seed", "ruled"), CASES)
def test_best_swaps_climb_as_the_oracle_climbs(n, max_parents, seed, ruled):
    rng, score, scorer, rules, required, forbidden = make(n, max_parents, seed, ruled)
    order = allowed_order(n, rng, required)
    search = _core.OrderSearch(scorer, rules)
    search.set_order(order, _core.Stop())
    while (best := search.best_swap(_core.Stop())) is not None:
        i, j, gain = best
        before = search.score
        search.swap(i, j)
        assert search.score == pytest.approx(before + gain, abs=1e-9)
    expected, network = oracle.hcsn(score, order, max_parents, required, forbidden)
    assert search.order == expected
    assert sorted(search.dag().directed_edges()) == arcs(network)


def test_a_swap_that_breaks_a_required_arc_is_refused():
    search = _core.OrderSearch(scorer_of(random_score(3, 0), 3, 2), _core.ArcRules(3, [(0, 2)]))
    search.set_order([0, 1, 2], _core.Stop())
    with pytest.raises(ValueError, match="before one of its required parents"):
        search.swap(0, 2)
    with pytest.raises(ValueError, match="before one of its required parents"):
        search.set_order([2, 1, 0], _core.Stop())


@pytest.mark.parametrize("order", [[0, 1], [0, 1, 1], [0, 1, 3], [0, 1, 2, 0]])
def test_an_order_names_every_node_once(order):
    search = _core.OrderSearch(scorer_of(random_score(3, 0), 3, 2), _core.ArcRules(3))
    with pytest.raises(ValueError, match="every node once"):
        search.set_order(order, _core.Stop())


def test_only_predecessors_are_scored():
    asked = set()

    def score(child, parents):
        asked.add((child, tuple(parents)))
        return -float(len(parents))

    search = _core.OrderSearch(scorer_of(score, 4, 3), _core.ArcRules(4))
    search.set_order([2, 0, 3, 1], _core.Stop())
    assert asked == {
        *((v, ()) for v in range(4)),
        (0, (2,)),
        (3, (2,)),
        (3, (0,)),
        (1, (2,)),
        (1, (0,)),
        (1, (3,)),
    }


def test_a_stopped_search_has_no_swap():
    search = _core.OrderSearch(scorer_of(random_score(6, 1), 6, 2), _core.ArcRules(6))
    assert not search.set_order([5, 4, 3, 2, 1, 0], _core.Stop(0.0))
    assert search.set_order([5, 4, 3, 2, 1, 0], _core.Stop())
    assert search.best_swap(_core.Stop(0.0)) is None
