# SPDX-License-Identifier: MIT
"""Tables in memory: the same data from every container, types, domains, gaps, weights."""

import logging
import re
import subprocess
import sys
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stigmergy import DataError, Dataset, DataWarning, ParameterError, learn_structure

COLUMNS = {
    "a": [1, 2, 1, 3, 10],
    "b": ["x", "y", "x", "é", "x"],
    "c": [True, False, True, True, False],
}
ROWS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
TUPLES = [tuple(row.values()) for row in ROWS]
EXPECTED = Dataset.from_codes(
    [[0, 1, 0, 2, 3], [0, 1, 0, 2, 0], [1, 0, 1, 1, 0]],
    ["a", "b", "c"],
    [(1, 2, 3, 10), ("x", "y", "é"), (False, True)],
)


def levels(source, **wishes):
    return Dataset.from_any(source, **wishes).levels


@pytest.mark.parametrize(
    "source",
    [
        COLUMNS,
        ROWS,
        TUPLES,
        [list(row) for row in TUPLES],
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).astype({"a": "Int64", "b": object, "c": "boolean"}),
        pd.DataFrame(COLUMNS).astype({"a": float, "b": "string"}),
        pd.DataFrame(COLUMNS).astype({"a": object, "b": object, "c": object}),
        pd.DataFrame(COLUMNS, index=[9, 9, 3, 1, 0]),
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).with_columns(
            pl.col("a").cast(pl.UInt8), pl.col("b").cast(pl.Categorical)
        ),
        pl.LazyFrame(COLUMNS),
        pa.table(COLUMNS),
        pa.table(COLUMNS).to_batches()[0],
        pa.Table.from_batches(pa.table(COLUMNS).to_batches(max_chunksize=2)),
        pa.RecordBatchReader.from_stream(pl.DataFrame(COLUMNS)),
        pa.table({**COLUMNS, "b": pa.array(COLUMNS["b"], pa.string_view())}),
        {name: np.array(column) for name, column in COLUMNS.items()},
        {"a": pd.Series(COLUMNS["a"]), "b": pl.Series(COLUMNS["b"]), "c": range(5)},
        {"a": tuple(COLUMNS["a"]), "b": pa.array(COLUMNS["b"]), "c": pd.array(COLUMNS["c"])},
        {"a": [Decimal(v) for v in COLUMNS["a"]], "b": COLUMNS["b"], "c": COLUMNS["c"]},
        np.array(TUPLES, dtype="i2,U3,?"),
        np.array(TUPLES, dtype=object),
        {"a": COLUMNS["a"], "b": COLUMNS["b"], "c": pd.arrays.SparseArray(COLUMNS["c"])},
        pa.table({**COLUMNS, "a": pa.compute.run_end_encode(pa.array(COLUMNS["a"]))}),
    ],
    ids=lambda source: type(source).__name__,
)
def test_every_container_gives_the_same_data(source):
    if isinstance(source, dict) and isinstance(source["c"], range):
        source = {**source, "c": pl.Series(COLUMNS["c"])}
    data = Dataset.from_any(source, names=["a", "b", "c"])
    assert data == EXPECTED
    assert data.fingerprint == EXPECTED.fingerprint


class Capsule:
    """Something that speaks the Arrow PyCapsule protocol and nothing else."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_anything_that_speaks_arrow():
    assert Dataset.from_any(Capsule(pa.table(COLUMNS))) == EXPECTED


def test_a_dataset_is_read_already():
    assert Dataset.from_any(EXPECTED) is EXPECTED
    with pytest.raises(ParameterError, match="source is a Dataset, which is read already; use"):
        Dataset.from_any(EXPECTED, weights=[1] * 5)


cells = st.one_of(
    st.lists(st.integers(-(2**40), 2**40), min_size=1, max_size=8),
    st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=8),
    st.lists(st.booleans(), min_size=1, max_size=8),
)


@given(cells, st.randoms(use_true_random=False))
def test_values_come_back_from_every_container(values, random):
    levels = sorted(set(values))
    columns = {"v": values, "w": random.sample(values, len(values))}
    data = Dataset.from_any(columns) if len(values) > 1 else None
    if data is None:
        with pytest.warns(DataWarning, match="the data has one row"):
            Dataset.from_any(columns)
        return
    assert data.to_dict() == columns
    assert data.levels[0] == tuple(levels)
    for source in (
        pd.DataFrame(columns),
        pl.DataFrame(columns),
        pa.table(columns),
        {name: np.array(column, dtype=object) for name, column in columns.items()},
    ):
        assert Dataset.from_any(source) == data


@pytest.fixture(autouse=True)
def _constant_columns_are_fine_here(recwarn):
    yield
    for warning in recwarn.list:
        assert "constant" in str(warning.message) or "one row" in str(warning.message)


def test_a_range_is_a_column_and_a_matrix_a_table():
    assert levels({"a": range(3)}) == ((0, 1, 2),)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        matrix = np.matrix([[1, 2], [3, 2]])
    assert levels(matrix) == ((1, 3), (2,))


@pytest.mark.parametrize("width", [pa.uint8(), pa.uint16(), pa.uint32(), pa.int8(), pa.int64()])
def test_gaps_among_codes_of_any_width(width):
    codes = pa.array([1, None, 0], width)
    column = pa.DictionaryArray.from_arrays(codes, pa.array(["x", "y"]))
    data = Dataset.from_any({"a": column}, missing="level")
    assert data.to_dict() == {"a": ["y", "(missing)", "x"]}
    polars = pl.DataFrame({"a": pl.Series(["y", None, "x"], dtype=pl.Categorical)})
    assert Dataset.from_any(polars, missing="level").to_dict() == data.to_dict()


def test_arrays_need_no_names():
    data = Dataset.from_any(np.array([[0, 5], [1, 7]], dtype=np.int8))
    assert data.names == ("x0", "x1")
    assert data.levels == ((0, 1), (5, 7))
    assert Dataset.from_any(pd.DataFrame([[0, 5], [1, 7]])).names == ("0", "1")


def test_levels_are_sorted_by_value():
    assert levels({"a": [10, 9, -1]}) == ((-1, 9, 10),)
    assert levels({"a": ["10", "9", "B", "a", "Ä"]}) == (("10", "9", "B", "a", "Ä"),)
    assert levels({"a": [True, False]}) == ((False, True),)
    assert levels({"a": [2.0, 1.0]}) == ((1, 2),)
    assert levels({"a": np.array([2**40, -5, 2**62])}) == ((-5, 2**40, 2**62),)
    assert levels({"a": np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64)}) == (
        (2**64 - 2, 2**64 - 1),
    )
    assert levels({"a": np.array([-128, 127], dtype=np.int8)}) == ((-128, 127),)


@pytest.mark.parametrize(
    "column",
    [
        pd.Categorical(["x", "y"], ["z", "y", "x"]),
        pd.Series(pd.Categorical(["x", "y"], ["z", "y", "x"], ordered=True)),
        pl.Series(["x", "y"], dtype=pl.Enum(["z", "y", "x"])),
        pa.DictionaryArray.from_arrays(pa.array([2, 1]), pa.array(["z", "y", "x"])),
    ],
    ids=lambda column: type(column).__module__,
)
def test_categoricals_keep_their_declared_levels_in_order(column):
    data = Dataset.from_any({"a": column})
    assert data.levels == (("z", "y", "x"),)
    assert data.codes("a").tolist() == [2, 1]
    if not isinstance(column, pa.Array):
        frame = pl.DataFrame({"a": column}) if isinstance(column, pl.Series) else None
        frame = pd.DataFrame({"a": column}) if frame is None else frame
        assert Dataset.from_any(frame) == data


def test_categoricals_of_other_values():
    assert levels({"a": pd.Categorical([3, 1], [3, 2, 1])}) == ((3, 2, 1),)
    assert levels({"a": pd.Categorical([0.5, 1.5])}) == ((0.5, 1.5),)
    cut = pd.cut([0.0, 3.0], [0, 1, 2, 4], right=False)
    assert levels({"a": cut}) == (("[0, 1)", "[1, 2)", "[2, 4)"),)
    dates = pd.Categorical(pd.to_datetime(["2020-01-02", "2020-01-01"]))
    assert levels({"a": dates}) == (("2020-01-01 00:00:00", "2020-01-02 00:00:00"),)


def test_chunks_with_different_dictionaries():
    parts = [pa.array(["x", "y"]).dictionary_encode(), pa.array(["z", "x"]).dictionary_encode()]
    data = Dataset.from_any({"a": pa.chunked_array(parts)})
    assert data.to_dict() == {"a": ["x", "y", "z", "x"]}
    assert data.levels == (("x", "y", "z"),)


def test_a_dictionary_that_repeats_itself_or_holds_null():
    twice = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["x", "y", "x"]))
    assert Dataset.from_any({"a": twice}).to_dict() == {"a": ["x", "y", "x"]}
    gap = pa.DictionaryArray.from_arrays(pa.array([0, 1, None]), pa.array(["x", None]))
    assert levels({"a": gap}, missing="level") == (("x", "(missing)"),)


def test_many_levels_over_many_batches():
    rng = np.random.default_rng(0)
    for n_levels, dtype in ((256, np.uint8), (257, np.uint16), (65_535, np.uint16)):
        values = np.concatenate([np.arange(n_levels), rng.integers(0, n_levels, 1_200_000)])
        data = Dataset.from_any({"a": values, "b": values % 2})
        assert data.codes("a").dtype == dtype
        assert data.arities[0] == n_levels
        assert np.array_equal(data.codes("a"), values)
    spread = rng.integers(0, 2**50, 1000)[rng.integers(0, 1000, 5000)]
    data = Dataset.from_any({"a": spread})
    assert np.array_equal(np.array(data.levels[0])[data.codes("a")], spread)


# domains ------------------------------------------------------------------------------------------


def test_full_domains():
    data = Dataset.from_any({"a": [1, 2], "b": ["x", "y"]}, levels={"a": [3, 2, 1]})
    assert data.levels == ((3, 2, 1), ("x", "y"))
    assert data.codes("a").tolist() == [2, 1]
    assert levels({"a": [0.5, 1.0]}, levels={"a": [0, 0.5, 1]}) == ((0, 0.5, 1),)
    assert levels({"a": pd.Categorical(["x"], ["x", "q"])}, levels={"a": ["y", "x"]}) == (
        ("y", "x"),
    )


@pytest.mark.parametrize(
    ("column", "domain", "message"),
    [
        ([1, 5], [1, 2], "column 'a' holds 5, which levels= does not have: 1, 2"),
        (["x", "y"], ["x"], "column 'a' holds 'y', which levels= does not have: 'x'"),
        ([True, False], [0, 1], "column 'a' holds False, which levels= does not have: 0, 1"),
        ([0, 1], ["0", "1"], "column 'a' holds 0, which levels= does not have: '0', '1'"),
        ([0.5, 1], [0, 1], "column 'a' holds 0.5, which levels= does not have: 0, 1"),
        ([0, 1], [0, 1, 1], "levels of column 'a' must be distinct, got 0, 1, 1"),
        ([0, 1], "01", "levels of column 'a' must be a sequence, got '01'"),
        ([0, 1], 2, "levels of column 'a' must be a sequence, got 2"),
        ([0, 1], [], "column 'a' must have 1 .. 65,535 levels, got 0"),
    ],
)
def test_domains_that_do_not_fit(column, domain, message):
    with pytest.raises(DataError, match=re.escape(message)):
        Dataset.from_any({"a": column}, levels={"a": domain})


def test_domains_of_nothing():
    with pytest.raises(DataError, match="levels names columns that do not exist: 'z'"):
        Dataset.from_any(COLUMNS, levels={"z": [1]})
    with pytest.raises(DataError, match="levels must map columns to their values, got a list"):
        Dataset.from_any(COLUMNS, levels=[[1, 2]])


# missing cells ------------------------------------------------------------------------------------

GAPS = [
    {"a": [1, None, 2, 1], "b": ["x", "y", None, "x"], "c": [True, False, True, None]},
    pd.DataFrame(
        {"a": [1, np.nan, 2, 1], "b": ["x", "y", None, "x"], "c": [True, False, True, None]}
    ),
    pd.DataFrame(
        {
            "a": pd.array([1, pd.NA, 2, 1], "Int64"),
            "b": pd.array(["x", "y", pd.NA, "x"], "string"),
            "c": pd.array([True, False, True, pd.NA], "boolean"),
        }
    ),
    pd.DataFrame(
        {
            "a": np.array([1, pd.NA, 2, 1], object),
            "b": np.array(["x", "y", pd.NaT, "x"], object),
            "c": np.array([True, False, True, float("nan")], object),
        }
    ),
    pl.DataFrame(
        {"a": [1, None, 2, 1], "b": ["x", "y", None, "x"], "c": [True, False, True, None]}
    ),
    {
        "a": np.ma.array([1, 9, 2, 1], mask=[0, 1, 0, 0]),
        "b": np.ma.array(["x", "y", "q", "x"], mask=[0, 0, 1, 0]),
        "c": np.ma.array([True, False, True, True], mask=[0, 0, 0, 1]),
    },
    [
        {"a": 1, "b": "x", "c": True},
        {"b": "y", "c": False},
        {"a": 2, "c": True},
        {"a": 1, "b": "x"},
    ],
]


@pytest.mark.parametrize("source", GAPS)
def test_missing_cells(source):
    with pytest.raises(
        DataError,
        match=re.escape(
            "missing cells: 'a' 1, 'b' 1, 'c' 1 (of 4 rows); impute them, or pass missing='drop' "
            "(leave those rows out) or missing='level' (a level of its own)"
        ),
    ):
        Dataset.from_any(source)
    with pytest.warns(DataWarning, match="one row"):
        dropped = Dataset.from_any(source, missing="drop")
    assert dropped.to_dict() == {"a": [1], "b": ["x"], "c": [True]}
    assert dropped.levels == ((1,), ("x",), (True,))
    assert dropped.source.endswith("4 rows, 3 of them left out for missing cells")
    gap = "(missing)"
    kept = Dataset.from_any(source, missing="level")
    assert kept.levels == ((1, 2, gap), ("x", "y", gap), (False, True, gap))
    assert kept.to_dict() == {
        "a": [1, gap, 2, 1],
        "b": ["x", "y", gap, "x"],
        "c": [True, False, True, gap],
    }
    assert [column.missing for column in kept.report().columns] == [1, 1, 1]


@given(st.lists(st.tuples(st.sampled_from([None, 0, 1, 2]), st.sampled_from([None, "x", "y"]))))
def test_drop_does_what_pandas_does(rows):
    frame = pd.DataFrame(rows, columns=["a", "b"], dtype=object)
    left = frame.dropna()
    if len(left) > 1:
        assert Dataset.from_any(frame, missing="drop") == Dataset.from_any(left)


def test_drop_keeps_declared_levels_and_picks_weights():
    source = {"a": pd.Categorical(["x", None, "y"], ["z", "y", "x"]), "b": [1, 2, 3]}
    data = Dataset.from_any(source, missing="drop", weights=[5, 6, 7])
    assert data.levels == (("z", "y", "x"), (1, 3))
    assert data.weights.tolist() == [5, 7]


def test_gaps_everywhere():
    with pytest.raises(DataError, match="missing='drop' leaves none of the 2 rows: each has a gap"):
        Dataset.from_any({"a": [None, 1], "b": [2, None]}, missing="drop")
    assert levels({"a": [None, None], "b": [1, 2]}, missing="level") == (("(missing)",), (1, 2))
    with pytest.raises(DataError, match=re.escape("missing cells: 'v0' 1,")) as error:
        Dataset.from_any({f"v{i}": [None, 1] for i in range(13)})
    assert "'v9' 1 and 3 more columns (of 2 rows)" in str(error.value)
    with pytest.raises(DataError, match=re.escape("has a level '(missing)' already")):
        Dataset.from_any({"a": ["(missing)", None]}, missing="level")
    with pytest.raises(
        ParameterError, match="missing must be 'error', 'drop' or 'level', got 'impute'"
    ):
        Dataset.from_any(COLUMNS, missing="impute")


# weights ------------------------------------------------------------------------------------------


def test_weights_as_values_or_as_a_column():
    data = Dataset.from_any(COLUMNS, weights=np.arange(5))
    named = Dataset.from_any({**COLUMNS, "n": range(5)} | {"n": list(range(5))}, weights="n")
    assert named == data
    assert data.weights.dtype == np.int64


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("n", "weights names columns that do not exist: 'n'"),
        ([1, 2], "weights must be whole numbers, one per row (5), got shape (2,) of int64"),
        ([1.5] * 5, "weights must be whole numbers, got 1.5; round them"),
        ([np.nan] * 5, "weights must be whole numbers, got nan"),
        ([np.inf] * 5, "weights must be whole numbers, got inf"),
        (["x"] * 5, "weights must be whole numbers, one per row (5), got shape (5,) of <U1"),
        ("b", "column 'b' must hold numbers, got 'x'"),
        ([0] * 5, "weights must be >= 0 and sum to 1 .. 2**53, got 0 .. 0 with sum 0"),
    ],
)
def test_weights_that_do_not_fit(weights, message):
    with pytest.raises(DataError, match=re.escape(message)):
        Dataset.from_any(COLUMNS, weights=weights)


def test_weights_alone():
    with pytest.raises(DataError, match="there must be a column besides the weights 'n'"):
        Dataset.from_any({"n": [1, 2]}, weights="n")


# what cannot be read ------------------------------------------------------------------------------

WAY_OUT = (
    "integers, truth values, strings and categoricals are categories; convert it or leave it out"
)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({}, "there must be 1 .. 65,535 columns, got 0"),
        ({"a": []}, "there are no rows of data in the dict of columns"),
        (pd.DataFrame({"a": []}), "there are no rows of data in the pandas frame"),
        (pl.DataFrame({"a": []}), "there are no rows of data in the polars frame"),
        (pa.table({"a": pa.array([], pa.int64())}), "there are no rows of data in the Arrow table"),
        (np.zeros((0, 2), int), "there are no rows of data in the NumPy array of int64"),
        ([], "there are no rows: the list is empty"),
        (np.zeros(3), "a NumPy array must have two dimensions (rows, columns), got 1"),
        (5, "source must be a pandas, polars or pyarrow frame, a NumPy array, a dict of columns"),
        (None, "or the path of a file, got a NoneType"),
        (b"a.csv", "or the path of a file, got a bytes"),
        ({"a": [1], "b": [1, 2]}, "the same number of rows: 'a' has 1, 'b' has 2"),
        ({"a": "xyz"}, "column 'a' must be a sequence of cells, got the str 'xyz'"),
        ({"a": 3}, "column 'a' must be a sequence of cells, got the int 3"),
        (
            [(1, 2), (3,)],
            "every row must have the same number of cells: data row 1 has 2, data row 2",
        ),
        ([(1, 2), 3], "a list must hold rows (lists, tuples) or dicts, got one of int"),
        (pd.Series([1]), "source must be a table, got a pandas Series; a single column goes in as"),
        (pl.Series([1]), "source must be a table, got a polars Series"),
        (pa.array([1]), "source must be a table, got a pyarrow Int64Array"),
        (np.zeros((2, 2), "i2,i2"), "a structured NumPy array must have one dimension, got 2"),
        (np.zeros(2, [("a", int, (2,))]), "column 'a' has 2 dimensions; a column has one"),
        ({"a": np.zeros((2, 2), int)}, "column 'a' has 2 dimensions; a column has one"),
        ({"a": {1, 2}}, "column 'a' is a set, not a sequence of cells"),
        ({"": [1, 2]}, "every column needs a name, a str that is not blank; column 1 has ''"),
        ({None: [1, 2]}, "column 1 has None"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "must be distinct; more than once: a"),
        (pd.DataFrame([[1, 2]], columns=["0", 0]), "must be distinct; more than once: 0"),
        (
            pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"]),
            "names of columns must be distinct; more than once: a",
        ),
        ({"a": pd.to_datetime(["2020-01-01"])}, "column 'a' has the type datetime64["),
        (pd.DataFrame({"a": pd.to_datetime(["2020-01-01"])}), "column 'a' has the type timestamp["),
        ({"a": np.array(["2020"], "M8[D]")}, f"column 'a' has the type datetime64[D]; {WAY_OUT}"),
        ({"a": np.array([b"x"])}, f"column 'a' has the type |S1; {WAY_OUT}"),
        ({"a": np.array([1j])}, f"column 'a' has the type complex128; {WAY_OUT}"),
        ({"a": [[1], [2]]}, f"column 'a' has the type list<item: int64>; {WAY_OUT}"),
        ({"a": [b"x"]}, f"column 'a' has the type binary; {WAY_OUT}"),
        (pl.DataFrame({"a": [[1]]}), "column 'a' has the type large_list<item: int64>"),
        ({"a": [2**70, 1]}, f"holds an integer beyond 64 bits in data row 1: {2**70}"),
        ({"a": [object()]}, "column 'a' cannot be read"),
    ],
)
def test_what_cannot_be_read(source, message):
    with pytest.raises(DataError, match=re.escape(message)):
        Dataset.from_any(source)


@pytest.mark.parametrize("container", [dict, pd.DataFrame, lambda c: [{"a": v} for v in c["a"]]])
@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([1, 2, "x", 3], "int (1 in data row 1) and str ('x' in data row 3)"),
        (["x", 1], "str ('x' in data row 1) and int (1 in data row 2)"),
        ([None, True, 1], "bool (True in data row 2) and int (1 in data row 3)"),
        ([1.5, "x"], "float (1.5 in data row 1) and str ('x' in data row 2)"),
    ],
)
def test_a_column_of_another_type_in_one_row(container, column, message):
    source = container({"a": np.array(column, dtype=object)})
    with pytest.raises(DataError, match=re.escape(f"column 'a' mixes types: {message}; make all")):
        Dataset.from_any(source)


def test_floats_are_refused_all_at_once():
    source = {"a": [0.5, 1], "b": [1, 2], "c": [1e300, 2], "d": [np.inf, 1]}
    with pytest.raises(
        DataError,
        match=re.escape(
            "column 'a' holds real numbers (0.5 for one); column 'c' holds real numbers (1e+300 "
            "for one); column 'd' holds real numbers (inf for one): categories are needed; pass "
            "discretize= ('quantile:5', 'width:5', 'cuts:0,1.5', 'mdlp:CLASS'), or make integers "
            "or strings of it if its values are categories"
        ),
    ):
        Dataset.from_any(source)
    many = {f"v{i}": [0.5, 1.5] for i in range(7)}
    with pytest.raises(DataError, match="and 2 more columns: categories are needed"):
        Dataset.from_any(many)


def test_too_many_levels():
    with pytest.raises(
        DataError, match=re.escape("column 'a' has more than 65,535 distinct values; leave it out")
    ):
        Dataset.from_any({"a": np.arange(65_536)})
    with pytest.raises(DataError, match=r"\(and 1 more columns are refused\)"):
        Dataset.from_any({"a": [str(i) for i in range(65_536)], "b": np.arange(65_536)})


def test_too_many_columns():
    wide = np.zeros((2, 65_536), dtype=np.uint8)
    with pytest.raises(DataError, match=re.escape("there must be 1 .. 65,535 columns, got 65,536")):
        Dataset.from_any(wide)


def test_repeated_names_among_very_many_are_found_at_once():
    wide = pd.DataFrame(np.zeros((1, 60_000)), columns=[f"v{i // 2}" for i in range(60_000)])
    with pytest.raises(DataError, match="must be distinct; more than once: v0, v1,"):
        Dataset.from_any(wide)


def test_names_that_do_not_fit():
    with pytest.raises(DataError, match=re.escape("one entry per column (2), got 1")):
        Dataset.from_any(np.zeros((3, 2)), names=["a"])
    with pytest.raises(DataError, match=re.escape("one entry per column (2), got the set {")):
        Dataset.from_any(np.zeros((3, 2)), names={"a", "b"})
    with pytest.raises(DataError, match=re.escape("one entry per column (2), got the int 3")):
        Dataset.from_any(np.zeros((3, 2)), names=3)
    with pytest.raises(DataError, match=re.escape("one entry per column (3), got 1")):
        Dataset.from_any(COLUMNS, names=["a"])
    with pytest.raises(DataError, match=re.escape("one entry per column (3), got the str 'abc'")):
        Dataset.from_any(COLUMNS, names="abc")


# warnings, log, imports ---------------------------------------------------------------------------


def test_one_warning_for_all_that_looks_unintended():
    n = 40
    rng = np.random.default_rng(0)
    source = {
        "same": [1] * n,
        "id": rng.permutation(n),
        "x": rng.integers(0, 3, n),
        "y": rng.integers(0, 3, n),
    }
    source["twin"] = np.array(["p", "q", "r"])[2 - source["x"]]
    with pytest.warns(DataWarning) as caught:
        Dataset.from_any(source)
    assert [str(warning.message) for warning in caught] == [
        "constant, so independent of everything: 'same'; all values distinct, so probably an id; "
        "leave it out by drop=['id']; duplicate up to the names of levels: 'twin' of 'x'"
    ]
    assert caught[0].filename == __file__


def test_what_was_read_is_logged(caplog):
    with caplog.at_level(logging.INFO, logger="stigmergy"):
        data = Dataset.from_any(pl.DataFrame(COLUMNS))
    assert data.source == "polars frame: 3 columns, 5 rows"
    assert [record.getMessage() for record in caplog.records] == [data.source]


def test_nothing_heavy_is_imported_for_plain_arrays():
    heavy = "{'pandas', 'polars', 'pyarrow', 'narwhals', 'scipy'}"
    code = (
        "import sys, numpy as np, stigmergy\n"
        "stigmergy.Dataset.from_any({'a': np.array([0, 1]), 'b': np.array([True, False])})\n"
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_columns_are_left_out_whatever_they_hold():
    table = {
        "visit date": pd.date_range("2020-01-01", periods=4),
        "weight": [61.5, 70.25, 80.0, 55.5],
        "n": [1, 2, 1, 1],
        "a": ["x", None, "y", "x"],
        "b": [0, 1, 1, 0],
    }
    kept = {"n": table["n"], "b": table["b"]}
    left_out = ["visit date", "a", "weight"]
    assert Dataset.from_any(table, drop=left_out) == Dataset.from_any(kept)
    frame = pd.DataFrame(table)
    assert Dataset.from_any(frame, drop=left_out, weights="n") == Dataset.from_any(
        kept, weights="n"
    )
    assert Dataset.from_any(table, drop=iter(left_out)) == Dataset.from_any(kept)
    rows = Dataset.from_any({**kept, "d": ["x", "y", "y", "z"]}, drop="d")  # one as it is
    assert rows == Dataset.from_any(kept)
    assert learn_structure(table, "greedy-e", drop=left_out).cpdag.names == ("b", "n")
    for wrong, message in (
        ("visit_date", "drop names columns that do not exist: 'visit_date' (did you mean 'visit d"),
        (["q"], "drop names columns that do not exist: 'q'"),
        (list(table), "drop must leave a column"),
    ):
        with pytest.raises(DataError, match=re.escape(message)):
            Dataset.from_any(table, drop=wrong)
    with pytest.raises(DataError, match="weights names columns that do not exist: 'n'"):
        Dataset.from_any(table, drop=[*left_out, "n"], weights="n")
    with pytest.raises(ParameterError, match="drop must be names of columns, got 3"):
        Dataset.from_any(table, drop=3)
    with pytest.raises(ParameterError, match="source is a Dataset, which is read already"):
        Dataset.from_any(rows, drop="b")
