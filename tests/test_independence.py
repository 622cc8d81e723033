# SPDX-License-Identifier: MIT
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

from oracles.graphs import is_d_separated
from oracles.independence import table_test
from stigmergy import Dag, Dataset, Scorer, _core
from stigmergy.errors import ParameterError
from stigmergy.independence import DSeparationOracle, Independence, IndependenceFunction
from strategies import dags


def independence(rows, arities, weights=None, n_threads=1, cache_bytes=2**20):
    dtypes = [np.uint8 if arity <= 256 else np.uint16 for arity in arities]
    table = np.asarray(rows, dtype=np.int64).reshape(-1, len(arities))
    codes = [np.ascontiguousarray(table[:, i], dtype=d) for i, d in enumerate(dtypes)]
    counts = None if weights is None else np.asarray(weights, dtype=np.uint64)
    names = [chr(ord("a") + i) for i in range(len(arities))]
    columns = _core.Columns.make(codes, list(arities), counts)
    return Independence(names, columns, n_threads=n_threads, cache_bytes=cache_bytes)


def sample(rng, n_rows, arities):
    """Draw rows in which each variable often copies the one before it."""
    rows = np.empty((n_rows, len(arities)), dtype=np.int64)
    for i, arity in enumerate(arities):
        rows[:, i] = rng.integers(0, arity, n_rows)
        if i:
            copied = rng.random(n_rows) < 0.4
            rows[copied, i] = rows[copied, i - 1] % arity
    return rows


@st.composite
def tables(draw):
    arities = draw(st.lists(st.integers(1, 4), min_size=2, max_size=5))
    row = st.tuples(*(st.integers(0, arity - 1) for arity in arities))
    rows = draw(st.lists(row, min_size=1, max_size=40))
    weights = draw(st.none() | st.lists(st.integers(0, 9), min_size=len(rows), max_size=len(rows)))
    return rows, arities, weights


@given(
    table=tables(),
    method=st.sampled_from(["g2", "chi2", "mi"]),
    dof=st.sampled_from(["adaptive", "classical"]),
)
def test_statistic_and_dof_are_the_textbooks(table, method, dof):
    rows, arities, weights = table
    if weights is not None and sum(weights) == 0:
        weights[0] = 1
    tests = independence(rows, arities, weights)
    others = list(range(2, len(arities)))
    for size in range(len(others) + 1):
        chosen = others[:size]
        expected, free = table_test(rows, arities, 0, 1, chosen, method, dof, weights)
        found = tests.test("a", "b", [tests.names[v] for v in chosen], method, dof=dof)
        assert found.statistic == pytest.approx(expected, rel=1e-10, abs=1e-10)
        assert found.dof == free
        g2 = found.statistic * (2 * sum(weights or [1] * len(rows)) if method == "mi" else 1)
        assert found.p_value == pytest.approx(chi2.sf(g2, free) if free else 1.0, rel=1e-9)


@pytest.mark.parametrize(("method", "power"), [("g2", "log-likelihood"), ("chi2", "pearson")])
def test_strata_are_scipys_contingency_tables(method, power):
    rng = np.random.default_rng(4)
    arities = [4, 3, 3, 4]
    rows = sample(rng, 300, arities)
    tests = independence(rows, arities)
    for x, y in itertools.permutations(range(4), 2):
        given_ = [v for v in range(4) if v not in (x, y)]
        statistic, free = 0.0, 0
        for z in itertools.product(*(range(arities[v]) for v in given_)):
            stratum = rows[np.all(rows[:, given_] == z, axis=1)]
            table = np.zeros((arities[x], arities[y]))
            np.add.at(table, (stratum[:, x], stratum[:, y]), 1)
            table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
            if min(table.shape, default=0) > 1:
                outcome = chi2_contingency(table, correction=False, lambda_=power)
                statistic += outcome.statistic
                free += outcome.dof
        found = tests.test(
            *(tests.names[v] for v in (x, y)), [tests.names[v] for v in given_], method
        )
        assert found.statistic == pytest.approx(statistic, rel=1e-11)
        assert found.dof == free
        assert found.p_value == pytest.approx(chi2.sf(statistic, free), rel=1e-10)


@pytest.mark.parametrize("method", ["g2", "chi2", "mi"])
@pytest.mark.parametrize("weighted", [False, True])
def test_tables_larger_than_the_data_are_the_textbooks(method, weighted):
    # 12 * 11 * 300 * 40 * 50 cells, so rows are sorted; the last sets pass 2^31 strata.
    rng = np.random.default_rng(7)
    arities = [12, 11, 300, 40, 50, 60, 60]
    rows = sample(rng, 400, arities)
    rows[200:] = rows[:200]
    weights = list(map(int, rng.integers(0, 4, 400))) if weighted else None
    tests = independence(rows, arities, weights)
    as_tuples = [tuple(map(int, row)) for row in rows]
    for given_ in ([2], [2, 3], [2, 3, 4], [3, 4, 5], [2, 3, 4, 5, 6]):
        expected, free = table_test(as_tuples, arities, 0, 1, given_, method, weights=weights)
        found = tests.test("a", "b", [tests.names[v] for v in given_], method)
        assert found.statistic == pytest.approx(expected, rel=1e-10)
        assert found.dof == free


def test_x_and_y_and_the_order_of_given_do_not_matter():
    rows = sample(np.random.default_rng(1), 200, [3, 4, 2, 3])
    tests = independence(rows, [3, 4, 2, 3])
    assert tests.test("a", "b", ["c", "d"]) == tests.test("b", "a", ("d", "c", "d"))
    assert tests.distinct_evaluations == 1
    assert tests.evaluations == 2


def test_order_of_rows_does_not_matter():
    rng = np.random.default_rng(2)
    arities = [3, 3, 300, 200]
    rows = sample(rng, 500, arities)
    first, second = (independence(r, arities) for r in (rows, rows[rng.permutation(500)]))
    for given_ in ([], ["c"], ["c", "d"]):
        assert first.test("a", "b", given_) == second.test("a", "b", given_)


@pytest.mark.parametrize("cache_bytes", [0, 2000, 2**20])
def test_batches_are_the_single_tests_at_any_thread_count_and_cache(cache_bytes):
    arities = [2, 3, 4, 3, 2]
    rows = sample(np.random.default_rng(3), 500, arities)
    queries = [
        (x, y, [z for z in given_ if z not in (x, y)])
        for x, y in itertools.combinations("abcde", 2)
        for given_ in ("", "c", "de", "abcde")
    ]
    alone = independence(rows, arities)
    expected = [alone.test(*query) for query in queries]
    for n_threads in (1, 2, 5):
        shared = independence(rows, arities, n_threads=n_threads, cache_bytes=cache_bytes)
        assert shared.test_all(queries) == expected
        assert shared.test_all(queries) == expected
        assert shared.evaluations == 2 * len(queries)
    unique = len({(x, y, tuple(given_)) for x, y, given_ in queries})
    assert alone.distinct_evaluations == unique


def test_too_few_rows_make_no_test():
    rows = sample(np.random.default_rng(5), 60, [2, 3, 2])
    tests = independence(rows, [2, 3, 2])
    # 2 * 3 cells times two configurations of c: 60 rows are 5 for each of 12 cells.
    assert tests.test("a", "b", "c", min_rows_per_cell=5).testable
    few = tests.test("a", "b", "c", min_rows_per_cell=5.01)
    assert not few.testable
    assert all(math.isnan(value) for value in few)
    assert tests.test("a", "b", min_rows_per_cell=5.01).testable


def test_constant_variable_is_independent_of_all():
    tests = independence([[0, 0], [0, 1], [0, 1]], [2, 2])
    assert tests.test("a", "b") == (0.0, 0.0, 1.0)
    assert tests.test("a", "b", dof="classical") == (0.0, 1.0, 1.0)


def test_identical_variables_are_as_dependent_as_can_be():
    rows = [[i % 2, i % 2] for i in range(5000)]
    statistic, dof, p_value = independence(rows, [2, 2]).test("a", "b", (), "mi")
    assert statistic == pytest.approx(math.log(2))
    assert (dof, p_value) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("a", "a"), {}, "must be different variables, got x='a', y='a'"),
        (("a", "b", "b"), {}, "must be different variables"),
        (("a", "q"), {}, "'q' is no variable; there are a, b"),
        (("a", "b", (), "t"), {}, "method must be one of g2, chi2, mi, got 't'"),
        (("a", "b"), {"dof": "exact"}, "dof must be one of adaptive, classical, got 'exact'"),
        (("a", "b"), {"min_rows_per_cell": -1}, "min_rows_per_cell must be a finite number >= 0"),
        (("a", "b"), {"min_rows_per_cell": math.nan}, "min_rows_per_cell must be a finite"),
    ],
)
def test_bad_arguments_are_named(arguments, options, message):
    tests = independence([[0, 1], [1, 0]], [2, 2])
    with pytest.raises(ParameterError, match=message):
        tests.test(*arguments, **options)


@pytest.mark.parametrize(
    "query", [(0, 0, []), (0, 1, [1]), (0, 2, []), (0, 1, [9]), (0, 1, [3, 2])]
)
def test_core_refuses_what_is_no_query(query):
    tests = independence(np.zeros((3, 2)), [2, 2]).tests()
    with pytest.raises(ValueError, match="a test needs two different nodes"):
        tests.test(*query)


@settings(max_examples=60)
@given(dag=dags(min_nodes=2, max_nodes=5, labels=None))
def test_oracle_is_d_separation(dag):
    names = sorted(dag.names)
    number = {name: i for i, name in enumerate(names)}
    arcs = {(number[x], number[y]) for x, y in dag.arcs}
    oracle = DSeparationOracle(dag)
    for x, y in itertools.combinations(names, 2):
        others = [v for v in names if v not in (x, y)]
        for size in range(len(others) + 1):
            for chosen in itertools.combinations(others, size):
                separated = is_d_separated(
                    len(names), arcs, number[x], number[y], {number[v] for v in chosen}
                )
                assert oracle.test(x, y, chosen)[::2] == (0.0 + (not separated), 0.0 + separated)


def test_oracle_hides_latent_and_conditions_on_selected_nodes():
    dag = Dag(list("abhst"), [("h", "a"), ("h", "b"), ("a", "s"), ("t", "s")])
    assert DSeparationOracle(dag, latent="h").names == ("a", "b", "s", "t")
    assert DSeparationOracle(dag, latent="h").test("a", "t").p_value == 1.0
    assert DSeparationOracle(dag, latent="h", selected="s").test("a", "t").p_value == 0.0
    with pytest.raises(ParameterError, match="'h' is no variable"):
        DSeparationOracle(dag, latent="h").test("a", "h")
    with pytest.raises(ParameterError, match=r"latent must be nodes of dag, got \['z'\]"):
        DSeparationOracle(dag, latent="z")


def test_function_is_asked_once_for_each_test():
    asked = []

    def function(x, y, given_):
        asked.append((x, y, given_))
        return 2.0, 1.0, 0.25

    tests = IndependenceFunction("dcba", function)
    assert tests.test("d", "a", ["c", "b"]) == (2.0, 1.0, 0.25)
    assert tests.test("a", "d", ["b", "c"]) == (2.0, 1.0, 0.25)
    assert asked == [("a", "d", ("b", "c"))]


def test_exception_of_a_function_comes_through():
    def function(x, y, given_):
        raise KeyError("no answer")

    with pytest.raises(KeyError, match="no answer"):
        IndependenceFunction("ab", function).test("a", "b")


def test_scorer_gives_the_tests_of_its_data():
    rows = sample(np.random.default_rng(6), 100, [2, 3, 2])
    data = Dataset.from_codes([rows[:, i] for i in (2, 0, 1)], ["c", "a", "b"], [2, 2, 3])
    scorer = Scorer(data)
    assert scorer.independence.test("a", "b", "c") == independence(rows, [2, 3, 2]).test(
        "a", "b", "c"
    )


def test_scorer_of_a_function_needs_tests_to_be_given():
    with pytest.raises(ParameterError, match="cannot test independence; make a Scorer of data"):
        Scorer.from_function(["a"], lambda child, parents: 0.0).independence.test("a", "b")
    oracle = DSeparationOracle(Dag(["a", "b"]))
    with pytest.raises(ParameterError, match="independence must be over the names"):
        Scorer.from_function(["a"], lambda child, parents: 0.0, independence=oracle)
