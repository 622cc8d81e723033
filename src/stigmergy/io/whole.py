# SPDX-License-Identifier: MIT
"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
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
    ready: list[tuple[str, Path]] = []
    path = Path()
    try:
        for path, data in files.items():
            if path.exists() and not path.is_file():  # a device or a pipe cannot be replaced
                path.write_bytes(data)
                continue
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            ready.append((temporary, path))
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            # mkstemp is private; a file that is written is as the user's mask says.
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
        while ready:
            temporary, path = ready[0]
            os.replace(temporary, path)
            ready.pop(0)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        for temporary, _ in ready:
            os.unlink(temporary)
