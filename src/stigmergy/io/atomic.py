# SPDX-License-Identifier: MIT
"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from stigmergy.errors import OutputError


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file under another name beside its place, then put it there in one step.

    A link is followed, and something that is no plain file, such as a pipe, is written to as it is.

    Raises
    ------
    OutputError
        When that is not possible; what was there before is then untouched.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(data)
        else:
            _replace(target, data)
    except OSError as error:
        raise OutputError(f"cannot write '{path}': {error.strerror or error}") from error


def _replace(target: Path, data: bytes) -> None:
    if target.is_dir():
        raise IsADirectoryError(None, "it is a directory; give the name of a file")
    if not target.parent.is_dir():
        raise FileNotFoundError(None, f"there is no directory '{target.parent}'")
    temporary = target.parent / f".{target.name[:100]}.{secrets.token_hex(8)}"
    # The user's umask applies here, unlike with the private files of `tempfile`.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
