# SPDX-License-Identifier: MIT
"""Forward sampling: the frequencies, and what the rows do not depend on."""

import numpy as np
import pytest
from scipy import stats

from stigmergy import BayesianNetwork, Dag, ParameterError, networks


def network_of(names, arcs, levels, tables, parents=None):
    return BayesianNetwork(Dag(names, arcs), levels, tables, parents=parents)


def philox(counter, key):
    """Philox4x32-10, written down from Salmon et al. (2011)."""
    x, mask = list(counter), 0xFFFFFFFF
    k0, k1 = key
    for _ in range(10):
        p, q = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [(q >> 32) ^ x[1] ^ k0, q & mask, (p >> 32) ^ x[3] ^ k1, p & mask]
        k0, k1 = (k0 + 0x9E3779B9) & mask, (k1 + 0xBB67AE85) & mask
    return x


def columns_of(data):
    return {name: data.codes(name).tolist() for name in data.names}


def test_each_cell_is_a_word_of_its_own_stream():
    # A fair variable of 2**k levels shows the top k bits of its word.
    network = network_of(
        ["b", "a"],
        [],
        {"a": range(256), "b": range(16)},
        {"a": [1 / 256] * 256, "b": [1 / 16] * 16},
    )
    seed = 0x0123456789ABCDEF
    data = network.sample(9, seed)
    for stream, (name, bits) in enumerate([("a", 8), ("b", 4)]):
        for row, code in enumerate(data.codes(name)):
            words = philox([row // 2, 0, stream, 0], (seed & 0xFFFFFFFF, seed >> 32))
            assert code == words[1 + 2 * (row % 2)] >> (32 - bits)


@pytest.mark.parametrize("name", ["asia", "alarm", "child", "insurance", "barley", "win95pts"])
def test_every_family_is_drawn_from_its_table(name):
    network = networks.load(name)
    n = 200_000
    data = network.sample(n, seed=20110)
    levels = dict(zip(network.names, network.arities, strict=True))
    p_values = []
    for child in network.names:
        table = network.table(child).reshape(-1, levels[child])
        index = np.zeros(n, np.int64)
        for parent in network.parents(child):
            index = index * levels[parent] + data.codes(parent)
        counts = np.bincount(index * levels[child] + data.codes(child), minlength=table.size)
        counts = counts.reshape(table.shape)
        assert (counts[table == 0] == 0).all()
        expected = counts.sum(axis=1, keepdims=True) * table
        # Cells too thin for the chi-square approximation are put together per row.
        thick = expected >= 5
        statistic, freedom = 0.0, 0
        for row, mean, keep in zip(counts, expected, thick, strict=True):
            observed = np.append(row[keep], row[~keep].sum())
            model = np.append(mean[keep], mean[~keep].sum())
            observed, model = observed[model >= 5], model[model >= 5]
            if len(model) > 1:
                statistic += ((observed - model) ** 2 / model).sum()
                freedom += len(model) - 1
        if freedom:
            p_values.append(stats.chi2.sf(statistic, freedom))
    p_values = np.array(p_values)
    assert p_values.min() > 0.001 / len(p_values)  # Bonferroni: one sound network in 1,000 fails
    assert stats.kstest(p_values, "uniform").pvalue > 0.001


def test_parts_of_streams_are_independent():
    arity, n = 8, 400_000
    names = [f"v{i}" for i in range(6)]
    network = network_of(
        names, [], dict.fromkeys(names, range(arity)), dict.fromkeys(names, [1 / arity] * arity)
    )
    data = network.sample(n, seed=5)
    cells = []
    for i, a in enumerate(names):
        lagged = data.codes(a)[1:].astype(int) * arity + data.codes(a)[:-1]
        cells.append(np.bincount(lagged, minlength=arity**2))
        for b in names[:i]:
            both = data.codes(a).astype(int) * arity + data.codes(b)
            cells.append(np.bincount(both, minlength=arity**2))
    for counts in cells:
        assert stats.chisquare(counts).pvalue > 0.0005


def test_order_of_declaration_plays_no_part():
    levels = {"a": "xyz", "b": "01", "c": "pqr"}
    a, b = [0.2, 0.5, 0.3], [[0.9, 0.1], [0.4, 0.6], [0.5, 0.5]]
    c = np.random.default_rng(3).dirichlet([1, 1, 1], size=(3, 2))
    arcs = [("a", "b"), ("a", "c"), ("b", "c")]
    levels = {name: tuple(text) for name, text in levels.items()}
    one = network_of(["a", "b", "c"], arcs, levels, {"a": a, "b": b, "c": c})
    other = network_of(
        ["c", "b", "a"],
        arcs[::-1],
        levels,
        {"a": a, "b": b, "c": c.transpose(1, 0, 2)},
        parents={"c": ("b", "a")},
    )
    assert columns_of(one.sample(5000, 11)) == columns_of(other.sample(5000, 11))


def test_threads_and_size_play_no_part():
    network = networks.load("child")
    one = columns_of(network.sample(20_001, seed=4))
    assert columns_of(network.sample(20_001, seed=4, n_threads=3)) == one
    few = columns_of(network.sample(999, seed=4))
    assert few == {name: codes[:999] for name, codes in one.items()}
    assert columns_of(network.sample(20_001, seed=5)) != one


def test_rows_are_the_same_in_every_version():
    data = networks.load("asia").sample(12, seed=1)
    rows = ["".join(str(data.codes(name)[i]) for name in data.names) for i in range(12)]
    assert rows == ASIA_ROWS


ASIA_ROWS = [
    "11110111",
    "11010110",
    "11111111",
    "11111100",
    "11001000",
    "11010110",
    "11111111",
    "11011111",
    "11111111",
    "11111110",
    "11111111",
    "11010110",
]


def test_wide_variables_take_two_bytes():
    network = network_of(["w"], [], {"w": range(300)}, {"w": np.full(300, 1 / 300)})
    codes = network.sample(30_000, 2).codes("w")
    assert codes.dtype == np.uint16
    assert stats.chisquare(np.bincount(codes, minlength=300)).pvalue > 0.001


@pytest.mark.parametrize(
    ("n", "seed", "threads", "message"),
    [
        (0, 1, 1, "n must be an integer from 1 .*got 0"),
        (2.5, 1, 1, "n must be an integer, got 2.5"),
        (1, -1, 1, "seed must be an integer from 0 .*got -1"),
        (1, True, 1, "seed must be an integer, got True"),
        (1, 2**64, 1, "seed must be"),
        (1, 1, 0, "n_threads must be"),
    ],
)
def test_bad_arguments_are_named(n, seed, threads, message):
    with pytest.raises(ParameterError, match=message):
        networks.load("asia").sample(n, seed, n_threads=threads)
