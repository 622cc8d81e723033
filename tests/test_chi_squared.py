# SPDX-License-Identifier: MIT
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from oracles.chi_squared import even_tail
from stigmergy import _core


@given(dof=st.integers(1, 300), spread=st.floats(-6, 60))
def test_tail_is_scipys(dof, spread):
    statistic = max(1e-6, dof + spread * math.sqrt(2 * dof))
    expected = chi2.sf(statistic, dof)
    p, log_p = _core.chi_squared_tail(statistic, dof)
    assert log_p == pytest.approx(chi2.logsf(statistic, dof), rel=1e-12, abs=1e-12)
    if expected > 1e-290:
        assert p == pytest.approx(expected, rel=1e-12, abs=0)


# Beyond some hundred degrees of freedom scipy itself loses digits (1.2e-11 at 9,750, 2.2e-10 at
# three million), so the reference there is the exact sum.
@pytest.mark.parametrize("dof", [2, 14, 30, 32, 34, 1000, 9750, 200_000, 2_000_000, 2_000_002])
@pytest.mark.parametrize("spread", [-5, -1, -0.01, 0, 0.01, 1, 3, 10, 30])
def test_tail_is_the_exact_sum(dof, spread):
    statistic = max(0.01, dof + spread * math.sqrt(2 * dof))
    exact, log_exact = even_tail(statistic, dof)
    p, log_p = _core.chi_squared_tail(statistic, dof)
    assert log_p == pytest.approx(log_exact, rel=1e-12, abs=1e-12)
    if exact > 1e-290:
        assert p == pytest.approx(exact, rel=1e-12, abs=0)


def test_logarithm_goes_on_where_the_tail_underflows():
    p, log_p = _core.chi_squared_tail(5000.0, 2.0)
    assert p == 0.0
    assert log_p == -2500.0
    p, log_p = _core.chi_squared_tail(2_300_000.0, 2_000_002.0)
    assert p == 0.0
    assert log_p == pytest.approx(even_tail(2_300_000.0, 2_000_002)[1], rel=1e-12)


@pytest.mark.parametrize(
    ("statistic", "dof", "tail"),
    [(0.0, 3.0, 1.0), (-1e-12, 3.0, 1.0), (4.0, 0.0, 1.0), (math.inf, 3.0, 0.0)],
)
def test_edges(statistic, dof, tail):
    assert _core.chi_squared_tail(statistic, dof)[0] == tail


def test_not_a_number_stays_one():
    assert math.isnan(_core.chi_squared_tail(math.nan, 1.0)[0])
    assert math.isnan(_core.chi_squared_tail(1.0, math.nan)[0])


def test_astronomic_degrees_of_freedom_take_no_time():
    assert _core.chi_squared_tail(1e300, 1e300)[0] == pytest.approx(0.5)
    assert _core.chi_squared_tail(1e5, 1e300)[0] == 1.0


def test_tail_falls_with_the_statistic():
    for dof in (1.0, 7.0, 40.0, 3e6):
        statistics = dof + np.linspace(-4, 20, 200) * math.sqrt(2 * dof)
        tails = [_core.chi_squared_tail(s, dof)[0] for s in statistics]
        assert all(a >= b for a, b in itertools.pairwise(tails))
