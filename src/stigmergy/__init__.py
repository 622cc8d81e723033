# SPDX-License-Identifier: MIT
"""Structure learning of Bayesian networks in the space of equivalence classes."""

from stigmergy.dataset import Dataset
from stigmergy.errors import (
    DataError,
    DataWarning,
    KnowledgeError,
    NetworkError,
    OutputError,
    ParameterError,
    StigmergyError,
    StructureError,
)
from stigmergy.graph import Cpdag, Dag, Graph, Pdag
from stigmergy.prior import KappaPrior, UniformPrior
from stigmergy.scorer import Scorer
from stigmergy.scores import AIC, BD, BIC, K2, BDeu, LogLikelihood

__version__ = "0.1.0"

__all__ = [
    "AIC",
    "BD",
    "BIC",
    "K2",
    "BDeu",
    "Cpdag",
    "Dag",
    "DataError",
    "DataWarning",
    "Dataset",
    "Graph",
    "KappaPrior",
    "KnowledgeError",
    "LogLikelihood",
    "NetworkError",
    "OutputError",
    "ParameterError",
    "Pdag",
    "Scorer",
    "StigmergyError",
    "StructureError",
    "UniformPrior",
    "__version__",
]
