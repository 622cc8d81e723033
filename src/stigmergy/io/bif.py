# SPDX-License-Identifier: MIT
"""BIF, the Interchange Format for Bayesian networks, as the libraries of the field write it.

References
----------
F. G. Cozman (1996), The Interchange Format for Bayesian networks, version 0.15.
"""

from __future__ import annotations

import gzip
import os
import re
import warnings
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from stigmergy.errors import DataWarning, NetworkError, ParameterError
from stigmergy.graph import Dag
from stigmergy.io.bif_text import BifText, Block, name_of, scan, shown, words
from stigmergy.io.bif_writing import bif_words, format_bif, write_bif
from stigmergy.network import ROW_SUM_TOLERANCE, BayesianNetwork

__all__ = ["bif_words", "format_bif", "parse_bif", "read_bif", "unpacked", "write_bif"]

_TABLE_OR_DEFAULT = re.compile(r"(table|default)\b")
_MAX_CELLS = 2**27


def read_bif(path: str | os.PathLike[str], *, tolerance: float = 1e-3) -> BayesianNetwork:
    """Read a network from a BIF file.

    Parameters
    ----------
    path : path
        The file, UTF-8; gzip is recognised by its content.
    tolerance : float
        A row of a table may miss the sum 1 by this much. Rows that miss it by at most 1e-6 stay
        as they are written, to the last bit; others are taken as rounded and divided by their sum.

    Returns
    -------
    BayesianNetwork
        Variables, states and parents in the order of the file.

    Raises
    ------
    NetworkError
        When the file is not what it should be; with the line and what was expected there.
    OSError
        When it cannot be opened.

    Warns
    -----
    DataWarning
        Once, when rows were divided by their sum.

    Notes
    -----
    Accepted beside the plain form: names in quotes; words separated by commas, white space or both;
    states and variables with blanks in them where commas tell them apart; ``//`` and ``/* */``
    comments; ``property`` lines (ignored); ``default`` rows; ``table`` for a variable with parents
    (the first variable of the heading, the child, varies slowest, the last fastest); parents with
    or without ``|``; ``type discrete[2]``, with ``=``, or without a count.
    """
    data = unpacked(Path(path).read_bytes(), os.fspath(path))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NetworkError(
            f"{os.fspath(path)}, line {line}: a BIF file must be UTF-8 text; convert it first"
        ) from error
    return parse_bif(text, source=os.fspath(path), tolerance=tolerance)


def unpacked(data: bytes, source: str) -> bytes:
    """Return the content of a file that may be gzip."""
    if data[:2] != b"\x1f\x8b":
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise NetworkError(f"{source}: the gzip data is damaged ({error})") from error


def parse_bif(text: str, *, source: str = "BIF", tolerance: float = 1e-3) -> BayesianNetwork:
    """Make a network of a BIF text; see :func:`read_bif`. Errors call the text `source`.

    Examples
    --------
    >>> network = parse_bif('''
    ... network coin { }
    ... variable face { type discrete [ 2 ] { heads, tails }; }
    ... probability ( face ) { table 0.5, 0.5; }
    ... ''')
    >>> network.levels_of("face")
    ('heads', 'tails')
    """
    if not 0 <= tolerance < 1:
        raise ParameterError(f"tolerance must be a number from 0 to below 1, got {tolerance!r}")
    file = scan(text, source)
    parents: dict[str, tuple[str, ...]] = {}
    tables: dict[str, npt.NDArray[np.float64]] = {}
    misses: list[float] = []
    for block in file.tables:
        names = _heading(file, block)
        child = names[0]
        if child in tables:
            raise file.error(block.place, f"there is a second probability block of '{child}'")
        parents[child] = names[1:]
        table = _read_table(file, block, names)
        tables[child] = _with_unit_sums(file, block, child, table, tolerance, misses)
    for name in file.levels:
        if name not in tables:
            raise file.error(len(file.text), f"expected a probability block of '{name}'")
    if misses:
        warnings.warn(
            f"{source}: {len(misses)} rows of probabilities were divided by their sum, which "
            f"missed 1 by up to {max(misses):.1g}",
            DataWarning,
            stacklevel=2,
        )
    arcs = [(parent, child) for child, family in parents.items() for parent in family]
    try:
        return BayesianNetwork(Dag(file.levels, arcs), file.levels, tables, parents=parents)
    except ValueError as error:
        raise NetworkError(f"{source}: {error}") from error


def _heading(file: BifText, block: Block) -> tuple[str, ...]:
    """Return the names in a heading, the child first."""
    child, bar, rest = block.heading.partition("|")
    if bar:
        names = [name_of(child.strip())]
        known = words(rest, None)
        if any(name not in file.levels for name in known):
            known = tuple(name_of(word) for word in rest.replace(",", " ").split())
        names += known
    else:
        whole = name_of(child.strip())
        names = [whole] if whole in file.levels else list(words(child, None))
        if any(name not in file.levels for name in names):
            names = [name_of(word) for word in child.replace(",", " ").split()]
    if not names or not names[0]:
        raise file.error(block.place, "expected the name of a variable")
    for name in names:
        if name not in file.levels:
            raise file.error(block.place, f"expected the name of a variable, got '{shown(name)}'")
    if len(set(names)) < len(names):
        raise file.error(block.place, f"expected distinct variables, got {', '.join(names)}")
    return tuple(names)


def _statements(block: Block) -> Iterator[tuple[int, str]]:
    """Yield the statements of a block and their places."""
    place = block.body_place
    for statement in block.body.split(";"):
        yield place, statement
        place += len(statement) + 1


def _read_table(file: BifText, block: Block, names: Sequence[str]) -> npt.NDArray[np.float64]:
    """Return the table of a block, its axes the parents as written and then the child."""
    child, parents = names[0], names[1:]
    arity = len(file.levels[child])
    shape = tuple(len(file.levels[name]) for name in parents)
    n_rows = int(np.prod(shape, dtype=object))
    if n_rows * arity > _MAX_CELLS:
        raise file.error(
            block.place, f"expected a table of at most {_MAX_CELLS} cells, got {n_rows * arity}"
        )
    codes = [{level: k for k, level in enumerate(file.levels[name])} for name in parents]
    strides = [int(np.prod(shape[i + 1 :], dtype=object)) for i in range(len(shape))]
    configurations: dict[int, None] = {}
    values: list[float] = []
    default: list[float] | None = None
    whole: list[float] | None = None
    end = block.body_place + len(block.body)
    for place, statement in _statements(block):
        text = statement.strip()
        if not text:
            continue
        start = place + len(statement) - len(statement.lstrip())
        if place + len(statement) == end:
            raise file.error(end, f"expected ';' before '}}' in the table of '{child}'")
        if text[0] == "(":
            row, close, numbers = text[1:].rpartition(")")
            if not close:
                raise file.error(start, "expected ')' after the states of the parents")
            states = words(row, len(parents))
            if len(states) != len(parents):
                raise file.error(
                    start, f"expected a state of each of {_listed(parents)}, got ({shown(row)})"
                )
            index = 0
            for state, known, stride, parent in zip(states, codes, strides, parents, strict=True):
                if state not in known:
                    raise file.error(
                        start, f"expected a state of '{parent}' ({_listed(known)}), got '{state}'"
                    )
                index += known[state] * stride
            if index in configurations:
                raise file.error(start, f"the row ({shown(row)}) of '{child}' is there twice")
            configurations[index] = None
            values += _numbers(file, start, numbers, arity)
        elif statement_kind := _TABLE_OR_DEFAULT.match(text):
            numbers = text[statement_kind.end() :]
            if statement_kind[1] == "table" and whole is None:
                whole = _numbers(file, start, numbers, arity * n_rows)
            elif statement_kind[1] == "default" and default is None:
                default = _numbers(file, start, numbers, arity)
            else:
                raise file.error(start, f"'{statement_kind[1]}' of '{child}' is there twice")
        elif not re.match(r"property\b", text):
            raise file.error(
                start,
                f"expected 'table', 'default', 'property' or '(states)', got {file.found(start)}",
            )
    if whole is not None:
        if configurations or default is not None:
            raise file.error(block.place, f"'{child}' has both a table and rows; keep one")
        return np.moveaxis(np.array(whole).reshape(arity, *shape), 0, -1)
    missing = n_rows - len(configurations)
    if missing and default is None:
        index = next(i for i in range(n_rows) if i not in configurations)
        digits = zip(parents, _digits(index, shape), strict=True)
        row = ", ".join(file.levels[name][k] for name, k in digits)
        of = f"of ({row})" if parents else "'table'"
        raise file.error(end, f"expected a row {of} or a default in the table of '{child}'")
    table = np.tile(np.array(default), (n_rows, 1)) if missing else np.empty((n_rows, arity))
    table[list(configurations)] = np.array(values).reshape(-1, arity)
    return table.reshape(*shape, arity)


def _digits(index: int, shape: Sequence[int]) -> list[int]:
    digits = []
    for size in reversed(shape):
        index, digit = divmod(index, size)
        digits.append(digit)
    return digits[::-1]


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    shown = ", ".join(f"'{name}'" for name in names[:8])
    return shown + (f", ... ({len(names)} in all)" if len(names) > 8 else "")


def _numbers(file: BifText, place: int, text: str, count: int) -> list[float]:
    words = text.replace(",", " ").split()
    if len(words) != count:
        raise file.error(place, f"expected {count} probabilities, got {len(words)}")
    try:
        if "_" in text:
            raise ValueError
        return list(map(float, words))
    except ValueError:
        wrong = next(word for word in words if not _is_number(word))
        raise file.error(place, f"expected a probability, got '{shown(wrong)}'") from None


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word


def _with_unit_sums(
    file: BifText,
    block: Block,
    child: str,
    table: npt.NDArray[np.float64],
    tolerance: float,
    misses: list[float],
) -> npt.NDArray[np.float64]:
    """Check the rows of a table; divide those by their sum that miss 1 by more than rounding."""
    sums = table.sum(axis=-1)
    miss = np.abs(sums - 1)
    if not (np.isfinite(sums).all() and (table >= 0).all()):
        raise file.error(block.place, f"expected finite probabilities >= 0 of '{child}'")
    if (miss > max(tolerance, ROW_SUM_TOLERANCE)).any():
        worst = sums.reshape(-1)[int(miss.argmax())]
        raise file.error(
            block.place,
            f"expected rows that sum to 1 in the table of '{child}', got a row of sum {worst:.6g}; "
            "correct it, or pass a larger tolerance to divide each row by its sum",
        )
    rounded = miss > ROW_SUM_TOLERANCE
    if rounded.any():
        misses.extend(float(value) for value in miss[rounded])
        table = np.where(rounded[..., None], table / sums[..., None], table)
    return table
