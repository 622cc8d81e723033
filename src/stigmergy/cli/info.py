# SPDX-License-Identifier: MIT
"""`stigmergy info`."""

from __future__ import annotations

import json
import warnings
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stigmergy.cli import options

if TYPE_CHECKING:
    from stigmergy.data_report import ColumnReport
    from stigmergy.dataset import Dataset


@click.command()
@options.data_argument
@options.reading_options
@options.json_option
def command(data: Path, as_json: bool, **reading: Any) -> None:
    """Describe the table DATA as a search would see it.

    Type and levels of each column, missing cells, real numbers, and what is seldom meant: constant
    columns, duplicates, ids. Ends with what a search needs to be told.

    \b
    Example:
      stigmergy info patients.csv --missing level
    """
    from stigmergy.cli.words import in_options

    table, real = _read(data, **reading)
    unsettled = reading["missing"] == "error"
    columns = [_column(column, real, unsettled) for column in table.report().columns]
    report = replace(table.report(), columns=tuple(columns))
    gaps = unsettled and any(column.missing for column in columns)
    needs = [
        text
        for is_needed, text in (
            (gaps, "missing cells: impute them, or say --missing drop or --missing level"),
            (real, "real numbers: say --discretize quantile:5, for one, or --drop the columns"),
        )
        if is_needed
    ]
    notes = [*needs, *map(in_options, report.concerns())]
    # That of data which a search would refuse means nothing.
    fingerprint = None if needs else table.fingerprint
    if as_json:
        document = {**report.to_dict(), "fingerprint": fingerprint, "concerns": notes}
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
        return
    click.echo(f"{report}\n")
    if fingerprint is not None:
        click.echo(f"fingerprint {fingerprint}")
    for note in notes:
        click.echo(f"note: {note}")


def _read(data: Path, *, missing: str, **reading: Any) -> tuple[Dataset, tuple[str, ...]]:
    """Read a table, what a search would refuse too; return which columns are real numbers."""
    from stigmergy.errors import DataError, DataWarning

    reading["missing"] = "level" if missing == "error" else missing
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the report says the same
        try:
            return options.read_table(data, **reading), ()
        except DataError as error:
            if not error.real_columns or reading["discretize"] is not None:
                raise
            real = error.real_columns
        # Any intervals will do: they are not shown.
        reading["discretize"] = dict.fromkeys(real, "quantile:2")
        return options.read_table(data, **reading), real


def _column(column: ColumnReport, real: Collection[str], unsettled: bool) -> ColumnReport:
    """Describe a column as it stands in the file, before missing cells and reals are settled."""
    if column.name in real:
        return replace(
            column,
            type="number",
            levels=(),
            observed=0,
            constant=False,
            duplicate_of=None,
            id_like=False,
            more="real numbers: needs --discretize",
        )
    if column.duplicate_of in real:
        column = replace(column, duplicate_of=None)
    if not (unsettled and column.missing):
        return column
    observed = column.observed - 1
    return replace(column, levels=column.levels[:-1], observed=observed, constant=observed <= 1)
