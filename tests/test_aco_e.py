# SPDX-License-Identifier: MIT
"""ACO-E and GREEDY-E as a user calls them."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from stigmergy import (
    BIC,
    K2,
    BDeu,
    Dag,
    Dataset,
    KappaPrior,
    Knowledge,
    OutputError,
    ParameterError,
    ScoreError,
    Scorer,
    _core,
    networks,
    shd,
)
from stigmergy.search import AcoE, Budget, GreedyE
from stigmergy.search.aco_e import rule_of_thumb
from stigmergy.search.operators import TABLE_2, OperatorMove, Table2Operator, move_name
from stigmergy.search.registry import make_search


@pytest.fixture(scope="module")
def asia():
    return networks.load("asia").sample(2000, seed=3)


@pytest.fixture(scope="module")
def alarm():
    return networks.load("alarm").sample(1000, seed=1)


# -- Section 5.4 of the paper ------------------------------------------------------------------

# All its numbers are differences of one potential; these are its parts.
SINGLE = -153.384 / 3
PAIR = {("0", "1"): -0.21565, ("0", "2"): 34.6527, ("1", "2"): 11.2204}
# The v-structure: -153.384 + 34.6527 + 11.2204 + 0.59307 = -106.918 as printed.
ALL_THREE = SINGLE + sum(PAIR.values()) + 2 * SINGLE + 0.59307


def potential(nodes):
    nodes = tuple(sorted(nodes))
    if len(nodes) == 3:
        return ALL_THREE
    return len(nodes) * SINGLE + (PAIR[nodes] if len(nodes) == 2 else 0.0)


def paper_score(child, parents):
    return potential((child, *parents)) - potential(parents)


# Table 4, by the moves made so far; the printed -0.47742 of DeleteU(0,1) is a misprint.
TABLE_4 = {
    (): {"InsertU(0, 1)": -0.21565, "InsertU(0, 2)": 34.6527, "InsertU(1, 2)": 11.2204},
    ("InsertU(0, 2)",): {
        "InsertU(0, 1)": -0.21565,
        "InsertU(1, 2)": 11.2204,
        "DeleteU(0, 2)": -34.6527,
    },
    ("InsertU(0, 2)", "InsertU(1, 2)"): {
        "InsertU(0, 1)": 0.37742,
        "DeleteU(0, 2)": -34.6527,
        "DeleteU(1, 2)": -11.2204,
        "MakeV(0, 1, 2)": 0.59307,
    },
    ("InsertU(0, 2)", "InsertU(1, 2)", "MakeV(0, 1, 2)"): {
        "InsertD(0, 1)": None,
        "InsertU(0, 1)": -0.21565,
        "DeleteD(0, 2)": -35.2457,
        "DeleteD(1, 2)": -11.8134,
        "ReverseD(0, 2)": -0.59306,
        "ReverseD(1, 2)": -0.59307,
    },
    ("InsertU(0, 2)", "InsertU(1, 2)", "InsertU(0, 1)"): {
        "DeleteU(0, 1)": -0.37742,
        "DeleteU(0, 2)": -35.2457,
        "DeleteU(1, 2)": -11.8134,
    },
}
del TABLE_4[("InsertU(0, 2)", "InsertU(1, 2)", "MakeV(0, 1, 2)")]["InsertD(0, 1)"]


def paper_run(seed, **settings):
    scorer = Scorer.from_function("012", paper_score, score_equivalent=True)
    ants = AcoE(m=2, t_max=1, rho=0.1, q0=0.1, beta=1.0, trace_moves=True, **settings)
    return ants.run(scorer, seed=seed)


def test_the_trace_of_the_paper():
    """Table 4: every candidate with its tau and eta, whatever way the ants go."""
    met = set()
    for seed in range(40):
        result = paper_run(seed, schedule="paper")
        assert result.score == pytest.approx(-106.918, abs=5e-4)
        assert str(result.cpdag) == "0 -> 2, 1 -> 2"
        for ant in (1, 2):
            steps = [row for row in result.details["moves"] if row["ant"] == ant]
            path = ()
            for step in steps:
                if path in TABLE_4:
                    met.add(path)
                    candidates = {c["move"]: c["eta"] for c in step["candidates"]}
                    assert list(candidates) == list(TABLE_4[path])
                    assert candidates == pytest.approx(TABLE_4[path], abs=1e-4)
                for candidate in step["candidates"]:
                    assert candidate["tau"] == pytest.approx(1 / (3 * 106.918), rel=1e-5)
                weights = {c["move"]: c["tau"] * max(c["eta"], 0) for c in step["candidates"]}
                assert weights[step["chosen"]] > 0
                if step["q"] <= 0.1:
                    assert weights[step["chosen"]] == max(weights.values())
                path += (step["chosen"],)
    # The lists after MakeV and after InsertU(0, 1) have no improving move: no ant looks further.
    assert met == set(list(TABLE_4)[:3])


def test_the_lists_that_end_the_trace():
    """The last two blocks of Table 4, which ants see but do not act upon."""
    scorer = Scorer.from_function("012", paper_score, score_equivalent=True)
    ends = {
        "MakeV(0, 1, 2)": _core.Pdag(3, [(0, 2), (1, 2)], []),
        "InsertU(0, 1)": _core.Pdag(3, [], [(0, 1), (0, 2), (1, 2)]),
    }
    for last, graph in ends.items():
        moves = _core.valid_moves(graph, 0b111111, scorer.core)
        expected = TABLE_4["InsertU(0, 2)", "InsertU(1, 2)", last]
        assert {move_name(m, scorer.names): eta for m, eta in moves} == pytest.approx(
            expected, abs=1e-4
        )


def test_pheromone_after_the_trace():
    """As printed: tau0 = 1 / (n |score|), and 0.9 tau0 + 0.1 / |score| on the best path."""
    assert pytest.approx(0.00312, abs=5e-6) == 1 / (3 * 106.918)
    result = AcoE(m=2, t_max=2, rho=0.1, q0=0.1, beta=1.0, trace_moves=True).run(
        Scorer.from_function("012", paper_score, score_equivalent=True), seed=1
    )
    second = next(row for row in result.details["moves"] if row["iteration"] == 2)
    tau = {c["move"]: c["tau"] for c in second["candidates"]}
    assert tau["InsertU(0, 2)"] == pytest.approx(0.0037412, abs=5e-8)
    assert tau["InsertU(1, 2)"] == pytest.approx(0.0037412, abs=5e-8)
    assert tau["InsertU(0, 1)"] == pytest.approx(0.0031177, abs=5e-8)


# -- results -----------------------------------------------------------------------------------


def comparable(result):
    rows = [row._replace(seconds=0.0) for row in result.trace]
    return result.cpdag, result.dag, result.score, result.stop, rows


def scorer_of(data, **settings):
    return Scorer(data, BDeu(ess=4), prior=KappaPrior(0.05), max_parents=7, **settings)


@pytest.mark.parametrize("schedule", ["parallel", "paper"])
def test_same_seed_same_answer_at_any_thread_count(alarm, schedule):
    results = [
        AcoE(iterations=8, ants=6, schedule=schedule).run(scorer_of(alarm, n_threads=n), seed=9)
        for n in (1, 2, 4)
    ]
    assert comparable(results[0]) == comparable(results[1]) == comparable(results[2])


@pytest.mark.parametrize("schedule", ["parallel", "paper"])
def test_same_answer_at_any_column_order(alarm, schedule):
    search = AcoE(iterations=5, ants=5, schedule=schedule)
    first = search.run(scorer_of(alarm), seed=2)
    for trial in range(3):
        shuffled = list(alarm.names)
        np.random.default_rng(trial).shuffle(shuffled)
        other = Dataset.from_codes(
            [alarm.codes(name) for name in shuffled],
            shuffled,
            [alarm.levels[alarm.names.index(name)] for name in shuffled],
        )
        assert comparable(search.run(scorer_of(other), seed=2)) == comparable(first)


def test_seeds_differ_and_hash_seeds_do_not():
    code = (
        "from stigmergy import *; from stigmergy.search import AcoE;"
        "d = networks.load('asia').sample(500, seed=1);"
        "r = AcoE(iterations=5).run(Scorer(d), seed=4); print(r.cpdag, r.score, r.evaluations)"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in (0, 1, 2)
    }
    assert len(said) == 1


def test_the_score_is_the_score_of_the_graph(alarm):
    scorer = scorer_of(alarm)
    for search in (GreedyE(), AcoE(iterations=5)):
        result = search.run(scorer, seed=1)
        assert result.score == pytest.approx(scorer.score_graph(result.dag), rel=1e-12)
        assert result.dag.to_cpdag() == result.cpdag
        assert all(len(result.dag.parents(name)) <= 7 for name in result.dag.names)


def test_aco_e_never_falls_behind_greedy_e(alarm):
    greedy = GreedyE().run(scorer_of(alarm))
    ants = AcoE(iterations=20).run(scorer_of(alarm), seed=1)
    assert ants.score > greedy.score
    assert ants.trace[0].best_score == pytest.approx(greedy.score, abs=1e-9)
    scores = [row.best_score for row in ants.trace]
    assert scores == sorted(scores)


def test_static_heuristic_ends_at_a_local_maximum(asia):
    scorer = Scorer(asia)
    static = AcoE(iterations=10, heuristic="static", local_search_every=100).run(scorer, seed=1)
    again = GreedyE().run(scorer, start=static.cpdag)
    assert again.cpdag == static.cpdag


def test_score_that_is_not_equivalent_is_refused(asia):
    prior = KappaPrior(0.1, Dag(asia.names, [("asia", "tub")]))
    for scorer in (Scorer(asia, K2()), Scorer(asia, prior=prior)):
        for search in (GreedyE(), AcoE()):
            with pytest.raises(ScoreError, match="searches over equivalence classes") as refusal:
                search.run(scorer)
            # It names the searches that do take the score.
            for name in str(refusal.value).split("over DAGs: ")[1].split(", "):
                assert np.isfinite(make_search(name, {}).run(scorer).score)


# -- knowledge, start, budgets -----------------------------------------------------------------


def test_knowledge_is_obeyed(asia):
    rng = np.random.default_rng(5)
    free = Scorer(asia)
    best = AcoE(iterations=5).run(free, seed=1).dag
    for trial in range(12):
        names = list(rng.permutation(asia.names))
        arcs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        required = [arcs[i] for i in rng.choice(len(arcs), 2, replace=False)]
        possible = [arc for arc in best.arcs if arc not in required]
        forbidden = [possible[i] for i in rng.choice(len(possible), 3, replace=False)]
        knowledge = Knowledge(required_edges=required, forbidden_edges=forbidden)
        scorer = Scorer(asia, knowledge=knowledge)
        for search in (GreedyE(), AcoE(iterations=3, ants=5)):
            result = search.run(scorer, seed=trial)
            assert set(required) <= set(result.dag.arcs)
            assert not set(forbidden) & set(result.dag.arcs)
            assert result.dag.to_cpdag() == result.cpdag
            assert result.score == pytest.approx(scorer.score_graph(result.cpdag))


def test_tiers_are_obeyed(asia):
    tiers = [["asia", "smoke"], ["tub", "lung", "bronc"], ["either", "xray", "dysp"]]
    result = AcoE(iterations=5).run(Scorer(asia, knowledge=Knowledge(tiers=tiers)), seed=1)
    tier = {name: i for i, names in enumerate(tiers) for name in names}
    assert all(tier[a] <= tier[b] for a, b in result.dag.arcs)


def test_start_is_where_the_walk_begins(asia):
    scorer = Scorer(asia)
    best = AcoE(iterations=10).run(scorer, seed=1)
    again = GreedyE().run(scorer, start=best.dag)
    assert again.cpdag == best.cpdag
    with pytest.raises(ParameterError, match="start contradicts the knowledge"):
        GreedyE().run(
            Scorer(asia, knowledge=Knowledge(required_edges=[("asia", "xray")])), start=best.cpdag
        )


def test_budgets(alarm):
    def run(**budget):
        return AcoE(iterations=1000).run(scorer_of(alarm), seed=1, budget=Budget(**budget))

    assert (r := run(iterations=3)).stop == "iteration limit"
    assert r.trace[-1].iteration == 3
    assert (r := run(evaluations=50_000)).stop == "evaluation limit"
    assert r.trace[-2].evaluations < 50_000 <= r.trace[-1].evaluations
    assert (r := run(stagnation=2)).stop == "stagnation"
    assert r.trace[-1].best_score == r.trace[-3].best_score
    begin = time.monotonic()
    assert (r := run(seconds=0.3)).stop == "time limit"
    assert time.monotonic() - begin < 2.0
    assert r.score >= r.trace[0].best_score
    assert AcoE(iterations=2).run(scorer_of(alarm)).stop == "finished"


def test_no_time_at_all_gives_the_start(alarm):
    result = AcoE().run(scorer_of(alarm), budget=Budget(seconds=0))
    assert result.stop == "time limit"
    assert not result.cpdag.edges


def test_observer_sees_every_iteration_and_may_interrupt(asia):
    seen = []

    def observer(run):
        seen.append((run.iteration, run.best_score))
        if run.iteration == 4:
            raise KeyboardInterrupt

    result = AcoE(iterations=50).run(Scorer(asia), seed=1, observer=observer)
    assert [iteration for iteration, _ in seen] == [0, 1, 2, 3, 4]
    assert result.stop == "interrupted"
    assert result.score == seen[-1][1]


def test_ctrl_c_gives_the_best_so_far():
    code = """
import os, signal, threading, time
from stigmergy import *
from stigmergy.search import AcoE
scorer = Scorer(networks.load("win95pts").sample(5000, seed=1), n_threads=2)
main = os.getpid()
threading.Timer(1.0, lambda: os.kill(main, signal.SIGINT)).start()
begin = time.monotonic()
result = AcoE(iterations=100000, ants=100).run(scorer, seed=1)
print(result.stop, time.monotonic() - begin < 5, len(result.cpdag.edges) > 50)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.split() == ["interrupted", "True", "True"]


def test_other_threads_of_python_run_on(alarm):
    """The walks hold no lock of Python."""
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    ticking = threading.Thread(target=tick)
    ticking.start()
    colony = _core.Colony(scorer_of(alarm).core, scorer_of(alarm).rules)
    begin = time.monotonic()
    colony.walk(
        _core.Pdag(len(alarm.names)),
        _core.Pheromone(1e-6),
        rho=0.1,
        q0=0.5,
        parallel=True,
        local_search=False,
        seed=1,
        iteration=1,
        ants=1500,
        threads=1,
        stop=_core.Stop(),
    )
    end = time.monotonic()
    done.set()
    ticking.join()
    assert sum(begin < moment < end for moment in ticks) >= 5


def test_the_trace_is_a_table(asia):
    truth = networks.load("asia").dag
    result = AcoE(iterations=3).run(Scorer(asia), seed=1, truth=truth)
    table = result.trace.to_dict()
    assert table["iteration"] == [0, 1, 2, 3]
    for name in ("seconds", "evaluations", "distinct_evaluations", "best_score"):
        assert table[name] == sorted(table[name])
    assert table["evaluations"][-1] == result.evaluations > result.distinct_evaluations
    assert table["distinct_evaluations"][-1] == result.distinct_evaluations
    assert table["best_score"][-1] == pytest.approx(result.score, rel=1e-12)
    assert table["shd"][-1] == shd(result.cpdag, truth)
    assert result.trace.to_pandas().to_dict("list") == table


# -- checkpoints -------------------------------------------------------------------------------

KILLED = """
import sys
from stigmergy import *
from stigmergy.search import AcoE
path, resume = sys.argv[1], sys.argv[2] == "resume"
data = networks.load("alarm").sample(1000, seed=1)
scorer = Scorer(data, BDeu(ess=4), prior=KappaPrior(0.05), max_parents=7, n_threads=2)
result = AcoE(iterations=60, ants=20).run(
    scorer, seed=3, checkpoint=path, every=0.0, resume=path if resume else None,
    observer=lambda run: print(run.iteration, flush=True))
import json
rows = [[r.iteration, r.evaluations, r.distinct_evaluations, r.best_score] for r in result.trace]
print(json.dumps([str(result.cpdag), str(result.dag), result.score, result.stop, rows]))
"""


def test_killed_and_resumed_is_as_undisturbed(tmp_path):
    path = tmp_path / "run.checkpoint"
    command = [sys.executable, "-c", KILLED]

    def finish(file, mode):
        done = subprocess.run(
            [*command, str(file), mode], capture_output=True, text=True, check=True, timeout=300
        )
        lines = done.stdout.splitlines()
        return int(lines[0]), json.loads(lines[-1])

    _, undisturbed = finish(tmp_path / "other.checkpoint", "begin")
    with subprocess.Popen([*command, str(path), "begin"], stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            if int(line) == 25:
                break
        run.send_signal(signal.SIGKILL)
    assert run.returncode == -signal.SIGKILL
    first, resumed = finish(path, "resume")
    assert first >= 24  # it did go on and not begin anew
    assert resumed == undisturbed


def test_checkpoint_is_there_from_the_first_iteration_to_the_last(asia, tmp_path):
    path = tmp_path / "asia.checkpoint"
    there = []
    search = AcoE(ants=2, iterations=4)
    whole = search.run(
        Scorer(asia),
        seed=1,
        checkpoint=path,
        every=3600,
        observer=lambda run: there.append((run.iteration, path.exists())),
    )
    assert there == [(0, False), (1, False), (2, True), (3, True), (4, True)]
    made = []
    resumed = search.run(
        Scorer(asia), seed=1, resume=path, observer=lambda run: made.append(run.iteration)
    )
    assert made == []  # the last iteration was kept, so nothing is left to do
    assert resumed == whole


def test_checkpoint_that_cannot_be_is_refused_before_the_search(asia, tmp_path):
    with pytest.raises(OutputError, match="it is a folder; name a file in it"):
        AcoE(iterations=1).run(Scorer(asia), checkpoint=tmp_path)
    with pytest.raises(ParameterError, match="do not go with trace_moves"):
        AcoE(iterations=1, trace_moves=True).run(Scorer(asia), checkpoint=tmp_path / "state")
    empty = tmp_path / "empty"
    empty.touch()
    with pytest.raises(ParameterError, match="not a checkpoint that can be read"):
        AcoE(iterations=1).run(Scorer(asia), resume=empty)


def test_checkpoint_of_another_run_is_refused(asia, tmp_path):
    path = tmp_path / "asia.checkpoint"
    AcoE(iterations=3).run(Scorer(asia), seed=1, checkpoint=path, every=0)
    more = [f"x{i}" for i in range(6)]
    codes = [asia.codes(name) for name in asia.names]
    wide = Dataset.from_codes(codes + codes[:6], [*asia.names, *more], [2] * (len(codes) + 6))
    for search, scorer, start, differ in (
        (AcoE(iterations=3), Scorer(asia), None, "seed was 1, is 2"),
        (AcoE(iterations=3, ants=7), Scorer(asia), None, "ants was 20, is 7; seed was 1, is 2"),
        (AcoE(iterations=3), Scorer(asia, BDeu(ess=2)), None, "ess was 1.0, is 2; seed was"),
        (AcoE(iterations=3), Scorer(asia, BIC()), None, "name was 'BDeu', is 'BIC'; seed was"),
        (AcoE(iterations=3), Scorer(asia.take(range(9))), None, "other values in the data; seed"),
        (AcoE(), Scorer(wide), None, "other columns: 'x0', 'x1', 'x2', 'x3', 'x4', ...."),
        (
            AcoE(iterations=3),
            Scorer(asia),
            Dag(asia.names, [("asia", "tub")]),
            "seed was 1, is 2; another start.",
        ),
    ):
        message = f"was written by another run: {differ}"
        with pytest.raises(ParameterError, match=re.escape(message)):
            search.run(scorer, seed=2, resume=path, start=start)
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"PK garbage")
    with pytest.raises(ParameterError, match="not a checkpoint that can be read"):
        AcoE(iterations=3).run(Scorer(asia), seed=1, resume=garbage)
    with pytest.raises(ParameterError, match="greedy-e keeps no checkpoints"):
        GreedyE().run(Scorer(asia), checkpoint=path)
    with pytest.raises(OSError, match="there is no folder"):
        AcoE().run(Scorer(asia), checkpoint=tmp_path / "no" / "where")


# -- operators ---------------------------------------------------------------------------------


def test_subsets_of_operators(asia):
    scorer = Scorer(asia)
    grown = GreedyE(operators=["InsertU", "InsertD"]).run(scorer)
    assert len(grown.cpdag.edges) > 0
    only = AcoE(operators=["InsertU"], iterations=5).run(scorer, seed=1)
    assert not only.cpdag.directed


def test_operators_in_python_lead_where_the_compiled_ones_do(asia):
    native = GreedyE().run(Scorer(asia))
    literal = GreedyE(operators=[Table2Operator(name) for name in TABLE_2]).run(Scorer(asia))
    assert literal.cpdag == native.cpdag
    assert literal.score == pytest.approx(native.score, rel=1e-12)
    ants = AcoE(operators=[*TABLE_2[:-1], Table2Operator("MakeV")], iterations=3, ants=3).run(
        Scorer(asia), seed=1
    )
    assert ants.score >= native.score - 1e-6


class AddParent:
    """Add an arc to the member shown, whatever limits there are."""

    name = "AddParent"

    def moves(self, cpdag, scorer):
        arcs = cpdag.consistent_extension().directed_edges()
        before = _core.score_of_class(cpdag, scorer.core)
        for x, y in itertools.permutations(range(len(cpdag)), 2):
            changed = _core.Pdag(len(cpdag), [*arcs, (x, y)])
            if (x, y) not in arcs and (y, x) not in arcs and changed.consistent_extension():
                after = _core.score_of_class(changed, scorer.core)
                yield OperatorMove((self.name, x, y), after - before, changed.completed())


def test_limits_hold_for_operators_of_ones_own(asia):
    free = GreedyE(operators=[AddParent()]).run(Scorer(asia))
    assert max(len(free.dag.parents(name)) for name in asia.names) > 1
    assert ("bronc", "dysp") in free.dag.arcs
    knowledge = Knowledge(forbidden_edges=[("bronc", "dysp"), ("dysp", "bronc")])
    scorer = Scorer(asia, max_parents=1, knowledge=knowledge)
    for search in (
        GreedyE(operators=[AddParent()]),
        AcoE(operators=[AddParent(), "ReverseD"], iterations=2, ants=3),
    ):
        dag = search.run(scorer, seed=1).dag
        assert dag.arcs
        assert max(len(dag.parents(name)) for name in asia.names) == 1
        assert not {("bronc", "dysp"), ("dysp", "bronc")} & set(dag.arcs)


# -- parameters --------------------------------------------------------------------------------


def test_the_letters_of_the_paper():
    assert AcoE(m=7, t_max=3, t_step=2) == AcoE(ants=7, iterations=3, local_search_every=2)
    with pytest.raises(ParameterError, match="m is another name of ants"):
        AcoE(m=7, ants=8)


def test_rule_of_thumb():
    small, middle, large = (rule_of_thumb(n) for n in (20, 58, 1000))
    assert small == (0.4, 0.75, 0.75)
    assert large == (0.2, 0.95, 2.5)
    assert small.rho > middle.rho > large.rho
    assert small.q0 < middle.q0 < large.q0
    assert small.beta < middle.beta < large.beta


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ants": 0}, "ants must be an integer >= 1, got 0"),
        ({"iterations": 1.5}, "iterations must be an integer >= 0, got 1.5"),
        ({"rho": 1.5}, r"rho must be a number in \[0, 1\], got 1.5"),
        ({"rho": True}, r"rho must be a number in \[0, 1\], got True"),
        ({"q0": -0.1}, r"q0 must be a number in \[0, 1\], got -0.1"),
        ({"beta": -1}, r"beta must be a number in \[0, inf\], got -1"),
        ({"beta": float("nan")}, "beta must be a number in"),
        ({"heuristic": "none"}, "heuristic must be one of dynamic, static, got 'none'"),
        ({"schedule": "x"}, "schedule must be one of parallel, paper, got 'x'"),
        ({"operators": []}, "operators must be a non-empty list"),
        ({"operators": "InsertU"}, "operators must be a non-empty list"),
        ({"operators": iter(["InsertU"])}, "operators must be a non-empty list"),
        ({"operators": ["Insert"]}, "operators must be names from InsertU.*got 'Insert'"),
        ({"operators": [3]}, "an operator must be a name of Table 2 or an object"),
    ],
)
def test_bad_parameters(settings, message):
    with pytest.raises(ParameterError, match=message):
        AcoE(**settings)


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True, 2**64])
def test_bad_seed(asia, seed):
    with pytest.raises(ParameterError, match="seed must be an integer from 0"):
        GreedyE().run(Scorer(asia), seed=seed)


def test_one_variable_and_constant_columns():
    one = Dataset.from_any({"a": [0, 1, 1, 0]})
    result = AcoE(iterations=2).run(Scorer(one), seed=1)
    assert result.cpdag.names == ("a",)
    constant = Dataset.from_codes([[0, 1, 0, 1], [0, 0, 0, 0]], ["a", "b"], [("x", "y"), ("z",)])
    assert AcoE(iterations=2).run(Scorer(constant), seed=1).cpdag.edges is not None
