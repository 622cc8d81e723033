# SPDX-License-Identifier: MIT
"""Hill climbing against PyBNesian 0.5.1 and pyAgrum 3.3.1, by the score that each reaches.

Scores that are equal for equivalent DAGs make the first moves tie, and libraries break ties by the
order of columns, which for a published network is close to the order of its arcs. So the variables
get random names here, in whose order the columns stand, and means over several data sets count.
"""

import numpy as np
import pandas as pd
import pyagrum
import pybnesian
import pytest

from stigmergy import BIC, Dag, Dataset, Scorer, _core, networks
from stigmergy.search import HillClimbing, Tabu
from stigmergy.search.base import core_graph

pytestmark = pytest.mark.peer

SAMPLES = 8


def with_random_names(data, rng):
    order = rng.permutation(len(data.names))
    return Dataset.from_codes(
        [data.codes(data.names[i]) for i in order],
        [f"v{i:03}" for i in range(len(order))],
        [data.levels[i] for i in order],
    )


def frame_of(data):
    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(data.codes(name), [str(level) for level in levels])
            for name, levels in zip(data.names, data.levels, strict=True)
        }
    )


def with_pybnesian(data):
    frame = frame_of(data)
    found = pybnesian.GreedyHillClimbing().estimate(
        pybnesian.ArcOperatorSet(), pybnesian.BIC(frame), pybnesian.DiscreteBN(list(data.names))
    )
    return Dag(data.names, found.arcs())


def with_pyagrum(data):
    learner = pyagrum.BNLearner(frame_of(data))
    learner.useGreedyHillClimbing()
    learner.useScoreBIC()
    learner.useNoPrior()
    names = learner.names()
    return Dag(data.names, [(names[x], names[y]) for x, y in learner.learnDAG().arcs()])


@pytest.mark.parametrize("name", ["alarm", "insurance", "child", "hailfinder"])
def test_scores_are_at_least_as_good(name):
    rng = np.random.default_rng(1)
    network = networks.load(name)
    scores = {"ours": [], "tabu": [], "pybnesian": [], "pyagrum": []}
    for seed in range(SAMPLES):
        data = with_random_names(network.sample(2000, seed=seed), rng)
        scorer = Scorer(data, BIC())
        scores["ours"].append(HillClimbing().run(scorer).score)
        scores["tabu"].append(Tabu().run(scorer).score)
        scores["pybnesian"].append(scorer.score_graph(with_pybnesian(data)))
        scores["pyagrum"].append(scorer.score_graph(with_pyagrum(data)))
    mean = {who: np.mean(values) for who, values in scores.items()}
    differences = np.subtract(scores["pybnesian"], scores["ours"])
    standard_error = differences.std(ddof=1) / np.sqrt(SAMPLES)
    # Which of several local maxima a climb ends in is chance: equal up to two standard errors.
    assert mean["ours"] >= mean["pybnesian"] - 2 * standard_error
    assert mean["ours"] >= mean["pyagrum"] - 2 * standard_error
    assert mean["tabu"] >= max(mean["pybnesian"], mean["pyagrum"])


@pytest.mark.parametrize("name", ["alarm", "insurance", "child", "hailfinder"])
def test_a_local_maximum_of_pybnesian_is_one_of_ours(name):
    """Both see the same moves with the same gains: where it finds none that improves, nor do we."""
    data = networks.load(name).sample(2000, seed=4)
    scorer = Scorer(data, BIC())
    theirs = with_pybnesian(data)
    graph = core_graph(theirs, scorer.names)
    moves = _core.ArcMoves(scorer.core, scorer.rules, graph, _core.Stop())
    assert moves.score == pytest.approx(pybnesian.BIC(frame_of(data)).score(model_of(theirs)))
    _, gain = moves.best()
    assert gain <= 1e-6


def model_of(dag):
    return pybnesian.DiscreteBN(list(dag.names), list(dag.arcs))
