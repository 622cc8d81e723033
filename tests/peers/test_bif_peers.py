# SPDX-License-Identifier: MIT
"""BIF files, sampling and inference of other libraries and ours, both ways.

Run by `make test-peers`, with the libraries of the bench extra.
"""

import numpy as np
import pyagrum
import pytest
from pgmpy.readwrite import BIFReader, BIFWriter

from stigmergy import networks, read_bif, write_bif
from stigmergy.io.bif import parse_bif

pytestmark = pytest.mark.peer

SMALL = [
    "alarm", "asia", "cancer", "child", "earthquake", "hailfinder", "hepar2", "insurance", "sachs",
    "survey", "water", "win95pts",
]  # fmt: skip


SINGLE = 1e-7  # pyAgrum's reader of BIF keeps probabilities in single precision


def same_as_pyagrum(network, bn, rtol=0.0):
    assert set(bn.names()) == set(network.names)
    for name in network.names:
        cpt = bn.cpt(name)
        assert tuple(bn.variable(name).labels()) == network.levels_of(name)
        values = cpt.toarray()
        order = tuple(cpt.names)[::-1]  # the array has its axes the other way round
        family = (*network.parents(name), name)
        assert set(order) == set(family)
        values = values.transpose([order.index(member) for member in family])
        np.testing.assert_allclose(values, network.table(name), rtol=rtol, atol=1e-37)


def same_as_pgmpy(network, model):
    assert set(model.nodes()) == set(network.names)
    for name in network.names:
        cpd = model.get_cpds(name)
        assert tuple(cpd.state_names[name]) == network.levels_of(name)
        values = np.moveaxis(cpd.values, 0, -1)
        order = (*cpd.variables[1:], name)
        family = (*network.parents(name), name)
        assert set(order) == set(family)
        values = values.transpose([order.index(member) for member in family])
        np.testing.assert_array_equal(values, network.table(name))


@pytest.mark.parametrize("name", networks.names())
def test_pyagrum_reads_what_we_write(name, tmp_path):
    network = networks.load(name)
    path = tmp_path / f"{name}.bif"
    # pyAgrum takes identifiers and integers only; child has states such as "<5" and "Asy/Patch".
    write_bif(network, path, plain_names=True)
    same_as_pyagrum(read_bif(path), pyagrum.loadBN(str(path)), SINGLE)
    if name != "child":
        write_bif(network, path)
        same_as_pyagrum(network, pyagrum.loadBN(str(path)), SINGLE)


@pytest.mark.parametrize("name", SMALL)
def test_we_read_what_pyagrum_writes(name, tmp_path):
    ours, theirs = tmp_path / "ours.bif", tmp_path / "theirs.bif"
    write_bif(networks.load(name), ours, plain_names=True)
    bn = pyagrum.loadBN(str(ours))
    pyagrum.saveBN(bn, str(theirs))
    same_as_pyagrum(read_bif(theirs), bn)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("plain_names", [False, True])
def test_pgmpy_reads_what_we_write(name, plain_names, tmp_path):
    path = tmp_path / f"{name}.bif"
    write_bif(networks.load(name), path, plain_names=plain_names)
    same_as_pgmpy(read_bif(path), BIFReader(str(path)).get_model())


@pytest.mark.parametrize("name", SMALL)
def test_we_read_what_pgmpy_writes(name, tmp_path):
    ours, theirs = tmp_path / "ours.bif", tmp_path / "theirs.bif"
    write_bif(networks.load(name), ours)
    model = BIFReader(str(ours)).get_model()
    BIFWriter(model).write(str(theirs))
    same_as_pgmpy(read_bif(theirs), model)


def test_tables_with_the_child_slowest_mean_the_same_to_all(tmp_path):
    text = (
        "network t {\n}\nvariable X {\n  type discrete [ 2 ] { a, b };\n}\n"
        "variable Y {\n  type discrete [ 3 ] { p, q, r };\n}\n"
        "probability ( Y ) {\n  table 0.2, 0.3, 0.5;\n}\n"
        "probability ( X | Y ) {\n  table 0.1, 0.2, 0.3, 0.9, 0.8, 0.7;\n}\n"
    )
    path = tmp_path / "t.bif"
    path.write_text(text)
    network = parse_bif(text)
    assert network.table("X").tolist() == [[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]]
    same_as_pyagrum(network, pyagrum.loadBN(str(path)), SINGLE)
    same_as_pgmpy(network, BIFReader(str(path)).get_model())


@pytest.mark.parametrize("name", ["alarm", "asia", "hailfinder", "insurance", "water", "pigs"])
def test_posteriors_are_those_of_pyagrum(name, tmp_path):
    network = networks.load(name)
    path = tmp_path / "ours.bif"
    write_bif(network, path)
    bn = pyagrum.loadBN(str(path))
    row = network.sample(1, seed=17)
    evidence = {v: row.levels_of(v)[row.codes(v)[0]] for v in network.names[::5]}
    propagation = pyagrum.LazyPropagation(bn)
    propagation.setEvidence(evidence)
    propagation.makeInference()
    for variable, probabilities in network.posterior(evidence).items():
        theirs = propagation.posterior(variable).toarray()
        np.testing.assert_allclose(probabilities, theirs, rtol=1e-6, atol=1e-9)
    assert network.probability(evidence) == pytest.approx(
        propagation.evidenceProbability(), rel=1e-5
    )
