# SPDX-License-Identifier: MIT
"""What the searches over DAGs share: where they start and how their parameters are checked."""

from __future__ import annotations

from stigmergy import _core
from stigmergy.checks import is_integer, is_number
from stigmergy.errors import ParameterError
from stigmergy.search.base import Run


def start_dag(run: Run) -> _core.Pdag:
    """Return the DAG that a search over DAGs starts from.

    It is the member of the start's class that obeys the knowledge, found by the algorithm of Dor &
    Tarsi (1992), which takes the first node by name wherever it may choose.
    """
    dag = _core.obeying_member(run.start, run.scorer.rules)
    assert dag is not None  # `Run` has checked it
    limit = run.scorer.core.max_parents
    parents = [0] * run.scorer.n_nodes
    for _, child in dag.directed_edges():
        parents[child] += 1
    for name, number in zip(run.scorer.names, parents, strict=True):
        if number > limit:
            raise ParameterError(
                f"start must not have more than max_parents={limit} parents at a node, but "
                f"{name!r} has {number}. Raise max_parents of the scorer, or change start or the "
                "required edges"
            )
    return dag


def arc_moves(run: Run, dag: _core.Pdag) -> _core.ArcMoves:
    """Return `dag` with the gains of all its legal moves."""
    scorer = run.scorer
    return _core.ArcMoves(scorer.core, scorer.rules, dag, run.stop, n_threads=scorer.n_threads)


def local_maximum(run: Run, dag: _core.Pdag) -> tuple[_core.Pdag, float]:
    """Climb from `dag` to a local maximum; the DAG there and its score."""
    scorer = run.scorer
    best, score, _ = _core.hill_climb(
        scorer.core, scorer.rules, dag, run.stop, n_threads=scorer.n_threads
    )
    return best, score


def random_walk(run: Run, dag: _core.Pdag, steps: int, stream: int) -> _core.Pdag:
    """Make so many random legal moves, drawn from a stream of the run's seed."""
    scorer = run.scorer
    return _core.random_walk(scorer.core, scorer.rules, dag, steps, run.seed, stream)


def check_count(name: str, value: object, least: int = 0, *, or_none: bool = False) -> None:
    """Refuse what is not an integer of at least `least` (or None, where that is allowed)."""
    if value is None and or_none:
        return
    if not is_integer(value) or value < least:
        none = " or None" if or_none else ""
        raise ParameterError(f"{name} must be an integer >= {least}{none}, got {value!r}")


def check_number(name: str, value: object, low: float, high: float, *, above: bool = False) -> None:
    """Refuse what is not a number from `low` (or above it) to `high`."""
    if not is_number(value) or not low <= value <= high or (above and value == low):
        bracket = "(" if above else "["
        raise ParameterError(
            f"{name} must be a number in {bracket}{low:g}, {high:g}], got {value!r}"
        )


def check_has_end(run: Run, name: str, value: int | None) -> None:
    """Refuse to run for ever: None leaves the end to the budget, which then must have a limit."""
    budget = run.budget
    limits = (budget.seconds, budget.iterations, budget.evaluations, budget.stagnation)
    if value is None and all(limit is None for limit in limits):
        raise ParameterError(
            f"{name}=None goes on until a limit is reached, but there is none. Give a number, or "
            "a limit in time, iterations, evaluations or stagnation"
        )
