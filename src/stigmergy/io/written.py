# SPDX-License-Identifier: MIT
"""Columns of written cells, whose types are to be found out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stigmergy.dataset import Level
from stigmergy.discretize import Discretizer
from stigmergy.io.cells import (
    DECIMAL_COMMA,
    MISSING_TOKENS,
    TRUTH_VALUES,
    is_integer,
    is_number,
)
from stigmergy.io.encode import Array, Column
from stigmergy.io.numbers import NumberColumn


class WrittenColumn(Column):
    """A column of a text file while its batches arrive.

    Blanks around a cell do not count. The column holds integers if every cell is one, truth
    values if every cell is True or False (or true/false, TRUE/FALSE), numbers if every cell is
    one, else strings: so ``007`` stays a string. Given a domain, a cell means the level that is
    written so, or the level that is the same number.
    """

    def __init__(
        self,
        name: str,
        domain: Sequence[Level] | None = None,
        discretizer: Discretizer | None = None,
    ) -> None:
        super().__init__(name, domain)
        self.discretizer = discretizer
        self._by_text = {str(level): level for level in self.domain or ()}
        self._by_number = {
            float(level): level
            for level in self.domain or ()
            if isinstance(level, int | float) and not isinstance(level, bool)
        }
        if set(self.domain or ()) <= {False, True}:
            for level in self.domain or ():
                if isinstance(level, bool):
                    self._by_text |= {str(level).lower(): level, str(level).upper(): level}

    def number_of(self, level: Any) -> int:
        """Return the number of what a cell says, -1 for a missing one."""
        text = level.strip()
        if "\n" in level or "\0" in level:
            what = "a line end in it (is a quote left open?)" if "\n" in level else "a NUL byte"
            self.refuse(
                f"column {self.name!r} has a cell with {what}: {level[:40]!r}; mend the file, or "
                "read it elsewhere and pass the frame"
            )
        # The reader has seen to missing cells but for blanks; a word in quotes is a word.
        missing = not text or (text in MISSING_TOKENS and text != level)
        if self.domain is None:
            return -1 if missing else super().number_of(text)
        if text in self._by_text:
            return super().number_of(self._by_text[text])
        if missing:
            return -1
        if is_number(text):
            return super().number_of(self._by_number.get(float(text), text))
        return super().number_of(text)

    def refuse_size(self) -> None:
        """Refuse the column for its number of values, or for being real numbers."""
        texts = list(self.numbers)
        if all(map(is_number, texts)) and not all(map(is_integer, texts)):
            self._refuse_fractions(texts)
        else:
            super().refuse_size()

    def _refuse_fractions(self, texts: Sequence[str]) -> None:
        self.has_fractions = True
        odd = next(text for text in texts if not _is_whole(float(text)))
        self.refuse(f"column {self.name!r} holds real numbers ({odd} for one)")

    def parsed(self) -> list[Any]:
        """Return the value of each number, of one type."""
        texts = list(self.numbers)
        if self.domain is not None or not texts:
            return texts
        if all(map(is_integer, texts)):
            return [int(text) for text in texts]
        if any(set(texts) <= pair for pair in TRUTH_VALUES):
            return [text.lower() == "true" for text in texts]
        numeric = [is_number(text) for text in texts]
        if all(numeric):
            values = [float(text) for text in texts]
            if not all(map(_is_whole, values)):
                self._refuse_fractions(texts)
                return values
            return [int(value) for value in values]
        if all(DECIMAL_COMMA.fullmatch(text) for text in texts):
            self.refuse(
                f"column {self.name!r} holds numbers with decimal commas ({texts[0]} for one); "
                "write them with points"
            )
        elif any(numeric):
            self._look_for_strays(texts, numeric)
        return texts

    def finish(self, keep: Array | None, *, missing_level: bool) -> tuple[Array, tuple[Level, ...]]:
        """Return codes and levels, as `Column.finish` does; numbers may become intervals."""
        if self.discretizer is not None and not self.problem:
            values = self.parsed()
            if self.has_fractions:
                return self._as_numbers(values).finish(keep, missing_level=missing_level)
        return super().finish(keep, missing_level=missing_level)

    def _as_numbers(self, values: Sequence[float]) -> NumberColumn:
        column = NumberColumn(self.name, self.discretizer)
        column.classes, column.weights = self.classes, self.weights
        numbers = np.array(values)[self.joined()]
        for rows in self.missing:
            numbers[rows] = np.nan
        column.append(numbers)
        self.problem, self.has_fractions = "", False
        return column

    def _look_for_strays(self, texts: Sequence[str], numeric: Sequence[bool]) -> None:
        """Refuse a column of numbers in which next to no cell is none: that is no category."""
        if sum(numeric) < 2:
            return
        codes = self._codes[: self.n_rows]
        rows = np.flatnonzero(~np.array(numeric)[codes])
        rows = np.setdiff1d(rows, np.concatenate([*self.missing, np.empty(0, np.int64)]))
        if len(rows) == 1 or len(rows) * 100 <= self.n_rows - self.n_missing:
            self.refuse(
                f"column {self.name!r} holds numbers, but {texts[codes[rows[0]]]!r} in data row "
                f"{rows[0] + 1:,} ({len(rows):,} such of {self.n_rows:,} rows); mend the cell, or "
                f"give all the values as levels={{{self.name!r}: [...]}} if it is one of them"
            )


def _is_whole(value: float) -> bool:
    return value.is_integer() and abs(value) < 2.0**63
