# SPDX-License-Identifier: MIT
"""Tables on standard output, for people."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence

import click


def print_table(
    heading: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()
) -> None:
    """Print rows under a heading; columns in `right` are right-aligned.

    In a terminal the table fits its width; elsewhere each row is one line, as tools expect.
    """
    if sys.stdout.isatty():
        _print_fitting(heading, rows, right)
        return
    widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    for row in (heading, *rows):
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        click.echo("  ".join(cells).rstrip())


def _print_fitting(
    heading: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int]
) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, title in enumerate(heading):
        table.add_column(title, justify="right" if i in right else "left", no_wrap=i == 0)
    for row in rows:
        table.add_row(*map(Text, row))
    Console(highlight=False).print(table)
