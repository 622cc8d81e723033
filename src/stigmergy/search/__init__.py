# SPDX-License-Identifier: MIT
"""One algorithm per file; `base` is what they share."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stigmergy.search.aco_e import AcoE
    from stigmergy.search.base import Run, Search
    from stigmergy.search.budget import Budget, TraceRow
    from stigmergy.search.greedy_e import GreedyE
    from stigmergy.search.mmhc import MMHC
    from stigmergy.search.mmpc import MMPC
    from stigmergy.search.pc import PC

__all__ = ["MMHC", "MMPC", "PC", "AcoE", "Budget", "GreedyE", "Run", "Search", "TraceRow"]

# Where each public name lives; they are imported when first used.
_HOMES = {
    "AcoE": "aco_e",
    "Budget": "budget",
    "GreedyE": "greedy_e",
    "MMHC": "mmhc",
    "MMPC": "mmpc",
    "PC": "pc",
    "Run": "base",
    "Search": "base",
    "TraceRow": "budget",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
