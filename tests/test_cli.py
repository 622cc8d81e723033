# SPDX-License-Identifier: MIT
"""The command: what it prints, what it writes, how it says no, and its exit codes."""

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import jsonschema
import pytest

import stigmergy.cli
from stigmergy import Dataset, DataWarning, Result, Scorer, networks, read_bif, read_structure, shd
from stigmergy.cli import COMMANDS, EXIT_CODES, clock, main
from stigmergy.cli.options import parsed_edges, parsed_parameters, read_tiers
from stigmergy.errors import KnowledgeError, ParameterError
from stigmergy.io.bif import parse_bif
from stigmergy.result import SCHEMA_FILE

COMMAND = str(Path(sys.executable).parent / "stigmergy")
ASIA = networks.load("asia")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with 2,000 rows of Asia."""
    path = tmp_path_factory.mktemp("cli")
    assert call(path, "sample asia 2000 --seed 3 -o asia.csv")[0] == 0
    return path


def call(folder, line):
    """Run the command in this process, in a folder; return exit code, output, errors."""
    import contextlib
    import io

    out, err = io.StringIO(), io.StringIO()
    before = Path.cwd()
    os.chdir(folder)
    handler = signal.getsignal(signal.SIGTERM)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main(shlex.split(line))
                code = 0
            except SystemExit as stop:
                code = stop.code or 0
    finally:
        os.chdir(before)
        signal.signal(signal.SIGTERM, handler)
    return code, out.getvalue(), err.getvalue()


def spawn(folder, line, **options):
    return subprocess.run(
        [COMMAND, *shlex.split(line)], cwd=folder, capture_output=True, text=True, **options
    )


# -- help ------------------------------------------------------------------------------------------


def test_help_is_quick():
    took = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([COMMAND, "--help"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(took) < 0.15


def test_help_imports_nothing_slow():
    code = (
        "import sys; from stigmergy.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'rich', 'pyarrow', 'stigmergy._core'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_command_has_help_with_an_example(folder):
    code, out, _ = call(folder, "--help")
    assert code == 0
    for name, summary in COMMANDS.items():
        assert summary in out
        code, text, _ = call(folder, f"{name} --help")
        assert code == 0
        assert "Example" in text
        assert f"stigmergy {name}" in text
    for number in ("0", "2", "3", "4", "130"):
        assert f"\n  {number} " in EXIT_CODES


def test_no_command_is_answered_with_help(folder):
    code, out, err = call(folder, "")
    assert (code, out) == (2, "")
    assert err == call(folder, "--help")[1]


def test_version(folder):
    assert call(folder, "--version") == (0, f"stigmergy {stigmergy.__version__}\n", "")


@pytest.mark.parametrize(
    ("words", "completion"),
    [
        ("stigmergy le", "learn"),
        ("stigmergy learn x.csv --algorithm gre", "greedy-e"),
        ("stigmergy learn x.csv --score bd", "bdeu"),
        ("stigmergy learn x.csv -a hc -p re", "restarts="),
        ("stigmergy learn x.csv --param an", "ants="),
        ("stigmergy learn x.csv --max-pa", "--max-parents"),
        ("stigmergy sample ala", "alarm"),
    ],
)
def test_shell_completion(words, completion):
    environment = {
        **os.environ,
        "_STIGMERGY_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    done = subprocess.run([COMMAND], env=environment, capture_output=True, text=True, check=True)
    assert f"plain,{completion}" in done.stdout.splitlines()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_are_given_a_script(shell):
    environment = {**os.environ, "_STIGMERGY_COMPLETE": f"{shell}_source"}
    done = subprocess.run([COMMAND], env=environment, capture_output=True, text=True, check=True)
    assert "_STIGMERGY_COMPLETE" in done.stdout


# -- learn -----------------------------------------------------------------------------------------

EVERY_FORMAT = ["json", "bif", "bif.gz", "dot", "gv", "csv", "graphml", "svg", "png", "pdf"]


def test_learn_writes_every_format_and_structures_are_read_back(folder):
    outputs = " ".join(f"-o out.{suffix}" for suffix in EVERY_FORMAT)
    code, out, err = call(folder, f"learn asia.csv -a greedy-e --seed 5 {outputs}")
    assert code == 0
    assert [f"wrote out.{suffix}" for suffix in EVERY_FORMAT] == err.splitlines()
    result = Result.load(folder / "out.json")
    assert result.summary() + "\n" == out
    assert result.seed == 5
    for suffix in ["json", "dot", "gv", "csv", "graphml"]:
        assert read_structure(folder / f"out.{suffix}") == result.cpdag, suffix
    for suffix in ("bif", "bif.gz"):
        assert read_bif(folder / f"out.{suffix}") == result.fit(
            Dataset.from_any(folder / "asia.csv")
        )
    for suffix, magic in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        assert (folder / f"out.{suffix}").read_bytes().startswith(magic)
    assert not list(folder.glob(".out*"))
    scores = {
        json.loads(call(folder, f"score asia.csv out.{suffix} --json")[1])["score"]
        for suffix in ["json", "bif", "dot", "csv", "graphml"]
    }
    assert len({round(score, 6) for score in scores}) == 1
    fitted = set()
    for suffix in ["json", "bif", "dot", "csv", "graphml"]:
        line = f"learn asia.csv -a greedy-e --max-iter 0 --start out.{suffix} --json"
        assert json.loads(call(folder, line)[1])["cpdag"] == result.to_dict()["cpdag"]
        assert json.loads(call(folder, f"shd out.json out.{suffix} --json")[1])["shd"] == 0
        fitted.add(parse_bif(call(folder, f"fit asia.csv out.{suffix}")[1]).dag.to_cpdag())
    assert fitted == {result.cpdag}


def test_json_on_standard_output_is_as_the_schema_says(folder):
    code, out, err = call(folder, "learn asia.csv -a aco-e -p ants=3 -p iterations=2 --json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    jsonschema.validate(document, json.loads(SCHEMA_FILE.read_text()))
    assert document["settings"]["ants"] == 3
    assert document["variables"] == sorted(ASIA.names)
    scorer = Scorer(Dataset.from_any(folder / "asia.csv"))
    assert document["score"] == pytest.approx(scorer.score_graph(Result.from_dict(document).dag))


def test_threads_and_hash_seeds_change_nothing(folder):
    documents = []
    for threads, hash_seed in ((1, 0), (2, 1)):
        line = f"learn asia.csv -p ants=3 -p iterations=3 --seed 2 --threads {threads} --json"
        done = spawn(folder, line, env={**os.environ, "PYTHONHASHSEED": str(hash_seed)})
        documents.append(json.loads(done.stdout))
    assert documents[0]["dag"] == documents[1]["dag"]
    assert documents[0]["score"] == documents[1]["score"]
    assert Result.from_dict(documents[0]) == Result.from_dict(documents[1])


def test_score_options_reach_the_scorer(folder):
    line = "learn asia.csv -a greedy-e --ess 4 --kappa 0.5 --max-parents 1 --json"
    scorer = json.loads(call(folder, line)[1])["scorer"]
    assert scorer["score"]["ess"] == 4
    assert scorer["prior"]["kappa"] == 0.5
    assert scorer["max_parents"] == 1
    bic = json.loads(call(folder, "learn asia.csv -a greedy-e --score bic --json")[1])["scorer"]
    assert bic["score"]["name"] == "BIC"


def test_knowledge_on_the_command_line(folder):
    (folder / "tiers.txt").write_text("dysp, xray\nsmoke\n")
    line = (
        "learn asia.csv -a greedy-e --require dysp,smoke --forbid tub,either --forbid either,tub "
        "--root asia --leaf bronc --tiers tiers.txt --json"
    )
    document = json.loads(call(folder, line)[1])
    assert document["scorer"]["knowledge"] == {
        "required_edges": [["dysp", "smoke"]],
        "forbidden_edges": [["either", "tub"], ["tub", "either"]],
        "tiers": [["dysp", "xray"], ["smoke"]],
        "roots": ["asia"],
        "leaves": ["bronc"],
    }
    assert ["dysp", "smoke"] in document["dag"]
    line = "learn asia.csv -a greedy-e --allow smoke,bronc --json"
    assert json.loads(call(folder, line)[1])["dag"] == [["smoke", "bronc"]]


def test_levels_file(folder):
    (folder / "levels.json").write_text(json.dumps({"dysp": ["no", "yes", "unknown"]}))
    line = "learn asia.csv -a greedy-e --levels levels.json --json"
    assert json.loads(call(folder, line)[1])["levels"]["dysp"] == ["no", "yes", "unknown"]


def test_columns_are_left_out(folder):
    rows = [f"2020-01-{1 + i},{i / 7},{i % 2},{i % 3 % 2}\n" for i in range(28)]
    (folder / "visits.csv").write_text("visit date,weight,a,b\n" + "".join(rows))
    (folder / "ab.dot").write_text("digraph { a -> b }")
    code, out, err = call(folder, "info visits.csv --drop weight")
    assert (code, err) == (0, "")
    assert "leave it out by --drop 'visit date'\n" in out
    out_of = "--drop 'visit date' --drop weight"
    document = json.loads(call(folder, f"learn visits.csv {out_of} --json")[1])
    assert document["variables"] == ["a", "b"]
    for line in ("score visits.csv ab.dot", "fit visits.csv ab.dot", "info visits.csv"):
        assert call(folder, f"{line} {out_of}")[0] == 0
    code, _, err = call(folder, "learn visits.csv --drop visit_date")
    meant = "'visit_date' (did you mean 'visit date'?)"
    assert (code, err) == (3, f"error: --drop names columns that do not exist: {meant}\n")


def test_the_dialect_of_a_text_is_given(folder):
    (folder / "latin.csv").write_bytes("größe;b\nhäßlich;x\nschön;y\nschön;x\n".encode("latin-1"))
    code, _, err = call(folder, "learn latin.csv")
    assert code == 3
    assert err.endswith("save it as UTF-8 or say what it is, as in --encoding latin-1\n")
    code, out, _ = call(folder, "info latin.csv --encoding latin-1 --delimiter ; --json")
    assert [column["name"] for column in json.loads(out)["columns"]] == ["größe", "b"]
    (folder / "tabs.csv").write_text("3\t25\n" + "0\t1\n1\t0\n1\t1\n" * 10)
    with pytest.warns(DataWarning, match="was taken for a row"):
        Dataset.from_any(folder / "tabs.csv")
    done = spawn(folder, "learn tabs.csv -a greedy-e")
    assert "if they are names, pass --header\n" in done.stderr
    document = json.loads(call(folder, "learn tabs.csv --header --delimiter tab --json")[1])
    assert document["variables"] == ["25", "3"]
    found = json.loads(call(folder, "info tabs.csv --no-header --delimiter tab --json")[1])
    assert found["n_rows"] == 31
    code, _, err = call(folder, "learn tabs.csv --delimiter ab")
    assert code == 2
    assert err.startswith("error: --delimiter must be one ASCII character")


def test_the_time_limit_is_success_and_counts_from_the_start_of_the_process(folder):
    begun = time.monotonic()
    line = "learn asia.csv -p iterations=1000000 --time-limit 1.5 --json"
    done = spawn(folder, line)
    took = time.monotonic() - begun
    document = json.loads(done.stdout)
    assert done.returncode == 0
    assert document["stop"] == "time limit"
    assert 1.5 <= document["seconds"] < 2.5
    assert took < 3.5


def test_the_clock_knows_when_the_process_began():
    code = (
        "import time; time.sleep(0.5); before = time.monotonic()\n"
        "from stigmergy.cli.clock import started; print(before - started)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 0.5 <= float(done.stdout) < 5
    assert clock.started < time.monotonic()


def test_the_clock_without_proc(monkeypatch):
    def no_proc(*_, **__):
        raise FileNotFoundError

    monkeypatch.setattr("builtins.open", no_proc)
    assert clock._age() == pytest.approx(time.process_time(), abs=1)


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_interruption_writes_the_best_so_far(folder, sent, tmp_path):
    target = tmp_path / "best.json"
    line = f"learn asia.csv -p iterations=100000000 -o {target} -o {tmp_path / 'best.bif'} --json"
    with subprocess.Popen(
        [COMMAND, *shlex.split(line)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(2.5)
        process.send_signal(sent)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    result = Result.load(target)
    assert result.stop == "interrupted"
    assert json.loads(out) == result.to_dict()
    assert len(result.cpdag.edges) > 3
    assert read_bif(tmp_path / "best.bif").dag == result.dag


def test_checkpoint_and_resume(folder):
    line = "learn asia.csv -p ants=3 -p iterations={} --seed 4 --json"
    whole = json.loads(call(folder, line.format(6))[1])
    keep = "--max-iter 3 --checkpoint state --checkpoint-every 0"
    assert call(folder, f"{line.format(6)} {keep}")[0] == 0
    resumed = json.loads(call(folder, f"{line.format(6)} --resume state")[1])
    assert Result.from_dict(resumed) == Result.from_dict(whole)
    assert resumed["trace"]["best_score"] == whole["trace"]["best_score"]
    code, _, err = call(folder, "learn asia.csv -a greedy-e --checkpoint state")
    assert code == 2
    assert "greedy-e keeps no checkpoints" in err


def test_results_that_are_less_than_they_look_come_with_a_warning(folder, tmp_path):
    code, _, err = call(folder, f"learn asia.csv -a exact --time-limit 0.001 -o {tmp_path}/a.dot")
    assert code == 0
    assert "exact ended (time limit) with nothing better than the graph it began from" in err
    code, _, err = call(folder, f"learn asia.csv -a fci -o {tmp_path}/b.dot -o {tmp_path}/b.json")
    assert code == 0
    assert "warning: b.dot: these show the class of the nearest network without hidden" in err
    code, _, err = call(folder, f"learn asia.csv -a fci -o {tmp_path}/c.json")
    assert "warning" not in err


def test_a_checkpoint_that_cannot_be_written_does_not_end_the_search(folder, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    line = f"learn asia.csv -p iterations=2 --checkpoint {tmp_path}/state --checkpoint-every 0"
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        code, out, err = call(folder, line)
    assert code == 0
    assert "class        8 variables" in out
    why = "cannot be written: No space left on device; the search goes on"
    assert err.splitlines()[0] == f"warning: checkpoint '{tmp_path}/state' {why}"
    assert list(tmp_path.iterdir()) == []


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("learn asia.csv --algorithm aco-f", 2, "unknown algorithm 'aco-f'; did you mean 'aco-"),
        ("learn asia.csv -p antz=3", 2, "unknown parameter of aco-e 'antz'; did you mean 'ants'?"),
        ("learn asia.csv -p seed=3", 2, "seed is an option of its own, --seed, not a parameter of"),
        ("learn asia.csv -p data=3", 2, "unknown parameter of aco-e 'data'"),
        ("learn asia.csv -p ants", 2, "--param must be NAME=VALUE, got 'ants'"),
        ("learn asia.csv -p ants=many", 2, "ants must be an integer >= 1, got 'many'"),
        ("learn asia.csv --score bdue", 2, "unknown score 'bdue'; did you mean 'bdeu'"),
        ("learn asia.csv --score bic --ess 2", 2, "error: --ess belongs to --score bdeu, got"),
        ("learn asia.csv --colour red", 2, "No such option"),
        ("learn asia.csv --seed x", 2, "is not a valid int"),
        ("learn asia.csv --require asia", 2, "--require must be PARENT,CHILD"),
        ("learn asia.csv --forbid 'a -> b'", 2, "got 'a -> b'; write a,b\n"),
        (
            "learn asia.csv --require asia,tub --forbid asia,tub --root tubb",
            2,
            "the knowledge cannot be met: --root names 'tubb', which is no variable "
            "(did you mean 'tub'?); asia -> tub is required, but it is forbidden",
        ),
        ("learn asia.csv -o out.xyz", 2, "cannot tell the format of 'out.xyz' from its name"),
        ("learn asia.csv -o none/out.json", 4, "cannot write 'none/out.json': there is no folder"),
        ("learn asia.csv -o .", 2, "cannot tell the format of '.'"),
        ("learn none.csv", 3, "file 'none.csv' does not exist"),
        ("learn missing.csv", 3, "missing cells: 'a' 1 (of 3 rows); impute them, or pass"),
        ("learn floats.csv", 3, "column 'a' holds real numbers"),
        ("learn twice.csv", 3, "names of columns must be distinct; more than once: a"),
        ("learn empty.csv", 3, "is empty"),
        ("learn heading.csv", 3, "there are no rows of data"),
        ("learn binary.csv", 3, "is no table"),
        ("learn stray.csv", 3, "column 'a' holds numbers, but 'oops' in data row 301"),
        ("learn asia.csv --levels none.json", 3, "levels file 'none.json' cannot be read"),
        ("learn asia.csv --levels twice.csv", 3, "levels file 'twice.csv' is not JSON"),
        ("learn asia.csv --levels list.json", 3, "levels file 'list.json' must hold"),
        ("learn asia.csv --levels few.json", 3, "column 'dysp' holds 'yes', which --levels does"),
        ("learn asia.csv --tiers none.txt", 3, "tiers file 'none.txt' cannot be read"),
        ("learn asia.csv --start none.dot", 3, "structure file 'none.dot': cannot be read"),
        (
            "learn asia.csv --start other.dot",
            2,
            "--start must have the variables of the data; not in the data: 'another', 'other'; not "
            "in start: 'asia', 'bronc', ",
        ),
        (
            "score asia.csv other.dot",
            3,
            "the graph must have the variables of the data; not in the data: 'another', 'other'",
        ),
        ("learn asia.csv --resume list.json", 2, "is not a checkpoint that can be read: it has an"),
        ("score asia.csv twice.csv", 3, "structure file 'twice.csv'"),
        ("score asia.csv", 2, "Missing argument 'STRUCTURE'"),
        ("shd none.json none.dot", 3, "structure file 'none.json': cannot be read"),
        ("sample alarn 10", 2, "unknown network 'alarn'; did you mean 'alarm'"),
        ("sample none.bif 10", 3, "network file 'none.bif' cannot be read: No such file"),
        ("sample asia 0", 2, "0 is not in the range"),
        ("fit asia.csv other.dot", 3, "other"),
        ("convert other.dot x.bif", 2, "is a structure without probabilities, which .bif needs"),
        ("convert other.dot x.svg --dag --cpdag", 2, "give --cpdag or --dag, not both"),
        ("convert other.dot", 2, "Missing argument"),
        ("convert square.dot x.svg", 3, "has no consistent extension"),
        ("info none.csv", 3, "file 'none.csv' does not exist"),
        ("algorithms hcc", 2, "unknown algorithm 'hcc'"),
        ("lern asia.csv", 2, "there is no command 'lern'; did you mean learn?"),
    ],
)
def test_refusals(folder, line, code, message):
    (folder / "missing.csv").write_text("a,b\nx,y\n,y\nx,x\n")
    (folder / "floats.csv").write_text("a,b\n0.5,y\n1.25,y\n2.75,x\n")
    (folder / "twice.csv").write_text("a,a\nx,y\ny,x\n")
    (folder / "empty.csv").write_text("")
    (folder / "heading.csv").write_text("a,b\n")
    (folder / "binary.csv").write_bytes(bytes(range(256)) * 4)
    (folder / "stray.csv").write_text("a,b\n" + "1,x\n2,y\n" * 150 + "oops,y\n")
    (folder / "list.json").write_text("[1]")
    (folder / "few.json").write_text('{"dysp": ["no"]}')
    (folder / "other.dot").write_text("digraph { other -> another }")
    (folder / "square.dot").write_text("graph { a -- b -- c -- d -- a }")
    found, out, err = call(folder, line)
    assert message in err
    assert (found, out) == (code, "")
    assert "Traceback" not in err


def test_an_unwritable_folder_is_told_before_the_search(folder, tmp_path, monkeypatch):
    # Root may write everywhere, so the answer of the system is played.
    def refuse(*, dir):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    code, out, err = call(folder, f"learn asia.csv -o {tmp_path}/x.json")
    assert (code, out) == (4, "")
    why = f"Permission denied in the folder '{tmp_path}'"
    assert err == f"error: cannot write '{tmp_path}/x.json': {why}\n"


def test_a_full_disk_leaves_what_was_there(folder, tmp_path, monkeypatch):
    target = tmp_path / "x.json"
    target.write_text("before")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    code, out, err = call(folder, f"learn asia.csv -a greedy-e -o {target}")
    assert code == 4
    assert "No space left on device" in err
    assert out.startswith("algorithm    greedy-e\n")  # what was found is not lost
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_what_bif_cannot_hold_is_told_before_the_search(folder, monkeypatch):
    import stigmergy.learn

    (folder / "pipes.csv").write_text("pipe,leak\n" + '"5"" pipe",yes\n3,no\n3,yes\n' * 20)
    (folder / "pipes.dot").write_text("digraph { pipe -> leak }")
    with monkeypatch.context() as patch:
        patch.setattr(stigmergy.learn, "learn_structure", None)  # which would be called
        code, out, err = call(folder, "learn pipes.csv -o pipes.bif -o pipes.json")
    assert (code, out) == (4, "")
    assert err == (
        "error: cannot write 'pipes.bif': of 'pipe' the state '5\" pipe' cannot be written in BIF: "
        "it has a quote or a line break; rename it, or pass --plain-names\n"
    )
    for line in ("fit pipes.csv pipes.dot -o pipes.bif", "fit pipes.csv pipes.dot"):
        code, out, err = call(folder, line)
        assert (code, out) == (4, "")
        assert "rename it, or pass --plain-names" in err
    assert not list(folder.glob("pipes.[bj]*"))
    code, _, err = call(folder, "learn pipes.csv -o pipes.bif -o pipes.json --plain-names")
    assert (code, err) == (0, "wrote pipes.bif\nwrote pipes.json\n")
    levels = {"pipe": ("3", "_5__pipe"), "leak": ("no", "yes")}
    written = read_bif(folder / "pipes.bif")
    assert {name: written.levels_of(name) for name in written.names} == levels
    fitted = parse_bif(call(folder, "fit pipes.csv pipes.dot --plain-names")[1])
    assert fitted.levels_of("pipe") == levels["pipe"]
    code, _, err = call(folder, "convert pipes.bif again.bif --plain-names")
    assert (code, err) == (0, "wrote again.bif\n")


def test_what_graphml_cannot_hold_is_told_before_the_search(folder):
    (folder / "bell.csv").write_text("a\x07,b\n" + "x,y\ny,x\nx,x\n" * 20)
    code, out, err = call(folder, "learn bell.csv -o bell.json -o bell.graphml")
    assert (code, out) == (4, "")
    assert "cannot write 'bell.graphml': XML has no way to write the character '\\x07'" in err
    assert not (folder / "bell.json").exists()


def test_one_output_that_fails_does_not_keep_the_others_from_being_written(
    folder, tmp_path, monkeypatch
):
    real = os.replace

    def full(source, target):
        if str(target).endswith(".dot"):
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", full)
    outputs = " ".join(f"-o {tmp_path}/x.{suffix}" for suffix in ("csv", "dot", "json"))
    code, out, err = call(folder, f"learn asia.csv -a greedy-e {outputs}")
    assert code == 4
    assert out.startswith("algorithm    greedy-e\n")
    assert err.splitlines() == [
        f"wrote {tmp_path}/x.csv",
        f"wrote {tmp_path}/x.json",
        f"error: cannot write {tmp_path}/x.dot: No space left on device",
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.csv", "x.json"]


def test_warnings_go_to_standard_error(folder):
    (folder / "odd.csv").write_text("a,b,c\n" + "".join(f"x,{i},{i % 2}\n" for i in range(40)))
    done = spawn(folder, "learn odd.csv -a greedy-e --json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["variables"] == ["a", "b", "c"]
    (line,) = done.stderr.splitlines()
    assert line.startswith("warning: constant, so independent of everything: 'a'; all values dist")


def test_a_reader_that_has_enough_is_no_error(folder):
    line = f"{COMMAND} sample alarm 20000 | head -n 1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, cwd=folder)
    assert done.stdout.startswith("HISTORY,")
    assert done.stderr == ""


@pytest.mark.parametrize(
    "line", ["sample alarm 20000", "info asia.csv", "learn asia.csv -a hc -o piped.bif"]
)
def test_a_closed_pipe_is_no_failure(folder, line):
    with subprocess.Popen(
        [COMMAND, *shlex.split(line)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        assert process.stderr.read() in (b"", b"wrote piped.bif\n")
        assert process.wait() == 0
    assert "-o" not in line or read_bif(folder / "piped.bif").names


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is full")
@pytest.mark.parametrize(
    "line",
    ["learn asia.csv -a hc -o full.json", "sample asia 5", "info asia.csv", "networks", "--help"],
)
def test_a_full_standard_output_is_told(folder, line):
    for unbuffered in ("", "1"):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [COMMAND, *shlex.split(line)],
                cwd=folder,
                env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
            )
        *before, last = done.stderr.splitlines()
        assert last == "error: cannot write standard output: No space left on device"
        assert before == (["wrote full.json"] if "-o" in line else [])
        assert done.returncode == 4


# -- the other commands ----------------------------------------------------------------------------


def test_sample_in_every_format_is_the_same_data(folder):
    for suffix in ("csv", "parquet", "arrow"):
        assert call(folder, f"sample asia 3000 --seed 9 -o rows.{suffix}")[0] == 0
    tables = [Dataset.from_any(folder / f"rows.{s}").to_dict() for s in ("csv", "parquet", "arrow")]
    assert tables[0] == tables[1] == tables[2] == ASIA.sample(3000, 9).to_dict()
    assert call(folder, "sample asia 3000 --seed 9")[1] == (folder / "rows.csv").read_text()


def test_score_by_families(folder):
    call(folder, "convert bif.bif x.dot")
    (folder / "true.dot").write_text(call(folder, "sample asia 1")[1] and _dot(ASIA.dag))
    _, out, _ = call(folder, "score asia.csv true.dot --json --ess 2")
    document = json.loads(out)
    from stigmergy import BDeu

    scorer = Scorer(Dataset.from_any(folder / "asia.csv"), BDeu(2))
    assert document["score"] == pytest.approx(scorer.score_graph(ASIA.dag))
    assert sum(row["score"] for row in document["families"]) == pytest.approx(document["score"])
    _, text, _ = call(folder, "score asia.csv true.dot --ess 2")
    assert f"{document['score']:,.4f}  in all" in text
    assert "  either | lung, tub\n" in text


def _dot(dag):
    from stigmergy.io.structure import format_structure

    return format_structure(dag, "dot")


def test_shd_of_two_files(folder):
    (folder / "true.dot").write_text(_dot(ASIA.dag))
    (folder / "chain.csv").write_text(
        "from,to,kind,graph\nasia,tub,directed,dag\n"
        + "".join(f"{name},,isolated,dag\n" for name in ASIA.names if name not in ("asia", "tub"))
    )
    document = json.loads(call(folder, "shd true.dot chain.csv --json")[1])
    chain = read_structure(folder / "chain.csv")
    assert document["shd"] == shd(ASIA.dag, chain)
    assert len(document["missing"]) == 7
    assert document["skeleton"]["recall"] == pytest.approx(1 / 8)
    assert call(folder, "shd true.dot chain.csv")[1].startswith(f"SHD {document['shd']}: 7 missing")


def test_fit_and_convert(folder):
    (folder / "true.dot").write_text(_dot(ASIA.dag))
    assert call(folder, "fit asia.csv true.dot --ess 2 -o fitted.bif")[0] == 0
    fitted = read_bif(folder / "fitted.bif")
    assert fitted.dag == ASIA.dag
    _, text, _ = call(folder, "fit asia.csv true.dot --ess 2")
    assert text == (folder / "fitted.bif").read_text()
    assert call(folder, "convert fitted.bif again.bif.gz class.graphml --cpdag")[0] == 0
    assert read_bif(folder / "again.bif.gz") == fitted
    assert read_structure(folder / "class.graphml") == ASIA.dag.to_cpdag()
    assert call(folder, "convert class.graphml one.json --dag")[0] == 0
    assert read_structure(folder / "one.json").to_cpdag() == ASIA.dag.to_cpdag()


def test_info(folder):
    (folder / "odd.csv").write_text("a,b,c\n" + "".join(f"x,{i},{i % 2}\n" for i in range(40)))
    code, out, err = call(folder, "info odd.csv")
    assert (code, err) == (0, "")
    assert "note: constant, so independent of everything: 'a'" in out
    assert "note: all values distinct, so probably an id; leave it out by --drop 'b'" in out
    document = json.loads(call(folder, "info odd.csv --json")[1])
    assert document["n_rows"] == 40
    assert document["columns"][0]["constant"] is True
    assert len(document["concerns"]) == 2
    assert document["fingerprint"] in out


def test_info_of_what_a_search_refuses(folder):
    rows = [
        f"{i / 7},{'' if i % 5 == 1 else i % 3},{'x' if i % 4 else ''},{i % 2}\n" for i in range(40)
    ]
    (folder / "gaps.csv").write_text("r,a,b,c\n" + "".join(rows))
    code, out, err = call(folder, "info gaps.csv")
    assert (code, err) == (0, "")
    lines = [re.sub(" +", " ", line) for line in out.splitlines()]
    assert lines[4:] == [
        "r number 0 real numbers: needs --discretize",
        "a integer 3 0, 1, 2 8 missing",
        "b text 1 x 10 missing, constant",
        "c integer 2 0, 1",
        "",
        "note: missing cells: impute them, or say --missing drop or --missing level",
        "note: real numbers: say --discretize quantile:5, for one, or --drop the columns",
        "note: constant, so independent of everything: 'b'",
    ]
    document = json.loads(call(folder, "info gaps.csv --json")[1])
    assert document["fingerprint"] is None
    assert [column["missing"] for column in document["columns"]] == [0, 8, 10, 0]
    settled = "gaps.csv --missing level --discretize quantile:3"
    _, out, _ = call(folder, f"info {settled}")
    assert "note: " not in out
    assert "fingerprint " in out
    assert call(folder, f"learn {settled} -a greedy-e")[0] == 0


def test_lists(folder):
    _, out, _ = call(folder, "networks")
    assert len(out.splitlines()) == 1 + len(networks.names())
    assert "alarm " in out
    document = json.loads(call(folder, "networks --json")[1])
    assert {entry["name"]: entry["n_arcs"] for entry in document}["alarm"] == 46
    _, out, _ = call(folder, "algorithms")
    assert any(line.startswith("aco-e  ") for line in out.splitlines())
    _, out, _ = call(folder, "algorithms aco-e")
    assert any(line.split()[:2] == ["ants", "20"] for line in out.splitlines())
    (entry,) = json.loads(call(folder, "algorithms aco-e --json")[1])
    assert entry["in_class_space"] is True
    assert {"name": "ants", "default": 20} in [
        {key: p[key] for key in ("name", "default")} for p in entry["parameters"]
    ]


def test_tables_fit_a_terminal(monkeypatch, capsys):
    from stigmergy.cli.table import print_table

    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("NO_COLOR", "1")
    print_table(("name", "what"), [("a", "many words " * 9)], right=())
    styles = re.compile(r"\x1b\[[0-9;]*m")
    lines = styles.sub("", capsys.readouterr().out).splitlines()
    assert max(map(len, lines)) <= 30
    assert len(lines) > 5


def test_demo(folder):
    code, out, _ = call(folder, "demo --network asia --rows 500 --output demo/here")
    assert code == 0
    names = ("data.csv", "result.json", "network.bif", "network.svg", "network.png")
    for name in names:
        assert f"wrote demo/here/{name}\n" in out
        assert (folder / "demo" / "here" / name).stat().st_size > 100
    result = Result.load(folder / "demo/here/result.json")
    assert f"{result.score:,.2f} nats" in out
    assert str(result.compare(ASIA.dag).shd) in out


def test_demo_needs_a_folder(folder):
    code, _, err = call(folder, "demo --output asia.csv")
    assert code == 4
    assert "cannot make the folder 'asia.csv'" in err


# -- texts that become values ----------------------------------------------------------------------


def test_edges():
    assert parsed_edges("--require", ["a,b", '"x, 1",y', " a , b "]) == [
        ("a", "b"),
        ("x, 1", "y"),
        ("a", "b"),
    ]
    for wrong in ("a", "a,b,c", ",b", ""):
        with pytest.raises(KnowledgeError, match="must be PARENT,CHILD"):
            parsed_edges("--require", [wrong])


def test_parameters():
    texts = ["ants=3", "rho=0.5", "heuristic=static", "operators=InsertU,DeleteU", "q0=none"]
    assert parsed_parameters("aco-e", [*texts, "trace-moves=true"]) == {
        "ants": 3,
        "rho": 0.5,
        "heuristic": "static",
        "operators": ("InsertU", "DeleteU"),
        "q0": None,
        "trace_moves": True,
    }
    with pytest.raises(ParameterError, match="NAME=VALUE"):
        parsed_parameters("aco-e", ["=3"])
    for text in ('order=b,"a, 1"', 'order=["b", "a, 1"]'):
        assert list(parsed_parameters("k2", [text])["order"]) == ["b", "a, 1"]


def test_tiers(tmp_path):
    text, document = tmp_path / "t.txt", tmp_path / "t.json"
    text.write_text('a, "b, 1"\n\nc\n')
    document.write_text('[["a", "b, 1"], ["c"]]')
    assert read_tiers(text) == read_tiers(document) == [["a", "b, 1"], ["c"]]
    assert read_tiers(None) == []


def test_defaults_are_written_as_param_takes_them(folder):
    _, out, _ = call(folder, "algorithms pc mmhc exact or")
    shown = {tuple(line.split()[:2]) for line in out.splitlines() if line}
    assert {
        ("min_rows_per_cell", "0.0"),
        ("max_conditioning", "none"),
        ("memory", "none"),
        ("restarts", "0"),
    } <= shown
    assert "See " not in out
