# SPDX-License-Identifier: MIT
"""What the estimation-of-distribution searches share: the model of arcs and its samples."""

from __future__ import annotations

from stigmergy import _core
from stigmergy.search.base import Run


def arc_model(run: Run, parents_at_first: float) -> _core.ArcModel:
    """Return a model in which each arc is equally likely."""
    n = run.scorer.n_nodes
    others = max(n - 1, 1)
    margin = min(0.5, 1 / (max(n, 1) * others))
    initial = min(parents_at_first / others, 0.5)
    return _core.ArcModel(run.scorer.core, run.scorer.rules, initial, margin)


def sample(
    run: Run, model: _core.ArcModel, start: _core.Pdag, size: int, generation: int
) -> list[tuple[_core.Pdag, float]]:
    """Draw individuals, repair them to DAGs that contain the start, and score them; best first."""
    scorer = run.scorer
    return model.sample(start, size, run.seed, generation, scorer.core, scorer.n_threads, run.stop)
