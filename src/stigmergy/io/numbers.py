# SPDX-License-Identifier: MIT
"""Columns of real numbers that become intervals."""

from __future__ import annotations

from typing import Any

import numpy as np

from stigmergy.dataset import MAX_ARITY, Level
from stigmergy.discretize import Discretizer, interval_labels
from stigmergy.io.cells import MISSING_TOKENS, is_number
from stigmergy.io.encode import STEP, Array, Coded, Column


class NumberColumn(Column):
    """A column of numbers, kept as they are until all have arrived.

    Parameters
    ----------
    name : str
        The column.
    discretizer : Discretizer or None
        What makes intervals of the numbers; without one they are only read (weights).
    whole_is_integer : bool
        Whether a column without fractions is taken for categories.
    """

    def __init__(
        self, name: str, discretizer: Discretizer | None, *, whole_is_integer: bool = False
    ) -> None:
        super().__init__(name)
        self._chunks: list[Array] = []
        self.discretizer = discretizer
        self.whole_is_integer = whole_is_integer

    def append(self, values: Array | Coded) -> None:
        """Take one batch of numbers, or of codes with levels that are numbers."""
        if isinstance(values, Coded):
            table = np.array([self._number(level) for level in values.levels] + [np.nan])
            values = table[np.where(values.codes < 0, -1, values.codes)]
        chunk = values.astype(np.float64)
        gone = np.flatnonzero(np.isnan(chunk))
        if len(gone):
            self.missing.append(gone + self.n_rows)
        if np.isinf(chunk).any():
            self.refuse(f"column {self.name!r} holds infinite numbers; numbers must be finite")
        self._chunks.append(chunk)
        self.n_rows += len(chunk)

    def _number(self, level: Any) -> float:
        text = level.strip() if isinstance(level, str) else ""
        if isinstance(level, int | float):
            return float(level)
        if is_number(text):
            return float(text)
        if text not in MISSING_TOKENS:
            self.refuse(f"column {self.name!r} must hold numbers, got {level!r}")
        return np.nan

    def all(self) -> Array:
        """Return all numbers; they are given up here."""
        joined = np.concatenate([np.empty(0), *self._chunks])
        self._chunks.clear()
        return joined

    def finish(self, keep: Array | None, *, missing_level: bool) -> tuple[Array, tuple[Level, ...]]:
        """Return codes and levels, as `Column.finish` does."""
        numbers = self.all()
        if keep is not None:
            numbers = numbers[keep]
        present = ~np.isnan(numbers)
        if self.whole_is_integer and np.array_equal(np.floor(numbers[present]), numbers[present]):
            plain = Column(self.name)
            plain.append(numbers)
            result = plain.finish(None, missing_level=missing_level)
            self.problem = self.problem or plain.problem
            return result
        cuts = self._cuts(numbers, present) if present.any() and not self.problem else np.empty(0)
        labels = interval_labels(cuts)
        if len(labels) >= MAX_ARITY:
            self.refuse(f"column {self.name!r} gets more than 65,534 intervals; ask for fewer")
        plain = Column(self.name, labels)
        for start in range(0, len(numbers), STEP):
            codes = np.searchsorted(cuts, numbers[start : start + STEP], side="left")
            codes[~present[start : start + STEP]] = -1
            plain.append(Coded(codes, labels))
        return plain.finish(None, missing_level=missing_level)

    def _cuts(self, numbers: Array, present: Array) -> Array:
        assert self.discretizer is not None
        values, at = np.unique(numbers[present], return_inverse=True)
        classes = np.zeros(len(at), np.int64) if self.classes is None else self.classes[present]
        weights = None if self.weights is None else self.weights[present]
        n_classes = int(classes.max()) + 1
        joint = at * n_classes + classes
        counts = np.bincount(joint, weights, minlength=len(values) * n_classes)
        table = counts.reshape(-1, n_classes).astype(np.int64)
        occurs = table.any(axis=1)
        if not occurs.any():  # every weight is zero
            return np.empty(0)
        return self.discretizer.cuts(values[occurs], table[occurs])
