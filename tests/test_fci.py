# SPDX-License-Identifier: MIT
import itertools
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_scorers import oracle_scorer, scorer_of
from oracles.ancestral import classes, model, pag_of_class
from stigmergy import Dag, Dataset, Knowledge, Pag, Scorer, dag_to_mag, mag_to_pag, networks
from stigmergy.errors import StructureError
from stigmergy.search import FCI, Budget
from stigmergy.search.fci import blocks
from strategies import dags
from test_pc import noisy

NAMES = "abcdefghij"
LEFT = {">": "<", "-": "-", "o": "o"}


def as_pag(n, graph):
    """Turn the oracle's dictionary into a Pag."""
    return Pag(
        list(NAMES[:n]),
        [(NAMES[x], f"{LEFT[graph[y, x]]}-{graph[x, y]}", NAMES[y]) for x, y in graph if x < y],
    )


def as_dictionary(pag):
    number = {name: i for i, name in enumerate(pag.names)}
    mark = {"arrow": ">", "tail": "-", "circle": "o"}
    return {
        (number[x], number[y]): mark[pag.mark_at(y, x)]
        for x, y in itertools.permutations(pag.names, 2)
        if pag.is_adjacent(x, y)
    }


@pytest.mark.parametrize("n", [2, 3, 4])
def test_pag_of_every_mag_is_what_its_class_has_in_common(n):
    groups = classes(n)
    # On two and three nodes hidden variables add no pattern of separations to those of DAGs.
    assert len(groups) == {2: 2, 3: 11}.get(n, len(groups))
    for graphs in groups.values():
        expected = as_pag(n, pag_of_class(graphs))
        for graph in graphs:
            assert mag_to_pag(as_pag(n, graph)) == expected


@st.composite
def hidden_cases(draw, max_nodes=8, max_hidden=3):
    """Draw a DAG, some latent nodes and some that rows are selected by."""
    dag = draw(dags(min_nodes=3, max_nodes=max_nodes, labels=NAMES[:max_nodes]))
    hidden = draw(st.lists(st.sampled_from(dag.names), unique=True, max_size=max_hidden))
    cut = draw(st.integers(0, len(hidden)))
    return dag, hidden[:cut], hidden[cut:]


@settings(max_examples=100, deadline=None)
@given(case=hidden_cases(max_nodes=6))
def test_mag_has_the_separations_of_the_dag(case):
    dag, latent, selected = case
    mag = dag_to_mag(dag, latent, selected)
    separations = model(len(mag.names), as_dictionary(mag))
    for i, j in itertools.combinations(range(len(mag.names)), 2):
        others = [v for v in range(len(mag.names)) if v not in (i, j)]
        for size in range(len(others) + 1):
            for chosen in itertools.combinations(others, size):
                given_ = {mag.names[v] for v in chosen} | set(selected)
                separated = dag.is_d_separated(mag.names[i], mag.names[j], given_)
                assert ((i, j, chosen) in separations) == separated


@settings(max_examples=300, deadline=None)
@given(case=hidden_cases(max_nodes=9, max_hidden=4))
def test_perfect_tests_give_the_true_pag(case):
    dag, latent, selected = case
    result = FCI().run(oracle_scorer(dag, latent, selected))
    assert result.pag == mag_to_pag(dag_to_mag(dag, latent, selected))


def test_perfect_tests_give_what_all_mags_of_the_class_have_in_common():
    groups = classes(4)
    rng = np.random.default_rng(8)
    for _ in range(150):
        order = rng.permutation(7)
        arcs = [
            (NAMES[a], NAMES[b]) for a, b in itertools.combinations(order, 2) if rng.random() < 0.45
        ]
        dag = Dag(list(NAMES[:7]), arcs)
        hidden = list(NAMES[4:7])
        latent, selected = (hidden[:2], hidden[2:]) if rng.random() < 0.5 else (hidden, [])
        separations = frozenset(
            (x, y, chosen)
            for x, y in itertools.combinations(range(4), 2)
            for size in range(3)
            for chosen in itertools.combinations([v for v in range(4) if v not in (x, y)], size)
            if dag.is_d_separated(NAMES[x], NAMES[y], {NAMES[v] for v in chosen} | set(selected))
        )
        result = FCI().run(oracle_scorer(dag, latent, selected))
        assert result.pag == as_pag(4, pag_of_class(groups[separations]))


def test_possible_d_sep_is_needed_and_used(monkeypatch):
    # In the kind of Spirtes et al. (2000), Figure 6.6: hidden causes p, q, r, s make a set outside
    # of the neighbourhoods the only one that separates.
    arcs = [("p", "a"), ("p", "b"), ("q", "d"), ("q", "e"), ("b", "e"), ("d", "a")]
    arcs += [("r", "b"), ("r", "c"), ("s", "c"), ("s", "d"), ("c", "b"), ("c", "d")]
    cases = [
        Dag(list("abcdepqrs"), [arc for arc in arcs if arc not in left_out])
        for k in (0, 1, 2)
        for left_out in itertools.combinations(arcs, k)
    ]
    expected = [mag_to_pag(dag_to_mag(dag, latent="pqrs")) for dag in cases]
    assert [FCI().run(oracle_scorer(dag, latent="pqrs")).pag for dag in cases] == expected
    monkeypatch.setattr(FCI, "_thin_by_possible_d_sep", lambda *_: None)
    assert [FCI().run(oracle_scorer(dag, latent="pqrs")).pag for dag in cases] != expected


def test_hidden_common_cause_is_told_from_an_arc():
    # x -> a <- h -> b <- y with h hidden: a <-> b.
    dag = Dag(list("xahby"), [("x", "a"), ("h", "a"), ("h", "b"), ("y", "b")])
    result = FCI().run(oracle_scorer(dag, latent="h"))
    assert str(result.pag) == "a <-> b, x o-> a, y o-> b"
    assert result.details["conflicts"][0] == {
        "nodes": ["a", "b"],
        "why": "a common cause is not in the data (<->)",
    }
    assert set(result.pdag.directed) == {("x", "a"), ("y", "b")}
    assert result.pdag.undirected == (("a", "b"),)


def test_true_knowledge_sharpens_the_pag():
    dag = Dag(list("abc"), [("a", "b"), ("b", "c")])
    assert str(FCI().run(oracle_scorer(dag)).pag) == "a o-o b, b o-o c"
    tiers = Knowledge(tiers=[["a"], ["b", "c"]])
    assert str(FCI().run(oracle_scorer(dag, knowledge=tiers)).pag) == "a o-> b, b --> c"
    required = Knowledge(required_edges=[("a", "b")])
    assert str(FCI().run(oracle_scorer(dag, knowledge=required)).pag) == "a --> b, b --> c"


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 6), order=st.permutations(range(6)))
def test_contradicting_tests_end_and_give_a_dag(seed, n, order):
    result = FCI().run(scorer_of(noisy(NAMES[:n], seed)))
    assert result.pag is not None
    assert set(result.pag.skeleton) == {tuple(sorted(pair)) for pair in result.pdag.skeleton}
    if result.details["consistent_extension"]:
        assert set(result.pdag.directed) <= set(result.dag.arcs)
    else:
        assert result.details["conflicts"]


def test_threads_and_column_order_do_not_matter():
    data = networks.load("asia").sample(800, seed=2)
    levels = dict(zip(data.names, data.levels, strict=True))
    names = data.names[::-1]
    turned = Dataset.from_codes([data.codes(v) for v in names], names, [levels[v] for v in names])
    details = [
        FCI().run(scorer).details
        for scorer in (Scorer(data), Scorer(turned), Scorer(data, n_threads=3))
    ]
    assert details[0] == details[1] == details[2]


def test_pag_is_a_value():
    pag = Pag(["b", "a", "c"], [("b", "<-o", "a"), ("c", "---", "b")])
    assert str(pag) == "a o-> b, b --- c"
    assert repr(pag) == "<Pag of 3 nodes: a o-> b, b --- c>"
    assert pag == Pag("abc", [("b", "---", "c"), ("a", "o->", "b")])
    assert hash(pag) == hash(pickle.loads(pickle.dumps(pag)))
    assert pickle.loads(pickle.dumps(pag)) == pag
    assert pag != Pag("abc", [("a", "-->", "b"), ("b", "---", "c")])
    assert pag.adjacent("b") == ("a", "c")
    assert pag.has_circles
    assert str(Pag(["a", "b"])) == "isolated: a, b"
    assert Pag(**pag.to_dict()) == pag
    with pytest.raises(AttributeError, match="a Pag is immutable"):
        pag.names = ()


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([("a", "->", "b")], "an edge is drawn as one of .* got '->'"),
        ([("a", "-->", "a")], "two different nodes of the graph, got 'a' and 'a'"),
        ([("a", "-->", "z")], "two different nodes of the graph, got 'a' and 'z'"),
        ([("a", "-->", "b"), ("b", "o-o", "a")], "'b' and 'a' are joined twice"),
    ],
)
def test_what_is_no_pag_is_refused(edges, message):
    with pytest.raises(StructureError, match=message):
        Pag(["a", "b"], edges)


def test_marks_of_nodes_apart_and_circles_of_a_mag_are_refused():
    with pytest.raises(StructureError, match="'a' and 'b' are not joined"):
        Pag(["a", "b"]).mark_at("a", "b")
    with pytest.raises(StructureError, match="a MAG has no circles"):
        mag_to_pag(Pag(["a", "b"], [("a", "o-o", "b")]))
    with pytest.raises(StructureError, match="names must be distinct"):
        Pag(["a", "a"])


def test_a_limit_ends_the_tests_before_possible_d_sep():
    """Of a graph with most of its edges Possible-D-SEP would be everything, its subsets endless."""
    scorer = Scorer(networks.load("alarm").sample(500, seed=1))
    result = FCI().run(scorer, budget=Budget(iterations=1))
    assert result.stop == "iteration limit"
    assert result.details["tests"] == 37 * 36 / 2
    assert result.details["conflicts"][-1]["why"].startswith("stopped before the end")
    assert {how for _, how, _ in result.pag.edges} == {"o-o"}
    assert result.dag.arcs == ()


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 12), share=st.floats(0.05, 0.6))
def test_blocks_are_those_of_networkx(seed, n, share):
    graph = nx.gnp_random_graph(n, share, seed)
    expected = {
        edge: component
        for component in nx.biconnected_components(graph)
        for edge in itertools.combinations(sorted(component), 2)
        if graph.has_edge(*edge)
    }
    assert blocks([set(graph[v]) for v in range(n)]) == expected
