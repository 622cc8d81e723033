# SPDX-License-Identifier: MIT
"""Learners in the manner of scikit-learn: parameters in the constructor, `fit`, results with `_`.

`StructureLearner` takes any algorithm by its name. There is one more class for each algorithm, with
the algorithm's parameters as its own: ``AcoELearner(ants=50)``; `learners` lists them. They are
scikit-learn's estimators when it is installed, and behave alike when it is not.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from stigmergy.errors import ParameterError
from stigmergy.learn import learn_structure
from stigmergy.search.base import Search
from stigmergy.search.registry import algorithms, describe

if TYPE_CHECKING:
    from stigmergy.graph import Cpdag, Dag
    from stigmergy.result import Result

_HAS_SKLEARN = importlib.util.find_spec("sklearn") is not None

if _HAS_SKLEARN:
    from sklearn.base import BaseEstimator
    from sklearn.utils.validation import validate_data
else:
    from stigmergy.estimator_base import BaseEstimator


class _Learner(BaseEstimator):  # type: ignore[misc]
    """What all learners do: read, learn, keep the result.

    Attributes
    ----------
    result_ : Result
        Everything that there is to know of the run.
    cpdag_ : Cpdag
        The equivalence class found.
    dag_ : Dag
        A member of the class.
    score_ : float
        The score of the class in nats.
    n_features_in_ : int
        How many variables were seen.
    feature_names_in_ : ndarray of str
        Their names; only when the data had names. Columns of an array are called x0, x1, ...
    """

    def fit(self, X: Any, y: None = None) -> Self:
        """Learn the structure of a network over the columns of X.

        Parameters
        ----------
        X
            Anything that `Dataset.from_any` takes: a frame, an array, a path, ...
        y
            Ignored; there is no target.

        Returns
        -------
        self
        """
        arguments = self._arguments()
        reading = {"levels": arguments["levels"], "missing": arguments["missing"]}
        if isinstance(X, np.ndarray | list) or hasattr(X, "toarray"):
            X, names = self._checked_array(X, allow_missing=reading["missing"] != "error")
        else:
            names = None
        self.result_: Result = learn_structure(X, names=names, progress=False, **arguments)
        self.cpdag_: Cpdag = self.result_.cpdag
        self.dag_: Dag = self.result_.dag
        self.score_: float = self.result_.score
        assert self.result_.levels is not None
        self.n_features_in_: int = len(self.result_.levels)
        if names is None:
            self.feature_names_in_ = np.array(list(self.result_.levels), dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def _arguments(self) -> dict[str, Any]:
        """Return the arguments of `learn_structure`."""
        raise NotImplementedError

    def _values(self) -> dict[str, Any]:
        """Return the parameters by the names that `learn_structure` has for them."""
        values: dict[str, Any] = self.get_params(deep=False)
        # scikit-learn takes anything called `score` for the method that predictors have.
        values["score"] = values.pop("scoring")
        return values

    def _checked_array(self, X: Any, *, allow_missing: bool) -> tuple[Any, list[str]]:
        """Check an array as scikit-learn does, and give its columns names."""
        if _HAS_SKLEARN:
            finite = "allow-nan" if allow_missing else True
            X = validate_data(self, X, dtype=None, ensure_all_finite=finite)
        X = np.asarray(X)
        if X.ndim != 2:
            raise ParameterError(f"X must have two dimensions, got {X.ndim}")
        return X, [f"x{i}" for i in range(X.shape[1])]

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that X holds categories and that there is no target."""
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = getattr(self, "missing", "error") != "error"
        tags.target_tags.required = False
        return tags


class StructureLearner(_Learner):
    """Learns the structure of a Bayesian network by any algorithm.

    Parameters
    ----------
    algorithm : str or Search
        A name (`stigmergy.algorithms` lists them) or an object such as ``AcoE(ants=20)``.
    parameters : mapping, optional
        Parameters of the algorithm, such as ``{"ants": 20}``.
    scoring : str or score
        The `score` of `learn_structure`: ``"bdeu"``, ``BDeu(ess=4)``, ...
    ess, kappa, max_parents, required_edges, forbidden_edges, allowed_edges, tiers, roots, \
leaves, time_limit, max_iter, seed, n_jobs, levels, missing, discretize
        As for `learn_structure`.

    Examples
    --------
    >>> from stigmergy import networks
    >>> from stigmergy.estimator import StructureLearner
    >>> data = networks.load("asia").sample(2000, seed=1)
    >>> learner = StructureLearner("greedy-e", max_parents=2).fit(data)
    >>> len(learner.cpdag_.edges), learner.n_features_in_
    (7, 8)
    """

    def __init__(
        self,
        algorithm: str | Search = "aco-e",
        *,
        parameters: Mapping[str, Any] | None = None,
        scoring: Any = "bdeu",
        ess: float | None = None,
        kappa: float = 1.0,
        max_parents: int | None = None,
        required_edges: Any = (),
        forbidden_edges: Any = (),
        allowed_edges: Any = None,
        tiers: Any = (),
        roots: Any = (),
        leaves: Any = (),
        time_limit: float | None = None,
        max_iter: int | None = None,
        seed: int = 0,
        n_jobs: int = 1,
        levels: Any = None,
        missing: Any = "error",
        discretize: Any = None,
    ) -> None:
        self.algorithm = algorithm
        self.parameters = parameters
        self.scoring = scoring
        self.ess = ess
        self.kappa = kappa
        self.max_parents = max_parents
        self.required_edges = required_edges
        self.forbidden_edges = forbidden_edges
        self.allowed_edges = allowed_edges
        self.tiers = tiers
        self.roots = roots
        self.leaves = leaves
        self.time_limit = time_limit
        self.max_iter = max_iter
        self.seed = seed
        self.n_jobs = n_jobs
        self.levels = levels
        self.missing = missing
        self.discretize = discretize

    def _arguments(self) -> dict[str, Any]:
        arguments = self._values()
        return {**(arguments.pop("parameters") or {}), **arguments}


#: The parameters that learners of one algorithm have besides those of the algorithm.
SHARED = tuple(
    parameter
    for parameter in inspect.signature(StructureLearner).parameters.values()
    if parameter.name not in ("algorithm", "parameters")
)


class _AlgorithmLearner(_Learner):
    """A learner of one algorithm, whose parameters are its own."""

    search: ClassVar[type[Search]]

    def _arguments(self) -> dict[str, Any]:
        arguments = self._values()
        own = {p.name: arguments.pop(p.name) for p in describe(self.search).parameters}
        return {"algorithm": self.search(**own), **arguments}


@cache
def learners() -> dict[str, type[_AlgorithmLearner]]:
    """Return the learner of each algorithm by the name of its class.

    Examples
    --------
    >>> learners()["AcoELearner"](ants=5).get_params()["ants"]
    5
    """
    made = (_learner_of(algorithm.search) for algorithm in algorithms())
    return {learner.__name__: learner for learner in made}


def _learner_of(search: type[Search]) -> type[_AlgorithmLearner]:
    """Make the class of learners for one algorithm."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    own = [
        inspect.Parameter(p.name, keyword, default=p.default) for p in describe(search).parameters
    ]
    taken = {parameter.name for parameter in own}
    shared = [parameter for parameter in SHARED if parameter.name not in taken]
    myself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature = inspect.Signature([myself, *own, *shared])

    def __init__(self: _AlgorithmLearner, **parameters: Any) -> None:
        bound = signature.bind(self, **parameters)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    name = f"{search.__name__}Learner"
    summary = (inspect.getdoc(search) or "").split("\n", 1)[0]
    doc = (
        f"{summary}\n\nThe parameters are those of `{search.__module__}.{search.__name__}`, and "
        "besides algorithm and parameters those of `StructureLearner`."
    )
    content = {
        "__init__": __init__,
        "__doc__": doc,
        "__module__": __name__,
        "__qualname__": name,
        "search": search,
    }
    return type(name, (_AlgorithmLearner,), content)


def __getattr__(name: str) -> Any:
    if name.endswith("Learner") and name in learners():
        return learners()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return ["StructureLearner", "learners", *learners()]
