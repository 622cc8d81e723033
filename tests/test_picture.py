# SPDX-License-Identifier: MIT
"""The layered layout keeps its promises, and every picture can be read."""

import importlib.util
import itertools
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given

from stigmergy import Dag, Pdag
from stigmergy.errors import OutputError
from stigmergy.picture import draw_file, svg_of
from stigmergy.picture.layout import _crossings, _isotonic, layered_layout
from stigmergy.picture.svg import LONGEST_LINE, wrapped
from strategies import dags, pdags, sparse_dags

SVG = "{http://www.w3.org/2000/svg}"


def boxes_of(dag, size):
    layout = layered_layout(dag.names, dag.directed, dict.fromkeys(dag.names, size))
    return layout, size


@given(sparse_dags())
def test_boxes_keep_apart_and_arrows_go_down_around_them(dag):
    layout, (width, height) = boxes_of(dag, (60.0, 24.0))
    assert set(layout.centres) == set(dag.names)
    assert set(layout.routes) == set(dag.directed)
    for (a, p), (b, q) in itertools.combinations(layout.centres.items(), 2):
        apart = abs(p[0] - q[0]) >= width - 1e-6 or abs(p[1] - q[1]) >= height - 1e-6
        assert apart, f"{a} and {b} overlap"
    for x, y in layout.centres.values():
        assert width / 2 - 1e-6 <= x <= layout.width - width / 2 + 1e-6
        assert height / 2 - 1e-6 <= y <= layout.height - height / 2 + 1e-6
    for (a, b), route in layout.routes.items():
        heights = [y for _, y in route]
        assert heights == sorted(heights)
        assert heights[0] == pytest.approx(layout.centres[a][1] + height / 2)
        assert heights[-1] == pytest.approx(layout.centres[b][1] - height / 2)
        for x, y in route[1:-1]:
            assert 0 <= x <= layout.width
            for name, centre in layout.centres.items():
                inside = abs(x - centre[0]) < width / 2 and abs(y - centre[1]) <= height / 2
                assert not inside, f"{a} -> {b} passes through {name}"


@given(sparse_dags())
def test_the_layout_does_not_depend_on_the_order_of_the_names(dag):
    size = dict.fromkeys(dag.names, (60.0, 24.0))
    one = layered_layout(dag.names, dag.directed, size)
    other = layered_layout(dag.names[::-1], dag.directed[::-1], size)
    assert one == other


def test_crossings_are_counted_as_by_hand():
    down = {"a": ["y", "z"], "b": ["x", "z"], "c": ["x"], "x": [], "y": [], "z": []}
    # a-y with b-x and c-x; a-z with b-x and c-x; b-z with c-x.
    assert _crossings([["a", "b", "c"], ["x", "y", "z"]], down) == 5


def test_isotonic_regression_against_a_hand_worked_case():
    assert _isotonic([1, 3, 2, 2, 5], [1, 1, 1, 2, 1]) == pytest.approx([1, 2.25, 2.25, 2.25, 5])


def test_a_planar_tree_is_drawn_without_crossings():
    arcs = [("r", "a"), ("r", "b"), ("a", "c"), ("a", "d"), ("b", "e"), ("b", "f")]
    layout, _ = boxes_of(Dag(list("rabcdef"), arcs), (30.0, 20.0))
    places = {name: layout.centres[name][0] for name in "cdef"}
    order = "".join(sorted(places, key=places.get))
    assert order in {"cdef", "cdfe", "dcef", "dcfe", "efcd", "efdc", "fecd", "fedc"}


@given(pdags())
def test_every_graph_becomes_well_formed_svg(graph):
    root = ET.fromstring(svg_of(graph))
    paths = root.findall(f"./{SVG}g/{SVG}path")
    kinds = [path.get("class") for path in paths if path.find(f"{SVG}title") is not None]
    assert kinds.count("c") == len(graph.directed)
    assert kinds.count("r") == len(graph.undirected)
    assert len(root.findall(f"./{SVG}g/{SVG}g[@class='n']")) == len(graph)


@given(dags(min_nodes=1))
def test_cpdags_are_drawn_along_the_member(dag):
    assert svg_of(dag.to_cpdag(), dag).count('<g class="n">') == len(dag)


def test_a_pdag_without_extension_is_drawn_too():
    square = Pdag(list("abcd"), [], [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    assert svg_of(square).count('class="r"') == 4 + 1  # and the legend


def test_long_names_arewrapped_whole():
    name = "systolicBloodPressure_at-the.second visit of 2024_" + "x" * 45
    lines = wrapped(name)
    assert "".join(lines) == name
    assert max(map(len, lines)) <= LONGEST_LINE
    assert lines[0] == "systolicBloodPressur"[: len(lines[0])]


def test_markup_and_control_characters_in_names_are_harmless():
    dag = Dag(['<b>&"', "a\x07\\N", "ü→日"], [('<b>&"', "a\x07\\N")])
    texts = [node.text for node in ET.fromstring(svg_of(dag)).iter(f"{SVG}text")]
    assert sorted(texts) == sorted(['<b>&"', "a\N{REPLACEMENT CHARACTER}\\N", "ü→日"])


def test_files_by_graphviz(tmp_path):
    dag = Dag(["<b>", "a\\N", 'q"uote', "plain"], [("<b>", "a\\N"), ("a\\N", 'q"uote')])
    for suffix, magic in ((".png", b"\x89PNG"), (".pdf", b"%PDF"), (".svg", b"<?xml")):
        path = tmp_path / f"picture{suffix}"
        draw_file(dag.to_cpdag(), path, dag)
        assert path.read_bytes().startswith(magic)
    texts = {
        n.text for n in ET.fromstring((tmp_path / "picture.svg").read_bytes()).iter(f"{SVG}text")
    }
    key = "solid: compelled, dashed: reversible within the class"
    assert texts == {*dag.names, key}
    draw_file(dag, path, dag)  # without undirected edges there is nothing to explain
    assert key not in path.read_text()


def test_files_without_graphviz(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    dag = Dag(["a", "b"], [("a", "b")])
    draw_file(dag, tmp_path / "own.svg")
    assert (tmp_path / "own.svg").read_text() == svg_of(dag)
    with pytest.raises(OutputError, match=r"\.png picture needs pygraphviz .*\.svg needs nothing"):
        draw_file(dag, tmp_path / "own.png")
    with pytest.raises(
        OutputError, match=r"a picture is a \.svg, \.png or \.pdf file, got 'x.gif'"
    ):
        draw_file(dag, tmp_path / "x.gif")


def test_styles_stay_within_our_pictures():
    """A style in a notebook would change every other picture of the page."""
    root = ET.fromstring(svg_of(Dag(["a", "b"], [("a", "b")])))
    assert root.get("class") == "stigmergy"
    (style,) = root.iter("{http://www.w3.org/2000/svg}style")
    rules = style.text.split("}")[:-1]
    assert len(rules) == 5
    assert all(rule.startswith(".stigmergy ") for rule in rules)
