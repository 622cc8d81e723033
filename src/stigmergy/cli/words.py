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
# sentence begins with them or they are given a value. What stands in quotes is the user's.
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
    (re.compile(rf"(?<!['\w])(?:{'|'.join(_FLAGS)})"), lambda m: _FLAGS[m[0]]),
    (re.compile(r"(?<!['\w])drop=\[([^\]]*)\]"), lambda m: _each("--drop", m[1])),
    (re.compile(r"(?<!['\w])levels=\{[^}]*\}"), lambda m: "--levels FILE.json"),
    (
        re.compile(rf"(?<!['\w(])({'|'.join(OPTIONS)})=('?)([^\s';,)]*)\2"),
        lambda m: f"{OPTIONS[m[1]]} {m[3]}".rstrip(),
    ),
    (
        re.compile(rf"(?:^|(?<=: )|(?<=; ))({'|'.join(OPTIONS)})(?= {_VERBS})"),
        lambda m: OPTIONS[m[1]],
    ),
    (re.compile(" or None(?=, got)"), lambda m: ""),  # an option is left out instead
    (re.compile(rf"(?<!['\w-])({_UNMISTAKABLE})\b(?!')"), lambda m: OPTIONS[m[1]]),
)


def _each(option: str, listed: str) -> str:
    """Give each of the quoted names in a list an option of its own."""
    return option + " " + re.sub(r"(?<=['\"]), (?=['\"])", f" {option} ", listed)


def in_options(message: str) -> str:
    """Turn the names of arguments in a message into those of options.

    Examples
    --------
    >>> in_options("missing cells: 'a' 1; pass missing='drop' (leave those rows out)")
    "missing cells: 'a' 1; pass --missing drop (leave those rows out)"
    >>> in_options("max_parents must be an integer >= 0 or None, got -1")
    '--max-parents must be an integer >= 0, got -1'
    """
    for pattern, words in _RULES:
        message = pattern.sub(words, message)
    return message
