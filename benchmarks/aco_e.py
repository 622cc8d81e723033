# SPDX-License-Identifier: MIT
"""What ACO-E costs: seconds, work saved against full recomputation, and memory.

Run ``python benchmarks/aco_e.py``, or with names of its parts: ``speed work memory``. 10,000 rows,
BDeu with an equivalent sample size of 4, kappa 0.05, at most 7 parents; 200 iterations of 20 ants
with rho, q0 and beta of Table 8 of Daly & Shen (2009); two threads. Data are loaded before the
clock starts, scorers and tables are made while it runs.

Goals: ALARM within 1.5 s and Win95pts within 10 s; GREEDY-E of ALARM within 10 ms of the codes, and
faster than one hill climb of PyBNesian and of pyAgrum; 20 times fewer moves scored and tested on
Win95pts than when every move is looked at in every step; ALARM in less than 150 MB beyond the bare
interpreter. The libraries of the bench extra are left out when they are not installed.
"""

import argparse
import contextlib
import os
import platform
import statistics
import subprocess
import sys
import time
import warnings

from hill_climbing import frame_of

from stigmergy import BDeu, Dag, KappaPrior, Scorer, _core, networks
from stigmergy.search import AcoE, GreedyE

TABLE_8 = {
    "alarm": {"rho": 0.4, "q0": 0.8, "beta": 0.5},
    "win95pts": {"rho": 0.2, "q0": 0.95, "beta": 2.5},
}
ALL_OPERATORS = 0b111111


def scorer_of(data, n_threads=2):
    prior = KappaPrior(0.05)
    return Scorer(data, BDeu(4.0), prior=prior, max_parents=7, n_threads=n_threads)


def seconds(call, repeats):
    """Return the median time of a call and its last result."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return statistics.median(times), result


def said(reached):
    return "reached" if reached else "NOT reached"


# -- speed -------------------------------------------------------------------------------------


def speed(repeats):
    for name, goal in (("alarm", 1.5), ("win95pts", 10.0)):
        data = networks.load(name).sample(10_000, seed=1)
        for schedule in ("parallel", "paper"):
            search = AcoE(ants=20, iterations=200, schedule=schedule, **TABLE_8[name])
            took, result = seconds(lambda: search.run(scorer_of(data), seed=1), repeats)  # noqa: B023
            print(
                f"{name:<9} ACO-E, {schedule:<9} {took:8.2f} s   goal {goal:4} s "
                f"{said(took <= goal):<12} score {result.score:.1f}, "
                f"{result.evaluations:,} evaluations, {result.distinct_evaluations:,} distinct"
            )
    data = networks.load("alarm").sample(10_000, seed=1)
    took, _ = seconds(lambda: GreedyE().run(scorer_of(data)), 5 * repeats)
    print(f"alarm     GREEDY-E {1e3 * took:14.2f} ms  goal   10 ms {said(took <= 0.010)}")
    peers(data, repeats)


def peers(data, repeats):
    """One climb each, BDeu with an equivalent sample size of 1, one thread."""
    ours = Scorer(data, BDeu(1.0), max_parents=7)
    climbs = {"GREEDY-E": lambda: GreedyE().run(Scorer(data, BDeu(1.0), max_parents=7)).dag}
    for library, make in (("PyBNesian", with_pybnesian), ("pyAgrum", with_pyagrum)):
        with contextlib.suppress(ImportError):
            climbs[library] = make(data)
    first = None
    for library, climb in climbs.items():
        took, dag = seconds(climb, 3 * repeats)
        first = first or took
        print(
            f"alarm     {library:<10} {1e3 * took:12.2f} ms  {took / first:6.1f} x GREEDY-E   "
            f"score {ours.score_graph(dag):.1f}"
        )


def with_pybnesian(data):
    import pybnesian

    frame = frame_of(data)

    def climb():
        found = pybnesian.GreedyHillClimbing().estimate(
            pybnesian.ArcOperatorSet(),
            pybnesian.BDe(frame, 1.0),
            pybnesian.DiscreteBN(list(data.names)),
            max_indegree=7,
        )
        return Dag(data.names, found.arcs())

    return climb


def with_pyagrum(data):
    import pyagrum

    learner = pyagrum.BNLearner(frame_of(data))
    names = learner.names()

    def climb():
        learner.setNumberOfThreads(1)
        learner.useGreedyHillClimbing()
        learner.useScoreBDeu()
        learner.setMaxIndegree(7)
        return Dag(data.names, [(names[x], names[y]) for x, y in learner.learnDAG().arcs()])

    return climb


# -- work --------------------------------------------------------------------------------------


def work(_):
    for name in ("alarm", "win95pts"):
        data = networks.load(name).sample(10_000, seed=1)
        scorer, n = scorer_of(data), len(data.names)
        settings = dict(TABLE_8[name])
        colony = _core.Colony(scorer.core, scorer.rules, ALL_OPERATORS, settings.pop("beta"))
        best = colony.greedy(_core.Pdag(n), _core.Stop())
        before = colony.work
        walks = colony.walk(
            _core.Pdag(n),
            _core.Pheromone(1 / (n * abs(best.score))),
            **settings,
            parallel=False,
            local_search=False,
            seed=1,
            iteration=1,
            ants=20,
            threads=1,
            stop=_core.Stop(),
        )
        steps, rescored, tests = (a - b for a, b in zip(colony.work, before, strict=True))
        scored_anew, tested_anew = full_recomputation(walks, n, scorer.core)
        goal = name == "win95pts"
        for what, kept, anew in (
            ("moves scored", rescored, scored_anew),
            ("validity tests", tests, tested_anew),
        ):
            ratio = anew / kept
            print(
                f"{name:<9} {what:<15} {kept / steps:8.1f} a step, {anew / steps:8.1f} when all "
                f"are looked at: {ratio:7.1f} x fewer"
                + (f"   goal 20 x {said(ratio >= 20)}" if goal else "")
            )


def full_recomputation(walks, n, scorer):
    """Count the moves to score and to test along the same walks when all are looked at."""
    scored = tested = 0
    for walk in walks:
        graph = _core.Pdag(n)
        for move in (*walk.path, None):
            scored += len(_core.valid_moves(graph, ALL_OPERATORS, scorer))
            tested += n_possible(graph, n)
            if move is not None:
                graph = _core.apply_move(graph, move)
    return scored, tested


def n_possible(graph, n):
    """Count the moves whose arguments fit, valid or not: those that Table 2 has to test."""
    directed, undirected = graph.directed_edges(), graph.undirected_edges()
    joined = {frozenset(edge) for edge in (*directed, *undirected)}
    near = [set() for _ in range(n)]
    for x, y in undirected:
        near[x].add(y)
        near[y].add(x)
    apart = n * (n - 1) // 2 - len(joined)
    colliders = sum(
        frozenset((x, y)) not in joined for z in range(n) for x in near[z] for y in near[z] if x < y
    )
    # InsertU and InsertD both ways, DeleteU, DeleteD and ReverseD, MakeV.
    return 3 * apart + len(undirected) + 2 * len(directed) + colliders


# -- memory ------------------------------------------------------------------------------------

# The greatest resident size as Linux keeps it; getrusage would tell that of the parent if greater.
PEAK = """
for line in open("/proc/self/status"):
    if line.startswith("VmHWM"):
        print(int(line.split()[1]) / 1024)
"""
LOADED = "import aco_e; data = aco_e.networks.load('alarm').sample(10_000, seed=1)"
RUN = (
    LOADED + "; from stigmergy import *; from stigmergy.search import AcoE; "
    "scorer = Scorer(data, BDeu(4.0), prior=KappaPrior(0.05), max_parents=7, n_threads=2{bound}); "
    "AcoE(**aco_e.TABLE_8['alarm']).run(scorer, seed=1)"
)


def peak(code):
    """Return the greatest resident size, in MB, of an interpreter that runs the code."""
    here = os.path.dirname(os.path.abspath(__file__))
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{PEAK}"],
        cwd=here,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def memory(_):
    if not sys.platform.startswith("linux"):
        print("memory is measured on Linux only")
        return
    bare, loaded, full = peak(""), peak(LOADED), peak(RUN.format(bound=""))
    print(
        f"alarm     {full - bare:6.1f} MB beyond the bare interpreter   goal 150 MB "
        f"{said(full - bare < 150)}; {full - loaded:.1f} MB beyond the package and its data"
    )
    small = peak(RUN.format(bound=", cache_bytes=1 << 20"))
    print(f"          {small - loaded:6.1f} MB beyond them when the cache is bound to 1 MB")


def main():
    parts = {"speed": speed, "work": work, "memory": memory}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", help="speed, work, memory; all when none is named")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}")
    for name, part in parts.items():
        if not options.parts or name in options.parts:
            part(options.repeats)


if __name__ == "__main__":
    main()
