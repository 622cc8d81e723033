# SPDX-License-Identifier: MIT
"""What several arguments are checked for, and what is said of those that fail."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import TypeGuard


def is_integer(value: object) -> TypeGuard[int]:
    """Tell whether a value is an integer, of Python or NumPy, and no truth value."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value is a real number, of Python or NumPy, and no truth value."""
    return isinstance(value, Real) and not isinstance(value, bool)


def counted(n: int, what: str) -> str:
    """Return a number with what it counts, in the plural unless it is one.

    Examples
    --------
    >>> counted(1, "row"), counted(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{n:,} {what}{'s' * (n != 1)}"


def type_of(value: object) -> str:
    """Return the name of a value's type with its article."""
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def other_names(what: str, given: Iterable[str], names: Iterable[str]) -> str:
    """Say how the nodes of a graph differ from the variables of the data; empty if they do not."""
    extra, missing = sorted(set(given) - set(names)), sorted(set(names) - set(given))
    parts = [f"not in the data: {', '.join(map(repr, extra))}"] if extra else []
    if missing:
        parts.append(
            f"not in {what}: {', '.join(map(repr, missing))} (a node without edges is named too)"
        )
    return f"{what} must have the variables of the data; {'; '.join(parts)}" if parts else ""
