# SPDX-License-Identifier: MIT
"""Exact search: the best network of all, with proof."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from stigmergy import _core
from stigmergy.errors import ParameterError
from stigmergy.graph import Cpdag
from stigmergy.result import Result
from stigmergy.search.base import Run, Search, named_cpdag
from stigmergy.search.dag_space import check_count, start_dag

_log = logging.getLogger(__name__)

# Steps of the search for further optima after which it is given up.
_MOST_STEPS = 20_000_000


@dataclass(frozen=True)
class Exact(Search):
    """Find a network that no network beats, and every class that is as good.

    Parameters
    ----------
    memory
        Bytes that the tables may take; None is what the machine has free. What is needed is known
        before the search and told in the log (logger ``stigmergy.search.exact``) and in
        ``result.details["memory_bytes"]``: 2**n words and two layers of scores, 150 MB for 24
        variables, 3.5 GB for 28, 7 GB for 30, the most.
    most_optima
        List at most so many of the best networks.

    Notes
    -----
    ``result.details`` holds ``proved`` (whether the search came to its end), ``optimal_classes``
    (every class with the best score up to 1e-6, sorted by their edges; the first is the result; see
    also `optimal_classes`) and ``all_optima`` (False when there are more than `most_optima`, or
    looking for more took too long).

    All families within the parent limit are scored: n 2**(n-1) without one, so give the scorer a
    `max_parents` beyond 15 to 20 variables. A parent set goes on a list of its child only if no
    subset scores better; the best parents within a set of nodes are then the first on the list that
    fit. Of equally good sinks the first by name is taken. Knowledge and parent limits hold
    throughout: the result is the best among the networks that obey them. A start graph has no use
    here and is passed over. Works on the scorer's `n_threads`; the answer does not depend on them.

    The classes are listed by branching on the parent sets that occur in best networks. When all
    members of a class score the same and no knowledge tells them apart, members with a covered arc
    from a later to an earlier name are left out, which loses no class and leaves few members each.

    References
    ----------
    S. Ott, S. Imoto and S. Miyano (2004), "Finding optimal models for small gene networks", Pacific
    Symposium on Biocomputing 9, 557-567. T. Silander and P. Myllymaki (2006), "A simple approach
    for finding the globally optimal Bayesian network structure", Proceedings of the 22nd Conference
    on Uncertainty in Artificial Intelligence, 445-452. Two layers of scores at a time: B. Malone,
    C. Yuan and E. Hansen (2011), "Memory-efficient dynamic programming for learning optimal
    Bayesian networks", Proceedings of the 25th AAAI Conference on Artificial Intelligence,
    1057-1062.
    """

    name: ClassVar[str] = "exact"

    memory: int | None = None
    most_optima: int = 10_000

    def __post_init__(self) -> None:
        check_count("memory", self.memory, or_none=True)
        check_count("most_optima", self.most_optima, 1)

    def search(self, run: Run) -> None:
        """Score, solve, list the optima."""
        start_dag(run)  # within the parent limit
        self._check_memory(run)
        run.details.update(proved=False, optimal_classes=(), all_optima=False)
        for _ in run.iterations(1):
            if not self._solve(run):
                break
        run.should_stop()

    def _solve(self, run: Run) -> bool:
        scorer, threads = run.scorer, run.scorer.n_threads
        search = _core.ExactSearch(scorer.core, scorer.rules)
        if not search.score_families(threads, run.stop):
            return False
        _log.info("%d parent sets are left", search.n_choices)
        run.details["parent_sets"] = search.n_choices
        if not search.solve(threads, run.stop):
            return False
        run.details["proved"] = True
        one_per_class = scorer.score_equivalent and scorer.rules.is_free
        networks, complete = search.best_networks(
            one_per_class, self.most_optima, _MOST_STEPS, run.stop
        )
        best = search.best_network()
        members = {edges(dag.completed()): dag for dag in [*networks, best]}
        run.propose_dag(members[min(members)], search.best_score)
        run.details["all_optima"] = complete
        run.details["optimal_classes"] = tuple(
            plain_edges(named_cpdag(members[key].completed(), scorer.names))
            for key in sorted(members)
        )
        return True

    def _check_memory(self, run: Run) -> None:
        scorer, most = run.scorer, _core.ExactSearch.most_nodes
        n, limit = scorer.n_nodes, scorer.core.max_parents
        ways_out = "use fewer variables, or a search without proof: ges, hcsn, aco-e"
        if n > most:
            raise ParameterError(
                f"exact search takes at most {most} variables, got {n}; {ways_out}"
            )
        needed = _core.ExactSearch.bytes_needed(n, limit, scorer.n_threads)
        families = _core.ExactSearch.n_families(n, limit)
        allowed = available_memory() if self.memory is None else self.memory
        if needed > allowed:
            raise ParameterError(
                f"exact search over {n} variables needs {gigabytes(needed)} of memory, but only "
                f"{gigabytes(allowed)} are allowed; give more (memory=), lower max_parents of the "
                f"scorer if that is what takes it, {ways_out}"
            )
        _log.info("%d variables, %d families, %s", n, families, gigabytes(needed))
        run.details["memory_bytes"] = needed


def optimal_classes(result: Result) -> tuple[Cpdag, ...]:
    """Return every class with the best score that `Exact` has found.

    Examples
    --------
    >>> from stigmergy import Scorer
    >>> scorer = Scorer.from_function("ab", lambda child, parents: 0.0, score_equivalent=True)
    >>> optimal_classes(Exact().run(scorer))
    (<Cpdag of 2 nodes: isolated: a, b>, <Cpdag of 2 nodes: a - b>)
    """
    return tuple(
        Cpdag(result.dag.names, *(map(tuple, graph[kind]) for kind in ("directed", "undirected")))
        for graph in result.details["optimal_classes"]
    )


def plain_edges(graph: Cpdag) -> dict[str, list[list[str]]]:
    """Return the edges as they stand in a result's details."""
    return {
        "directed": sorted(map(list, graph.directed)),
        "undirected": sorted(map(list, graph.undirected)),
    }


def edges(graph: _core.Pdag) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the edges of a graph, to tell and to sort classes by."""
    return tuple(graph.directed_edges()), tuple(graph.undirected_edges())


def available_memory() -> int:
    """Return the bytes of memory that are free, or a cautious guess where the system won't tell."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, ValueError, OSError):
        return 4 << 30


def gigabytes(n_bytes: int) -> str:
    """Write a number of bytes for people."""
    return f"{n_bytes / 1e9:.3g} GB"
