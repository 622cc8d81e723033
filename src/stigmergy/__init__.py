# SPDX-License-Identifier: MIT
"""Structure learning of Bayesian networks in the space of equivalence classes."""

from stigmergy import networks
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
from stigmergy.network import BayesianNetwork

__version__ = "0.1.0"

__all__ = [
    "BayesianNetwork",
    "Cpdag",
    "Dag",
    "DataError",
    "DataWarning",
    "Dataset",
    "Graph",
    "KnowledgeError",
    "NetworkError",
    "OutputError",
    "ParameterError",
    "Pdag",
    "StigmergyError",
    "StructureError",
    "__version__",
    "networks",
]
