# SPDX-License-Identifier: MIT
"""Pictures of graphs: a layered layout of our own as SVG, and Graphviz for files."""

from stigmergy.picture.graphviz import draw_file
from stigmergy.picture.svg import svg_of

__all__ = ["draw_file", "svg_of"]
