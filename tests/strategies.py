# SPDX-License-Identifier: MIT
"""Hypothesis strategies that several test modules share."""

from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from stigmergy import BayesianNetwork, Dag, Pdag


def names(min_size=0, max_size=8):
    """Draw distinct node names, awkward ones included, in any order."""
    plain = st.sampled_from("abcdefghijklmnopqrstuvwxyz")
    printable = st.characters(codec="utf-8", exclude_categories=["C"])
    awkward = st.text(printable, min_size=1, max_size=6).filter(str.strip)
    return st.lists(plain | awkward, unique=True, min_size=min_size, max_size=max_size)


@st.composite
def dags(draw, min_nodes=0, max_nodes=8, labels=None):
    """Draw a DAG: a node order, then a subset of its forward arcs."""
    order = draw(names(min_nodes, max_nodes)) if labels is None else list(labels)
    shuffled = draw(st.permutations(order))
    forward = list(combinations(shuffled, 2))
    arcs = draw(st.lists(st.sampled_from(forward), unique=True)) if forward else []
    return Dag(order, arcs)


@st.composite
def sparse_dags(draw, min_nodes=2, max_nodes=30, max_parents=3):
    """Draw a larger DAG whose nodes have few parents."""
    n_nodes = draw(st.integers(min_nodes, max_nodes))
    order = draw(st.permutations([f"v{i:02}" for i in range(n_nodes)]))
    arcs = []
    for i, child in enumerate(order):
        if i:
            few = st.lists(st.sampled_from(order[:i]), unique=True, max_size=max_parents)
            arcs += [(parent, child) for parent in draw(few)]
    return Dag(sorted(order), arcs)


@st.composite
def pdags(draw, min_nodes=0, max_nodes=8):
    """Draw a PDAG: a DAG, some of whose arcs lose their direction."""
    dag = draw(dags(min_nodes, max_nodes))
    kept = draw(st.sets(st.sampled_from(dag.arcs))) if dag.arcs else set()
    return Pdag(dag.names, kept, set(dag.arcs) - kept)


@st.composite
def bayesian_networks(draw, min_nodes=0, max_nodes=6, max_arity=4, level_names=None, zeros=True):
    """Draw a network: a DAG, awkward levels, parents in any order, tables with zeros in them."""
    dag = draw(dags(min_nodes, max_nodes))
    if level_names is None:
        level_names = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=5)
    level_lists = st.lists(level_names, unique=True, min_size=1, max_size=max_arity)
    levels = {name: draw(level_lists) for name in dag.names}
    parents = {name: draw(st.permutations(dag.parents(name))) for name in dag.names}
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tables = {}
    for name in dag.names:
        shape = [len(levels[member]) for member in (*parents[name], name)]
        weights = rng.exponential(size=shape) ** draw(st.sampled_from([0.5, 1, 5]))
        if zeros:
            weights[rng.random(shape) < 0.2] = 0
            weights[..., -1] += weights.sum(axis=-1) == 0
        tables[name] = weights / weights.sum(axis=-1, keepdims=True)
    return BayesianNetwork(dag, levels, tables, parents=parents)
