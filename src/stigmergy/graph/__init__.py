# SPDX-License-Identifier: MIT
"""Graphs over named nodes: DAGs, PDAGs, and CPDAGs, which stand for equivalence classes of DAGs."""

from stigmergy.graph._base import Graph
from stigmergy.graph._types import Cpdag, Dag, Pdag

__all__ = ["Cpdag", "Dag", "Graph", "Pdag"]
