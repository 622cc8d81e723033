# SPDX-License-Identifier: MIT
"""`stigmergy networks`."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from stigmergy.cli import options
from stigmergy.cli.table import print_table


@click.command()
@options.json_option
def command(as_json: bool) -> None:
    """List the gold-standard networks that come with the package.

    With --json also where each was published, and what to know before use.

    \b
    Example:
      stigmergy networks
      stigmergy sample insurance 5000 -o insurance.csv
    """
    from stigmergy import networks

    found = [networks.info(name) for name in networks.names()]
    if as_json:
        click.echo(json.dumps([asdict(network) for network in found], indent=1, ensure_ascii=False))
        return
    print_table(
        ("name", "nodes", "arcs", "parameters", "in-degree", "first published"),
        [
            (
                network.name,
                f"{network.n_nodes:,}",
                f"{network.n_arcs:,}",
                f"{network.n_parameters:,}",
                f"{network.max_in_degree}",
                _authors(network.citation),
            )
            for network in found
        ],
        right=(1, 2, 3, 4),
    )


def _authors(citation: str) -> str:
    """Return the authors and the year of a citation, with which it begins."""
    return citation.partition("), ")[0] + ")" if "), " in citation else citation
