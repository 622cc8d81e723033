# SPDX-License-Identifier: MIT
"""`stigmergy info`."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import click

from stigmergy.cli import options


@click.command()
@options.data_argument
@options.levels_option
@options.missing_option
@options.discretize_option
@options.json_option
def command(
    data: Path, levels: Path | None, missing: Any, discretize: str | None, as_json: bool
) -> None:
    """Describe the table DATA as a search would see it.

    Type and levels of each column, missing cells, and what is seldom meant: constant columns,
    duplicates, ids.

    \b
    Example:
      stigmergy info patients.csv --missing level
    """
    from stigmergy.dataset import Dataset
    from stigmergy.errors import DataWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the report says the same
        table = Dataset.from_any(
            data, levels=options.read_levels(levels), missing=missing, discretize=discretize
        )
    report = table.report()
    if as_json:
        document = {**report.to_dict(), "fingerprint": table.fingerprint}
        document["concerns"] = report.concerns()
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
        return
    click.echo(str(report))
    click.echo(f"\nfingerprint {table.fingerprint}")
    for concern in report.concerns():
        click.echo(f"note: {concern}")
