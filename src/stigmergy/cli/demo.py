# SPDX-License-Identifier: MIT
"""`stigmergy demo`."""

from __future__ import annotations

import time
from pathlib import Path

import click

from stigmergy.cli import options
from stigmergy.cli.output import check_outputs, write_outputs


@click.command()
@click.option(
    "--network",
    type=options.NetworkName(),
    default="alarm",
    show_default=True,
    help="The true network.",
)
@click.option("--rows", type=click.IntRange(min=1), default=10_000, show_default=True)
@options.seed_option
@click.option(
    "--output",
    type=options.FILE,
    default=Path("demo-output"),
    show_default=True,
    metavar="FOLDER",
    help="Where data, result, network and pictures go.",
)
def command(network: str, rows: int, seed: int, output: Path) -> None:
    """Sample a known network, learn it back with ACO-E, and show how near it comes.

    \b
    Example:
      stigmergy demo --output demo-output
    """
    from stigmergy.cli.sample import write_table
    from stigmergy.errors import OutputError
    from stigmergy.learn import learn_structure
    from stigmergy.scorer import Scorer

    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder {str(output)!r}: {error.strerror}") from error
    table = output / "data.csv"
    files = [output / name for name in ("result.json", "network.bif", "network.svg", "network.png")]
    check_outputs([table, *files], (".csv", ".json", ".bif", ".svg", ".png"))

    truth = options.load_network(network)
    data = truth.sample(rows, seed)
    write_table(data, table)
    click.echo(f"Sampled {rows:,} rows from {network}: {len(data.names)} variables.")
    begun = time.monotonic()
    result = learn_structure(data, "aco-e", seed=seed, n_jobs=-1, truth=truth.dag)
    seconds = time.monotonic() - begun
    outcome = write_outputs(
        files,
        result.cpdag,
        result.dag,
        fitted=lambda: result.fit(data),
        document=result.to_json,
    )
    comparison = result.compare(truth.dag)
    true_score = Scorer(data).score_graph(truth.dag)
    click.echo(
        f"Learned {len(result.cpdag.edges)} edges with ACO-E in {seconds:.2f} s "
        f"({result.trace.iterations:,} iterations, {result.evaluations:,} family scores).\n"
    )
    click.echo(f"score of the class learned  {result.score:16,.2f} nats (BDeu, ess 1)")
    click.echo(f"score of the true network   {true_score:16,.2f} nats")
    click.echo(
        f"SHD to the true network     {comparison.shd:13}      "
        f"({len(comparison.missing)} missing, {len(comparison.extra)} extra, "
        f"{len(comparison.redirected)} redirected)\n"
    )
    click.echo(f"wrote {table}")
    outcome.tell(err=False)
