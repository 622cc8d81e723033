# SPDX-License-Identifier: MIT
"""`stigmergy fit`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from stigmergy.cli import options
from stigmergy.cli.output import NETWORKS, check_outputs, told_of, write_outputs


@click.command()
@options.data_argument
@options.structure_argument
@click.option(
    "--method",
    type=click.Choice(["bayes", "mle"]),
    default="bayes",
    show_default=True,
    help="Posterior means, or relative frequencies.",
)
@click.option("--ess", type=float, default=1.0, show_default=True, help="Sample size of the prior.")
@options.reading_options
@click.option(
    "--output",
    "-o",
    type=options.FILE,
    metavar="OUT",
    help=".bif or .bif.gz; BIF on standard output if not given.",
)
@options.plain_names_option
def command(
    data: Path,
    structure: Path,
    method: Any,
    ess: float,
    output: Path | None,
    plain_names: bool,
    **reading: Any,
) -> None:
    """Estimate the probabilities of the STRUCTURE from the table DATA.

    \b
    Example:
      stigmergy fit patients.csv structure.dot -o network.bif
    """
    if output is not None:
        check_outputs([output], NETWORKS)
    from stigmergy.io.bif import format_bif
    from stigmergy.io.structure import read_structure
    from stigmergy.network import BayesianNetwork

    dag = member_of(read_structure(structure), structure)
    table = options.read_table(data, **reading)
    network = BayesianNetwork.fit(dag, table, method, ess=ess)
    if output is None:
        with told_of("standard output"):
            text = format_bif(network, plain_names=plain_names)
        click.echo(text, nl=False)
        return
    write_outputs([output], dag, dag, fitted=lambda: network, plain_names=plain_names).tell()


def member_of(graph: Any, source: Path) -> Any:
    """Return a DAG of what a structure file holds."""
    from stigmergy.errors import StructureError
    from stigmergy.graph import Cpdag, Dag

    if isinstance(graph, Cpdag):
        return graph.to_dag()
    dag = graph if isinstance(graph, Dag) else graph.consistent_extension()
    if dag is None:
        raise StructureError(f"the graph in {str(source)!r} has no consistent extension to a DAG")
    return dag
