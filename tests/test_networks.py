# SPDX-License-Identifier: MIT
"""The packaged networks: what they are, and the table of the paper."""

import itertools

import pytest

from stigmergy import ParameterError, networks

# Nodes, arcs, v-structures, parent pairs, largest in-degree, free parameters, arities from, to and
# mean: counted once with another program, on the files before they were packed.
FIGURES = {
    "alarm": (37, 46, 24, 26, 4, 509, 2, 4, 2.84),
    "barley": (48, 84, 56, 66, 4, 114005, 2, 67, 8.77),
    "diabetes": (36, 48, 19, 21, 2, 33599, 3, 21, 11.25),
    "hailfinder": (56, 66, 34, 37, 4, 2656, 2, 11, 3.98),
    "mildew": (35, 46, 37, 37, 3, 540150, 3, 100, 17.60),
    "win95pts": (76, 112, 129, 135, 7, 574, 2, 2, 2.00),
    "asia": (8, 8, 2, 2, 2, 18, 2, 2, 2.00),
    "cancer": (5, 4, 1, 1, 2, 10, 2, 2, 2.00),
    "earthquake": (5, 4, 1, 1, 2, 10, 2, 2, 2.00),
    "survey": (6, 6, 2, 2, 2, 21, 2, 3, 2.33),
    "sachs": (11, 17, 0, 9, 3, 178, 3, 3, 3.00),
    "child": (20, 25, 5, 6, 2, 230, 2, 6, 3.00),
    "insurance": (27, 52, 23, 32, 3, 1008, 2, 5, 3.30),
    "water": (32, 66, 78, 78, 5, 10083, 3, 4, 3.62),
    "hepar2": (70, 123, 100, 110, 6, 1453, 2, 4, 2.31),
    "pathfinder": (109, 195, 16, 124, 5, 72079, 2, 63, 4.11),
    "munin1": (186, 273, 133, 133, 3, 15622, 2, 21, 5.33),
    "andes": (223, 338, 313, 327, 6, 1157, 2, 2, 2.00),
    "pigs": (441, 592, 296, 296, 2, 5618, 3, 3, 3.00),
    "link": (724, 1125, 821, 821, 3, 14211, 2, 4, 2.53),
    "diabetes413": (413, 602, 241, 265, 2, 429409, 3, 21, 11.34),
}

# Daly & Shen (2009), Table 5. What it prints as "V-Structures" are pairs of parents of one node.
TABLE_5 = {
    "alarm": (37, 46, "1.24", 26, "0.70"),
    "barley": (48, 84, "1.75", 66, "1.38"),
    "diabetes": (36, 48, "1.33", 21, "0.58"),
    "hailfinder": (56, 66, "1.18", 37, "0.66"),
    "mildew": (35, 46, "1.31", 37, "1.06"),
    "win95pts": (76, 112, "1.47", 135, "1.78"),
}


def parent_pairs(dag):
    return [
        (a, b, child)
        for child in dag.names
        for a, b in itertools.combinations(dag.parents(child), 2)
    ]


def test_all_are_there():
    assert networks.names() == tuple(sorted(FIGURES))


@pytest.mark.parametrize("name", FIGURES)
def test_each_is_as_its_index_says(name):
    network = networks.load(name)
    dag = network.dag
    pairs = parent_pairs(dag)
    joined = {frozenset(arc) for arc in dag.arcs}
    v_structures = [(a, b, c) for a, b, c in pairs if frozenset((a, b)) not in joined]
    arities = network.arities
    found = (
        len(dag.names),
        len(dag.arcs),
        len(v_structures),
        len(pairs),
        max(len(dag.parents(child)) for child in dag.names),
        network.n_parameters,
        min(arities),
        max(arities),
        pytest.approx(sum(arities) / len(arities), abs=0.005),
    )
    assert found == FIGURES[name]
    info = networks.info(name)
    told = (
        info.n_nodes,
        info.n_arcs,
        info.n_v_structures,
        info.n_parent_pairs,
        info.max_in_degree,
        info.n_parameters,
        info.min_arity,
        info.max_arity,
    )
    assert told == FIGURES[name][:-1]
    assert info.citation
    assert info.source


@pytest.mark.parametrize("name", TABLE_5)
def test_table_5_of_the_paper(name):
    dag = networks.load(name).dag
    nodes, arcs, pairs = len(dag.names), len(dag.arcs), len(parent_pairs(dag))
    row = (nodes, arcs, f"{arcs / nodes:.2f}", pairs, f"{pairs / nodes:.2f}")
    assert row == TABLE_5[name]


def test_diabetes_is_the_start_of_the_large_one():
    small, large = networks.load("diabetes"), networks.load("diabetes413")
    for name in small.names:
        assert small.parents(name) == large.parents(name)
        assert small.levels_of(name) == large.levels_of(name)
        assert (small.table(name) == large.table(name)).all()


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(ParameterError, match=r"name must be one of alarm, andes, .*got 'alarmm'"):
        networks.load("alarmm")
