# SPDX-License-Identifier: MIT
"""Files that commands write: which formats there are, checked before any work is done."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stigmergy.errors import OutputError, ParameterError, StigmergyError

if TYPE_CHECKING:
    from stigmergy.dataset import Level
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


def check_words(
    paths: Iterable[Path], levels: Mapping[str, Sequence[Level]], plain_names: bool
) -> None:
    """Refuse names and levels that a format cannot hold; they are known before the search."""
    from stigmergy.graph import Dag
    from stigmergy.io.bif import bif_words
    from stigmergy.io.structure import format_structure

    for path in paths:
        suffix = suffix_of(path)
        with told_of(repr(str(path))):
            if suffix in NETWORKS:
                bif_words(levels, plain_names)
            elif suffix in STRUCTURES:
                format_structure(Dag(list(levels)), STRUCTURES[suffix]).encode()


@contextmanager
def told_of(output: str) -> Iterator[None]:
    """Say which output it is that cannot be written."""
    try:
        yield
    except OutputError:
        raise  # which names the file already
    except (StigmergyError, UnicodeEncodeError) as error:
        raise OutputError(f"cannot write {output}: {error}") from error


@dataclass(slots=True)
class Outcome:
    """Which of the files asked for are written, and why the others are not."""

    written: list[Path] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def tell(self, *, err: bool = True) -> None:
        """Print what is written, on standard error; raise an error if there is more to tell."""
        for path in self.written:
            click.echo(f"wrote {path}", err=err)
        if self.problems:
            raise OutputError("; ".join(self.problems))


def write_outputs(
    paths: Iterable[Path],
    graph: Graph,
    member: Dag,
    *,
    fitted: Callable[[], BayesianNetwork],
    document: Callable[[], str] | None = None,
    plain_names: bool = False,
) -> Outcome:
    """Write a graph in each format asked for; each file appears whole or not at all.

    One that cannot be written does not keep the others from it.

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
    plain_names
        Whether names in .bif are made identifiers.
    """
    from stigmergy.io.whole import write_whole

    outcome = Outcome()
    for path in paths:
        try:
            with told_of(repr(str(path))):
                suffix = suffix_of(path)
                write_whole(path, _content(suffix, graph, member, fitted, document, plain_names))
            outcome.written.append(path)
        except OutputError as error:
            outcome.problems.append(str(error))
    return outcome


def _content(
    suffix: str,
    graph: Any,
    member: Dag,
    fitted: Callable[[], BayesianNetwork],
    document: Callable[[], str] | None,
    plain_names: bool,
) -> bytes:
    if suffix in NETWORKS:
        from stigmergy.io.bif import format_bif

        data = format_bif(fitted(), plain_names=plain_names).encode()
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
