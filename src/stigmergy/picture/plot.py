# SPDX-License-Identifier: MIT
"""A graph drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stigmergy.graph import Cpdag, Dag, Pdag
from stigmergy.picture.layout import Point
from stigmergy.picture.svg import COMPELLED, REVERSIBLE, beziers, box_sizes, laid_out

INCHES = 1 / 90  # of the layout's units
MARGIN = 10.0
LEGEND_HEIGHT = 40.0
LEGEND_WIDTH = 230.0


def plot(graph: Dag | Pdag | Cpdag, member: Dag | None = None, ax: Any = None) -> Any:
    """Draw a graph on matplotlib axes, which are made when none are given, and return them."""
    try:
        from matplotlib import pyplot
        from matplotlib.lines import Line2D
        from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, PathPatch
        from matplotlib.path import Path
    except ImportError as error:
        raise ImportError("plot needs matplotlib: pip install matplotlib") from error

    def curve(points: Sequence[Point]) -> Any:
        corners = [points[0], *(corner for piece in beziers(points) for corner in piece)]
        return Path(corners, [Path.MOVETO, *[Path.CURVE4] * (len(corners) - 1)])

    layout, shape = laid_out(graph, member)
    lines, sizes = box_sizes(graph.names)
    undirected = {frozenset(edge) for edge in graph.undirected}
    below = LEGEND_HEIGHT if undirected else MARGIN
    across = max(layout.width + 2 * MARGIN, LEGEND_WIDTH if undirected else 0.0)
    down = layout.height + MARGIN + below
    if ax is None:
        figure = pyplot.figure(figsize=(across * INCHES, down * INCHES))
        ax = figure.add_axes((0, 0, 1, 1))
    dashes: dict[str, Any] = {"color": REVERSIBLE, "lw": 1.6, "ls": (0, (4, 2))}
    for a, b in shape.directed:
        path = curve(layout.routes[a, b])
        if frozenset((a, b)) in undirected:
            ax.add_patch(PathPatch(path, fill=False, **dashes))
        else:
            arrow: dict[str, Any] = {
                "arrowstyle": "-|>",
                "mutation_scale": 9,
                "color": COMPELLED,
                "lw": 1.0,
            }
            ax.add_patch(FancyArrowPatch(path=path, shrinkA=0, shrinkB=0, **arrow))
    for name in graph.names:
        (x, y), (width, height) = layout.centres[name], sizes[name]
        corner = (x - width / 2 + 4, y - height / 2 + 4)
        box = FancyBboxPatch(corner, width - 8, height - 8, boxstyle="round,pad=4")
        box.set(facecolor="#eef3f8", edgecolor="#7f97ad")
        ax.add_patch(box)
        # Names are text as it stands: a dollar sign does not begin a formula.
        text: dict[str, Any] = {
            "ha": "center",
            "va": "center",
            "fontsize": 7.5,
            "parse_math": False,
        }
        ax.text(x, y, "\n".join(lines[name]), **text)
    if undirected:
        keys = [
            Line2D([], [], color=COMPELLED, lw=1.0, label="compelled"),
            Line2D([], [], label="reversible", **dashes),
        ]
        ax.legend(handles=keys, loc="lower left", ncols=2, frameon=False, fontsize=7.5)
    ax.set_xlim(-MARGIN, across - MARGIN)
    ax.set_ylim(down - MARGIN, -MARGIN)
    ax.set_aspect("equal")
    ax.axis("off")
    return ax
