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
@options.reading_options
@options.json_option
def command(data: Path, as_json: bool, **reading: Any) -> None:
    """Describe the table DATA as a search would see it.

    Type and levels of each column, missing cells, and what is seldom meant: constant columns,
    duplicates, ids.

    \b
    Example:
      stigmergy info patients.csv --missing level
    """
    from stigmergy.cli.words import in_options
    from stigmergy.errors import DataWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the report says the same
        table = options.read_table(data, **reading)
    report = table.report()
    if as_json:
        document = {**report.to_dict(), "fingerprint": table.fingerprint}
        document["concerns"] = [in_options(concern) for concern in report.concerns()]
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
        return
    click.echo(str(report))
    click.echo(f"\nfingerprint {table.fingerprint}")
    for concern in report.concerns():
        click.echo(f"note: {in_options(concern)}")
