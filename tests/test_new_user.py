# SPDX-License-Identifier: MIT
"""An empty folder, and only what the README says: from CSV to BIF to picture."""

from itertools import product
from xml.etree import ElementTree

import pytest

from shell import as_a_new_user
from stigmergy import Dataset, Result, networks, read_bif

NAMES = networks.load("asia").names


def test_from_csv_to_bif_to_picture(tmp_path):
    as_a_new_user(tmp_path)
    files = ["network.bif", "network.svg", "patients.csv", "result.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    data = Dataset.from_any(tmp_path / "patients.csv")
    result = Result.load(tmp_path / "result.json")
    network = read_bif(tmp_path / "network.bif")
    assert network == result.fit(data)
    assert result.data_fingerprint == data.fingerprint
    # The tables by hand: BDeu's posterior mean with an equivalent sample size of 1.
    for name in NAMES:
        parents = network.parents(name)
        family = [*parents, name]
        cells = dict.fromkeys(_cells(network, family), 0)
        for row in zip(*(data.to_dict()[member] for member in family), strict=True):
            cells[row] += 1
        alpha = 1 / len(cells)
        for row, count in cells.items():
            total = sum(n for other, n in cells.items() if other[:-1] == row[:-1])
            states = len(network.levels_of(name))
            place = tuple(network.levels_of(m).index(v) for m, v in zip(family, row, strict=True))
            expected = (count + alpha) / (total + states * alpha)
            assert network.table(name)[place] == pytest.approx(expected, rel=1e-12)
    texts = ElementTree.parse(tmp_path / "network.svg").iter("{http://www.w3.org/2000/svg}text")
    assert {text.text for text in texts} >= set(NAMES)


def _cells(network, family):
    return list(product(*(network.levels_of(member) for member in family)))
