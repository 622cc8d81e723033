# SPDX-License-Identifier: MIT
"""Tests of conditional independence: from data, from a graph, from a function.

One interface with three sources of the answer: :class:`Independence` counts a data set,
:class:`DSeparationOracle` reads it off a graph, :class:`IndependenceFunction` asks a function.
Searches take whichever the scorer has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from stigmergy import _core
from stigmergy.checks import is_number
from stigmergy.errors import ParameterError
from stigmergy.graph import Dag

Method = Literal["g2", "chi2", "mi"]
DofRule = Literal["adaptive", "classical"]
METHODS: tuple[str, ...] = get_args(Method)
DOF_RULES: tuple[str, ...] = get_args(DofRule)

CACHE_BYTES = 256 * 2**20


def check_test(what: str, method: str, dof: str, min_rows_per_cell: float) -> None:
    """Raise `ParameterError` for a kind of test that there is not; `what` names the method."""
    for name, value, allowed in ((what, method, METHODS), ("dof", dof, DOF_RULES)):
        if value not in allowed:
            raise ParameterError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
    least = min_rows_per_cell
    if not is_number(least) or not (least >= 0 and math.isfinite(least)):
        raise ParameterError(
            f"min_rows_per_cell must be a finite number >= 0, got {min_rows_per_cell!r}"
        )


class IndependenceTest(NamedTuple):
    """What one test says; all three are not-a-number when the rows were too few to make it."""

    statistic: float
    dof: float
    p_value: float

    @property
    def testable(self) -> bool:
        """Whether the test was made."""
        return not math.isnan(self.p_value)


class Independence:
    """Tests of conditional independence from the counts of a data set.

    Parameters
    ----------
    names : sequence of str
        The variables, sorted: the order of the columns.
    columns
        The core's columns of the data.
    n_threads : int
        Threads that batches of tests are shared among; the answers do not depend on it.
    cache_bytes : int
        Outcomes are remembered up to this much memory, for each choice of method and rule.

    Notes
    -----
    The table of a test has one stratum for each configuration z of the given set, with counts
    n_xyz and expected counts e = n_xz n_yz / n_z.

    ========  ===========================================================================
    method    statistic
    ========  ===========================================================================
    ``g2``    2 sum n ln(n / e), the likelihood ratio
    ``chi2``  sum (n - e)^2 / e, Pearson's
    ``mi``    g2 / (2 N): the conditional mutual information in nats, with g2's p-value
    ========  ===========================================================================

    The p-value is the upper tail of the chi-squared distribution. Its degrees of freedom are, with
    ``dof="adaptive"``, the sum over the strata of (r - 1)(c - 1), where r and c are the numbers of
    values of x and y that occur in the stratum: an empty row or column is taken as a structural
    zero, and a stratum without rows, or with a constant x or y, adds nothing. Tsamardinos, Brown &
    Aliferis (2006) take empty margins as structural zeros in the same way; it is also what scipy's
    ``chi2_contingency`` gives, stratum by stratum, once empty rows and columns are dropped.
    ``dof="classical"`` is (a - 1)(b - 1) times the product of the arities of the given set, for x
    of arity a and y of arity b, whatever occurs. With no degrees of freedom the p-value is 1.

    A test is made only when the rows are at least `min_rows_per_cell` times the cells of its table,
    a b times the configurations of the given set; 5 is the rule of MMPC, 0 makes every test. A test
    that is not made shows neither dependence nor independence.

    References
    ----------
    I. Tsamardinos, L. E. Brown and C. F. Aliferis (2006), The max-min hill-climbing Bayesian
    network structure learning algorithm, Machine Learning 65, 31-78. A. Agresti (2013), Categorical
    Data Analysis, 3rd ed., Wiley, Section 3.2 (the two statistics).
    """

    def __init__(
        self,
        names: Sequence[str],
        columns: _core.Columns,
        *,
        n_threads: int = 1,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        self._columns = columns
        self._set_up(names, n_threads, cache_bytes)

    def _set_up(self, names: Sequence[str], n_threads: int, cache_bytes: int) -> None:
        self.names = tuple(names)
        self.n_threads = n_threads
        self._cache_bytes = cache_bytes
        self._numbers = {name: i for i, name in enumerate(self.names)}
        self._made: dict[tuple[str, str, float], _core.IndependenceTests] = {}

    def tests(
        self, method: str = "g2", *, dof: str = "adaptive", min_rows_per_cell: float = 0.0
    ) -> _core.IndependenceTests:
        """Return the core's tests with these settings, over node numbers: what searches call."""
        check_test("method", method, dof, min_rows_per_cell)
        key = (method, dof, float(min_rows_per_cell))
        if key not in self._made:
            self._made[key] = self._make(*key)
        return self._made[key]

    def _make(self, method: str, dof: str, min_rows_per_cell: float) -> _core.IndependenceTests:
        return _core.IndependenceTests.from_columns(
            self._columns, method, dof, min_rows_per_cell, self._cache_bytes
        )

    def test(
        self,
        x: str,
        y: str,
        given: str | Iterable[str] = (),
        method: str = "g2",
        *,
        dof: str = "adaptive",
        min_rows_per_cell: float = 0.0,
    ) -> IndependenceTest:
        """Test whether `x` and `y` are independent given a set.

        Parameters
        ----------
        x, y : str
            Two different variables.
        given : str or iterable of str
            The variables to condition on.
        method : {"g2", "chi2", "mi"}
            The statistic.
        dof : {"adaptive", "classical"}
            The rule for the degrees of freedom.
        min_rows_per_cell : float
            The test is made only with so many rows for each cell of its table.
        """
        tests = self.tests(method, dof=dof, min_rows_per_cell=min_rows_per_cell)
        return IndependenceTest(*tests.test(*self._query(x, y, given))[:3])

    def test_all(
        self,
        queries: Iterable[tuple[str, str, Iterable[str]]],
        method: str = "g2",
        *,
        dof: str = "adaptive",
        min_rows_per_cell: float = 0.0,
    ) -> list[IndependenceTest]:
        """Make many tests (x, y, given), shared among the threads."""
        tests = self.tests(method, dof=dof, min_rows_per_cell=min_rows_per_cell)
        numbered = [self._query(*query) for query in queries]
        return [IndependenceTest(*o[:3]) for o in tests.test_all(numbered, self.n_threads)]

    def _query(self, x: str, y: str, given: str | Iterable[str]) -> tuple[int, int, list[int]]:
        chosen = {self._number(name) for name in ([given] if isinstance(given, str) else given)}
        first, second = self._number(x), self._number(y)
        if first == second or chosen & {first, second}:
            raise ParameterError(
                f"x, y and given must be different variables, got x={x!r}, y={y!r}, "
                f"given={sorted(self.names[v] for v in chosen)}"
            )
        return first, second, sorted(chosen)

    def _number(self, name: str) -> int:
        try:
            return self._numbers[name]
        except KeyError:
            raise ParameterError(
                f"{name!r} is no variable; there are {', '.join(self.names[:8])}"
                + (", ..." if len(self.names) > 8 else "")
            ) from None

    @property
    def evaluations(self) -> int:
        """Tests asked for so far."""
        return sum(tests.requests for tests in set(self._made.values()))

    @property
    def distinct_evaluations(self) -> int:
        """Tests computed so far, that is asked for with arguments not seen before."""
        return sum(tests.computed for tests in set(self._made.values()))


class DSeparationOracle(Independence):
    """Perfect answers: independent means d-separated in a known DAG.

    Parameters
    ----------
    dag : Dag
        The true graph.
    latent : iterable of str
        Nodes that are not observed: they cannot be asked for.
    selected : iterable of str
        Nodes that every answer is conditioned on without being observed, as by the way the rows
        came into the data.

    Notes
    -----
    The statistic is 0 with p-value 1 for d-separated nodes, 1 with p-value 0 for d-connected ones.
    Method, rule and rows per cell play no part.

    References
    ----------
    J. Pearl (1988), Probabilistic Reasoning in Intelligent Systems, Morgan Kaufmann, Section 3.3;
    D. Koller and N. Friedman (2009), Probabilistic Graphical Models, MIT Press, algorithm 3.1.

    Examples
    --------
    >>> oracle = DSeparationOracle(Dag(["a", "b", "c"], [("a", "c"), ("b", "c")]))
    >>> oracle.test("a", "b").p_value, oracle.test("a", "b", "c").p_value
    (1.0, 0.0)
    """

    def __init__(self, dag: Dag, latent: Iterable[str] = (), selected: Iterable[str] = ()) -> None:
        everything = sorted(dag.names)
        hidden = {"latent": set(latent), "selected": set(selected)}
        for what, group in hidden.items():
            if unknown := group - set(everything):
                raise ParameterError(f"{what} must be nodes of dag, got {sorted(unknown)}")
        if both := hidden["latent"] & hidden["selected"]:
            raise ParameterError(f"a node is latent or selected, not both, got {sorted(both)}")
        number = {name: i for i, name in enumerate(everything)}
        observed = [v for v in everything if v not in hidden["latent"] | hidden["selected"]]
        self._tests = _core.IndependenceTests.from_dag(
            _core.Pdag(len(everything), [(number[x], number[y]) for x, y in dag.arcs]),
            [number[v] for v in observed],
            sorted(number[v] for v in hidden["selected"]),
            CACHE_BYTES,
        )
        self._set_up(observed, 1, CACHE_BYTES)

    def _make(self, method: str, dof: str, min_rows_per_cell: float) -> _core.IndependenceTests:
        return self._tests


class IndependenceFunction(Independence):
    """Tests by a function of names: ``function(x, y, given) -> (statistic, dof, p_value)``.

    Parameters
    ----------
    names : iterable of str
        The variables.
    function : callable
        Called with two names and a tuple of names, x and y and the tuple sorted. It may be called
        from several threads, one at a time.

    Notes
    -----
    Method, rule and rows per cell play no part.
    """

    def __init__(
        self,
        names: Iterable[str],
        function: Callable[[str, str, tuple[str, ...]], tuple[float, float, float]],
    ) -> None:
        ordered = sorted(names)

        def ask(x: int, y: int, given: Sequence[int]) -> tuple[float, float, float]:
            return function(ordered[x], ordered[y], tuple(ordered[v] for v in given))

        self._tests = _core.IndependenceTests.from_function(len(ordered), ask, CACHE_BYTES)
        self._set_up(ordered, 1, CACHE_BYTES)

    def _make(self, method: str, dof: str, min_rows_per_cell: float) -> _core.IndependenceTests:
        return self._tests
