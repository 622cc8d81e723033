# SPDX-License-Identifier: MIT
"""Discrete data as integer codes: the one form in which the rest of the package sees data."""

from __future__ import annotations

import hashlib
import json
import logging
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from stigmergy.checks import counted
from stigmergy.errors import DataError, DataWarning, ParameterError

if TYPE_CHECKING:
    import os

    import pandas as pd

    from stigmergy.data_report import DataReport

Level: TypeAlias = str | int | bool | float
Codes: TypeAlias = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
Missing: TypeAlias = Literal["error", "drop", "level"]

MAX_COLUMNS = 65_535
MAX_ARITY = 65_535

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dataset:
    """Rows of discrete variables: codes, the names of their levels, weights. Immutable.

    Make one with :meth:`from_any` (any table), :meth:`from_file` (a file, with its dialect given)
    or :meth:`from_codes` (codes that are ready). Columns keep the order in which they came; every
    answer of the package is independent of it.

    Attributes
    ----------
    names : tuple of str
        The variables, in the order of the source.
    levels : tuple of tuple
        For each variable its values; code ``k`` stands for ``levels[i][k]``.
    weights : read-only int64 array or None
        How many observations each row stands for; None when each stands for one.
    source : str
        What was read and how it was understood, in words. No part of equality.

    Notes
    -----
    A cell takes one byte up to 256 levels and two up to 65,535. Each column is contiguous.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[Level, ...], ...]
    weights: npt.NDArray[np.int64] | None
    source: str
    _columns: tuple[Codes, ...]
    _index: dict[str, int]
    _memo: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_codes(
        cls,
        codes: Sequence[npt.ArrayLike],
        names: Sequence[str],
        levels: Sequence[Sequence[Level] | int],
        weights: npt.ArrayLike | None = None,
        *,
        source: str = "codes",
    ) -> Dataset:
        """Make a data set of codes that are ready.

        Parameters
        ----------
        codes : sequence of 1-D integer arrays
            One per variable, every value in ``0 .. arity - 1``. They are copied unless they are
            read-only, contiguous and of the right type already.
        names : sequence of str
            One per variable, distinct and not empty.
        levels : sequence of sequences, or of int
            For each variable its values in the order of the codes, or only how many there are
            (then the values are ``0 .. arity - 1``).
        weights : 1-D array of int, optional
            How many observations each row stands for, each >= 0.
        source : str
            Where the codes come from, in words.

        Returns
        -------
        Dataset

        Raises
        ------
        DataError
            When the parts do not fit together.

        Examples
        --------
        >>> data = Dataset.from_codes([[0, 1, 1], [2, 0, 1]], ["a", "b"], [("no", "yes"), 3])
        >>> data.arities, data.n_rows
        ((2, 3), 3)
        """
        names = checked_names(names)
        if not len(codes) == len(names) == len(levels):
            raise DataError(
                "codes, names and levels must have one entry per variable, "
                f"got {len(codes)}, {len(names)} and {len(levels)}"
            )
        full_levels = tuple(
            checked_levels(name, given) for name, given in zip(names, levels, strict=True)
        )
        columns = tuple(
            _checked_codes(name, column, len(values))
            for name, column, values in zip(names, codes, full_levels, strict=True)
        )
        for name, column in zip(names, columns, strict=True):
            if len(column) != len(columns[0]):
                raise DataError(
                    f"every column must have the same number of rows: '{names[0]}' has "
                    f"{len(columns[0])}, '{name}' has {len(column)}"
                )
        return cls._of(names, full_levels, columns, _checked_weights(weights, columns), source)

    @classmethod
    def from_any(
        cls,
        source: Any,
        *,
        names: Sequence[str] | None = None,
        levels: Mapping[str, Sequence[Level]] | None = None,
        missing: Missing = "error",
        discretize: Any = None,
        weights: npt.ArrayLike | str | None = None,
        drop: str | Iterable[str] | None = None,
    ) -> Dataset:
        """Make a data set of any table.

        Parameters
        ----------
        source : table
            A pandas, polars or pyarrow frame (anything narwhals knows or that speaks the Arrow
            PyCapsule protocol), a NumPy array (2-D, or structured), a dict of columns, a list of
            dicts or of rows, or the path of a file: delimited text (CSV, TSV, the ``.dat`` of
            GOBNILP and BLIP, the CSV of benchpress), Parquet, Arrow (Feather), text also
            compressed. Delimiter and header of a text file are detected; ``data.source`` says
            what was found, :meth:`from_file` takes them. A Dataset is returned as it is.
        names : sequence of str, optional
            Names of the columns, for a source that brings none; they replace names it has.
        levels : mapping of column to its values, optional
            Full domains, in this order. A value outside of them is an error.
        missing : {"error", "drop", "level"}
            What happens when cells are missing: an error that counts them, rows that have one
            left out, or one more level ``"(missing)"``, the last.
        discretize : discretizer, str or mapping of column to one, optional
            How columns of real numbers become intervals: an object or a text of
            :mod:`stigmergy.discretize` such as ``"quantile:5"``. One for all goes to the columns
            that have fractions; in a mapping, to the columns named.
        weights : 1-D array of int, or the name of a column, optional
            How many observations each row stands for. A column named is taken out of the data.
        drop : str or iterable of str, optional
            Columns to leave out, whatever they hold: ids, dates, notes.

        Returns
        -------
        Dataset

        Raises
        ------
        DataError
            When the source cannot be read, or only by guessing.

        Warns
        -----
        DataWarning
            Once for all: constant, duplicate and id-like columns, a single row.

        Notes
        -----
        Integers, truth values, strings and categoricals are categories. Categoricals keep their
        declared levels in their order, observed or not; other levels are sorted: integers by
        value, ``False`` before ``True``, strings by code point. Columns of floats are refused
        unless every number is whole (then they are integers) or ``discretize`` covers them.

        Examples
        --------
        >>> data = Dataset.from_any({"rain": [True, False, True, False], "soil": list("wdwd")},
        ...                         levels={"soil": ["d", "w", "flooded"]}, weights=[3, 5, 1, 2])
        >>> data.levels
        ((False, True), ('d', 'w', 'flooded'))
        """
        if isinstance(source, Dataset):
            wishes = (names, levels, discretize, weights, drop)
            if missing == "error" and all(wish is None for wish in wishes):
                return source
            raise ParameterError(
                "source is a Dataset, which is read already; use its methods (select, take, "
                "with_weights), or read its table anew with names, levels, missing, discretize, "
                "weights, drop"
            )
        from stigmergy.io import read

        return cls._from_encoded(
            read(
                source,
                names=names,
                levels=levels,
                missing=missing,
                discretize=discretize,
                weights=weights,
                drop=drop,
            )
        )

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        delimiter: str | None = None,
        header: bool | None = None,
        arities: bool | None = None,
        encoding: str = "utf-8",
        names: Sequence[str] | None = None,
        levels: Mapping[str, Sequence[Level]] | None = None,
        missing: Missing = "error",
        discretize: Any = None,
        weights: npt.ArrayLike | str | None = None,
        drop: str | Iterable[str] | None = None,
    ) -> Dataset:
        """Make a data set of a file whose dialect is given rather than detected.

        Parameters
        ----------
        path : path
            The file; Parquet and Arrow have no dialect to give.
        delimiter : str, optional
            One ASCII character; ``" "`` stands for any run of blanks and tabs.
        header : bool, optional
            Whether the first line names the columns.
        arities : bool, optional
            Whether the line below the names says how many levels each column has.
        encoding : str
            How the text is encoded, if not in UTF-8: ``"latin-1"``, ``"utf-16"``, ...
        names, levels, missing, discretize, weights, drop
            As for :meth:`from_any`.

        Returns
        -------
        Dataset
        """
        from stigmergy.io import read

        return cls._from_encoded(
            read(
                path,
                names=names,
                levels=levels,
                missing=missing,
                discretize=discretize,
                weights=weights,
                drop=drop,
                delimiter=delimiter,
                header=header,
                arities=arities,
                encoding=encoding,
            )
        )

    @classmethod
    def _from_encoded(cls, table: Any) -> Dataset:
        """Take over what a reader has encoded, and warn of columns that nobody means."""
        data = cls.from_codes(
            table.codes, table.names, table.levels, table.weights, source=table.text
        )
        _logger.info("%s", data.source)
        concerns = [*table.concerns, *data.report().concerns()]
        if concerns:
            warnings.warn("; ".join(concerns), DataWarning, stacklevel=_users_level())
        return data

    @classmethod
    def _of(
        cls,
        names: tuple[str, ...],
        levels: tuple[tuple[Level, ...], ...],
        columns: tuple[Codes, ...],
        weights: npt.NDArray[np.int64] | None,
        source: str,
    ) -> Dataset:
        index = {name: i for i, name in enumerate(names)}
        return cls(names, levels, weights, source, columns, index)

    @property
    def n_columns(self) -> int:
        """How many variables there are."""
        return len(self.names)

    @property
    def n_rows(self) -> int:
        """How many rows are stored; with weights, each stands for several observations."""
        return len(self._columns[0])

    @property
    def n_samples(self) -> int:
        """How many observations the rows stand for: the sum of the weights."""
        return self.n_rows if self.weights is None else int(self.weights.sum())

    @property
    def arities(self) -> tuple[int, ...]:
        """How many levels each variable has."""
        return tuple(len(values) for values in self.levels)

    def codes(self, name: str) -> Codes:
        """Return the codes of one variable, read-only and contiguous, without a copy."""
        return self._columns[self._position(name)]

    def levels_of(self, name: str) -> tuple[Level, ...]:
        """Return the values of one variable in the order of its codes."""
        return self.levels[self._position(name)]

    def _position(self, name: str) -> int:
        try:
            return self._index[name]
        except (KeyError, TypeError):
            raise DataError(f"no column {name!r}; there are {_some(self.names)}") from None

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits that names, levels, codes and weights determine.

        The order of the columns does not matter, the order of the rows does.
        """
        if "fingerprint" not in self._memo:
            digest = hashlib.blake2b(digest_size=16)
            for name in sorted(self.names):
                column = self.codes(name)
                head = [name, [[type(v).__name__, repr(v)] for v in self.levels_of(name)]]
                digest.update(json.dumps([*head, len(column)]).encode())
                digest.update(column.astype(column.dtype.newbyteorder("<"), copy=False).data)
            if self.weights is not None:
                digest.update(b"weights")
                digest.update(self.weights.astype("<i8", copy=False).data)
            self._memo["fingerprint"] = digest.hexdigest()
        return str(self._memo["fingerprint"])

    def select(self, names: Iterable[str]) -> Dataset:
        """Return the data of some variables, in the order given; the columns are shared."""
        chosen = checked_names(list(names))
        at = [self._position(name) for name in chosen]
        return Dataset._of(
            chosen,
            tuple(self.levels[i] for i in at),
            tuple(self._columns[i] for i in at),
            self.weights,
            self.source,
        )

    def take(self, rows: npt.ArrayLike) -> Dataset:
        """Return the data of some rows, in the order given, also repeated; levels are kept.

        Parameters
        ----------
        rows : 1-D array of int or bool
            Positions (negative ones count from the end), or one truth value per row.
        """
        at = np.asarray(rows)
        if at.ndim != 1 or at.dtype.kind not in "iub" or at.size == 0:
            raise DataError(
                "rows must be positions or truth values in one dimension, at least one, "
                f"got shape {at.shape} of {at.dtype}"
            )
        if at.dtype.kind == "b":
            if len(at) != self.n_rows or not at.any():
                raise DataError(
                    f"rows must have one truth value per row ({self.n_rows}), at least one True, "
                    f"got {len(at)} with {int(at.sum())} True"
                )
            at = np.flatnonzero(at)
        elif at.max() >= self.n_rows or at.min() < -self.n_rows:
            raise DataError(
                f"rows must be in {-self.n_rows} .. {self.n_rows - 1}, got {at.min()} .. {at.max()}"
            )
        columns = tuple(_frozen(column[at]) for column in self._columns)
        weights = None if self.weights is None else _frozen(self.weights[at])
        return Dataset._of(self.names, self.levels, columns, weights, self.source)

    def with_weights(self, weights: npt.ArrayLike | None) -> Dataset:
        """Return the same rows with other weights (the counts of a bootstrap sample, say)."""
        checked = _checked_weights(weights, self._columns)
        return Dataset._of(self.names, self.levels, self._columns, checked, self.source)

    def merged(self) -> Dataset:
        """Return the distinct rows, by first occurrence, each weighted with how often it occurs.

        Every count, and so every score, stays what it was. The cost is one sort of 64-bit keys
        per group of columns whose arities multiply to less than 2**64.
        """
        key = np.zeros(self.n_rows, dtype=np.uint64)
        size = 1
        for column, arity in zip(self._columns, self.arities, strict=True):
            if size * arity >= 2**64:
                distinct, dense = np.unique(key, return_inverse=True)
                key, size = dense.astype(np.uint64), len(distinct)
                if size == self.n_rows:
                    break
            key = key * np.uint64(arity) + column
            size *= arity
        _, first, row = np.unique(key, return_index=True, return_inverse=True)
        totals = np.zeros(len(first), dtype=np.int64)
        np.add.at(totals, row, 1 if self.weights is None else self.weights)
        order = np.argsort(first)
        return self.take(first[order]).with_weights(totals[order])

    def report(self) -> DataReport:
        """Describe each column: its type, levels, missing cells, and what looks unintended."""
        from stigmergy.data_report import DataReport

        return DataReport.of(self)

    def to_dict(self) -> dict[str, list[Level]]:
        """Return the values, one list per variable. Weights are not part of it."""
        return {
            name: np.array(values, dtype=object)[column].tolist()
            for name, values, column in zip(self.names, self.levels, self._columns, strict=True)
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas frame of ordered categoricals. Weights are not part of it."""
        import pandas as pd

        columns = zip(self.names, self.levels, self._columns, strict=True)
        return pd.DataFrame(
            {
                name: pd.Categorical.from_codes(column, list(values), ordered=True)
                for name, values, column in columns
            }
        )

    def __eq__(self, other: object) -> bool:
        """Equal names in the same order, levels (with their types), codes and weights."""
        if not isinstance(other, Dataset):
            return NotImplemented
        return (
            self.names == other.names
            and self.levels == other.levels
            and _types(self.levels) == _types(other.levels)
            and all(map(np.array_equal, self._columns, other._columns))
            and (self.weights is None) == (other.weights is None)
            and (self.weights is None or np.array_equal(self.weights, other.weights))  # type: ignore[arg-type]
        )

    def __hash__(self) -> int:
        return hash((self.names, self.fingerprint))

    def __len__(self) -> int:
        return self.n_rows

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._columns, self.names, self.levels, self.weights, self.source)

    def __repr__(self) -> str:
        shape = f"{counted(self.n_rows, 'row')} x {counted(self.n_columns, 'column')}"
        if self.weights is not None:
            shape += f", {counted(self.n_samples, 'observation')}"
        head = (f"{name} ({arity})" for name, arity in zip(self.names, self.arities, strict=True))
        return f"<Dataset: {shape}: {_some(list(head))}>"


def _users_level() -> int:
    """Return the level of the stack at which a caller's user left their own code."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals["__name__"].startswith("stigmergy."):
        frame, level = frame.f_back, level + 1
    return level


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of variables when they can serve: 1 .. 65,535, distinct, not empty."""
    if isinstance(names, str):
        raise DataError(f"names must be a sequence of str, got the str {names!r}")
    names = tuple(names)
    if not 1 <= len(names) <= MAX_COLUMNS:
        raise DataError(f"there must be 1 .. 65,535 columns, got {len(names):,}")
    for i, name in enumerate(names):
        if not isinstance(name, str) or not name.strip():
            raise DataError(
                f"every column needs a name, a str that is not blank; column {i + 1} has {name!r}; "
                "names= gives others"
            )
    if len(set(names)) < len(names):
        counts = Counter(names)
        twice = [name for name in counts if counts[name] > 1]
        raise DataError(f"names of columns must be distinct; more than once: {_some(twice)}")
    return names


def checked_levels(name: str, given: Sequence[Level] | int) -> tuple[Level, ...]:
    """Return the levels of a variable when they can serve: 1 .. 65,535 distinct plain values."""
    if isinstance(given, str | bool):
        raise DataError(f"levels of column '{name}' must be a sequence or how many, got {given!r}")
    if isinstance(given, int | np.integer):
        if not 1 <= given <= MAX_ARITY:
            raise DataError(f"column '{name}' must have 1 .. 65,535 levels, got {given:,}")
        given = range(given)
    values = tuple(v.item() if isinstance(v, np.generic) else v for v in given)
    if not 1 <= len(values) <= MAX_ARITY:
        raise DataError(f"column '{name}' must have 1 .. 65,535 levels, got {len(values):,}")
    for value in values:
        if not isinstance(value, str | int | float) or value != value:
            raise DataError(
                f"levels of column '{name}' must be str, int, bool or float, got {value!r}"
            )
    if len(set(values)) < len(values):
        raise DataError(f"levels of column '{name}' must be distinct, got {_some(values)}")
    return values


def _checked_codes(name: str, given: npt.ArrayLike, arity: int) -> Codes:
    column = np.asarray(given)
    if column.ndim != 1 or column.dtype.kind not in "iu":
        raise DataError(
            f"codes of column '{name}' must be integers in one dimension, "
            f"got shape {column.shape} of {column.dtype}"
        )
    if len(column) == 0:
        raise DataError(f"there must be at least one row of data, column '{name}' has none")
    if column.min() < 0 or column.max() >= arity:
        raise DataError(
            f"codes of column '{name}' must be in 0 .. {arity - 1}, "
            f"got {column.min()} .. {column.max()}"
        )
    dtype = np.uint8 if arity <= 256 else np.uint16
    kept = column.dtype == dtype and column.flags.owndata and not column.flags.writeable
    return column if kept else _frozen(np.array(column, dtype=dtype))


def _checked_weights(
    given: npt.ArrayLike | None, columns: Sequence[Codes]
) -> npt.NDArray[np.int64] | None:
    if given is None:
        return None
    weights = np.asarray(given)
    if weights.dtype.kind not in "iuf" or weights.shape != columns[0].shape:
        raise DataError(
            f"weights must be whole numbers, one per row ({len(columns[0])}), "
            f"got shape {weights.shape} of {weights.dtype}"
        )
    if weights.dtype.kind == "f":
        whole = np.abs(weights) <= 2.0**53
        whole[whole] = weights[whole] == np.floor(weights[whole])
        if not whole.all():
            raise DataError(
                f"weights must be whole numbers, got {weights[~whole][0]:g}; round them, and leave "
                "out rows without one"
            )
        weights = weights.astype(np.int64)
    total = weights.sum(dtype=np.float64)
    if weights.min() < 0 or not 1 <= total <= 2**53:  # sums of counts stay exact as doubles
        raise DataError(
            "weights must be >= 0 and sum to 1 .. 2**53, "
            f"got {weights.min()} .. {weights.max()} with sum {total:.0f}"
        )
    return _frozen(np.array(weights, dtype=np.int64))


def _frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.flags.writeable = False
    return array


def _restored(
    columns: tuple[Codes, ...],
    names: tuple[str, ...],
    levels: tuple[tuple[Level, ...], ...],
    weights: npt.NDArray[np.int64] | None,
    source: str,
) -> Dataset:
    # Pickling loses the read-only flag; freezing before the check also spares its copy.
    return Dataset.from_codes(
        [_frozen(column) for column in columns], names, levels, weights, source=source
    )


def _types(levels: tuple[tuple[Level, ...], ...]) -> list[list[type]]:
    return [[type(value) for value in values] for values in levels]


def _some(items: Sequence[Any], limit: int = 8) -> str:
    """List the first items and count the rest."""
    text = ", ".join(str(item) for item in items[:limit])
    return text if len(items) <= limit else f"{text} and {len(items) - limit:,} more"
