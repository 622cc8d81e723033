# SPDX-License-Identifier: MIT
import re
from math import ceil

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.mdlp import mdlp_cuts
from stigmergy import DataError, Dataset, DataWarning, ParameterError
from stigmergy.discretize import MDLP, Cuts, EqualWidth, Quantile, as_discretizer, interval_labels

finite = st.floats(-1e6, 1e6, allow_subnormal=False)
numbers = st.lists(st.one_of(st.integers(-5, 5).map(float), finite), min_size=1, max_size=40)


def table(values, classes=None):
    """Return distinct numbers and how often each occurs with each class."""
    classes = [0] * len(values) if classes is None else classes
    distinct = sorted(set(values))
    counts = np.zeros((len(distinct), max(classes) + 1), dtype=np.int64)
    for value, label in zip(values, classes, strict=True):
        counts[distinct.index(value), label] += 1
    return np.array(distinct), counts


@given(numbers, st.integers(2, 6))
def test_quantiles_are_the_inverse_of_the_distribution(values, k):
    ordered = sorted(values)
    expected = {ordered[ceil(j * len(values) / k) - 1] for j in range(1, k)} - {ordered[-1]}
    assert Quantile(k).cuts(*table(values)).tolist() == sorted(expected)


@given(numbers, st.integers(2, 6))
def test_widths_are_equal(values, k):
    cuts = EqualWidth(k).cuts(*table(values))
    low, high = min(values), max(values)
    if high - low > 1e-6:
        assert cuts == pytest.approx([low + (high - low) * j / k for j in range(1, k)], abs=1e-9)
    assert all(low <= cut < high for cut in cuts)
    assert (np.diff(cuts) > 0).all()


def test_equal_width_of_equal_numbers_and_of_huge_ones():
    assert len(EqualWidth(3).cuts(*table([2.0, 2.0]))) == 0
    huge = EqualWidth(2).cuts(*table([-1.7e308, 1.7e308]))
    assert huge.tolist() == [0.0]


labelled = st.lists(
    st.tuples(st.integers(0, 12).map(float), st.integers(0, 3)), min_size=1, max_size=60
)


@given(labelled)
def test_mdlp_cuts_where_its_naive_twin_does(pairs):
    values, classes = zip(*pairs, strict=True)
    assert MDLP("y").cuts(*table(values, classes)) == pytest.approx(mdlp_cuts(pairs))


def test_mdlp_finds_planted_cuts():
    rng = np.random.default_rng(1)
    values = rng.uniform(0, 10, 2000)
    classes = (values > 3).astype(int) + (values > 7)
    classes = np.where(rng.random(2000) < 0.1, rng.integers(0, 3, 2000), classes)
    cuts = MDLP("y").cuts(*table(values.tolist(), classes.tolist()))
    assert cuts == pytest.approx([3, 7], abs=0.05)
    assert cuts == pytest.approx(mdlp_cuts(list(zip(values, classes, strict=True))))
    noise = rng.integers(0, 2, 2000).tolist()
    assert len(MDLP("y").cuts(*table(values.tolist(), noise))) == 0


def test_mdlp_cut_between_neighbouring_floats_stays_between():
    low = 1.0
    high = np.nextafter(low, 2)
    values = [low] * 20 + [high] * 20
    cuts = MDLP("y").cuts(*table(values, [0] * 20 + [1] * 20))
    assert cuts.tolist() == [low]


def test_mdlp_with_very_many_classes():
    values = np.repeat(np.arange(700.0), 2)
    classes = np.repeat(np.arange(700), 2)
    cuts = MDLP("y").cuts(*table(values.tolist(), classes.tolist()))
    assert np.isfinite(cuts).all()


def test_intervals_are_closed_above():
    data = Dataset.from_any(
        {"x": [0.0, 0.5, 0.51, 2.0, 9.5], "y": [0, 1, 0, 1, 1]}, discretize="cuts:0.5,2"
    )
    assert data.to_dict()["x"] == ["(-inf, 0.5]"] * 2 + ["(0.5, 2]"] * 2 + ["(2, inf)"]


def test_intervals_nobody_is_in_are_kept():
    data = Dataset.from_any({"x": [0.5, 0.75], "y": [0, 1]}, discretize={"x": Cuts((0.6, 5, 9))})
    assert data.levels[0] == ("(-inf, 0.6]", "(0.6, 5]", "(5, 9]", "(9, inf)")


def test_labels_have_as_many_digits_as_keep_them_apart():
    assert interval_labels(np.array([])) == ("(-inf, inf)",)
    assert interval_labels(np.array([1 / 3]))[0] == "(-inf, 0.3333]"
    assert interval_labels(np.array([1.00001, 1.00002]))[1] == "(1.00001, 1.00002]"
    close = np.array([0.1, np.nextafter(0.1, 1)])
    assert len(set(interval_labels(close))) == 3


def test_one_rule_for_all_goes_to_columns_with_fractions():
    source = {"x": [0.5, 1.5, 2.5, 3.5], "whole": [1.0, 2.0, 2.0, 1.0], "n": [1, 2, 3, 1]}
    for container in (source, pd.DataFrame(source)):
        data = Dataset.from_any(container, discretize=Quantile(2))
        assert data.levels == (("(-inf, 1.5]", "(1.5, inf)"), (1, 2), (1, 2, 3))
    named = Dataset.from_any(source, discretize={"x": Quantile(2), "n": "cuts:2"})
    assert named.levels[2] == ("(-inf, 2]", "(2, inf)")


def test_a_domain_goes_before_the_rule_for_all():
    source = {"x": [0.5, 1.5], "y": [0.25, 0.75]}
    data = Dataset.from_any(source, discretize="cuts:0.5", levels={"x": [0.5, 1.5]})
    assert data.levels == ((0.5, 1.5), ("(-inf, 0.5]", "(0.5, inf)"))


def test_gaps_are_no_numbers():
    source = {"x": [0.5, None, 1.5, 2.5, 7.5], "y": [0, 1, 1, 0, 1]}
    kept = Dataset.from_any(source, discretize="quantile:2", missing="level")
    assert kept.levels[0] == ("(-inf, 1.5]", "(1.5, inf)", "(missing)")
    assert kept.codes("x").tolist() == [0, 2, 0, 1, 1]
    dropped = Dataset.from_any(source, discretize="quantile:2", missing="drop")
    left = {"x": [0.5, 1.5, 2.5, 7.5], "y": [0, 1, 0, 1]}
    assert dropped == Dataset.from_any(left, discretize="quantile:2")
    with pytest.raises(DataError, match=re.escape("missing cells: 'x' 1 (of 5 rows)")):
        Dataset.from_any(source, discretize="quantile:2")


def test_a_class_column_guides_the_cuts():
    rng = np.random.default_rng(0)
    x = rng.normal(size=500)
    y = np.where((x > 0.25) ^ (rng.random(500) < 0.05), "yes", "no")
    for wish in ("mdlp:y", {"x": MDLP("y")}):
        data = Dataset.from_any({"x": x, "y": y}, discretize=wish)
        assert data.arities == (2, 2)
    twin = mdlp_cuts(list(zip(x.tolist(), y.tolist(), strict=True)))
    assert data.levels[0] == interval_labels(np.array(twin))


def test_a_class_column_may_itself_be_cut():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    source = {"x": x, "y": x + rng.normal(size=300) / 4}
    data = Dataset.from_any(source, discretize={"x": "mdlp:y", "y": "quantile:2"})
    twin = mdlp_cuts(list(zip(x.tolist(), data.codes("y").tolist(), strict=True)))
    assert data.levels[0] == interval_labels(np.array(twin))


@given(labelled.filter(lambda pairs: len(pairs) > 1))
@pytest.mark.filterwarnings("ignore::stigmergy.DataWarning")
def test_weights_count_as_repeated_rows(pairs):
    pairs = [(value + 0.5, label) for value, label in pairs]
    weights = [1 + i % 3 for i in range(len(pairs))]
    long = [pair for pair, w in zip(pairs, weights, strict=True) for _ in range(w)]
    for wish in ("quantile:3", "width:3", "mdlp:y"):
        short = Dataset.from_any(
            {"x": [x for x, _ in pairs], "y": [y for _, y in pairs]},
            weights=weights,
            discretize={"x": wish},
        )
        full = Dataset.from_any(
            {"x": [x for x, _ in long], "y": [y for _, y in long]}, discretize={"x": wish}
        )
        assert short.levels == full.levels


def test_cuts_that_tell_nothing_leave_a_constant_and_say_so():
    rng = np.random.default_rng(0)
    source = {"x": rng.normal(size=200), "y": rng.integers(0, 2, 200)}
    with pytest.warns(DataWarning, match="constant, so independent of everything: 'x'"):
        data = Dataset.from_any(source, discretize="mdlp:y")
    assert data.levels[0] == ("(-inf, inf)",)


def test_rules_by_name():
    assert as_discretizer("width:4") == EqualWidth(4)
    assert as_discretizer("quantile:5") == Quantile(5)
    assert as_discretizer("cuts:0,1.5") == Cuts((0.0, 1.5))
    assert as_discretizer("mdlp:my class") == MDLP("my class")
    assert as_discretizer(Quantile(3)) == Quantile(3)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ("quantile", "discretize must be 'width:K', 'quantile:K', 'cuts:C1,C2,...' or 'mdlp:CLASS"),
        ("quantile:x", "got 'quantile:x'"),
        ("deciles:10", "got 'deciles:10'"),
        ("mdlp:", "got 'mdlp:'"),
        ("cuts:a", "got 'cuts:a'"),
        (5, "or an object of them, got 5"),
        (Quantile, "or an object of them, got <class"),
        ("quantile:1", "intervals must be an integer in 2 .. 65,535, got 1"),
        ("width:70000", "intervals must be an integer in 2 .. 65,535, got 70000"),
        ("cuts:2,1", "points of Cuts must be finite and increasing, at least one, got (2.0, 1.0)"),
        ("cuts:inf", "points of Cuts must be finite and increasing"),
        ({"x": "deciles"}, "got 'deciles'"),
    ],
)
def test_rules_that_make_no_sense(wish, message):
    with pytest.raises(ParameterError, match=re.escape(message)):
        Dataset.from_any({"x": [0.5, 1.5]}, discretize=wish)


@pytest.mark.parametrize(
    ("source", "wishes", "message"),
    [
        (
            {"x": [0.5, 1.5]},
            {"discretize": {"z": "width:2"}},
            "discretize names columns that do not",
        ),
        (
            {"x": [0.5, 1.5]},
            {"discretize": {"x": "width:2"}, "levels": {"x": [0.5, 1.5]}},
            "give levels or discretize for a column, not both: 'x'",
        ),
        (
            {"x": [0.5, 1.5]},
            {"discretize": "mdlp:y"},
            "discretize looks at the class column 'y', which must be a column",
        ),
        (
            {"x": [0.5, 1.5], "y": [0.5, 1.5]},
            {"discretize": {"x": "mdlp:y", "y": "mdlp:x"}},
            "a column that is not discretized by a class itself",
        ),
        (
            {"x": [0.5, 1.5], "y": [0.5, 1.5]},
            {"discretize": {"x": "mdlp:y"}},
            "column 'y' holds real numbers (0.5 for one)",
        ),
        (
            {"x": ["a", "b"]},
            {"discretize": {"x": "width:2"}},
            "column 'x' must hold numbers, got 'a'",
        ),
        (
            {"x": [0.5, float("inf")]},
            {"discretize": "width:2"},
            "column 'x' holds infinite numbers; numbers must be finite",
        ),
    ],
)
def test_columns_that_cannot_be_cut(source, wishes, message):
    with pytest.raises(DataError, match=re.escape(message)):
        Dataset.from_any(source, **wishes)


def test_a_way_that_is_nearly_right():
    with pytest.raises(ParameterError, match="got 'quantil:3'; did you mean 'quantile:3'\\?"):
        as_discretizer("quantil:3")
