# SPDX-License-Identifier: MIT
"""Networks as BIF text that every library of the field reads back."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from stigmergy.errors import NetworkError
from stigmergy.io.bif_text import PRIVATE, QUOTE
from stigmergy.io.whole import write_whole
from stigmergy.network import BayesianNetwork

_NAME_TO_WRITE_BARE = re.compile(r"[\w.<>=+\-/%:#&*!?@$^~]+")
_UNSPEAKABLE = re.compile(f"[{QUOTE}\n\r\ud800-\udfff{''.join(map(chr, PRIVATE))}]")


def write_bif(
    network: BayesianNetwork, path: str | os.PathLike[str], *, name: str = "unknown"
) -> None:
    """Write a network as a BIF file, gzip when the path ends in ``.gz``.

    The file appears whole or not at all, and is the same bytes for the same network. Reading it
    gives back every probability to the last bit.

    Parameters
    ----------
    network : BayesianNetwork
    path : path
    name : str
        The name of the network in the file.

    Raises
    ------
    NetworkError
        When a name or a state cannot be said in BIF: it has a quote or a line break, or two states
        of a variable read the same.
    OutputError
        When the file cannot be written.
    """
    data = format_bif(network, name=name).encode()
    path = Path(path)
    if path.suffix == ".gz":
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=0) as stream:
            stream.write(data)
        data = packed.getvalue()
    write_whole(path, data)


def format_bif(network: BayesianNetwork, *, name: str = "unknown") -> str:
    """Return the text that :func:`write_bif` writes."""
    names = {given: _written(given) for given in network.names}
    levels = {given: _written_levels(network, given) for given in network.names}
    out = [f"network {_written(name)} {{\n}}\n"]
    for given in network.names:
        states = ", ".join(levels[given])
        count = len(levels[given])
        out.append(f"variable {names[given]} {{\n  type discrete [ {count} ] {{ {states} }};\n}}\n")
    for given in network.names:
        out.append(_format_table(network, given, names, levels))
    return "".join(out)


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
    if "e" in text:  # not every reader of BIF knows exponents
        text = ", ".join(np.format_float_positional(value, trim="0") for value in values)
    return text


def _written(name: str) -> str:
    """Return a name as BIF has it: bare when every reader takes it so, else in quotes."""
    if _NAME_TO_WRITE_BARE.fullmatch(name) and "//" not in name and "/*" not in name:
        return name
    if _UNSPEAKABLE.search(name):
        raise NetworkError(
            f"the name {name!r} cannot be written in BIF: it has a quote or a line break; rename it"
        )
    return f'"{name}"'


def _written_levels(network: BayesianNetwork, name: str) -> tuple[str, ...]:
    texts = tuple(str(level) for level in network.levels_of(name))
    if len(set(texts)) < len(texts):
        raise NetworkError(
            f"two states of '{name}' read the same in BIF: {', '.join(texts)}; rename one"
        )
    return tuple(_written(text) for text in texts)
