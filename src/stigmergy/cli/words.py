# SPDX-License-Identifier: MIT
"""What the library says, in the words of the command line."""

from __future__ import annotations

import re

#: Options by the names that the library has for them.
OPTIONS = {
    "allowed_edges": "--allow",
    "checkpoint": "--checkpoint",
    "checkpoint_every": "--checkpoint-every",
    "delimiter": "--delimiter",
    "discretize": "--discretize",
    "drop": "--drop",
    "encoding": "--encoding",
    "every": "--checkpoint-every",
    "ess": "--ess",
    "forbidden_edges": "--forbid",
    "kappa": "--kappa",
    "leaves": "--leaf",
    "levels": "--levels",
    "max_iter": "--max-iter",
    "max_parents": "--max-parents",
    "missing": "--missing",
    "n_jobs": "--threads",
    "required_edges": "--require",
    "resume": "--resume",
    "roots": "--root",
    "score": "--score",
    "seed": "--seed",
    "start": "--start",
    "tiers": "--tiers",
    "time_limit": "--time-limit",
}
# Those that are no words of English mean the argument wherever they stand, the others where a
# sentence begins with them or they are given a value.
_UNMISTAKABLE = "|".join(name for name in OPTIONS if "_" in name)
_VERBS = r"(?:must|belongs|contradicts|names)\b"
_FLAGS = {
    "arities=False": "--no-arities",
    "header=True": "--header",
    "header=False": "--no-header",
    "plain_names=True": "--plain-names",
}
_RULES = (
    (re.compile(r"Dataset\.from_file\(\.\.\., ([^)]*)\)"), lambda m: m[1]),
    (re.compile(rf"(?<![\w/])(?:{'|'.join(_FLAGS)})"), lambda m: _FLAGS[m[0]]),
    (re.compile(r"(?<![\w/])drop=\[([^\]]*)\]"), lambda m: _each("--drop", m[1])),
    (re.compile(r"(?<![\w/])levels=\{[^}]*\}"), lambda m: "--levels FILE.json"),
    (
        re.compile(rf"(?<![\w(/])({'|'.join(OPTIONS)})=('?)([^\s';,)]*)\2"),
        lambda m: f"{OPTIONS[m[1]]} {m[3]}".rstrip(),
    ),
    (
        re.compile(rf"(?:^|(?<=: )|(?<=; ))({'|'.join(OPTIONS)})(?= {_VERBS})"),
        lambda m: OPTIONS[m[1]],
    ),
    (re.compile(" or None(?=, got)"), lambda m: ""),  # an option is left out instead
    # Next to a slash it is a part of a path.
    (re.compile(rf"(?<![\w/\\-])({_UNMISTAKABLE})\b(?![/\\])"), lambda m: OPTIONS[m[1]]),
)
# What stands in quotes is the user's: it is taken out while the rules are applied. The value of an
# argument is not, as an option has it without the quotes.
_QUOTED = re.compile(r"(?<![\w=])(['\"]).*?\1(?!\w)", re.DOTALL)
_TAKEN_OUT = re.compile("\0(\\d+)\0")


def _each(option: str, listed: str) -> str:
    """Give each of the quoted names in a list, which are taken out, an option of its own."""
    return option + " " + listed.replace("\0, \0", f"\0 {option} \0")


def in_options(message: str) -> str:
    """Turn the names of arguments in a message into those of options.

    Examples
    --------
    >>> in_options("missing cells: 'a' 1; pass missing='drop' (leave those rows out)")
    "missing cells: 'a' 1; pass --missing drop (leave those rows out)"
    >>> in_options("max_parents must be an integer >= 0 or None, got -1")
    '--max-parents must be an integer >= 0, got -1'
    >>> in_options("file 'n_jobs/seed=1.csv' is empty; n_jobs was 2")
    "file 'n_jobs/seed=1.csv' is empty; --threads was 2"
    """
    quoted: list[str] = []

    def take_out(found: re.Match[str]) -> str:
        quoted.append(found[0])
        return f"\0{len(quoted) - 1}\0"

    message = _QUOTED.sub(take_out, message)
    for pattern, words in _RULES:
        message = pattern.sub(words, message)
    return _TAKEN_OUT.sub(lambda m: quoted[int(m[1])], message)
