# SPDX-License-Identifier: MIT
import copy
import os
import pickle
import subprocess
import sys
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stigmergy import Cpdag, Dag, Graph, Pdag
from strategies import dags, pdags

AB = ["a", "b"]
ABC = ["a", "b", "c"]


def test_names_keep_their_order_and_lists_are_sorted():
    pdag = Pdag(["d", "a", "c", "b"], [("d", "a"), ("b", "a")], [("d", "c")])
    assert pdag.names == ("d", "a", "c", "b")
    assert pdag.directed == (("b", "a"), ("d", "a"))
    assert pdag.undirected == (("c", "d"),)
    assert pdag.edges == (
        ("b", "a", "directed"),
        ("c", "d", "undirected"),
        ("d", "a", "directed"),
    )
    assert pdag.skeleton == (("a", "b"), ("a", "d"), ("c", "d"))
    assert pdag.v_structures == (("b", "a", "d"),)
    assert pdag.parents("a") == ("b", "d")
    assert pdag.children("d") == ("a",)
    assert pdag.neighbours("d") == ("c",)
    assert pdag.adjacent("d") == ("a", "c")
    assert pdag.is_adjacent("c", "d")
    assert not pdag.is_adjacent("a", "c")
    assert len(pdag) == 4
    assert "a" in pdag
    assert "z" not in pdag


def test_relatives_order_and_moral_graph():
    dag = Dag(list("edcba"), [("a", "c"), ("b", "c"), ("c", "d")])
    assert dag.ancestors("d") == ("a", "b", "c")
    assert dag.descendants("a") == ("c", "d")
    assert dag.topological_order() == ("a", "b", "c", "d", "e")
    assert Dag(ABC, [("c", "a")]).topological_order() == ("b", "c", "a")
    assert dag.moral == (("a", "b"), ("a", "c"), ("b", "c"), ("c", "d"))
    assert dag.arcs == dag.directed


def test_equality_needs_kind_names_and_edges_only():
    assert Dag(AB, [("a", "b")]) == Dag(AB[::-1], [("a", "b")])
    assert hash(Dag(AB, [("a", "b")])) == hash(Dag(AB[::-1], [("a", "b")]))
    assert Pdag(ABC, [], [("a", "b"), ("c", "b")]) == Pdag(ABC, [], [("b", "c"), ("b", "a")])
    assert Dag(AB) != Dag(ABC)
    assert Dag(AB, [("a", "b")]) != Dag(AB, [("b", "a")])
    assert Dag(AB) != Pdag(AB)
    assert Dag(AB) != "ab"


def test_text_names_kind_edges_and_isolated_nodes():
    pdag = Pdag(list("abcde"), [("a", "b")], [("d", "c")])
    assert str(pdag) == "a -> b, c - d; isolated: e"
    assert repr(pdag) == "<Pdag of 5 nodes: a -> b, c - d; isolated: e>"
    assert repr(Dag(["a"])) == "<Dag of 1 node: isolated: a>"
    assert repr(Cpdag([])) == "<Cpdag of 0 nodes: empty>"
    chain = [f"v{i:02}" for i in range(60)]
    long = Dag(chain, pairwise(chain))
    assert repr(long).endswith("v39 -> v40, and 19 more>")
    assert str(long).count("->") == 59


def test_values_cannot_be_changed():
    dag = Dag(AB, [("a", "b")])
    with pytest.raises(AttributeError, match="a Dag cannot be changed; make a new one"):
        dag.names = ("x",)
    with pytest.raises(AttributeError, match="cannot be changed"):
        del dag._names
    with pytest.raises(AttributeError, match="cannot be changed"):
        dag.anything = 1
    with pytest.raises(TypeError, match="make a Dag, a Pdag or a Cpdag"):
        Graph()


@given(pdags())
def test_pickle_and_copy_give_an_equal_graph(pdag):
    for again in (pickle.loads(pickle.dumps(pdag)), copy.copy(pdag), copy.deepcopy(pdag)):
        assert again == pdag
        assert hash(again) == hash(pdag)
        assert again.names == pdag.names
        assert all(again.children(name) == pdag.children(name) for name in pdag.names)


def test_a_used_cpdag_still_pickles():
    cpdag = Cpdag(ABC, [], [("a", "b"), ("b", "c")])
    assert cpdag.count_members() == 3
    again = pickle.loads(pickle.dumps(cpdag))
    assert again == cpdag
    assert again.count_members() == 3


def test_answers_do_not_depend_on_the_hash_seed():
    code = (
        "from stigmergy import Dag\n"
        "names = [f'v{i}' for i in range(12)]\n"
        "dag = Dag(set(names), {(names[i], names[j]) for i in range(12) for j in range(i, 12, 3)"
        " if i < j})\n"
        "cpdag = dag.to_cpdag()\n"
        "print(dag, cpdag, cpdag.to_dag(), cpdag.sample_member(7), next(cpdag.members()))\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(answers) == 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Dag("abc"), "names must be a list of strings, got the one string 'abc'"),
        (lambda: Dag([1, 2]), "each node name must be a string, got 1"),
        (lambda: Dag(AB, ["ab"]), "each directed edge must be a pair of node names, got 'ab'"),
        (lambda: Dag(AB, [3]), "each directed edge must be a pair of node names, got 3"),
        (lambda: Dag(AB, [("a",)]), "each directed edge must be a pair"),
        (lambda: Dag([1.5]), "got 1.5"),
    ],
)
def test_wrong_types_are_refused(make, message):
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Dag([""]), "each node name must be a string that is not blank, got ''"),
        (lambda: Dag(["a", " "]), "each node name must be a string that is not blank, got ' '"),
        (lambda: Dag(["a", "a"]), "each node name must occur once, got 'a' twice"),
        (
            lambda: Dag(AB, [("a", "z")]),
            r"directed edge \('a', 'z'\): unknown node 'z'; the nodes are a, b",
        ),
        (lambda: Pdag(AB, [], [("z", "a")]), r"undirected edge \('z', 'a'\): unknown node 'z'"),
        (lambda: Dag(AB, [("a", 1)]), "unknown node 1; the nodes are a, b"),
        (lambda: Dag([], [("a", "b")]), "unknown node 'a'; the nodes are none"),
        (lambda: Dag([f"v{i}" for i in range(20)]).parents("w"), "v14, v15, and 12 more"),
        (lambda: Dag(AB, [("a", "a")]), r"directed edge \('a', 'a'\) joins 'a' to itself"),
        (lambda: Dag(AB, [("a", "b"), ("a", "b")]), "given twice: a -> b is already there"),
        (lambda: Dag(AB, [("a", "b"), ("b", "a")]), "given twice: a -> b is already there"),
        (lambda: Pdag(AB, [("b", "a")], [("a", "b")]), "given twice: b -> a is already there"),
        (lambda: Pdag(AB, [], [("a", "b"), ("b", "a")]), "given twice: b - a is already there"),
        (
            lambda: Dag(list("abcd"), [("a", "d"), ("d", "c"), ("c", "b"), ("b", "d")]),
            "contain the cycle b -> d -> c -> b",
        ),
        (
            lambda: Pdag(list("abcd"), [("a", "b"), ("b", "c"), ("c", "a")], [("c", "d")]),
            "contain the cycle a -> b -> c -> a",
        ),
        (lambda: Cpdag(AB, [("a", "b")]), "a -> b is reversible and must be undirected"),
        (
            lambda: Cpdag(list("abcd"), [("a", "c"), ("b", "c")], [("d", "c")]),
            "c - d is compelled and must be c -> d",
        ),
        (
            lambda: Cpdag(list("abcd"), [], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]),
            "no directions of a - b, a - d, b - c, c - d avoid both a directed cycle and a new v-",
        ),
        (
            lambda: Pdag(list("abcd"), [("a", "b"), ("d", "c")], [("b", "c")]).to_cpdag(),
            "this Pdag has no consistent extension: no directions of b - c avoid",
        ),
        (lambda: Dag(AB).is_d_separated("a", "a"), "x and y must not overlap, but both have a"),
        (lambda: Dag(AB).is_d_separated("a", "b", ["b"]), "y and given must not overlap"),
        (lambda: Dag(AB).is_d_separated("a", "c"), "unknown node 'c'"),
        (lambda: Cpdag(AB).sample_member(-1), "seed must be an integer >= 0, got -1"),
        (lambda: Cpdag(AB).sample_member(1.0), "seed must be an integer >= 0, got 1.0"),
        (lambda: Cpdag(AB).sample_member(True), "seed must be an integer >= 0, got True"),
        (lambda: Dag(AB).rename({"c": "d"}), "unknown node 'c'"),
        (lambda: Dag(AB).rename({"a": "b"}), "each node name must occur once, got 'b' twice"),
        (lambda: Dag(AB).subgraph(["c"]), "unknown node 'c'"),
        (lambda: Dag.from_matrix([[0, 1], [1, 0]], AB), "a Dag has no undirected edges, got a - b"),
        (lambda: Dag.from_matrix([[0, 2], [0, 0]], AB), "matrix must hold only 0 and 1"),
        (lambda: Dag.from_matrix([[1, 0], [0, 0]], AB), "joins 'a' to itself"),
        (lambda: Dag.from_matrix([[0, 0]], AB), r"must be of shape \(2, 2\) .* got \(1, 2\)"),
        (lambda: Dag.from_networkx(nx.MultiDiGraph()), "got a networkx multigraph"),
        (lambda: Dag.from_networkx(nx.Graph([("a", "b")])), "a Dag has no undirected edges"),
    ],
)
def test_impossible_graphs_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_rename_and_subgraph():
    pdag = Pdag(list("cab"), [("a", "b")], [("b", "c")])
    assert pdag.rename({"a": "z"}) == Pdag(list("zbc"), [("z", "b")], [("b", "c")])
    assert pdag.rename({"a": "b", "b": "a"}) == Pdag(ABC, [("b", "a")], [("a", "c")])
    assert pdag.rename({"a": "z"}).names == ("c", "z", "b")
    part = pdag.subgraph(["b", "a"])
    assert part == Pdag(AB, [("a", "b")])
    assert part.names == ("b", "a")
    cpdag = Cpdag(ABC, [("a", "c"), ("b", "c")])
    assert cpdag.subgraph(["a", "c"]) == Pdag(["a", "c"], [("a", "c")])
    assert Dag(ABC, [("a", "c"), ("b", "c")]).subgraph(["c", "a"]) == Dag(["a", "c"], [("a", "c")])


def test_matrix_has_the_written_convention():
    pdag = Pdag(list("cab"), [("a", "b")], [("b", "c")])
    matrix = pdag.to_matrix()
    assert matrix.dtype == np.uint8
    assert matrix.tolist() == [[0, 0, 1], [0, 0, 1], [1, 0, 0]]


@given(pdags())
def test_matrix_and_networkx_round_trips(pdag):
    for again in (
        Pdag.from_matrix(pdag.to_matrix(), pdag.names),
        Pdag.from_networkx(pdag.to_networkx()),
    ):
        assert again == pdag
        assert again.names == pdag.names


def test_networkx_is_asked_for_by_name(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match="this needs networkx: pip install networkx"):
        Dag(AB).to_networkx()


def test_networkx_graph_without_directions_becomes_undirected_edges():
    assert Cpdag.from_networkx(nx.Graph([("a", "b")])) == Cpdag(AB, [], [("a", "b")])


@given(dags(min_nodes=1), st.data())
def test_relabelling_commutes(dag, data):
    """A new name changes the order of the nodes, but not the class."""
    shuffled = data.draw(st.permutations(dag.names))
    mapping = dict(zip(dag.names, shuffled, strict=True))
    renamed = dag.rename(mapping)
    assert renamed.to_cpdag() == dag.to_cpdag().rename(mapping)
    assert renamed.to_cpdag().count_members() == dag.to_cpdag().count_members()
    assert {(mapping[a], mapping[b]) for a, b in dag.arcs} == set(renamed.arcs)
