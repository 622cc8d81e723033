# SPDX-License-Identifier: MIT
"""Every way of counting, on every instruction set, gives the counts of a loop over the rows."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stigmergy import _core

METHODS = ("automatic", "slices", "histogram", "touched", "sparse")
WAYS = list(itertools.product(METHODS, _core.kernels()))
# Around the sizes of words, vectors, blocks and buffers.
ROWS = (0, 1, 7, 31, 32, 33, 63, 64, 65, 511, 512, 513, 2047, 2049, 8191, 12289)


def random_columns(rng, arities, n_rows, weighted=False):
    """Columns with a favourite value each, some values of the larger ones never met."""
    codes = [
        (rng.random(n_rows) ** 2 * arity).astype(np.uint8 if arity <= 256 else np.uint16)
        for arity in arities
    ]
    weights = rng.integers(0, 5, n_rows).astype(np.uint64) if weighted else None
    return _core.Columns.make(codes, list(arities), weights), codes, weights


def rows_of(columns, codes, weights, child, parents, method, kernels):
    """The rows of the table in no order: a method may list configurations as it meets them."""
    table = columns.count(child, list(parents), method, kernels)
    return Counter(tuple(row) for row in table.tolist() if any(row))


def naive_rows(codes, weights, arity, child, parents):
    table = {}
    for i in range(len(codes[child])):
        row = table.setdefault(tuple(int(codes[p][i]) for p in parents), [0] * arity)
        row[codes[child][i]] += 1 if weights is None else int(weights[i])
    return Counter(tuple(row) for row in table.values() if any(row))


def check(arities, n_rows, child, parents, *, weighted=False, ways=WAYS, seed=0):
    columns, codes, weights = random_columns(
        np.random.default_rng([seed, n_rows]), arities, n_rows, weighted
    )
    expected = naive_rows(codes, weights, arities[child], child, parents)
    for method, kernels in ways:
        found = rows_of(columns, codes, weights, child, parents, method, kernels)
        assert found == expected, (method, kernels)


@pytest.mark.parametrize("n_rows", ROWS)
def test_numbers_of_rows_at_every_edge(n_rows):
    check((3, 2, 4, 1, 5), n_rows, 2, (0, 1, 3, 4))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "arities",
    [
        (2,),
        (1, 1),
        (2, 2),
        (9, 8),
        (7, 3, 2),
        (2,) * 8,
        (4,) * 5,
        (3, 1, 2, 2, 3, 2),
        (64, 2, 3),
        (65, 2, 3),
        (256, 3, 2),
        (257, 3, 2),
        (2, 3, 300),
        (40, 41, 42),
        (2,) * 12,
        (2,) * 17,
        (100, 90, 80, 70),
        (200,) * 9,
        (2, 60000, 65535, 3),
        (65535, 2),
    ],
    ids=str,
)
def test_shapes_of_families(arities, weighted):
    check(arities, 700, 0, range(1, len(arities)), weighted=weighted)
    if len(arities) > 1:
        others = tuple(range(len(arities) - 1))
        check(arities, 700, len(arities) - 1, others, weighted=weighted)


@settings(max_examples=50, deadline=None)
@given(
    arities=st.lists(st.integers(1, 12), min_size=1, max_size=7),
    n_rows=st.integers(0, 700),
    weighted=st.booleans(),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
def test_random_families(arities, n_rows, weighted, seed, data):
    child = data.draw(st.integers(0, len(arities) - 1))
    others = [i for i in range(len(arities)) if i != child]
    parents = [i for i in others if data.draw(st.booleans())]
    check(tuple(arities), n_rows, child, parents, weighted=weighted, seed=seed)


def test_tables_list_configurations_in_order():
    """With all=True the first parent changes fastest, and what does not occur is there as zeros."""
    arities = (2, 3, 4)
    columns, codes, _ = random_columns(np.random.default_rng(1), arities, 50)
    expected = np.zeros((12, 2), dtype=int)
    np.add.at(expected, (codes[1] + 3 * codes[2].astype(int), codes[0]), 1)
    for method, kernels in itertools.product(("slices", "histogram"), _core.kernels()):
        assert (columns.count(0, [1, 2], method, kernels, all=True) == expected).all()


def test_many_rows_of_one_value():
    """A counter of 16 bits or a sum of bytes would run over here."""
    n_rows = 200_000
    columns = _core.Columns.make([np.zeros(n_rows, np.uint8)] * 4, [2, 3, 2, 4], None)
    for method, kernels in WAYS:
        table = columns.count(0, [1, 2, 3], method, kernels)
        assert table[table.sum(axis=1) > 0].tolist() == [[n_rows, 0]]


@pytest.mark.parametrize("kernels", _core.kernels())
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_rows", [300, 9000])
def test_sweeps_give_the_scores_of_single_families(method, kernels, n_rows):
    """Candidates share their base; each still has the very score it has when asked for alone."""
    arities = (2, 3, 2, 4, 1, 7, 30, 2, 300, 5, 64, 65)
    columns, _, _ = random_columns(np.random.default_rng(5), arities, n_rows)

    def fresh(method="automatic", kernels=""):
        return _core.Scorer.from_columns(
            columns, "bdeu", 1.0, 11, 1 << 20, method=method, kernels=kernels
        )

    for child, base in ((0, []), (3, [1]), (2, [0, 1]), (5, [0, 3, 7]), (8, [0, 1, 2, 3, 7])):
        candidates = [i for i in range(len(arities)) if i != child and i not in base]
        together = fresh(method, kernels).extensions(child, base, candidates)
        alone = [fresh().family(child, sorted([*base, i])) for i in candidates]
        assert together.tolist() == alone


def test_refusals():
    columns, _, _ = random_columns(np.random.default_rng(2), (2, 3), 10)
    with pytest.raises(ValueError, match="method must be 'automatic', 'slices'"):
        columns.count(0, [1], "quick")
    with pytest.raises(ValueError, match="no kernels named 'avx9'"):
        columns.count(0, [1], "slices", "avx9")
    with pytest.raises(ValueError, match="own parent"):
        columns.count(0, [0])
    with pytest.raises(IndexError, match="parents must be below"):
        columns.count(0, [2])
    with pytest.raises(ValueError, match="ascending"):
        _core.Columns.make([np.zeros(3, np.uint8)] * 3, [2] * 3, None).count(0, [2, 1])
