# SPDX-License-Identifier: MIT
"""Real numbers to intervals: equal widths, quantiles, given cuts, entropy with the MDL stop.

Intervals are open below and closed above, ``(a, b]``; the first and the last reach to infinity,
so a discretizer never leaves a number out. Every rule depends only on the distinct numbers and
how often each occurs, so merging equal rows or reordering them changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from stigmergy.errors import ParameterError

Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]

WAYS = "'width:K', 'quantile:K', 'cuts:C1,C2,...' or 'mdlp:CLASS_COLUMN'"


@runtime_checkable
class Discretizer(Protocol):
    """A rule that places cuts; `target` names the class column it looks at, if any."""

    @property
    def target(self) -> str | None:
        """The class column that the rule looks at, or None."""

    def cuts(self, values: Floats, counts: Counts) -> Floats:
        """Return increasing cuts.

        Parameters
        ----------
        values : array, shape (n_values,)
            The distinct numbers, increasing, all finite.
        counts : array, shape (n_values, n_classes)
            How often each occurs with each class (one class without a target).
        """


@dataclass(frozen=True, slots=True)
class EqualWidth:
    """As many intervals as given, equally wide between the least and the greatest number."""

    intervals: int

    def __post_init__(self) -> None:
        _check_intervals(self.intervals)

    @property
    def target(self) -> None:
        """No class column."""

    def cuts(self, values: Floats, counts: Counts) -> Floats:
        """Return the inner borders; none when all numbers are equal."""
        steps = np.arange(1, self.intervals) / self.intervals
        # A weighted mean of the ends cannot overflow as their difference can.
        inner = values[0] * (1 - steps) + values[-1] * steps
        return np.unique(inner[(inner >= values[0]) & (inner < values[-1])])


@dataclass(frozen=True, slots=True)
class Quantile:
    """Intervals that hold about equally many observations each.

    The cut ``j`` of ``k`` is the least number that at least a share ``j / k`` of the observations
    does not exceed (the inverse of the empirical distribution; definition 1 of [1]_). Equal
    numbers stay together, so there can be fewer intervals than asked for.

    References
    ----------
    .. [1] R. J. Hyndman and Y. Fan (1996). Sample quantiles in statistical packages. The American
       Statistician 50(4), 361-365.
    """

    intervals: int

    def __post_init__(self) -> None:
        _check_intervals(self.intervals)

    @property
    def target(self) -> None:
        """No class column."""

    def cuts(self, values: Floats, counts: Counts) -> Floats:
        """Return the inner quantiles, each once."""
        below = counts.sum(axis=1).cumsum()
        # Whole numbers: j n / k <= below is k below >= j n.
        shares = np.arange(1, self.intervals) * below[-1]
        at = np.unique(np.searchsorted(below * self.intervals, shares))
        chosen: Floats = values[at[at < len(values) - 1]]
        return chosen


@dataclass(frozen=True, slots=True)
class Cuts:
    """Intervals between the cuts given, which belong to the interval below them."""

    points: tuple[float, ...]

    def __post_init__(self) -> None:
        points = tuple(float(point) for point in self.points)
        if not points or not np.isfinite(points).all() or not (np.diff(points) > 0).all():
            raise ParameterError(
                f"points of Cuts must be finite and increasing, at least one, got {self.points!r}"
            )
        object.__setattr__(self, "points", points)

    @property
    def target(self) -> None:
        """No class column."""

    def cuts(self, values: Floats, counts: Counts) -> Floats:
        """Return the points, whatever the numbers are."""
        return np.array(self.points)


@dataclass(frozen=True, slots=True)
class MDLP:
    """Cuts that tell most about a class column, as long as they pay for their description.

    Each set of observations ``S`` is cut where the class entropy left, ``E``, is least (ties: the
    lowest cut), and both parts are cut on, if the gain exceeds what the cut costs to describe::

        Ent(S) - E > log2(N - 1) / N + Delta / N
        Delta = log2(3**k - 2) - (k Ent(S) - k1 Ent(S1) - k2 Ent(S2))

    with ``k``, ``k1``, ``k2`` the classes present in ``S`` and its parts. A cut lies half-way
    between two neighbouring numbers.

    Parameters
    ----------
    target : str
        The class column. It must be categorical, or discretized without a class.

    References
    ----------
    .. [1] U. M. Fayyad and K. B. Irani (1993). Multi-interval discretization of continuous-valued
       attributes for classification learning. IJCAI-93, 1022-1027; the criterion is on p. 1025.
    """

    target: str

    def cuts(self, values: Floats, counts: Counts) -> Floats:
        """Return the accepted cuts; none when the numbers tell nothing about the class."""
        cumulative = np.vstack([np.zeros((1, counts.shape[1]), dtype=np.int64), counts.cumsum(0)])
        found = []
        todo = [(0, len(values))]
        while todo:
            start, stop = todo.pop()
            cut = _accepted_cut(cumulative[start : stop + 1])
            if cut is not None:
                found.append(start + cut)
                todo += [(start, start + cut), (start + cut, stop)]
        at = np.array(sorted(found), dtype=np.int64)
        below, above = values[at - 1], values[at]
        middle = below + (above - below) / 2
        return np.where(middle < above, middle, below)


def _accepted_cut(cumulative: Counts) -> int | None:
    """Return after how many distinct numbers the set is cut; None when it stays whole.

    Row ``i`` of `cumulative` counts the classes among the first ``i`` distinct numbers, plus a
    constant.
    """
    left = (cumulative[1:-1] - cumulative[0]).astype(np.float64)
    if len(left) == 0:
        return None
    whole = (cumulative[-1] - cumulative[0]).astype(np.float64)
    n = whole.sum()
    bits_left, bits_right, bits = _bits(left), _bits(whole - left), float(_bits(whole))
    at = int(np.argmin(bits_left + bits_right))
    part = left[at]
    n_left, n_right = part.sum(), n - part.sum()
    k, k_left, k_right = (int(np.count_nonzero(c)) for c in (whole, part, whole - part))
    # log2(3**k - 2), written so that no power overflows.
    delta = (
        k * np.log2(3.0)
        + np.log2(1 - 2 / 3.0 ** min(k, 600))
        - (k * bits / n - k_left * bits_left[at] / n_left - k_right * bits_right[at] / n_right)
    )
    gain = (bits - bits_left[at] - bits_right[at]) / n
    return at + 1 if gain > (np.log2(n - 1) + delta) / n else None


def _bits(counts: Floats) -> Floats:
    """Return n times the entropy in bits of each row of class counts."""
    total = counts.sum(axis=-1)
    logs = np.log2(counts, out=np.zeros_like(counts), where=counts > 0)
    result: Floats = total * np.log2(total) - (counts * logs).sum(axis=-1)
    return result


def as_discretizer(given: Any) -> Discretizer:
    """Return a discretizer for an object or for a text such as ``"quantile:5"``.

    Examples
    --------
    >>> as_discretizer("cuts:0,1.5")
    Cuts(points=(0.0, 1.5))
    """
    if not isinstance(given, str):
        if isinstance(given, Discretizer) and not isinstance(given, type):
            return given
        raise ParameterError(f"discretize must be {WAYS} or an object of them, got {given!r}")
    way, _, rest = given.partition(":")
    try:
        if way == "width":
            return EqualWidth(int(rest))
        if way == "quantile":
            return Quantile(int(rest))
        if way == "cuts":
            return Cuts(tuple(float(point) for point in rest.split(",")))
    except ParameterError:
        raise
    except ValueError:
        raise ParameterError(f"discretize must be {WAYS}, got {given!r}") from None
    if way == "mdlp" and rest:
        return MDLP(rest)
    close = get_close_matches(way, ("width", "quantile", "cuts", "mdlp"), n=1)
    meant = f"; did you mean '{close[0]}:{rest}'?" if close and close[0] != way else ""
    raise ParameterError(f"discretize must be {WAYS}, got {given!r}{meant}")


def interval_labels(cuts: Floats) -> tuple[str, ...]:
    """Name the intervals between cuts, with as few digits as keep the cuts apart.

    Examples
    --------
    >>> interval_labels(np.array([0.5, 2.0]))
    ('(-inf, 0.5]', '(0.5, 2]', '(2, inf)')
    """
    for digits in (4, 6, 9, 17):
        shown = [f"{cut:.{digits}g}" for cut in cuts]
        if len(set(shown)) == len(shown):
            break
    edges = ["-inf", *shown, "inf"]
    labels = [f"({low}, {high}]" for low, high in pairwise(edges)]
    labels[-1] = labels[-1][:-1] + ")"
    return tuple(labels)


def _check_intervals(intervals: int) -> None:
    whole = isinstance(intervals, int | np.integer) and not isinstance(intervals, bool)
    if not whole or not 2 <= intervals <= 65_535:
        raise ParameterError(f"intervals must be an integer in 2 .. 65,535, got {intervals!r}")
