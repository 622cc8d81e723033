# SPDX-License-Identifier: MIT
"""What counts as a number in an argument: those of NumPy too, but not truth values."""

from __future__ import annotations

from numbers import Integral, Real
from typing import TypeGuard


def is_integer(value: object) -> TypeGuard[int]:
    """Tell whether a value is an integer, of Python or NumPy."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value is a real number, of Python or NumPy."""
    return isinstance(value, Real) and not isinstance(value, bool)
