# SPDX-License-Identifier: MIT
"""`stigmergy algorithms`."""

from __future__ import annotations

import json

import click

from stigmergy.cli import options
from stigmergy.cli.table import print_table


@click.command()
@click.argument("names", nargs=-1, type=options.AlgorithmName(), metavar="[NAME...]")
@options.json_option
def command(names: tuple[str, ...], as_json: bool) -> None:
    """List the algorithms; with names, also their parameters.

    \b
    Example:
      stigmergy algorithms aco-e
      stigmergy learn data.csv --algorithm aco-e --param ants=50
    """
    from stigmergy.result import plain
    from stigmergy.search.registry import algorithms, describe, search_class

    found = [describe(search_class(name)) for name in names] if names else list(algorithms())
    if as_json:
        document = [
            {
                "name": algorithm.name,
                "summary": algorithm.summary,
                "in_class_space": algorithm.in_class_space,
                "parameters": [
                    {"name": p.name, "default": plain(p.default), "summary": p.summary}
                    for p in algorithm.parameters
                ],
            }
            for algorithm in found
        ]
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
        return
    if not names:
        print_table(("name", "what it does"), [(a.name, a.summary) for a in found])
        return
    for i, algorithm in enumerate(found):
        if i > 0:
            click.echo()
        click.echo(f"{algorithm.name}: {algorithm.summary}\n")
        rows = [(p.name, _shown(p.default), p.summary) for p in algorithm.parameters]
        if rows:
            print_table(("parameter", "default", "meaning"), rows)
        else:
            click.echo("It has no parameters.")


def _shown(default: object) -> str:
    if isinstance(default, list | tuple):
        return ", ".join(map(str, default))
    return str(default).lower() if default is None or isinstance(default, bool) else str(default)
