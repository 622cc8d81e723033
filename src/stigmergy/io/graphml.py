# SPDX-License-Identifier: MIT
"""Graphs in GraphML: the id of a node is its name, and each edge says of which kind it is.

The kind is a datum. GraphML also knows undirected edges of their own, which are read; they are not
written, as many readers, NetworkX for one, take no graph that mixes the two.

References
----------
U. Brandes, M. Eiglsperger, I. Herman, M. Himsolt and M. S. Marshall (2002), GraphML progress
report: structural layer proposal, GD 2001, 501-512.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

from stigmergy.errors import StructureError
from stigmergy.graph import Graph
from stigmergy.io.dot import Drawing

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_KIND = "kind"
_EDGE_KIND = "edge-kind"
# What XML 1.0 cannot say, not even as a number.
_UNSPEAKABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def format_graphml(graph: Graph, title: str) -> str:
    """Return an XML document; the kind of graph is a datum of it."""
    for name in graph.names:
        if odd := _UNSPEAKABLE.search(name):
            raise StructureError(
                f"XML has no way to write the character {odd[0]!r} of node {name!r}; "
                "rename the node or choose .json"
            )
    root = ElementTree.Element("graphml", xmlns=_NAMESPACE)
    ElementTree.SubElement(
        root, "key", {"id": _KIND, "for": "graph", "attr.name": _KIND, "attr.type": "string"}
    )
    ElementTree.SubElement(
        root, "key", {"id": _EDGE_KIND, "for": "edge", "attr.name": _KIND, "attr.type": "string"}
    )
    body = ElementTree.SubElement(root, "graph", id="G", edgedefault="directed")
    ElementTree.SubElement(body, "data", key=_KIND).text = title
    for name in graph.names:
        ElementTree.SubElement(body, "node", id=name)
    for a, b, kind in graph.edges:
        edge = ElementTree.SubElement(body, "edge", source=a, target=b)
        ElementTree.SubElement(edge, "data", key=_EDGE_KIND).text = kind
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def parse_graphml(text: str, error: Callable[[str], Exception]) -> Drawing:
    """Read the one graph of a document; `error` makes the exception of a message."""
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, UnicodeEncodeError) as problem:
        raise error(f"this is no XML: {problem}") from None
    space = root.tag.removesuffix("graphml")
    graphs = root.findall(f"{space}graph")
    if not root.tag.endswith("graphml") or len(graphs) != 1:
        raise error(f"expected a <graphml> with one <graph>, got <{_tag(root)}>")
    (body,) = graphs
    drawing = Drawing()
    edge_kind: str | None = None
    for key in root.findall(f"{space}key"):
        if key.get("attr.name") == _KIND and key.get("for") == "graph":
            found = [d.text for d in body.findall(f"{space}data") if d.get("key") == key.get("id")]
            drawing.title = (found and found[0]) or ""
        if key.get("attr.name") == _KIND and key.get("for") == "edge":
            edge_kind = key.get("id")
    for node in body.findall(f"{space}node"):
        drawing.nodes[_attribute(node, "id", error)] = None
    is_directed = _attribute(body, "edgedefault", error) == "directed"
    for edge in body.findall(f"{space}edge"):
        pair = _attribute(edge, "source", error), _attribute(edge, "target", error)
        kinds = [d.text for d in edge.findall(f"{space}data") if d.get("key") == edge_kind]
        said = edge.get("directed", "true" if is_directed else "false") in ("true", "1")
        if said and "undirected" not in kinds:
            drawing.directed.append(pair)
        else:
            drawing.undirected.append(pair)
    return drawing


def _attribute(element: ElementTree.Element, name: str, error: Callable[[str], Exception]) -> str:
    value = element.get(name)
    if value is None:
        raise error(f"expected an attribute {name!r} in each <{_tag(element)}>")
    return value


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
