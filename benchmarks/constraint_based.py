# SPDX-License-Identifier: MIT
"""Seconds of PC, FCI, MMHC and TPDA: ours, causal-learn's and pgmpy's, with the distance to truth.

Run ``python benchmarks/constraint_based.py``. Every library makes G2 tests at alpha 0.05 on one
thread, its data already in its own form, and removes edges in the stable way. causal-learn counts
degrees of freedom as we do by default; pgmpy does not leave out empty rows and columns. FCI
conditions on at most three variables in both libraries. A peer that takes longer than `--limit`
seconds is ended and its ratio is a lower bound. Libraries of the bench extra are left out when they
are not installed. Goal: 50 times faster than each of them.
"""

import argparse
import contextlib
import importlib
import multiprocessing
import os
import platform
import statistics
import time
import warnings

import numpy as np

from stigmergy import BDeu, Dag, Pdag, Scorer, metrics, networks
from stigmergy.search import FCI, MMHC, PC, TPDA

ALPHA = 0.05
FCI_CONDITIONING = 3


def frame_of(data):
    pandas = importlib.import_module("pandas")
    return pandas.DataFrame({name: data.codes(name) for name in data.names})


def array_of(data):
    return np.column_stack([data.codes(name) for name in data.names]).astype(np.int64)


def ours(search):
    def make(data):
        def learn():
            result = search.run(Scorer(data, BDeu(10.0)))
            return result.dag if search.name == "mmhc" else result.pdag

        return learn

    return make


def causal_learn_pc(data):
    module = importlib.import_module("causallearn.search.ConstraintBased.PC")
    table = array_of(data)

    def learn():
        found = module.pc(table, ALPHA, "gsq", stable=True, show_progress=False).G.graph
        return pdag_of(data.names, found)

    return learn


def causal_learn_fci(data):
    module = importlib.import_module("causallearn.search.ConstraintBased.FCI")
    table = array_of(data)

    def learn():
        graph, _ = module.fci(
            table, "gsq", ALPHA, depth=FCI_CONDITIONING, verbose=False, show_progress=False
        )
        return pdag_of(data.names, graph.graph)

    return learn


def pdag_of(names, ends):
    """Turn causal-learn's matrix (ends[x, y] is the mark at x: -1 tail, 1 arrowhead) into ours."""
    directed, undirected = [], []
    for i, x in enumerate(names):
        for j in range(i):
            if ends[i, j] == 0:
                continue
            at_x, at_y = ends[i, j] == 1, ends[j, i] == 1
            if at_x == at_y:
                undirected.append((x, names[j]))
            else:
                directed.append((names[j], x) if at_x else (x, names[j]))
    return Pdag(names, directed, undirected)


def pgmpy_pc(data):
    estimators = importlib.import_module("pgmpy.estimators")
    frame = frame_of(data)

    def learn():
        found = estimators.PC(frame).estimate(
            variant="stable",
            ci_test="log_likelihood",
            return_type="cpdag",
            significance_level=ALPHA,
            max_cond_vars=len(data.names),
            show_progress=False,
        )
        directed = found.directed_edges
        return Pdag(data.names, directed, found.undirected_edges)

    return learn


def pgmpy_mmhc(data):
    estimators = importlib.import_module("pgmpy.estimators")
    frame = frame_of(data)

    def learn():
        found = estimators.MmhcEstimator(frame).estimate(significance_level=ALPHA)
        return Dag(data.names, found.edges())

    return learn


ALGORITHMS = {
    "pc": (
        ours(PC(ALPHA, colliders="plain")),
        {"causal-learn": causal_learn_pc, "pgmpy": pgmpy_pc},
    ),
    "fci": (
        ours(FCI(ALPHA, max_conditioning=FCI_CONDITIONING)),
        {"causal-learn": causal_learn_fci},
    ),
    "mmhc": (ours(MMHC(ALPHA)), {"pgmpy": pgmpy_mmhc}),
    "tpda": (ours(TPDA()), {}),
}


def seconds_of(learn, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        graph = learn()
        times.append(time.perf_counter() - start)
    return statistics.median(times), graph


def in_a_process(make, data, pipe):
    warnings.simplefilter("ignore")
    try:
        with contextlib.redirect_stdout(None):  # causal-learn prints edges
            learn = make(data)
            pipe.send("ready")
            once = seconds_of(learn, 1)
            # A quick one is timed again, without what its first call loads.
            pipe.send(once if once[0] > 1 else seconds_of(learn, 3))
    except ImportError:
        pipe.send(None)
    except Exception as error:  # a peer that fails is a line of the table
        pipe.send(f"{type(error).__name__}: {error}")


def within(limit, make, data):
    """Run a peer in a process of its own, which ends with the limit; imports are not counted."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=in_a_process, args=(make, data, sending))
    process.start()
    sending.close()  # the process has the only other end: when it dies, the pipe is at its end
    try:
        answer = receiving.recv()
        if answer == "ready":
            answer = receiving.recv() if receiving.poll(limit) else "over the limit"
    except EOFError:
        answer = "its process died"
    process.kill()
    process.join()
    return answer


def distance(graph, truth):
    try:
        class_ = graph.to_cpdag() if isinstance(graph, Dag) else graph
        return str(metrics.shd(class_, truth.to_cpdag()))
    except ValueError as error:
        return type(error).__name__


def measure(name, n_rows, options):
    network = networks.load(name)
    data = network.sample(n_rows, seed=1)
    for algorithm in options.algorithms:
        make, peers = ALGORITHMS[algorithm]
        learn = make(data)
        learn()
        seconds, graph = seconds_of(learn, options.repeats)

        def line(who, time_text, ratio, shd, label=f"{name:<11}{n_rows:>7}  {algorithm:<5}"):
            print(f"{label} {who:<13} {time_text:>12} {ratio:>10}  {shd}", flush=True)

        line("stigmergy", f"{seconds:.4f} s", "", distance(graph, network.dag))
        for library, peer in peers.items():
            answer = within(options.limit, peer, data)
            if answer == "over the limit":
                bound = options.limit / seconds
                line(library, f"> {options.limit:.0f} s", f"> {bound:.0f} x", "")
            elif isinstance(answer, str):
                line(library, "failed", "", answer.splitlines()[0][:70])
            elif answer is not None:
                theirs, graph = answer
                ratio = f"{theirs / seconds:.0f} x"
                line(library, f"{theirs:.2f} s", ratio, distance(graph, network.dag))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--networks", nargs="+", default=["alarm", "insurance", "child", "hailfinder"]
    )
    parser.add_argument("--rows", nargs="+", type=int, default=[1_000, 10_000])
    parser.add_argument("--algorithms", nargs="+", choices=ALGORITHMS, default=list(ALGORITHMS))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--limit", type=float, default=300, help="seconds for each run of a peer")
    options = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}")
    print("network       rows  algo. library            seconds      ratio  SHD to the true class")
    for name in options.networks:
        for n_rows in options.rows:
            measure(name, n_rows, options)


if __name__ == "__main__":
    main()
