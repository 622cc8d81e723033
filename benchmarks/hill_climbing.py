# SPDX-License-Identifier: MIT
"""Seconds of hill climbing on ALARM: ours and other libraries, with the score that each reaches.

Run ``python benchmarks/hill_climbing.py``. Each library climbs from the empty graph by additions,
deletions and reversals on one thread, data already in its own form; making that form is not timed,
making scores and tables is. All results are scored by us. Libraries of the bench extra are left out
when they are not installed. Goal: faster than each of them on 10,000 rows.
"""

import argparse
import contextlib
import importlib
import os
import platform
import statistics
import time
import warnings

from stigmergy import BIC, BDeu, Dag, Scorer, networks
from stigmergy.search import HillClimbing, Tabu


def frame_of(data):
    pandas = importlib.import_module("pandas")
    return pandas.DataFrame(
        {
            name: pandas.Categorical.from_codes(data.codes(name), [str(one) for one in levels])
            for name, levels in zip(data.names, data.levels, strict=True)
        }
    )


def ours(data, score, search):
    return lambda: search.run(Scorer(data, score)).dag


def with_pybnesian(data, score):
    pybnesian = importlib.import_module("pybnesian")
    frame = frame_of(data)

    def climb():
        theirs = pybnesian.BIC(frame) if score.name == "BIC" else pybnesian.BDe(frame, score.ess)
        found = pybnesian.GreedyHillClimbing().estimate(
            pybnesian.ArcOperatorSet(), theirs, pybnesian.DiscreteBN(list(data.names))
        )
        return Dag(data.names, found.arcs())

    return climb


def with_pyagrum(data, score):
    pyagrum = importlib.import_module("pyagrum")
    learner = pyagrum.BNLearner(frame_of(data))
    names = learner.names()

    def climb():
        learner.setNumberOfThreads(1)
        learner.useGreedyHillClimbing()
        if score.name == "BIC":
            learner.useScoreBIC()
            learner.useNoPrior()
        else:
            learner.useScoreBDeu()
        return Dag(data.names, [(names[x], names[y]) for x, y in learner.learnDAG().arcs()])

    return climb


def measure(name, n_rows, repeats, score):
    data = networks.load(name).sample(n_rows, seed=1)
    scorer = Scorer(data, score)
    climbs = {
        "stigmergy hc": ours(data, score, HillClimbing()),
        "stigmergy tabu": ours(data, score, Tabu()),
    }
    for library, make in (("PyBNesian hc", with_pybnesian), ("pyAgrum hc", with_pyagrum)):
        with contextlib.suppress(ImportError):
            climbs[library] = make(data, score)
    medians = {}
    for library, climb in climbs.items():
        climb()
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            dag = climb()
            times.append(time.perf_counter() - start)
        medians[library] = statistics.median(times)
        ratio = medians[library] / medians["stigmergy hc"]
        print(
            f"{name:<12} {n_rows:>7} {score!r:<14} {library:<15} "
            f"{medians[library]:9.4f} s {ratio:7.1f} x  {scorer.score_graph(dag):14.2f}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", default=["alarm"])
    parser.add_argument("--rows", nargs="+", type=int, default=[1_000, 10_000])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}")
    for name in options.networks:
        for n_rows in options.rows:
            for score in (BIC(), BDeu(1.0)):
                measure(name, n_rows, options.repeats, score)


if __name__ == "__main__":
    main()
