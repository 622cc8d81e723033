# SPDX-License-Identifier: MIT
"""A result says what was found, survives a file, and speaks to other libraries."""

import json
import math
import pickle
import re
import sys
from dataclasses import dataclass, replace
from types import ModuleType
from typing import ClassVar
from xml.etree import ElementTree

import jsonschema
import matplotlib
import numpy as np
import pytest

from stigmergy import (
    Dag,
    DataError,
    Dataset,
    DataWarning,
    ParameterError,
    Result,
    Scorer,
    learn_structure,
    networks,
)
from stigmergy.result import SCHEMA_FILE, plain
from stigmergy.scorer import Family
from stigmergy.search import Budget, Search

matplotlib.use("agg")

ASIA = networks.load("asia")
DATA = ASIA.sample(3000, seed=7)


@pytest.fixture(scope="module")
def result():
    return learn_structure(DATA, "greedy-e", seed=3, max_parents=4, truth=ASIA.dag)


def test_score_families_and_class_agree(result):
    scorer = Scorer(DATA, max_parents=4)
    assert result.score == pytest.approx(scorer.score_graph(result.dag), abs=1e-9)
    assert math.fsum(row.score for row in result.families) == pytest.approx(result.score, abs=1e-9)
    assert [row.child for row in result.families] == sorted(ASIA.names)
    for row in result.families:
        assert row == Family(row.child, result.dag.parents(row.child), row.score)
        assert row.score == scorer.family(row.child, row.parents)
    assert result.dag.to_cpdag() == result.cpdag


def test_compelled_and_reversible_edges_are_those_of_all_members(result):
    directions = [set(member.directed) for member in result.cpdag.members()]
    assert set(result.compelled) == set.intersection(*directions)
    assert {frozenset(edge) for edge in result.reversible} == {
        frozenset(arc) for arcs in directions for arc in arcs - set(result.compelled)
    }
    for edge in result.to_edges():
        arc = (edge["from"], edge["to"])
        assert arc in result.dag.directed
        assert edge["compelled"] == (arc in result.compelled)
        assert edge["kind"] == ("directed" if edge["compelled"] else "undirected")
    assert len(result.to_edges()) == len(result.cpdag.edges)


def test_the_trace_is_a_table(result):
    columns = result.trace.to_dict()
    assert columns["best_score"][-1] == result.score
    assert columns["shd"][-1] == result.compare(ASIA.dag).shd
    frame = result.trace.to_pandas()
    assert list(frame.columns) == list(columns)
    assert len(frame) == len(result.trace)


def test_saving_and_loading_gives_the_same(result, tmp_path):
    path = tmp_path / "result.json"
    result.save(path)
    loaded = Result.load(path)
    assert loaded == result
    assert hash(loaded) == hash(result)
    assert loaded.to_dict() == result.to_dict()
    assert loaded.trace == result.trace
    assert loaded.levels == result.levels
    assert pickle.loads(pickle.dumps(result)).to_dict() == result.to_dict()


def test_the_file_is_as_its_schema_says(result, tmp_path):
    schema = json.loads(SCHEMA_FILE.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    document = json.loads(result.to_json())
    validator.validate(document)
    assert set(schema["properties"]) == set(schema["required"]) == set(document)
    for field in document:
        fields = {name: value for name, value in document.items() if name != field}
        assert not validator.is_valid(fields), f"{field} can be left out"
    assert not validator.is_valid({**document, "dag": [["a"]]})


@dataclass(frozen=True)
class Hopeless(Search):
    """Finds nothing at all."""

    name: ClassVar[str] = "hopeless"
    weird: object = np.float32(1.5)

    def search(self, run):
        run.details["array"] = np.arange(3)
        run.details["set"] = {"b", "a"}
        run.record()


def test_impossible_scores_and_odd_settings_survive(tmp_path):
    scorer = Scorer.from_function(["x", "y"], lambda child, parents: -math.inf)
    found = Hopeless().run(scorer, budget=Budget(iterations=3))
    found.save(tmp_path / "x.json")
    loaded = Result.load(tmp_path / "x.json")
    assert loaded == found
    assert loaded.score == -math.inf
    assert loaded.trace[0].best_score == -math.inf
    assert loaded.details == {"array": [0, 1, 2], "set": ["a", "b"]}
    assert loaded.levels is None


def test_equality_is_about_what_was_found(result):
    again = learn_structure(DATA, "greedy-e", seed=3, max_parents=4)
    assert again == result
    assert again.seconds != result.seconds
    assert replace(result, score=result.score + 1) != result
    assert replace(result, seed=4) != result
    assert result != "a result"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not the JSON of a result"),
        ("[]", "is not the JSON of a result"),
        ("{}", "expected a result of schema 'stigmergy-result', version 1, got None, version None"),
        ('{"schema": "stigmergy-result", "schema_version": 9}', "version 1, got .*, version 9"),
        (
            '{"schema": "stigmergy-result", "schema_version": 1}',
            "lacks or has wrong.*'variables'",
        ),
    ],
)
def test_other_files_are_refused(content, message, tmp_path):
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(ParameterError, match=message):
        Result.load(tmp_path / "x.json")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ParameterError, match=r"cannot read .*none\.json: No such file"):
        Result.load(tmp_path / "none.json")


def test_fit_keeps_the_levels_of_learning(result):
    few = DATA.take(np.arange(5)).to_dict()
    with pytest.warns(DataWarning, match="constant"):
        network = result.fit(few)
    assert network.dag == result.dag
    assert all(network.levels_of(name) == DATA.levels_of(name) for name in DATA.names)


def test_fit_reads_missing_cells_as_learning_did():
    table = {"a": [1, 2, None, 1] * 10, "b": list("xyxy") * 10}
    found = learn_structure(table, "greedy-e", missing="level")
    assert found.fit(table) == found.fit(Dataset.from_any(table, missing="level"))


@pytest.mark.filterwarnings("ignore:constant")
def test_fit_keeps_the_level_of_missing_cells():
    table = {"a": [1, 2, None, 1] * 10, "b": list("xyxy") * 10, "c": [None] * 40}
    found = learn_structure(table, "greedy-e", missing="level")
    read = Dataset.from_any(table, missing="level")
    assert found.fit(table) == found.fit(read)
    network = found.fit({**table, "a": [1, 2, 2, 1] * 10})
    assert all(network.levels_of(name) == read.levels_of(name) for name in "abc")
    assert network.levels_of("a") == (1, 2, "(missing)")


@pytest.mark.filterwarnings("ignore:constant")
@pytest.mark.parametrize(
    ("column", "cells", "held"),
    [("b", ["x", "y", None, "y"], "(missing)"), ("c", [None, None, None, "z"], "z")],
)
def test_fit_refuses_levels_that_learning_did_not_have(column, cells, held):
    table = {"a": [1, 2, None, 1] * 10, "b": list("xyxy") * 10, "c": [None] * 40}
    found = learn_structure(table, "greedy-e", missing="level")
    message = rf"column '{column}' holds '{re.escape(held)}', which it did not in learning"
    with pytest.raises(DataError, match=message):
        found.fit({**table, column: cells * 10})


def test_fit_keeps_a_text_that_reads_as_the_level_of_missing_cells():
    table = {"a": ["(missing)", "x", "z", "x"] * 10, "b": list("xyxy") * 10}
    found = learn_structure(table, "greedy-e")
    assert found.fit(table) == found.fit(Dataset.from_any(table))
    network = found.fit({**table, "a": list("xzxx") * 10})
    assert network.levels_of("a") == ("(missing)", "x", "z")
    assert network == found.fit(
        Dataset.from_any({**table, "a": list("xzxx") * 10}, levels={"a": network.levels_of("a")})
    )


def test_fit_of_another_table_is_explained(result):
    with pytest.raises(
        DataError, match=r"do not exist: 'asia' \(fit reads a table with the levels"
    ):
        result.fit({name: values for name, values in DATA.to_dict().items() if name != "asia"})
    numbers = {"a": [0.1 * i for i in range(40)], "b": list("xyxy") * 10}
    found = learn_structure(numbers, "greedy-e", discretize="quantile:3")
    with pytest.raises(DataError, match="if that was read with other options, give the Dataset"):
        found.fit(numbers)
    assert found.fit(Dataset.from_any(numbers, discretize="quantile:3")).dag == found.dag


def test_networkx_has_all_nodes_and_both_directions_of_free_edges(result):
    graph = result.to_networkx()
    assert set(graph.nodes) == set(ASIA.names)
    compelled = {(a, b) for a, b, known in graph.edges(data="compelled") if known}
    assert compelled == set(result.compelled)
    assert graph.number_of_edges() == len(result.compelled) + 2 * len(result.reversible)


@pytest.mark.peer
def test_peers_take_the_member(result):
    assert set(result.to_pgmpy().edges()) == set(result.dag.directed)
    assert set(result.to_pgmpy().nodes()) == set(ASIA.names)
    network = result.to_pyagrum()
    assert set(network.names()) == set(ASIA.names)
    arcs = {(network.variable(a).name(), network.variable(b).name()) for a, b in network.arcs()}
    assert arcs == set(result.dag.directed)
    assert network.variable("asia").labels() == tuple(map(str, DATA.levels_of("asia")))


def test_pyagrum_needs_levels(result, monkeypatch):
    # The check comes before anything of pyAgrum is used, so an empty module in its place will do.
    monkeypatch.setitem(sys.modules, "pyagrum", ModuleType("pyagrum"))
    with pytest.raises(ParameterError, match="pyAgrum needs the levels of each variable"):
        replace(result, levels=None).to_pyagrum()


def test_what_is_not_installed_is_named(result, monkeypatch):
    for method, module, package in (
        (result.to_pgmpy, "pgmpy.base", "pgmpy"),
        (result.to_pyagrum, "pyagrum", "pyagrum"),
        (result.plot, "matplotlib", "matplotlib"),
    ):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(ImportError, match=f"needs {package}: pip install {package}"):
            method()


def test_dot_is_read_back(result):
    from stigmergy.io.structure import parse_structure

    assert parse_structure(result.to_dot(), "dot") == result.cpdag


def test_comparison_with_a_graph_and_a_result(result):
    assert result.compare(result).shd == 0
    empty = Dag(ASIA.names)
    assert result.compare(empty).shd == len(result.cpdag.edges)
    assert len(result.compare(empty).extra) == len(result.cpdag.edges)


def test_words_and_pictures(result):
    text = result.summary()
    assert text == str(result)
    for part in (
        "algorithm    greedy-e\n",
        f"{result.score:,.4f} nats, BDeu(ess=1.0)",
        "8 variables, 8 edges",
        "finished after",
        "seed         3 (stigmergy ",
        f"fingerprint {DATA.fingerprint}",
    ):
        assert part in text
    assert len(text.splitlines()) == 7 + len(result.cpdag.edges)
    assert repr(result).startswith("<Result of greedy-e: 8 edges over 8 variables, score -")
    root = ElementTree.fromstring(result._repr_html_())
    svg = "{http://www.w3.org/2000/svg}"
    shown = {node.text for node in root.iter(f"{svg}text")}
    assert set(ASIA.names) <= shown
    # Nothing is fetched from elsewhere and nothing is run.
    assert "http" not in result._repr_html_().replace("http://www.w3.org/2000/svg", "")
    assert "<script" not in result._repr_html_()


def test_the_summary_names_settings_that_are_not_the_defaults(result):
    lines = {
        ants: learn_structure(DATA, "aco-e", ants=ants, iterations=1).summary().splitlines()[0]
        for ants in (3, 20)
    }
    assert lines[3].startswith("algorithm    aco-e(ants=3, iterations=1, rho=0.4")
    assert lines[20].startswith("algorithm    aco-e(iterations=1, rho=0.4")
    own = replace(result, algorithm="hopeless", settings={"weird": 1})
    assert own.summary().startswith("algorithm    hopeless(weird=1)\n")


def test_the_summary_says_what_an_algorithm_finds_besides_a_class(result):
    assert not {"proof", "conflicts", "hidden"} & {
        line.split()[0] for line in str(result).split("\n")
    }
    proved = learn_structure(DATA, "exact", max_parents=2)
    assert "\nproof        no network within the limits" in proved.summary()
    hidden = learn_structure(DATA, "fci")
    assert "\nhidden       causes may be" in hidden.summary()
    listed = [line.split() for line in hidden.summary().splitlines() if line.startswith("  ")]
    assert listed == [list(edge) for edge in hidden.pag.edges]
    torn = replace(result, details={"conflicts": [{"nodes": ["a"], "why": "because"}] * 3})
    assert "\nconflicts    3, which details['conflicts'] explains" in torn.summary()


def test_plot_draws_every_node(result):
    from matplotlib import pyplot

    axes = result.plot()
    assert {text.get_text() for text in axes.texts} == set(ASIA.names)
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    assert all(
        left < x < right and top < y < bottom
        for x, y in (text.get_position() for text in axes.texts)
    )
    assert result.plot(axes) is axes
    axes.figure.canvas.draw()
    pyplot.close(axes.figure)


def test_plain_values():
    assert plain({1: (np.int8(3), {"x"}, None, math.inf, len)}) == {
        "1": [3, ["x"], None, "inf", "len"]
    }
    assert plain(Dag(["a", "b"], [("a", "b")])) == {"directed": [["a", "b"]], "undirected": []}
    assert plain(Hopeless()) == {"name": "hopeless", "weird": 1.5}
