# SPDX-License-Identifier: MIT
"""Exact inference against enumeration, hand-worked numbers and sampling."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import network as twin
from stigmergy import BayesianNetwork, Dag, ImpossibleEvidenceError, NetworkError, ParameterError
from stigmergy import networks as gold
from strategies import bayesian_networks

MODERATE = [name for name in gold.names() if name != "munin1"]


@given(bayesian_networks(max_nodes=6, max_arity=3), st.data())
@settings(max_examples=150, deadline=None)
def test_posteriors_are_those_of_enumeration(network, draw):
    names = draw.draw(st.permutations(network.names))
    observed = names[: draw.draw(st.integers(0, 3))]
    evidence = {name: draw.draw(st.sampled_from(network.levels_of(name))) for name in observed}
    model = twin.plain(network)
    chance = twin.probability(model, evidence)
    assert network.probability(evidence) == pytest.approx(chance, rel=1e-10, abs=1e-300)
    if chance == 0:
        with pytest.raises(ImpossibleEvidenceError, match="probability 0"):
            network.posterior(evidence)
        return
    expected = twin.posterior(model, evidence)
    found = network.posterior(evidence)
    assert list(found) == [name for name in network.names if name not in evidence]
    for name, probabilities in found.items():
        assert probabilities == pytest.approx(expected[name], rel=1e-9, abs=1e-14)
    for name in network.names:  # alone, with the rest of the network left out; observed ones too
        alone = network.posterior(evidence, [name])
        assert list(alone) == [name]
        assert alone[name] == pytest.approx(expected[name], rel=1e-9, abs=1e-14)


def test_asia_by_hand():
    # Summed out by hand from the tables in Lauritzen & Spiegelhalter (1988).
    asia = gold.load("asia")
    marginals = asia.marginals()
    assert marginals["tub"][0] == pytest.approx(0.01 * 0.05 + 0.99 * 0.01)
    assert marginals["lung"][0] == pytest.approx(0.055)
    either = 1 - (1 - 0.0104) * (1 - 0.055)
    assert marginals["either"][0] == pytest.approx(either)
    assert marginals["xray"][0] == pytest.approx(0.98 * either + 0.05 * (1 - either))
    assert asia.posterior({"asia": "yes"})["tub"][0] == pytest.approx(0.05)
    assert asia.posterior({"tub": "yes"})["asia"][0] == pytest.approx(0.01 * 0.05 / 0.0104)


@pytest.mark.parametrize("name", MODERATE)
def test_marginals_agree_with_sampling(name):
    network = gold.load(name)
    n = 20_000
    data = network.sample(n, seed=99)
    for variable, exact in network.marginals().items():
        assert exact.sum() == pytest.approx(1, abs=1e-12)
        counts = np.bincount(data.codes(variable), minlength=len(exact))
        deviation = np.sqrt(n * exact * (1 - exact))
        # Six standard deviations, and one more for the skew of rare states.
        assert (np.abs(counts - n * exact) <= 6 * deviation + 6).all(), variable


@pytest.mark.parametrize("name", ["alarm", "insurance", "hailfinder", "win95pts", "water"])
def test_evidence_of_one_sampled_row_is_consistent(name):
    """P(x | e) P(e) = P(x, e), with x and e from a row, asked in different ways."""
    network = gold.load(name)
    row = network.sample(1, seed=8)
    state = {v: row.levels_of(v)[row.codes(v)[0]] for v in network.names}
    assert network.log_probability(state) == pytest.approx(network.log_likelihood(row), rel=1e-12)
    evidence = dict(itertools.islice(state.items(), 0, None, 3))
    before = network.log_probability(evidence)
    posterior = network.posterior(evidence)
    for v in list(network.names)[1::9]:
        if v not in evidence:
            after = network.log_probability(evidence | {v: state[v]})
            chance = posterior[v][network.levels_of(v).index(state[v])]
            assert math.exp(after - before) == pytest.approx(chance, rel=1e-9)


def test_much_evidence_does_not_underflow():
    n = 3000
    names = ["c", *(f"x{i:04}" for i in range(n))]
    dag = Dag(names, [("c", x) for x in names[1:]])
    table = [[0.9, 0.1], [0.1, 0.9]]
    network = BayesianNetwork(
        dag, {x: [0, 1] for x in names}, {"c": [0.5, 0.5]} | dict.fromkeys(names[1:], table)
    )
    evidence = {x: i % 2 for i, x in enumerate(names[1:])}
    assert network.posterior(evidence)["c"] == pytest.approx([0.5, 0.5])
    assert network.log_probability(evidence) == pytest.approx(n / 2 * math.log(0.09), rel=1e-12)
    assert network.posterior(evidence | {"x0000": 1})["c"] == pytest.approx([1 / 82, 81 / 82])


def test_impossible_evidence():
    asia = gold.load("asia")
    evidence = {"tub": "yes", "either": "no"}
    assert asia.probability(evidence) == 0.0
    assert asia.log_probability(evidence) == -math.inf
    with pytest.raises(ImpossibleEvidenceError, match="the evidence has probability 0"):
        asia.posterior(evidence)


def test_too_wide_a_network_is_refused_with_its_widest_clique():
    munin = gold.load("munin1")
    with pytest.raises(
        NetworkError,
        match=r"more than max_bytes=1,073,741,824; the widest clique "
        r"has [\d,]+ cells over \d+ variables: .*DIFFN_PATHO \(5\)",
    ):
        munin.marginals()
    with pytest.raises(NetworkError, match="max_bytes=1,000"):
        gold.load("alarm").marginals(max_bytes=1000)
    # What has no bearing on the question is left out, so this one is narrow.
    assert munin.posterior({}, ["DIFFN_PATHO"])["DIFFN_PATHO"].sum() == pytest.approx(1)


def test_variables_of_one_level_cost_nothing():
    names = [f"v{i:03}" for i in range(100)]
    dag = Dag([*names, "sink"], [(name, "sink") for name in names[:30]])
    levels = {name: ["only"] for name in names} | {"sink": ["a", "b"]}
    tables = {name: [1.0] for name in names} | {"sink": np.full((1,) * 30 + (2,), 0.5)}
    posterior = BayesianNetwork(dag, levels, tables).posterior({"sink": "a"})
    assert posterior["v000"].tolist() == [1.0]


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({"smoke": "maybe"}, "evidence of 'smoke' must be one of 'yes', 'no'; got 'maybe'"),
        ({"smoke": ["yes"]}, r"evidence of 'smoke' must be .*; got \['yes'\]"),
        (["smoke"], "evidence must be a mapping of name to level, got list"),
    ],
)
def test_bad_evidence_is_named(evidence, message):
    with pytest.raises(ParameterError, match=message):
        gold.load("asia").posterior(evidence)


def test_other_bad_arguments_are_named():
    asia = gold.load("asia")
    with pytest.raises(ParameterError, match="max_bytes must be an integer, got 'x'"):
        asia.marginals(max_bytes="x")
    with pytest.raises(ParameterError, match="variables must be a list of names, got the text"):
        asia.posterior({}, "lung")


def test_unknown_variables_are_named():
    with pytest.raises(NetworkError, match="no variable 'x'"):
        gold.load("asia").posterior({"x": "yes"})
    with pytest.raises(NetworkError, match="no variable 'x'"):
        gold.load("asia").posterior({}, ["x"])
