# SPDX-License-Identifier: MIT
"""Every algorithm of the package by its name."""

from __future__ import annotations

import difflib
import inspect
import pkgutil
import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from importlib import import_module
from typing import Any

import stigmergy.search
from stigmergy.errors import ParameterError
from stigmergy.search.base import Search


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an algorithm: its name, its default, what it means in a line."""

    name: str
    default: Any
    summary: str


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An algorithm: its name, class, what it does in a line, its parameters."""

    name: str
    search: type[Search]
    summary: str
    parameters: tuple[Parameter, ...]

    @property
    def in_class_space(self) -> bool:
        """Whether it needs a score that is equal for all DAGs of a class."""
        return self.search.needs_score_equivalence


@cache
def _classes() -> dict[str, type[Search]]:
    """Find the searches: the classes with a name, one module of the package after another."""
    found: dict[str, type[Search]] = {}
    for module in pkgutil.iter_modules(stigmergy.search.__path__):
        if module.name.startswith("_") or module.name == "registry":
            continue
        content = vars(import_module(f"stigmergy.search.{module.name}"))
        for value in content.values():
            if (
                isinstance(value, type)
                and issubclass(value, Search)
                and vars(value).get("name")  # a base that several searches share has none
                and value.__module__ == content["__name__"]
            ):
                found[value.name] = value
    return dict(sorted(found.items()))


def algorithms() -> tuple[Algorithm, ...]:
    """Return every algorithm of the package with its parameters, sorted by name.

    Examples
    --------
    >>> [algorithm.name for algorithm in algorithms() if algorithm.name.startswith("aco-e")]
    ['aco-e']
    """
    return tuple(describe(search) for search in _classes().values())


def describe(search: type[Search]) -> Algorithm:
    """Return what the class and its docstring say of an algorithm."""
    documented: dict[str, str] = {}
    for base in reversed(search.__mro__):  # a search may leave what it shares to its base
        documented.update(_documented_parameters(inspect.cleandoc(base.__doc__ or "")))
    parameters = []
    for field in fields(search):
        default = field.default
        if default is MISSING and field.default_factory is not MISSING:
            default = field.default_factory()
        parameters.append(Parameter(field.name, default, documented.get(field.name, "")))
    summary = (inspect.getdoc(search) or "").split("\n", 1)[0]
    return Algorithm(search.name, search, summary, tuple(parameters))


def search_class(name: str) -> type[Search]:
    """Return the class of an algorithm, whose name is in lower case with dashes."""
    found = _classes().get(name.lower().replace("_", "-"))
    if found is None:
        raise ParameterError(unknown("algorithm", name, _classes()))
    return found


def make_search(algorithm: str | Search, parameters: Mapping[str, Any]) -> Search:
    """Return a search from its name and parameters; a search that is ready goes through.

    Raises
    ------
    ParameterError
        For an unknown algorithm or parameter, with names that are close; and for a value outside
        of its domain.
    """
    if isinstance(algorithm, Search):
        if parameters:
            raise ParameterError(unknown("argument", next(iter(parameters)), ()))
        return algorithm
    if not isinstance(algorithm, str):
        raise ParameterError(
            f"algorithm must be a name or a Search such as AcoE(ants=20), got {algorithm!r}"
        )
    search = search_class(algorithm)
    allowed = list(inspect.signature(search).parameters)
    for parameter in parameters:
        if parameter not in allowed:
            raise ParameterError(unknown(f"parameter of {search.name}", parameter, allowed))
    return search(**parameters)


def unknown(what: str, given: str, known: Iterable[str]) -> str:
    """Say that a name is unknown, which ones are close, and which there are."""
    known = list(known)
    close = difflib.get_close_matches(given, known, n=3)
    meant = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    there = f" There are: {', '.join(known)}" if known else ""
    return f"unknown {what} {given!r}{meant or '.'}{there}"


def _documented_parameters(doc: str) -> dict[str, str]:
    """Return the first sentence of each parameter in a docstring in numpydoc form."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\S+[^\n]*\n-+\n|\Z)", doc, re.M | re.S)
    if section is None:
        return {}
    found: dict[str, str] = {}
    for heading, text in re.findall(r"^(\S[^\n]*)\n((?:[ \t]+[^\n]*\n?|\n)*)", section[1], re.M):
        words = " ".join(text.split())
        first = re.sub("[`*]", "", re.split(r"(?<=\.) (?=[A-Z`])", words, maxsplit=1)[0])
        for name in heading.split(" : ")[0].split(","):
            found[name.strip()] = first
    return found
