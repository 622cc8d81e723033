# SPDX-License-Identifier: MIT
"""Directives for what pages take from the program itself, so that it is written once.

``{algorithm} NAME PART``
    A part of the docstring of a search: ``call`` (what it does, and how it is called),
    ``parameters``, ``details`` (the notes), ``deviations`` (the paragraphs of the notes that begin
    so) or ``citation``.
``{algorithms}``
    A table of all algorithms, with links to their pages.
``{command} [NAME]``
    The help of a command, or of the program.
``{schema}``
    A table of the fields of a result's JSON.
"""

import inspect
import json
import re
from importlib import import_module

import click
from docutils import nodes
from numpydoc.docscrape import NumpyDocString
from sphinx.util.docutils import SphinxDirective

from stigmergy.cli import group
from stigmergy.result import SCHEMA_FILE
from stigmergy.search.registry import algorithms, describe, search_class


class AlgorithmPart(SphinxDirective):
    """Inserts a part of the docstring of a search."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        name, part = self.arguments
        text = PARTS[part](search_class(name))
        # Docstrings are in reStructuredText, the page around them in Markdown.
        return self.parse_text_to_nodes(f"```{{eval-rst}}\n{text}\n```")


def call(search: type) -> str:
    """Return the summary and the ways to call."""
    described = describe(search)
    return (
        f"{described.summary}\n\n"
        f"- in Python: ``learn_structure(data, {described.name!r})``, or with "
        f":py:class:`stigmergy.search.{search.__name__}` as an object\n"
        f"- in the shell: ``stigmergy learn data.csv --algorithm {described.name}``\n"
        f"- in the manner of scikit-learn: ``stigmergy.estimator.{search.__name__}Learner``\n"
    )


def parameters(search: type) -> str:
    """Return each parameter with its default; the texts may stand in the bases of the class."""
    texts = {}
    for base in reversed(search.__mro__):
        for entry in NumpyDocString(inspect.cleandoc(base.__doc__ or ""))["Parameters"]:
            for name in entry.name.split(","):
                texts[name.strip()] = entry.desc
    lines = []
    for parameter in describe(search).parameters:
        lines.append(f"``{parameter.name}`` = ``{parameter.default!r}``")
        lines += [f"    {line}" for line in texts[parameter.name]]
    return "\n".join(lines) or "It has none."


def details(search: type) -> str:
    """Return the notes without the deviations."""
    return "\n\n".join(p for p in paragraphs(search) if not is_deviation(p))


def deviations(search: type) -> str:
    """Return the paragraphs of the notes that begin with "Deviation"."""
    found = [p for p in paragraphs(search) if is_deviation(p)]
    if not found:
        raise ValueError(f"the notes of {search.__name__} have no paragraph on deviations")
    text = re.sub("^Deviations?: ", "", "\n\n".join(found), flags=re.M)
    return text[0].upper() + text[1:]


def citation(search: type) -> str:
    """Return the references."""
    return "\n".join(sections(search)["References"])


def paragraphs(search: type) -> list[str]:
    """Return the notes by paragraphs."""
    return "\n".join(sections(search)["Notes"]).split("\n\n")


def is_deviation(paragraph: str) -> bool:
    """Tell whether a paragraph says where we do otherwise than the publication."""
    return paragraph.startswith("Deviation")


def sections(search: type) -> NumpyDocString:
    """Return the docstring of a search by its sections."""
    return NumpyDocString(inspect.getdoc(search) or "")


PARTS = {
    "call": call,
    "parameters": parameters,
    "details": details,
    "deviations": deviations,
    "citation": citation,
}


class AlgorithmTable(SphinxDirective):
    """Inserts a table of all algorithms."""

    def run(self) -> list[nodes.Node]:
        rows = [
            f"| [{a.name}]({a.name}.md) | {a.summary} | "
            f"{'classes' if a.in_class_space else 'any'} |"
            for a in algorithms()
        ]
        heading = ["| name | what it does | scores |", "|---|---|---|"]
        return self.parse_text_to_nodes("\n".join([*heading, *rows]))


class CommandHelp(SphinxDirective):
    """Inserts what ``--help`` prints."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        context = click.Context(
            group, info_name="stigmergy", terminal_width=100, **group.context_settings
        )
        if self.arguments:
            command = import_module(f"stigmergy.cli.{self.arguments[0]}").command
            context = click.Context(command, context, self.arguments[0])
        text = context.get_help()
        return [nodes.literal_block(text, text, language="text")]


class SchemaTable(SphinxDirective):
    """Inserts a table of the fields of a result's JSON."""

    def run(self) -> list[nodes.Node]:
        schema = json.loads(SCHEMA_FILE.read_text())
        rows = [
            f"| `{name}` | {types_of(field)} | {field['description']} |"
            for name, field in schema["properties"].items()
        ]
        return self.parse_text_to_nodes(
            "\n".join(["| field | type | what it holds |", "|---|---|---|", *rows])
        )


def types_of(field: dict[str, object]) -> str:
    """Return the types that a field of the schema may have."""
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    found = field.get("type", "array")  # the reference is to a list of edges
    return " or ".join(found) if isinstance(found, list) else str(found)


def setup(app: object) -> dict[str, bool]:
    """Register the directives."""
    for name, directive in (
        ("algorithm", AlgorithmPart),
        ("algorithms", AlgorithmTable),
        ("command", CommandHelp),
        ("schema", SchemaTable),
    ):
        app.add_directive(name, directive)  # type: ignore[attr-defined]
    return {"parallel_read_safe": True}
