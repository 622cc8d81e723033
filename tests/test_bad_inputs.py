# SPDX-License-Identifier: MIT
"""What users hear of each bad input, word for word, in Python and on the command line.

Every complaint that users have of other programs is here: an input that is not what it should be is
refused or warned of, never guessed at, and the message names the way out.
"""

import io
import os
import re
import shlex
import warnings
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pandas as pd
import pytest

from stigmergy import DataWarning, StigmergyError, learn_structure
from stigmergy.cli import main

GOOD = {"a": list("xyxyxxyy") * 5, "b": list("xyxyxyyy") * 5}


def heard(folder, line):
    """Run ``stigmergy learn`` in a folder; return the exit code and what it says on errors."""
    before, error = os.getcwd(), io.StringIO()
    os.chdir(folder)
    code = 0
    try:
        with warnings.catch_warnings(), redirect_stdout(io.StringIO()), redirect_stderr(error):
            warnings.simplefilter("default")
            try:
                main(["learn", *shlex.split(line)])
            except SystemExit as end:
                code = end.code or 0
    finally:
        os.chdir(before)
    return code, error.getvalue()


def refusal(*arguments, **keywords):
    """Return what `learn_structure` says when it refuses."""
    with pytest.raises(StigmergyError) as caught:
        learn_structure(*arguments, **{"algorithm": "greedy-e", **keywords})
    return str(caught.value)


def warning(*arguments, **keywords):
    """Return what `learn_structure` warns of."""
    with pytest.warns(DataWarning) as caught:
        learn_structure(*arguments, **{"algorithm": "greedy-e", **keywords})
    (one,) = caught
    return str(one.message)


# -- tables ----------------------------------------------------------------------------------------

# Of each: a table as a dict of columns and as text, the message in Python, and on the command line
# where it differs.
REFUSED = {
    "nan": (
        {"a": ["x", None, "y", "x"], "b": list("xyxy")},
        "a,b\nx,x\n,y\ny,x\nx,y\n",
        "missing cells: 'a' 1 (of 4 rows); impute them, or pass missing='drop' (leave those rows "
        "out) or missing='level' (a level of its own)",
        "missing cells: 'a' 1 (of 4 rows); impute them, or pass --missing drop (leave those rows "
        "out) or --missing level (a level of its own)",
    ),
    "nan as a number": (
        pd.DataFrame({"a": [1.0, np.nan, 2.0, 1.0], "b": list("xyxy")}),
        "a,b\n1,x\nNaN,y\n2,x\n1,y\n",
        "missing cells: 'a' 1 (of 4 rows); impute them, or pass missing='drop' (leave those rows "
        "out) or missing='level' (a level of its own)",
        "missing cells: 'a' 1 (of 4 rows); impute them, or pass --missing drop (leave those rows "
        "out) or --missing level (a level of its own)",
    ),
    "floats": (
        {"a": [0.5, 1.25, 2.0], "b": list("xyx")},
        "a,b\n0.5,x\n1.25,y\n2.0,x\n",
        "column 'a' holds real numbers (0.5 for one): categories are needed; pass discretize= "
        "('quantile:5', 'width:5', 'cuts:0,1.5', 'mdlp:CLASS'), or make integers or strings of it "
        "if its values are categories",
        "column 'a' holds real numbers (0.5 for one): categories are needed; pass --discretize "
        "('quantile:5', 'width:5', 'cuts:0,1.5', 'mdlp:CLASS'), or make integers or strings of it "
        "if its values are categories",
    ),
    "another type in one row": (
        {"a": [*[1, 2] * 150, "oops"], "b": [*["x", "y"] * 150, "y"]},
        "a,b\n" + "1,x\n2,y\n" * 150 + "oops,y\n",
        "column 'a' mixes types: int (1 in data row 1) and str ('oops' in data row 301); make all "
        "its values one type, strings if nothing else",
        "column 'a' holds numbers, but 'oops' in data row 301 (1 such of 301 rows); mend the cell, "
        "or give all the values as --levels FILE.json if it is one of them",
    ),
    "no rows": (
        {"a": [], "b": []},
        "a,b\n",
        "there are no rows of data in the dict of columns",
        "there are no rows of data in the file 'table.csv' (text, separated by comma, header line)",
    ),
    "duplicate names": (
        pd.DataFrame([["x", "y"], ["y", "x"]], columns=["a", "a"]),
        "a,a\nx,y\ny,x\n",
        "names of columns must be distinct; more than once: a",
        None,
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_tables_that_are_refused(case, tmp_path):
    table, text, in_python, on_command_line = REFUSED[case]
    assert refusal(table) == in_python
    (tmp_path / "table.csv").write_text(text)
    code, said = heard(tmp_path, "table.csv -a greedy-e")
    assert (code, said) == (3, f"error: {on_command_line or in_python}\n")


IDS = [f"p{i:02}" for i in range(40)]
WARNED = {
    "constant": (
        {**GOOD, "c": ["same"] * 40},
        "constant, so independent of everything: 'c'",
    ),
    "ids": (
        {**GOOD, "patient": IDS},
        "all values distinct, so probably an id; leave it out by drop=['patient']",
    ),
    "duplicate columns": (
        {**GOOD, "c": ["pq"["xy".index(v)] for v in GOOD["a"]]},
        "duplicate up to the names of levels: 'c' of 'a'",
    ),
    "one row": (
        {"a": ["x"], "b": ["y"]},
        "the data has one row: nothing can be learned about dependence",
    ),
}


@pytest.mark.parametrize("case", WARNED)
def test_tables_that_are_warned_of(case, tmp_path):
    table, message = WARNED[case]
    assert warning(table) == message
    pd.DataFrame(table).to_csv(tmp_path / "table.csv", index=False)
    code, said = heard(tmp_path, "table.csv -a greedy-e")
    on_command_line = message.replace("drop=['patient']", "--drop 'patient'")
    assert (code, said) == (0, f"warning: {on_command_line}\n")


CODES = {"int": [int(v == "y") for v in GOOD["a"]], "bool": [v == "y" for v in GOOD["a"]]}


@pytest.mark.parametrize("kind", CODES)
def test_integers_and_booleans_are_categories(kind, tmp_path):
    """No Gaussian score is taken in silence, and nothing crashes: the graph is that of words."""
    table = {"a": CODES[kind], "b": GOOD["b"]}
    result = learn_structure(table, "greedy-e")
    words = learn_structure(GOOD, "greedy-e")
    assert (result.cpdag, result.score) == (words.cpdag, words.score)
    pd.DataFrame(table).to_csv(tmp_path / "table.csv", index=False)
    assert heard(tmp_path, "table.csv -a greedy-e -o table.json") == (0, "wrote table.json\n")


def test_unobserved_levels_count_and_unknown_ones_are_refused(tmp_path):
    plain, more = (
        learn_structure(GOOD, "greedy-e", levels={"a": list(levels)}) for levels in ("xy", "xyz")
    )
    assert more.levels["a"] == ("x", "y", "z")
    assert more.score != plain.score
    frame = pd.DataFrame({**GOOD, "a": pd.Categorical(GOOD["a"], categories=list("xyz"))})
    assert learn_structure(frame, "greedy-e").score == more.score
    assert refusal(GOOD, levels={"a": ["x", "z"]}) == (
        "column 'a' holds 'y', which levels= does not have: 'x', 'z'"
    )
    (tmp_path / "table.csv").write_text("a,b\nx,x\ny,y\n")
    (tmp_path / "levels.json").write_text('{"a": ["x", "z"]}')
    (tmp_path / "other.json").write_text('{"aa": ["x", "z"]}')
    assert heard(tmp_path, "table.csv --levels levels.json") == (
        3,
        "error: column 'a' holds 'y', which --levels does not have: 'x', 'z'\n",
    )
    assert heard(tmp_path, "table.csv --levels other.json") == (
        3,
        "error: --levels names columns that do not exist: 'aa' (did you mean 'a'?)\n",
    )


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"file 'table\.csv' does not exist \(in .*\)"),
        (b"", r"file 'table\.csv' is empty"),
        (
            bytes(range(256)),
            r"file 'table\.csv' is no table: line 1 has a NUL byte, so it is bin.*",
        ),
        (
            b"a,b\nx,y\nx\n",
            r"file 'table\.csv': line 3 has 1 cells, the header has 2 \(separated by comma, header "
            r"line\); every row must have as many",
        ),
        (
            "a,b\nx,\xe9\n".encode("latin-1"),
            r"file 'table\.csv' is not UTF-8: line 2, byte 3 is 0xe9; save it as UTF-8 or .*",
        ),
    ],
)
def test_files_that_cannot_be_read(content, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / "table.csv").write_bytes(content)
    assert re.fullmatch(message, refusal("table.csv"))
    code, said = heard(tmp_path, "table.csv")
    assert code == 3
    assert re.fullmatch(f"error: {message}\n", said)


def test_a_folder_is_no_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").mkdir()
    message = refusal("table.csv")
    assert message == (
        "file 'table.csv' is a directory; give one file, delimited text (also compressed), Parquet "
        "or Arrow"
    )
    assert heard(tmp_path, "table.csv") == (3, f"error: {message}\n")


@pytest.mark.parametrize("name", ["n_jobs", "seed=1", "it's n_jobs", "x; score must", "drop=[a]"])
def test_paths_are_told_as_they_are_given(name, tmp_path):
    """Though they look like arguments, which the command line calls otherwise."""
    (tmp_path / name).mkdir()
    path = tmp_path / name / "max_parents=3 n_jobs.csv"
    path.write_text("a,b\n1,2,3\n")
    code, said = heard(tmp_path, shlex.quote(str(path)))
    assert code == 3
    assert said.startswith(f"error: file '{path}': the header line has 2 cells")


# -- the call --------------------------------------------------------------------------------------

ALGORITHMS = (
    "aco-b, aco-e, aco-k2sn, annealing, epq, exact, fci, ges, greedy-e, hc, hcsn, ihc, ils, k2, "
    "k2sn, kes, mmhc, or, pbil, pc, rpdag-tabu, sc, tabu, tpda, umda"
)
CALLS = {
    "unknown algorithm": (
        {"algorithm": "acoe"},
        "-a acoe",
        f"unknown algorithm 'acoe'; did you mean 'aco-e' or 'aco-b'? There are: {ALGORITHMS}",
        None,
    ),
    "unknown parameter": (
        {"algorithm": "hc", "restart": 3},
        "-a hc -p restart=3",
        "unknown parameter of hc 'restart'; did you mean 'restarts'? There are: restarts",
        None,
    ),
    "wrong value": (
        {"algorithm": "hc", "restarts": 1.5},
        "-a hc -p restarts=1.5",
        "restarts must be an integer >= 0 or None, got 1.5",
        "restarts must be an integer >= 0, got 1.5",
    ),
    "a text for alpha": (
        {"algorithm": "pc", "alpha": "abc"},
        "-a pc -p alpha=abc",
        "alpha must be a number between 0 and 1, got 'abc'",
        None,
    ),
    "no alpha": (
        {"algorithm": "mmhc", "alpha": None},
        "-a mmhc -p alpha=none",
        "alpha must be a number between 0 and 1, got None",
        None,
    ),
    "a text for rows per cell": (
        {"algorithm": "pc", "min_rows_per_cell": "x"},
        "-a pc -p min_rows_per_cell=x",
        "min_rows_per_cell must be a finite number >= 0, got 'x'",
        None,
    ),
    "a text for a threshold": (
        {"algorithm": "tpda", "threshold": "abc"},
        "-a tpda -p threshold=abc",
        "threshold must be a finite number >= 0, got 'abc'",
        None,
    ),
    "a text for rho": (
        {"algorithm": "aco-e", "rho": "abc"},
        "-a aco-e -p rho=abc",
        "rho must be a number in [0, 1], got 'abc'",
        None,
    ),
    "a number for operators": (
        {"operators": 3},
        "-p operators=3",
        "operators must be a non-empty list of names from InsertU, DeleteU, InsertD, DeleteD, "
        "ReverseD, MakeV or of Operator objects, got 3",
        None,
    ),
    "a number for an order": (
        {"algorithm": "k2", "order": 3},
        "-a k2 -p order=3",
        "order must be a list of names, got 3",
        None,
    ),
    "unknown score": (
        {"score": "bd"},
        "--score bd",
        "unknown score 'bd'; did you mean 'bdeu'? There are: bdeu, k2, bic, aic, log-likelihood",
        None,
    ),
    "a score that differs within a class": (
        {"score": "k2"},
        "-a greedy-e --score k2",
        "greedy-e searches over equivalence classes and needs a score that is equal for all DAGs "
        "of a class; K2 is not. Use BDeu, BIC or AIC, or a search over DAGs: aco-b, "
        "aco-k2sn, annealing, exact, hc, hcsn, ihc, ils, k2, k2sn, mmhc, or, pbil, sc, tabu, umda",
        None,
    ),
    "required and forbidden": (
        {"required_edges": [("a", "b")], "forbidden_edges": [("a", "b")]},
        "--require a,b --forbid a,b",
        "the knowledge cannot be met: a -> b is required, but it is forbidden. Drop or correct one "
        "side",
        None,
    ),
    "a required cycle": (
        {"required_edges": [("a", "b"), ("b", "a")]},
        "--require a,b --require b,a",
        "the knowledge cannot be met: the required edges close the cycle a -> b -> a. Drop or "
        "correct one side",
        None,
    ),
    "required against the tiers": (
        {"required_edges": [("a", "b")], "tiers": [["b"], ["a"]]},
        "--require a,b --tiers tiers.txt",
        "the knowledge cannot be met: a -> b is required, but it leads into an earlier tier. Drop "
        "or correct one side",
        None,
    ),
    "required into a root, out of a leaf, not allowed": (
        {
            "required_edges": [("a", "b")],
            "roots": ["b"],
            "leaves": ["a"],
            "allowed_edges": [("b", "a")],
        },
        "--require a,b --root b --leaf a --allow b,a",
        "the knowledge cannot be met: a -> b is required, but it is not among the allowed edges; "
        "a -> b is required, but it ends in the root 'b'; a -> b is required, but it begins in the "
        "leaf 'a'. Drop or correct one side",
        None,
    ),
    "knowledge of unknown variables": (
        {"roots": ["c"]},
        "--root c",
        "the knowledge cannot be met: roots names 'c', which is no variable (there are 'a', 'b')",
        "the knowledge cannot be met: --root names 'c', which is no variable (there are 'a', 'b')",
    ),
    "a limit that is none": (
        {"time_limit": -1.0},
        "--time-limit -1",
        "time_limit must be a number >= 0 or None, got -1.0",
        "--time-limit must be a number >= 0, got -1.0",
    ),
    "threads that are none": (
        {"n_jobs": 0},
        "--threads 0",
        "n_jobs must be an integer >= 1, or -1 for all cores, got 0",
        "--threads must be an integer >= 1, or -1 for all cores, got 0",
    ),
}


@pytest.mark.parametrize("case", CALLS)
def test_calls_that_are_refused(case, tmp_path):
    arguments, options, in_python, on_command_line = CALLS[case]
    assert refusal(GOOD, **arguments) == in_python
    pd.DataFrame(GOOD).to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "tiers.txt").write_text("b\na\n")
    code, said = heard(tmp_path, f"table.csv {options}")
    assert (code, said) == (2, f"error: {on_command_line or in_python}\n")


# -- output ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "code", "message"),
    [
        ("nowhere/x.json", 4, "cannot write 'nowhere/x.json': there is no folder 'nowhere'"),
        ("folder.json", 4, "cannot write 'folder.json': it is a folder"),
        ("table.csv", 4, "cannot write 'table.csv': it is the data"),
        (
            "x.xyz",
            2,
            "cannot tell the format of 'x.xyz' from its name; it must end in one of .json, .dot, "
            ".gv, .csv, .graphml, .svg, .png, .pdf, .bif, .bif.gz",
        ),
    ],
)
def test_output_that_cannot_be_written(target, code, message, tmp_path, monkeypatch):
    """It is told before the search, which would not end here, and nothing is left behind."""
    pd.DataFrame(GOOD).to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "folder.json").mkdir()
    line = f"table.csv -p iterations=1000000000 -o fine.bif -o {target}"
    assert heard(tmp_path, line) == (code, f"error: {message}\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder.json", "table.csv"]


def test_a_result_that_cannot_be_saved(tmp_path):
    result = learn_structure(GOOD, "greedy-e")
    target = tmp_path / "nowhere" / "x.json"
    with pytest.raises(StigmergyError) as caught:
        result.save(target)
    assert isinstance(caught.value, OSError)
    assert str(caught.value).startswith(f"cannot write {target}: ")
