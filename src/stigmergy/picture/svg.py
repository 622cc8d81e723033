# SPDX-License-Identifier: MIT
"""A graph as SVG text, with nothing but the standard library."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from html import escape

from stigmergy.graph import Cpdag, Dag, Pdag
from stigmergy.picture.layout import Layout, Point, layered_layout

FONT_SIZE = 12.0
LINE_HEIGHT = 15.0
MARGIN = 14.0
LONGEST_LINE = 20
LEGEND_HEIGHT = 30.0

COMPELLED = "#1f3b57"
REVERSIBLE = "#d9822b"

# In a notebook a style holds for the whole page, so each rule says whose pictures it is for.
_STYLE = (
    ".stigmergy text{font:12px Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#16202a}"
    ".stigmergy .n rect{fill:#eef3f8;stroke:#7f97ad}"
    f".stigmergy .c{{fill:none;stroke:{COMPELLED};stroke-width:1.4}}"
    f".stigmergy .r{{fill:none;stroke:{REVERSIBLE};stroke-width:2.2;stroke-dasharray:7 3}}"
    ".stigmergy .l text{font-size:11px;fill:#56636f}"
)


def svg_of(graph: Dag | Pdag | Cpdag, member: Dag | None = None, *, legend: bool = True) -> str:
    """Draw a graph from top to bottom.

    Parameters
    ----------
    graph : Dag, Pdag or Cpdag
        Directed edges become arrows, undirected ones dashed lines of another colour.
    member : Dag, optional
        A DAG that gives undirected edges a direction for the layout only; one of the graph's own
        extensions when not given.
    legend : bool
        Whether a line under the graph explains the two kinds of edge; left out where there is
        no undirected edge.

    Returns
    -------
    str
        A whole SVG document.
    """
    layout, shape = laid_out(graph, member)
    lines, sizes = box_sizes(graph.names)
    legend = legend and bool(graph.undirected)
    width = max(layout.width + 2 * MARGIN, 330.0 if legend else 0.0)
    height = layout.height + 2 * MARGIN + (LEGEND_HEIGHT if legend else 0.0)
    undirected = set(graph.undirected)
    edges, boxes = [], []
    for a, b in shape.directed:
        is_free = (a, b) in undirected or (b, a) in undirected
        title = f"{a} - {b}, reversible" if is_free else f"{a} -> {b}"
        kind = 'class="r"' if is_free else 'class="c" marker-end="url(#stigmergy-arrow)"'
        route = layout.routes[a, b]
        edges.append(f'<path {kind} d="{_path(route)}"><title>{_safe(title)}</title></path>')
    for name in graph.names:
        (x, y), (w, h) = layout.centres[name], sizes[name]
        text = "".join(
            f'<text x="{x:.1f}" y="{y + (i - (len(lines[name]) - 1) / 2) * LINE_HEIGHT + 4:.1f}" '
            f'text-anchor="middle">{_safe(line)}</text>'
            for i, line in enumerate(lines[name])
        )
        boxes.append(
            f'<g class="n"><title>{_safe(name)}</title><rect x="{x - w / 2:.1f}" '
            f'y="{y - h / 2:.1f}" width="{w:.1f}" height="{h:.1f}" rx="6"/>{text}</g>'
        )
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" class="stigmergy" '
            f'width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" style="max-width:100%">',
            f"<title>{len(graph)} variables, {len(graph.edges)} edges</title>",
            f"<style>{_STYLE}</style>",
            '<defs><marker id="stigmergy-arrow" viewBox="0 0 10 8" refX="9" refY="4" '
            'markerWidth="9" markerHeight="7.2" markerUnits="userSpaceOnUse" orient="auto">'
            f'<path d="M0 0L10 4L0 8L2.5 4z" fill="{COMPELLED}"/></marker></defs>',
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
            f'<g transform="translate({MARGIN:.0f} {MARGIN:.0f})">',
            *edges,
            *boxes,
            "</g>",
            *([_legend(height)] if legend else []),
            "</svg>\n",
        ]
    )


def laid_out(graph: Dag | Pdag | Cpdag, member: Dag | None) -> tuple[Layout, Dag]:
    """Return the layout of a graph and the DAG whose arcs it routes."""
    shape = member if member is not None else _member(graph)
    return layered_layout(graph.names, shape.directed, box_sizes(graph.names)[1]), shape


def box_sizes(names: Sequence[str]) -> tuple[dict[str, list[str]], dict[str, tuple[float, float]]]:
    """Return the lines of text in each node's box, and its width and height."""
    lines = {name: wrapped(name) for name in names}
    sizes = {
        name: (max(map(_text_width, text)) + 18.0, LINE_HEIGHT * len(text) + 9.0)
        for name, text in lines.items()
    }
    return lines, sizes


def _member(graph: Dag | Pdag | Cpdag) -> Dag:
    """Return a DAG whose arcs are the edges of the graph, for the layout."""
    if isinstance(graph, Dag):
        return graph
    pdag = Pdag(graph.names, graph.directed, graph.undirected)
    extension = pdag.consistent_extension()
    if extension is not None:
        return extension
    # No extension: any acyclic direction will do, here along an order that suits the arrows.
    order = Dag(graph.names, graph.directed).topological_order()
    place = {name: i for i, name in enumerate(order)}
    turned = [(a, b) if place[a] < place[b] else (b, a) for a, b in graph.undirected]
    return Dag(graph.names, [*graph.directed, *turned])


def _legend(height: float) -> str:
    y = height - LEGEND_HEIGHT / 2
    return (
        f'<g class="l"><path class="c" marker-end="url(#stigmergy-arrow)" d="M14 {y}H44"/>'
        f'<text x="52" y="{y + 4}">compelled</text>'
        f'<path class="r" d="M128 {y}H158"/>'
        f'<text x="166" y="{y + 4}">reversible within the class</text></g>'
    )


def printable(text: str) -> str:
    """Replace what neither XML nor a line of text can hold."""
    return re.sub(r"[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]", "\N{REPLACEMENT CHARACTER}", text)


def _safe(text: str) -> str:
    return escape(printable(text))


def _text_width(text: str) -> float:
    """Estimate the width of a line, on the wide side, since fonts differ between readers."""
    return sum(map(_char_width, text)) * FONT_SIZE


def _char_width(char: str) -> float:
    if char in "iIjl.,:;'|! ":
        return 0.36
    if char in "mwMW@%":
        return 0.95
    if char.isupper() or ord(char) > 0xFF:
        return 0.74 if ord(char) < 0x1100 else 1.1
    return 0.62


def wrapped(name: str) -> list[str]:
    """Break a long name into lines, after separators or before capitals where there are any."""
    lines, rest = [], name
    while len(rest) > LONGEST_LINE:
        breaks = [m.end() for m in re.finditer(r"[\s_.:/\\-]|[a-z0-9](?=[A-Z])", rest)]
        fitting = [at for at in breaks if LONGEST_LINE // 3 < at <= LONGEST_LINE]
        at = fitting[-1] if fitting else LONGEST_LINE
        lines.append(rest[:at])
        rest = rest[at:]
    return [*lines, rest] if rest else lines


def _path(points: Sequence[Point]) -> str:
    """Return a smooth path through points of increasing height."""
    corners = (" ".join(f"{x:.1f} {y:.1f}" for x, y in piece) for piece in beziers(points))
    return f"M{points[0][0]:.1f} {points[0][1]:.1f}" + "".join(f"C{piece}" for piece in corners)


def beziers(points: Sequence[Point]) -> list[tuple[Point, Point, Point]]:
    """Return a smooth curve through points of increasing height: two controls and an end each.

    The place across is a monotone cubic function of the height (F. N. Fritsch and J. Butland 1984):
    it never swings out beyond its points, so it stays clear of the boxes between which they lie.
    """
    rises = [q[1] - p[1] for p, q in itertools.pairwise(points)]
    slopes = [
        (q[0] - p[0]) / rise for (p, q), rise in zip(itertools.pairwise(points), rises, strict=True)
    ]
    tangents = [slopes[0]]
    for before, after in itertools.pairwise(slopes):
        same_way = before * after > 0
        tangents.append(2 * before * after / (before + after) if same_way else 0.0)
    tangents.append(slopes[-1])
    pieces = []
    for i, (p, q) in enumerate(itertools.pairwise(points)):
        third = rises[i] / 3
        first = (p[0] + tangents[i] * third, p[1] + third)
        second = (q[0] - tangents[i + 1] * third, q[1] - third)
        pieces.append((first, second, q))
    return pieces
