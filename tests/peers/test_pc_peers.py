# SPDX-License-Identifier: MIT
"""PC against causal-learn 0.1.4.8: the same test and alpha, so the same p-values and skeleton.

Where the tests agree with one another the directions are the same too. Where they do not, the two
decide by rules of their own, and every difference must be due to one of these:

* causal-learn goes on with the sets of a size when one has separated x and y, and z collides when
  it is in none that separate. Here the first set that separates decides, as in the publication.
* An edge wanted in both directions keeps the direction it got first there, and none here.
* Meek's rules leave an edge alone there when it would close a cycle; here a cycle is opened.

The last two are listed in the result's conflicts.
"""

import functools

import numpy as np
import pytest
from causallearn.search.ConstraintBased.PC import pc as causal_learn_pc

from stigmergy import Dataset, Scorer, networks
from stigmergy.search import PC

pytestmark = pytest.mark.peer

ALPHA = 0.05
TESTS = {"g2": "gsq", "chi2": "chisq"}
RANDOM = [("random", 20_000, seed) for seed in range(60)]
GOLD = [
    (name, n_rows, seed)
    for name in ("cancer", "earthquake", "survey", "asia", "sachs", "child", "insurance", "alarm")
    for n_rows in (500, 2000)
    for seed in range(2)
]


def random_data(n_rows, seed, n_nodes=10):
    """Sample a random DAG whose nodes have up to two parents that matter: tests can see them."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n_nodes)
    codes = np.zeros((n_nodes, n_rows), dtype=np.int64)
    for i, v in enumerate(order):
        parents = rng.permutation(order[:i])[: rng.integers(0, 3)]
        effects = rng.choice([-1, 1], len(parents)) * rng.uniform(0.8, 1.2, len(parents))
        log_odds = effects @ (2 * codes[parents] - 1)
        codes[v] = rng.random(n_rows) < 1 / (1 + np.exp(-log_odds))
    return Dataset.from_codes(list(codes), [f"v{i}" for i in range(n_nodes)], [2] * n_nodes)


@functools.cache
def both(case, test):
    """Return our result, the names, and causal-learn's result on the same columns."""
    name, n_rows, seed = case
    if name == "random":
        scorer = Scorer(random_data(n_rows, seed))
    else:
        scorer = Scorer(networks.load(name).sample(n_rows, seed=seed))
    table = np.column_stack([scorer.data.codes(v) for v in scorer.names]).astype(np.int64)
    theirs = causal_learn_pc(table, ALPHA, TESTS[test], stable=True, show_progress=False)
    return PC(ALPHA, test=test, colliders="plain").run(scorer), scorer, theirs


def edges(names, ends):
    """Return skeleton and arcs; ends[x, y] is the mark at x: -1 tail, 1 arrowhead, 0 no edge."""
    pairs = {(names[x], names[y]) for x, y in np.argwhere(ends) if x < y}
    arcs = {(names[x], names[y]) for x, y in np.argwhere((ends == -1) & (ends.T == 1))}
    return pairs, arcs


def is_unequivocal(result, names, theirs):
    """Tell whether none of the rules that differ has come into play."""
    if result.details["conflicts"]:
        return False
    for (x, y), sets in separators(names, theirs).items():
        given = set(result.details["separators"][f"{x}, {y}"])
        middles = set(result.pdag.adjacent(x)) & set(result.pdag.adjacent(y))
        if set().union(*sets) & middles != given & middles:
            return False
    return True


def separators(names, theirs):
    found = {}
    for (x, y), sets in np.ndenumerate(theirs.sepset):
        if x < y and sets is not None:
            found[names[x], names[y]] = [{names[v] for v in one} for one in sets]
    return found


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("case", [*RANDOM, *GOLD], ids=str)
def test_same_skeleton_and_same_directions_unless_tests_contradict(case, test):
    result, scorer, theirs = both(case, test)
    skeleton, arcs = edges(scorer.names, theirs.G.graph)
    assert set(result.pdag.skeleton) == skeleton
    if is_unequivocal(result, scorer.names, theirs):
        assert set(result.pdag.directed) == arcs


def test_there_are_data_sets_without_contradictions():
    """So the comparison of directions is no empty one."""
    compared, directed = 0, 0
    for case in RANDOM:
        result, scorer, theirs = both(case, "g2")
        if is_unequivocal(result, scorer.names, theirs):
            compared += 1
            directed += bool(result.pdag.directed)
    assert compared >= 25
    assert directed >= 20


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("case", [*RANDOM, *GOLD], ids=str)
def test_our_separating_set_is_among_theirs(case, test):
    """They keep, for either end, the union of the sets of a size that separate."""
    result, scorer, theirs = both(case, test)
    sets = separators(scorer.names, theirs)
    assert len(sets) == len(result.details["separators"])
    for (x, y), unions in sets.items():
        given = set(result.details["separators"][f"{x}, {y}"])
        assert any(given <= union for union in unions)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("case", [case for case in GOLD if case[0] in ("child", "insurance")])
def test_all_p_values_are_the_same(case, test):
    _, scorer, theirs = both(case, test)
    made = {key: p for key, p in theirs.test.pvalue_cache.items() if ";" in key}
    assert len(made) > 500
    ours = scorer.independence.test_all([query(key, scorer.names) for key in made], test)
    np.testing.assert_allclose(
        [one.p_value for one in ours], list(made.values()), rtol=1e-7, atol=1e-12
    )


def query(key, names):
    """Read a key such as ``3;4|1.2``."""
    pair, _, given = key.partition("|")
    x, y = pair.split(";")
    return names[int(x)], names[int(y)], [names[int(v)] for v in given.split(".") if given]
