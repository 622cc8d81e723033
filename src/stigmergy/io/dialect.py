# SPDX-License-Identifier: MIT
"""How a text file writes its table: delimiter, header line, arities line.

Everything is decided on the first lines, by the rules written here, and `Dialect.text` says what
was decided.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from stigmergy.dataset import MAX_ARITY
from stigmergy.errors import DataError
from stigmergy.io.cells import MISSING_TOKENS, is_integer, is_number

BLANKS = " "
_DELIMITERS = (",", "\t", ";", "|")
_SPOKEN = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar", BLANKS: "blanks"}
# So many lines are looked at; an arities line among fewer is worth a warning.
LINES = 1000
FEW_LINES = 20


@dataclass(frozen=True, slots=True)
class Dialect:
    """What was found: `n_head` lines precede the data; `base` is the first code of arities.

    `singular` are cells of a first line that was taken for a row, though they look like names.
    """

    delimiter: str
    names: tuple[str, ...]
    has_header: bool
    arities: tuple[int, ...] | None
    base: int | None
    n_head: int
    uncertain: bool
    singular: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The dialect in words."""
        spoken = _SPOKEN.get(self.delimiter, repr(self.delimiter))
        header = "header line" if self.has_header else "no header line"
        arities = ", arities line" if self.arities is not None else ""
        return f"separated by {spoken}, {header}{arities}"


def find_dialect(
    lines: Sequence[str],
    where: str,
    *,
    delimiter: str | None,
    header: bool | None,
    arities: bool | None,
    is_dat: bool,
) -> Dialect:
    """Decide on the dialect of a file by its first lines.

    Parameters
    ----------
    lines : sequence of str
        The first lines, whole.
    where : str
        The file, for messages.
    delimiter, header, arities : optional
        What the user says; None means to find out.
    is_dat : bool
        Whether the file is named ``.dat``, as those of GOBNILP and BLIP are: there an arities
        line may be followed by any values.
    """
    n_head = 0
    while n_head < len(lines) and (not lines[n_head].strip() or lines[n_head].startswith("#")):
        n_head += 1
    told = _told_delimiter(lines[n_head]) if n_head < len(lines) else None
    if told is not None:
        delimiter, n_head = delimiter or told, n_head + 1
    body = [line for line in lines[n_head : n_head + LINES] if line.strip()]
    if not body:
        raise DataError(f"{where} is empty")
    if delimiter is None:
        delimiter = _find_delimiter(body)
        _refuse_title(body, delimiter, where)
    rows = [cells_of(line, delimiter) for line in body]
    has_header = _find_header(rows) if header is None else header
    singular = _singular_cells(rows) if header is None and not has_header else ()
    found: tuple[int, ...] | None = None
    base: int | None = None
    n_head += has_header
    names = rows[0] if has_header else [f"x{i}" for i in range(len(rows[0]))]
    rows = rows[has_header:]
    if has_header and rows and all(len(row) == len(names) + 1 for row in rows):
        raise DataError(
            f"{where}: the header line has {len(names)} cells, every line below it has one more, "
            "as if row names came first; leave them out (R: row.names = FALSE)"
        )
    if has_header and arities is not False and rows:
        found, base = _find_arities(rows, is_dat or arities is True)
        if found is None and arities is True:
            raise DataError(
                f"{where} must have a line of arities, integers >= 1, below the names, got "
                f"{', '.join(rows[0][:8])}"
            )
    if found is not None:
        n_head += 1
    uncertain = found is not None and not (is_dat or arities) and len(rows) <= FEW_LINES
    return Dialect(delimiter, tuple(names), has_header, found, base, n_head, uncertain, singular)


def _told_delimiter(line: str) -> str | None:
    """Return what a first line such as ``sep=;`` says, which spreadsheets write and hide."""
    key, _, delimiter = line.strip("\r\n").partition("=")
    return delimiter if key.lower() == "sep" and delimiter in _DELIMITERS else None


def _refuse_title(lines: Sequence[str], delimiter: str, where: str) -> None:
    """Refuse a first line of one cell above lines that all have more, and equally many."""
    if len(cells_of(lines[0], delimiter)) > 1:
        return
    for candidate in _DELIMITERS:
        first, *below = (len(cells_of(line, candidate)) for line in lines[:100])
        if first == 1 and len(set(below)) == 1 and below[0] > 1:
            raise DataError(
                f"{where}: the first line is {lines[0].strip()[:40]!r}, every line below it has "
                f"{below[0]} cells; if it is a title take it out, if a name the row names"
            )


def cells_of(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line without the blanks around them."""
    if delimiter == BLANKS:
        if '"' not in line:
            return line.split()
        line = " ".join(line.split())
    if delimiter not in line and '"' not in line:
        return [line.strip()]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [""])]
    except csv.Error as error:
        raise DataError(
            f"a line cannot be parted into cells ({error}), so this is hardly a table: "
            f"{line[:60]!r}"
        ) from None


def _find_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that parts all lines alike into most cells; else the first line's.

    Alike but for a first line that names two or more columns and not that of the row names, too.
    Failing both, blanks, if they part more than half of the lines as they part the first.
    """
    alike, below_alike, first = {}, {}, {}
    for candidate in (*_DELIMITERS, BLANKS):
        counts = [len(cells_of(line, candidate)) for line in lines[:100]]
        share = counts.count(counts[0]) / len(counts)
        if share == 1:
            alike[candidate] = counts[0]
        if counts[0] > 1 and set(counts[1:]) == {counts[0] + 1}:
            below_alike[candidate] = counts[0]
        if candidate != BLANKS or share > 0.5:
            first[candidate] = counts[0]
    for counted in (alike, below_alike, first):
        # max takes the first among equals: the order of the candidates.
        best = max(counted, key=lambda c: counted[c], default=",")
        if counted.get(best, 1) > 1:
            return best
    return ","


def _find_header(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row names the columns.

    It does when a cell that is no number stands above nothing but numbers; it does not when,
    failing that, a number stands above numbers or a cell occurs again in its own column.
    """
    head, body = rows[0], rows[1:]
    columns = [[row[i] for row in body if i < len(row)] for i in range(len(head))]
    looks_like_data = False
    for cell, below in zip(head, columns, strict=True):
        known = [value for value in below if value not in MISSING_TOKENS]
        numeric = bool(known) and all(map(is_number, known))
        if numeric and not is_number(cell) and cell not in MISSING_TOKENS:
            return True
        if is_number(cell) and (numeric or not known):
            looks_like_data = True
        if cell and cell in known:
            looks_like_data = True
    return not looks_like_data


def _singular_cells(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return cells of the first row that never come again, where other values do; two or more."""
    columns = [[row[i] for row in rows[1:] if i < len(row)] for i in range(len(rows[0]))]
    found = [
        cell
        for cell, below in zip(rows[0], columns, strict=True)
        if below and cell not in below and 2 * len(set(below)) <= len(below)
    ]
    return tuple(found) if len(found) > 1 else ()


def _find_arities(
    rows: Sequence[Sequence[str]], any_values: bool
) -> tuple[tuple[int, ...] | None, int | None]:
    """Return the arities if the first row is a line of them, and from where codes count.

    It is one if it holds integers >= 2, every value below is an integer from 0 to the arity less
    one, as benchpress writes them, and half of the columns or more show their last code: a first
    row of large numbers is no line of arities. Where arities are expected, codes may also count
    from 1, arities be 1, or values be any words (then the base is None).
    """
    head, body = rows[0], rows[1:]
    least = 1 if any_values else 2
    if not all(is_integer(cell) and least <= int(cell) <= MAX_ARITY for cell in head) or not body:
        return None, None
    arities = tuple(map(int, head))
    columns = list(zip(*(row for row in body if len(row) == len(head)), strict=True))
    if not any_values and not _are_reached(columns, arities):
        return None, None
    for base in (0, 1) if any_values else (0,):
        if columns and all(
            _within(column, base, base + arity)
            for column, arity in zip(columns, arities, strict=True)
        ):
            return arities, base
    return (arities, None) if any_values else (None, None)


def _are_reached(columns: Sequence[Sequence[str]], arities: Sequence[int]) -> bool:
    last_codes = (str(arity - 1) in cells for cells, arity in zip(columns, arities, strict=False))
    return 2 * sum(last_codes) >= len(arities)


def _within(cells: Sequence[str], low: int, stop: int) -> bool:
    known = [cell for cell in cells if cell not in MISSING_TOKENS]
    return all(is_integer(cell) and low <= int(cell) < stop for cell in known)
