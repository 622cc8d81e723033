# SPDX-License-Identifier: MIT
"""What a person should know of a table before learning from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stigmergy.checks import counted

if TYPE_CHECKING:
    from stigmergy.dataset import Codes, Dataset, Level

MISSING_LEVEL = "(missing)"
# In fewer rows columns are alike, or all distinct, by chance.
FEW_ROWS = 20
PREFIX = 4096
STEP = 1 << 20


@dataclass(frozen=True, slots=True)
class ColumnReport:
    """One column: its type, how many levels are declared and observed, what looks unintended.

    `more` is what else there is to say of it.
    """

    name: str
    type: str
    levels: tuple[Level, ...]
    observed: int
    missing: int
    constant: bool
    duplicate_of: str | None
    id_like: bool
    more: str = ""

    @property
    def remarks(self) -> str:
        """What looks unintended, in words; empty when nothing does."""
        found = [
            f"{self.missing:,} missing" if self.missing else "",
            "constant" if self.constant else "",
            f"duplicate of {self.duplicate_of}" if self.duplicate_of is not None else "",
            "id-like" if self.id_like else "",
            f"{len(self.levels) - self.observed:,} unobserved"
            if self.observed < len(self.levels)
            else "",
            self.more,
        ]
        return ", ".join(text for text in found if text)


@dataclass(frozen=True, slots=True)
class DataReport:
    """The report of :meth:`stigmergy.Dataset.report`; ``print`` it or take :meth:`to_dict`.

    A column is *constant* when one level is observed; a *duplicate* when an earlier column parts
    the rows in the same way, whatever the levels are called; *id-like* when all rows differ. The
    last two are looked for from 20 rows on.
    """

    source: str
    n_rows: int
    n_samples: int
    columns: tuple[ColumnReport, ...]

    @classmethod
    def of(cls, data: Dataset) -> DataReport:
        """Describe a data set."""
        twins = _duplicates(data)
        return cls(
            data.source,
            data.n_rows,
            data.n_samples,
            tuple(_describe(data, name, twins.get(name)) for name in data.names),
        )

    def concerns(self) -> list[str]:
        """Say in one sentence each what looks unintended; empty when nothing does."""
        if self.n_rows == 1:
            return ["the data has one row: nothing can be learned about dependence"]
        constant = [repr(column.name) for column in self.columns if column.constant]
        ids = [repr(column.name) for column in self.columns if column.id_like]
        twins = [
            f"{column.name!r} of {column.duplicate_of!r}"
            for column in self.columns
            if column.duplicate_of is not None and not column.constant and not column.id_like
        ]
        return [
            text
            for found, text in (
                (constant, f"constant, so independent of everything: {_listed(constant)}"),
                (ids, f"all values distinct, so probably an id; leave it out by {_drop(ids)}"),
                (twins, f"duplicate up to the names of levels: {_listed(twins)}"),
            )
            if found
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, fit for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        head = ("column", "type", "levels", "values", "remarks")
        rows = [head, *(_row(column) for column in self.columns)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        shape = f"{counted(self.n_rows, 'row')}, {counted(len(self.columns), 'column')}"
        if self.n_samples != self.n_rows:
            shape += f", {counted(self.n_samples, 'observation')}"
        return "\n".join([self.source, shape, "", *lines])


def _row(column: ColumnReport) -> tuple[str, str, str, str, str]:
    shown = ", ".join(str(level) for level in column.levels[:5])
    if len(column.levels) > 5:
        shown += ", ..."
    if len(shown) > 40:
        shown = shown[:37] + "..."
    return (column.name, column.type, str(len(column.levels)), shown, column.remarks)


def _describe(data: Dataset, name: str, twin: str | None) -> ColumnReport:
    codes, levels = data.codes(name), data.levels_of(name)
    counts = counts_of(codes, len(levels))
    observed = int(np.count_nonzero(counts))
    missing = int(counts[levels.index(MISSING_LEVEL)]) if MISSING_LEVEL in levels else 0
    return ColumnReport(
        name=name,
        type=_type(levels),
        levels=levels,
        observed=observed,
        missing=missing,
        constant=observed == 1,
        duplicate_of=twin,
        id_like=data.n_rows >= FEW_ROWS and observed == data.n_rows,
    )


def counts_of(codes: Codes, n: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Count each of the codes ``0 .. n - 1``."""
    counts = np.zeros(n, dtype=np.int64)
    for start in range(0, len(codes), STEP):  # bounds the copy as integers of 8 bytes
        counts += np.bincount(codes[start : start + STEP], minlength=n)
    return counts


def _type(levels: Sequence[Level]) -> str:
    kinds = {type(level) for level in levels if level != MISSING_LEVEL}
    if len(kinds) != 1:
        return "mixed" if kinds else "text"
    return {bool: "boolean", int: "integer", float: "number", str: "text"}[kinds.pop()]


def _duplicates(data: Dataset) -> dict[str, str]:
    """Map each column that parts the rows as an earlier one does to the first such."""
    buckets: dict[bytes, list[str]] = defaultdict(list)
    found: dict[str, str] = {}
    if data.n_rows < FEW_ROWS:
        return found
    for name in data.names:
        codes = data.codes(name)
        bucket = buckets[_canonical(codes[:PREFIX]).tobytes()]
        twin = next((other for other in bucket if _same_parts(data.codes(other), codes)), None)
        if twin is None:
            bucket.append(name)
        else:
            found[name] = twin
    return found


def _canonical(codes: Codes) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """Renumber the codes by first occurrence, so that only the partition counts."""
    distinct, first = np.unique(codes, return_index=True)
    lookup = np.zeros(int(distinct[-1]) + 1, dtype=np.uint16)
    lookup[distinct[np.argsort(first)]] = np.arange(len(distinct))
    return lookup[codes]


def _same_parts(a: Codes, b: Codes) -> bool:
    """Tell whether equal codes in one column mean equal codes in the other, both ways."""
    return _determines(a, b) and _determines(b, a)


def _determines(a: Codes, b: Codes) -> bool:
    image = np.zeros(int(a.max()) + 1, dtype=b.dtype)
    image[a] = b  # the last occurrence wins; every other one must agree with it
    return bool(np.array_equal(image[a], b))


def _drop(items: Sequence[str], limit: int = 8) -> str:
    more = f" and {len(items) - limit:,} more" if len(items) > limit else ""
    return f"drop=[{', '.join(items[:limit])}]{more}"


def _listed(items: Sequence[str], limit: int = 8) -> str:
    text = ", ".join(items[:limit])
    return text if len(items) <= limit else f"{text} and {len(items) - limit:,} more"
