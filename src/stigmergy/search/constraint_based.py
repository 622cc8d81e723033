# SPDX-License-Identifier: MIT
"""What searches by tests of independence share: their test, and what they leave behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from stigmergy import _core
from stigmergy.checks import is_integer, is_number
from stigmergy.errors import ParameterError
from stigmergy.graph import Pdag
from stigmergy.independence import DofRule, Method, check_test
from stigmergy.search.base import Run, Search
from stigmergy.search.dag_space import start_dag
from stigmergy.search.orientation import Conflict


@dataclass(frozen=True)
class ConstraintBased(Search):
    """A search by tests: which test, and when it says "independent".

    Parameters
    ----------
    alpha
        Two variables are taken as independent when the p-value is above it.
    test
        The statistic: ``"g2"``, ``"chi2"`` or ``"mi"`` (see `Independence`).
    dof
        How degrees of freedom are counted: ``"adaptive"`` or ``"classical"``.
    min_rows_per_cell
        A test is made only with so many rows for each cell of its table; one that is not made
        separates nothing. 0 makes all.
    max_conditioning
        The largest set that is conditioned on; None is no limit.
    """

    name: ClassVar[str] = ""
    uses_score: ClassVar[bool] = False

    alpha: float = 0.05
    test: Method = "g2"
    dof: DofRule = "adaptive"
    min_rows_per_cell: float = 0.0
    max_conditioning: int | None = None

    def __post_init__(self) -> None:
        if not is_number(self.alpha) or not 0 < self.alpha < 1:
            raise ParameterError(f"alpha must be a number between 0 and 1, got {self.alpha!r}")
        limit = self.max_conditioning
        if limit is not None and (not is_integer(limit) or limit < 0):
            raise ParameterError(f"max_conditioning must be an integer >= 0 or None, got {limit!r}")
        check_test("test", self.test, self.dof, self.min_rows_per_cell)

    def tests(self, run: Run) -> _core.IndependenceTests:
        """Return the tests with these settings."""
        return run.scorer.independence.tests(
            self.test, dof=self.dof, min_rows_per_cell=self.min_rows_per_cell
        )

    def largest_set(self, run: Run) -> int:
        """Return the largest size of a set to condition on."""
        most = max(0, run.scorer.n_nodes - 2)
        return most if self.max_conditioning is None else min(most, self.max_conditioning)


def is_cut_short(run: Run) -> bool:
    """Tell whether a limit or Ctrl-C has ended the tests before they were done."""
    return run.stop_reason is not None or run.stop.requested()


@contextmanager
def until_interrupted(run: Run) -> Iterator[None]:
    """Let Ctrl-C end a phase, so that what was found before it is still established."""
    try:
        yield
    except KeyboardInterrupt:
        run.stop_reason = "interrupted"


def establish(run: Run, graph: _core.Pdag, conflicts: Sequence[Conflict]) -> None:
    """Propose a DAG for an established graph and keep both in the run's details.

    The DAG is a consistent extension: the same skeleton, every direction kept, no other
    v-structure. When there is none, or it has too many parents for the scorer, the conflicts say
    so and the DAG is `nearest_dag`: a member of no established class, but near to it. When the run
    was cut short, edges may be left that no test has been made for; they are no network to show,
    and the DAG is the one that the run started from.

    Details
    -------
    ``pdag``
        The established graph: what the tests say, no more.
    ``conflicts``
        Where they contradict one another or what is known: dictionaries of ``nodes`` and ``why``.
    ``consistent_extension``
        Whether the result's DAG is a consistent extension of ``pdag``.
    ``tests``, ``distinct_tests``
        Tests asked for, and those not asked before.
    """
    names = run.scorer.names
    rules = run.scorer.rules
    limit = run.scorer.core.max_parents
    found = list(conflicts)
    cut_short = is_cut_short(run)
    dag = None if cut_short else graph.consistent_extension()
    if cut_short:
        found.append(Conflict((), "stopped before the end: edges that tests remove may be left"))
    elif dag is None:
        found.append(Conflict((), "no consistent extension: no DAG has exactly these v-structures"))
    elif not rules.obeyed_by(dag):
        found.append(Conflict((), "no consistent extension obeys the knowledge"))
        dag = None
    elif full := _with_more_parents(dag, limit):
        found.append(Conflict(full, f"more than {limit} parents in the consistent extension"))
        dag = None
    run.details["pdag"] = Pdag(
        names,
        [(names[x], names[y]) for x, y in graph.directed_edges()],
        [(names[x], names[y]) for x, y in graph.undirected_edges()],
    )
    run.details["conflicts"] = named_conflicts(found, names)
    run.details["consistent_extension"] = dag is not None
    run.details["tests"], run.details["distinct_tests"] = run.evaluations, run.distinct_evaluations
    if cut_short:
        dag = start_dag(run)
    elif dag is None:
        dag = nearest_dag(graph, rules, limit)
    run.propose_dag(dag, _core.score_of_class(dag, run.scorer.core))


def named_conflicts(conflicts: Sequence[Conflict], names: Sequence[str]) -> list[dict[str, Any]]:
    """Turn conflicts into plain values with names."""
    return [{"nodes": [names[v] for v in c.nodes], "why": c.why} for c in conflicts]


def nearest_dag(graph: _core.Pdag, rules: _core.ArcRules, max_parents: int) -> _core.Pdag:
    """Return a DAG on the skeleton of a graph that keeps the directions that can be kept.

    First the required arcs, then the arcs, then the undirected edges of `graph` are added, each
    kind in the order of nodes; one that would close a cycle is turned, and one that can stand in
    neither direction, by the cycles, the rules or the parent limit, is left out.
    """
    n_nodes = len(graph)
    parents: list[set[int]] = [set() for _ in range(n_nodes)]
    above: list[set[int]] = [set() for _ in range(n_nodes)]  # ancestors

    def add(x: int, y: int) -> bool:
        if not rules.allows(x, y) or y in above[x] or len(parents[y]) >= max_parents:
            return False
        parents[y].add(x)
        gained = above[x] | {x}
        for v in range(n_nodes):
            if v == y or y in above[v]:
                above[v] |= gained
        return True

    required = rules.required_arcs()
    for x, y in required:
        add(x, y)
    done = {frozenset(arc) for arc in required}
    for x, y in [*graph.directed_edges(), *graph.undirected_edges()]:
        if frozenset((x, y)) not in done and not add(x, y):
            add(y, x)
    return _core.Pdag(n_nodes, [(x, y) for y in range(n_nodes) for x in sorted(parents[y])])


def _with_more_parents(dag: _core.Pdag, limit: int) -> tuple[int, ...]:
    count = Counter(child for _, child in dag.directed_edges())
    return tuple(sorted(v for v in count if count[v] > limit))
