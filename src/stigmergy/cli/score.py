# SPDX-License-Identifier: MIT
"""`stigmergy score`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from stigmergy.cli import options


@click.command()
@options.data_argument
@options.structure_argument
@options.score_options
@options.reading_options
@options.json_option
def command(
    data: Path,
    structure: Path,
    score: str,
    ess: float | None,
    kappa: float,
    as_json: bool,
    **reading: Any,
) -> None:
    """Score the STRUCTURE (.json, .bif, .dot, .csv, .graphml) on the table DATA, in nats.

    A class or another graph with undirected edges is scored by one of its DAGs.

    \b
    Example:
      stigmergy score patients.csv network.bif --ess 10 --json
    """
    from stigmergy.io.structure import read_structure
    from stigmergy.learn import make_prior, make_score
    from stigmergy.result import plain
    from stigmergy.scorer import Scorer

    graph = read_structure(structure)
    table = options.read_table(data, **reading)
    scorer = Scorer(table, make_score(score, ess), prior=make_prior(kappa))
    families = scorer.family_table(graph)
    total = scorer.score_graph(graph)
    if as_json:
        rows = [{"child": c, "parents": list(p), "score": s} for c, p, s in families]
        document = {"score": total, "families": rows, "scorer": plain(scorer.settings)}
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
        return
    for child, parents, value in families:
        click.echo(f"{value:18,.4f}  {child}{' | ' if parents else ''}{', '.join(parents)}")
    click.echo(f"{total:18,.4f}  in all")
