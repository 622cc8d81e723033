# SPDX-License-Identifier: MIT
"""The one call: what it takes, what it refuses, and that it does what it says."""

import inspect
import math
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest

from stigmergy import (
    BIC,
    BDeu,
    Cpdag,
    Dag,
    DataError,
    Dataset,
    DataWarning,
    KappaPrior,
    Knowledge,
    KnowledgeError,
    ParameterError,
    Scorer,
    algorithms,
    learn_structure,
    networks,
)
from stigmergy.learn import ALIASES, n_threads
from stigmergy.search import AcoE, Budget, GreedyE, Search
from stigmergy.search.registry import Algorithm, describe, make_search

ASIA = networks.load("asia").sample(1000, seed=5)
FRAME = ASIA.to_pandas()


@dataclass(frozen=True)
class Endless(Search):
    """Counts until told to stop.

    Parameters
    ----------
    step
        How far each count goes. Not more.
    """

    name: ClassVar[str] = "endless"
    step: int = 1

    def search(self, run):
        for _ in run.iterations():
            time.sleep(0.001)


# -- the algorithms --------------------------------------------------------------------------------


def test_every_algorithm_is_described():
    found = algorithms()
    assert [a.name for a in found] == sorted(a.name for a in found)
    assert {"aco-e", "greedy-e"} <= {a.name for a in found}
    for algorithm in found:
        assert isinstance(algorithm, Algorithm)
        assert algorithm.summary.endswith("."), algorithm.name
        assert algorithm.name == algorithm.name.lower().replace("_", "-")
        for parameter in algorithm.parameters:
            assert parameter.summary, f"{algorithm.name}: {parameter.name} is not documented"


def test_description_of_a_parameter():
    (parameter,) = describe(Endless).parameters
    assert (parameter.name, parameter.default) == ("step", 1)
    assert parameter.summary == "How far each count goes."


def test_names_and_objects_give_the_same():
    by_name = learn_structure(ASIA, "aco-e", "bdeu", ess=4, ants=3, iterations=2, seed=1)
    by_object = learn_structure(ASIA, AcoE(ants=3, iterations=2), BDeu(ess=4), seed=1)
    assert by_name == by_object
    assert by_name.settings["ants"] == 3
    assert make_search("Greedy_E", {}) == GreedyE()


def test_letters_of_the_paper_are_names_too():
    assert make_search("aco-e", {"m": 3, "t_max": 2}) == AcoE(ants=3, iterations=2)


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"algorithm": "acoe"}, r"unknown algorithm 'acoe'; did you mean 'aco-e'.*There are: .*"),
        ({"algorithm": 7}, r"algorithm must be a name or a Search such as AcoE\(ants=20\), got 7"),
        (
            {"algorithm": "aco-e", "antz": 3},
            r"unknown parameter of aco-e 'antz'; did you mean 'ants'\? There are: ants, .*",
        ),
        ({"algorithm": AcoE(), "ants": 3}, "unknown argument 'ants'"),
        ({"algorithm": "aco-e", "ants": 0}, "ants must be an integer >= 1, got 0"),
        ({"score": "bdue"}, "unknown score 'bdue'; did you mean 'bdeu'"),
        ({"score": "bic", "ess": 2}, r"ess belongs to score='bdeu', got ess=2"),
        ({"score": BDeu(2), "ess": 2}, r"give BDeu its own: BDeu\(ess=...\)"),
        ({"ess": -1}, "ess must be"),
        ({"kappa": 0}, r"kappa must be in \(0, 1\], got 0"),
        ({"kappa": 0.5, "prior": KappaPrior(0.1)}, "give kappa or prior, not both"),
        ({"max_parents": -1}, "max_parents must be an integer >= 0 or None, got -1"),
        ({"max_parents": 2, "maxp": 3}, "maxp is another name of max_parents; give one of them"),
        ({"iss": 2, "equivalent_sample_size": 3}, "equivalent_sample_size is another name of ess"),
        ({"n_jobs": 0}, "n_jobs must be an integer >= 1, or -1 for all cores, got 0"),
        ({"max_parent": 2}, "unknown argument 'max_parent'; did you mean 'max_parents'"),
        ({"whitelist": []}, r"unknown argument 'whitelist'; what is meant is required_edges \("),
        ({"black_list": []}, "unknown argument 'black_list'; what is meant is forbidden_edges"),
        ({"callback": 3}, "callback must be a function of the Run, got 3"),
        ({"truth": 3}, "truth must be a Dag, Pdag, Cpdag, Result or the path"),
        ({"knowledge": {}}, r"knowledge must be a Knowledge\(...\), got {}"),
        ({"budget": 5}, r"budget must be a Budget\(...\), got 5"),
        ({"weights": np.ones(1000, int)}, "weights: these say how a table becomes a Dataset"),
        ({"ess": "1"}, "ess must be a positive, finite number, got '1'"),
        ({"seed": -1}, r"seed must be an integer from 0 to 2\*\*64 - 1, got -1"),
        ({"time_limit": -1}, "time_limit must be a number >= 0 or None, got -1"),
        ({"progress": "yes"}, "progress must be True, False or 'auto', got 'yes'"),
        ({"start": 3}, "start must be a Dag, Pdag, Cpdag, Result or the path"),
        ({"start": Dag(["a"])}, "start must have .*; not in the data: 'a'; not in start: 'asia', "),
        ({"missing": "drop"}, "missing: these say how a table becomes a Dataset"),
        ({"knowledge": Knowledge(), "roots": ["asia"]}, "give knowledge or roots, not both"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ParameterError, match=message):
        learn_structure(ASIA, **{"algorithm": "greedy-e", **arguments})


def test_reading_arguments_at_their_defaults_go_with_a_dataset():
    text = "".join(["err", "or"])  # equal to the default, but another object
    found = learn_structure(ASIA, "greedy-e", missing=text)
    assert found == learn_structure(ASIA, "greedy-e")


def test_contradicting_knowledge_is_explained_before_the_search():
    with pytest.raises(KnowledgeError) as caught:
        learn_structure(
            ASIA,
            Endless(),
            required_edges=[("lung", "smoke"), ("dysp", "lung")],
            forbidden_edges=[("lung", "smoke")],
            tiers=[["smoke"], ["lung", "dyps"]],
        )
    assert str(caught.value) == (
        "the knowledge cannot be met: "
        "tiers names 'dyps', which is no variable (did you mean 'dysp'?); "
        "lung -> smoke is required, but it is forbidden; "
        "lung -> smoke is required, but it leads into an earlier tier. Drop or correct one side"
    )


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"a": ["x", None, "y", "x"], "b": list("xyxy")},
            "missing cells: 'a' 1 (of 4 rows); impute them, or pass missing='drop'",
        ),
        (
            {"a": [0.5, 1.25, 2.0], "b": list("xyx")},
            "column 'a' holds real numbers (0.5 for one): categories are needed; pass discretize=",
        ),
        (
            {"a": [*["x"] * 30, 1], "b": ["x"] * 31},
            "column 'a' mixes types: str ('x' in data row 1) and int (1 in data row 31)",
        ),
        ({"a": [], "b": []}, "there are no rows of data in the dict of columns"),
        (
            pd.DataFrame([["x", "y"]], columns=["a", "a"]),
            "names of columns must be distinct; more than once: a",
        ),
        ("no-such-file.csv", "file 'no-such-file.csv' does not exist"),
        (7, "source must be a pandas, polars or pyarrow frame, a NumPy array, a dict of columns"),
    ],
)
def test_bad_data(table, message):
    with pytest.raises(DataError, match=re.escape(message)):
        learn_structure(table, "greedy-e")


def test_values_outside_of_the_levels():
    with pytest.raises(DataError, match="column 'a' holds 'y', which levels= does not have: 'x'"):
        learn_structure({"a": list("xyxy")}, "greedy-e", levels={"a": ["x"]})


def test_unobserved_levels_count():
    data = {"a": list("xyxyxxyy") * 5, "b": list("xyxyxyyy") * 5}
    plain = learn_structure(data, "greedy-e")
    more = learn_structure(data, "greedy-e", levels={"a": ["x", "y", "z"]})
    assert more.levels["a"] == ("x", "y", "z")
    assert more.score != plain.score


def test_constants_and_ids_are_warned_of():
    data = {"c": ["x"] * 40, "id": [f"p{i}" for i in range(40)], "b": list("xy") * 20}
    with pytest.warns(DataWarning, match=r"constant.*'c'.*id.*'id'"):
        learn_structure(data, "greedy-e")
    with pytest.warns(DataWarning, match="one row"):
        learn_structure({"a": ["x"], "b": ["y"]}, "greedy-e")


def test_categories_of_all_kinds_give_the_same_graph():
    codes = {name: ASIA.codes(name).astype(int) for name in ASIA.names}
    graphs = {
        learn_structure(data, "greedy-e").cpdag
        for data in (
            ASIA,
            FRAME,
            pl.DataFrame(ASIA.to_dict()),
            codes,
            {name: column.astype(bool) for name, column in codes.items()},
            pd.DataFrame(codes)[list(reversed(ASIA.names))],
        )
    }
    assert len(graphs) == 1
    array = np.column_stack(list(codes.values()))
    assert learn_structure(array, "greedy-e", names=list(codes)).cpdag in graphs


# -- what it does ----------------------------------------------------------------------------------


def test_aliases_are_documented_and_understood():
    for alias, name in ALIASES.items():
        assert alias in inspect.getdoc(learn_structure)
        value = {"seed": 3, "max_parents": 1, "ess": 2.0}[name]
        assert learn_structure(ASIA, "greedy-e", **{alias: value}) == learn_structure(
            ASIA, "greedy-e", **{name: value}
        )


@pytest.mark.parametrize("algorithm", ["aco-e", "epq", "hc", "pc"])
def test_score_is_what_the_families_shown_add_up_to(algorithm):
    result = learn_structure(ASIA, algorithm, max_iter=20, seed=1)
    assert result.score == Scorer(ASIA).score_graph(result.dag)
    assert result.score == math.fsum(family.score for family in result.families)


def test_a_run_that_was_ended_too_early_says_that_it_found_nothing():
    none = learn_structure(ASIA, "exact", time_limit=0)
    assert "nothing better than the graph it began from" in none.summary()
    assert not none.cpdag.edges
    some = learn_structure(ASIA, "exact")
    assert "nothing better" not in some.summary()


def test_score_prior_and_limit_reach_the_scorer():
    result = learn_structure(ASIA, "greedy-e", "bic", kappa=0.5, max_parents=1)
    scorer = Scorer(ASIA, BIC(), prior=KappaPrior(0.5), max_parents=1)
    assert result.score == pytest.approx(scorer.score_graph(result.dag))
    assert max(len(result.dag.parents(name)) for name in ASIA.names) == 1
    assert result.scorer_settings["score"]["name"] == "BIC"
    assert result.scorer_settings["prior"]["kappa"] == 0.5


KNOWN = {
    "required_edges": [("dysp", "smoke"), ("asia", "bronc")],
    "forbidden_edges": [("tub", "either"), ("either", "tub")],
    "tiers": [["dysp", "xray"], ["smoke", "lung"]],
    "roots": ["asia"],
    "leaves": ["bronc"],
}


@pytest.mark.parametrize("algorithm", [a.name for a in algorithms()])
def test_every_algorithm_obeys_knowledge(algorithm):
    result = learn_structure(ASIA, algorithm, **KNOWN, **quick(algorithm))
    Knowledge(**KNOWN).check(result.dag)
    assert result.dag.to_cpdag() == result.cpdag
    assert ("dysp", "smoke") in result.dag.directed
    assert result.scorer_settings["knowledge"] == Knowledge(**KNOWN).to_dict()


@pytest.mark.parametrize("algorithm", [a.name for a in algorithms()])
def test_every_algorithm_repeats_itself(algorithm):
    shuffled = ASIA.select(ASIA.names[::-1])
    first = learn_structure(ASIA, algorithm, seed=4, **quick(algorithm))
    again = learn_structure(shuffled, algorithm, seed=4, n_jobs=2, **quick(algorithm))
    assert first.cpdag == again.cpdag
    assert first.dag == again.dag
    assert first.score == pytest.approx(again.score, abs=1e-9)


def quick(algorithm):
    """Return parameters with which an algorithm takes a moment only."""
    few = {"ants": 4, "iterations": 4, "generations": 4, "restarts": 2}
    names = {p.name for a in algorithms() if a.name == algorithm for p in a.parameters}
    return {name: value for name, value in few.items() if name in names}


def test_allowed_edges_restrict():
    allowed = [("smoke", "bronc"), ("bronc", "smoke"), ("bronc", "dysp")]
    result = learn_structure(ASIA, "greedy-e", allowed_edges=allowed)
    assert set(result.dag.directed) <= set(allowed)
    assert len(result.dag.directed) == 2
    # The data leave the direction open, the knowledge does not: the class is undirected.
    assert ("bronc", "dysp") in result.dag.directed
    assert result.reversible == (("bronc", "dysp"), ("bronc", "smoke"))


@pytest.mark.parametrize(
    ("limits", "stop"),
    [
        ({"time_limit": 0.05}, "time limit"),
        ({"max_iter": 3}, "iteration limit"),
        ({"stagnation": 2}, "stagnation"),
        ({"max_evaluations": 0}, "evaluation limit"),
    ],
)
def test_limits_end_a_run(limits, stop):
    begun = time.monotonic()
    result = learn_structure(ASIA, Endless(), **limits)
    assert result.stop == stop
    assert time.monotonic() - begun < 5
    assert result.cpdag == Cpdag(ASIA.names)


def test_the_clock_starts_with_the_call(monkeypatch):
    reading = Dataset.from_any

    def slow(*args, **kwargs):
        time.sleep(0.2)
        return reading(*args, **kwargs)

    monkeypatch.setattr(Dataset, "from_any", slow)
    result = learn_structure(FRAME, Endless(), time_limit=0.1)
    assert result.stop == "time limit"
    assert len(result.trace) == 0
    assert result.seconds >= 0.2


def test_a_start_can_be_a_graph_a_result_or_a_file(tmp_path):
    good = learn_structure(ASIA, "greedy-e")
    good.save(tmp_path / "good.json")
    for start in (good, good.cpdag, good.dag, tmp_path / "good.json", str(tmp_path / "good.json")):
        assert learn_structure(ASIA, Endless(), start=start, max_iter=0).cpdag == good.cpdag


def test_the_callback_sees_every_iteration():
    seen = []
    learn_structure(ASIA, Endless(), max_iter=3, callback=lambda run: seen.append(run.iteration))
    assert seen == [1, 2, 3]


def test_interruption_gives_the_best_so_far():
    def interrupt(run):
        if run.iteration == 2:
            raise KeyboardInterrupt

    result = learn_structure(ASIA, Endless(), callback=interrupt)
    assert result.stop == "interrupted"


@pytest.mark.parametrize(
    ("algorithm", "parameters"),
    [
        ("aco-e", {"ants": 3, "iterations": 2, "rho": 0.5}),
        ("aco-b", {"ants": 3, "iterations": 2, "rho": 0.5}),
        ("tabu", {"patience": 2}),
        ("pc", {"alpha": 0.25, "max_conditioning": 1}),
        ("mmhc", {"alpha": 0.25, "max_conditioning": 1, "tabu": 3}),
        ("annealing", {"coolings": 1, "temperature": 0.5}),
    ],
)
def test_numbers_of_numpy_are_numbers(algorithm, parameters):
    own = {"seed": 3, "max_parents": 2, "n_jobs": 1, "max_iter": 3, "ess": 0.5, "stagnation": 3}
    arrays = {
        name: np.float32(value) if isinstance(value, float) else np.int64(value)
        for name, value in {**parameters, **own}.items()
    }
    plain, numpy = (learn_structure(ASIA, algorithm, **a) for a in ({**parameters, **own}, arrays))
    assert plain == numpy
    assert plain.to_json().count("int64") == numpy.to_json().count("int64") == 0


def test_threads():
    assert n_threads(3) == 3
    assert n_threads(-1) >= 1
    for wrong in (True, 1.5, -2):
        with pytest.raises(ParameterError, match="n_jobs must be"):
            n_threads(wrong)


def test_budget_counts_from_where_it_is_told():
    assert Budget(seconds=1, started=time.monotonic() - 2).begin().seconds_left == 0


# -- progress --------------------------------------------------------------------------------------


def test_progress_is_silent_where_nobody_looks(capfd):
    learn_structure(ASIA, Endless(), max_iter=3)
    assert capfd.readouterr() == ("", "")


def test_progress_says_how_it_goes(monkeypatch):
    from stigmergy import progress

    monkeypatch.setattr(progress, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(progress, "REFRESH", 0.0)
    shown = []
    monkeypatch.setattr(
        progress.Progress, "_show_in_terminal", lambda self, text: shown.append(text)
    )
    monkeypatch.setattr(progress.Progress, "_show_that_it_runs", lambda self: None)
    learn_structure(ASIA, Endless(), max_iter=3, time_limit=100, progress=True)
    assert len(shown) == 3
    parts = shown[-1].split(" · ")
    assert parts[0] == "endless"
    assert parts[1].startswith("score ")
    assert parts[2] == "iteration 3/3"
    assert parts[3].endswith("/s")
    assert parts[4] == "0:00 left"  # the iterations end before the time does
    assert parts[5].endswith(" evaluations")
    assert parts[6:] == ["3 without gain"]


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (999, "999"), (12_345, "12.3k"), (4_500_000, "4.5M")]
)
def test_counts_are_written_short(number, text):
    from stigmergy.progress import compact

    assert compact(number) == text


def test_progress_in_a_terminal_is_one_line_on_standard_error():
    code = (
        "import stigmergy.progress as p; p.FIRST_AFTER = 0\n"
        "from stigmergy import learn_structure, networks\n"
        "data = networks.load('asia').sample(500, seed=1)\n"
        "learn_structure(data, 'aco-e', ants=2, iterations=30, progress=True)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == ""
    assert all("aco-e · " in line for line in done.stderr.splitlines() if line.strip())


@dataclass(frozen=True)
class OneLongIteration(Search):
    """Takes its time once."""

    name: ClassVar[str] = "one-long-iteration"

    def search(self, run):
        for _ in run.iterations(1):
            time.sleep(0.3)


def test_a_long_first_iteration_is_shown_as_work(monkeypatch):
    from stigmergy import progress

    monkeypatch.setattr(progress, "FIRST_AFTER", 0.05)
    shown = []
    monkeypatch.setattr(
        progress.Progress, "_show_in_terminal", lambda self, text: shown.append(text)
    )
    learn_structure(ASIA, OneLongIteration(), progress=True)
    assert shown[0] == "one-long-iteration · in the first iteration"
    assert len(shown) == 2
    shown.clear()
    learn_structure(ASIA, "hc", progress=True)  # ends before
    time.sleep(0.1)
    assert shown == []


def test_progress_in_a_notebook_is_one_display_that_is_emptied(monkeypatch):
    from types import ModuleType, SimpleNamespace

    from stigmergy import progress

    shown = []

    def display(content, display_id):
        assert display_id
        shown.append(content)
        return SimpleNamespace(update=shown.append)

    shell, screen = ModuleType("IPython"), ModuleType("IPython.display")
    shell.get_ipython = lambda: SimpleNamespace(config={"IPKernelApp": {}})
    screen.HTML, screen.display = str, display
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", screen)
    monkeypatch.setattr(progress, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(progress, "REFRESH", 0.0)
    monkeypatch.setattr(progress.Progress, "_show_that_it_runs", lambda self: None)
    learn_structure(ASIA, Endless(), max_iter=3)
    assert len(shown) == 4
    assert shown[1].startswith("<pre>endless · score -")
    assert "iteration 2/3" in shown[1]
    assert shown[-1] == "<pre></pre>"


def test_the_clock_of_people():
    from stigmergy.progress import clock

    assert [clock(s) for s in (0, 59.9, 61, 3600, 36061)] == [
        "0:00",
        "0:59",
        "1:01",
        "1:00:00",
        "10:01:01",
    ]


def test_hash_seeds_change_nothing():
    code = (
        "from stigmergy import learn_structure, networks\n"
        "data = networks.load('asia').sample(500, seed=1)\n"
        "print(learn_structure(data, ants=3, iterations=3, roots=['asia', 'smoke']).to_dot())\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(2)
    }
    assert len(texts) == 1
    assert "->" in next(iter(texts))


def test_a_warning_of_the_data_points_at_the_users_line():
    table = {"a": ["x"] * 30, "b": ["x", "y", "y"] * 10}
    with pytest.warns(DataWarning, match="constant") as caught:
        learn_structure(table, "greedy-e")
    assert [one.filename for one in caught] == [__file__]


def test_how_a_file_is_read_is_said_to_the_dataset():
    with pytest.raises(
        ParameterError, match=r"'sep'; what is meant is data=Dataset\.from_file\(pa"
    ):
        learn_structure("t.csv", sep=";")


def test_one_is_no_plural():
    result = learn_structure({"a": ["x", "y"] * 9}, "greedy-e")
    assert "1 variable, 0 edges" in result.summary()
    assert "over 1 variable," in repr(result)
