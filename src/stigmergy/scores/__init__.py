# SPDX-License-Identifier: MIT
"""Scores of Bayesian network structures, one per file."""

from stigmergy.scores.aic import AIC
from stigmergy.scores.bd import BD
from stigmergy.scores.bdeu import BDeu
from stigmergy.scores.bic import BIC
from stigmergy.scores.k2 import K2
from stigmergy.scores.log_likelihood import LogLikelihood
from stigmergy.scores.protocol import CountScore, NativeScore

__all__ = ["AIC", "BD", "BIC", "K2", "BDeu", "CountScore", "LogLikelihood", "NativeScore"]
