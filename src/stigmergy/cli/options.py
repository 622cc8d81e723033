# SPDX-License-Identifier: MIT
"""Options and arguments that several commands share, and how their texts become values."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from stigmergy.cli.words import OPTIONS
from stigmergy.errors import DataError, KnowledgeError, NetworkError, ParameterError

if TYPE_CHECKING:
    from stigmergy.dataset import Dataset

Command = TypeVar("Command", bound=Callable[..., Any])


class AlgorithmName(click.ParamType):  # type: ignore[type-arg]
    """The name of an algorithm, completed in the shell."""

    name = "name"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin so."""
        from stigmergy.search.registry import algorithms

        return [
            CompletionItem(a.name, help=a.summary)
            for a in algorithms()
            if a.name.startswith(incomplete)
        ]


class NetworkName(click.ParamType):  # type: ignore[type-arg]
    """The name of a packaged network, or a file."""

    name = "network"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names that begin so, and leave files to the shell."""
        from stigmergy import networks

        found = [CompletionItem(name) for name in networks.names() if name.startswith(incomplete)]
        return [*found, CompletionItem(incomplete, type="file")]


def complete_score(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the names of scores that begin so."""
    from stigmergy.learn import SCORES

    return [name for name in SCORES if name.startswith(incomplete)]


def complete_parameter(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the parameters of the algorithm chosen so far that begin so."""
    from stigmergy.search.registry import describe, search_class

    found = describe(search_class(ctx.params.get("algorithm") or "aco-e"))
    return [
        CompletionItem(f"{parameter.name}=", help=parameter.summary)
        for parameter in found.parameters
        if parameter.name.startswith(incomplete)
    ]


# Whether it can be read or written is told by whoever does it, in one voice.
FILE = click.Path(path_type=Path, readable=False)

data_argument = click.argument("data", type=FILE)
structure_argument = click.argument("structure", type=FILE)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
plain_names_option = click.option(
    "--plain-names",
    is_flag=True,
    help="In .bif make names and levels identifiers: what is no letter or digit becomes _.",
)
seed_option = click.option(
    "--seed", type=int, default=0, show_default=True, help="Fixes every random choice."
)


def reading_options(command: Command) -> Command:
    """Add the options that say how DATA is read; `read_table` takes them."""
    for option in reversed(
        (
            click.option(
                "--drop",
                multiple=True,
                metavar="COLUMN",
                help="Leave a column out, such as an id; repeatable.",
            ),
            click.option(
                "--levels",
                type=FILE,
                metavar="FILE.json",
                help='Full list of levels per column, {"column": ["level", ...]}.',
            ),
            click.option(
                "--missing",
                type=click.Choice(["error", "drop", "level"]),
                default="error",
                show_default=True,
                help="What missing cells become: an error, rows left out, a level of their own.",
            ),
            click.option(
                "--discretize",
                metavar="HOW",
                help="How real numbers become intervals, such as quantile:5.",
            ),
            click.option(
                "--header/--no-header",
                default=None,
                help="Whether the first line of a text names the columns; found out by default.",
            ),
            click.option(
                "--arities/--no-arities",
                default=None,
                help="Whether a line below the names says how many levels each column has.",
            ),
            click.option(
                "--delimiter",
                metavar="CHAR",
                help="What parts the cells of a text; tab and blanks as words. Found out by "
                "default.",
            ),
            click.option(
                "--encoding",
                default="utf-8",
                show_default=True,
                metavar="NAME",
                help="How a text is encoded, such as latin-1.",
            ),
        )
    ):
        command = option(command)
    return command


def read_table(
    path: Path, *, levels: Path | None, delimiter: str | None, drop: tuple[str, ...], **options: Any
) -> Dataset:
    """Read DATA as the reading options say."""
    from stigmergy.dataset import Dataset

    return Dataset.from_file(
        path,
        levels=read_levels(levels),
        delimiter={"tab": "\t", "blanks": " "}.get(delimiter or "", delimiter),
        drop=drop,
        **options,
    )


def score_options(command: Command) -> Command:
    """Add the options that make a score."""
    for option in (
        click.option("--kappa", type=float, default=1.0, help="Each edge costs log(kappa) [1]."),
        click.option("--ess", type=float, help="Equivalent sample size of BDeu [1]."),
        click.option(
            "--score",
            default="bdeu",
            show_default=True,
            metavar="NAME",
            shell_complete=complete_score,
            help="bdeu, k2, bic, aic or log-likelihood.",
        ),
    ):
        command = option(command)
    return command


def parsed_edges(option: str, texts: Iterable[str]) -> list[tuple[str, str]]:
    """Read edges given as A,B; a name that has a comma stands in double quotes."""
    edges = []
    for text in texts:
        parts = next(csv.reader([text], skipinitialspace=True, strict=True), [])
        if len(parts) != 2 or not all(part.strip() for part in parts):
            ends = [end.strip() for end in text.split("->")]
            hint = f"; write {','.join(ends)}" if len(ends) == 2 and all(ends) else ""
            raise KnowledgeError(
                f"{option} must be PARENT,CHILD (or '\"A,1\",B'), got {text!r}{hint}"
            )
        edges.append((parts[0].strip(), parts[1].strip()))
    return edges


def read_json(path: Path, what: str) -> Any:
    """Read a JSON file that is part of the call."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise DataError(f"{what} {str(path)!r} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise DataError(f"{what} {str(path)!r} is not JSON: {error}") from error


def read_levels(path: Path | None) -> dict[str, list[Any]] | None:
    """Read the file of `--levels`."""
    if path is None:
        return None
    levels = read_json(path, "levels file")
    if not isinstance(levels, dict) or not all(isinstance(v, list) for v in levels.values()):
        raise DataError(f'levels file {str(path)!r} must hold {{"column": ["level", ...], ...}}')
    return levels


def read_tiers(path: Path | None) -> list[list[str]]:
    """Read the file of `--tiers`: a JSON list of lists, or a line of names per tier."""
    if path is None:
        return []
    if path.suffix.lower() == ".json":
        tiers = read_json(path, "tiers file")
        if not isinstance(tiers, list) or not all(isinstance(tier, list) for tier in tiers):
            raise DataError(f'tiers file {str(path)!r} must hold [["a", "b"], ["c"], ...]')
        return tiers
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file, skipinitialspace=True))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DataError(f"tiers file {str(path)!r} cannot be read: {why}") from error
    return [[name.strip() for name in row if name.strip()] for row in rows if any(row)]


def parsed_parameters(algorithm: str, texts: Iterable[str]) -> dict[str, Any]:
    """Read the parameters of an algorithm, given as name=value."""
    from stigmergy.search.registry import search_class

    kinds = {field.name: str(field.type) for field in fields(search_class(algorithm))}
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise ParameterError(f"--param must be NAME=VALUE, got {text!r}")
        name = name.strip().replace("-", "_")
        if name in OPTIONS and name not in kinds:
            raise ParameterError(
                f"{name} is an option of its own, {OPTIONS[name]}, not a parameter of {algorithm}"
            )
        is_list = kinds.get(name, "").startswith("Sequence")
        read = _value(value)
        if is_list and isinstance(read, str):
            read = tuple(cell.strip() for cell in next(csv.reader([value], skipinitialspace=True)))
        values[name] = read
    return values


def _value(text: str) -> Any:
    """Read a number, true, false, none or JSON; anything else is text."""
    words = {"true": True, "false": False, "none": None, "null": None}
    if text.strip().lower() in words:
        return words[text.strip().lower()]
    try:
        return json.loads(text)
    except ValueError:
        return text.strip()


def load_network(name: str) -> Any:
    """Load a packaged network by its name, or a network file."""
    from stigmergy import networks
    from stigmergy.io.bif import read_bif

    if name.lower() in networks.names():
        return networks.load(name.lower())
    if name.lower().endswith((".bif", ".bif.gz")):
        try:
            return read_bif(name)
        except OSError as error:
            raise NetworkError(f"network file {name!r} cannot be read: {error.strerror}") from error
    from stigmergy.search.registry import unknown

    raise ParameterError(f"{unknown('network', name, networks.names())}, or a .bif file")
