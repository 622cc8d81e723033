# SPDX-License-Identifier: MIT
"""Columns of values, batch by batch, to codes of one or two bytes.

Every reader hands its batches to one column object per column of the table, so peak memory stays
near one byte per cell plus a batch. What is wrong with a column is remembered, not raised, until
all rows have been seen: then one message can name every such column, with counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stigmergy.data_report import MISSING_LEVEL, counts_of
from stigmergy.dataset import MAX_ARITY, Level
from stigmergy.discretize import Discretizer

Array: TypeAlias = npt.NDArray[Any]

# Integers whose range is below this are numbered through a table, others by sorting.
TABLE_RANGE = 1 << 20
# Rows per step: bounds the 8-byte temporaries of a step.
STEP = 1 << 20

FLOATS_WAY_OUT = (
    "categories are needed; pass discretize= ('quantile:5', 'width:5', 'cuts:0,1.5', "
    "'mdlp:CLASS'), or make integers or strings of it if its values are categories"
)


class Coded(NamedTuple):
    """Values as codes into levels; a negative code is a missing cell."""

    codes: Array
    levels: Sequence[Any]
    declared: bool = False


def coded_integers(values: Array, mask: Array | None = None) -> Coded:
    """Code integers; those under the mask are missing."""
    present = values if mask is None else values[~mask]
    if len(present) == 0:
        return Coded(np.full(len(values), -1), ())
    low, high = int(present.min()), int(present.max())
    if high - low < TABLE_RANGE:
        # The difference of the wrapped values is right even when the type is too narrow for it.
        wide = values if values.dtype.itemsize > 4 else values.astype(np.int64)
        codes = (wide - wide.dtype.type(low)).astype(np.int64, copy=False)
        levels: Sequence[int] = range(low, high + 1)
    else:
        distinct, codes = np.unique(values, return_inverse=True)
        levels = distinct.tolist()
    if mask is not None:
        codes = np.where(mask, -1, codes)
    return Coded(codes, levels)


class Column:
    """One column of categories while its batches arrive.

    A cell is stored as the number of its value, numbers being given by first occurrence (after
    the declared levels); a missing one as 0, its row being kept in `missing`. `problem` says why
    the column is refused.
    """

    def __init__(self, name: str, domain: Sequence[Level] | None = None) -> None:
        self.name = name
        self.domain = None if domain is None else tuple(domain)
        self.declared = domain is not None
        self.numbers: dict[Any, int] = {level: k for k, level in enumerate(self.domain or ())}
        self.domain_kinds = {_kind(level) for level in self.numbers}
        # Grows as rows arrive; from `n_rows` on it is spare room.
        self._codes: Array = np.empty(0, dtype=np.uint8)
        self.missing: list[Array] = []
        self.n_rows = 0
        self.problem = ""
        self.has_fractions = False
        # For columns of numbers: the rule, and what its cuts may depend on.
        self.discretizer: Discretizer | None = None
        self.classes: Array | None = None
        self.weights: Array | None = None

    @property
    def n_missing(self) -> int:
        """How many cells are missing so far."""
        return sum(map(len, self.missing))

    def append(self, values: Array | Coded) -> None:
        """Take one batch: floats, integers, truth values, or codes with levels."""
        n = len(values.codes) if isinstance(values, Coded) else len(values)
        if self.problem:
            self.n_rows += n
            return
        for start in range(0, n, STEP):
            stop = start + STEP
            if isinstance(values, Coded):
                self._append_codes(values._replace(codes=values.codes[start:stop]))
            elif values.dtype.kind == "b":
                self._append_codes(Coded(values[start:stop].view(np.uint8), (False, True)))
            elif values.dtype.kind == "f":
                self._append_floats(values[start:stop])
            else:
                self._append_codes(coded_integers(values[start:stop]))

    def _append_floats(self, values: Array) -> None:
        values = values.astype(np.float64, copy=False)
        missing = np.isnan(values)
        present = values[~missing] if missing.any() else values
        mask = missing if missing.any() else None
        whole = np.floor(present)
        fits = np.abs(present) < 2.0**63
        if np.array_equal(whole, present) and fits.all():
            safe = values if mask is None else np.where(mask, 0.0, values)
            return self._append_codes(coded_integers(safe.astype(np.int64), mask))
        if self.domain is not None:
            distinct, codes = np.unique(present, return_inverse=True)
            full = np.full(len(values), -1)
            full[~missing] = codes
            return self._append_codes(Coded(full, distinct.tolist()))
        self.has_fractions = True
        odd = present[(whole != present) | ~fits][0]
        self.refuse(f"column {self.name!r} holds real numbers ({odd:g} for one)")
        return self._append_codes(Coded(np.where(missing, -1, 0), (0,)))

    def _append_codes(self, values: Coded) -> None:
        codes, levels, declared = values
        if declared and self.domain is None:
            self.declared = True
            for level in levels:
                self.number_of(level)
        at = np.flatnonzero(codes < 0)
        if len(at):
            self.missing.append(at + self.n_rows)
            observed = np.flatnonzero(np.bincount(codes[codes >= 0], minlength=len(levels)))
        else:
            observed = np.flatnonzero(np.bincount(codes, minlength=len(levels)))
        table = np.zeros(max(len(levels), 1), dtype=np.int64)
        for k in observed.tolist():
            table[k] = self.number_of(levels[k])
        if (table < 0).any():  # levels that stand for a missing cell
            more = np.flatnonzero((table < 0)[codes])
            self.missing.append(more[codes[more] >= 0] + self.n_rows)
            table[table < 0] = 0
        stop = self.n_rows + len(codes)
        self._make_room(stop)
        added = self._codes[self.n_rows : stop]
        added[:] = table.astype(added.dtype)[codes]
        added[at] = 0
        self.n_rows = stop

    def _make_room(self, n: int) -> None:
        """Have room for `n` rows, by an eighth more than before: large blocks grow in place."""
        width = narrowest(len(self.numbers))
        if np.dtype(width).itemsize > self._codes.itemsize:
            self._codes = self._codes.astype(width)
        if n > len(self._codes):
            self._codes.resize(max(n, len(self._codes) * 9 // 8), refcheck=False)

    def joined(self) -> Array:
        """Return the codes of all rows; they are given up here."""
        codes, self._codes = self._codes, np.empty(0, dtype=np.uint8)
        codes.resize(self.n_rows, refcheck=False)
        return codes

    def number_of(self, level: Any) -> int:
        """Return the number of a value, a new one if need be, -1 for what means missing."""
        number = self.numbers.get(level)
        if self.domain is not None:
            if number is None or _kind(level) not in self.domain_kinds:
                self.refuse(
                    f"column {self.name!r} holds {level!r}, which levels= does not have: "
                    f"{_shown(self.domain)}"
                )
                return 0
            return number
        if number is None:
            if len(self.numbers) >= MAX_ARITY:
                if not self.problem:
                    self.refuse_size()
                return 0
            number = self.numbers[level] = len(self.numbers)
        return number

    def refuse(self, problem: str) -> None:
        """Remember why the column is refused; the first reason stays."""
        self.problem = self.problem or problem

    def refuse_size(self) -> None:
        """Refuse the column for its number of values."""
        self.refuse(
            f"column {self.name!r} has more than 65,535 distinct values; leave it out if it is an "
            "id, or pass discretize= for it if it is a number"
        )

    def parsed(self) -> list[Any]:
        """Return the value of each number."""
        return list(self.numbers)

    def finish(self, keep: Array | None, *, missing_level: bool) -> tuple[Array, tuple[Level, ...]]:
        """Return codes and levels; the column is empty afterwards.

        Parameters
        ----------
        keep : array of bool or None
            The rows to keep.
        missing_level : bool
            Whether missing cells are a level of their own, the last one.
        """
        values = self.parsed()
        where = np.concatenate(self.missing) if self.missing else np.empty(0, dtype=np.int64)
        codes = self.joined()
        if keep is not None:
            codes = codes[keep]
        if self.declared:
            levels = values
        else:
            counts = counts_of(codes, max(len(values), 1))
            if missing_level:
                counts[0] -= len(where)
            levels = sorted({value for value, n in zip(values, counts, strict=False) if n})
        position = {level: code for code, level in enumerate(levels)}
        levels = list(levels)
        if missing_level and len(where):
            if MISSING_LEVEL in levels:
                self.refuse(
                    f"column {self.name!r} has a level {MISSING_LEVEL!r} already, which "
                    "missing='level' needs; rename it"
                )
            levels.append(MISSING_LEVEL)
        table = np.zeros(max(len(values), 1), dtype=narrowest(len(levels)))
        for number, value in enumerate(values):
            table[number] = position.get(value, 0)
        for start in range(0, len(codes), STEP):
            codes[start : start + STEP] = table[codes[start : start + STEP]]
        codes = codes.astype(table.dtype, copy=False)
        if missing_level and len(where):
            codes[where] = len(levels) - 1
        return codes, tuple(levels)


def narrowest(n: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    """Return the narrowest type that has room for `n` codes."""
    return np.uint8 if n <= 256 else np.uint16 if n <= 65_536 else np.uint32


def _kind(level: Any) -> type:
    return float if type(level) is int else type(level)


def _shown(levels: Sequence[Any], limit: int = 8) -> str:
    text = ", ".join(map(repr, levels[:limit]))
    return text if len(levels) <= limit else f"{text} and {len(levels) - limit:,} more"
