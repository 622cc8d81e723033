# SPDX-License-Identifier: MIT
"""`stigmergy shd`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from stigmergy.cli import options


@click.command()
@click.argument("truth", type=options.FILE)
@click.argument("learned", type=options.FILE)
@options.json_option
def command(truth: Path, learned: Path, as_json: bool) -> None:
    """Compare the structure files TRUTH and LEARNED as equivalence classes.

    The structural Hamming distance of Tsamardinos, Brown and Aliferis (2006) counts the pairs that
    the two classes do not join in the same way.

    \b
    Example:
      stigmergy shd network.bif result.json
    """
    from stigmergy.io.structure import read_structure
    from stigmergy.metrics import compare

    comparison = compare(read_structure(truth), read_structure(learned))
    if not as_json:
        click.echo(str(comparison))
        return
    document: dict[str, Any] = {
        "shd": comparison.shd,
        "skeleton_shd": comparison.skeleton_shd,
    }
    for part in ("skeleton", "arrowheads", "v_structures"):
        agreement = getattr(comparison, part)
        rates = {name: getattr(agreement, name) for name in ("precision", "recall", "f1")}
        document[part] = {**asdict(agreement), **rates}
    for part in ("missing", "extra", "redirected"):
        document[part] = [list(pair) for pair in getattr(comparison, part)]
    click.echo(json.dumps(document, indent=1, ensure_ascii=False))
