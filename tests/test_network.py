# SPDX-License-Identifier: MIT
"""BayesianNetwork as a value, its likelihood and its fitting."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import network as twin
from stigmergy import BayesianNetwork, Dag, DataError, Dataset, NetworkError, ParameterError
from stigmergy import networks as gold
from strategies import bayesian_networks


def rows_of(data):
    return [
        {name: data.levels_of(name)[data.codes(name)[i]] for name in data.names}
        for i in range(data.n_rows)
    ]


def small(**changes):
    given = {
        "dag": Dag(["rain", "wet"], [("rain", "wet")]),
        "levels": {"rain": ["no", "yes"], "wet": ["dry", "damp", "wet"]},
        "tables": {"rain": [0.8, 0.2], "wet": [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]},
    }
    return BayesianNetwork(**(given | changes))


# A value


def test_parts_are_as_given():
    network = small()
    assert network.names == ("rain", "wet")
    assert network.levels == (("no", "yes"), ("dry", "damp", "wet"))
    assert network.arities == (2, 3)
    assert network.parents("wet") == ("rain",)
    assert network.table("wet").tolist() == [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]
    assert network.n_parameters == 1 + 2 * 2
    assert repr(network) == "<BayesianNetwork of 2 nodes, 1 arc and 5 parameters>"


def test_nothing_can_be_changed():
    given = np.array([0.8, 0.2])
    network = small(tables={"rain": given, "wet": [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]})
    given[0] = 0.5
    assert network.table("rain")[0] == 0.8
    with pytest.raises(ValueError, match="read-only"):
        network.table("rain")[0] = 0.5
    with pytest.raises(AttributeError, match="cannot be changed"):
        network.dag = Dag(["a"])
    with pytest.raises(AttributeError, match="cannot be changed"):
        del network._tables


def test_equality_is_of_content():
    assert small() == small()
    assert hash(small()) == hash(small())
    assert small() == small(dag=Dag(["wet", "rain"], [("rain", "wet")]))
    nearly = small(tables={"rain": [0.8, 0.2 + 1e-12], "wet": small().table("wet")})
    assert nearly != small()
    assert nearly.is_close(small())
    assert not nearly.is_close(small(), atol=1e-13)
    other_levels = {"rain": ["yes", "no"], "wet": ["dry", "damp", "wet"]}
    assert not small(levels=other_levels).is_close(small())


def test_order_of_parents_plays_no_part_in_equality():
    dag = Dag(["a", "b", "c"], [("a", "c"), ("b", "c")])
    levels = {"a": "01", "b": "xyz", "c": "pq"}
    levels = {name: list(text) for name, text in levels.items()}
    table = np.random.default_rng(1).dirichlet([1, 1], size=(2, 3))
    roots = {"a": [0.5, 0.5], "b": [0.2, 0.3, 0.5]}
    one = BayesianNetwork(dag, levels, roots | {"c": table})
    other = BayesianNetwork(
        dag, levels, roots | {"c": table.transpose(1, 0, 2)}, parents={"c": ["b", "a"]}
    )
    assert one == other
    assert hash(one) == hash(other)
    assert other.parents("c") == ("b", "a")


@given(bayesian_networks())
@settings(max_examples=50, deadline=None)
def test_pickle_gives_back_the_same(network):
    copy = pickle.loads(pickle.dumps(network))
    assert copy == network
    assert copy.names == network.names
    assert all(copy.parents(name) == network.parents(name) for name in network.names)


WET = [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dag": "ab"}, "dag must be a Dag, got str"),
        (
            {"dag": Dag(["rain", "wet"]).to_cpdag()},
            r"dag must be a Dag, got Cpdag; take its to_dag\(\)",
        ),
        ({"levels": {"rain": [[1], [2]], "wet": "abc"}}, r"must be str, int, .* got \[1\]"),
        ({"levels": {"rain": [1.0, math.nan], "wet": "abc"}}, "must be str, int, .* got nan"),
        ({"levels": {"rain": ["no", "yes"]}}, "levels must have an entry .* missing: 'wet'"),
        ({"levels": ["no"]}, "levels must be a mapping of names, got list"),
        ({"tables": {"rain": [1], "wet": [1], "x": 1}}, "entries for nodes only; unknown: 'x'"),
        ({"levels": {"rain": ["no", "no"], "wet": "abc"}}, "levels of 'rain' must be distinct"),
        ({"levels": {"rain": ["no", "yes"], "wet": "abc"}}, "must be a sequence, got the text"),
        ({"levels": {"rain": [], "wet": ["a"]}}, "'rain' must have 1 to 65535 levels, got 0"),
        (
            {"tables": {"rain": [0.8, 0.2], "wet": np.transpose(WET)}},
            r"'wet' must have the shape \(2, 3\), one axis for each of rain, wet; got \(3, 2\)",
        ),
        ({"tables": {"rain": ["a", "b"], "wet": WET}}, "table of 'rain' must be numbers"),
        (
            {"tables": {"rain": [0.8, 0.2], "wet": [WET[0], [0.1, 0.3, 0.7]]}},
            r"must sum to 1 within 1e-06; row \(rain=yes\) sums to 1.1",
        ),
        ({"tables": {"rain": [1.5, -0.5], "wet": WET}}, "finite probabilities >= 0"),
        ({"tables": {"rain": [math.nan, 1], "wet": WET}}, "finite probabilities >= 0"),
        ({"parents": {"wet": ["wet"]}}, r"an order of those of the dag \(rain\), got \(wet\)"),
        ({"parents": {"sun": []}}, "parents must have entries for nodes only; unknown: 'sun'"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes, message):
    with pytest.raises(NetworkError, match=message):
        small(**changes)


def test_rows_may_miss_one_by_rounding_and_stay():
    network = small(tables={"rain": [0.8, 0.2 + 9e-7], "wet": WET})
    assert network.table("rain").tolist() == [0.8, 0.2 + 9e-7]
    assert network.marginals()["rain"].sum() == pytest.approx(1, abs=1e-15)


def test_an_unknown_variable_is_named():
    for call in (small().table, small().parents, small().levels_of):
        with pytest.raises(NetworkError, match="no variable 'sun'; there are 'rain', 'wet'"):
            call("sun")
    with pytest.raises(NetworkError, match=r"no variable \['sun'\]"):
        small().table(["sun"])


def test_only_networks_are_compared():
    assert small() != 3
    with pytest.raises(NetworkError, match="other must be a BayesianNetwork, got int"):
        small().is_close(3)


def test_a_network_without_variables():
    network = BayesianNetwork(Dag([]), {}, {})
    assert network.n_parameters == 0
    assert network.marginals() == {}
    assert network.probability({}) == 1.0
    with pytest.raises(NetworkError, match="without variables has no rows to draw"):
        network.sample(1, 1)


# Likelihood


@given(bayesian_networks(min_nodes=1, max_nodes=5), st.integers(0, 2**32), st.booleans())
@settings(max_examples=60, deadline=None)
def test_likelihood_is_that_of_the_twin(network, seed, weighted):
    rng = np.random.default_rng(seed)
    codes = [rng.integers(arity, size=6) for arity in network.arities]
    weights = rng.integers(0, 4, size=6) if weighted else None
    data = Dataset.from_codes(codes, network.names, network.levels, weights)
    expected = twin.log_likelihood(
        twin.plain(network), rows_of(data), [1] * 6 if weights is None else weights.tolist()
    )
    assert network.log_likelihood(data) == pytest.approx(expected, rel=1e-12)


def test_likelihood_matches_levels_by_value_then_by_text():
    network = small(levels={"rain": ["0", "1"], "wet": ["dry", "damp", "wet"]})
    codes = [[0, 1, 1], [2, 0, 1]]
    straight = Dataset.from_codes(codes, ["rain", "wet"], network.levels)
    expected = math.log(0.8 * 0.1 * 0.2 * 0.1 * 0.2 * 0.3)
    assert network.log_likelihood(straight) == pytest.approx(expected)
    turned = Dataset.from_codes(
        [[1, 0, 0], [0, 2, 1], [0, 0, 0]],
        ["rain", "wet", "other"],
        [[1, 0], ["wet", "damp", "dry", "snow"], ["z"]],
    )
    assert network.log_likelihood(turned) == pytest.approx(expected)


def test_likelihood_refuses_what_it_does_not_know():
    data = Dataset.from_codes(
        [[0], [3]], ["rain", "wet"], [["no", "yes"], ["dry", "damp", "wet", "snow"]]
    )
    with pytest.raises(DataError, match=r"levels of 'wet' .*\('dry', 'damp', 'wet'\); got 'snow'"):
        small().log_likelihood(data)
    with pytest.raises(DataError, match="a column for each node; missing: 'wet'"):
        small().log_likelihood(Dataset.from_codes([[0]], ["rain"], [2]))
    with pytest.raises(ParameterError, match="data must be a Dataset, got list"):
        small().log_likelihood([[0, 1]])


def test_likelihood_of_an_impossible_row():
    network = small(tables={"rain": [1.0, 0.0], "wet": WET})
    data = Dataset.from_codes([[0, 1], [0, 0]], ["rain", "wet"], network.levels)
    assert network.log_likelihood(data) == -math.inf


# Fitting


def test_fit_by_hand():
    data = Dataset.from_codes(
        [[0, 0, 0, 1], [0, 1, 1, 2]], ["rain", "wet"], [["no", "yes"], ["dry", "damp", "wet"]]
    )
    dag = Dag(["rain", "wet"], [("rain", "wet")])
    mle = BayesianNetwork.fit(dag, data, "mle")
    assert mle.table("rain").tolist() == [0.75, 0.25]
    np.testing.assert_allclose(mle.table("wet"), [[1 / 3, 2 / 3, 0], [0, 0, 1]], rtol=1e-15)
    bayes = BayesianNetwork.fit(dag, data, ess=6)
    assert bayes.table("rain").tolist() == [(3 + 3) / 10, (1 + 3) / 10]
    np.testing.assert_allclose(
        bayes.table("wet"), [[2 / 6, 3 / 6, 1 / 6], [1 / 4, 1 / 4, 2 / 4]], rtol=1e-15
    )


def test_a_configuration_without_rows_gets_the_uniform_distribution():
    data = Dataset.from_codes(
        [[0, 0], [1, 1]], ["rain", "wet"], [["no", "yes"], ["dry", "damp", "wet", "snow"]]
    )
    dag = Dag(["rain", "wet"], [("rain", "wet")])
    assert BayesianNetwork.fit(dag, data, "mle").table("wet")[1].tolist() == [0.25] * 4
    assert BayesianNetwork.fit(dag, data, "bayes").table("wet")[1].tolist() == [0.25] * 4


@given(
    bayesian_networks(min_nodes=1, max_nodes=5),
    st.integers(0, 2**32),
    st.sampled_from([None, 1.0, 10.0]),
)
@settings(max_examples=60, deadline=None)
def test_fit_is_that_of_the_twin(network, seed, ess):
    rng = np.random.default_rng(seed)
    codes = [rng.integers(arity, size=9) for arity in network.arities]
    weights = rng.integers(0, 3, size=9)
    data = Dataset.from_codes(codes, network.names, network.levels, weights)
    if ess is None:
        fitted = BayesianNetwork.fit(network.dag, data, "mle")
    else:
        fitted = BayesianNetwork.fit(network.dag, data, "bayes", ess=ess)
    levels, parents, tables = twin.plain(fitted)
    expected = twin.fit(levels, parents, rows_of(data), weights.tolist(), ess)
    for name in network.names:
        for configuration, row in tables[name].items():
            assert row == pytest.approx(expected[name][configuration], rel=1e-12)


def test_fit_of_much_data_finds_the_tables():
    network = gold.load("asia")
    data = network.sample(200_000, seed=3)
    fitted = BayesianNetwork.fit(network.dag, data)
    for name in network.names:
        order = [*fitted.parents(name)]
        table = network.table(name).transpose(
            *(network.parents(name).index(parent) for parent in order), len(order)
        )
        likely = table > 0
        assert np.abs(fitted.table(name) - table)[likely].max() < 0.03
    # No tables fit the data better than the relative frequencies.
    best = BayesianNetwork.fit(network.dag, data, "mle").log_likelihood(data)
    assert best >= network.log_likelihood(data)
    assert best >= fitted.log_likelihood(data)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"method": "map"}, "method must be 'bayes' or 'mle', got 'map'"),
        ({"ess": 0}, "ess must be a number > 0, got 0"),
        ({"ess": math.inf}, "ess must be a number > 0, got inf"),
        ({"ess": "1"}, "ess must be a number > 0, got '1'"),
    ],
)
def test_fit_refuses_bad_arguments(keywords, message):
    data = Dataset.from_codes([[0, 1]], ["a"], [2])
    with pytest.raises(ParameterError, match=message):
        BayesianNetwork.fit(Dag(["a"]), data, **keywords)


def test_fit_refuses_a_table_that_does_not_fit():
    names = [f"v{i}" for i in range(10)]
    data = Dataset.from_codes([[0]] * 10, names, [20] * 10)
    dag = Dag(names, [(parent, "v0") for parent in names[1:]])
    with pytest.raises(ParameterError, match="table of 'v0' has 10,240,000,000,000 cells"):
        BayesianNetwork.fit(dag, data)
