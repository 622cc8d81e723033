# SPDX-License-Identifier: MIT
"""The course of a run, for people: one line that is kept up to date."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Literal

from stigmergy.errors import ParameterError

if TYPE_CHECKING:
    from types import TracebackType

    from stigmergy.search.base import Run

# Shorter runs need no progress; more frequent changes cannot be read.
FIRST_AFTER = 1.0
REFRESH = 0.1


def in_notebook() -> bool:
    """Tell whether cells of a notebook are being executed."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


def wants_progress(progress: bool | Literal["auto"]) -> bool:
    """Return what `progress` means here: "auto" is yes in a terminal and in a notebook."""
    if isinstance(progress, bool):
        return progress
    if progress != "auto":
        raise ParameterError(f"progress must be True, False or 'auto', got {progress!r}")
    return in_notebook() or sys.stderr.isatty()


def status(run: Run) -> str:
    """Say where a run is: best score, iteration, rate, time left, evaluations, stagnation."""
    elapsed = run.seconds  # those before a resumption included, as in the iterations
    limit = run.iteration_limit
    parts = [
        run.algorithm.name,
        f"score {run.best_score:,.2f}",
        f"iteration {run.iteration:,}" + (f"/{limit:,}" if limit is not None else ""),
        f"{run.iteration / elapsed:,.1f}/s" if elapsed > 0 else "",
        _time_left(run, elapsed) or clock(elapsed),
        f"{compact(run.evaluations)} evaluations",
        f"{run.iteration - run.last_improvement:,} without gain",
    ]
    return " · ".join(part for part in parts if part)


def _time_left(run: Run, elapsed: float) -> str | None:
    """Say when the time limit comes, or the last iteration at the present rate if it is sooner."""
    left = run.budget.seconds_left
    if run.iteration_limit is not None and run.iteration > 0:
        rest = (run.iteration_limit - run.iteration) * elapsed / run.iteration
        left = rest if left is None else min(left, rest)
    return None if left is None else f"{clock(left)} left"


def compact(number: int) -> str:
    """Return a count in few characters: 950, 12.3k, 4.5M."""
    for unit, name in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= unit:
            return f"{number / unit:.1f}{name}"
    return str(number)


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds, with hours where there are any."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class Progress:
    """Shows the status of a run on standard error, or under the cell of a notebook.

    Parameters
    ----------
    name : str
        What is at work.
    enabled : bool
        Whether to show anything.
    """

    def __init__(self, name: str, *, enabled: bool) -> None:
        self._name = name
        self._enabled = enabled
        self._begun = time.monotonic()
        self._last = 0.0
        self._line: Any = None
        self._notebook = enabled and in_notebook()
        self._lock = threading.Lock()
        # An iteration can be long, and some searches have but one: that the work goes on is shown
        # before the first one ends.
        self._timer = threading.Timer(FIRST_AFTER, self._show_that_it_runs)
        self._timer.daemon = True

    def __enter__(self) -> Progress:
        if self._enabled:
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        with self._lock:
            self._enabled = False
            if self._line is None:
                return
            if self._notebook:
                self._show_in_notebook("")  # the result itself comes next
            else:
                self._line.stop()

    def update(self, run: Run) -> None:
        """Show the present status, unless the last one is fresh."""
        now = time.monotonic()
        if not self._enabled or now - self._begun < FIRST_AFTER or now - self._last < REFRESH:
            return
        self._last = now
        self._show(status(run))

    def _show_that_it_runs(self) -> None:
        if self._line is None:
            self._show(f"{self._name} · in the first iteration")

    def _show(self, text: str) -> None:
        with self._lock:
            if not self._enabled:
                return  # the run has ended in the meantime
            if self._notebook:
                self._show_in_notebook(text)
            else:
                self._show_in_terminal(text)

    def _show_in_terminal(self, text: str) -> None:
        from rich.text import Text

        if self._line is None:
            from rich.console import Console
            from rich.status import Status

            self._line = Status("", console=Console(stderr=True), spinner="dots")
            self._line.start()
        line = Text(text)
        # A line that wrapped would jump about; what matters least is last. The spinner takes two.
        line.truncate(self._line.console.width - 3, overflow="ellipsis")
        self._line.update(line)

    def _show_in_notebook(self, text: str) -> None:
        from html import escape

        from IPython.display import HTML, display

        shown = HTML(f"<pre>{escape(text)}</pre>")
        if self._line is None:
            self._line = display(shown, display_id=True)
        else:
            self._line.update(shown)
