# SPDX-License-Identifier: MIT
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from stigmergy import DataError, Dataset

COLUMNS = {
    "a": [1, 2, 1, 3, 10],
    "b": ["x", "y", "x", "é", "x"],
    "c": [True, False, True, True, False],
}
ROWS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]


def small():
    return Dataset.from_codes(
        [[0, 1, 0, 2, 3], [0, 1, 0, 2, 0], [1, 0, 1, 1, 0]],
        ["a", "b", "c"],
        [(1, 2, 3, 10), ("x", "y", "é"), (False, True)],
    )


@pytest.mark.parametrize(
    "source",
    [
        COLUMNS,
        ROWS,
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).astype({"a": "Int64", "b": object, "c": "boolean"}),
        pd.DataFrame(COLUMNS).astype({"a": float, "b": "string"}),
        pl.DataFrame(COLUMNS),
        pl.LazyFrame(COLUMNS),
        pa.table(COLUMNS),
        pa.table(COLUMNS).to_batches()[0],
        pa.Table.from_batches(pa.table(COLUMNS).to_batches(max_chunksize=2)),
        pa.RecordBatchReader.from_stream(pl.DataFrame(COLUMNS)),
        {name: np.array(column) for name, column in COLUMNS.items()},
        {"a": pd.Series(COLUMNS["a"]), "b": pl.Series(COLUMNS["b"]), "c": COLUMNS["c"]},
        np.array([tuple(row.values()) for row in ROWS], dtype="i2,U3,?"),
        np.array([tuple(row.values()) for row in ROWS], dtype=object),
    ],
    ids=lambda source: type(source).__name__,
)
def test_every_container_gives_the_same_data(source):
    assert Dataset.from_any(source, names=["a", "b", "c"]) == small()


def test_codes_are_narrow_contiguous_and_read_only():
    data = Dataset.from_codes(
        [np.arange(300), np.arange(300) % 256], ["wide", "narrow"], [300, 256]
    )
    assert [data.codes(name).dtype for name in data.names] == [np.uint16, np.uint8]
    for name in data.names:
        assert data.codes(name).flags.c_contiguous
        with pytest.raises(ValueError, match="read-only"):
            data.codes(name)[0] = 1


def test_what_the_caller_gave_stays_his():
    codes = np.array([0, 1, 1], dtype=np.uint8)
    data = Dataset.from_codes([codes], ["a"], [2])
    codes[0] = 1
    assert data.codes("a").tolist() == [0, 1, 1]


def test_pickle_keeps_all():
    data = small().with_weights([1, 2, 3, 4, 5])
    copy = pickle.loads(pickle.dumps(data))
    assert copy == data
    assert copy.fingerprint == data.fingerprint
    assert not copy.codes("a").flags.writeable


def test_a_name_that_is_not_there():
    with pytest.raises(DataError, match="no column 'z'; there are a, b, c"):
        small().codes("z")
