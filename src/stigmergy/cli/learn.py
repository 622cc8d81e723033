# SPDX-License-Identifier: MIT
"""`stigmergy learn`."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stigmergy.cli import options
from stigmergy.cli.clock import started
from stigmergy.cli.output import EVERY, check_outputs, check_words, write_outputs
from stigmergy.errors import OutputError

if TYPE_CHECKING:
    from stigmergy.result import Result


@click.command()
@options.data_argument
@click.option(
    "--algorithm",
    "-a",
    type=options.AlgorithmName(),
    default="aco-e",
    show_default=True,
    help="`stigmergy algorithms` lists them.",
)
@click.option(
    "--param",
    "-p",
    "parameters",
    multiple=True,
    metavar="K=V",
    shell_complete=options.complete_parameter,
    help="A parameter of the algorithm; any number of times.",
)
@options.score_options
@click.option("--max-parents", type=int, metavar="N", help="Most parents of a node.")
@click.option(
    "--require", multiple=True, metavar="A,B", help="The edge A -> B must be there; repeatable."
)
@click.option(
    "--forbid", multiple=True, metavar="A,B", help="The edge A -> B must not be there; repeatable."
)
@click.option(
    "--allow",
    multiple=True,
    metavar="A,B",
    help="Only such edges A -> B may be there; repeatable.",
)
@click.option(
    "--tiers",
    type=options.FILE,
    metavar="FILE",
    help="No edge leads into an earlier tier: a line of names per tier, or a .json list of lists.",
)
@click.option("--root", "roots", multiple=True, metavar="A", help="A has no parents; repeatable.")
@click.option("--leaf", "leaves", multiple=True, metavar="A", help="A has no children; repeatable.")
@click.option(
    "--start", type=options.FILE, metavar="FILE", help="A structure file to begin the search from."
)
@click.option(
    "--time-limit",
    type=float,
    metavar="SECONDS",
    help="From the start of the process, reading included.",
)
@click.option("--max-iter", type=int, metavar="N", help="At most N iterations.")
@options.seed_option
@click.option(
    "--threads",
    type=int,
    default=-1,
    metavar="N",
    help="All cores by default; the answer is the same with any number.",
)
@options.reading_options
@click.option(
    "--checkpoint", type=options.FILE, metavar="FILE", help="Keep the state of the search here."
)
@click.option(
    "--checkpoint-every",
    type=float,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How often.",
)
@click.option(
    "--resume",
    type=options.FILE,
    metavar="FILE",
    help="Go on from a checkpoint.",
)
@click.option(
    "--output",
    "-o",
    "outputs",
    type=options.FILE,
    multiple=True,
    metavar="OUT",
    help=f"{', '.join(EVERY)}; any number of times, each written whole or not at all.",
)
@options.plain_names_option
@options.json_option
def command(
    data: Path,
    algorithm: str,
    parameters: tuple[str, ...],
    score: str,
    ess: float | None,
    kappa: float,
    max_parents: int | None,
    require: tuple[str, ...],
    forbid: tuple[str, ...],
    allow: tuple[str, ...],
    tiers: Path | None,
    roots: tuple[str, ...],
    leaves: tuple[str, ...],
    start: Path | None,
    time_limit: float | None,
    max_iter: int | None,
    seed: int,
    threads: int,
    checkpoint: Path | None,
    checkpoint_every: float,
    resume: Path | None,
    outputs: tuple[Path, ...],
    plain_names: bool,
    as_json: bool,
    **reading: Any,
) -> None:
    """Learn the structure of a Bayesian network from the table DATA (CSV, Parquet, Arrow).

    Prints a summary, or with --json the whole result, and writes the files asked for with -o: the
    result (.json), the fitted network (.bif), the structure (.dot, .csv, .graphml), a picture
    (.svg, .png, .pdf). Ctrl-C ends the search early, and the best so far is the result.

    \b
    Examples:
      stigmergy learn patients.csv -o network.bif -o network.svg
      stigmergy learn patients.csv --algorithm greedy-e --ess 10 --forbid outcome,age --json
      stigmergy learn patients.csv --param ants=50 --time-limit 600 --seed 1 -o result.json
    """
    check_outputs(outputs, EVERY)
    if data.resolve() in (path.resolve() for path in outputs):
        raise OutputError(f"cannot write {str(data)!r}: it is the data")
    # What a cluster sends before it takes the machine away ends the search as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    from stigmergy.learn import learn_structure
    from stigmergy.search.registry import make_search

    search = make_search(algorithm, options.parsed_parameters(algorithm, parameters))
    limits = _limits(time_limit, max_iter)
    table = options.read_table(data, **reading)
    check_words(outputs, dict(zip(table.names, table.levels, strict=True)), plain_names)
    result = learn_structure(
        table,
        search,
        score,
        ess=ess,
        kappa=kappa,
        max_parents=max_parents,
        required_edges=options.parsed_edges("--require", require),
        forbidden_edges=options.parsed_edges("--forbid", forbid),
        allowed_edges=options.parsed_edges("--allow", allow) if allow else None,
        tiers=options.read_tiers(tiers),
        roots=roots,
        leaves=leaves,
        start=start,
        budget=limits,
        seed=seed,
        n_jobs=threads,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        resume=resume,
    )
    prior_size = 1.0 if ess is None else ess
    outcome = write_outputs(
        outputs,
        result.cpdag,
        result.dag,
        fitted=lambda: result.fit(table, ess=prior_size),
        document=result.to_json,
        plain_names=plain_names,
    )
    try:  # the result is not lost with a file that cannot be written in the end
        click.echo(result.to_json() if as_json else result.summary(), nl=not as_json)
    finally:
        outcome.tell()
    for caution in _cautions(result, outputs):
        click.echo(f"warning: {caution}", err=True)
    if result.stop == "interrupted":
        click.get_current_context().exit(130)


def _cautions(result: Result, outputs: Sequence[Path]) -> Iterator[str]:
    """Say where the result is less than it looks."""
    if result.details.get("nothing_found"):
        yield (
            f"{result.algorithm} ended ({result.stop}) with nothing better than the graph it began "
            "from"
        )
    others = [path.name for path in outputs if path.suffix != ".json"]
    if result.pag is not None and others:
        yield (
            f"{', '.join(others)}: these show the class of the nearest network without hidden "
            f"causes; the ancestral graph that {result.algorithm} learns is in the summary and in "
            ".json"
        )


def _limits(time_limit: float | None, max_iter: int | None) -> Any:
    """Return the budget, whose clock began with the process."""
    from stigmergy.search.budget import Budget, check_number, check_seconds

    check_seconds("time_limit", time_limit)
    check_number("max_iter", max_iter)
    return Budget(seconds=time_limit, iterations=max_iter, started=started)
