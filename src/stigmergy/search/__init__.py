# SPDX-License-Identifier: MIT
"""One algorithm per file; `base` is what they share."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stigmergy.search.aco_b import AcoB
    from stigmergy.search.aco_e import AcoE
    from stigmergy.search.aco_k2sn import AcoK2SN
    from stigmergy.search.annealing import Annealing
    from stigmergy.search.base import Run, Search
    from stigmergy.search.budget import Budget, TraceRow
    from stigmergy.search.epq import EPQ
    from stigmergy.search.exact import Exact
    from stigmergy.search.fci import FCI
    from stigmergy.search.ges import GES
    from stigmergy.search.ges_operators import GesOperator
    from stigmergy.search.greedy_e import GreedyE
    from stigmergy.search.hc import HillClimbing
    from stigmergy.search.hcsn import HCSN
    from stigmergy.search.ils import ILS
    from stigmergy.search.iterated_hill_climbing import IteratedHillClimbing
    from stigmergy.search.k2 import K2Search
    from stigmergy.search.k2sn import K2SN
    from stigmergy.search.kes import KES
    from stigmergy.search.mmhc import MMHC
    from stigmergy.search.mmpc import MMPC
    from stigmergy.search.operators import Operator, OperatorMove
    from stigmergy.search.optimal_reinsertion import OptimalReinsertion
    from stigmergy.search.pbil import PBIL
    from stigmergy.search.pc import PC
    from stigmergy.search.rpdag_tabu import RpdagTabu
    from stigmergy.search.sc import SparseCandidate
    from stigmergy.search.tabu import Tabu
    from stigmergy.search.tpda import TPDA
    from stigmergy.search.umda import UMDA

__all__ = [
    "EPQ",
    "FCI",
    "GES",
    "HCSN",
    "ILS",
    "K2SN",
    "KES",
    "MMHC",
    "MMPC",
    "PBIL",
    "PC",
    "TPDA",
    "UMDA",
    "AcoB",
    "AcoE",
    "AcoK2SN",
    "Annealing",
    "Budget",
    "Exact",
    "GesOperator",
    "GreedyE",
    "HillClimbing",
    "IteratedHillClimbing",
    "K2Search",
    "Operator",
    "OperatorMove",
    "OptimalReinsertion",
    "RpdagTabu",
    "Run",
    "Search",
    "SparseCandidate",
    "Tabu",
    "TraceRow",
]

# Where each public name lives; they are imported when first used.
_HOMES = {
    "AcoB": "aco_b",
    "AcoE": "aco_e",
    "AcoK2SN": "aco_k2sn",
    "Annealing": "annealing",
    "Budget": "budget",
    "EPQ": "epq",
    "Exact": "exact",
    "FCI": "fci",
    "GES": "ges",
    "GesOperator": "ges_operators",
    "GreedyE": "greedy_e",
    "HCSN": "hcsn",
    "HillClimbing": "hc",
    "ILS": "ils",
    "IteratedHillClimbing": "iterated_hill_climbing",
    "K2SN": "k2sn",
    "K2Search": "k2",
    "KES": "kes",
    "MMHC": "mmhc",
    "MMPC": "mmpc",
    "Operator": "operators",
    "OperatorMove": "operators",
    "OptimalReinsertion": "optimal_reinsertion",
    "PBIL": "pbil",
    "PC": "pc",
    "RpdagTabu": "rpdag_tabu",
    "Run": "base",
    "Search": "base",
    "SparseCandidate": "sc",
    "TPDA": "tpda",
    "Tabu": "tabu",
    "TraceRow": "budget",
    "UMDA": "umda",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
