# SPDX-License-Identifier: MIT
"""Naive twins: a network as plain dictionaries, everything by going through all joint states.

A network is (levels, parents, tables): levels[name] a list, parents[name] a tuple of names,
tables[name] a dict from a tuple of parent levels to a list of probabilities.
"""

import itertools
import math


def plain(network):
    """Return a network as dictionaries."""
    levels = {name: list(network.levels_of(name)) for name in network.names}
    parents = {name: network.parents(name) for name in network.names}
    tables = {}
    for name in network.names:
        rows = network.table(name).reshape(-1, len(levels[name])).tolist()
        states = itertools.product(*(levels[parent] for parent in parents[name]))
        tables[name] = dict(zip(states, rows, strict=True))
    return levels, parents, tables


def joint(network):
    """Yield each state of all variables, as a dict, and its probability."""
    levels, parents, tables = network
    names = list(levels)
    for values in itertools.product(*(levels[name] for name in names)):
        state = dict(zip(names, values, strict=True))
        weight = 1.0
        for name in names:
            row = tables[name][tuple(state[parent] for parent in parents[name])]
            weight *= row[levels[name].index(state[name])] / math.fsum(row)
        yield state, weight


def probability(network, evidence):
    return math.fsum(
        weight
        for state, weight in joint(network)
        if all(state[name] == value for name, value in evidence.items())
    )


def posterior(network, evidence):
    """Return for each variable the list of the probabilities of its levels."""
    levels = network[0]
    sums = {name: [[] for _ in levels[name]] for name in levels}
    for state, weight in joint(network):
        if all(state[name] == value for name, value in evidence.items()):
            for name in levels:
                sums[name][levels[name].index(state[name])].append(weight)
    total = probability(network, evidence)
    return {name: [math.fsum(terms) / total for terms in sums[name]] for name in levels}


def log_likelihood(network, rows, weights):
    """Rows are dicts; -inf when one is impossible."""
    levels, parents, tables = network
    terms = []
    for row, weight in zip(rows, weights, strict=True):
        for name in levels:
            entries = tables[name][tuple(row[parent] for parent in parents[name])]
            chance = entries[levels[name].index(row[name])] / math.fsum(entries)
            if weight:
                terms.append(weight * (math.log(chance) if chance > 0 else -math.inf))
    return math.fsum(terms)


def fit(levels, parents, rows, weights, ess):
    """Return the tables: with ess the posterior mean under BDeu's prior, with None frequencies."""
    tables = {}
    for name in levels:
        configurations = list(itertools.product(*(levels[parent] for parent in parents[name])))
        r, q = len(levels[name]), len(configurations)
        tables[name] = {}
        for configuration in configurations:
            counts = [0.0] * r
            for row, weight in zip(rows, weights, strict=True):
                if tuple(row[parent] for parent in parents[name]) == configuration:
                    counts[levels[name].index(row[name])] += weight
            if ess is not None:
                entries = [(n + ess / (r * q)) / (sum(counts) + ess / q) for n in counts]
            elif sum(counts) > 0:
                entries = [n / sum(counts) for n in counts]
            else:
                entries = [1 / r] * r
            tables[name][configuration] = entries
    return tables
