# SPDX-License-Identifier: MIT
"""MMHC: hill climbing over the edges that MMPC leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from stigmergy import _core
from stigmergy.checks import is_integer
from stigmergy.errors import ParameterError
from stigmergy.independence import DofRule, Method
from stigmergy.search.base import Run, Search
from stigmergy.search.dag_space import start_dag
from stigmergy.search.mmpc import MMPC


@dataclass(frozen=True)
class MMHC(Search):
    """Find the neighbours of every variable by tests, then climb among DAGs over these edges.

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
        takes nobody out. 0 makes all.
    max_conditioning
        The largest set that is conditioned on; None is no limit.
    tabu
        The last so many DAGs are not gone back to; 0 is plain hill climbing.
    patience
        The climb ends when so many changes in a row brought no new best score.

    Notes
    -----
    Additions are restricted to the edges of the skeleton, in either direction; removals and
    reversals are free. The DAG with the best score seen is the result. The climb begins at the
    graph of the required arcs, or at `start`.

    ``details["neighbours"]`` is what MMPC found for each variable. An iteration finds the
    candidates of a variable, the last one climbs; a run that ends before it has the DAG that it
    started from.

    References
    ----------
    I. Tsamardinos, L. E. Brown and C. F. Aliferis (2006), The max-min hill-climbing Bayesian
    network structure learning algorithm, Machine Learning 65, 31-78: Algorithm 3; the tabu list of
    100 and the end after 15 changes without improvement are those of its Section 5.
    """

    name: ClassVar[str] = "mmhc"

    alpha: float = 0.05
    test: Method = "g2"
    dof: DofRule = "adaptive"
    min_rows_per_cell: float = 5.0
    max_conditioning: int | None = None
    tabu: int = 100
    patience: int = 15

    def __post_init__(self) -> None:
        _ = self.mmpc
        for name in ("tabu", "patience"):
            value = getattr(self, name)
            if not is_integer(value) or value < 0:
                raise ParameterError(f"{name} must be an integer >= 0, got {value!r}")

    @property
    def mmpc(self) -> MMPC:
        """The search for neighbours with the same settings."""
        return MMPC(self.alpha, self.test, self.dof, self.min_rows_per_cell, self.max_conditioning)

    def search(self, run: Run) -> None:
        """Algorithm 3, MMHC(D)."""
        n_nodes = run.scorer.n_nodes
        candidates: list[list[int]] = []
        for t in run.iterations(n_nodes + 1):
            if t <= n_nodes:  # Restrict.
                candidates.append(self.mmpc.candidates(run.scorer, t - 1, run.stop))
            else:  # Search.
                self._climb(run, self.mmpc.symmetric(candidates))
        run.should_stop()

    def _climb(self, run: Run, neighbours: list[set[int]]) -> None:
        """Climb from the start by additions of edges between neighbours, removals and reversals."""
        scorer, names = run.scorer, run.scorer.names
        run.details["neighbours"] = {
            names[t]: [names[x] for x in sorted(row)] for t, row in enumerate(neighbours)
        }
        run.details["tests"] = scorer.independence.evaluations
        dag, score, run.details["changes"] = _core.hill_climb(
            scorer.core,
            scorer.rules,
            start_dag(run),
            run.stop,
            [(x, t) for t, row in enumerate(neighbours) for x in sorted(row)],
            self.tabu,
            self.patience,
            scorer.n_threads,
        )
        run.propose_dag(dag, score)
