# SPDX-License-Identifier: MIT
"""GES against the package ges 1.1.1, operator after operator, on one shared score.

Both ways round: their search asks our scorer, and ours asks their Gaussian score. So every gain
must be the same, and every class on the way: whichever of the operators that tie is taken, all of
them lead to the class.
"""

import numpy as np
import pytest
from ges import main as peer
from ges import utils
from ges.scores import GaussObsL0Pen

from stigmergy import BIC, BDeu, Cpdag, Scorer, _core, networks
from stigmergy.search import GES
from stigmergy.search.base import core_graph

pytestmark = pytest.mark.peer

IMPROVES = 1e-6  # theirs and ours


class SharedScore:
    """A scorer as the package asks for one: nodes are numbers in the order of names."""

    def __init__(self, scorer):
        self.p = scorer.n_nodes
        self._scorer = scorer

    def local_score(self, child, parents):
        names = self._scorer.names
        return self._scorer.family(names[child], [names[v] for v in parents])


def matrix_of(cpdag):
    ends = np.zeros((len(cpdag.names), len(cpdag.names)), dtype=int)
    number = {name: i for i, name in enumerate(sorted(cpdag.names))}
    for x, y in [*cpdag.directed, *cpdag.undirected, *(pair[::-1] for pair in cpdag.undirected)]:
        ends[number[x], number[y]] = 1
    return ends


def cpdag_of(names, ends):
    arcs = [(names[x], names[y]) for x, y in np.argwhere(utils.only_directed(ends))]
    lines = [(names[x], names[y]) for x, y in np.argwhere(utils.only_undirected(ends)) if x < y]
    return Cpdag(names, arcs, lines)


def their_steps(score, names):
    """Return the class after every operator of both phases, with what it gained."""
    ends, steps = np.zeros((score.p, score.p), dtype=int), []
    for phase in (peer.forward_step, peer.backward_step):
        while True:
            gain, changed = phase(ends, score)
            if gain <= IMPROVES:
                break
            ends = utils.pdag_to_cpdag(changed)
            steps.append((cpdag_of(names, ends), gain))
    return steps


def our_steps(scorer):
    scores, graphs = [scorer.score_graph(Cpdag(scorer.names, []))], []

    def observe(run):
        graphs.append(run.best_cpdag)
        scores.append(run.best_score)

    GES().run(scorer, observer=observe)
    return list(zip(graphs, np.diff(scores), strict=True))


def assert_same(ours, theirs):
    assert [graph for graph, _ in ours] == [graph for graph, _ in theirs]
    np.testing.assert_allclose(
        [gain for _, gain in ours], [gain for _, gain in theirs], rtol=1e-9, atol=1e-6
    )


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("score", [BIC(), BDeu(1.0), BDeu(10.0)], ids=repr)
@pytest.mark.parametrize("name", ["cancer", "asia", "sachs", "child"])
def test_both_phases_make_the_same_moves_on_our_score(name, score, seed):
    scorer = Scorer(networks.load(name).sample(1000, seed=seed), score)
    theirs = their_steps(SharedScore(scorer), scorer.names)
    assert len(theirs) > 1
    assert_same(our_steps(scorer), theirs)


@pytest.mark.parametrize("name", ["insurance", "alarm"])
def test_both_phases_make_the_same_moves_on_larger_networks(name):
    """With ess 1 both of these delete edges again."""
    scorer = Scorer(networks.load(name).sample(1000, seed=1), BDeu(1.0))
    theirs = their_steps(SharedScore(scorer), scorer.names)
    assert has_deletions(theirs)
    assert_same(our_steps(scorer), theirs)


def random_gaussian_score(seed, n_nodes=12, n_rows=300):
    """Score rows of a random linear model with about two parents for a node."""
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.uniform(0.5, 2.0, (n_nodes, n_nodes)), 1)
    weights *= rng.choice([-1, 1], weights.shape) * (rng.random(weights.shape) < 4 / n_nodes)
    noise = rng.normal(size=(n_rows, n_nodes)) * rng.uniform(0.5, 1.5, n_nodes)
    rows = noise @ np.linalg.inv(np.eye(n_nodes) - weights)
    return GaussObsL0Pen(rows[:, rng.permutation(n_nodes)])


def scorer_of(score):
    names = [f"v{i:02}" for i in range(score.p)]
    number = {name: i for i, name in enumerate(names)}
    return Scorer.from_function(
        names,
        lambda child, parents: score.local_score(number[child], {number[p] for p in parents}),
        score_equivalent=True,
    )


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 6, 7, 9, 10])  # those with a backward phase
def test_both_phases_make_the_same_moves_on_their_score(seed):
    score = random_gaussian_score(seed)
    scorer = scorer_of(score)
    theirs = their_steps(score, scorer.names)
    assert_same(our_steps(scorer), theirs)
    assert has_deletions(theirs)


def has_deletions(steps):
    sizes = [len(graph.skeleton) for graph, _ in steps]
    return sizes != sorted(sizes)


@pytest.mark.parametrize("seed", [1, 2, 4, 5, 6, 8])  # those on whose way turns improve
def test_our_best_turn_gains_at_least_as_much_as_theirs(seed):
    """Their condition for turning x - y misses some turns, so equality is not to be expected."""
    score = random_gaussian_score(seed)
    scorer = scorer_of(score)
    found = 0
    for graph, _ in their_steps(score, scorer.names):
        theirs, _ = peer.turning_step(matrix_of(graph), score)
        moves = _core.GesMoves(scorer.core, scorer.rules, core_graph(graph, scorer.names))
        best = moves.best(_core.GES_TURN, _core.Stop())
        ours = 0.0 if best is None else best[1]
        assert ours >= theirs - 1e-6
        found += theirs > IMPROVES
    assert found > 0
