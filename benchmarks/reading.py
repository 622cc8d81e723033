# SPDX-License-Identifier: MIT
"""Cells per second of reading a table, beside the bare read of pyarrow, and the peak of memory.

Run ``python benchmarks/reading.py [--rows N]``. The table has 37 columns, as ALARM has, half of
them words, half small integers. *Bare* is what pyarrow alone takes to have the same file in its
own memory (types inferred; text also with every column dictionary-encoded); ours also numbers the
levels in order, checks every cell, looks for duplicates and ids. Peak memory is that of a process
of its own above what its imports take. Goal: ten million cells per second of text.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv, feather, parquet

from stigmergy import Dataset

COLUMNS = 37
MEASURE = """
import pathlib, re, sys
import narwhals, pyarrow.csv, pyarrow.parquet, stigmergy
def memory(what):
    status = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(what + r":\\s+(\\d+)", status)[1]) / 1024
before = memory("VmRSS")
stigmergy.Dataset.from_any(sys.argv[1])
print(memory("VmHWM") - before)
"""


def median_seconds(call, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def make_table(n_rows):
    rng = np.random.default_rng(0)
    words = np.array(["low", "normal", "high"], dtype=object)
    return pa.table(
        {
            f"v{i}": pa.array(
                words[rng.integers(0, 3, n_rows)] if i % 2 else rng.integers(0, 4, n_rows)
            )
            for i in range(COLUMNS)
        }
    )


def bare_dictionaries(path):
    types = {f"v{i}": pa.dictionary(pa.int32(), pa.string()) for i in range(COLUMNS)}
    return csv.read_csv(path, convert_options=csv.ConvertOptions(column_types=types))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    table = make_table(arguments.rows)
    cells = arguments.rows * COLUMNS
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, pyarrow {pa.__version__}")
    print(f"{arguments.rows:,} rows x {COLUMNS} columns, median of {arguments.repeats}")
    print(f"{'source':<22}{'Mcells/s':>10}{'bare':>10}{'ratio':>8}{'peak MB':>9}{'B/cell':>8}")
    with tempfile.TemporaryDirectory() as folder:
        names = {kind: Path(folder) / f"table.{kind}" for kind in ("csv", "parquet", "feather")}
        csv.write_csv(table, names["csv"])
        parquet.write_table(table, names["parquet"])
        feather.write_feather(table, names["feather"])
        frame = table.to_pandas()
        for label, source, bare in (
            ("csv", names["csv"], lambda: csv.read_csv(names["csv"])),
            ("csv, dictionaries", names["csv"], lambda: bare_dictionaries(names["csv"])),
            ("parquet", names["parquet"], lambda: parquet.read_table(names["parquet"])),
            ("feather", names["feather"], lambda: feather.read_table(names["feather"])),
            ("Arrow in memory", table, None),
            ("pandas in memory", frame, None),
        ):
            ours = median_seconds(lambda source=source: Dataset.from_any(source), arguments.repeats)
            line = f"{label:<22}{cells / ours / 1e6:>10.1f}"
            if bare is not None:
                theirs = median_seconds(bare, arguments.repeats)
                command = [sys.executable, "-c", MEASURE, str(source)]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                peak = float(done.stdout)
                line += f"{cells / theirs / 1e6:>10.1f}{ours / theirs:>8.2f}{peak:>9.0f}"
                line += f"{peak * 2**20 / cells:>8.2f}"
            print(line)


if __name__ == "__main__":
    main()
