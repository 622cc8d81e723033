# SPDX-License-Identifier: MIT
"""What every algorithm of the registry promises, whoever adds it: the list is the registry's."""

import time

import numpy as np
import pytest

from oracles import exact as brute_force
from stigmergy import BDeu, Dag, Dataset, Knowledge, Scorer, algorithms, networks
from stigmergy.search import Budget
from stigmergy.search.exact import Exact, optimal_classes

#: Parameters with which those that would take seconds take less.
QUICK = {
    "aco-b": {"ants": 4, "iterations": 10},
    "aco-e": {"ants": 4, "iterations": 10},
    "aco-k2sn": {"ants": 3, "iterations": 5},
    "annealing": {"tries": 200, "coolings": 40},
    "epq": {"population": 20, "generations": 30},
    "ihc": {"rounds": 10},
    "ils": {"rounds": 10},
    "pbil": {"population": 20, "generations": 20},
    "umda": {"population": 50, "generations": 10},
}
KNOWLEDGE = Knowledge(
    required_edges=[("xray", "asia")],
    forbidden_edges=[("lung", "smoke"), ("tub", "either"), ("either", "tub")],
    tiers=[["smoke", "xray"], ["bronc"]],
)


def quick(algorithm):
    return algorithm.search(**QUICK.get(algorithm.name, {}))


every_algorithm = pytest.mark.parametrize("algorithm", algorithms(), ids=lambda found: found.name)


def asia(n_rows=500):
    return networks.load("asia").sample(n_rows, seed=1)


def check(result, scorer):
    """Check that class, DAG and score of a result belong together, and the parent limit."""
    assert result.dag.to_cpdag() == result.cpdag
    assert result.score == pytest.approx(scorer.score_graph(result.dag), abs=1e-6)
    limit = scorer.n_nodes if scorer.max_parents is None else scorer.max_parents
    assert all(len(result.dag.parents(name)) <= limit for name in scorer.names)


def first_columns(data, n_variables):
    names = sorted(data.names)[:n_variables]
    levels = dict(zip(data.names, data.levels, strict=True))
    return Dataset.from_codes([data.codes(x) for x in names], names, [levels[x] for x in names])


@pytest.mark.parametrize(
    ("name", "n_variables", "max_parents"),
    [
        ("cancer", 5, None),
        ("asia", 8, None),
        ("sachs", 11, 4),
        ("child", 11, 3),
        ("insurance", 11, 3),
    ],
)
def test_nothing_beats_exact_search(name, n_variables, max_parents):
    scorer = Scorer(
        first_columns(networks.load(name).sample(500, 11), n_variables), max_parents=max_parents
    )
    exact = Exact().run(scorer)
    assert exact.details["proved"]
    assert exact.details["all_optima"]
    assert exact.cpdag == optimal_classes(exact)[0]
    for best in optimal_classes(exact):
        assert scorer.score_graph(best.to_dag()) == pytest.approx(exact.score, abs=2e-6)
    for algorithm in algorithms():
        for seed in (1, 2):
            assert quick(algorithm).run(scorer, seed=seed).score <= exact.score + 1e-6


@pytest.mark.parametrize("name", ["cancer", "earthquake", "survey", "asia", "sachs"])
@pytest.mark.parametrize(("n_variables", "max_parents"), [(4, None), (4, 1), (5, None), (5, 2)])
def test_exact_search_finds_what_trying_every_dag_finds(name, n_variables, max_parents):
    data = first_columns(networks.load(name).sample(300, 7), n_variables)
    names = sorted(data.names)
    knowledge = Knowledge(required_edges=[(names[2], names[0])], forbidden_edges=[tuple(names[:2])])
    for known in (Knowledge(), knowledge):
        scorer = Scorer(data, BDeu(2.0), max_parents=max_parents, knowledge=known)

        def family(child, parents, scorer=scorer):
            return scorer.family(names[child], [names[p] for p in parents])

        best, dags = brute_force.best_dags(
            family,
            n_variables,
            max_parents,
            required={(2, 0)} if known is knowledge else (),
            forbidden={(0, 1)} if known is knowledge else (),
        )
        result = Exact().run(scorer)
        assert result.score == pytest.approx(best, abs=1e-6)
        classes = {Dag(names, [(names[x], names[y]) for x, y in dag]).to_cpdag() for dag in dags}
        assert set(optimal_classes(result)) == classes


@every_algorithm
@pytest.mark.parametrize("max_parents", [1, 2, None])
def test_knowledge_and_parent_limits_are_obeyed(algorithm, max_parents):
    scorer = Scorer(asia(), max_parents=max_parents, knowledge=KNOWLEDGE)
    result = quick(algorithm).run(scorer, seed=2)
    check(result, scorer)
    arcs = set(result.dag.arcs)
    assert ("xray", "asia") in arcs
    assert not {("lung", "smoke"), ("tub", "either"), ("either", "tub")} & arcs
    assert not {("bronc", "smoke"), ("bronc", "xray")} & arcs


@every_algorithm
def test_a_seed_fixes_the_answer_whatever_the_threads_and_columns(algorithm):
    data = asia()
    levels = dict(zip(data.names, data.levels, strict=True))
    order = np.random.default_rng(0).permutation(data.names)
    moved = Dataset.from_codes(
        [data.codes(name) for name in order], list(order), [levels[name] for name in order]
    )
    first, *others = [
        quick(algorithm).run(Scorer(columns, n_threads=threads), seed=7)
        for columns, threads in ((data, 1), (data, 3), (moved, 1))
    ]
    check(first, Scorer(data))
    for other in others:
        assert (other.dag, other.score) == (first.dag, first.score)
        assert other.evaluations == first.evaluations
        assert [row._replace(seconds=0) for row in other.trace] == [
            row._replace(seconds=0) for row in first.trace
        ]


@every_algorithm
@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        (Budget(seconds=0), "time limit"),
        (Budget(iterations=0), "iteration limit"),
        (Budget(evaluations=0), "evaluation limit"),
    ],
    ids=["seconds", "iterations", "evaluations"],
)
def test_budgets_of_nothing_leave_a_graph_that_obeys(algorithm, budget, reason):
    scorer = Scorer(asia(), knowledge=KNOWLEDGE)
    result = quick(algorithm).run(scorer, budget=budget)
    check(result, scorer)
    assert result.stop == reason
    assert ("xray", "asia") in result.dag.arcs


@pytest.fixture(scope="module")
def munin():
    return networks.load("munin1").sample(1000, seed=1)


@pytest.mark.parametrize(
    "algorithm",
    [found for found in algorithms() if found.name != "exact"],  # which takes at most 30 variables
    ids=lambda found: found.name,
)
def test_time_is_kept_on_186_variables(algorithm, munin):
    scorer = Scorer(munin, max_parents=5)
    begun = time.monotonic()
    result = algorithm.search().run(scorer, budget=Budget(seconds=0.2))
    assert (
        time.monotonic() - begun < 5
    )  # a busy machine; what does not look at the clock takes more
    check(result, scorer)


@every_algorithm
def test_an_interruption_leaves_the_best_so_far(algorithm):
    def interrupt(run):
        raise KeyboardInterrupt

    scorer = Scorer(asia())
    result = quick(algorithm).run(scorer, observer=interrupt)
    check(result, scorer)
    assert result.stop == "interrupted"


@every_algorithm
def test_evaluations_and_best_scores_never_fall(algorithm):
    result = quick(algorithm).run(Scorer(asia()), seed=3)
    assert result.trace
    for column in ("evaluations", "distinct_evaluations", "best_score"):
        values = [getattr(row, column) for row in result.trace]
        assert values == sorted(values)
    assert result.distinct_evaluations <= result.evaluations
    assert result.settings.keys() >= {parameter.name for parameter in algorithm.parameters}


@every_algorithm
def test_the_docstring_names_its_publication(algorithm):
    """Author, year, title, and no parameter without a word on it."""
    text = algorithm.search.__doc__
    _, _, references = text.partition("References\n    ----------")
    assert "(19" in references or "(20" in references
    assert all(parameter.summary for parameter in algorithm.parameters)
