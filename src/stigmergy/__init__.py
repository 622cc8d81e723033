# SPDX-License-Identifier: MIT
"""Structure learning of Bayesian networks in the space of equivalence classes."""

from stigmergy.graph import Cpdag, Dag, Graph, Pdag

__version__ = "0.1.0"

__all__ = ["Cpdag", "Dag", "Graph", "Pdag", "__version__"]
