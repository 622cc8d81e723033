# SPDX-License-Identifier: MIT
"""Files that commands write: which formats there are, checked before any work is done."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stigmergy.errors import OutputError, ParameterError

if TYPE_CHECKING:
    from stigmergy.graph import Dag, Graph
    from stigmergy.network import BayesianNetwork

STRUCTURES = {".json": "json", ".dot": "dot", ".gv": "dot", ".csv": "csv", ".graphml": "graphml"}
PICTURES = {".svg": "svg", ".png": "png", ".pdf": "pdf"}
NETWORKS = {".bif": "bif", ".bif.gz": "bif"}
EVERY = {**STRUCTURES, **PICTURES, **NETWORKS}


def suffix_of(path: Path) -> str:
    """Return the suffix that tells the format; that of packed BIF is .bif.gz."""
    name = path.name.lower()
    return ".bif.gz" if name.endswith(".bif.gz") else path.suffix.lower()


def check_outputs(paths: Iterable[Path], suffixes: Iterable[str]) -> None:
    """Refuse what could not be written in the end: better now than after an hour of search."""
    for path in paths:
        if suffix_of(path) not in suffixes:
            raise ParameterError(
                f"cannot tell the format of {str(path)!r} from its name; "
                f"it must end in one of {', '.join(suffixes)}"
            )
        folder = path.parent
        if path.is_dir():
            raise OutputError(f"cannot write {str(path)!r}: it is a folder")
        if not folder.is_dir():
            raise OutputError(f"cannot write {str(path)!r}: there is no folder {str(folder)!r}")
        try:
            # Trying is the only sure way: what is allowed may still be impossible.
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            raise OutputError(
                f"cannot write {str(path)!r}: {error.strerror} in the folder {str(folder)!r}"
            ) from error


def write_outputs(
    paths: Iterable[Path],
    graph: Graph,
    member: Dag,
    *,
    fitted: Callable[[], BayesianNetwork],
    document: Callable[[], str] | None = None,
) -> None:
    """Write a graph in each format asked for; each file appears whole or not at all.

    Parameters
    ----------
    paths
        Where to; the suffix is the format.
    graph
        What structure files and pictures show.
    member
        A DAG of the class, for the layout.
    fitted
        Makes the network for .bif, when one is asked for.
    document
        Makes the text of .json; the plain structure file if not given.
    """
    from stigmergy.io.whole import write_whole

    for path in paths:
        write_whole(path, _content(suffix_of(path), graph, member, fitted, document))


def _content(
    suffix: str,
    graph: Any,
    member: Dag,
    fitted: Callable[[], BayesianNetwork],
    document: Callable[[], str] | None,
) -> bytes:
    if suffix in NETWORKS:
        from stigmergy.io.bif import format_bif

        data = format_bif(fitted()).encode()
        if suffix == ".bif.gz":
            import gzip

            return gzip.compress(data, mtime=0)
        return data
    if suffix in PICTURES:
        from stigmergy.picture.graphviz import drawing

        return drawing(graph, member, PICTURES[suffix])
    if suffix == ".json" and document is not None:
        return document().encode()
    from stigmergy.io.structure import format_structure

    return format_structure(graph, STRUCTURES[suffix]).encode()
