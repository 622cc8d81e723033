# SPDX-License-Identifier: MIT
"""`stigmergy sample`."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import click

from stigmergy.cli import options
from stigmergy.cli.output import check_outputs

if TYPE_CHECKING:
    from stigmergy.dataset import Dataset

FORMATS = (".csv", ".parquet", ".arrow")


@click.command()
@click.argument("network", type=options.NetworkName())
@click.argument("rows", type=click.IntRange(min=1))
@options.seed_option
@click.option(
    "--output",
    "-o",
    type=options.FILE,
    metavar="OUT",
    help=f"{', '.join(FORMATS)}; CSV on standard output if not given.",
)
def command(network: str, rows: int, seed: int, output: Path | None) -> None:
    """Draw ROWS rows from NETWORK, a packaged network's name or a .bif file.

    \b
    Example:
      stigmergy sample alarm 10000 --seed 1 -o alarm.csv
    """
    if output is not None:
        check_outputs([output], FORMATS)
    data = options.load_network(network).sample(rows, seed)
    if output is None:
        click.echo(csv_text(data), nl=False)
        return
    write_table(data, output)
    click.echo(f"wrote {output}", err=True)


def write_table(data: Dataset, path: Path) -> None:
    """Write a data set in the format of the path's suffix; the file appears whole or not at all."""
    from stigmergy.io.whole import write_whole

    if path.suffix.lower() == ".csv":
        write_whole(path, csv_text(data).encode())
        return
    import pyarrow
    import pyarrow.feather
    import pyarrow.parquet

    columns = {}
    for name in data.names:
        levels = pyarrow.array(list(data.levels_of(name)))
        codes = pyarrow.array(data.codes(name).astype("int32"))
        columns[name] = pyarrow.DictionaryArray.from_arrays(codes, levels)
    table = pyarrow.table(columns)
    buffer = io.BytesIO()
    if path.suffix.lower() == ".parquet":
        pyarrow.parquet.write_table(table, buffer)
    else:
        pyarrow.feather.write_feather(table, buffer)
    write_whole(path, buffer.getvalue())


def csv_text(data: Dataset) -> str:
    """Return a data set as CSV with a header."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(data.names)
    writer.writerows(zip(*data.to_dict().values(), strict=True))
    return buffer.getvalue()
