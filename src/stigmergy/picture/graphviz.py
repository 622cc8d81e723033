# SPDX-License-Identifier: MIT
"""Pictures as files: Graphviz's `dot` where pygraphviz is installed, else our own SVG."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from stigmergy.errors import OutputError
from stigmergy.graph import Cpdag, Dag, Pdag
from stigmergy.io.whole import write_whole
from stigmergy.picture.svg import COMPELLED, REVERSIBLE, printable, svg_of, wrapped

PNG_DPI = 144
FONTS = "Helvetica,Arial,DejaVu Sans,sans-serif"


def drawing(graph: Dag | Pdag | Cpdag, member: Dag | None, kind: str) -> bytes:
    """Return the bytes of a picture file.

    Parameters
    ----------
    graph : Dag, Pdag or Cpdag
        What to draw.
    member : Dag, optional
        Gives undirected edges a direction for the layout only.
    kind : {"svg", "png", "pdf"}
        The format.

    Raises
    ------
    OutputError
        For PNG and PDF without pygraphviz.
    """
    if importlib.util.find_spec("pygraphviz") is None:
        if kind == "svg":
            return svg_of(graph, member).encode()
        raise OutputError(
            f"a .{kind} picture needs pygraphviz (pip install pygraphviz); .svg needs nothing"
        )
    return _by_dot(graph, member, kind)


def draw_file(graph: Dag | Pdag | Cpdag, path: str | Path, member: Dag | None = None) -> None:
    """Write a picture to a .svg, .png or .pdf file; see `drawing`."""
    target = Path(path)
    kind = target.suffix.lower().removeprefix(".")
    if kind not in ("svg", "png", "pdf"):
        raise OutputError(f"a picture is a .svg, .png or .pdf file, got {target.name!r}")
    write_whole(target, drawing(graph, member, kind))


def _literal(text: str) -> str:
    """Escape what Graphviz would read as a command, an entity or a label in HTML."""
    return escape(printable(text), quote=False).replace("\\", "\\\\")


def _by_dot(graph: Dag | Pdag | Cpdag, member: Dag | None, kind: str) -> bytes:
    import pygraphviz

    drawn = pygraphviz.AGraph(directed=True, strict=True, name="stigmergy")
    drawn.graph_attr.update(
        rankdir="TB",
        nodesep="0.22",
        ranksep="0.42",
        splines="true",
        bgcolor="white",
        pad="0.2",
        outputorder="edgesfirst",
    )
    if graph.undirected:
        drawn.graph_attr.update(
            label="solid: compelled, dashed: reversible within the class",
            labeljust="l",
            fontname=FONTS,
            fontsize="10",
            fontcolor="#56636f",
        )
    if kind == "png":
        drawn.graph_attr["dpi"] = str(PNG_DPI)
    drawn.node_attr.update(
        shape="box",
        style="rounded,filled",
        fillcolor="#eef3f8",
        color="#7f97ad",
        fontname=FONTS,
        fontsize="11",
        fontcolor="#16202a",
        height="0.3",
        width="0.4",
        margin="0.11,0.05",
    )
    drawn.edge_attr.update(color=COMPELLED, arrowsize="0.7", penwidth="1.2")
    number = {name: i for i, name in enumerate(sorted(graph.names))}
    for name in sorted(graph.names):
        # Numbers as identifiers and escaped labels: no name can be mistaken for DOT syntax.
        label = "\\n".join(map(_literal, wrapped(name)))
        drawn.add_node(number[name], label=label, tooltip=_literal(name))
    for a, b in graph.directed:
        drawn.add_edge(number[a], number[b])
    turned = set(member.directed) if member is not None else set()
    for a, b in graph.undirected:
        tail, head = (b, a) if (b, a) in turned else (a, b)
        drawn.add_edge(
            number[tail],
            number[head],
            dir="none",
            color=REVERSIBLE,
            style="dashed",
            penwidth="1.8",
        )
    with _without_chatter():
        data: bytes = drawn.draw(format=kind, prog="dot")
    return data


@contextmanager
def _without_chatter() -> Iterator[None]:
    """Keep what the font library has to say of the system's settings off the user's terminal."""
    try:
        kept = os.dup(2)
    except OSError:  # there is no standard error to protect
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
