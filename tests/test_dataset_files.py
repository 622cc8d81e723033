# SPDX-License-Identifier: MIT
"""Tables in files: every format gives the same data; dialects; what written cells mean."""

import bz2
import csv
import gzip
import io
import os
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

from stigmergy import DataError, Dataset, DataWarning, ParameterError
from stigmergy.io import text

COLUMNS = {
    "a": [1, 2, 1, 3, 10],
    "b, really": ["x", 'y "1"', "x", "é", "x"],
    "c": [True, False, True, True, False],
}
EXPECTED = Dataset.from_any(COLUMNS)


def written(**how):
    return pd.DataFrame(COLUMNS).to_csv(index=False, **how)


def stream_of(table):
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


TEXTS = {
    "comma.csv": (written().encode(), "comma, header line"),
    "tab.tsv": (written(sep="\t").encode(), "tab, header line"),
    "semicolon.csv": (written(sep=";").encode(), "semicolon, header line"),
    "bar.txt": (written(sep="|").encode(), "bar, header line"),
    "quoted.csv": (written(quoting=csv.QUOTE_NONNUMERIC).encode(), "comma, header line"),
    "windows.csv": (written(lineterminator="\r\n").encode(), "comma, header line"),
    "mark.csv": (written().encode("utf-8-sig"), "comma, header line"),
    "comments.csv": (b"# from the lab\n\n" + written().encode(), "comma, header line"),
    "blanks_around.csv": (written().replace(",T", " , T").encode(), "comma, header line"),
    "no_last_newline.csv": (written().rstrip().encode(), "comma, header line"),
    "blank_lines.csv": (written().replace("\n1,", "\n\n1,").encode(), "comma, header line"),
    "packed.csv.gz": (gzip.compress(written().encode()), "comma, header line"),
    "packed.csv.bz2": (bz2.compress(written().encode()), "comma, header line"),
    "packed.zst": (pa.compress(written().encode(), "zstd", asbytes=True), "comma, header line"),
    "gzip_without_saying_so.csv": (gzip.compress(written().encode()), "comma, header line"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_every_way_of_writing_gives_the_same_data(tmp_path, name):
    content, dialect = TEXTS[name]
    path = tmp_path / name
    path.write_bytes(content)
    for source in (path, str(path)):
        data = Dataset.from_any(source)
        assert data == EXPECTED
        assert data.source == (f"file '{path}' (text, separated by {dialect}): 3 columns, 5 rows")


@pytest.mark.parametrize(
    ("name", "write", "kind"),
    [
        ("a.parquet", lambda t, p: parquet.write_table(t, p), "Parquet"),
        ("groups.parquet", lambda t, p: parquet.write_table(t, p, row_group_size=2), "Parquet"),
        ("a.feather", lambda t, p: feather.write_feather(t, p), "Arrow"),
        ("plain.arrow", lambda t, p: feather.write_feather(t, p, "uncompressed"), "Arrow"),
        ("old.feather", lambda t, p: feather.write_feather(t, p, version=1), "Arrow"),
        ("stream.arrows", lambda t, p: open(p, "wb").write(stream_of(t)), "Arrow"),  # noqa: SIM115
    ],
)
@pytest.mark.filterwarnings("ignore:unclosed file", "ignore:.*[Ff]eather:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:.*[Ff]eather:FutureWarning")
def test_columnar_files(tmp_path, name, write, kind):
    path = tmp_path / name
    write(pa.table(COLUMNS), path)
    data = Dataset.from_any(path)
    assert data == EXPECTED
    assert data.source == f"file '{path}' ({kind}): 3 columns, 5 rows"


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_columnar_files_keep_declared_levels(tmp_path, suffix):
    frame = pd.DataFrame(
        {
            "declared": pd.Categorical(["x", "y", None, "x"], ["z", "y", "x"]),
            "words": ["q", "p", "q", None],
        }
    )
    path = tmp_path / f"a.{suffix}"
    getattr(frame, f"to_{suffix}")(path)
    data = Dataset.from_any(path, missing="level")
    assert data == Dataset.from_any(frame, missing="level")
    assert data.levels == (("z", "y", "x", "(missing)"), ("p", "q", "(missing)"))


def read(tmp_path, text, name="table.csv", **wishes):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    return Dataset.from_any(path, **wishes)


# what cells mean ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["0", "1", "-3"], [0, 1, -3]),
        (["True", "False", "True"], [True, False, True]),
        (["true", "false", "true"], [True, False, True]),
        (["TRUE", "FALSE", "FALSE"], [True, False, False]),
        (["True", "false", "x"], ["True", "false", "x"]),
        (["T", "F", "T"], ["T", "F", "T"]),
        (["1.0", "2", "1"], [1, 2, 1]),
        (["1e3", "-0.0", "5."], [1000, 0, 5]),
        (["007", "7", "08"], ["007", "7", "08"]),
        (["+5", "+6", "+5"], ["+5", "+6", "+5"]),
        (["3", "4+", "4+"], ["3", "4+", "4+"]),
        (["1", "yes", "no"], ["1", "yes", "no"]),
        (["inf", "1x", "None"], ["inf", "1x", "None"]),
        (["NONE", "none", "?"], ["NONE", "none", "?"]),
        ([" a", "a ", "b"], ["a", "a", "b"]),
        (['"a,b"', '"a ""b"""', "c"], ["a,b", 'a "b"', "c"]),
        (['"NA"', "b", "b"], ["NA", "b", "b"]),
        (["18446744073709551616", "1", "2"], [2**64, 1, 2]),
        (["9" * 5000, "1" * 5000, "x"], ["9" * 5000, "1" * 5000, "x"]),
    ],
)
def test_types_are_found_out(tmp_path, cells, values):
    text = "a,b\n" + "".join(f"{cell},{i}\n" for i, cell in enumerate(cells))
    data = read(tmp_path, text)
    assert data.to_dict()["a"] == values
    assert [type(v) for v in data.to_dict()["a"]] == [type(v) for v in values]


words = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), max_size=4)
safe = st.text(st.sampled_from("abcxyzéλ,;\"' |\t-."), min_size=1, max_size=4).map(str.strip)


@given(
    st.lists(
        st.tuples(safe.filter(bool), st.integers(-99, 99), st.booleans()), min_size=2, max_size=12
    ),
    st.sampled_from([",", ";", "\t", "|"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.filterwarnings("ignore::stigmergy.DataWarning")
def test_what_is_written_is_read(tmp_path, rows, delimiter):
    frame = pd.DataFrame(rows, columns=["w", "i", "t"])
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False, sep=delimiter, quoting=csv.QUOTE_ALL)
    try:
        data = Dataset.from_file(path, delimiter=delimiter, header=True, arities=False)
    except DataError as error:
        # What looks like numbers among words, or like decimal commas, may be refused.
        if "holds numbers" in str(error) or "real numbers" in str(error):
            return
        raise
    assert data.to_dict()["i"] == frame["i"].tolist()
    assert data.to_dict()["t"] == frame["t"].tolist()
    if all(type(level) is str for level in data.levels_of("w")):
        assert data.to_dict()["w"] == frame["w"].tolist()


def test_missing_cells(tmp_path):
    cells = ["", "NA", "N/A", "<NA>", "NaN", "nan", "NULL", "null", '""', "  ", "x", "y"]
    text = "a,b\n" + "".join(f"{cell},{i % 2}\n" for i, cell in enumerate(cells))
    with pytest.raises(DataError, match=re.escape("missing cells: 'a' 10 (of 12 rows); impute")):
        read(tmp_path, text)
    assert read(tmp_path, text, missing="drop").to_dict() == {"a": ["x", "y"], "b": [0, 1]}
    assert read(tmp_path, text, missing="level").levels == (("x", "y", "(missing)"), (0, 1))
    lone = "a\n1\n\n2\n"
    with pytest.raises(DataError, match=re.escape("missing cells: 'a' 1 (of 3 rows)")):
        read(tmp_path, lone)


def test_a_missing_token_can_be_a_level(tmp_path):
    data = read(tmp_path, "a,b\nNA,x\nEU,y\n", levels={"a": ["EU", "NA", "AS"]})
    assert data.to_dict() == {"a": ["NA", "EU"], "b": ["x", "y"]}


def test_domains_say_what_cells_mean(tmp_path):
    text = "a,b,c,d\n0,1,true,0.50\n1,2,false,1\n"
    domains = {"a": ["0", "1", "2"], "b": [0, 1, 2], "c": [True, False], "d": [0.5, 1.0, 2.0]}
    data = read(tmp_path, text, levels=domains)
    assert data.levels == tuple(map(tuple, domains.values()))
    assert data.to_dict() == {"a": ["0", "1"], "b": [1, 2], "c": [True, False], "d": [0.5, 1.0]}
    with pytest.raises(DataError, match=re.escape("column 'b' holds '2', which levels= does not")):
        read(tmp_path, text, levels={"b": [0, 1]})


def test_a_cell_of_another_type_in_one_row(tmp_path):
    rows = [f"{i % 3},{i % 2}" for i in range(300)]
    rows[122] = "x,0"
    with pytest.raises(
        DataError,
        match=re.escape(
            "column 'a' holds numbers, but 'x' in data row 123 (1 such of 300 rows); mend the "
            "cell, or give all the values as levels={'a': [...]} if it is one of them"
        ),
    ):
        read(tmp_path, "a,b\n" + "\n".join(rows))
    data = read(tmp_path, "a,b\n" + "\n".join(rows), levels={"a": [0, 1, 2, "x"]})
    assert data.levels[0] == (0, 1, 2, "x")
    rows[4] = rows[5] = rows[6] = "3+,0"
    with_many = read(tmp_path, "a,b\n" + "\n".join(rows))
    assert with_many.levels[0] == ("0", "1", "2", "3+", "x")


def test_numbers_are_refused_or_cut(tmp_path):
    text = "x,y\n" + "".join(f"{i / 8},{i % 2}\n" for i in range(64))
    with pytest.raises(DataError, match=re.escape("column 'x' holds real numbers (0.125 for one)")):
        read(tmp_path, text)
    for wish in ("width:4", {"x": "width:4"}):
        data = read(tmp_path, text, discretize=wish)
        assert data.levels == (
            ("(-inf, 1.969]", "(1.969, 3.938]", "(3.938, 5.906]", "(5.906, inf)"),
            (0, 1),
        )
        assert np.bincount(data.codes("x")).tolist() == [16] * 4
    with pytest.raises(DataError, match="column 'x' holds numbers with decimal commas"):
        read(tmp_path, "x;y\n1,5;0\n2,5;1\n")


def test_more_distinct_numbers_than_levels(tmp_path):
    text = "x,y\n" + "".join(f"{i / 2},{i % 2}\n" for i in range(65_600))
    with pytest.raises(DataError, match=re.escape("column 'x' holds real numbers (0.5 for one)")):
        read(tmp_path, text)
    assert read(tmp_path, text, discretize="quantile:4").arities == (4, 2)
    ids = "x,y\n" + "".join(f"{i},{i % 2}\n" for i in range(65_600))
    with pytest.raises(DataError, match="column 'x' has more than 65,535 distinct values; leave"):
        read(tmp_path, ids)


# dialects -----------------------------------------------------------------------------------------


def test_quotes_among_blanks(tmp_path):
    data = read(tmp_path, '"a"  "the b"\n1 "x y"\n2 z\n')
    assert data.to_dict() == {"a": [1, 2], "the b": ["x y", "z"]}


def test_runs_of_blanks(tmp_path):
    text = "  a  b\tc \n 1 x   True\n2\ty False  \n\n1 x  True"
    data = read(tmp_path, text, "table.txt")
    assert data.to_dict() == {"a": [1, 2, 1], "b": ["x", "y", "x"], "c": [True, False, True]}
    assert "separated by blanks" in data.source


def test_runs_of_blanks_over_many_blocks(tmp_path):
    rng = np.random.default_rng(0)
    table = rng.integers(0, 3, (200_000, 6))
    text = "\n".join("   ".join(map(str, row)) + "  " for row in table.tolist())
    data = read(tmp_path, "a b c d e f\n" + text, "table.txt")
    assert np.array_equal(np.column_stack([data.codes(name) for name in data.names]), table)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b\n1,x\n2,y\n", ("a", "b")),
        ("1,x\n2,y\n1,x\n", ("x0", "x1")),
        ("x,y\ny,x\nx,y\n", ("x0", "x1")),  # a first cell that occurs again is data
        ("u,v\ny,x\nx,y\n", ("u", "v")),
        ("2019,2020\nlow,high\nhigh,low\n", ("2019", "2020")),
        ("0,1\n1,0\n", ("x0", "x1")),
        ("a,2\n1,0\n0,1\n", ("a", "2")),
    ],
)
def test_header_lines(tmp_path, text, names):
    data = read(tmp_path, text)
    assert data.names == names
    assert data.n_rows == text.count("\n") - (names[0] != "x0")
    assert ("no header line" in data.source) == (names[0] == "x0")


def test_the_dialect_can_be_given(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("u,v\ny,x\nx,y\n")
    assert Dataset.from_file(path, header=False).n_rows == 3
    assert Dataset.from_file(path, header=False, names=["p", "q"]).names == ("p", "q")
    assert Dataset.from_any(path, names=["p", "q"]).names == ("p", "q")
    path.write_text("u:v\ny:x\nx:y\n")
    assert Dataset.from_file(path, delimiter=":").names == ("u", "v")
    path.write_text("u v,w\ny x,y\n\nz z,z\n")
    assert Dataset.from_file(path, delimiter=",").names == ("u v", "w")
    assert Dataset.from_file(path, delimiter=" ").names == ("u", "v,w")
    with pytest.raises(ParameterError, match=r"delimiter must be one ASCII character, .* got '::'"):
        Dataset.from_file(path, delimiter="::")


# GOBNILP, BLIP, benchpress ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "levels"),
    [
        ("0 2 1 \n1 0 1 \n0 1 0 \n", ((0, 1), (0, 1, 2), (0, 1))),
        ("0 1 1\n1 0 1\n0 1 0\n", ((0, 1), (0, 1, 2), (0, 1))),
        ("1 2 1\n2 3 1\n1 1 2\n", ((1, 2), (1, 2, 3), (1, 2))),
        ("x y 1\nz r 1\nx w 0\n", (("x", "z"), ("r", "w", "y"), (0, 1))),
    ],
)
def test_names_arities_rows(tmp_path, rows, levels):
    data = read(tmp_path, "A B C\n2 3 2\n" + rows, "table.dat")
    assert data.levels == levels
    assert data.n_rows == 3
    assert "separated by blanks, header line, arities line" in data.source


def test_arities_that_values_do_not_show(tmp_path):
    with pytest.raises(
        DataError, match=re.escape("column 'B' has 2 levels, the arities line says 3")
    ):
        read(tmp_path, "A B\n2 3\nx y\nz r\n", "table.dat")
    domains = {"B": ["y", "r", "s"]}
    data = read(tmp_path, "A B\n2 3\nx y\nz r\n", "table.dat", levels=domains)
    assert data.arities == (2, 3)
    late = "A B\n2 3\n" + "1 2\n0 1\n" * 800 + "0 3\n"
    with pytest.raises(DataError, match=re.escape("column 'B' holds '3', which levels= does not")):
        read(tmp_path, late, "table.dat")


def test_benchpress(tmp_path):
    text = "A,B,C\n2,4,2\n" + "0,2,1\n1,0,1\n0,1,0\n" * 10
    data = read(tmp_path, text)
    assert data.arities == (2, 4, 2)
    assert data.n_rows == 30
    assert "arities line" in data.source
    plain = Dataset.from_file(tmp_path / "table.csv", arities=False)
    assert plain.n_rows == 31


def test_arities_on_little_evidence(tmp_path):
    with pytest.warns(DataWarning, match=re.escape("was taken for arities (2,2); if it is a row")):
        read(tmp_path, "a,b\n2,2\n0,1\n1,0\n")
    path = tmp_path / "table.csv"
    assert Dataset.from_file(path, arities=True).n_rows == 2
    assert Dataset.from_file(path, arities=False).n_rows == 3
    path.write_text("a,b\nx,y\n0,1\n1,0\n")
    with pytest.raises(DataError, match="must have a line of arities, integers >= 1, below"):
        Dataset.from_file(path, arities=True)


def test_a_first_row_of_large_numbers_is_no_line_of_arities(tmp_path):
    ages = "age,size\n99,200\n" + "".join(f"{i % 90},{i % 99}\n" for i in range(150))
    assert read(tmp_path, ages).n_rows == 151
    huge = f"a\n{10**30}\n" + "1\n2\n" * 20
    assert read(tmp_path, huge).levels == ((1, 2, 10**30),)


def test_ordinary_codes_are_no_arities(tmp_path):
    assert read(tmp_path, "a,b\n2,1\n0,1\n1,2\n").n_rows == 3
    assert read(tmp_path, "a,b\n1,1\n0,0\n0,0\n").n_rows == 3


# what cannot be read ------------------------------------------------------------------------------

BAD_FILES = [
    (b"", "is empty"),
    (b"\n\n \n", "is empty"),
    (b"# only a comment\n", "is empty"),
    (gzip.compress(b""), "is empty"),
    (b"a,b\n", "there are no rows of data in the file"),
    (
        b"a,b\n1,2\n1,2,3\n",
        "line 3 has 3 cells, the header has 2 (separated by comma, header line)",
    ),
    (b"a,b\n1,2\n\n1\n", "line 4 has 1 cells, the header has 2"),
    (b"a b\n1 2\n1\n", "line 3 has 1 cells, the header has 2"),
    (b"a,b\nx,y\n\xe9,z\n", "is not UTF-8: line 3, byte 1 is 0xe9; save it as UTF-8"),
    ("a,b\nx,y\n".encode("utf-16"), "is UTF-16 or UTF-32; save it as UTF-8 or use"),
    (b"a,b\nx\0,y\n", "is no table: line 2 has a NUL byte, so it is binary"),
    (b"a,b\n" + b"x,y\n" * 2000 + b"x\0,y\n", "column 'a' has a cell with a NUL byte: 'x\\x00'"),
    (b"a,b\rx,y\rz,y\r", "ends its lines with CR alone; save it with LF or CRLF"),
    (b"\x89PNG\r\n\x1a\n\0\0\0", "has a NUL byte, so it is binary"),
    (b"PK\x03\x04rest", "is a zip archive or a spreadsheet; save the table as delimited text"),
    (b"%PDF-1.7", "is a PDF; save the table as delimited text"),
    (b"<!DOCTYPE html>\n<p>a,b</p>\n", "is HTML or XML; save the table as delimited text"),
    (b'[{"a": 1}, {"a": 2}]', "is JSON; save the table as delimited text"),
    (
        b'"a" "b"\n"1" 1 "x"\n"2" 2 "y"\n',
        "the header line has 2 cells, every line below it has one more, as if row names came first",
    ),
    (b"a,b\n1,1,x\n2,2,y\n", "as if row names came first; leave them out (R: row.names = FALSE)"),
    # An open quote takes in whatever follows, up to the next quote.
    (b'a,b\n1,x\n2,"y\n3,x\n4,y\n', "a line end in it (is a quote left open?): 'y\\n3,x\\n4,y"),
    (b'a,b\n1,"x\ny"\n2,z\n', "column 'b' has a cell with a line end in it (is a quote left open"),
    (b"PAR1rest", "cannot be read: Parquet magic bytes not found"),
    (b"ARROW1rest", "cannot be read: "),
    (b"\xff\xff\xff\xffrest", "cannot be read: "),
    (b"\x1f\x8brestrestrest", "cannot be read: "),
    (gzip.compress(b"a,b\n" + b"1,2\n" * 99)[:-15], "cannot be read: "),
    (b"a,a\n1,0\n2,1\n", "names of columns must be distinct; more than once: a"),
    (b",a\n1,x\n2,y\n", "column 1 has no name in the header line; name it, or leave it out if it"),
    (b"a,b\n" + b"x,y\n" * 300_000 + b"\xe9,z\n", "is not UTF-8: line 300002, byte 1 is 0xe9"),
    (b"a,b\n" + b"x,y\n" * 300_000 + b"x\n", "line 300002 has 1 cells, the header has 2"),
    (b'a,b\n"x,y\n', "line 2 has 1 cells, the header has 2"),
    (b"a,b\n" + b"x,y\n" * 30 + b"z" * 200_000 + b",q\n", "a line cannot be parted into cells"),
]


@pytest.mark.parametrize(("content", "message"), BAD_FILES)
def test_what_cannot_be_read(tmp_path, content, message):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=re.escape(message)) as error:
        Dataset.from_any(path)
    assert len(str(error.value)) < 600


@pytest.mark.parametrize("n_before", range(0, 60, 7))
def test_line_ends_in_cells_are_found_wherever_a_batch_ends(tmp_path, monkeypatch, n_before):
    monkeypatch.setattr(text, "BATCH_BYTES", 64)
    monkeypatch.setattr(text, "BATCH_LINES", 1)
    path = tmp_path / "table.csv"
    path.write_bytes(b"a,b\n" + b"1,x\n" * n_before + b'2,"x\ny"\n' + b"1,x\n" * 20)
    with pytest.raises(DataError, match=r"a line end in it|has 1 cells"):
        Dataset.from_any(path)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_encodings_can_be_given(tmp_path, encoding, pack):
    path = tmp_path / "table.csv"
    path.write_bytes(pack(written().encode(encoding)))
    assert Dataset.from_file(path, encoding=encoding) == EXPECTED


def test_cells_that_are_not_as_encoded(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b"a,b\n" + b"x,y\n" * 300_000 + b"\xe9,z\n")
    with pytest.raises(DataError, match="cannot be read: 'ascii' codec can't decode byte 0xe9"):
        Dataset.from_file(path, encoding="ascii")


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"delimiter": 3}, "delimiter must be one ASCII character, no quote or line end, got 3"),
        ({"delimiter": "\n"}, "delimiter must be one ASCII character, no quote or line end, got"),
        ({"delimiter": '"'}, "delimiter must be one ASCII character, no quote or line end, got"),
        ({"header": "yes"}, "header must be True, False or None, got 'yes'"),
        ({"arities": 1}, "arities must be True, False or None, got 1"),
        ({"encoding": "klingon"}, "encoding must name one that Python knows ('latin-1', 'cp1252'"),
        ({"encoding": "base64"}, "encoding must name one that Python knows"),
        ({"encoding": None}, "encoding must name one that Python knows"),
    ],
)
def test_a_dialect_that_makes_no_sense(tmp_path, wish, message):
    path = tmp_path / "table.csv"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(ParameterError, match=re.escape(message)):
        Dataset.from_file(path, **wish)


def test_only_files_have_a_dialect():
    with pytest.raises(ParameterError, match=re.escape("path must be a str or a path, got a dict")):
        Dataset.from_file(COLUMNS)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(DataError, match=re.escape(f"file '{tmp_path}/no.csv' does not exist")):
        Dataset.from_any(tmp_path / "no.csv")
    with pytest.raises(DataError, match=re.escape(f"file '{tmp_path}' is a directory; give one")):
        Dataset.from_any(str(tmp_path))
    with pytest.raises(DataError, match="cannot be read: File name too long"):
        Dataset.from_any("x" * 5000)


def test_a_fifo_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(DataError, match="is no regular file"):
        Dataset.from_any(tmp_path / "pipe")


@given(st.binary(max_size=300))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.filterwarnings("ignore::stigmergy.DataWarning")
def test_no_bytes_do_harm(tmp_path, content):
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    try:
        data = Dataset.from_any(path, missing="level")
    except DataError:
        return
    assert data.n_rows >= 1


def test_wide_text(tmp_path):
    rng = np.random.default_rng(0)
    table = rng.integers(0, 3, (40, 3000))
    lines = [
        ",".join(f"v{i}" for i in range(3000)),
        *(",".join(map(str, r)) for r in table.tolist()),
    ]
    data = read(tmp_path, "\n".join(lines))
    assert np.array_equal(np.column_stack([data.codes(name) for name in data.names]), table)


MEASURE = """
import pathlib, re, resource, sys
import stigmergy
data = stigmergy.Dataset.from_any(sys.argv[1])
status = pathlib.Path("/proc/self/status")
if status.exists():  # getrusage would count what the parent had before the fork
    peak = int(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1]) * 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(data.n_rows * data.n_columns, peak)
"""


@pytest.mark.slow
def test_memory_grows_by_little_more_than_a_byte_per_cell(tmp_path):
    rng = np.random.default_rng(0)
    cells = np.full((1_000_000, 20), ord(","), dtype=np.uint8)
    cells[:, ::2] = rng.integers(ord("0"), ord("4"), (1_000_000, 10))
    cells[:, -1] = ord("\n")
    block = cells.tobytes()
    peaks = []
    # The reader runs ahead by some tens of megabytes, which a file of one block does not fill yet.
    for n_blocks in (3, 12):
        path = tmp_path / f"{n_blocks}.csv"
        path.write_bytes(b"a,b,c,d,e,f,g,h,i,j\n" + block * n_blocks)
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", MEASURE, path],
            capture_output=True,
            text=True,
            check=True,
        )
        peaks.append(tuple(map(int, done.stdout.split())))
    (cells_small, peak_small), (cells_large, peak_large) = peaks
    assert (peak_large - peak_small) / (cells_large - cells_small) < 2


def test_columns_of_a_file_are_left_out(tmp_path):
    path = tmp_path / "t.dat"
    path.write_text("id w a b\n4 9 2 2\n0 5 0 1\n1 6 1 0\n2 7 1 1\n3 8 0 1\n")
    data = Dataset.from_any(path, drop="id", weights="w")
    assert data.names == ("a", "b")
    assert data.arities == (2, 2)
    assert data.weights.tolist() == [5, 6, 7, 8]


@pytest.mark.parametrize("header", ["1,2,3", "2010,2011,1", "7,8,1"])
def test_names_that_were_taken_for_a_row_are_warned_of(tmp_path, header):
    path = tmp_path / "t.csv"
    path.write_text(f"{header}\n" + "0,1,0\n1,0,1\n1,1,1\n0,1,1\n" * 5)
    shown = ", ".join(repr(cell) for cell in header.split(",") if cell != "1") or ""
    with pytest.warns(DataWarning) as caught:
        data = Dataset.from_any(path)
    assert data.n_rows == 21
    (one,) = caught
    cells = shown if header != "1,2,3" else "'2', '3'"
    assert f"was taken for a row, though its values {cells} occur nowhere else" in str(one.message)
    assert "nowhere else in their columns in the first 21 lines;" in str(one.message)
    assert "Dataset.from_file(..., header=True)" in str(one.message)
    for said, n_rows in ((True, 20), (False, 21)):
        assert Dataset.from_file(path, header=said).n_rows == n_rows


def test_names_are_warned_of_by_the_first_lines(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("2010,2011\n" + "0,1\n1,0\n" * 1000 + "2010,2011\n")
    with pytest.warns(DataWarning, match=r"nowhere else in their columns in the first 1,000 lines"):
        assert Dataset.from_any(path).n_rows == 2002


def test_one_row_is_not_compared_with_others(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("1,2\n")
    with pytest.warns(DataWarning) as caught:
        assert Dataset.from_any(path).n_rows == 1
    assert not any("was taken for a row" in str(each.message) for each in caught)


@pytest.mark.parametrize("rows", ["0,1,0\n1,0,1\n", "5,1,0\n1,0,1\n0,1,0\n"])
def test_rows_are_not_taken_for_names(tmp_path, rows):
    """Neither without a value of its own, nor for one: that is a rare level."""
    path = tmp_path / "t.csv"
    path.write_text(rows + "0,1,1\n1,0,0\n1,1,0\n" * 5)
    assert Dataset.from_any(path).names == ("x0", "x1", "x2")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_first_line_of_spreadsheets(tmp_path, delimiter):
    path = tmp_path / "t.csv"
    table = "a,b\nx,y z\ny,z\n".replace(",", delimiter)
    path.write_text(f"sep={delimiter}\r\n{table}")
    data = Dataset.from_any(path)
    path.write_text(table)
    assert data == Dataset.from_any(path)
    assert data.names == ("a", "b")
    path.write_text(f"Visits of 2020\n{table}")
    with pytest.raises(
        DataError, match="line is 'Visits of 2020', every line below it has 2 cells"
    ):
        Dataset.from_any(path)


def test_a_column_that_is_called_as_a_delimiter_is_told(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("sep=x\na\nb\na\n")
    assert Dataset.from_any(path).names == ("sep=x",)
