# SPDX-License-Identifier: MIT
"""Scorers whose tests of independence know the truth; every family scores 0."""

from stigmergy import DSeparationOracle, Scorer


def scorer_of(independence, knowledge=None, max_parents=None):
    return Scorer.from_function(
        independence.names,
        lambda child, parents: 0.0,
        independence=independence,
        knowledge=knowledge,
        max_parents=max_parents,
    )


def oracle_scorer(dag, latent=(), selected=(), **options):
    return scorer_of(DSeparationOracle(dag, latent, selected), **options)
