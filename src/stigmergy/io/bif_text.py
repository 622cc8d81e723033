# SPDX-License-Identifier: MIT
"""The text of a BIF file cut into its blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from stigmergy.errors import NetworkError

# A quoted string becomes one word of the same length: everything in it that has a meaning in BIF is
# moved to a private range of code points. After that there is one grammar, without quotes, and
# offsets (hence line numbers) stay true. Names get their characters back where they are read.
QUOTE = '"'
_BLANKS = (
    " \t\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_SPECIAL = "(){}[],;|=/" + QUOTE + _BLANKS
_HIDE = {ord(c): 0x10FF00 + i for i, c in enumerate(_SPECIAL)}
PRIVATE = {private: original for original, private in _HIDE.items()}
_HIDDEN_QUOTE = chr(_HIDE[ord(QUOTE)])
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


@dataclass
class Block:
    """One probability block: its heading as written, and its statements with their places."""

    place: int
    heading: str
    body: str
    body_place: int


@dataclass
class BifText:
    """What a BIF text declares, before names are matched."""

    text: str
    source: str
    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tables: list[Block] = field(default_factory=list)

    def error(self, place: int, message: str) -> NetworkError:
        """Return an error that names the line of a place."""
        line = self.text.count("\n", 0, place) + 1
        return NetworkError(f"{self.source}, line {line}: {message}")

    def found(self, place: int) -> str:
        """Return the next word at a place, for messages."""
        word = re.compile(r"\s*+([(){}\[\];,|]|[^\s(){}\[\];,|]++)").match(self.text, place)
        return f"'{shown(word[1][:40])}'" if word else "the end of the file"


def _hide(match: re.Match[str]) -> str:
    word = match[0]
    if word.startswith("/*") and (len(word) < 4 or not word.endswith("*/")):
        return word  # never closed: left for an error
    if word[0] != QUOTE:
        return re.sub(r"[^\n]", " ", word)
    return word.translate(_HIDE) if match[1] else word


def shown(word: str) -> str:
    """Return text as it was before names in quotes were made words."""
    return word.translate(PRIVATE)


def name_of(word: str) -> str:
    """Return the name that a word stands for: out of its quotes, if it has any."""
    if word.startswith(_HIDDEN_QUOTE):
        return word[1:-1].translate(PRIVATE)
    return word


def scan(text: str, source: str) -> BifText:
    """Cut a text into its blocks."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    file = BifText(plain, source)
    if any(chr(private) in plain for private in PRIVATE):
        raise NetworkError(f"{source}: characters U+10FF00 to U+10FFFF cannot be read")
    if QUOTE in plain or "//" in plain or "/*" in plain:
        file.text = _SKIPPED_OR_QUOTED.sub(_hide, plain)
        if QUOTE in file.text:
            raise file.error(file.text.index(QUOTE), "expected a closing quote on the same line")
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


def _expect(file: BifText, pattern: re.Pattern[str], place: int, what: str) -> re.Match[str]:
    match = pattern.match(file.text, place)
    if match is None:
        raise file.error(_next(file.text, place), f"expected {what}, got {file.found(place)}")
    return match


def _skip_network(file: BifText, place: int) -> int:
    place = _expect(file, _NETWORK, place, "a name and '{' after 'network'").end()
    while declared := _PROPERTY.match(file.text, place):
        place = declared.end()
    return _expect(file, _CLOSE, place, "'property ...;' or '}' in the network block").end()


def _scan_variable(file: BifText, place: int) -> int:
    head = _expect(file, _VARIABLE, place, "a name and '{' after 'variable'")
    name = name_of(head[1].strip())
    if name in file.levels:
        raise file.error(head.start(1), f"variable '{name}' is declared a second time")
    place = head.end()
    while True:
        if declared := _TYPE.match(file.text, place):
            if name in file.levels:
                raise file.error(declared.start(), f"variable '{name}' has a second type")
            count = None if declared[1] is None else int(declared[1])
            states = words(declared[2], count)
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


def _scan_probability(file: BifText, place: int) -> int:
    head = _expect(file, _PROBABILITY, place, "'( variable | parents ) {' after 'probability'")
    end = file.text.find("}", head.end())
    if end < 0:
        raise file.error(head.start(), "expected '}' at the end of this probability block")
    body = file.text[head.end() : end]
    file.tables.append(Block(head.start(1), head[1], body, head.end()))
    return _expect(file, _CLOSE, end, "'}'").end()


def words(text: str, count: int | None) -> tuple[str, ...]:
    """Split a list of names: at commas if that gives `count`, else at commas and blanks.

    So names may hold blanks where commas are enough to tell them apart. Without a count, commas
    are taken at their word as soon as there is one.
    """
    if not text.strip():
        return ()
    words = [word.strip() for word in text.split(",")]
    if "" in words or len(words) != (count if count is not None else max(2, len(words))):
        words = text.replace(",", " ").split()
    return tuple(name_of(word) for word in words)
