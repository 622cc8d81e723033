# SPDX-License-Identifier: MIT
"""Every block of code in the README and the documentation does what it shows.

Blocks of a document are run one after another, in an empty folder and one namespace: ``python``
(doctests where there are prompts), ``console`` (commands after ``$`` with the output they show) and
``bash`` (scripts that must succeed). A block can be left out only with a reason in a comment before
it: ``<!-- skip: next "the reason" -->``.
"""

import contextlib
import doctest
import json
import math
import re
from pathlib import Path
from unittest import SkipTest

import jsonschema
import pytest
from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

import stigmergy.errors
import stigmergy.search
from shell import commands_of, run_shell
from stigmergy import Dataset, Result, Scorer, algorithms
from stigmergy.result import SCHEMA_FILE

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(
        path
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if not {"_build", "generated"} & set(path.parts)
    ),
]
RUN = {"python", "console", "bash"}
#: Languages of blocks that are not code but show what a file or a screen holds.
SHOWN = {"text", "json", "bibtex", "dot", "csv"}


def run_bash(example):
    run_shell(example.parsed)


def run_console(example):
    """Run each command and compare what it prints with what is shown."""
    checker, flags = doctest.OutputChecker(), doctest.ELLIPSIS
    for command, shown in commands_of(example.parsed):
        got = run_shell(command)
        if not checker.check_output(shown, got, flags):
            wanted = doctest.Example(command, shown)
            return f"$ {command}\n{checker.output_difference(wanted, got, flags)}"
    return None


SYBIL = Sybil(
    [
        PythonCodeBlockParser(doctest_optionflags=doctest.ELLIPSIS),
        CodeBlockParser("console", run_console),
        CodeBlockParser("bash", run_bash),
        SkipParser(),
    ]
)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_code_blocks(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    for example in SYBIL.parse(path):
        with contextlib.suppress(SkipTest):  # that it has a reason is checked below
            example.evaluate()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_blocks_say_what_they_are(path):
    """No block escapes by its language, and no block is skipped without a reason."""
    text = path.read_text()
    fences = re.findall(r"^ *```+(.*)$", text, re.M)
    for language in (fence.strip() for fence in fences[::2]):
        assert language in RUN | SHOWN or language.startswith("{"), f"a block of {language!r}"
    for arguments in re.findall(r"<!-*\s*;?\s*skip:?(.*?)-->", text):
        assert re.match(r'\s*(end\b|(next|start)\s+".{10,}"\s*$)', arguments), arguments


def test_the_console_runner_can_fail(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    good, bad, wrong = (tmp_path / f"{name}.md" for name in ("good", "bad", "wrong"))
    good.write_text("```console\n$ echo a; \\\n> echo b\na\nb\n$ echo c\n...\n```\n")
    bad.write_text("```console\n$ echo a\nb\n```\n")
    wrong.write_text("```bash\nfalse\n```\n")
    for example in SYBIL.parse(good):
        example.evaluate()
    with pytest.raises(Exception, match="Expected:\n    b\nGot:\n    a"):
        next(iter(SYBIL.parse(bad))).evaluate()
    with pytest.raises(AssertionError, match="ended with 1"):
        next(iter(SYBIL.parse(wrong))).evaluate()


@pytest.mark.parametrize("name", [algorithm.name for algorithm in algorithms()])
def test_every_algorithm_has_its_page(name):
    text = (ROOT / "docs" / "algorithms" / f"{name}.md").read_text()
    headings = re.findall(r"^## (.*)$", text, re.M)
    assert headings == [
        "When to use it",
        "Cost",
        "Deviations",
        "Parameters",
        "Details",
        "Citation",
    ]
    for part in ("call", "parameters", "details", "citation"):
        assert f"```{{algorithm}} {name} {part}\n```" in text


def vectors():
    """Return the rows of the table of test vectors in the page on scores."""
    text = (ROOT / "docs" / "scores.md").read_text().split("## Test vectors")[1]
    rows = re.findall(
        r"^\| `(.*)` \| (b.*?) \| (\d) \| (\d) \| (log.*?) \| (-[\d.]+) \|$", text, re.M
    )
    assert len(rows) > 10
    return rows


@pytest.mark.parametrize("row", vectors(), ids=lambda row: " ".join(row[:4]))
def test_vectors_of_the_page_on_scores(row):
    score, family, levels_of_a, levels_of_b, exact, nats = row
    scores = {name: getattr(stigmergy, name) for name in ("AIC", "BD", "BIC", "K2", "BDeu")}
    scores["LogLikelihood"] = stigmergy.LogLikelihood
    made = eval(score.replace("BD(", "table("), {**scores, "table": pseudo_counts})
    data = Dataset.from_codes(
        [[0, 0, 1, 1], [0, 0, 1, 0]], ["a", "b"], [int(levels_of_a), int(levels_of_b)]
    )
    got = Scorer(data, made).family("b", ["a"] if family == "b given a" else [])
    assert got == pytest.approx(eval(exact, {"log": math.log}), abs=1e-12)
    assert float(nats) == pytest.approx(got, abs=5e-10)


def pseudo_counts(table):
    return stigmergy.BD({("b", ("a",)): table})


def test_the_document_on_the_page_of_results_is_as_the_schema_says():
    text = (ROOT / "docs" / "results.md").read_text()
    document = json.loads(re.search(r"```json\n(.*?)```", text, re.S)[1])
    jsonschema.validate(document, json.loads(SCHEMA_FILE.read_text()))
    assert Result.from_dict(document).to_dict() == document


def test_the_reference_has_every_public_name():
    text = (ROOT / "docs" / "reference" / "index.md").read_text()
    listed = {name.split(".")[0] for name in re.findall(r"^   ([\w.]+)$", text, re.M)}
    errors = set(vars(stigmergy.errors))  # listed by automodule
    assert set(stigmergy.__all__) - errors - {"__version__"} <= listed
    assert set(stigmergy.search.__all__) <= listed
