# SPDX-License-Identifier: MIT
"""How far counting and scoring are from what the machine can do, and from other libraries.

Run ``python benchmarks/counting.py``. Times of the core are taken inside the core, by a loop around
the same entry that the searches use, each the least of 50 repeats; one thread unless said
otherwise; 10,000 rows unless said otherwise. The limits are measured in the same run by bare loops
in the core (`core/src/timing.cpp`): *scatter*, the increment of counters that lie in cache at
places that are known beforehand; *slices*, AND and population count of bit vectors in cache;
*memory*, the read of 64 MiB. The limit of a class of cells is the better of the scatter and
``slices / cells``: it counts every cell and leaves out finding the place, clearing, adding up.
Libraries of the bench extra are left out when they are not installed.
"""

import argparse
import contextlib
import importlib
import itertools
import os
import platform
import time
import warnings

import numpy as np

from stigmergy import BDeu, Dataset, Scorer, _core, networks

ROWS = 10_000
CLASSES = [(2,) * 2, (4,) * 2, (2,) * 4, (4,) * 3, (2,) * 6, (4,) * 4, (2,) * 8]
CLASSES += [(4,) * 5, (2,) * 10, (4,) * 6, (2,) * 12]


def report(what, value, unit, goal, *, at_least=False, note=""):
    reached = value >= goal if at_least else value <= goal
    sign = ">=" if at_least else "<="
    verdict = "reached" if reached else "NOT REACHED"
    print(f"{what:<52}{value:10.2f} {unit:<6} {sign} {goal:<6g} {verdict:<12} {note}".rstrip())


def least_seconds(call, repeats, prepare=lambda: ()):
    times = []
    for _ in range(repeats):
        ready = prepare()
        start = time.perf_counter()
        call(*ready)
        times.append(time.perf_counter() - start)
    return min(times)


def random_codes(arities, n_rows, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, arity, n_rows).astype(np.uint8) for arity in arities]


def columns_of(codes, arities):
    return _core.Columns.make(codes, list(arities), None)


def dataset_of(codes, arities):
    return Dataset.from_codes(codes, [f"v{i:03}" for i in range(len(codes))], list(arities))


def seconds_of_bincount(codes, arities):
    """What numpy takes when the number of each row's cell is there already."""
    numbers = np.ravel_multi_index([c.astype(np.intp) for c in codes], arities)
    cells = int(np.prod(arities))
    return least_seconds(lambda: np.bincount(numbers, minlength=cells), 200)


def frame_of(data):
    pandas = importlib.import_module("pandas")
    return pandas.DataFrame(
        {
            name: pandas.Categorical.from_codes(data.codes(name), [str(one) for one in levels])
            for name, levels in zip(data.names, data.levels, strict=True)
        }
    )


def seconds_of_pybnesian(data):
    pybnesian = importlib.import_module("pybnesian")
    score = pybnesian.BDe(frame_of(data), 1.0)
    network = pybnesian.DiscreteBN(list(data.names))
    child, *parents = data.names
    return least_seconds(lambda: score.local_score(network, child, parents), 50)


def seconds_of_pyagrum(data):
    pyagrum = importlib.import_module("pyagrum")
    frame = frame_of(data)
    child, *parents = data.names

    def learner():  # a new one each time, because it remembers what it has scored
        made = pyagrum.BNLearner(frame)
        made.setNumberOfThreads(1)
        made.useScoreBDeu()
        return (made,)

    return least_seconds(lambda made: made.score(child, parents), 10, learner)


def peer(call, data):
    with contextlib.suppress(ImportError):
        return call(data)
    return None


def cell_classes(limits):
    print("\nCounting one family: rows per nanosecond, part of the limit, and times faster")
    print("(numpy counts ready-made numbers; the libraries count and score a BDeu family)")
    print(
        f"{'cells':>6} {'columns':<8}{'ours':>9}{'limit':>9}{'part':>7} {'>= 70 %':<12}"
        f"{'ours ns':>9}{'scored ns':>10}{'bincount':>10}{'PyBNesian':>11}{'pyAgrum':>9}"
    )
    for arities in CLASSES:
        cells = int(np.prod(arities))
        codes = random_codes(arities, ROWS)
        columns = columns_of(codes, arities)
        parents = list(range(1, len(arities)))
        ns = _core.time_count(columns, 0, parents)
        scored = _core.time_score(columns, "bdeu", 1.0, 0, parents)
        limit = max(limits["scatter_rows_per_ns"], limits["slice_cell_rows_per_ns"] / cells)
        part = ROWS / ns / limit
        data = dataset_of(codes, arities)
        peers = [peer(seconds_of_pybnesian, data), peer(seconds_of_pyagrum, data)]
        times = f"{seconds_of_bincount(codes, arities) * 1e9 / ns:>8.1f} x"
        for seconds, width in zip(peers, (9, 7), strict=True):
            times += (
                f"{'-':>{width}}  "
                if seconds is None
                else f"{seconds * 1e9 / scored:>{width}.0f} x"
            )
        print(
            f"{cells:>6} {f'{len(arities)} of {arities[0]}':<8}{ROWS / ns:>9.2f}{limit:>9.2f}"
            f"{part:>7.0%} {'reached' if part >= 0.7 else 'NOT REACHED':<12}"
            f"{ns:>9.0f}{scored:>10.0f}{times}"
        )


def single_families():
    print("\nOne family in the core")
    for arities, goal in (((4,) * 3, 2.5), ((2,) * 6, 2.5), ((4,) * 5, 8.0), ((2,) * 10, 8.0)):
        columns = columns_of(random_codes(arities, ROWS), arities)
        ns = _core.time_score(columns, "bdeu", 1.0, 0, list(range(1, len(arities))))
        what = f"BDeu of {np.prod(arities)} cells ({len(arities)} columns of {arities[0]})"
        report(f"{what}, counted", ns / 1e3, "us", goal)


def batch(families):
    children = np.array([child for child, _ in families], dtype=np.uint16)
    parents = np.array([p for _, ps in families for p in ps], dtype=np.uint16)
    offsets = np.zeros(len(families) + 1, dtype=np.uint64)
    np.cumsum([len(ps) for _, ps in families], out=offsets[1:])
    return children, parents, offsets


def families_up_to(n_nodes, least, most):
    """All families with as many parents, those side by side that differ in the last parent."""
    return [
        (child, parents)
        for child in range(n_nodes)
        for size in range(least, most + 1)
        for parents in itertools.combinations([n for n in range(n_nodes) if n != child], size)
    ]


def alarm(threads):
    data = networks.load("alarm").sample(ROWS, seed=1)
    n_nodes = len(data.names)
    pairs = batch(families_up_to(n_nodes, 1, 1))
    every = batch(families_up_to(n_nodes, 0, 3))

    def fresh():
        return (Scorer(data, BDeu(1.0)).core,)

    print(f"\nMany families of ALARM, empty cache, {ROWS:,} rows")
    seconds = least_seconds(lambda core: core.families(*pairs, 1), 50, fresh)
    report(f"{len(pairs[0]):,} families of one parent, 1 thread", seconds * 1e3, "ms", 3)
    for n_threads, goal in ((1, 2), (threads, 1)):
        seconds = least_seconds(lambda core, n=n_threads: core.families(*every, n), 10, fresh)
        what = f"{len(every[0]):,} families of <= 3 parents, {n_threads} thread(s)"
        report(what, seconds, "s", goal, note=f"{seconds / len(every[0]) * 1e9:.0f} ns a family")
    core = fresh()[0]
    core.families(*pairs, 1)
    report(f"one of {len(pairs[0]):,} cached", _core.time_cached(core, *pairs), "ns", 60)
    core.families(*every, threads)
    report(f"one of {len(every[0]):,} cached", _core.time_cached(core, *every), "ns", 60)


def million_rows():
    rows, n_columns = 1_000_000, 60
    print(f"\n{rows:,} rows: a BDeu family beside reading its columns at the speed of memory")
    print("(no column comes again before 60 MB of others were read)")
    codes = random_codes((4,) * n_columns, rows)
    core = Scorer(dataset_of(codes, (4,) * n_columns), BDeu(1.0)).core
    core.families(*batch([(node, ()) for node in range(n_columns)]), 1)  # makes the slices
    for width in range(2, 7):
        groups = [range(i, i + width) for i in range(0, n_columns, width)]
        passes = [batch([family_of(group, child) for group in groups]) for child in range(width)]
        seconds = min(least_seconds(lambda one=one: core.families(*one, 1), 1) for one in passes)
        each = seconds / len(groups)
        # Measured again beside each: other work on the machine takes from it.
        read = rows * width / _core.limits()["read_bytes_per_ns"] * 1e-9
        note = f"{each * 1e6:.0f} us, {rows / each * 1e-9:.2f} rows/ns"
        report(f"{4**width} cells, {width} columns of 4", each / read, "x", 2, note=note)


def family_of(group, child):
    return group[child], tuple(node for node in group if node != group[child])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    limits = _core.limits()
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, kernels {_core.kernels()[-1]}")
    print(f"scatter  {limits['scatter_rows_per_ns']:8.2f} rows/ns")
    print(f"slices   {limits['slice_cell_rows_per_ns']:8.0f} rows x cells/ns")
    print(f"memory   {limits['read_bytes_per_ns']:8.1f} bytes/ns")
    cell_classes(limits)
    single_families()
    alarm(given.threads)
    million_rows()


if __name__ == "__main__":
    main()
