# SPDX-License-Identifier: MIT
"""How much the names of variables matter: scores of searches on the same data, names shuffled.

Run ``python benchmarks/names.py``. Ties are decided by the order of names. Adding x -> y gains as
much as adding y -> x when the score is equal within a class, so a search over DAGs decides by the
alphabet which way its first arcs go. A search over classes adds the edge undirected. Printed are
the worst and the best BDeu score (ess 1) over the shuffles, as differences from the best of all.
"""

import argparse
import random

from stigmergy import Dataset, learn_structure, networks

ALGORITHMS = ("hc", "tabu", "hcsn", "greedy-e", "ges")


def renamed(data, names):
    return Dataset.from_codes([data.codes(name) for name in data.names], names, data.levels)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--networks", nargs="+", default=["child", "insurance", "alarm"])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--shuffles", type=int, default=20)
    options = parser.parse_args()
    for network in options.networks:
        data = networks.load(network).sample(options.rows, seed=1)
        rng = random.Random(1)
        names = [f"x{i:03}" for i in range(data.n_columns)]
        scores = {algorithm: [] for algorithm in ALGORITHMS}
        for _ in range(options.shuffles):
            rng.shuffle(names)
            shuffled = renamed(data, names)
            for algorithm, found in scores.items():
                found.append(learn_structure(shuffled, algorithm, n_jobs=-1).score)
        best = max(score for found in scores.values() for score in found)
        for algorithm, found in scores.items():
            worst, top = (f"{score - best:9.1f}" for score in (min(found), max(found)))
            print(f"{network:<10} {options.rows:>6} rows  {algorithm:<8}  {worst}  to {top}")


if __name__ == "__main__":
    main()
