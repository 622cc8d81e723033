# SPDX-License-Identifier: MIT
"""MMPC: the parents and children of a variable, by max-min associations."""

from __future__ import annotations

from dataclasses import dataclass

from stigmergy import _core
from stigmergy.checks import is_integer, is_number
from stigmergy.errors import ParameterError
from stigmergy.independence import DofRule, Method, check_test
from stigmergy.scorer import Scorer


@dataclass(frozen=True)
class MMPC:
    """Find who can be a parent or child of each variable.

    Parameters
    ----------
    alpha
        Two variables are taken as independent when the p-value is above it.
    test, dof
        The test; see `Independence`.
    min_rows_per_cell
        A test is made only with so many rows for each cell of its table. One that is not made shows
        nothing: its set lowers no association and takes nobody out.
    max_conditioning
        The largest set that is conditioned on; None is no limit.

    Notes
    -----
    The association of X and T given a set is measured by the p-value: the smaller, the stronger,
    and none at all above alpha. Of equal p-values the larger statistic is stronger, then the first
    name counts; p-values are compared by their logarithms, so none underflow. A variable that was
    once found independent of T is not looked at again for T, and associations with sets already
    seen are kept (Section 3.2 of the paper); outcomes are shared by all targets, as a test of
    X and T is one of T and X. A variable whose tests with T can none be made is no candidate.

    The backward phase takes the candidates in the order in which they came in.

    Knowledge: a required neighbour of T is a candidate from the beginning and stays; one that
    cannot be joined to T is never one.

    References
    ----------
    I. Tsamardinos, L. E. Brown and C. F. Aliferis (2006), The max-min hill-climbing Bayesian
    network structure learning algorithm, Machine Learning 65, 31-78: Algorithm 1 (MMPC-bar and
    MaxMinHeuristic) and Algorithm 2 (MMPC with the symmetry correction).

    Examples
    --------
    >>> from stigmergy import Dag, DSeparationOracle, Scorer
    >>> oracle = DSeparationOracle(Dag(["a", "b", "c"], [("a", "b"), ("b", "c")]))
    >>> scorer = Scorer.from_function("abc", lambda child, parents: 0.0, independence=oracle)
    >>> MMPC().neighbours(scorer)
    {'a': ('b',), 'b': ('a', 'c'), 'c': ('b',)}
    """

    alpha: float = 0.05
    test: Method = "g2"
    dof: DofRule = "adaptive"
    min_rows_per_cell: float = 5.0
    max_conditioning: int | None = None

    def __post_init__(self) -> None:
        if not is_number(self.alpha) or not 0 < self.alpha < 1:
            raise ParameterError(f"alpha must be a number between 0 and 1, got {self.alpha!r}")
        limit = self.max_conditioning
        if limit is not None and (not is_integer(limit) or limit < 0):
            raise ParameterError(f"max_conditioning must be an integer >= 0 or None, got {limit!r}")
        check_test("test", self.test, self.dof, self.min_rows_per_cell)

    def neighbours(self, scorer: Scorer) -> dict[str, tuple[str, ...]]:
        """Return for each variable its parents and children, by the tests of a scorer's data."""
        stop = _core.Stop(None)
        candidates = self.all_candidates(scorer, stop)
        if stop.requested():  # the core has taken notice of Ctrl-C; half an answer is none
            raise KeyboardInterrupt
        sets = self.symmetric(candidates)
        names = scorer.names
        return {
            names[t]: tuple(names[v] for v in sorted(neighbours))
            for t, neighbours in enumerate(sets)
        }

    def all_candidates(self, scorer: Scorer, stop: _core.Stop) -> list[list[int]]:
        """MMPC-bar of every node: candidates that need not be mutual."""
        return [self.candidates(scorer, target, stop) for target in range(scorer.n_nodes)]

    @staticmethod
    def symmetric(candidates: list[list[int]]) -> list[set[int]]:
        """Algorithm 2: X stays a neighbour of T only if T is a candidate of X too."""
        return [{x for x in row if t in candidates[x]} for t, row in enumerate(candidates)]

    def candidates(self, scorer: Scorer, target: int, stop: _core.Stop) -> list[int]:
        """Algorithm 1, MMPC-bar(T, D): the candidates of one node, in the order of entering."""
        tests = scorer.independence.tests(
            self.test, dof=self.dof, min_rows_per_cell=self.min_rows_per_cell
        )
        rules, n_nodes = scorer.rules, scorer.n_nodes
        largest = n_nodes if self.max_conditioning is None else self.max_conditioning
        required = {x for arc in rules.required_arcs() if target in arc for x in arc} - {target}

        def lower(rest: Rest, base: list[int], always: list[int]) -> Rest:
            """MinAssoc, with the sets made of `always` and a subset of `base`."""
            nodes = sorted(rest)
            least = _core.lower_to_minimum_association(
                tests,
                target,
                nodes,
                [rest[x] for x in nodes],
                base,
                always,
                largest,
                self.alpha,
                scorer.n_threads,
                stop,
            )
            return dict(zip(nodes, least, strict=True))

        def associated(rest: Rest) -> Rest:
            return {x: least for x, least in rest.items() if least.tested and not least.independent}

        # Phase I: forward.
        cpc = sorted(required)
        rest: Rest = {
            x: _core.Association()
            for x in range(n_nodes)
            if x != target
            if x not in required
            if rules.allows(x, target) or rules.allows(target, x)
        }
        rest = associated(lower(rest, cpc, []))
        while rest and not stop.requested():
            strongest = min(rest, key=lambda x: (rest[x].log_p_value, -rest[x].statistic, x))
            del rest[strongest]
            rest = associated(lower(rest, cpc, [strongest]))
            cpc.append(strongest)

        # Phase II: backward.
        for x in [x for x in cpc if x not in required]:
            others = [v for v in cpc if v != x]
            if lower({x: _core.Association()}, others, [])[x].independent:
                cpc = others
        return cpc


Rest = dict[int, _core.Association]
