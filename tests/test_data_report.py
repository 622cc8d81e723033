# SPDX-License-Identifier: MIT
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stigmergy import Dataset, DataWarning


def columns_of(data):
    return {column.name: column for column in data.report().columns}


def mixed():
    n = 30
    return Dataset.from_codes(
        [
            np.arange(n),
            np.zeros(n, int),
            np.arange(n) % 3,
            (np.arange(n) + 1) % 3,
            np.arange(n) % 2,
            np.arange(n) // 15,
        ],
        ["id", "constant", "a", "a renamed", "t", "gap"],
        [n, 1, 3, ("p", "q", "r"), (False, True), ("x", "(missing)", "never")],
        source="a test",
    )


def test_each_column_is_described():
    found = columns_of(mixed())
    assert [name for name in found if found[name].id_like] == ["id"]
    assert [name for name in found if found[name].constant] == ["constant"]
    assert {name: c.duplicate_of for name, c in found.items() if c.duplicate_of} == {
        "a renamed": "a"
    }
    assert [found[name].type for name in found] == [
        "integer",
        "integer",
        "integer",
        "text",
        "boolean",
        "text",
    ]
    assert (found["gap"].missing, found["gap"].observed) == (15, 2)


def test_what_is_shown():
    text = str(mixed().report())
    assert text.splitlines() == [
        "a test",
        "30 rows, 6 columns",
        "",
        "column     type     levels  values               remarks",
        "id         integer  30      0, 1, 2, 3, 4, ...   id-like",
        "constant   integer  1       0                    constant",
        "a          integer  3       0, 1, 2",
        "a renamed  text     3       p, q, r              duplicate of a",
        "t          boolean  2       False, True",
        "gap        text     3       x, (missing), never  15 missing, 1 unobserved",
    ]
    weighted = mixed().with_weights([2] * 30)
    assert "30 rows, 6 columns, 60 observations" in str(weighted.report())


def test_as_plain_values():
    plain = json.loads(json.dumps(mixed().report().to_dict()))
    assert plain["n_rows"] == 30
    assert plain["columns"][3] == {
        "name": "a renamed",
        "type": "text",
        "levels": ["p", "q", "r"],
        "observed": 3,
        "missing": 0,
        "constant": False,
        "duplicate_of": "a",
        "id_like": False,
        "more": "",
    }


def test_few_rows_say_little():
    data = Dataset.from_codes([[0, 1, 2], [2, 1, 0]], ["a", "b"], [3, 3])
    assert data.report().concerns() == []
    with pytest.warns(DataWarning, match="the data has one row: nothing can be learned"):
        Dataset.from_any({"a": [1], "b": [2]})


def test_many_concerns_are_counted():
    data = Dataset.from_codes([[0] * 30] * 12, [f"v{i}" for i in range(12)], [1] * 12)
    assert data.report().concerns() == [
        "constant, so independent of everything: 'v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6', 'v7' "
        "and 4 more"
    ]


def partition(codes):
    groups = {}
    for row, code in enumerate(codes):
        groups.setdefault(code, []).append(row)
    return sorted(groups.values())


@given(
    st.lists(st.lists(st.integers(0, 2), min_size=20, max_size=20), min_size=1, max_size=4),
    st.data(),
)
def test_duplicates_are_equal_partitions(columns, data):
    # Renaming a column makes duplicates frequent.
    columns = [*columns, [2 - code for code in data.draw(st.sampled_from(columns))]]
    names = [f"v{i}" for i in range(len(columns))]
    found = columns_of(Dataset.from_codes(columns, names, [3] * len(columns)))
    for i, name in enumerate(names):
        twins = [j for j in range(i) if partition(columns[j]) == partition(columns[i])]
        assert found[name].duplicate_of == (names[twins[0]] if twins else None)


def test_columns_that_part_ways_late_are_no_duplicates():
    a = np.arange(10_000) % 3
    b = a.copy()
    b[-1] = (b[-1] + 1) % 3
    c = np.where(a == 2, 3, a)
    c[-1] = 2
    data = Dataset.from_codes([a, b, c], ["a", "b", "c"], [3, 3, 4])
    assert [column.duplicate_of for column in data.report().columns] == [None, None, None]
