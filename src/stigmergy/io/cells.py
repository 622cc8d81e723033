# SPDX-License-Identifier: MIT
"""What a written cell says: nothing, a truth value, an integer, a number, a word."""

from __future__ import annotations

import re

# What a cell may hold that means nothing is known.
MISSING_TOKENS = frozenset({"", "NA", "N/A", "<NA>", "NaN", "nan", "NULL", "null"})

# Integers have any size within reason. A double would merge distinct ones of more digits than 18,
# so beside numbers with a point they are words.
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,99}")
_NUMBER = re.compile(r"-?((0|[1-9][0-9]{0,17})(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?")
DECIMAL_COMMA = re.compile(r"-?[0-9]+,[0-9]+")
TRUTH_VALUES = ({"False", "True"}, {"false", "true"}, {"FALSE", "TRUE"})


def is_integer(text: str) -> bool:
    """Tell whether a cell is an integer as it is usually written: ``7``, ``-12``; not ``007``."""
    return _INTEGER.fullmatch(text) is not None


def is_number(text: str) -> bool:
    """Tell whether a cell is a number as it is usually written: ``7``, ``-0.5``, ``1e3``."""
    return _NUMBER.fullmatch(text) is not None
