# SPDX-License-Identifier: MIT
"""Delimited text, read by pyarrow in batches and numbered on the way."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from stigmergy.dataset import Level
from stigmergy.errors import DataError
from stigmergy.io.cells import MISSING_TOKENS
from stigmergy.io.columns import values_of
from stigmergy.io.dialect import BLANKS, FEW_LINES, LINES, Dialect, cells_of, find_dialect
from stigmergy.io.source import Source

# A batch is about this large, but holds a thousand lines if it can without being too large.
BATCH_BYTES = 1 << 21
BATCH_LINES = 1000
MOST_BYTES = 1 << 26
# The dialect is found on at most so many bytes, but on 20 lines whatever they take.
HEAD_BYTES = 1 << 18

Opener = Callable[[], Any]


def open_text(
    opener: Opener,
    where: str,
    *,
    delimiter: str | None,
    header: bool | None,
    arities: bool | None,
    is_dat: bool,
    levels: dict[str, Sequence[Level]],
) -> Source:
    """Open a delimited text file.

    Parameters
    ----------
    opener : callable
        Returns the file's decompressed bytes as a new stream.
    where : str
        The file, for messages.
    delimiter, header, arities, is_dat
        As in `find_dialect`.
    levels : dict
        The domains the user gives: what they have as a level is not taken for a missing cell.
    """
    head = _first_lines(opener, where)
    lines = [_decoded(line, number, where) for number, line in enumerate(head, start=1)]
    lines[:1] = [line.removeprefix("\ufeff") for line in lines[:1]]
    dialect = find_dialect(
        lines, where, delimiter=delimiter, header=header, arities=arities, is_dat=is_dat
    )
    for i, name in enumerate(dialect.names):
        if not name:
            raise DataError(
                f"{where}: column {i + 1} has no name in the header line; name it, or leave it "
                "out if it numbers the rows (R: write.csv(..., row.names = FALSE))"
            )
    domains: dict[str, Sequence[Level]] = {}
    concerns = []
    if dialect.arities is not None and dialect.base is not None:
        domains = {
            name: range(dialect.base, dialect.base + arity)
            for name, arity in zip(dialect.names, dialect.arities, strict=True)
        }
    if dialect.uncertain:
        concerns.append(
            f"the second line of {where} was taken for arities ({', '.join(lines[1].split())}); "
            "if it is a row, read it with Dataset.from_file(..., arities=False)"
        )
    if dialect.singular:
        shown = ", ".join(map(repr, dialect.singular[:5]))
        more = ", ..." if len(dialect.singular) > 5 else ""
        concerns.append(
            f"the first line of {where} was taken for a row, though its values {shown}{more} occur "
            f"nowhere else in their columns in the first {len(lines):,} lines; if they "
            "are names, pass Dataset.from_file(..., header=True)"
        )
    words = {str(level) for given in levels.values() for level in given}
    skipped = sum(len(line) for line in head[: dialect.n_head])
    batches = _batches(opener, where, dialect, skipped, MISSING_TOKENS - words, _block(head))
    exact = dialect.arities if dialect.base is None else None
    return Source(
        list(dialect.names),
        batches,
        f"{where} (text, {dialect.text})",
        is_text=True,
        levels=domains,
        arities=exact,
        concerns=concerns,
    )


def _first_lines(opener: Opener, where: str) -> list[bytes]:
    try:
        with io.BufferedReader(_Raw(opener())) as stream:
            head, size = [], 0
            for line in islice(stream, LINES):
                head.append(line)
                size += len(line)
                if len(head) > FEW_LINES and size > HEAD_BYTES:
                    break
    except (OSError, UnicodeError) as error:
        raise DataError(f"{where} cannot be read: {error}") from None
    if head and head[0].startswith((b"\xff\xfe", b"\xfe\xff")):
        raise DataError(
            f"{where} is UTF-16 or UTF-32; save it as UTF-8 or use Dataset.from_file(..., "
            "encoding='utf-16')"
        )
    if head and b"\r" in head[0] and b"\n" not in head[0]:
        raise DataError(f"{where} ends its lines with CR alone; save it with LF or CRLF")
    for number, line in enumerate(head, start=1):
        if b"\0" in line:
            raise DataError(f"{where} is no table: line {number} has a NUL byte, so it is binary")
    return head


class _Raw(io.RawIOBase):
    """A stream of pyarrow as one of Python."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _decoded(line: bytes, number: int, where: str) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise DataError(
            f"{where} is not UTF-8: line {number}, byte {error.start + 1} is "
            f"0x{line[error.start]:02x}; save it as UTF-8 or say what it is, as in "
            "Dataset.from_file(..., encoding='latin-1')"
        ) from None


def _block(head: Sequence[bytes]) -> int:
    longest = max(map(len, head), default=1)
    # A line must fit into a block.
    return max(BATCH_BYTES, min(longest * BATCH_LINES, MOST_BYTES), 2 * longest)


def _batches(
    opener: Opener,
    where: str,
    dialect: Dialect,
    skipped: int,
    missing: frozenset[str],
    block: int,
) -> Iterator[list[Any]]:
    import pyarrow as pa
    from pyarrow import csv

    columns = [str(i) for i in range(len(dialect.names))]
    text = pa.dictionary(pa.int32(), pa.string())
    try:
        stream = opener()
        stream = _Squeezed(stream, skipped) if dialect.delimiter == BLANKS else stream
        if dialect.delimiter != BLANKS:
            _skip(stream, skipped)
        reader = csv.open_csv(
            stream,
            read_options=csv.ReadOptions(column_names=columns, block_size=block),
            parse_options=csv.ParseOptions(
                delimiter=dialect.delimiter,
                newlines_in_values=False,
                # In a file of one column a blank line is a missing cell.
                ignore_empty_lines=len(columns) > 1,
            ),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(columns, text),
                null_values=sorted(missing),
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
        for batch in reader:
            yield [values_of(column, declared=False) for column in batch.columns]
    except pa.ArrowInvalid as error:
        if "Empty CSV file" in str(error):
            return
        _explain(opener, where, dialect)
        raise DataError(f"{where} cannot be read: {error}") from None
    except (OSError, UnicodeError) as error:
        raise DataError(f"{where} cannot be read: {error}") from None


def _skip(stream: Any, n: int) -> None:
    while n:
        n -= len(stream.read(min(n, 1 << 20)))


def _explain(opener: Opener, where: str, dialect: Dialect) -> None:
    """Raise an error for the first line that is not as it should be; costs one slow pass."""
    width = len(dialect.names)
    with io.BufferedReader(_Raw(opener())) as stream:
        for number, raw in enumerate(stream, start=1):
            line = _decoded(raw, number, where)
            if number <= dialect.n_head or not line.strip():
                continue
            cells = cells_of(line, dialect.delimiter)
            if len(cells) != width:
                raise DataError(
                    f"{where}: line {number} has {len(cells)} cells, the "
                    f"{'header' if dialect.has_header else 'first line'} has {width} "
                    f"({dialect.text}); every row must have as many"
                )


class _Squeezed(io.RawIOBase):
    """A stream in which one blank stands for each run of blanks, and none at the ends of lines."""

    def __init__(self, stream: Any, skipped: int) -> None:
        _skip(stream, skipped)
        self._stream = stream
        self._rest = b""
        self._ready = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes, all of a file's for -1."""
        while len(self._ready) < size or size < 0:
            data = self._stream.read(1 << 20)
            lines, newline, rest = (self._rest + data).rpartition(b"\n")
            if not data:
                lines, newline, rest = rest, b"", b""
            self._rest = rest
            self._ready += _squeezed(lines + newline)
            if not data:
                break
        size = len(self._ready) if size < 0 else size
        out, self._ready = self._ready[:size], self._ready[size:]
        return out


def _squeezed(data: bytes) -> bytes:
    data = re.sub(rb"[ \t\r]*\n[ \t]*", b"\n", data)
    return re.sub(rb"[ \t]+", b" ", data).strip(b" ")
