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

__version__ = "0.1.0"

__all__ = [
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
]
