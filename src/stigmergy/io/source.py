# SPDX-License-Identifier: MIT
"""What every reader returns: names, batches of columns, and what was read in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from stigmergy.dataset import Level


@dataclass(slots=True)
class Source:
    """A table about to be read.

    Attributes
    ----------
    names : list of str
        The columns.
    batches : iterable
        Each batch gives, per column, an object of `columns.values_of`; all of one length.
    text : str
        What is read, in words.
    is_text : bool
        Whether cells are written, so that their types are to be found out.
    levels : dict
        Domains that the source itself declares.
    arities : tuple of int or None
        How many levels each column must turn out to have, where the source says only that.
    concerns : list of str
        What the user is to be warned of.
    """

    names: list[str]
    batches: Iterable[Iterable[Any]]
    text: str
    is_text: bool = False
    levels: dict[str, Sequence[Level]] = field(default_factory=dict)
    arities: tuple[int, ...] | None = None
    concerns: list[str] = field(default_factory=list)
