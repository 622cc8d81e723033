# SPDX-License-Identifier: MIT
"""The one call: from a table to the structure of a network."""

from __future__ import annotations

import difflib
import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from stigmergy.checks import is_integer
from stigmergy.dataset import Dataset, Level, Missing
from stigmergy.errors import ParameterError
from stigmergy.graph import Dag, Graph, Pdag
from stigmergy.knowledge import Knowledge
from stigmergy.prior import KappaPrior, StructurePrior, UniformPrior
from stigmergy.progress import Progress, wants_progress
from stigmergy.result import Result
from stigmergy.scorer import Scorer
from stigmergy.scores import AIC, BIC, K2, BDeu, LogLikelihood
from stigmergy.search.base import Run, Search
from stigmergy.search.budget import Budget, check_number, check_seconds
from stigmergy.search.registry import algorithms, make_search, unknown

if TYPE_CHECKING:
    import numpy.typing as npt

Arcs = Iterable[Sequence[str]]

#: Names of other libraries for our arguments.
ALIASES = {
    "random_state": "seed",
    "maxp": "max_parents",
    "max_indegree": "max_parents",
    "palim": "max_parents",
    "iss": "ess",
    "equivalent_sample_size": "ess",
}

#: Names that others use and that mean something else here, or one of several things.
HINTS = {
    "whitelist": "required_edges (edges that must be there) or allowed_edges (no others may be)",
    "blacklist": "forbidden_edges",
    "verbose": "progress",
    "max_time": "time_limit",
    "timeout": "time_limit",
    "epochs": "max_iter",
    "sep": "data=Dataset.from_file(path, delimiter=...)",
    "delimiter": "data=Dataset.from_file(path, delimiter=...)",
    "header": "data=Dataset.from_file(path, header=...)",
    "encoding": "data=Dataset.from_file(path, encoding=...)",
}

SCORES: dict[str, Callable[[], Any]] = {
    "bdeu": BDeu,
    "k2": K2,
    "bic": BIC,
    "aic": AIC,
    "log-likelihood": LogLikelihood,
}


def learn_structure(
    data: Any,
    algorithm: str | Search = "aco-e",
    score: str | Any = "bdeu",
    *,
    ess: float | None = None,
    kappa: float = 1.0,
    prior: StructurePrior | None = None,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    required_edges: Arcs = (),
    forbidden_edges: Arcs = (),
    allowed_edges: Arcs | None = None,
    tiers: Iterable[Iterable[str]] = (),
    roots: Iterable[str] = (),
    leaves: Iterable[str] = (),
    start: Dag | Pdag | Result | str | os.PathLike[str] | None = None,
    time_limit: float | None = None,
    max_iter: int | None = None,
    max_evaluations: int | None = None,
    stagnation: int | None = None,
    budget: Budget | None = None,
    seed: int = 0,
    n_jobs: int = 1,
    callback: Callable[[Run], object] | None = None,
    progress: bool | Literal["auto"] = "auto",
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 60.0,
    resume: str | os.PathLike[str] | None = None,
    truth: Dag | Pdag | Result | str | os.PathLike[str] | None = None,
    names: Sequence[str] | None = None,
    levels: Mapping[str, Sequence[Level]] | None = None,
    missing: Missing = "error",
    discretize: Any = None,
    weights: npt.ArrayLike | str | None = None,
    drop: str | Iterable[str] | None = None,
    **parameters: Any,
) -> Result:
    """Learn the structure of a Bayesian network from discrete data.

    Parameters
    ----------
    data
        A `Dataset`, or anything that `Dataset.from_any` takes: a pandas, polars or pyarrow frame,
        an array, a dict of columns, the path of a CSV, Parquet or Arrow file.
    algorithm : str or Search
        A name (`stigmergy.algorithms` lists them) or an object such as ``AcoE(ants=20)``.
    score : str or score
        ``"bdeu"``, ``"k2"``, ``"bic"``, ``"aic"``, ``"log-likelihood"``, or an object such as
        ``BDeu(ess=4)``.
    ess : float, optional
        Equivalent sample size of ``"bdeu"``, 1 by default. Others call it iss,
        equivalent_sample_size, alpha, sample_prior or N'.
    kappa : float
        Prior over structures: each edge costs log(kappa). 1 is the uniform prior.
    prior : structure prior, optional
        An object instead of `kappa`.
    max_parents : int, optional
        Most parents of a node.
    knowledge : Knowledge, optional
        What is known about edges, as one object instead of the six arguments below.
    required_edges, forbidden_edges, allowed_edges, tiers, roots, leaves
        What is known about edges; see `Knowledge`. Contradictions are explained before the search.
    start : Dag, Pdag, Cpdag, Result or path of a structure file, optional
        Where the search begins; the graph of the required edges by default.
    time_limit : float, optional
        Seconds from the call on, reading of the data included. The best so far is the result.
    max_iter, max_evaluations, stagnation : int, optional
        End after so many iterations, score evaluations, iterations without a better score.
    budget : Budget, optional
        Limits as one object, instead of the four arguments above.
    seed : int
        Fixes every random choice; the result is the same at any `n_jobs`.
    n_jobs : int
        Threads; -1 for all cores.
    callback : callable, optional
        Called with the `Run` after every iteration.
    progress : bool or "auto"
        Whether to show the course of the run; by default in a terminal and in a notebook, when it
        takes more than a second.
    checkpoint : path, optional
        A file that keeps the state of the search, written after the first iteration, every
        `checkpoint_every` seconds, and after the last iteration that was not cut short.
    resume : path, optional
        A checkpoint to go on from; the result is that of a run that was never disturbed.
    truth : Dag, Pdag, Cpdag, Result or path of a structure file, optional
        A true network; the distance to it becomes part of the trace.
    names, levels, missing, discretize, weights, drop
        How a table becomes a `Dataset`; see `Dataset.from_any`.
    **parameters
        Parameters of the algorithm, such as ``ants=20``. The names that other libraries give to
        arguments are understood too: random_state (seed); maxp, max_indegree, palim (max_parents);
        iss, equivalent_sample_size (ess).

    Returns
    -------
    Result
        Ctrl-C ends the search early, and the best so far is the result.

    Raises
    ------
    DataError
        For data that cannot be read, or only by guessing.
    KnowledgeError
        For knowledge that cannot be met.
    ParameterError
        For unknown names, with those that are close, and values outside of their domain.

    Examples
    --------
    >>> from stigmergy import learn_structure, networks
    >>> data = networks.load("asia").sample(2000, seed=1)
    >>> result = learn_structure(data, "greedy-e")
    >>> ("bronc", "dysp") in result.cpdag.skeleton
    True
    """
    check_seconds("time_limit", time_limit)
    check_number("max_iter", max_iter)
    check_number("max_evaluations", max_evaluations)
    limits = _budget(budget, time_limit, max_iter, max_evaluations, stagnation).begin()
    given = _without_aliases(parameters, seed=seed, max_parents=max_parents, ess=ess)
    _check_names(parameters)
    search = make_search(algorithm, parameters)
    known = _knowledge(
        knowledge, required_edges, forbidden_edges, allowed_edges, tiers, roots, leaves
    )
    scoring = make_score(score, given["ess"])
    table = _dataset(
        data,
        names=names,
        levels=levels,
        missing=missing,
        discretize=discretize,
        weights=weights,
        drop=drop,
    )
    scorer = Scorer(
        table,
        scoring,
        prior=make_prior(kappa, prior),
        max_parents=given["max_parents"],
        knowledge=known,
        n_threads=n_threads(n_jobs),
    )
    keeping: dict[str, Any] = {}
    if checkpoint is not None or resume is not None:
        keeping = {"checkpoint": checkpoint, "every": checkpoint_every, "resume": resume}
    if callback is not None and not callable(callback):
        raise ParameterError(f"callback must be a function of the Run, got {callback!r}")
    observers: list[Callable[[Run], object]] = [] if callback is None else [callback]
    with Progress(search.name, enabled=wants_progress(progress)) as shown:
        observers.append(shown.update)
        return search.run(
            scorer,
            seed=given["seed"],
            budget=limits,
            start=_graph("start", start),
            observer=lambda run: [observer(run) for observer in observers],
            truth=_graph("truth", truth),
            **keeping,
        )


def _budget(budget: Budget | None, *limits: Any) -> Budget:
    if budget is None:
        return Budget(*limits)
    if not isinstance(budget, Budget):
        raise ParameterError(f"budget must be a Budget(...), got {budget!r}")
    if any(limit is not None for limit in limits):
        raise ParameterError(
            "give budget, or time_limit, max_iter, max_evaluations and stagnation, not both"
        )
    return budget


def _check_names(parameters: Mapping[str, Any]) -> None:
    """Refuse an argument whose name is nearly one of `learn_structure`'s own."""
    own = list(inspect.signature(learn_structure).parameters)
    of_algorithms = {name for a in algorithms() for name in inspect.signature(a.search).parameters}
    for name in parameters:
        hint = HINTS.get(name.lower().replace("white_", "white").replace("black_", "black"))
        if hint is not None:
            raise ParameterError(f"unknown argument {name!r}; what is meant is {hint}")
        close = difflib.get_close_matches(name, [*own, *ALIASES, *sorted(of_algorithms)], n=1)
        if name not in {*ALIASES, *of_algorithms} and close and close[0] in own:
            raise ParameterError(f"unknown argument {name!r}; did you mean {close[0]!r}?")


def _without_aliases(parameters: dict[str, Any], **given: Any) -> dict[str, Any]:
    """Move what came under another library's name into the arguments it means."""
    defaults: dict[str, Any] = {"seed": 0, "max_parents": None, "ess": None}
    for alias in [name for name in parameters if name in ALIASES]:
        name = ALIASES[alias]
        if given[name] != defaults[name]:
            raise ParameterError(f"{alias} is another name of {name}; give one of them")
        given[name] = parameters.pop(alias)
        defaults[name] = object()  # a second alias of the same argument is one too many
    return given


def _knowledge(
    knowledge: Knowledge | None,
    required_edges: Arcs,
    forbidden_edges: Arcs,
    allowed_edges: Arcs | None,
    tiers: Iterable[Iterable[str]],
    roots: Iterable[str],
    leaves: Iterable[str],
) -> Knowledge:
    single = Knowledge(required_edges, forbidden_edges, allowed_edges, tiers, roots, leaves)
    if knowledge is None:
        return single
    if not isinstance(knowledge, Knowledge):
        raise ParameterError(f"knowledge must be a Knowledge(...), got {knowledge!r}")
    if not single.is_empty:
        raise ParameterError(
            f"give knowledge or {', '.join(single.to_dict())}, not both; "
            "Knowledge(...) takes them all"
        )
    return knowledge


def make_score(score: str | Any, ess: float | None = None) -> Any:
    """Return a score from its name; a score that is ready goes through."""
    if isinstance(score, str):
        name = score.lower().replace("_", "-")
        if name not in SCORES:
            raise ParameterError(unknown("score", score, SCORES))
        if name == "bdeu":
            return BDeu(1.0 if ess is None else ess)
        if ess is not None:
            raise ParameterError(f"ess belongs to score='bdeu', got ess={ess!r} with {name!r}")
        return SCORES[name]()
    if ess is not None:
        raise ParameterError(
            f"ess belongs to score='bdeu', got ess={ess!r} with score={score!r}; "
            "give BDeu its own: BDeu(ess=...)"
        )
    return score


def make_prior(kappa: float, prior: StructurePrior | None = None) -> StructurePrior:
    """Return the structure prior that costs log(kappa) per edge, or the one given."""
    if prior is None:
        return UniformPrior() if kappa == 1 else KappaPrior(kappa)
    if kappa != 1:
        raise ParameterError(f"give kappa or prior, not both, got kappa={kappa!r}, prior={prior!r}")
    return prior


def _dataset(data: Any, **reading: Any) -> Dataset:
    if not isinstance(data, Dataset):
        return Dataset.from_any(data, **reading)
    defaults = {"missing": "error"}

    def is_default(name: str, value: Any) -> bool:
        default = defaults.get(name)  # only a text is compared: arrays have no one truth value
        return value is default or (isinstance(value, str) and value == default)

    given = [name for name, value in reading.items() if not is_default(name, value)]
    if given:
        raise ParameterError(
            f"{', '.join(given)}: these say how a table becomes a Dataset, and data is one already"
        )
    return data


def n_threads(n_jobs: int) -> int:
    """Return how many threads `n_jobs` means; -1 stands for all cores that may be used."""
    if not is_integer(n_jobs) or (n_jobs < 1 and n_jobs != -1):
        raise ParameterError(f"n_jobs must be an integer >= 1, or -1 for all cores, got {n_jobs!r}")
    if n_jobs > 0:
        return int(n_jobs)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _graph(name: str, given: Any) -> Any:
    if isinstance(given, Result):
        return given.cpdag
    if given is None or isinstance(given, Graph):
        return given
    if isinstance(given, str | os.PathLike):
        from stigmergy.io.structure import read_structure

        return read_structure(given)
    raise ParameterError(
        f"{name} must be a Dag, Pdag, Cpdag, Result or the path of a structure file, got {given!r}"
    )
