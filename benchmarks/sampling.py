# SPDX-License-Identifier: MIT
"""Rows per second of forward sampling: ours, other libraries, and the limit of the machine.

Run ``python benchmarks/sampling.py``. The limit is what NumPy's generators take only to make one
raw 64-bit word per cell, without turning any into a state. Libraries of the bench extra are left
out when they are not installed. Goal: 10^6 rows of ALARM in less than a second on one thread.
"""

import argparse
import contextlib
import importlib
import os
import platform
import statistics
import tempfile
import time
import warnings

import numpy as np

from stigmergy import networks, write_bif

# The others are given fewer rows, so that a run ends; rows per second hardly depend on it.
OTHERS_ROWS = 20_000


def median_seconds(call, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def numpy_limit(generator, n_rows, n_columns):
    bits = generator(1)
    return lambda: [bits.random_raw(n_rows) for _ in range(n_columns)]


def with_pyagrum(path):
    pyagrum = importlib.import_module("pyagrum")
    bn = pyagrum.loadBN(path)
    generator = pyagrum.BNDatabaseGenerator(bn)
    return lambda: (bn, generator.drawSamples(OTHERS_ROWS))  # the generator does not keep bn alive


def with_pgmpy(path):
    readers = importlib.import_module("pgmpy.readwrite")
    sampling = importlib.import_module("pgmpy.sampling")
    sampler = sampling.BayesianModelSampling(readers.BIFReader(path).get_model())
    return lambda: sampler.forward_sample(size=OTHERS_ROWS, seed=1, show_progress=False)


def measure(name, n_rows, repeats):
    network = networks.load(name)
    n_columns = len(network.names)
    network.sample(1, seed=0)  # makes the alias tables
    cells = n_rows * n_columns
    lines = []
    for threads in sorted({1, os.cpu_count() or 1}):

        def call(threads=threads):
            network.sample(n_rows, seed=1, n_threads=threads)

        seconds = median_seconds(call, repeats)
        lines.append((f"stigmergy, {threads} thread{'s' * (threads > 1)}", n_rows, seconds))
    for generator in (np.random.PCG64, np.random.Philox, np.random.SFC64):
        seconds = median_seconds(numpy_limit(generator, n_rows, n_columns), repeats)
        lines.append((f"limit: numpy {generator.__name__}, words only", n_rows, seconds))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"{name}.bif")
        write_bif(network, path)
        for library, prepare in (("pyagrum", with_pyagrum), ("pgmpy", with_pgmpy)):
            with contextlib.suppress(ModuleNotFoundError):
                version = getattr(importlib.import_module(library), "__version__", "?")
                seconds = median_seconds(prepare(path), 1)
                lines.append((f"{library} {version}", OTHERS_ROWS, seconds))
    print(f"\n{name}: {n_columns} columns, {n_rows:,} rows, {cells:,} cells")
    for what, rows, seconds in lines:
        per_cell = seconds / rows / n_columns * 1e9
        print(
            f"  {what:36} {rows / seconds:14,.0f} rows/s {per_cell:10.2f} ns/cell {seconds:8.3f} s"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--networks", nargs="*", default=["alarm", "mildew", "win95pts", "link"])
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, numpy {np.__version__}, seed 1")
    for name in given.networks:
        rows = min(given.rows, 200_000_000 // len(networks.load(name).names))
        measure(name, rows, given.repeats)


if __name__ == "__main__":
    main()
