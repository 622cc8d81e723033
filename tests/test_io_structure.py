# SPDX-License-Identifier: MIT
import json
import os
from itertools import pairwise
from textwrap import dedent

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stigmergy import Cpdag, Dag, OutputError, ParameterError, Pdag, StructureError, networks
from stigmergy.io.bif import write_bif
from stigmergy.io.structure import (
    format_structure,
    parse_structure,
    read_structure,
    write_structure,
)
from strategies import dags, pdags

KINDS = ["json", "csv", "dot", "graphml"]
AWKWARD = [" x ", "a b", 'say "x"', "back\\", "\\n", "a\nb", "a,b", "<b>&amp;", "ünï", "->", "node"]
AWKWARD += [
    "1a",
    "-",
    "#",
    "//",
    "'",
    "x\ry",
    "x\ty",
    "a\r\nb",
    "graph",
    "{",
    "日本",
    "nan",
    "1.50",
]


@pytest.mark.parametrize("kind", KINDS)
@given(graph=st.one_of(dags(min_nodes=1), pdags(min_nodes=1), dags(min_nodes=1).map(Dag.to_cpdag)))
def test_text_round_trip(kind, graph):
    again = parse_structure(format_structure(graph, kind), kind)
    assert again == graph
    assert type(again) is type(graph)
    if kind != "csv":
        assert again.names == graph.names


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", [Dag, Pdag, Cpdag])
def test_awkward_names_and_isolated_nodes(make, kind, tmp_path):
    chain = Dag(AWKWARD, pairwise(AWKWARD[2:]))
    graph = make(AWKWARD)
    write_structure(graph, tmp_path / f"a.{kind}")
    assert read_structure(tmp_path / f"a.{kind}") == graph
    graph = {Dag: chain, Pdag: Pdag(AWKWARD, chain.arcs), Cpdag: chain.to_cpdag()}[make]
    write_structure(graph, tmp_path / f"b.{kind}")
    assert read_structure(tmp_path / f"b.{kind}") == graph


def test_text_is_as_documented():
    pdag = Pdag(["c", "a", "b", "d"], [("a", "b")], [("c", "b")])
    assert format_structure(pdag, "csv") == (
        "from,to,kind,graph\na,b,directed,pdag\nb,c,undirected,pdag\nd,,isolated,pdag\n"
    )
    assert format_structure(pdag, "dot") == (
        'digraph pdag {\n  "c";\n  "a";\n  "b";\n  "d";\n  "a" -> "b";\n'
        '  "b" -> "c" [dir=none];\n}\n'
    )
    cpdag = pdag.to_cpdag()
    assert json.loads(format_structure(cpdag, "json")) == {
        "variables": ["c", "a", "b", "d"],
        "cpdag": {"directed": [], "undirected": [["a", "b"], ["b", "c"]]},
        "dag": [list(arc) for arc in cpdag.to_dag().arcs],
    }
    assert json.loads(format_structure(Dag(["a", "b"], [("b", "a")]), "json")) == {
        "variables": ["a", "b"],
        "dag": [["b", "a"]],
    }


def test_files_without_a_kind():
    """The plainest kind of graph that fits."""
    assert parse_structure("from,to\na,b\n", "csv") == Dag(["a", "b"], [("a", "b")])
    both_ways = parse_structure("to,from\na,b\nb,a\nc,b\n", "csv")
    assert both_ways == Pdag(["a", "b", "c"], [("b", "c")], [("a", "b")])
    assert parse_structure("from,to\na,b\nb,a\n", "csv") == Cpdag(["a", "b"], [], [("a", "b")])
    assert parse_structure("graph { a -- b }", "dot") == Cpdag(["a", "b"], [], [("a", "b")])


def test_dot_in_all_its_forms():
    text = """
    # a preprocessor line
    strict digraph "some name" { /* a
      comment */ rankdir=LR; node [shape=box, style="rounded,filled"];
      a -> b -> {c; d} [color=red];  // chain into a group
      subgraph cluster_1 { label=<one <b>bold</b> label>; edge [dir=none]; e -> f }
      g -> a [dir=back penwidth=2; label="x -> y"][weight=3]
      "two" + " words":n:sw -> h ; -1.5 ; x
    }
    """
    graph = parse_structure(dedent(text), "dot")
    assert graph == Pdag(
        ["a", "b", "c", "d", "e", "f", "g", "h", "two words", "-1.5", "x"],
        [("a", "b"), ("b", "c"), ("b", "d"), ("a", "g"), ("two words", "h")],
        [("e", "f")],
    )


@given(dags(min_nodes=1))
def test_graphml_of_networkx_is_read(dag):
    text = "\n".join(nx.generate_graphml(dag.to_networkx()))
    assert parse_structure(text, "graphml") == dag


@given(dags(min_nodes=1))
def test_networkx_reads_our_graphml(dag):
    assert Dag.from_networkx(nx.parse_graphml(format_structure(dag, "graphml"))) == dag


@given(pdags())
def test_networkx_reads_the_graphml_of_any_graph(pdag):
    text = format_structure(pdag, "graphml")
    read = nx.parse_graphml(text)
    kinds = {(a, b, kind) for a, b, kind in read.edges(data="kind")}
    assert (set(read.nodes), kinds) == (set(pdag.names), set(pdag.edges))
    assert parse_structure(text, "graphml") == pdag


def test_undirected_edges_of_graphml_itself_are_read():
    text = """<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><node id="c"/>
      <edge source="a" target="b" directed="false"/><edge source="c" target="b"/></graph></graphml>
    """
    assert parse_structure(text, "graphml") == Pdag(["a", "b", "c"], [("c", "b")], [("a", "b")])


def test_bif_gives_the_graph_of_the_network(tmp_path):
    alarm = networks.load("alarm")
    for name in ("alarm.bif", "alarm.bif.gz", "ALARM.BIF"):
        write_bif(alarm, tmp_path / name)
        assert read_structure(tmp_path / name) == alarm.dag


def test_a_result_file_gives_its_class(tmp_path):
    path = tmp_path / "result.json"
    document = {
        "variables": ["a", "b"],
        "cpdag": {"directed": [], "undirected": [["a", "b"]]},
        "dag": [["b", "a"]],
        "score": -3.5,
        "algorithm": "aco-e",
    }
    path.write_text("\ufeff" + json.dumps(document), encoding="utf-8")
    assert read_structure(path) == Cpdag(["a", "b"], [], [("a", "b")])


MALFORMED = [
    ("json", "", "this is no JSON"),
    ("json", "[" * 100_000, "this is no JSON"),
    ("json", "[1]", 'expected a JSON object with a list "variables"'),
    ("json", '{"variables": ["a"]}', 'expected one of "cpdag", "pdag" and "dag"'),
    ("json", '{"variables": ["a", 1], "dag": []}', "node name must be a string, got 1"),
    ("json", '{"variables": ["a"], "dag": {}}', 'expected "dag" to be a list of pairs, got {}'),
    ("json", '{"variables": ["a"], "dag": [["a"]]}', r'each edge in "dag" to be a pair, got \["a"'),
    ("json", '{"variables": ["a"], "dag": [["a", "b"]]}', "unknown node 'b'"),
    ("json", '{"variables": ["a"], "dag": [["a", []]]}', r"unknown node \[\]"),
    ("json", '{"variables": ["a"], "cpdag": []}', r'expected "cpdag" to be an object, got \[\]'),
    ("json", '{"variables": [], "cpdag": {"directed": []}}', '"cpdag.undirected" to be a list'),
    (
        "json",
        '{"variables": ["a", "b"], "cpdag": {"directed": [["a", "b"]], "undirected": []}}',
        "a -> b is reversible",
    ),
    (
        "json",
        '{"variables": ["a", "b"], "cpdag": {"directed": [], "undirected": []},'
        ' "dag": [["a", "b"]]}',
        'the "dag" is not a member of the "cpdag"',
    ),
    ("csv", "", "must name the columns from, to, kind, graph, got nothing"),
    ("csv", "a;b\nc;d\n", "must name the columns .* got a;b"),
    ("csv", "from,to,from\n", "must name the columns"),
    ("csv", "from,to\na\n", "row 2 must have 2 cells, got 1"),
    ("csv", "from,to\n,b\n", "row 2 has no node in the column from"),
    ("csv", "from,to,kind\na,,directed\n", "row 2 has no node in the column to"),
    (
        "csv",
        "from,to,kind\na,b,maybe\n",
        "row 2: the kind must be directed or undirected, got",
    ),
    ("csv", "from,to\na,b\na,b\n", "row 3: the edge a -> b is given twice"),
    ("csv", "from,to\na,a\n", "joins 'a' to itself"),
    ("csv", 'from,to\n"a,b\n', "this is no CSV"),
    ("csv", "from,to,kind,graph\na,b,directed,dag\nb,c,directed,pdag\n", "row 3 says graph 'pdag'"),
    ("csv", "from,to\na,b\nb,c\nc,a\n", "contain the cycle a -> b -> c -> a"),
    ("dot", "", "line 1: expected 'graph' or 'digraph', got 'the end of the text'"),
    ("dot", "digraph {\n a -> \n}", "line 3: expected a node, got '}'"),
    ("dot", "digraph {\n a -- b }", "line 2: expected '->', got '--'"),
    ("dot", "digraph { a", "line 1: expected a node, got 'the end of the text'"),
    ("dot", "digraph { a } b", "expected one graph, got 'b' after it"),
    ("dot", "digraph { a -> b [dir=both] }", "dir must be forward, back or none, got 'both'"),
    ("dot", "digraph { a [label=<x }", "line 1: a '<' is never closed"),
    ("dot", 'digraph { "a }', "line 1: cannot read"),
    ("dot", "digraph { 1a }", "line 1: cannot read '1a"),
    ("dot", 'digraph { "a" + b }', "expected a quoted string after '\\+', got 'b'"),
    ("dot", "digraph { a [x=] }", "expected a value, got ']'"),
    ("dot", "digraph " + "{" * 5000, "subgraphs are nested more than 100 deep"),
    ("dot", "digraph { a -> b; b -> a }", "given twice: a -> b is already there"),
    ("graphml", "", "this is no XML"),
    ("graphml", "<a/>", "expected a <graphml> with one <graph>, got <a>"),
    ("graphml", "<graphml/>", "expected a <graphml> with one <graph>"),
    (
        "graphml",
        "<graphml><graph/></graphml>",
        "expected an attribute 'edgedefault' in each <",
    ),
    (
        "graphml",
        "<graphml><graph edgedefault='directed'><node/></graph></graphml>",
        "expected an attribute 'id' in each <node>",
    ),
    (
        "graphml",
        "<graphml><graph edgedefault='directed'><edge source='a' target='b'/></graph></graphml>",
        "unknown node 'a'; the nodes are none",
    ),
    ("bif", "network x {", "in the network block"),
]


@pytest.mark.parametrize(("kind", "text", "message"), MALFORMED)
def test_malformed_files_are_explained(kind, text, message, tmp_path):
    path = tmp_path / f"bad.{kind}"
    path.write_text(text)
    with pytest.raises(StructureError, match=message) as caught:
        read_structure(path)
    assert str(caught.value).startswith(f"structure file '{path}': ")


@pytest.mark.parametrize("kind", KINDS)
@given(st.text(max_size=60), st.integers(0, 200), dags(min_nodes=1, max_nodes=4))
def test_damaged_text_is_read_or_refused(kind, noise, place, dag):
    text = format_structure(dag, kind)
    for damaged in (noise, text[:place] + noise + text[place:], text[:place]):
        try:
            parse_structure(damaged, kind)
        except StructureError:
            continue


def test_what_cannot_be_read_or_written(tmp_path):
    dag = Dag(["a", "b"], [("a", "b")])
    with pytest.raises(StructureError, match=r"none\.json': cannot be read: No such file"):
        read_structure(tmp_path / "none.json")
    with pytest.raises(ParameterError, match=r"ends in \.json, .* got '.*x\.txt'"):
        read_structure(tmp_path / "x.txt")
    with pytest.raises(ParameterError, match=r"ends in \.json, .* got '.*x\.txt'"):
        write_structure(dag, tmp_path / "x.txt")
    with pytest.raises(ParameterError, match="holds probabilities, which a structure has not"):
        write_structure(dag, tmp_path / "x.bif")
    with pytest.raises(OutputError, match=r"cannot write .*x\.json: No such file or directory"):
        write_structure(dag, tmp_path / "no" / "x.json")
    with pytest.raises(StructureError, match=r"no way to write the character '\\x01' of node"):
        write_structure(Dag(["a\x01"]), tmp_path / "x.graphml")
    with pytest.raises(StructureError, match="half a character in a name"):
        write_structure(Dag(["\ud800"]), tmp_path / "x.json")
    with pytest.raises(ParameterError, match="kind must be one of json, csv, dot, graphml"):
        format_structure(dag, "x")
    with pytest.raises(ParameterError, match="kind must be one of"):
        parse_structure("", "bif")
    (tmp_path / "latin.csv").write_bytes("from,to\nä,b\n".encode("latin-1"))
    with pytest.raises(StructureError, match="must be UTF-8 text, but byte 8 is not"):
        read_structure(tmp_path / "latin.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["latin.csv"]


def test_a_file_is_replaced_in_one_step(tmp_path, monkeypatch):
    path = tmp_path / "graph.json"
    write_structure(Dag(["a"]), path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OutputError, match=r"graph\.json: No space left on device"):
        write_structure(Dag(["b"]), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
