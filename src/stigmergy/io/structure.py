# SPDX-License-Identifier: MIT
"""Structures in files: .json, .csv, .dot, .graphml, and the graph of a .bif network.

A file says which kind of graph it holds, so each is read back as it was written. In a file that
does not say, a graph without undirected edges is a `Dag`, else a `Cpdag` if it is completed, else a
`Pdag`.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from stigmergy.errors import NetworkError, ParameterError, StructureError
from stigmergy.graph import Cpdag, Dag, Graph, Pdag
from stigmergy.io.dot import Drawing, format_dot, parse_dot
from stigmergy.io.graphml import format_graphml, parse_graphml
from stigmergy.io.whole import write_whole

Structure = Dag | Pdag | Cpdag
_Error = Callable[[str], StructureError]

_KINDS: dict[str, type[Structure]] = {"dag": Dag, "pdag": Pdag, "cpdag": Cpdag}
_COLUMNS = ["from", "to", "kind", "graph"]
_SUFFIXES = {".json": "json", ".csv": "csv", ".dot": "dot", ".gv": "dot", ".graphml": "graphml"}


def read_structure(path: str | os.PathLike[str]) -> Structure:
    """Read a graph from a file.

    Parameters
    ----------
    path : path
        A .json, .csv, .dot (or .gv), .graphml, .bif or .bif.gz file, in UTF-8.

    Returns
    -------
    Dag, Pdag or Cpdag
        The kind that the file names. Of a .bif network it is the Dag; of a .json with both a class
        and one of its members, as a result has them, it is the class, a Cpdag.

    Raises
    ------
    StructureError
        When there is no such file, or it is not what it should be.
    """
    path = Path(path)

    def error(message: str) -> StructureError:
        return StructureError(f"structure file '{path}': {message}")

    name = path.name.lower()
    if not name.endswith((".bif", ".bif.gz", *_SUFFIXES)):
        raise _unknown_suffix(path)
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise error(f"cannot be read: {problem.strerror}") from None
    if name.endswith((".bif", ".bif.gz")):
        return _dag_of_bif(path, error)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise error(f"must be UTF-8 text, but byte {problem.start} is not") from None
    return _parse(text, _SUFFIXES[path.suffix.lower()], error)


def write_structure(graph: Structure, path: str | os.PathLike[str]) -> None:
    """Write a graph to a file, which appears whole or not at all.

    Parameters
    ----------
    graph : Dag, Pdag or Cpdag
        What to write.
    path : path
        A .json, .csv, .dot (or .gv) or .graphml file. A .bif holds probabilities, so it takes a
        `BayesianNetwork` and its own writer.

    Raises
    ------
    OutputError
        When the file cannot be written.
    StructureError
        When the format has no way to write a name.
    """
    path = Path(path)
    if path.name.lower().endswith((".bif", ".bif.gz")):
        raise ParameterError(
            f"'{path}': a .bif file holds probabilities, which a structure has not; fit a "
            "BayesianNetwork and write that, or choose .json, .csv, .dot or .graphml"
        )
    if path.suffix.lower() not in _SUFFIXES:
        raise _unknown_suffix(path)
    text = format_structure(graph, _SUFFIXES[path.suffix.lower()])
    try:
        data = text.encode()
    except UnicodeEncodeError as problem:
        odd = text[problem.start]
        raise StructureError(f"no file can hold {odd!r}, half a character in a name") from None
    write_whole(path, data)


def format_structure(graph: Structure, kind: str) -> str:
    """Return the text of a structure file.

    Parameters
    ----------
    graph : Dag, Pdag or Cpdag
        What to write.
    kind : {"json", "csv", "dot", "graphml"}
        The format.

    Examples
    --------
    >>> print(format_structure(Pdag(["a", "b", "c"], [], [("b", "a")]), "csv"), end="")
    from,to,kind,graph
    a,b,undirected,pdag
    c,,isolated,pdag
    """
    title = _title(graph)
    match kind:
        case "json":
            return json.dumps(_document(graph), indent=1, ensure_ascii=False) + "\n"
        case "csv":
            return _format_csv(graph, title)
        case "dot":
            return format_dot(graph, title)
        case "graphml":
            return format_graphml(graph, title)
    raise _unknown_kind(kind)


def parse_structure(text: str, kind: str) -> Structure:
    """Make a graph of the text of a structure file, see `format_structure`."""
    if kind not in _SUFFIXES.values():
        raise _unknown_kind(kind)
    return _parse(text, kind, StructureError)


def structure_of_document(document: Any, error: _Error = StructureError) -> Structure:
    """Make a graph of a JSON document: of its "cpdag", else its "pdag", else its "dag"."""
    if not isinstance(document, dict) or not isinstance(document.get("variables"), list):
        raise error('expected a JSON object with a list "variables"')
    names = document["variables"]
    for key in ("cpdag", "pdag"):
        if key in document:
            edges = document[key]
            if not isinstance(edges, dict):
                raise error(f'expected "{key}" to be an object, got {_shown(edges)}')
            drawing = Drawing(
                key,
                directed=_pairs(edges.get("directed"), f"{key}.directed", error),
                undirected=_pairs(edges.get("undirected"), f"{key}.undirected", error),
            )
            graph = _made(names, drawing, error)
            if isinstance(graph, Cpdag) and "dag" in document:
                _refuse_stranger(graph, _pairs(document["dag"], "dag", error), error)
            return graph
    if "dag" in document:
        return _made(names, Drawing("dag", directed=_pairs(document["dag"], "dag", error)), error)
    raise error('expected one of "cpdag", "pdag" and "dag"')


def _parse(text: str, kind: str, error: _Error) -> Structure:
    if kind == "json":
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as problem:
            raise error(f"this is no JSON: {problem}") from None
        return structure_of_document(document, error)
    if kind == "csv":
        drawing = _parse_csv(text, error)
    else:
        drawing = parse_dot(text, error) if kind == "dot" else parse_graphml(text, error)
    return _made(drawing.nodes, drawing, error)


def _made(names: Iterable[str], drawing: Drawing, error: _Error) -> Structure:
    """Make the kind of graph that the title names, or else the plainest that fits."""
    try:
        if drawing.title == "dag" and not drawing.undirected:
            return Dag(names, drawing.directed)
        if drawing.title == "cpdag":
            return Cpdag(names, drawing.directed, drawing.undirected)
        graph = Pdag(names, drawing.directed, drawing.undirected)
    except (ValueError, TypeError) as problem:
        raise error(str(problem)) from None
    if drawing.title == "pdag":
        return graph
    if not drawing.undirected:
        return Dag(graph.names, graph.directed)
    return graph.to_cpdag() if graph.is_completed else graph


# JSON


def _title(graph: Structure) -> str:
    return next(title for title, kind in _KINDS.items() if type(graph) is kind)


def _document(graph: Structure) -> dict[str, Any]:
    document: dict[str, Any] = {"variables": graph.names}
    if isinstance(graph, Dag):
        return {**document, "dag": graph.arcs}
    document[_title(graph)] = {"directed": graph.directed, "undirected": graph.undirected}
    if isinstance(graph, Cpdag):
        document["dag"] = graph.to_dag().arcs
    return document


def _pairs(value: Any, what: str, error: _Error) -> list[tuple[str, str]]:
    if not isinstance(value, list):
        raise error(f'expected "{what}" to be a list of pairs, got {_shown(value)}')
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2:
            raise error(f'expected each edge in "{what}" to be a pair, got {_shown(pair)}')
    return [(a, b) for a, b in value]


def _refuse_stranger(cpdag: Cpdag, arcs: list[tuple[str, str]], error: _Error) -> None:
    dag = _made(cpdag.names, Drawing("dag", directed=arcs), error)
    if not isinstance(dag, Dag) or dag.to_cpdag() != cpdag:
        raise error('the "dag" is not a member of the "cpdag"')


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


# CSV


def _format_csv(graph: Graph, title: str) -> str:
    rows = [_COLUMNS]
    rows += [[a, b, kind, title] for a, b, kind in graph.edges]
    rows += [[a, "", "isolated", title] for a in sorted(graph.names) if not graph.adjacent(a)]
    return "".join(",".join(map(_cell, row)) + "\n" for row in rows)


def _cell(text: str) -> str:
    # Not by `csv.writer`, which leaves a carriage return bare when lines end in a line feed.
    return '"' + text.replace('"', '""') + '"' if re.search('[",\r\n]', text) else text


def _parse_csv(text: str, error: _Error) -> Drawing:
    """Read an edge list with the columns from, to and perhaps kind and graph, in any order.

    Without a kind an edge is directed, and a pair that is there both ways is one undirected edge.
    A row with an empty `to` is a node without edges.
    """
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as problem:
        raise error(f"this is no CSV: {problem}") from None
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    if not {"from", "to"} <= set(header) or len(set(header)) < len(header):
        found = ", ".join(header) or "nothing"
        raise error(f"the first row must name the columns {', '.join(_COLUMNS)}, got {found}")
    drawing = Drawing()
    unmarked: dict[tuple[str, str], None] = {}
    for number, cells in enumerate(rows[1:], start=2):
        if not cells:
            continue
        if len(cells) != len(header):
            raise error(f"row {number} must have {len(header)} cells, got {len(cells)}")
        row = dict(zip(header, cells, strict=True))
        if row.get("graph", drawing.title) != drawing.title and drawing.nodes:
            raise error(f"row {number} says graph {row['graph']!r}, others {drawing.title!r}")
        drawing.title = row.get("graph", "")
        pair, kind = (row["from"], row["to"]), row.get("kind", "")
        drawing.nodes |= {name: None for name in pair if name}
        if not pair[0]:
            raise error(f"row {number} has no node in the column from")
        if not pair[1]:
            if kind not in ("", "isolated"):
                raise error(f"row {number} has no node in the column to")
        elif kind == "directed":
            drawing.directed.append(pair)
        elif kind == "undirected":
            drawing.undirected.append(pair)
        elif kind or pair in unmarked:
            raise error(
                f"row {number}: the kind must be directed or undirected, got {kind!r}"
                if kind
                else f"row {number}: the edge {pair[0]} -> {pair[1]} is given twice"
            )
        else:
            unmarked[pair] = None
    for a, b in unmarked:
        if (b, a) not in unmarked or a == b:
            drawing.directed.append((a, b))
        elif a < b:
            drawing.undirected.append((a, b))
    return drawing


# BIF and names of formats


def _dag_of_bif(path: Path, error: _Error) -> Dag:
    from stigmergy.io.bif import read_bif

    try:
        return read_bif(path).dag
    except NetworkError as problem:
        raise error(str(problem)) from None


def _unknown_suffix(path: Path) -> ParameterError:
    return ParameterError(
        f"a structure file ends in .json, .csv, .dot, .gv, .graphml or .bif, got '{path}'"
    )


def _unknown_kind(kind: object) -> ParameterError:
    known = ", ".join(dict.fromkeys(_SUFFIXES.values()))
    return ParameterError(f"kind must be one of {known}, got {kind!r}")
