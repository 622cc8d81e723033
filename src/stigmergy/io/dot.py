# SPDX-License-Identifier: MIT
"""Graphs in Graphviz's DOT language: the whole grammar is read, but only structure is kept.

References
----------
E. R. Gansner and S. C. North (2000), An open graph visualization system and its applications to
software engineering, Software: Practice and Experience 30, 1203-1233.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NoReturn

from stigmergy.graph import Graph

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)
      | (?P<quoted>"(?:[^"\\]|\\.)*")
      | (?P<html><)
      | (?P<mark>->|--|[{}\[\];,=:+])
      | (?P<word>-?(?:\.\d+|\d+(?:\.\d*)?)(?!\w)|[^\W\d]\w*)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_KEYWORDS = ("node", "edge", "graph", "digraph", "subgraph", "strict")
_MAX_DEPTH = 100


@dataclass
class Drawing:
    """What a DOT text says of structure.

    Attributes
    ----------
    title : str
        The name of the graph, or "".
    nodes : dict of str to None
        The nodes in the order of their first mention.
    directed, undirected : list of (str, str)
        The edges.
    """

    title: str = ""
    nodes: dict[str, None] = field(default_factory=dict)
    directed: list[tuple[str, str]] = field(default_factory=list)
    undirected: list[tuple[str, str]] = field(default_factory=list)


def format_dot(graph: Graph, title: str) -> str:
    """Return a digraph in which undirected edges have `dir=none`."""
    lines = [f"digraph {title} {{"]
    lines += [f"  {_quoted(name)};" for name in graph.names]
    for a, b, kind in graph.edges:
        mark = "" if kind == "directed" else " [dir=none]"
        lines.append(f"  {_quoted(a)} -> {_quoted(b)}{mark};")
    return "\n".join([*lines, "}", ""])


def _quoted(name: str) -> str:
    # Graphviz shows the name as a label, in which \\ stands for one backslash.
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def parse_dot(text: str, error: Callable[[str], Exception]) -> Drawing:
    """Read one graph.

    Undirected are the edges of a `graph`, and those of a `digraph` with `dir=none`; `dir=back`
    turns an edge round. Ports, subgraphs and all other attributes are understood and dropped.

    Parameters
    ----------
    text : str
        The DOT text.
    error : callable
        Makes an exception of a message; the reader raises nothing else.
    """
    return _Parser(text, error).graph()


class _Parser:
    def __init__(self, text: str, error: Callable[[str], Exception]) -> None:
        self._text = text
        self._error = error
        self._drawing = Drawing()
        self._tokens = self._scan()
        self._at = 0
        self._depth = 0

    # Words

    def _scan(self) -> list[tuple[str, str, int]]:
        tokens = []
        place = 0
        while place < len(self._text):
            match = _TOKEN.match(self._text, place)
            if match is None or match.lastgroup is None:
                self._fail(f"cannot read {self._text[place : place + 20]!r}", place)
            kind, end = match.lastgroup, match.end()
            if kind == "html":
                end = self._end_of_html(place)
            if kind != "skip":
                tokens.append((kind, self._text[place:end], place))
            place = end
        tokens.append(("end", "the end of the text", len(self._text)))
        return tokens

    def _end_of_html(self, place: int) -> int:
        depth = 0
        for match in re.finditer("[<>]", self._text[place:]):
            depth += 1 if match[0] == "<" else -1
            if depth == 0:
                return place + match.end()
        self._fail("a '<' is never closed", place)

    def _fail(self, message: str, place: int | None = None) -> NoReturn:
        if place is None:
            place = self._tokens[self._at][2]
        line = self._text.count("\n", 0, place) + 1
        raise self._error(f"line {line}: {message}")

    def _next_is(self, *texts: str) -> bool:
        kind, text, _ = self._tokens[self._at]
        return text in texts if kind == "mark" else kind == "word" and text.lower() in texts

    def _take(self, *texts: str) -> bool:
        if not self._next_is(*texts):
            return False
        self._at += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._take(text):
            self._fail(f"expected {text!r}, got {self._tokens[self._at][1]!r}")

    def _name(self, what: str) -> str:
        kind, text, _ = self._tokens[self._at]
        if kind not in ("word", "quoted", "html") or self._next_is(*_KEYWORDS):
            self._fail(f"expected {what}, got {text!r}")
        self._at += 1
        if kind != "quoted":
            return text
        name = _unquoted(text)
        while self._take("+"):
            kind, text, _ = self._tokens[self._at]
            if kind != "quoted":
                self._fail(f"expected a quoted string after '+', got {text!r}")
            self._at += 1
            name += _unquoted(text)
        return name

    # Statements

    def graph(self) -> Drawing:
        self._take("strict")
        self._is_directed = self._next_is("digraph")
        if not self._take("graph", "digraph"):
            self._fail(f"expected 'graph' or 'digraph', got {self._tokens[self._at][1]!r}")
        if not self._next_is("{"):
            self._drawing.title = self._name("the name of the graph or '{'")
        self._group("forward" if self._is_directed else "none")
        if self._tokens[self._at][0] != "end":
            self._fail(f"expected one graph, got {self._tokens[self._at][1]!r} after it")
        return self._drawing

    def _group(self, default: str) -> dict[str, None]:
        """Read statements in braces and return the nodes in them."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail(f"subgraphs are nested more than {_MAX_DEPTH} deep")
        self._expect("{")
        members: dict[str, None] = {}
        while not self._take("}"):
            if self._take("edge"):
                default = self._attributes().get("dir", default)
            elif self._take("graph", "node"):
                self._attributes()
            elif self._is_setting():
                self._name("a name")
                self._expect("=")
                self._name("a value")
            else:
                members |= self._chain(default)
            while self._take(";", ","):
                pass
        self._depth -= 1
        return members

    def _is_setting(self) -> bool:
        ahead = self._tokens[self._at + 1 : self._at + 2]
        return bool(ahead) and ahead[0][:2] == ("mark", "=")

    def _chain(self, default: str) -> dict[str, None]:
        """Read a node or a chain of edges between nodes and subgraphs."""
        stops = [self._stop(default)]
        sign = "->" if self._is_directed else "--"
        while self._next_is("->", "--"):
            self._expect(sign)
            stops.append(self._stop(default))
        direction = self._attributes().get("dir", default)
        for tails, heads in pairwise(stops):
            self._join([(a, b) for a in tails for b in heads], direction)
        return {name: None for stop in stops for name in stop}

    def _stop(self, default: str) -> Iterable[str]:
        if self._take("subgraph"):
            if not self._next_is("{"):
                self._name("the name of a subgraph or '{'")
            return self._group(default)
        if self._next_is("{"):
            return self._group(default)
        name = self._name("a node")
        while self._take(":"):
            self._name("a port")
        self._drawing.nodes[name] = None
        return [name]

    def _attributes(self) -> dict[str, str]:
        found = {}
        while self._take("["):
            while not self._take("]"):
                key = self._name("the name of an attribute or ']'")
                found[key] = self._name("a value") if self._take("=") else "true"
                self._take(";", ",")
        return found

    def _join(self, pairs: list[tuple[str, str]], direction: str) -> None:
        if direction == "none":
            self._drawing.undirected += pairs
        elif direction == "forward":
            self._drawing.directed += pairs
        elif direction == "back":
            self._drawing.directed += [(b, a) for a, b in pairs]
        else:
            self._fail(f"dir must be forward, back or none, got {direction!r}")


def _unquoted(text: str) -> str:
    return re.sub(r'\\(\n|["\\])', lambda match: match[1].strip("\n"), text[1:-1])
