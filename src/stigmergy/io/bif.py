# SPDX-License-Identifier: MIT
"""BIF, the Interchange Format for Bayesian networks, as the libraries of the field write it.

References
----------
F. G. Cozman (1996), The Interchange Format for Bayesian networks, version 0.15.
"""

from __future__ import annotations

import gzip
import io
import itertools
import os
import re
import tempfile
import warnings
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from stigmergy.errors import DataWarning, NetworkError, OutputError
from stigmergy.graph import Dag
from stigmergy.network import ROW_SUM_TOLERANCE, BayesianNetwork

# A quoted string becomes one word of the same length: everything in it that has a meaning in BIF is
# moved to a private range of code points. After that there is one grammar, without quotes, and
# offsets (hence line numbers) stay true. Names get their characters back where they are read.
_QUOTE = '"'
_SPECIAL = " \t\f\v\r(){}[],;|=/" + _QUOTE
_HIDE = {ord(c): 0x10FF00 + i for i, c in enumerate(_SPECIAL)}
_SHOW = {private: original for original, private in _HIDE.items()}
_HIDDEN_QUOTE = chr(_HIDE[ord(_QUOTE)])
_SKIPPED_OR_QUOTED = re.compile(r'//[^\n]*+|/\*.*?(?:\*/|\Z)|"[^"\n]*+("?)', re.DOTALL)

# Possessive quantifiers: no text, however odd, makes these patterns slow.
_BLOCK = re.compile(r"\s*+(network|variable|probability)\b")
_NETWORK = re.compile(r"[^{}]*+\{")
_VARIABLE = re.compile(r"\s*+([^{};]++)\{")
_TYPE = re.compile(
    r"\s*+type\s++discrete\s*+(?:\[\s*+(\d++)\s*+\]\s*+)?(?:=\s*+)?\{([^{}]*+)\}\s*+;?"
)
_PROPERTY = re.compile(r"\s*+property\b[^;{}]*+;")
_CLOSE = re.compile(r"\s*+\}\s*+;?")
_PROBABILITY = re.compile(r"\s*+\(([^{}]*)\)\s*+\{")
_TABLE_OR_DEFAULT = re.compile(r"(table|default)\b")
_NAME_TO_WRITE_BARE = re.compile(r"[\w.<>=+\-/%:#&*!?@$^~]+")
_MAX_CELLS = 2**27


@dataclass
class _Table:
    """One probability block: its heading as written, and its statements with their places."""

    place: int
    heading: str
    body: str
    body_place: int


@dataclass
class _File:
    """What a BIF text declares, before names are matched."""

    text: str
    source: str
    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tables: list[_Table] = field(default_factory=list)

    def error(self, place: int, message: str) -> NetworkError:
        line = self.text.count("\n", 0, place) + 1
        return NetworkError(f"{self.source}, line {line}: {message}")

    def found(self, place: int) -> str:
        """Return the next word at a place, for messages."""
        word = re.compile(r"\s*+([(){}\[\];,|]|[^\s(){}\[\];,|]++)").match(self.text, place)
        return f"'{_shown(word[1][:40])}'" if word else "the end of the file"


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
    file = _scan(text, source)
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


# From text to blocks


def _hide(match: re.Match[str]) -> str:
    word = match[0]
    if word.startswith("/*") and (len(word) < 4 or not word.endswith("*/")):
        return word  # never closed: left for an error
    if word[0] != _QUOTE:
        return re.sub(r"[^\n]", " ", word)
    return word.translate(_HIDE) if match[1] else word


def _shown(word: str) -> str:
    return word.translate(_SHOW)


def _name(word: str) -> str:
    """Return the name that a word stands for: out of its quotes, if it has any."""
    if word.startswith(_HIDDEN_QUOTE):
        return word[1:-1].translate(_SHOW)
    return word


def _scan(text: str, source: str) -> _File:
    """Cut a text into its blocks."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    file = _File(plain, source)
    if any(chr(private) in plain for private in _SHOW):
        raise NetworkError(f"{source}: characters U+10FF00 to U+10FFFF cannot be read")
    if _QUOTE in plain or "//" in plain or "/*" in plain:
        file.text = _SKIPPED_OR_QUOTED.sub(_hide, plain)
        if _QUOTE in file.text:
            raise file.error(file.text.index(_QUOTE), "expected a closing quote on the same line")
        if "/*" in file.text:
            raise file.error(file.text.index("/*"), "expected '*/' at the end of this comment")
    place, seen_network = 0, False
    while block := _BLOCK.match(file.text, place):
        place = block.end()
        if block[1] == "network":
            seen_network = True
            place = _skip_network(file, place)
        elif block[1] == "variable":
            place = _scan_variable(file, place)
        else:
            place = _scan_probability(file, place)
    if file.text[place:].strip():
        expected = "'variable' or 'probability'" if seen_network else "'network'"
        raise file.error(_next(file.text, place), f"expected {expected}, got {file.found(place)}")
    if not seen_network:
        raise file.error(0, "expected 'network'; the text is empty or has no network block")
    return file


def _next(text: str, place: int) -> int:
    """Return the place of the next character that is not white space."""
    return len(text) - len(text[place:].lstrip())


def _expect(file: _File, pattern: re.Pattern[str], place: int, what: str) -> re.Match[str]:
    match = pattern.match(file.text, place)
    if match is None:
        raise file.error(_next(file.text, place), f"expected {what}, got {file.found(place)}")
    return match


def _skip_network(file: _File, place: int) -> int:
    place = _expect(file, _NETWORK, place, "a name and '{' after 'network'").end()
    while declared := _PROPERTY.match(file.text, place):
        place = declared.end()
    return _expect(file, _CLOSE, place, "'property ...;' or '}' in the network block").end()


def _scan_variable(file: _File, place: int) -> int:
    head = _expect(file, _VARIABLE, place, "a name and '{' after 'variable'")
    name = _name(head[1].strip())
    if name in file.levels:
        raise file.error(head.start(1), f"variable '{name}' is declared a second time")
    place = head.end()
    while True:
        if declared := _TYPE.match(file.text, place):
            if name in file.levels:
                raise file.error(declared.start(), f"variable '{name}' has a second type")
            count = None if declared[1] is None else int(declared[1])
            states = _words(declared[2], count)
            if count is not None and len(states) != count:
                raise file.error(
                    declared.start(2),
                    f"expected {count} states of '{name}', got {len(states)}",
                )
            if len(set(states)) < len(states) or not states:
                raise file.error(declared.start(2), f"expected distinct states of '{name}'")
            file.levels[name] = states
            place = declared.end()
        elif skipped := _PROPERTY.match(file.text, place):
            place = skipped.end()
        else:
            break
    if name not in file.levels:
        raise file.error(
            _next(file.text, place),
            f"expected 'type discrete [ n ] {{ states }};' of '{name}', got {file.found(place)}",
        )
    return _expect(file, _CLOSE, place, f"'}}' after the type of '{name}'").end()


def _scan_probability(file: _File, place: int) -> int:
    head = _expect(file, _PROBABILITY, place, "'( variable | parents ) {' after 'probability'")
    end = file.text.find("}", head.end())
    if end < 0:
        raise file.error(head.start(), "expected '}' at the end of this probability block")
    body = file.text[head.end() : end]
    file.tables.append(_Table(head.start(1), head[1], body, head.end()))
    return _expect(file, _CLOSE, end, "'}'").end()


def _words(text: str, count: int | None) -> tuple[str, ...]:
    """Split a list of names: at commas if that gives `count`, else at commas and blanks.

    So names may hold blanks where commas are enough to tell them apart. Without a count, commas
    are taken at their word as soon as there is one.
    """
    if not text.strip():
        return ()
    words = [word.strip() for word in text.split(",")]
    if "" in words or len(words) != (count if count is not None else max(2, len(words))):
        words = text.replace(",", " ").split()
    return tuple(_name(word) for word in words)


# From blocks to tables


def _heading(file: _File, block: _Table) -> tuple[str, ...]:
    """Return the names in a heading, the child first."""
    child, bar, rest = block.heading.partition("|")
    if bar:
        names = [_name(child.strip())]
        known = _words(rest, None)
        if any(name not in file.levels for name in known):
            known = tuple(_name(word) for word in rest.replace(",", " ").split())
        names += known
    else:
        whole = _name(child.strip())
        names = [whole] if whole in file.levels else list(_words(child, None))
        if any(name not in file.levels for name in names):
            names = [_name(word) for word in child.replace(",", " ").split()]
    if not names or not names[0]:
        raise file.error(block.place, "expected the name of a variable")
    for name in names:
        if name not in file.levels:
            raise file.error(block.place, f"expected the name of a variable, got '{_shown(name)}'")
    if len(set(names)) < len(names):
        raise file.error(block.place, f"expected distinct variables, got {', '.join(names)}")
    return tuple(names)


def _statements(block: _Table) -> Iterator[tuple[int, str]]:
    """Yield the statements of a block and their places."""
    place = block.body_place
    for statement in block.body.split(";"):
        yield place, statement
        place += len(statement) + 1


def _read_table(file: _File, block: _Table, names: Sequence[str]) -> npt.NDArray[np.float64]:
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
            states = _words(row, len(parents))
            if len(states) != len(parents):
                raise file.error(
                    start, f"expected a state of each of {_listed(parents)}, got ({_shown(row)})"
                )
            index = 0
            for state, known, stride, parent in zip(states, codes, strides, parents, strict=True):
                if state not in known:
                    raise file.error(
                        start, f"expected a state of '{parent}' ({_listed(known)}), got '{state}'"
                    )
                index += known[state] * stride
            if index in configurations:
                raise file.error(start, f"the row ({_shown(row)}) of '{child}' is there twice")
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


def _numbers(file: _File, place: int, text: str, count: int) -> list[float]:
    words = text.replace(",", " ").split()
    if len(words) != count:
        raise file.error(place, f"expected {count} probabilities, got {len(words)}")
    try:
        if "_" in text:
            raise ValueError
        return list(map(float, words))
    except ValueError:
        wrong = next(word for word in words if not _is_number(word))
        raise file.error(place, f"expected a probability, got '{_shown(wrong)}'") from None


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word


def _with_unit_sums(
    file: _File,
    block: _Table,
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


# Writing


def write_bif(
    network: BayesianNetwork, path: str | os.PathLike[str], *, name: str = "unknown"
) -> None:
    """Write a network as a BIF file, gzip when the path ends in ``.gz``.

    The file appears whole or not at all, and is the same bytes for the same network. Reading it
    gives back every probability to the last bit.

    Parameters
    ----------
    network : BayesianNetwork
    path : path
    name : str
        The name of the network in the file.

    Raises
    ------
    NetworkError
        When a name or a state cannot be said in BIF: it has a quote, a line break or a control
        character, or two states of a variable read the same.
    OutputError
        When the file cannot be written.
    """
    data = format_bif(network, name=name).encode()
    path = Path(path)
    if path.suffix == ".gz":
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=0) as stream:
            stream.write(data)
        data = packed.getvalue()
    try:
        _replace(path, data)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}") from error


def _replace(path: Path, data: bytes) -> None:
    """Put a file in the place of another in one step."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)  # mkstemp is private; a written file is not
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def format_bif(network: BayesianNetwork, *, name: str = "unknown") -> str:
    """Return the text that :func:`write_bif` writes."""
    names = {given: _written(given) for given in network.names}
    levels = {given: _written_levels(network, given) for given in network.names}
    out = [f"network {_written(name)} {{\n}}\n"]
    for given in network.names:
        states = ", ".join(levels[given])
        count = len(levels[given])
        out.append(f"variable {names[given]} {{\n  type discrete [ {count} ] {{ {states} }};\n}}\n")
    for given in network.names:
        out.append(_format_table(network, given, names, levels))
    return "".join(out)


def _format_table(
    network: BayesianNetwork,
    child: str,
    names: Mapping[str, str],
    levels: Mapping[str, Sequence[str]],
) -> str:
    parents = network.parents(child)
    rows = network.table(child).reshape(-1, len(levels[child])).tolist()
    if not parents:
        return f"probability ( {names[child]} ) {{\n  table {_row(rows[0])};\n}}\n"
    heading = ", ".join(names[parent] for parent in parents)
    out = [f"probability ( {names[child]} | {heading} ) {{\n"]
    configurations = itertools.product(*(levels[parent] for parent in parents))
    for states, row in zip(configurations, rows, strict=True):
        out.append(f"  ({', '.join(states)}) {_row(row)};\n")
    out.append("}\n")
    return "".join(out)


def _row(values: list[float]) -> str:
    text = ", ".join(map(repr, values))
    if "e" in text:  # not every reader of BIF knows exponents
        text = ", ".join(np.format_float_positional(value, trim="0") for value in values)
    return text


def _written(name: str) -> str:
    """Return a name as BIF has it: bare when every reader takes it so, else in quotes."""
    if _NAME_TO_WRITE_BARE.fullmatch(name) and "//" not in name and "/*" not in name:
        return name
    if _QUOTE in name or not name.isprintable() or any(ord(c) in _SHOW for c in name):
        raise NetworkError(
            f"the name {name!r} cannot be written in BIF: it has a quote or a control character"
        )
    return f'"{name}"'


def _written_levels(network: BayesianNetwork, name: str) -> tuple[str, ...]:
    texts = tuple(str(level) for level in network.levels_of(name))
    if len(set(texts)) < len(texts):
        raise NetworkError(
            f"two states of '{name}' read the same in BIF: {', '.join(texts)}; rename one"
        )
    return tuple(_written(text) for text in texts)
