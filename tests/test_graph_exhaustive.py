# SPDX-License-Identifier: MIT
"""Graph algorithms against the naive twins on all graphs of a few nodes."""

from functools import cache
from itertools import combinations

import pytest

from oracles import graphs as naive
from stigmergy import Cpdag, Dag, Pdag

LABELS = "abcde"
N_DAGS = {0: 1, 1: 1, 2: 3, 3: 25, 4: 543, 5: 29281}
N_CLASSES = {0: 1, 1: 1, 2: 2, 3: 11, 4: 185, 5: 8782}


def label(edges):
    return [tuple(LABELS[v] for v in edge) for edge in edges]


def dag_of(n, arcs):
    return Dag(list(reversed(LABELS[:n])), label(arcs))


@cache
def classes(n):
    return naive.classes(naive.all_dags(n))


@pytest.mark.parametrize("n", N_DAGS)
def test_oracle_lists_all_dags_and_classes(n):
    assert sum(map(len, classes(n))) == N_DAGS[n]
    assert len(classes(n)) == N_CLASSES[n]


@pytest.mark.parametrize("n", N_DAGS)
def test_each_dag_becomes_the_cpdag_of_its_class(n):
    nodes = list(LABELS[:n])
    for members in classes(n):
        directed, undirected = naive.cpdag_of_class(members)
        cpdag = Cpdag(nodes, label(directed), label(undirected))
        for arcs in members:
            assert dag_of(n, arcs).to_cpdag() == cpdag


@pytest.mark.parametrize("n", N_DAGS)
def test_members_are_the_class(n):
    for members in classes(n):
        wanted = {dag_of(n, arcs) for arcs in members}
        cpdag = next(iter(wanted)).to_cpdag()
        listed = list(cpdag.members())
        assert cpdag.count_members() == len(listed) == len(wanted)
        assert set(listed) == wanted
        assert cpdag.to_dag() in wanted
        assert cpdag.sample_member(seed=n) in wanted
        undirected = cpdag.undirected
        choices = [[(a, b) not in dag.arcs for a, b in undirected] for dag in listed]
        assert choices == sorted(choices)


@pytest.mark.parametrize("n", range(5))
def test_consistent_extension_and_completeness_on_all_pdags(n):
    nodes = list(LABELS[:n])
    complete = {naive.cpdag_of_class(members) for members in classes(n)}
    for directed, undirected in naive.all_pdags(n):
        pdag = Pdag(nodes, label(directed), label(undirected))
        wanted = {dag_of(n, arcs) for arcs in naive.extensions(n, directed, undirected)}
        dag = pdag.consistent_extension()
        assert (dag in wanted) if wanted else (dag is None)
        assert pdag.is_completed == ((directed, undirected) in complete)


@pytest.mark.parametrize("n", range(5))
def test_d_separation_of_all_pairs_given_all_sets(n):
    for arcs in naive.all_dags(n):
        dag = dag_of(n, arcs)
        for x, y in combinations(range(n), 2):
            rest = [v for v in range(n) if v not in (x, y)]
            for size in range(len(rest) + 1):
                for given in combinations(rest, size):
                    wanted = naive.is_d_separated(n, arcs, x, y, given)
                    assert naive.is_d_separated_moral(n, arcs, x, y, given) == wanted
                    names = [LABELS[v] for v in given]
                    assert dag.is_d_separated(LABELS[x], LABELS[y], names) == wanted
