# SPDX-License-Identifier: MIT
"""Learners behave as scikit-learn's estimators do, as far as that applies."""

import inspect
import pickle
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import check_estimator

from stigmergy import DataError, DataWarning, ParameterError, learn_structure, networks
from stigmergy import estimator as module
from stigmergy.estimator import SHARED, StructureLearner, learners
from stigmergy.search import AcoE
from stigmergy.search.registry import describe

ASIA = networks.load("asia").sample(500, seed=5)
LEARNERS = sorted(learners().items())

# Checks of scikit-learn that do not apply, and why.
NOT_APPLICABLE = {
    "check_array_api_input": "scikit-learn makes it only where the variable SCIPY_ARRAY_API asks "
    "for arrays of other libraries; data reaches a learner through Dataset, which reads them all",
}


@pytest.mark.parametrize(
    "learner",
    [StructureLearner("greedy-e"), *(made(max_iter=1, max_parents=1) for _, made in LEARNERS)],
    ids=["StructureLearner", *(name for name, _ in LEARNERS)],
)
@pytest.mark.filterwarnings("ignore::stigmergy.DataWarning")
def test_scikit_learn_agrees(learner):
    checks = check_estimator(learner, on_fail=None, on_skip=None)
    found = {check["check_name"]: check["exception"] for check in checks if check["exception"]}
    assert set(found) == set(NOT_APPLICABLE), found
    assert len(checks) > 30


@pytest.mark.parametrize(("name", "learner"), LEARNERS)
def test_every_algorithm_has_a_learner_with_its_parameters(name, learner):
    assert getattr(module, name) is learner
    parameters = learner().get_params()
    for parameter in describe(learner.search).parameters:
        assert parameters[parameter.name] is parameter.default
    own = {parameter.name for parameter in describe(learner.search).parameters}
    assert own.isdisjoint(parameter.name for parameter in SHARED)
    assert set(parameters) == own | {parameter.name for parameter in SHARED}
    assert learner.__doc__.startswith(describe(learner.search).summary)


def test_fit_gives_what_learn_structure_gives():
    frame = ASIA.to_pandas()
    learner = module.AcoELearner(ants=3, iterations=2, ess=2, seed=1, roots=["asia"])
    assert learner.fit(frame) is learner
    same = learn_structure(frame, "aco-e", ants=3, iterations=2, ess=2, seed=1, roots=["asia"])
    assert learner.result_ == same
    assert (learner.cpdag_, learner.dag_, learner.score_) == (same.cpdag, same.dag, same.score)
    assert list(learner.feature_names_in_) == list(ASIA.names)
    assert learner.n_features_in_ == 8
    general = StructureLearner("aco-e", parameters={"ants": 3, "iterations": 2}, ess=2, seed=1)
    assert general.set_params(roots=["asia"]).fit(frame).result_ == same
    objects = StructureLearner(AcoE(ants=3, iterations=2), ess=2, seed=1, roots=["asia"])
    assert objects.fit(ASIA).result_ == same


def test_arrays_get_names_by_place():
    array = np.array([[0, 1], [1, 0], [0, 1], [1, 1]] * 9)
    learner = module.GreedyELearner().fit(ASIA).fit(array)
    assert learner.cpdag_.skeleton == (("x0", "x1"),)
    assert not hasattr(learner, "feature_names_in_")
    assert learner.n_features_in_ == 2


def test_learners_are_cloned_and_pickled():
    learner = module.PCLearner(alpha=0.01, max_parents=3)
    assert clone(learner).get_params() == learner.get_params()
    fitted = pickle.loads(pickle.dumps(learner.fit(ASIA)))
    assert fitted.result_ == learner.result_
    assert fitted.get_params() == learner.get_params()
    assert "alpha=0.01" in repr(learner)


def test_wrong_parameters_are_told_at_fit():
    with pytest.raises(ParameterError, match="ants must be an integer >= 1, got 0"):
        module.AcoELearner(ants=0).fit(ASIA)
    with pytest.raises(ParameterError, match="unknown parameter of aco-e 'antz'; did you mean"):
        StructureLearner(parameters={"antz": 0}).fit(ASIA)
    with pytest.raises(ValueError, match="Invalid parameter 'antz' for estimator"):
        module.AcoELearner().set_params(antz=0)
    with pytest.raises(TypeError, match="antz"):
        module.AcoELearner(antz=0)
    with pytest.raises(AttributeError, match="no attribute 'AcoFLearner'"):
        _ = module.AcoFLearner


def test_fractions_are_refused_or_discretized():
    numbers = np.random.default_rng(1).normal(size=(100, 2))
    with pytest.raises(DataError, match="column 'x0' holds real numbers"):
        module.GreedyELearner().fit(numbers)
    learner = module.GreedyELearner(discretize="quantile:3").fit(numbers)
    assert len(learner.result_.levels["x0"]) == 3


def test_one_row_is_a_warning():
    with pytest.warns(DataWarning, match="one row"):
        module.GreedyELearner().fit(np.array([[1, 2]]))


def test_the_module_lists_its_learners():
    assert set(dir(module)) == {"StructureLearner", "learners", *learners()}
    signature = inspect.signature(module.GreedyELearner)
    assert "max_parents" in signature.parameters


def test_without_scikit_learn():
    code = """
import sys
sys.modules["sklearn"] = None
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "sklearn" else found(name, *rest)
import numpy as np
from stigmergy.estimator import AcoELearner
learner = AcoELearner(ants=2, iterations=2)
assert learner.set_params(ants=3).get_params()["ants"] == 3
assert repr(learner) == "AcoELearner(ants=3, iterations=2)", repr(learner)
learner.fit(np.array([[0, 1], [1, 0], [0, 1], [1, 1]] * 9))
print(learner.cpdag_)
for wrong in ({"antz": 1}, {}):
    try:
        learner.set_params(**wrong) if wrong else learner.fit(np.array([1, 2]))
    except ValueError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second, third = done.stdout.splitlines()
    assert first == "x0 - x1"
    assert second.startswith("Invalid parameter 'antz' for estimator AcoELearner.")
    assert third == "X must have two dimensions, got 1"
