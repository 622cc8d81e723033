# SPDX-License-Identifier: MIT
"""Tables in files, told apart by their first bytes, not by their names."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from stigmergy.dataset import Level
from stigmergy.errors import DataError, ParameterError
from stigmergy.io.columns import values_of
from stigmergy.io.memory import open_memory
from stigmergy.io.source import Source
from stigmergy.io.text import open_text

_COMPRESSED = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
_NOT_TABLES = {
    b"PK\x03\x04": "a zip archive or a spreadsheet",
    b"%PDF": "a PDF",
    **dict.fromkeys((b"<!", b"<?", b"<html", b"<HTML"), "HTML or XML"),
    **dict.fromkeys((b'{"', b"{\n", b"[{", b"[\n"), "JSON"),
}
_FORMATS = "delimited text (also compressed), Parquet or Arrow"
BATCH_ROWS = 1 << 17


def open_path(
    path: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    arities: bool | None = None,
    encoding: str = "utf-8",
    levels: dict[str, Sequence[Level]],
) -> Source:
    """Open a file of any known format."""
    path = Path(path)
    where = f"file '{path}'"
    _check_dialect(delimiter, header, arities, encoding)
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise DataError(f"{where} is a directory; give one file, {_FORMATS}")
        if not stat.S_ISREG(mode):
            raise DataError(f"{where} is no regular file, so it cannot be read twice; copy it")
        with path.open("rb") as stream:
            magic = stream.read(8)
    except FileNotFoundError:
        raise DataError(f"{where} does not exist (in {Path.cwd()})") from None
    except OSError as error:
        raise DataError(f"{where} cannot be read: {error.strerror}") from None
    if not magic:
        raise DataError(f"{where} is empty")
    for start, what in _NOT_TABLES.items():
        if magic.startswith(start):
            raise DataError(f"{where} is {what}; save the table as {_FORMATS}")
    try:
        if magic.startswith(b"PAR1"):
            return _open_parquet(path, where)
        if magic.startswith((b"ARROW1", b"FEA1", b"\xff\xff\xff\xff")):
            return _open_arrow(path, where, magic)
    except (OSError, ValueError) as error:
        raise DataError(f"{where} cannot be read: {error}") from None
    compression = next((c for start, c in _COMPRESSED.items() if magic.startswith(start)), None)
    suffixes = path.suffixes if compression is None else path.suffixes[:-1]

    def opener() -> Any:
        import pyarrow as pa

        stream = pa.input_stream(str(path), compression=compression)
        if codecs.lookup(encoding).name != "utf-8":
            stream = pa.transcoding_input_stream(stream, encoding, "utf-8")
        return stream

    return open_text(
        opener,
        where,
        delimiter=delimiter,
        header=header,
        arities=arities,
        is_dat=suffixes[-1:] == [".dat"],
        levels=levels,
    )


def _check_dialect(delimiter: Any, header: Any, arities: Any, encoding: Any) -> None:
    if delimiter is not None and not (
        isinstance(delimiter, str)
        and len(delimiter) == 1
        and delimiter.isascii()
        and delimiter not in '"\r\n\0'
    ):
        raise ParameterError(
            f"delimiter must be one ASCII character, no quote or line end, got {delimiter!r}"
        )
    for argument, given in (("header", header), ("arities", arities)):
        if not isinstance(given, bool | None):
            raise ParameterError(f"{argument} must be True, False or None, got {given!r}")
    try:
        "".encode(encoding)  # which, unlike a lookup, refuses what is no encoding of text
    except (LookupError, TypeError):
        raise ParameterError(
            f"encoding must name one that Python knows ('latin-1', 'cp1252', 'utf-16'), got "
            f"{encoding!r}"
        ) from None


def _open_parquet(path: Path, where: str) -> Source:
    import pyarrow as pa
    from pyarrow import parquet

    schema = parquet.read_schema(path)
    strings = [
        field.name
        for field in schema
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
    ]
    file = parquet.ParquetFile(path, read_dictionary=strings)
    declared = [field.name not in strings for field in schema]

    def batches() -> Iterator[list[Any]]:
        try:
            for batch in file.iter_batches(batch_size=BATCH_ROWS):
                pairs = zip(batch.columns, declared, strict=True)
                yield [values_of(column, declared=known) for column, known in pairs]
        except OSError as error:
            raise DataError(f"{where} cannot be read: {error}") from None

    return Source(list(schema.names), batches(), f"{where} (Parquet)")


def _open_arrow(path: Path, where: str, magic: bytes) -> Source:
    import pyarrow as pa
    from pyarrow import feather

    if magic.startswith(b"\xff\xff\xff\xff"):
        opened = open_memory(pa.ipc.open_stream(pa.OSFile(str(path))))
    elif magic.startswith(b"FEA1"):
        opened = open_memory(feather.read_table(path))
    else:
        file = pa.ipc.open_file(pa.OSFile(str(path)))
        parts = (file.get_batch(i).columns for i in range(file.num_record_batches))
        opened = Source(list(file.schema.names), parts, "")
    opened.text = f"{where} (Arrow)"
    return opened
