# SPDX-License-Identifier: MIT
"""`stigmergy convert`."""

from __future__ import annotations

from pathlib import Path

import click

from stigmergy.cli import options
from stigmergy.cli.output import EVERY, NETWORKS, check_outputs, suffix_of, write_outputs


@click.command()
@click.argument("source", type=options.FILE)
@click.argument("outputs", type=options.FILE, nargs=-1, required=True, metavar="OUT...")
@click.option("--cpdag", is_flag=True, help="Write the equivalence class of a DAG.")
@click.option("--dag", is_flag=True, help="Write one DAG of an equivalence class.")
@options.plain_names_option
def command(
    source: Path, outputs: tuple[Path, ...], cpdag: bool, dag: bool, plain_names: bool
) -> None:
    """Turn the structure or network file SOURCE into other formats, told by their suffixes.

    .json, .dot, .csv, .graphml and .bif are read; these and .svg, .png, .pdf are written. Only a
    network can become .bif: a structure has no probabilities (see `stigmergy fit`).

    \b
    Example:
      stigmergy convert network.bif network.graphml network.png
    """
    check_outputs(outputs, EVERY)
    from stigmergy.cli.fit import member_of
    from stigmergy.errors import ParameterError
    from stigmergy.io.bif import read_bif
    from stigmergy.io.structure import read_structure

    if cpdag and dag:
        raise ParameterError("give --cpdag or --dag, not both")
    is_network = suffix_of(source) in NETWORKS
    if not is_network and any(suffix_of(path) in NETWORKS for path in outputs):
        raise ParameterError(
            f"{str(source)!r} is a structure without probabilities, which .bif needs; "
            "estimate them with `stigmergy fit DATA STRUCTURE -o x.bif`"
        )
    graph = read_structure(source)
    member = member_of(graph, source)
    shown = member.to_cpdag() if cpdag else member if dag else graph
    write_outputs(
        outputs, shown, member, fitted=lambda: read_bif(source), plain_names=plain_names
    ).tell()
