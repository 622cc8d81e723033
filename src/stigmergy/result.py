# SPDX-License-Identifier: MIT
"""What a search leaves behind."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from stigmergy.graph import Cpdag, Dag

if TYPE_CHECKING:
    from stigmergy.search.budget import TraceRow


def versions() -> dict[str, str]:
    """Return the versions that a result depends on."""
    from stigmergy import __version__

    return {
        "stigmergy": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


@dataclass(frozen=True, slots=True)
class Result:
    """The graph found, how good it is, and everything needed to find it again."""

    cpdag: Cpdag
    dag: Dag
    score: float
    algorithm: str
    settings: dict[str, Any]
    scorer_settings: dict[str, Any]
    seed: int
    seconds: float
    evaluations: int
    distinct_evaluations: int
    stop: str
    trace: tuple[TraceRow, ...]
    families: tuple[Any, ...]
    data_fingerprint: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=versions)
