# SPDX-License-Identifier: MIT
"""The BIF file that the README makes means the same to pgmpy and pyAgrum.

Run by `make test-peers`, with the libraries of the bench extra.
"""

import itertools

import pyagrum
import pytest
from pgmpy.readwrite import BIFReader

from shell import as_a_new_user
from stigmergy import read_bif

pytestmark = pytest.mark.peer


@pytest.fixture(scope="module")
def bif(tmp_path_factory):
    folder = tmp_path_factory.mktemp("new-user")
    as_a_new_user(folder)
    return folder / "network.bif"


def families(network):
    """List the cells of all tables: the child, then the states of the family by name."""
    for child in network.names:
        family = [*network.parents(child), child]
        for states in itertools.product(*(network.levels_of(name) for name in family)):
            place = tuple(
                network.levels_of(name).index(state)
                for name, state in zip(family, states, strict=True)
            )
            yield child, dict(zip(family, states, strict=True)), network.table(child)[place]


def test_pgmpy_reads_the_same_probabilities(bif):
    network, theirs = read_bif(bif), BIFReader(str(bif)).get_model()
    assert set(theirs.edges()) == set(network.dag.directed)
    for child, states, probability in families(network):
        cpd = theirs.get_cpds(child)
        assert cpd.get_value(**states) == probability


def test_pyagrum_reads_the_same_probabilities(bif):
    network, theirs = read_bif(bif), pyagrum.loadBN(str(bif))
    arcs = {(theirs.variable(a).name(), theirs.variable(b).name()) for a, b in theirs.arcs()}
    assert arcs == set(network.dag.directed)
    for child, states, probability in families(network):
        # It reads numbers in single precision.
        assert theirs.cpt(child)[states] == pytest.approx(probability, rel=1e-6)
