# SPDX-License-Identifier: MIT
"""ACO-E and GREEDY-E as Daly & Shen (2009) measured them, beside their Tables 14 and 17.

Run ``python benchmarks/fidelity.py --data-sets 20``, then ``python benchmarks/fidelity.py --write
docs/fidelity.md``. Every run is a line of the file ``--runs``; lines that are there are not
computed anew, so the measurement can be cut short and taken up. It needs no quiet machine: nothing
here is a time. For each data set of 10,000 rows: BDeu with an equivalent sample size of 4, kappa
0.05, at most 7 parents; ACO-E with 200 iterations of 20 ants and rho, q0 and beta of Table 8, under
both schedules. The seed of the data and of the ants is the number of the data set.
"""

import argparse
import itertools
import json
import math
import statistics
from pathlib import Path
from typing import NamedTuple

from stigmergy import BDeu, KappaPrior, Scorer, networks, shd
from stigmergy.search import AcoE, GreedyE

N_ROWS = 10_000
PAPER_RUNS = 100
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


class Spread(NamedTuple):
    """A mean and its standard deviation."""

    mean: float
    deviation: float

    def __mul__(self, factor):
        return Spread(self.mean * factor, self.deviation * abs(factor))


class Published(NamedTuple):
    """A network in the paper: Table 8, and Table 17 with scores in units of `unit`."""

    settings: dict
    unit: float
    aco_shd: Spread
    greedy_shd: Spread
    aco_score: Spread
    greedy_score: Spread


def published(rho, q0, beta, unit, *figures):
    return Published({"rho": rho, "q0": q0, "beta": beta}, unit, *(Spread(*f) for f in figures))


# SHD of ACO-E (also Table 14) and of GREEDY-E, score of ACO-E (also Table 15) and of GREEDY-E.
PAPER = {
    "alarm": published(
        0.4, 0.8, 0.5, -1e5, (4.33, 1.74), (24.17, 9.16), (1.0388, 0.0037), (1.0396, 0.0038)
    ),
    "barley": published(
        0.4, 0.8, 1.0, -1e5, (51.49, 2.82), (106.58, 8.95), (5.0695, 0.0035), (5.2415, 0.0114)
    ),
    "diabetes": published(
        0.4, 0.7, 1.0, -1e5, (61.01, 3.18), (68.71, 3.13), (1.9399, 0.0032), (1.9397, 0.0033)
    ),
    "hailfinder": published(
        0.2, 0.8, 1.0, -1e5, (52.64, 6.85), (49.20, 0.89), (4.9205, 0.0037), (4.9212, 0.0039)
    ),
    "mildew": published(
        0.4, 0.7, 0.5, -1e5, (18.96, 0.79), (29.22, 0.77), (4.5338, 0.0043), (4.5527, 0.0038)
    ),
    "win95pts": published(
        0.2, 0.95, 2.5, -1e4, (50.84, 11.19), (85.75, 16.44), (9.3794, 0.0043), (9.4121, 0.0043)
    ),
}
TRUTH, GREEDY, ACO_PAPER, ACO_PARALLEL = METHODS = (
    "true graph",
    "GREEDY-E",
    "ACO-E, paper",
    "ACO-E, parallel",
)


# -- measuring ---------------------------------------------------------------------------------


def run(network, data_set, method):
    """Return the line of one run."""
    true_network = networks.load(network)
    data = true_network.sample(N_ROWS, seed=data_set)
    scorer = Scorer(data, BDeu(ess=4), prior=KappaPrior(0.05), max_parents=7)
    line = {"network": network, "data_set": data_set, "method": method}
    if method == TRUTH:
        return line | {"shd": 0, "score": scorer.score_graph(true_network.dag)}
    search = GreedyE()
    if method != GREEDY:
        schedule = "paper" if method == ACO_PAPER else "parallel"
        search = AcoE(ants=20, iterations=200, schedule=schedule, **PAPER[network].settings)
    result = search.run(scorer, seed=data_set)
    return line | {"shd": shd(result.cpdag, true_network.dag), "score": result.score}


def read(path):
    """Return the lines of a file of runs by network, data set and method."""
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return {(line["network"], line["data_set"], line["method"]): line for line in lines}


def measure(path, n_data_sets):
    done = read(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    for data_set in range(1, n_data_sets + 1):
        for network in PAPER:
            for method in METHODS:
                if (network, data_set, method) in done:
                    continue
                line = run(network, data_set, method)
                with path.open("a") as file:
                    file.write(json.dumps(line) + "\n")
                print(*line.values(), flush=True)


# -- reporting ---------------------------------------------------------------------------------


class Estimate(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float

    @classmethod
    def of(cls, values):
        return cls(statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values)))

    @classmethod
    def of_paper(cls, spread):
        return cls(spread.mean, spread.deviation / math.sqrt(PAPER_RUNS))

    @property
    def is_clear(self):
        return abs(self.mean) > 2 * self.error

    def text(self, digits):
        return f"{self.mean:,.{digits}f} ± {self.error:,.{digits}f}"


def values(runs, network, method, what):
    return [
        line[what]
        for (name, _, how), line in sorted(runs.items())
        if (name, how) == (network, method)
    ]


def gain(runs, network, what):
    """Return the mean difference of ACO-E and GREEDY-E on the same data."""
    aco, greedy = (values(runs, network, method, what) for method in (ACO_PAPER, GREEDY))
    return Estimate.of([a - g for a, g in zip(aco, greedy, strict=True)])


def paper_gain(aco, greedy):
    """Return the difference of two means of the paper, taken for independent."""
    aco, greedy = Estimate.of_paper(aco), Estimate.of_paper(greedy)
    return Estimate(aco.mean - greedy.mean, math.hypot(aco.error, greedy.error))


def verdict(ours, theirs):
    words = "differs"
    if ours.mean * theirs.mean > 0:
        words = f"agrees, {ours.mean / theirs.mean:.1f} times the paper's"
    for whose, estimate in (("ours", ours), ("the paper's", theirs)):
        if not estimate.is_clear:
            words += f"; {whose} is within two standard errors of none"
    return words


def table(header, rows):
    aligned = ["---", "---", *["---:"] * (len(header) - 2)]
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, aligned, *rows]) + "\n"


def means(runs):
    """List the rows of the table of means."""
    for network, paper in PAPER.items():
        printed = {
            GREEDY: (paper.greedy_shd, paper.greedy_score),
            ACO_PAPER: (paper.aco_shd, paper.aco_score),
        }
        for method in METHODS:
            row = {
                what: Estimate.of(values(runs, network, method, what)) for what in ("shd", "score")
            }
            theirs = ["", ""]
            if method in printed:
                shd_, score = printed[method]
                theirs = [
                    Estimate.of_paper(shd_).text(2),
                    Estimate.of_paper(score * paper.unit).text(0),
                ]
            distance = "0" if method == TRUTH else row["shd"].text(2)
            name = network if method == TRUTH else ""
            yield [name, method, distance, theirs[0], row["score"].text(0), theirs[1]]


def gains(runs):
    """List the rows of the table of differences."""
    for network, paper in PAPER.items():
        for what, name, digits, theirs in (
            ("shd", network, 2, paper_gain(paper.aco_shd, paper.greedy_shd)),
            (
                "score",
                "",
                0,
                paper_gain(paper.aco_score * paper.unit, paper.greedy_score * paper.unit),
            ),
        ):
            ours = gain(runs, network, what)
            label = "SHD" if what == "shd" else what
            yield [name, label, ours.text(digits), theirs.text(digits), verdict(ours, theirs)]


def report(runs):
    """Return the tables of the page."""
    counted = {len(values(runs, *pair, "score")) for pair in itertools.product(PAPER, METHODS)}
    if len(counted) != 1:
        raise SystemExit(f"the runs are not complete: {counted} data sets per network and method")
    return "\n".join(
        [
            f"{counted.pop()} data sets per network; mean ± standard error.\n",
            table(["network", "", "SHD", "SHD, paper", "score", "score, paper"], means(runs)),
            'ACO-E (`schedule="paper"`) less GREEDY-E:\n',
            table(["network", "", "here", "paper", "direction and size"], gains(runs)),
        ]
    )


def write(path, text):
    """Put the tables between the marks of a page."""
    page = path.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    path.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-sets", type=int, default=20)
    parser.add_argument("--runs", type=Path, default=Path("build/fidelity.jsonl"))
    parser.add_argument("--write", type=Path, help="a page to put the tables in; measures nothing")
    options = parser.parse_args()
    if options.write is None:
        measure(options.runs, options.data_sets)
        print(report(read(options.runs)))
    else:
        write(options.write, report(read(options.runs)))


if __name__ == "__main__":
    main()
