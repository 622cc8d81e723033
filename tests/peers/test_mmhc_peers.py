# SPDX-License-Identifier: MIT
"""MMHC against pgmpy 1.1.2, as far as the two can be compared: by the networks they end with.

pgmpy's forward phase takes in every variable whose association is above zero, whatever alpha is, so
it ends with nearly all of them and conditions on all their subsets: eight variables take seconds,
twenty would take years. Its backward phase removes from a list while walking along it and so passes
over neighbours. Its hill climbing forbids edges outside of the skeleton in one of their directions
only. So neither skeletons nor climbs are the same, and for small networks only can it be run.
"""

import logging

import numpy as np
import pandas as pd
import pytest
from pgmpy.estimators import MmhcEstimator

from stigmergy import BDeu, Dag, Dataset, Scorer, metrics
from stigmergy.search import MMHC

pytestmark = pytest.mark.peer

ALPHA = 0.01
N_NODES = 6


def random_network_data(seed, n_rows=5000):
    """Sample a random DAG whose nodes have up to two parents that matter; return it too."""
    rng = np.random.default_rng(seed)
    order, names = rng.permutation(N_NODES), [f"v{i}" for i in range(N_NODES)]
    codes, arcs = np.zeros((N_NODES, n_rows), dtype=np.int64), []
    for i, v in enumerate(order):
        parents = rng.permutation(order[:i])[: rng.integers(0, 3)]
        arcs += [(names[p], names[v]) for p in parents]
        effects = rng.choice([-1, 1], len(parents)) * rng.uniform(0.8, 1.2, len(parents))
        codes[v] = rng.random(n_rows) < 1 / (1 + np.exp(-(effects @ (2 * codes[parents] - 1))))
    return Dataset.from_codes(list(codes), names, [2] * N_NODES), Dag(names, arcs)


@pytest.fixture
def quiet_pgmpy():
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


def with_pgmpy(data):
    frame = pd.DataFrame({name: data.codes(name).astype(str) for name in data.names})
    return Dag(data.names, MmhcEstimator(frame).estimate(significance_level=ALPHA).edges())


@pytest.mark.usefixtures("quiet_pgmpy")
def test_networks_are_at_least_as_good_and_as_near_to_the_truth():
    ours, theirs = [], []
    for seed in range(20):
        data, truth = random_network_data(seed)
        scorer = Scorer(data, BDeu(10.0))
        for found, dag in (
            (ours, MMHC(alpha=ALPHA, test="chi2").run(scorer).dag),
            (theirs, with_pgmpy(data)),
        ):
            distance = metrics.shd(dag.to_cpdag(), truth.to_cpdag())
            found.append((scorer.score_graph(dag), distance))
    (our_scores, our_distances), (their_scores, their_distances) = np.array(
        [ours, theirs]
    ).transpose(0, 2, 1)
    # What pgmpy answers depends on PYTHONHASHSEED: on one of the data sets, where both miss, it is
    # sometimes the nearer.
    assert (our_distances > their_distances).sum() <= 1
    assert our_distances.mean() < their_distances.mean()
    # Nearer to the truth can be a little lower: an edge too many may fit the rows better.
    as_near = our_distances == their_distances
    assert (our_scores >= their_scores - 1e-6)[as_near].all()
    assert our_scores.mean() >= their_scores.mean()
