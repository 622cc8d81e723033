# SPDX-License-Identifier: MIT
"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from stigmergy.errors import OutputError


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write one file; see `write_all_whole`."""
    write_all_whole({Path(path): data})


def write_all_whole(files: Mapping[Path, bytes]) -> None:
    """Write files so that a reader never meets half of one, whatever happens in between.

    All are written beside their places first and then put there, so that a full disk or a folder
    without permission leaves everything as it was.

    Raises
    ------
    OutputError
        When one of them cannot be written; the message names it.
    """
    ready: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path, data in files.items():
            if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
                path.write_bytes(data)
                continue
            target = Path(os.path.realpath(path))  # a link stays, what it points to changes
            temporary = target.parent / f".{target.name[:100]}.{secrets.token_hex(8)}"
            # Not by tempfile, whose files are private: the user's mask says who may read.
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            ready.append((temporary, target))
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
        while ready:
            temporary, path = ready[0]
            os.replace(temporary, path)
            ready.pop(0)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        for temporary, _ in ready:
            os.unlink(temporary)
