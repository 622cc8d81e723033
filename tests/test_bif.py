# SPDX-License-Identifier: MIT
"""BIF: what is read, what is written, what is refused."""

import gzip
import itertools
import re
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stigmergy import BayesianNetwork, Dag, DataWarning, NetworkError, OutputError, ParameterError
from stigmergy import networks as gold
from stigmergy.io.bif import format_bif, parse_bif, read_bif, write_bif
from strategies import bayesian_networks

RAIN = BayesianNetwork(
    Dag(["rain", "soil", "wet"], [("rain", "wet"), ("soil", "wet")]),
    {"rain": ["no", "yes"], "soil": ["clay", "loam", "sand"], "wet": ["dry", "wet"]},
    {
        "rain": [0.8, 0.2],
        "soil": [0.5, 0.3, 0.2],
        "wet": [[[0.9, 0.1], [0.95, 0.05], [1, 0]], [[0.1, 0.9], [0.2, 0.8], [0.4, 0.6]]],
    },
)

# The same network in the manner of each writer.

PLAIN = """\
network unknown {
}
variable rain {
  type discrete [ 2 ] { no, yes };
}
variable soil {
  type discrete [ 3 ] { clay, loam, sand };
}
variable wet {
  type discrete [ 2 ] { dry, wet };
}
probability ( rain ) {
  table 0.8, 0.2;
}
probability ( soil ) {
  table 0.5, 0.3, 0.2;
}
probability ( wet | rain, soil ) {
  (no, clay) 0.9, 0.1;
  (no, loam) 0.95, 0.05;
  (no, sand) 1.0, 0.0;
  (yes, clay) 0.1, 0.9;
  (yes, loam) 0.2, 0.8;
  (yes, sand) 0.4, 0.6;
}
"""

# bnlearn (R): the first parent varies fastest, odd blanks, numbers as R prints them.
BNLEARN = """\
network unknown {
}
variable rain {
  type discrete [ 2 ] { no, yes };
}
variable soil {
  type discrete [ 3 ] { clay, loam, sand };
}
variable wet {
  type discrete [ 2 ] { dry, wet };
}
probability ( rain ) {
  table 8e-01, 2e-01 ;
}
probability ( soil ) {
  table 0.5, 0.3, 0.2 ;
}
probability ( wet | rain, soil ) {
  (no, clay) 0.9, 0.1 ;
  (yes, clay) 0.1, 0.9 ;
  (no, loam) 0.95, 0.05 ;
  (yes, loam) 2.0E-1, 8.0E-1 ;
  (no, sand) 1, 0 ;
  (yes, sand) 0.4, 0.6 ;
}
"""

# pyAgrum: quoted network name, comment, no blanks around brackets, blanks between numbers.
PYAGRUM = """\
network "garden" {
// written by aGrUM
}

variable rain {
   type discrete[2] {no, yes};
}

variable soil {
   type discrete[3] {clay, loam, sand};
}

variable wet {
   type discrete[2] {dry, wet};
}

probability (rain) {
   default 0.8 0.2;
}
probability (soil) {
   table 0.5 0.3 0.2;
}
probability (wet | rain, soil) {
   (no, clay) 0.9 0.1;
   (yes, clay) 0.1 0.9;
   (no, loam) 0.95 0.05;
   (yes, loam) 0.2 0.8;
   (no, sand) 1 0;
   (yes, sand) 0.4 0.6;
}
"""

# pgmpy: four blanks, blanks inside parentheses, properties, an empty line at the end of blocks.
PGMPY = """\
network garden {
}
variable rain {
    type discrete [ 2 ] { no, yes };
    property weight = None ;
}
variable soil {
    type discrete [ 3 ] { clay, loam, sand };
    property position = (3, 4) ;
}
variable wet {
    type discrete [ 2 ] { dry, wet };
}
probability ( rain ) {
    table 0.8, 0.2 ;
}
probability ( soil ) {
    table 0.5, 0.3, 0.2 ;
}
probability ( wet | rain, soil ) {
    ( no, clay ) 0.9, 0.1;
    ( no, loam ) 0.95, 0.05;
    ( no, sand ) 1.0, 0.0;
    ( yes, clay ) 0.1, 0.9;
    ( yes, loam ) 0.2, 0.8;
    ( yes, sand ) 0.4, 0.6;

}
"""

# GeNIe, JavaBayes and the text of the format itself: everything quoted, neither commas nor bars,
# properties in quotes, tables with the child slowest, defaults, both kinds of comment.
INTERCHANGE = """\
// Bayesian network
network "garden" { //3 variables and 3 probability distributions
	property "author = {nobody}; //none" ;
}
variable  "rain" { //2 values
	type discrete[2] {  "no"  "yes" };
	property "position = (218, 195)" ;
}
variable  "soil" { type discrete [3] = { "clay" "loam" "sand" } ; }
variable  "wet" {
	property "observed dry" ;
	type discrete[2] { "dry" /* not
	wet */ "wet" };
}
probability (  "rain" ) { table 0.8 0.2 ; }
probability (  "soil" ) { default .5 .3 .2 ; }
probability (  "wet"  "rain"  "soil" ) { //3 variable(s) and 12 values
	table
		0.9 0.95 1.0  0.1 0.2 0.4
		0.1 0.05 0.0  0.9 0.8 0.6 ;
	property "source = guess" ;
}
"""

DEFAULTS = PLAIN.replace("  (yes, sand) 0.4, 0.6;\n", "  default 0.4, 0.6;\n")
OTHER_ORDER = "".join(
    re.split(r"(?=^variable|^probability)", PLAIN, flags=re.M)[i] for i in (0, 4, 6, 5, 1, 2, 3)
)


@pytest.mark.parametrize(
    "text",
    [PLAIN, BNLEARN, PYAGRUM, PGMPY, INTERCHANGE, DEFAULTS, OTHER_ORDER],
    ids=["plain", "bnlearn", "pyagrum", "pgmpy", "interchange", "defaults", "other order"],
)
def test_every_manner_is_read(text):
    assert parse_bif(text) == RAIN
    assert parse_bif(text.replace("\n", "\r\n")) == RAIN


def test_what_is_written():
    assert format_bif(RAIN) == PLAIN


def test_order_in_the_file_is_kept():
    network = parse_bif(OTHER_ORDER.replace("( wet | rain, soil )", "( wet | rain , soil )"))
    assert network.names == ("rain", "soil", "wet")
    assert network.parents("wet") == ("rain", "soil")
    turned = parse_bif(
        "network n { } variable b { type discrete [ 2 ] { x, y }; }"
        "variable a { type discrete [ 1 ] { z }; } variable c { type discrete [ 1 ] { w }; }"
        "probability ( c | b, a ) { (x, z) 1; (y, z) 1; }"
        "probability ( b ) { table 0.5, 0.5; } probability ( a ) { table 1; }"
    )
    assert turned.names == ("b", "a", "c")
    assert turned.parents("c") == ("b", "a")


@pytest.mark.parametrize("name", gold.names())
def test_gold_networks_make_the_round_trip_exactly(name):
    network = gold.load(name)
    text = format_bif(network)
    assert not re.search(r"\d[eE][-+]?\d+[,;]", text)
    again = parse_bif(text)
    assert again == network
    assert again.names == network.names
    for variable in network.names:
        assert again.parents(variable) == network.parents(variable)
        assert again.levels_of(variable) == network.levels_of(variable)
        assert again.table(variable).tobytes() == network.table(variable).tobytes()
    assert format_bif(again) == text


@given(bayesian_networks())
@settings(max_examples=200, deadline=None)
def test_any_network_makes_the_round_trip(network):
    texts = [*network.names, *itertools.chain(*network.levels)]
    if any('"' in text for text in texts):
        with pytest.raises(NetworkError, match="cannot be written in BIF"):
            format_bif(network)
    else:
        again = parse_bif(format_bif(network))
        assert again == network
        assert again.names == network.names
    plain = parse_bif(format_bif(network, plain_names=True))
    for name, other in zip(network.names, plain.names, strict=True):
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", other)
        assert plain.table(other).tobytes() == network.table(name).tobytes()
        for state, written in zip(network.levels_of(name), plain.levels_of(other), strict=True):
            assert re.fullmatch(r"[A-Za-z0-9_]+|-[0-9]+", written)
            if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*|-?[0-9]+", state):
                assert written == state


ODD_STATES = [
    "a b", "a  b", " a", "", "(18, 25]", "x//y", "/*", "a;b", "a|b", "{}", "5%", "<7.5", ">=7.5",
    "12+", "Asy/Patch", "1e-5", "-1", "table", "größe", "nb\u00a0sp", "tab\tbed", "'", "a,b", "[2]",
    "\u2028", "\x1f",
]  # fmt: skip


def test_odd_names_and_states_make_the_round_trip():
    names = [f"v{text}" for text in ODD_STATES]
    table = np.full(len(ODD_STATES), 1 / len(ODD_STATES))
    arcs = list(itertools.pairwise(names[:3]))
    network = BayesianNetwork(
        Dag(names, arcs),
        dict.fromkeys(names, ODD_STATES),
        {
            name: np.tile(table, (len(ODD_STATES), 1)) if name in names[1:3] else table
            for name in names
        },
    )
    assert parse_bif(format_bif(network)) == network


def test_states_with_blanks_as_bnlearn_writes_them():
    network = parse_bif(
        "network unknown {\n}\n"
        "variable size {\n  type discrete [ 2 ] { very small, not small };\n}\n"
        "variable x {\n  type discrete [ 2 ] { a, b };\n}\n"
        "probability ( size ) {\n  table 0.5, 0.5 ;\n}\n"
        "probability ( x | size ) {\n  (very small) 0.1, 0.9 ;\n  (not small) 0.2, 0.8 ;\n}\n"
    )
    assert network.levels_of("size") == ("very small", "not small")
    assert network.table("x").tolist() == [[0.1, 0.9], [0.2, 0.8]]
    assert "{ very small, not small }" in format_bif(network)


def test_plain_names_stay_apart():
    names = ["a b", "a_b", "a-b", "5"]
    network = BayesianNetwork(
        Dag(names),
        {name: ["<1", ">1", "_1", "7", "-7", "7.0"] for name in names},
        {name: [0.1, 0.2, 0.3, 0.2, 0.1, 0.1] for name in names},
    )
    plain = parse_bif(format_bif(network, plain_names=True))
    assert plain.names == ("a_b_2", "a_b", "a_b_3", "_5")
    assert plain.levels_of("_5") == ("_1_2", "_1_3", "_1", "7", "-7", "_7_0")


def test_tiny_numbers_have_no_exponents():
    network = BayesianNetwork(Dag(["a"]), {"a": ["x", "y"]}, {"a": [5e-324, 1.0]})
    text = format_bif(network)
    assert "e-" not in text
    assert parse_bif(text).table("a").tolist() == [5e-324, 1.0]


def test_rounded_rows_are_rescaled_with_a_warning():
    text = PLAIN.replace("0.5, 0.3, 0.2", "0.333, 0.333, 0.333")
    with pytest.warns(DataWarning, match=r"1 rows of .* divided by their sum.*0\.001"):
        network = parse_bif(text)
    assert network.table("soil").tolist() == pytest.approx([1 / 3] * 3)
    exact = parse_bif(PLAIN.replace("0.5, 0.3, 0.2", "0.5, 0.3, 0.2000005"))
    assert exact.table("soil").tolist() == [0.5, 0.3, 0.2000005]
    with pytest.raises(NetworkError, match=r"line 15: .*a row of sum 1\.1; correct it, or"):
        parse_bif(PLAIN.replace("0.5, 0.3, 0.2", "0.5, 0.4, 0.2"))
    with pytest.warns(DataWarning, match="missed 1 by up to 0.1"):
        parse_bif(PLAIN.replace("0.5, 0.3, 0.2", "0.5, 0.4, 0.2"), tolerance=0.2)


def test_a_tolerance_outside_its_range_is_refused():
    for tolerance in (-0.1, 1, float("nan")):
        with pytest.raises(ParameterError, match="tolerance must be a number from 0 to below 1"):
            parse_bif(PLAIN, tolerance=tolerance)


# What is refused: (what to change, into what, the line, what is said)
BROKEN = [
    ("network unknown {", "net unknown {", 1, "expected 'network', got 'net'"),
    (PLAIN, "", 1, "expected 'network'; the text is empty"),
    ("variable soil {", "varable soil {", 6, "expected 'variable' or 'probability', got 'varable'"),
    ("variable soil {", "variable rain {", 6, "variable 'rain' is declared a second time"),
    ("[ 3 ] { clay,", "[ 4 ] { clay,", 7, "expected 4 states of 'soil', got 3"),
    ("{ clay, loam,", "{ clay, clay,", 7, "expected distinct states of 'soil'"),
    ("type discrete [ 3 ]", "type continuous", 7, "expected 'type discrete .*, got 'type'"),
    ("  type discrete [ 2 ] { no, yes };\n", "", 4, "expected 'type discrete .*'rain', got '}'"),
    (
        "{ no, yes };\n}",
        "{ no, yes };\n",
        6,
        "expected '}' after the type of 'rain', got 'variable'",
    ),
    ("table 0.8, 0.2;", "table 0.8;", 13, "expected 2 probabilities, got 1"),
    ("table 0.8, 0.2;", "table 0.8, zwei;", 13, "expected a probability, got 'zwei'"),
    ("table 0.8, 0.2;", "table 0.8, 0_2;", 13, "expected a probability, got '0_2'"),
    ("table 0.8, 0.2;", "table 1.8, -0.8;", 12, "expected finite probabilities >= 0 of 'rain'"),
    ("table 0.8, 0.2;", "table nan, 0.2;", 12, "expected finite probabilities >= 0 of 'rain'"),
    ("table 0.8, 0.2;", "table 0.8, 0.2", 14, "expected ';' before '}' in the table of 'rain'"),
    ("table 0.8, 0.2;", "tabel 0.8, 0.2;", 13, "expected 'table', 'default', .* got 'tabel'"),
    ("table 0.8, 0.2;", "table 0.8, 0.2; table 1, 0;", 13, "'table' of 'rain' is there twice"),
    ("table 0.8, 0.2;", "", 14, "expected a row 'table' or a default in the table of 'rain'"),
    ("probability ( rain )", "probability ( sun )", 12, "the name of a variable, got 'sun'"),
    ("probability ( rain )", "probability rain", 12, r"expected '\( variable \| parents \) \{'"),
    ("probability ( soil )", "probability ( rain )", 15, "a second probability block of 'rain'"),
    ("( wet | rain, soil )", "( wet | rain, rain )", 18, "distinct variables, got wet, rain, rain"),
    ("(no, loam)", "(no, lome)", 20, "a state of 'soil' .*'clay', 'loam', 'sand'.*, got 'lome'"),
    ("(no, loam)", "(no)", 20, r"expected a state of each of 'rain', 'soil', got \(no\)"),
    ("(no, loam)", "(no, clay)", 20, r"the row \(no, clay\) of 'wet' is there twice"),
    ("(no, loam)", "(no, loam", 20, r"expected '\)' after the states of the parents"),
    ("  (no, loam) 0.95, 0.05;\n", "", 24, r"expected a row of \(no, loam\) or a default"),
    ("(no, loam) 0.95, 0.05;", "table 0.5;", 20, "expected 12 probabilities, got 1"),
    ("0.4, 0.6;\n}", "0.4, 0.6;\n", 18, "expected '}' at the end of this probability block"),
    (PLAIN[-60:], "", 18, "expected '}' at the end of this probability block"),
    ("{ no, yes }", '{ "no, yes }', 4, "expected a closing quote on the same line"),
    ("{ no, yes }", "{ no, /* yes }", 4, r"expected '\*/' at the end of this comment"),
    (
        "network unknown {\n}",
        "network unknown {\n x }",
        2,
        "'property ...;' or '}'.* got 'x'",
    ),
]


@pytest.mark.parametrize(("old", "new", "line", "message"), BROKEN)
def test_broken_text_is_refused_with_its_line(old, new, line, message):
    assert PLAIN.count(old) >= 1
    with pytest.raises(NetworkError, match=rf"^garden\.bif, line {line}: .*{message}"):
        parse_bif(PLAIN.replace(old, new, 1), source="garden.bif")


def test_a_block_that_is_missing_is_named():
    cut = PLAIN[: PLAIN.index("probability ( wet")]
    with pytest.raises(NetworkError, match="expected a probability block of 'wet'"):
        parse_bif(cut)


def test_a_cycle_is_named():
    text = (
        "network n { } variable a { type discrete [ 1 ] { x }; }"
        "variable b { type discrete [ 1 ] { x }; } variable c { type discrete [ 1 ] { x }; }"
        "probability ( a | b ) { (x) 1; } probability ( b | c ) { (x) 1; }"
        "probability ( c | a ) { (x) 1; }"
    )
    with pytest.raises(NetworkError, match=r"BIF: .*cycle a -> c -> b -> a"):
        parse_bif(text)


def test_a_table_of_astronomic_size_is_refused_at_once():
    n = 40
    variables = "".join(f"variable v{i} {{ type discrete [ 3 ] {{ a, b, c }}; }}" for i in range(n))
    roots = "".join(f"probability ( v{i} ) {{ table .2 .3 .5; }}" for i in range(1, n))
    parents = ", ".join(f"v{i}" for i in range(1, n))
    text = (
        f"network n {{ }} {variables} {roots} probability ( v0 | {parents} ) {{ default 1 0 0; }}"
    )
    with pytest.raises(NetworkError, match="expected a table of at most 134217728 cells"):
        parse_bif(text)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_cut_or_change_is_read_or_refused(data):
    text = data.draw(st.sampled_from([PLAIN, INTERCHANGE, PYAGRUM]))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    junk = data.draw(st.text(st.sampled_from('{}()[];,|"/* \n\t0.5exnow\u00a0'), max_size=8))
    try:
        network = parse_bif(text[:start] + junk + text[end:], tolerance=0)
    except NetworkError as error:
        assert str(error).startswith("BIF")  # noqa: PT017
    else:
        assert isinstance(network, BayesianNetwork)


@pytest.mark.parametrize(
    "text",
    [
        "network" + " " * 200_000,
        "network n { } variable" + " x" * 100_000,
        "network n { } variable a { type discrete [" + " " * 200_000,
        "network n { } probability (" + ") " * 100_000,
        "/*" * 100_000,
        '"' * 100_001,
        "network n { } variable a { " + "property x ;" * 50_000,
        "network n { } variable a { property " + "x " * 100_000,
    ],
)
def test_no_text_makes_reading_slow(text):
    start = time.perf_counter()
    with pytest.raises(NetworkError):
        parse_bif(text)
    assert time.perf_counter() - start < 2


# Files


@pytest.mark.parametrize("name", ["garden.bif", "garden.bif.gz"])
def test_files(tmp_path, name):
    path = tmp_path / name
    write_bif(RAIN, path)
    first = path.read_bytes()
    assert (first[:2] == b"\x1f\x8b") == name.endswith(".gz")
    assert read_bif(path) == RAIN
    assert read_bif(str(path)) == RAIN
    write_bif(RAIN, path)
    assert path.read_bytes() == first
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_gzip_is_known_by_its_content(tmp_path):
    path = tmp_path / "garden.txt"
    path.write_bytes(gzip.compress(PLAIN.encode()))
    assert read_bif(path) == RAIN
    path.write_bytes(gzip.compress(PLAIN.encode())[:-20])
    with pytest.raises(NetworkError, match=r"garden\.txt: the gzip data is damaged"):
        read_bif(path)


def test_a_byte_order_mark_is_skipped_and_other_encodings_are_named(tmp_path):
    path = tmp_path / "garden.bif"
    path.write_bytes(b"\xef\xbb\xbf" + PLAIN.encode())
    assert read_bif(path) == RAIN
    path.write_bytes(PLAIN.replace("clay", "lehmböden").encode("latin-1"))
    with pytest.raises(NetworkError, match="line 7: a BIF file must be UTF-8 text; convert it"):
        read_bif(path)


def test_a_failed_write_leaves_what_was_there(tmp_path):
    path = tmp_path / "garden.bif"
    path.write_text("old")
    levels = {"rain": ["no", 'y"es']}
    bad = BayesianNetwork(Dag(["rain"]), levels, {"rain": [0.8, 0.2]})
    with pytest.raises(NetworkError, match="cannot be written in BIF"):
        write_bif(bad, path)
    assert path.read_text() == "old"
    same = BayesianNetwork(Dag(["rain"]), {"rain": ["1", 1]}, {"rain": [0.8, 0.2]})
    with pytest.raises(NetworkError, match="two states of 'rain' read the same in BIF: 1, 1"):
        write_bif(same, path)
    with pytest.raises(OutputError, match=r"cannot write .*missing/garden\.bif"):
        write_bif(RAIN, tmp_path / "missing" / "garden.bif")
    with pytest.raises(OutputError, match="cannot write "):
        write_bif(RAIN, tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["garden.bif"]


def test_a_link_is_written_through(tmp_path):
    path = tmp_path / "garden.bif"
    path.write_text("old")
    link = tmp_path / "link.bif"
    link.symlink_to(path)
    write_bif(RAIN, link)
    assert link.is_symlink()
    assert read_bif(path) == RAIN
