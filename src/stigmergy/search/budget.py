# SPDX-License-Identifier: MIT
"""When a search has to end, and how far it has come."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

from stigmergy.checks import is_integer, is_number
from stigmergy.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one run; whichever is reached first ends it, and the best so far is the result.

    Parameters
    ----------
    seconds
        Wall-clock limit, counted from `started`.
    iterations
        At most so many iterations, on top of the algorithm's own number.
    evaluations
        At most so many score evaluations (total); looked at between iterations, so that a run
        with this limit is repeatable.
    stagnation
        End after so many iterations without a better score.
    started
        The `time.monotonic()` from which `seconds` counts; the call of `run` if not given.
    """

    seconds: float | None = None
    iterations: int | None = None
    evaluations: int | None = None
    stagnation: int | None = None
    started: float | None = None

    def __post_init__(self) -> None:
        check_seconds("seconds", self.seconds)
        for name in ("iterations", "evaluations", "stagnation"):
            check_number(name, getattr(self, name))

    def begin(self) -> Budget:
        """Return this budget with its clock running."""
        if self.started is not None:
            return self
        return Budget(
            self.seconds, self.iterations, self.evaluations, self.stagnation, time.monotonic()
        )

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was started."""
        return time.monotonic() - self.started if self.started is not None else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the limit, never below zero; None without a limit."""
        return None if self.seconds is None else max(0.0, self.seconds - self.elapsed)


def check_seconds(name: str, value: object) -> None:
    """Refuse what is no limit in time."""
    if value is not None and not (is_number(value) and value >= 0):
        raise ParameterError(f"{name} must be a number >= 0 or None, got {value!r}")


def check_number(name: str, value: object) -> None:
    """Refuse what is no limit in number."""
    if value is not None and not (is_integer(value) and value >= 0):
        raise ParameterError(f"{name} must be an integer >= 0 or None, got {value!r}")


class TraceRow(NamedTuple):
    """The state of a run after one iteration."""

    iteration: int
    seconds: float
    evaluations: int
    distinct_evaluations: int
    best_score: float
    shd: int | None = None
