# SPDX-License-Identifier: MIT
"""The value type itself: what it holds, what it refuses, what its methods return."""

import pickle
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stigmergy import DataError, Dataset


def small(weights=None):
    return Dataset.from_codes(
        [[0, 1, 0, 2, 3], [0, 1, 0, 2, 0], [1, 0, 1, 1, 0]],
        ["a", "b", "c"],
        [(1, 2, 3, 10), ("x", "y", "é"), (False, True)],
        weights,
    )


@st.composite
def datasets(draw):
    n_columns = draw(st.integers(1, 5))
    n_rows = draw(st.integers(1, 30))
    arities = draw(st.lists(st.integers(1, 6), min_size=n_columns, max_size=n_columns))
    codes = [
        draw(st.lists(st.integers(0, arity - 1), min_size=n_rows, max_size=n_rows))
        for arity in arities
    ]
    weights = None
    if draw(st.booleans()):
        weights = draw(st.lists(st.integers(1, 9), min_size=n_rows, max_size=n_rows))
    return Dataset.from_codes(codes, [f"v{i}" for i in range(n_columns)], arities, weights)


def rows_of(data):
    """Count each row of values, the slow way."""
    values = zip(*data.to_dict().values(), strict=True)
    counts = Counter()
    for row, weight in zip(
        values, data.weights if data.weights is not None else [1] * data.n_rows, strict=True
    ):
        counts[row] += int(weight)
    return counts


def test_what_it_says_of_itself():
    data = small(weights=[1, 2, 3, 4, 5])
    assert data.names == ("a", "b", "c")
    assert data.arities == (4, 3, 2)
    assert (data.n_rows, data.n_columns, data.n_samples, len(data)) == (5, 3, 15, 5)
    assert data.levels_of("b") == ("x", "y", "é")
    assert repr(data) == "<Dataset: 5 rows x 3 columns, 15 observations: a (4), b (3), c (2)>"
    assert data.to_dict()["a"] == [1, 2, 1, 3, 10]
    assert repr(Dataset.from_codes([[0]] * 20, [f"v{i}" for i in range(20)], [2] * 20)).endswith(
        "v7 (2) and 12 more>"
    )


def test_codes_are_narrow_contiguous_and_read_only():
    data = Dataset.from_codes(
        [np.arange(300), np.arange(300) % 256, np.arange(600).reshape(300, 2)[:, 0] % 2],
        ["wide", "narrow", "strided"],
        [300, 256, 2],
    )
    assert [data.codes(name).dtype for name in data.names] == [np.uint16, np.uint8, np.uint8]
    for name in data.names:
        assert data.codes(name).flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            data.codes(name)[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        small([1, 1, 1, 1, 1]).weights[0] = 2


def test_it_cannot_be_changed():
    with pytest.raises(AttributeError):
        small().names = ("z",)
    with pytest.raises((AttributeError, TypeError)):
        small().other = 1


def test_what_the_caller_gave_stays_his():
    codes = np.array([0, 1, 1], dtype=np.uint8)
    weights = np.array([1, 2, 3])
    data = Dataset.from_codes([codes], ["a"], [2], weights)
    codes[0], weights[0] = 1, 9
    assert data.codes("a").tolist() == [0, 1, 1]
    assert data.weights.tolist() == [1, 2, 3]


@given(datasets())
def test_pickle_and_fingerprint_keep_all(data):
    copy = pickle.loads(pickle.dumps(data))
    assert copy == data
    assert hash(copy) == hash(data)
    assert copy.fingerprint == data.fingerprint
    assert not copy.codes(data.names[0]).flags.writeable


def test_fingerprint_is_what_it_was():
    # A change here breaks every saved result: it belongs into the changelog as Numerical.
    assert small().fingerprint == "3db2dfc320229ccb81723de75cbba27b"
    assert small([1, 1, 1, 1, 1]).fingerprint == "4fd2042440eac8f258e739999446fcba"


def test_fingerprint_depends_on_everything_but_the_order_of_columns():
    data = small()
    assert data.select(["c", "a", "b"]).fingerprint == data.fingerprint
    others = [
        data.select(["a", "b"]),
        data.take([1, 0, 2, 3, 4]),
        data.with_weights([1, 1, 1, 1, 1]),
        Dataset.from_codes([data.codes("a")], ["z"], [4]),
        Dataset.from_codes([data.codes("a")], ["a"], [4]),
        Dataset.from_codes([data.codes("a")], ["a"], [5]),
        Dataset.from_codes([data.codes("c")], ["c"], [(False, True)]),
        Dataset.from_codes([data.codes("c")], ["c"], [(0, 1)]),
        Dataset.from_codes([data.codes("c")], ["c"], [("False", "True")]),
    ]
    prints = {other.fingerprint for other in [data, *others]}
    assert len(prints) == 1 + len(others)


def test_equality_looks_at_types_of_levels():
    truth = Dataset.from_codes([[0, 1]], ["a"], [(False, True)])
    numbers = Dataset.from_codes([[0, 1]], ["a"], [(0, 1)])
    assert truth != numbers
    assert truth != "truth"
    assert truth != truth.with_weights([1, 1])
    assert truth.with_weights([1, 2]) != truth.with_weights([2, 1])
    assert truth.with_weights([1, 2]).with_weights(None) == truth


def test_select_shares_and_take_keeps_levels():
    data = small([1, 2, 3, 4, 5])
    chosen = data.select(["c", "a"])
    assert chosen.names == ("c", "a")
    assert chosen.codes("a") is data.codes("a")
    taken = data.take([-1, 0, 0])
    assert taken.to_dict() == {"a": [10, 1, 1], "b": ["x"] * 3, "c": [False, True, True]}
    assert taken.levels == data.levels
    assert taken.weights.tolist() == [5, 1, 1]
    assert data.take(data.codes("c") == 1).to_dict()["a"] == [1, 1, 3]


@given(datasets())
def test_merged_keeps_every_count(data):
    merged = data.merged()
    assert rows_of(merged) == rows_of(data)
    assert merged.n_rows == len(rows_of(data))
    assert merged.n_samples == data.n_samples
    assert list(rows_of(merged)) == list(rows_of(data))  # by first occurrence


def test_merged_when_rows_need_more_than_64_bits():
    rng = np.random.default_rng(3)
    table = rng.integers(0, 4, (40, 90))
    table = np.vstack([table, table[::-1], table[:5]])
    names = [f"v{i}" for i in range(90)]
    merged = Dataset.from_codes(list(table.T), names, [4] * 90).merged()
    assert merged.n_rows == 40
    assert merged.weights.tolist() == [3] * 5 + [2] * 35
    assert np.array_equal(np.array([merged.codes(name) for name in names]).T, table[:40])


def test_merged_when_all_rows_differ_early():
    rng = np.random.default_rng(4)
    table = np.column_stack([np.arange(50), rng.integers(0, 60_000, (50, 9))])
    names = [f"v{i}" for i in range(10)]
    data = Dataset.from_codes(list(table.T), names, [60_000] * 10)
    assert data.merged() == data.with_weights(np.ones(50, dtype=int))


def test_to_pandas_and_back():
    data = small()
    frame = data.to_pandas()
    assert list(frame["b"]) == ["x", "y", "x", "é", "x"]
    assert frame["b"].cat.ordered
    assert Dataset.from_any(frame) == data


def test_bootstrap_by_weights_counts_as_bootstrap_by_rows():
    data = small()
    rows = np.random.default_rng(0).integers(0, data.n_rows, data.n_rows)
    by_weights = data.with_weights(np.bincount(rows, minlength=data.n_rows))
    assert +rows_of(by_weights) == rows_of(data.take(rows))


BAD_CODES = [
    (([[0]], ["a", "b"], [2, 2]), {}, "one entry per variable, got 1, 2 and 2"),
    (([[0], [0]], ["a", "a"], [2, 2]), {}, "names of columns must be distinct; more than once: a"),
    (([[0]], [" "], [2]), {}, "column 1 has ' '"),
    (([[0]], [3], [2]), {}, "every column needs a name, a str that is not blank; column 1 has 3"),
    (([[0]], "a", [2]), {}, "names must be a sequence of str, got the str 'a'"),
    (([], [], []), {}, "there must be 1 .. 65,535 columns, got 0"),
    (([[0, 2]], ["a"], [2]), {}, "codes of column 'a' must be in 0 .. 1, got 0 .. 2"),
    (([[0, -1]], ["a"], [2]), {}, "codes of column 'a' must be in 0 .. 1, got -1 .. 0"),
    (([[0.5]], ["a"], [2]), {}, "must be integers in one dimension, got shape (1,) of float64"),
    (([[[0]]], ["a"], [2]), {}, "must be integers in one dimension, got shape (1, 1) of int64"),
    (([np.array([], int)], ["a"], [2]), {}, "at least one row of data, column 'a' has none"),
    (([[0, 1], [0]], ["a", "b"], [2, 2]), {}, "the same number of rows: 'a' has 2, 'b' has 1"),
    (([[0]], ["a"], [0]), {}, "column 'a' must have 1 .. 65,535 levels, got 0"),
    (([[0]], ["a"], [65_536]), {}, "column 'a' must have 1 .. 65,535 levels, got 65,536"),
    (([[0]], ["a"], ["xy"]), {}, "levels of column 'a' must be a sequence or how many, got 'xy'"),
    (([[0]], ["a"], [["x", "x"]]), {}, "levels of column 'a' must be distinct, got x, x"),
    (
        ([[0]], ["a"], [[None]]),
        {},
        "levels of column 'a' must be str, int, bool or float, got None",
    ),
    (([[0]], ["a"], [[float("nan")]]), {}, "must be str, int, bool or float, got nan"),
    (([[0]], ["a"], [2]), {"weights": [1, 2]}, "one per row (1), got shape (2,) of int64"),
    (([[0]], ["a"], [2]), {"weights": [0.5]}, "weights must be whole numbers, got 0.5"),
    (([[0]], ["a"], [2]), {"weights": [-1]}, "weights must be >= 0 and sum to 1 .. 2**53, got -1"),
    (([[0]], ["a"], [2]), {"weights": [0]}, "got 0 .. 0 with sum 0"),
    (([[0]], ["a"], [2]), {"weights": [2**60]}, "sum to 1 .. 2**53"),
]


@pytest.mark.parametrize(("args", "kwargs", "message"), BAD_CODES)
def test_parts_that_do_not_fit(args, kwargs, message):
    with pytest.raises(DataError, match=re.escape(message)):
        Dataset.from_codes(*args, **kwargs)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([5], "rows must be in -5 .. 4, got 5 .. 5"),
        ([-6], "rows must be in -5 .. 4, got -6 .. -6"),
        ([], "at least one, got shape (0,)"),
        ([0.5], "positions or truth values in one dimension"),
        ([True], "one truth value per row (5), at least one True, got 1 with 1 True"),
        ([False] * 5, "got 5 with 0 True"),
    ],
)
def test_rows_that_are_not_there(rows, message):
    with pytest.raises(DataError, match=re.escape(message)):
        small().take(rows)


def test_a_name_that_is_not_there():
    for call in (small().codes, small().levels_of, lambda name: small().select([name])):
        with pytest.raises(DataError, match="no column 'z'; there are a, b, c"):
            call("z")


def test_the_most_columns_and_levels():
    names = [f"v{i}" for i in range(65_536)]
    column = np.zeros(1, dtype=np.uint8)
    column.flags.writeable = False
    data = Dataset.from_codes([column] * 65_535, names[:-1], [1] * 65_535)
    assert data.n_columns == 65_535
    with pytest.raises(DataError, match=re.escape("there must be 1 .. 65,535 columns, got 65,536")):
        Dataset.from_codes([column] * 65_536, names, [1] * 65_536)
    many = Dataset.from_codes([np.arange(65_535)], ["a"], [65_535])
    assert many.codes("a")[-1] == 65_534
    assert pd.Series(many.codes("a")).is_unique
