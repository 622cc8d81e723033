# SPDX-License-Identifier: MIT
"""A run on disk: enough to go on after a crash as if nothing had happened."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import tempfile
import time
import warnings
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stigmergy import _core
from stigmergy.errors import OutputError, ParameterError
from stigmergy.search.budget import TraceRow

if TYPE_CHECKING:
    from stigmergy.search.base import Run

FORMAT = "stigmergy checkpoint"
VERSION = 1
_FAMILIES = ("children", "parents", "offsets", "scores")


class CheckpointWriter:
    """Writes the state of a run at first and every so many seconds; a file is whole or not there.

    What is kept: the state of the search, the best graph, trace, clock and counters, and the
    families scored so far, so that a resumed run also counts its evaluations as an undisturbed one.
    """

    def __init__(self, path: str | os.PathLike[str], every: float) -> None:
        if not every >= 0:
            raise ParameterError(f"every must be a number of seconds >= 0, got {every!r}")
        self.path = Path(path)
        if self.path.is_dir():
            raise OutputError(
                f"checkpoint {str(self.path)!r} cannot be written: it is a folder; name a file "
                "in it"
            )
        folder = self.path.parent
        if not folder.is_dir():
            raise OutputError(
                f"checkpoint {str(self.path)!r} cannot be written: there is no folder "
                f"{str(folder)!r}"
            )
        try:
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            raise OutputError(
                f"checkpoint {str(self.path)!r} cannot be written: {error.strerror} in the folder "
                f"{str(folder)!r}"
            ) from error
        self.every = every
        self._last = -math.inf  # so that there soon is something to go on from

    @property
    def is_due(self) -> bool:
        """Tell whether the time since the last writing has passed."""
        return time.monotonic() - self._last >= self.every

    def write(self, run: Run, state: dict[str, Any]) -> None:
        """Write the state of the run and of its search.

        When that fails, it is told in a warning, and the run goes on: hours of search are worth
        more than a file.
        """
        content = {"format": FORMAT, "version": VERSION, **_identity(run), **_progress(run)}
        text = json.dumps({**content, "search": state}).encode()
        buffer = io.BytesIO()
        arrays: dict[str, Any] = {"state": np.frombuffer(text, dtype=np.uint8)}
        arrays.update(zip(_FAMILIES, run.scorer.core.export_families(), strict=True))
        np.savez(buffer, allow_pickle=False, **arrays)
        beside = self.path.with_name(self.path.name + ".part")
        try:
            with open(beside, "wb") as file:
                file.write(buffer.getbuffer())
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
            warnings.warn(
                f"checkpoint {str(self.path)!r} cannot be written: {error.strerror or error}; the "
                "search goes on",
                stacklevel=2,
            )
        self._last = time.monotonic()


def restore(run: Run, path: str | os.PathLike[str]) -> dict[str, Any]:
    """Put a run where the checkpoint was written; return the state of its search.

    Raises
    ------
    ParameterError
        When the file is not a checkpoint, or of a run with other data, score, settings or seed.
    """
    try:
        with zipfile.ZipFile(path):  # what else NumPy reads has no state
            pass
        with np.load(path, allow_pickle=False) as file:
            content = dict(json.loads(file["state"].tobytes()))
            families = [file[name] for name in _FAMILIES]
    except (OSError, EOFError, ValueError, TypeError, KeyError, zipfile.BadZipFile) as error:
        why = getattr(error, "strerror", None) or "it has another format"
        raise ParameterError(
            f"resume {os.fspath(path)!r} is not a checkpoint that can be read: {why}"
        ) from error
    if content.get("format") != FORMAT or content.get("version") != VERSION:
        raise ParameterError(
            f"resume {os.fspath(path)!r} must be a {FORMAT} of version {VERSION}, got "
            f"{content.get('format')!r} of version {content.get('version')!r}"
        )
    now = json.loads(json.dumps(_identity(run)))
    if differ := _differences({name: content[name] for name in now}, now):
        raise ParameterError(
            f"resume {os.fspath(path)!r} was written by another run: {'; '.join(differ)}. "
            "Give the same data, score, settings and seed"
        )
    run.scorer.core.import_families(*families)
    run.iteration = content["iteration"]
    run.last_improvement = content["last_improvement"]
    run.seconds_before = content["seconds"]
    run.evaluations_before = (
        run.scorer.evaluations - content["evaluations"],
        run.scorer.distinct_evaluations - content["distinct_evaluations"],
    )
    run.trace = [TraceRow(*row) for row in content["trace"]]
    run.best = graph_from(content["best"], run.scorer.n_nodes)
    run.best_score = content["best_score"]
    search: dict[str, Any] = content["search"]
    return search


def _differences(was: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Say in a few words each what is not as it was; of other columns, only that."""
    if was.get("names") != now.get("names"):
        columns = sorted({*was["names"]} ^ {*now["names"]})
        more = ", ..." if len(columns) > 5 else ""
        return [f"other columns: {', '.join(map(repr, columns[:5]))}{more}"]
    if was.get("name") != now.get("name"):  # of a score or prior; all that follows is its own
        return [f"name was {was.get('name')!r}, is {now.get('name')!r}"]
    found = []
    for name, after in now.items():
        before = was.get(name)
        if before == after:
            continue
        if name in ("data", "start"):
            found.append("other values in the data" if name == "data" else "another start")
        elif isinstance(before, dict) and isinstance(after, dict):
            found += _differences(before, dict.fromkeys(before) | after)
        else:
            found.append(f"{name} was {before!r}, is {after!r}")
    return found


def _identity(run: Run) -> dict[str, Any]:
    """Gather what must be the same for a run to go on."""
    settings = {name: _as_text(value) for name, value in run.algorithm.settings.items()}
    return {
        "algorithm": run.algorithm.name,
        "settings": settings,
        "scorer": run.scorer.settings,
        "names": list(run.scorer.names),
        "data": run.scorer.data_fingerprint,
        "seed": run.seed,
        "start": graph_edges(run.start),
    }


def _progress(run: Run) -> dict[str, Any]:
    assert run.best is not None
    return {
        "iteration": run.iteration,
        "last_improvement": run.last_improvement,
        "seconds": run.seconds,
        "evaluations": run.evaluations,
        "distinct_evaluations": run.distinct_evaluations,
        "trace": [list(row) for row in run.trace],
        "best": graph_edges(run.best),
        "best_score": run.best_score,
    }


def _as_text(value: Any) -> Any:
    plain = value is None or isinstance(value, bool | int | float | str)
    return value if plain else str(tuple(value) if isinstance(value, list) else value)


def graph_edges(graph: _core.Pdag) -> dict[str, Any]:
    """Write a graph of node numbers as plain lists."""
    return {"directed": graph.directed_edges(), "undirected": graph.undirected_edges()}


def graph_from(edges: dict[str, Any], n_nodes: int) -> _core.Pdag:
    """Read what `graph_edges` has written."""
    directed = [(x, y) for x, y in edges["directed"]]
    undirected = [(x, y) for x, y in edges["undirected"]]
    return _core.Pdag(n_nodes, directed, undirected)
