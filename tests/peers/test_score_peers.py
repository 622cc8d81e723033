# SPDX-License-Identifier: MIT
"""Family scores against PyBNesian 0.5.1 and pgmpy 1.1.2, which use exact formulas.

pyAgrum and causal-learn are no oracles: one reads its log-gamma from a rounded table, the other
adds a prior of its own.
"""

import math

import numpy as np
import pandas as pd
import pybnesian
import pytest
from pgmpy import structure_score as pgmpy

from stigmergy import AIC, BIC, K2, BDeu, Scorer, networks

pytestmark = pytest.mark.peer


def frame_of(data):
    return pd.DataFrame(
        {
            name: pd.Categorical.from_codes(data.codes(name), [str(level) for level in levels])
            for name, levels in zip(data.names, data.levels, strict=True)
        }
    )


def families(data, rng, number=60, most=4):
    """Random families, those without parents among them."""
    for _ in range(number):
        child, *parents = rng.choice(data.names, size=1 + rng.integers(0, most + 1), replace=False)
        yield str(child), [str(parent) for parent in parents]


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
@pytest.mark.parametrize("n_rows", [20, 3000])
def test_pybnesian(name, n_rows):
    data = networks.load(name).sample(n_rows, seed=1)
    frame, model = frame_of(data), pybnesian.DiscreteBN(list(data.names))
    for ours, theirs in (
        (BDeu(1.0), pybnesian.BDe(frame, 1.0)),
        (BDeu(10.0), pybnesian.BDe(frame, 10.0)),
        (BIC(), pybnesian.BIC(frame)),
    ):
        scorer = Scorer(data, ours)
        for child, parents in families(data, np.random.default_rng(1)):
            expected = theirs.local_score(model, child, parents)
            assert scorer.family(child, parents) == pytest.approx(expected, rel=1e-10, abs=1e-8)


@pytest.mark.parametrize("name", ["asia", "alarm", "child"])
def test_pgmpy(name):
    """Of data in which every value of every variable occurs: pgmpy leaves out the others.

    Its K2 counts log Gamma(r) once for every configuration that the parents can have, also those
    that do not occur and whose other terms it leaves out; that is taken back here.
    """
    data = networks.load(name).sample(5000, seed=3)
    levels = dict(zip(data.names, data.levels, strict=True))
    assert all(len(np.unique(data.codes(x))) == len(levels[x]) for x in data.names)
    frame = frame_of(data)
    for ours, theirs in (
        (BDeu(1.0), pgmpy.BDeu(frame, equivalent_sample_size=1)),
        (BDeu(10.0), pgmpy.BDeu(frame, equivalent_sample_size=10)),
        (K2(), pgmpy.K2(frame)),
        (BIC(), pgmpy.BIC(frame)),
        (AIC(), pgmpy.AIC(frame)),
    ):
        scorer = Scorer(data, ours)
        for child, parents in families(data, np.random.default_rng(2)):
            expected = theirs.local_score(child, tuple(parents))
            if ours == K2():
                possible = math.prod(len(levels[x]) for x in parents)
                occurring = len(frame[parents].drop_duplicates()) if parents else 1
                expected -= (possible - occurring) * math.lgamma(len(levels[child]))
            assert scorer.family(child, parents) == pytest.approx(expected, rel=1e-10, abs=1e-8)
