# SPDX-License-Identifier: MIT
"""Runs the benchmarks of this folder one after the other, each as a process of its own.

``python benchmarks/run.py`` runs all, ``python benchmarks/run.py counting read`` those whose names
hold one of the words. Each prints its own table; to give one of them arguments, run it by itself.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def chosen(words):
    scripts = sorted(FOLDER.glob("*.py"))
    names = [path.stem for path in scripts if path != Path(__file__).resolve()]
    found = [name for name in names if not words or any(word in name for word in words)]
    if not found:
        raise SystemExit(f"no benchmark is named like {words}; there are {', '.join(names)}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("words", nargs="*", help="run only benchmarks whose names hold one of them")
    failed = []
    for name in chosen(parser.parse_args().words):
        print(f"\n=== {name} " + "=" * (90 - len(name)), flush=True)
        start = time.perf_counter()
        if subprocess.run([sys.executable, FOLDER / f"{name}.py"]).returncode:
            failed.append(name)
        print(f"({name}: {time.perf_counter() - start:.0f} s)", flush=True)
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
