# SPDX-License-Identifier: MIT
"""Graph algorithms on random graphs, against naive twins, the native core and networkx."""

from collections import Counter
from itertools import combinations, islice
from math import factorial

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import graphs as naive
from stigmergy import Cpdag, Dag, Pdag, _core, networks
from strategies import dags, pdags, sparse_dags


def numbered(graph):
    number = {name: i for i, name in enumerate(sorted(graph.names))}
    directed = [(number[a], number[b]) for a, b in graph.directed]
    return directed, [(number[a], number[b]) for a, b in graph.undirected]


def native(graph):
    return _core.Pdag(len(graph), *numbered(graph))


@given(sparse_dags())
def test_large_classes_agree_with_the_criterion_and_the_core(dag):
    cpdag = dag.to_cpdag()
    assert cpdag.skeleton == dag.skeleton
    assert cpdag.v_structures == dag.v_structures
    assert Cpdag(dag.names, cpdag.directed, cpdag.undirected) == cpdag
    assert native(dag).completed() == native(cpdag)
    member = cpdag.to_dag()
    assert native(cpdag).consistent_extension() == native(member)
    assert member.to_cpdag() == cpdag
    # Completion from the pattern by the four rules, as Meek proved it complete.
    directed, _ = numbered(dag)
    pattern = {(a, c) for a, c, _ in naive.v_structures(directed)}
    pattern |= {(b, c) for _, c, b in naive.v_structures(directed)}
    lines = naive.skeleton(directed) - naive.skeleton(pattern)
    closed = naive.meek_closure(len(dag), pattern, lines)
    assert tuple(map(sorted, closed)) == tuple(map(sorted, numbered(cpdag)))


@given(pdags(max_nodes=6))
def test_extension_of_random_pdags(pdag):
    directed, undirected = numbered(pdag)
    wanted = {tuple(sorted(arcs)) for arcs in naive.extensions(len(pdag), directed, undirected)}
    dag = pdag.consistent_extension()
    if dag is None:
        assert not wanted
        assert native(pdag).consistent_extension() is None
    else:
        assert tuple(numbered(dag)[0]) in wanted
        assert native(pdag).consistent_extension() == native(dag)
        assert pdag.to_cpdag() == dag.to_cpdag()


@given(sparse_dags(max_nodes=12))
def test_all_or_the_first_members_are_distinct_and_equivalent(dag):
    cpdag = dag.to_cpdag()
    count = cpdag.count_members()
    members = list(islice(cpdag.members(), 300))
    assert len(members) == len(set(members)) == min(count, 300)
    assert all(member.to_cpdag() == cpdag for member in members)
    assert count > 300 or dag in members


@st.composite
def chordal_graphs(draw):
    """Draw a chordal graph on up to 9 nodes: each new node is joined to a part of a clique."""
    n_nodes = draw(st.integers(1, 9))
    cliques, edges = [[0]], []
    for v in range(1, n_nodes):
        chosen = draw(st.lists(st.sampled_from(draw(st.sampled_from(cliques))), unique=True))
        edges += [(u, v) for u in chosen]
        cliques.append([*chosen, v])
    return [f"v{i}" for i in range(n_nodes)], [(f"v{a}", f"v{b}") for a, b in edges]


@given(chordal_graphs())
@settings(max_examples=200)
def test_count_of_a_chordal_graph_equals_its_listing(graph):
    names, edges = graph
    cpdag = Cpdag(names, [], edges)
    assert cpdag.count_members() == sum(1 for _ in islice(cpdag.members(), 50_000)) or (
        cpdag.count_members() > 50_000
    )


@pytest.mark.parametrize("size", [1, 2, 5, 20])
def test_a_clique_has_one_member_per_order(size):
    names = [f"v{i:02}" for i in range(size)]
    assert Cpdag(names, [], combinations(names, 2)).count_members() == factorial(size)


def test_counts_of_large_trees_and_disjoint_parts():
    names = [f"v{i:03}" for i in range(300)]
    tree = [(names[i], names[(i - 1) // 2]) for i in range(1, 300)]
    assert Cpdag(names, [], tree).count_members() == 300
    pairs = list(zip(names[::2], names[1::2], strict=True))
    assert Cpdag(names, [], pairs).count_members() == 2**150


@pytest.mark.parametrize("name", networks.names())
def test_classes_of_the_gold_standard_networks(name):
    dag = networks.load(name).dag
    cpdag = dag.to_cpdag()
    count = cpdag.count_members()
    assert count >= 1000 or dag in set(cpdag.members())
    assert min(count, 1000) == len(set(islice(cpdag.members(), 1000)))
    assert cpdag.sample_member(0).to_cpdag() == cpdag
    assert native(dag).completed() == native(cpdag)


UNIFORM_CASES = {
    "path": [("a", "b"), ("b", "c"), ("c", "d")],
    "clique": list(combinations("abcd", 2)),
    "two triangles": [("a", "b"), ("a", "c"), ("b", "c"), ("b", "d"), ("c", "d")],
    "fan": [("e", x) for x in "abcd"] + [("a", "b"), ("b", "c"), ("c", "d")],
    "two parts": [("a", "b"), ("c", "d"), ("d", "e")],
}


@pytest.mark.parametrize("case", UNIFORM_CASES)
def test_sampled_members_are_uniform(case):
    edges = UNIFORM_CASES[case]
    cpdag = Cpdag(sorted({name for edge in edges for name in edge}), [], edges)
    members = list(cpdag.members())
    n_draws = 200 * len(members)
    seen = Counter(cpdag.sample_member(seed) for seed in range(n_draws))
    assert set(seen) <= set(members)
    chi_square = sum((seen[member] - 200) ** 2 / 200 for member in members)
    # The mean is k - 1 and the deviation sqrt(2 (k - 1)); five of these are far in the tail.
    free = len(members) - 1
    assert chi_square < free + 5 * (2 * free) ** 0.5


def test_sampling_is_reproducible():
    names = [f"v{i}" for i in range(8)]
    cpdag = Cpdag(names, [], combinations(names, 2))
    assert cpdag.sample_member(np.int64(3)) == Cpdag(
        names, [], combinations(names, 2)
    ).sample_member(3)
    assert len({cpdag.sample_member(seed) for seed in range(20)}) > 15


@given(dags(min_nodes=5, max_nodes=5), st.randoms(use_true_random=False))
def test_d_separation_on_five_nodes(dag, random):
    directed, _ = numbered(dag)
    names = sorted(dag.names)
    x, y, *rest = random.sample(range(5), 5)
    given_set = [v for v in rest if random.random() < 0.5]
    wanted = naive.is_d_separated(5, set(directed), x, y, given_set)
    assert dag.is_d_separated(names[x], names[y], [names[v] for v in given_set]) == wanted


@given(sparse_dags(min_nodes=3), st.randoms(use_true_random=False))
def test_d_separation_of_sets_agrees_with_networkx(dag, random):
    roles = {name: random.choice(["x", "y", "given", None, None]) for name in dag.names}
    x, y, z = ({name for name in dag.names if roles[name] == role} for role in ("x", "y", "given"))
    assert dag.is_d_separated(x, y, z) == nx.is_d_separator(dag.to_networkx(), x, y, z)


def test_a_thousand_nodes():
    rng = np.random.default_rng(0)
    names = [f"v{i:04}" for i in range(1000)]
    pairs = {tuple(sorted(pair)) for pair in rng.integers(0, 1000, (3000, 2)).tolist()}
    dag = Dag(names, [(names[a], names[b]) for a, b in pairs if a != b])
    cpdag = dag.to_cpdag()
    assert native(dag).completed() == native(cpdag)
    assert cpdag.count_members() >= 1
    assert cpdag.sample_member(1).to_cpdag() == cpdag
    assert next(cpdag.members()).to_cpdag() == cpdag
    assert Pdag(names, cpdag.directed, cpdag.undirected).is_completed
    assert list(dag.topological_order()) == names
