# SPDX-License-Identifier: MIT
"""What all searches share: how they are called, when they stop, what they leave behind.

A search is a frozen dataclass whose fields are the parameters of its paper and whose method
`search(run)` is the paper's loop. `run` owns the rest: clock, budget, trace, observer, the best
graph so far, interruption. So a new algorithm is its loop and nothing else::

    @dataclass(frozen=True)
    class RandomRestarts(Search):
        name: ClassVar[str] = "random-restarts"
        restarts: int = 10

        def search(self, run: Run) -> None:
            for _ in run.iterations(self.restarts):
                run.propose(some_cpdag, its_score)
"""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from stigmergy import _core
from stigmergy.checks import other_names
from stigmergy.errors import ParameterError, ScoreError
from stigmergy.graph import Cpdag, Dag, Pdag
from stigmergy.metrics import shd
from stigmergy.result import Result, Trace
from stigmergy.scorer import Scorer
from stigmergy.search.budget import Budget, TraceRow
from stigmergy.search.checkpoint import CheckpointWriter, restore

Observer = Callable[["Run"], object]

# Two scores are compared in one place: a difference below this is rounding, not improvement.
SCORE_TOLERANCE = 1e-6


def improves(score: float, best: float) -> bool:
    """Tell whether `score` is better than `best` by more than rounding."""
    return score > best + SCORE_TOLERANCE


@dataclass(frozen=True)
class Search(ABC):
    """One algorithm with its parameters."""

    name: ClassVar[str]
    #: Searches over classes need scores that are equal for all members of a class.
    needs_score_equivalence: ClassVar[bool] = False
    #: Searches by tests of independence do not look for a good score.
    uses_score: ClassVar[bool] = True
    #: Whether `search` leaves its state in `run.state` and takes it up from `run.restored`.
    can_be_resumed: ClassVar[bool] = False

    @abstractmethod
    def search(self, run: Run) -> None:
        """Run the algorithm's loop: propose graphs to `run` until done or told to stop."""

    def run(
        self,
        scorer: Scorer,
        *,
        seed: int = 0,
        budget: Budget | None = None,
        start: Dag | Pdag | None = None,
        observer: Observer | None = None,
        truth: Dag | Pdag | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        every: float = 60.0,
        resume: str | os.PathLike[str] | None = None,
    ) -> Result:
        """Search for the graph with the best score.

        Parameters
        ----------
        scorer
            The data, score, limits and knowledge.
        seed
            Fixes every random choice; the same at any thread count.
        budget
            Limits in time, iterations, evaluations, stagnation. No limit by default: the
            algorithm ends by its own rule.
        start
            A graph to begin from; the empty graph (with the required edges) if not given.
        observer
            Called with the `Run` after every iteration.
        truth
            A true network; its distance (SHD) is then part of the trace.
        checkpoint
            A file that keeps the state of the run, written after the first iteration, every `every`
            seconds, and after the last iteration unless it was cut short; it is always whole.
        resume
            A checkpoint to go on from. The result is that of a run that was never disturbed.
        """
        if (checkpoint is not None or resume is not None) and not self.can_be_resumed:
            raise ParameterError(f"{self.name} keeps no checkpoints; aco-e does")
        if self.needs_score_equivalence and not scorer.score_equivalent:
            raise ScoreError(
                f"{self.name} searches over equivalence classes and needs a score that is equal "
                f"for all DAGs of a class; {_unequal_part(scorer)} is not. Use BDeu, BIC or AIC, "
                f"or a search over DAGs: {', '.join(_searches_over_dags())}"
            )
        search = self._with_plain_numbers()
        run = Run(search, scorer, seed, (budget or Budget()).begin(), start, observer, truth)
        try:
            if checkpoint is not None:
                run.writer = CheckpointWriter(checkpoint, every)
            if resume is not None:
                run.restored = restore(run, resume)
            search.search(run)
        except KeyboardInterrupt:
            run.stop_reason = "interrupted"
        try:
            return run.result()
        except KeyboardInterrupt:  # while the result was gathered, which takes a moment
            run.stop_reason = "interrupted"
            return run.result()

    def _with_plain_numbers(self) -> Search:
        """Return this search with numbers of NumPy, which the core does not take, made Python's."""
        numbers = {
            name: value.item()
            for name, value in self.settings.items()
            if isinstance(value, np.generic)
        }
        return replace(self, **numbers) if numbers else self

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


class Run:
    """One run of a search: its inputs, its clock, the best graph so far and the trace."""

    def __init__(
        self,
        search: Search,
        scorer: Scorer,
        seed: int,
        budget: Budget,
        start: Dag | Pdag | None,
        observer: Observer | None,
        truth: Dag | Pdag | None,
    ) -> None:
        if (
            isinstance(seed, bool)
            or not isinstance(seed, int | np.integer)
            or not 0 <= seed < 2**64
        ):
            raise ParameterError(f"seed must be an integer from 0 to 2**64 - 1, got {seed!r}")
        self.algorithm = search
        self.scorer = scorer
        self.seed = int(seed)
        self.budget = budget
        self.observer = observer
        self.truth = truth
        self.trace: list[TraceRow] = []
        self.best: _core.Pdag | None = None
        self.best_dag: _core.Pdag | None = None
        self.best_score = -np.inf
        self.iteration = 0
        self.last_improvement = 0
        self.iteration_limit = budget.iterations
        self.stop_reason: str | None = None
        self.settings: dict[str, Any] = search.settings
        self.details: dict[str, Any] = {}
        self.writer: CheckpointWriter | None = None
        self.state: dict[str, Any] | None = None
        self.restored: dict[str, Any] | None = None
        self.seconds_before = 0.0
        self.evaluations_before = (scorer.evaluations, scorer.distinct_evaluations)
        self.stop = _core.Stop(budget.seconds_left)
        self.start = self._start_graph(start)

    def _start_graph(self, start: Dag | Pdag | None) -> _core.Pdag:
        scorer = self.scorer
        if start is None:
            rules = scorer.rules
            return _core.Pdag(scorer.n_nodes, rules.required_arcs(), []).completed()
        graph = core_graph(start, scorer.names).consistent_extension()
        if graph is None:
            raise ParameterError("start must admit a consistent extension, but this graph has none")
        completed = graph.completed()
        if _core.obeying_member(completed, scorer.rules) is None:
            raise ParameterError(
                "start contradicts the knowledge: no DAG of its class has all required edges and "
                "no forbidden one. Change start, or the knowledge"
            )
        return completed

    # -- what a search calls -------------------------------------------------------------------

    def propose(self, cpdag: _core.Pdag, score: float, dag: _core.Pdag | None = None) -> bool:
        """Offer a graph; it is kept when it improves on the best so far."""
        if self.best is not None and not improves(score, self.best_score):
            return False
        self.best, self.best_dag, self.best_score = cpdag, dag, score
        self.last_improvement = self.iteration
        return True

    def propose_dag(self, dag: _core.Pdag, score: float) -> bool:
        """Offer a DAG; its class is the graph, the DAG the member shown."""
        return self.propose(dag.completed(), score, dag)

    def iterations(self, limit: int | None = None) -> Iterator[int]:
        """Count iterations from 1 until `limit` or the budget is reached, tracing each.

        An iteration that is cut short by the clock is traced like a whole one, but not kept in a
        checkpoint.
        """
        limits = [most for most in (limit, self.budget.iterations) if most is not None]
        self.iteration_limit = min(limits, default=None)
        while not self.should_stop() and (limit is None or self.iteration < limit):
            self.iteration += 1
            yield self.iteration
            self.record()
            if self.state is not None and self.wants_state and not self.stop.requested():
                assert self.writer is not None
                self.writer.write(self, self.state)

    @property
    def wants_state(self) -> bool:
        """Whether a checkpoint is due, by the clock or because this iteration is the last.

        `state` is then to be what the next iteration needs.
        """
        if self.writer is None:
            return False
        return self.writer.is_due or self.should_stop() or self.iteration == self.iteration_limit

    def record(self) -> None:
        """Append the present state to the trace and tell the observer."""
        self.trace.append(
            TraceRow(
                self.iteration,
                self.seconds,
                self.evaluations,
                self.distinct_evaluations,
                self.best_score,
                self._distance_to_truth(),
            )
        )
        if self.observer is not None:
            self.observer(self)

    def should_stop(self) -> bool:
        """Tell whether a limit is reached; the reason is kept."""
        if self.stop_reason is not None:
            return True
        budget = self.budget
        if self.stop.requested():
            self.stop_reason = "interrupted" if self.stop.was_interrupted else "time limit"
        elif budget.iterations is not None and self.iteration >= budget.iterations:
            self.stop_reason = "iteration limit"
        elif budget.evaluations is not None and self.evaluations >= budget.evaluations:
            self.stop_reason = "evaluation limit"
        elif (
            budget.stagnation is not None
            and self.iteration - self.last_improvement >= budget.stagnation
            and self.iteration > 0
        ):
            self.stop_reason = "stagnation"
        return self.stop_reason is not None

    # -- what observers read -------------------------------------------------------------------

    @property
    def seconds(self) -> float:
        """Seconds since the run began, those before a resumption included."""
        return self.seconds_before + self.budget.elapsed

    @property
    def evaluations(self) -> int:
        """Score evaluations asked for by this run."""
        return self.scorer.evaluations - self.evaluations_before[0]

    @property
    def distinct_evaluations(self) -> int:
        """Families scored by this run that the scorer had not seen before.

        An estimate once the cache has dropped some, and a batch that was cut short may have scored
        families that nobody got; but never more than were asked for.
        """
        return min(self.evaluations, self.scorer.distinct_evaluations - self.evaluations_before[1])

    @property
    def best_cpdag(self) -> Cpdag:
        """The best class so far, with names."""
        return named_cpdag(self.best if self.best is not None else self.start, self.scorer.names)

    def _distance_to_truth(self) -> int | None:
        if self.truth is None:
            return None
        return shd(self.best_cpdag, self.truth)

    def result(self) -> Result:
        """Gather what is left when the loop has ended."""
        if self.best is None:
            self.propose(self.start, _core.score_of_class(self.start, self.scorer.core))
        assert self.best is not None
        if self.stop_reason is not None and self.best == self.start:
            self.details["nothing_found"] = True
        dag = self.best_dag or _core.obeying_member(self.best, self.scorer.rules)
        assert dag is not None
        member = named_dag(dag, self.scorer.names)
        self.scorer.knowledge.check(member)
        evaluations = self.evaluations, self.distinct_evaluations
        families = tuple(self.scorer.family_table(member))  # no part of the search
        data = self.scorer.data
        return Result(
            cpdag=named_cpdag(self.best, self.scorer.names),
            dag=member,
            # Searches add up gains; the families that are shown add up to this to the last bit.
            score=math.fsum(family.score for family in families),
            algorithm=self.algorithm.name,
            settings=self.settings,
            scorer_settings=self.scorer.settings,
            seed=self.seed,
            seconds=self.seconds,
            evaluations=evaluations[0],
            distinct_evaluations=evaluations[1],
            stop=self.stop_reason or "finished",
            trace=Trace(self.trace),
            families=families,
            data_fingerprint=self.scorer.data_fingerprint,
            levels=None if data is None else {name: data.levels_of(name) for name in data.names},
            details=dict(self.details),
        )


def _searches_over_dags() -> list[str]:
    from stigmergy.search.registry import algorithms  # which imports all searches, and so this file

    return [one.name for one in algorithms() if one.search.uses_score and not one.in_class_space]


def _unequal_part(scorer: Scorer) -> str:
    """Say what makes the scores of one class differ."""
    if not scorer.prior.score_equivalent:
        return "a structure prior against a graph with arcs"
    return str(getattr(scorer.score, "name", "this score"))


# -- names on the outside, numbers by the order of names inside --------------------------------


def core_graph(graph: Dag | Pdag, names: tuple[str, ...]) -> _core.Pdag:
    """Turn a graph over names into the core's graph over `names` (sorted)."""
    if wrong := other_names("start", graph.names, names):
        raise ParameterError(wrong)
    number = {name: i for i, name in enumerate(names)}
    return _core.Pdag(
        len(names),
        [(number[x], number[y]) for x, y in graph.directed],
        [(number[x], number[y]) for x, y in graph.undirected],
    )


def named_cpdag(graph: _core.Pdag, names: tuple[str, ...]) -> Cpdag:
    """Give a core graph its names back."""
    return Cpdag(
        names,
        [(names[x], names[y]) for x, y in graph.directed_edges()],
        [(names[x], names[y]) for x, y in graph.undirected_edges()],
    )


def named_dag(graph: _core.Pdag, names: tuple[str, ...]) -> Dag:
    """Give a core DAG its names back."""
    return Dag(names, [(names[x], names[y]) for x, y in graph.directed_edges()])
