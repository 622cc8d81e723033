# SPDX-License-Identifier: MIT
"""Networks as BIF text that the libraries of the field read back."""

from __future__ import annotations

import gzip
import itertools
import os
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from stigmergy.dataset import Level
from stigmergy.errors import NetworkError
from stigmergy.io.bif_text import PRIVATE, QUOTE
from stigmergy.io.whole import write_whole
from stigmergy.network import BayesianNetwork

# What bnlearn and pgmpy read without quotes; bnlearn would take quotes for a part of the name.
# States may have blanks in them, as lists of states are cut at commas.
_BARE = r"[\w.<>=+\-/%:#&*!?@$^~]+"
_BARE_NAME = re.compile(_BARE)
_BARE_STATE = re.compile(f"{_BARE}(?: {_BARE})*")
_COMMENT = re.compile(r"//|/\*")
_UNSPEAKABLE = re.compile(f"[{QUOTE}\n\r\ud800-\udfff{''.join(map(chr, PRIVATE))}]")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_IDENTIFIER_OR_INTEGER = re.compile(r"-?[0-9]+|[A-Za-z_][A-Za-z0-9_]*")


def write_bif(
    network: BayesianNetwork,
    path: str | os.PathLike[str],
    *,
    name: str = "unknown",
    plain_names: bool = False,
) -> None:
    """Write a network as a BIF file, gzip when the path ends in ``.gz``.

    The file appears whole or not at all, and is the same bytes for the same network. Reading it
    gives back every probability to the last bit, names as text.

    Parameters
    ----------
    network : BayesianNetwork
    path : path
    name : str
        The name of the network in the file.
    plain_names : bool
        Make every name and state an identifier (or a state an integer): other characters become
        ``_``, and a number is put after names that would be the same. pyAgrum reads nothing else.

    Raises
    ------
    NetworkError
        When a name or a state cannot be said in BIF: it has a quote or a line break, or two states
        of a variable read the same.
    OutputError
        When the file cannot be written.

    Notes
    -----
    Names of letters, digits and most signs are written as they are, as bnlearn and pgmpy have
    them; others in quotes. Numbers have no exponents.
    """
    data = format_bif(network, name=name, plain_names=plain_names).encode()
    if os.fspath(path).endswith(".gz"):
        data = gzip.compress(data, mtime=0)
    write_whole(path, data)


def format_bif(
    network: BayesianNetwork, *, name: str = "unknown", plain_names: bool = False
) -> str:
    """Return the text that :func:`write_bif` writes.

    Examples
    --------
    >>> from stigmergy import Dag
    >>> dag = Dag(["face"])
    >>> print(format_bif(BayesianNetwork(dag, {"face": ["heads", "tails"]}, {"face": [0.5, 0.5]})))
    network unknown {
    }
    variable face {
      type discrete [ 2 ] { heads, tails };
    }
    probability ( face ) {
      table 0.5, 0.5;
    }
    <BLANKLINE>
    """
    names, levels = bif_words(dict(zip(network.names, network.levels, strict=True)), plain_names)
    out = [f"network {_written(name, _BARE_NAME, 'the name')} {{\n}}\n"]
    for given in network.names:
        states = ", ".join(levels[given])
        count = len(levels[given])
        out.append(f"variable {names[given]} {{\n  type discrete [ {count} ] {{ {states} }};\n}}\n")
    for given in network.names:
        out.append(_format_table(network, given, names, levels))
    return "".join(out)


def bif_words(
    given: Mapping[str, Sequence[Level]], plain_names: bool = False
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return how names and their levels are written, or refuse what BIF has no way to say."""
    levels = {name: [str(level) for level in found] for name, found in given.items()}
    for name, texts in levels.items():
        if len(set(texts)) < len(texts):
            raise NetworkError(
                f"two states of '{name}' read the same in BIF: {', '.join(texts)}; rename one"
            )
    if plain_names:
        return (
            dict(zip(levels, _plain(levels, _IDENTIFIER), strict=True)),
            {name: _plain(texts, _IDENTIFIER_OR_INTEGER) for name, texts in levels.items()},
        )
    return (
        {name: _written(name, _BARE_NAME, "the name") for name in levels},
        {
            name: [_written(text, _BARE_STATE, f"of {name!r} the state") for text in texts]
            for name, texts in levels.items()
        },
    )


def _format_table(
    network: BayesianNetwork,
    child: str,
    names: Mapping[str, str],
    levels: Mapping[str, Sequence[str]],
) -> str:
    parents = network.parents(child)
    rows = network.table(child).reshape(-1, len(levels[child])).tolist()
    if not parents:
        return f"probability ( {names[child]} ) {{\n  table {_row(rows[0])};\n}}\n"
    heading = ", ".join(names[parent] for parent in parents)
    out = [f"probability ( {names[child]} | {heading} ) {{\n"]
    configurations = itertools.product(*(levels[parent] for parent in parents))
    for states, row in zip(configurations, rows, strict=True):
        out.append(f"  ({', '.join(states)}) {_row(row)};\n")
    out.append("}\n")
    return "".join(out)


def _row(values: list[float]) -> str:
    text = ", ".join(map(repr, values))
    if "e" in text:
        text = ", ".join(np.format_float_positional(value, trim="0") for value in values)
    return text


def _written(name: str, bare: re.Pattern[str], what: str) -> str:
    """Return a name as it stands in the file: bare when it can be, else in quotes."""
    if bare.fullmatch(name) and not _COMMENT.search(name):
        return name
    if _UNSPEAKABLE.search(name):
        raise NetworkError(
            f"{what} {name!r} cannot be written in BIF: it has a quote or a line break; "
            "rename it, or pass plain_names=True"
        )
    return f'"{name}"'


def _plain(texts: Iterable[str], fine: re.Pattern[str]) -> list[str]:
    """Return distinct texts that are all fine; those that are so already stay."""
    texts = list(texts)
    taken = {text for text in texts if fine.fullmatch(text)}
    plain = []
    for text in texts:
        if not fine.fullmatch(text):
            stem = re.sub(r"[^A-Za-z0-9_]", "_", text)
            stem = stem if _IDENTIFIER.fullmatch(stem) else f"_{stem}"
            numbered = (f"{stem}_{k}" for k in itertools.count(2))
            text = next(t for t in itertools.chain([stem], numbered) if t not in taken)
            taken.add(text)
        plain.append(text)
    return plain
