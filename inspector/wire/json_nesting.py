"""The levels of JSON text: what is nested too deeply to be read is cut into texts that are not, and text is laid out in lines.

Pure, linear in time and memory, never recurses. Only brackets and strings are examined: whether a text is JSON shows when all its pieces are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 200
"""Levels of arrays and objects that are read of a text with too many; up to twice as many if that is all. Far below the limits of Python, at
any depth of the caller's stack."""

_BETWEEN = r'[^"\[\]{}]*+(?:"[^"\\\[\]{}]*+"[^"\[\]{}]*+)*+'
"""What is between brackets, with strings that have neither brackets nor escapes."""


def _flat(levels: int) -> str:
    """Return the pattern of an array or object of at most `levels` levels."""
    inner = f"(?:{_flat(levels - 1)}{_BETWEEN})*+" if levels > 1 else ""
    return rf"[\[{{]{_BETWEEN}{inner}[\]}}]"


_RUN = f"{{1,{50 * DEEPEST}}}+"
"""Steps of a run: between two of them, a thread that does this lets go of the interpreter where another asks for it."""

_SIGN = rf'(?s)(?:{_flat(3)}{_BETWEEN}){_RUN}|((?:[\[{{]{_BETWEEN}){_RUN})|((?:[\]}}]{_BETWEEN}){_RUN})|"[^"\\]*+(?:\\.[^"\\]*+)*+"?'
"""Flat arrays and objects; a run of opening brackets; one of closing brackets; a string. Each run is examined once."""

_OPENING, _CLOSING = rf"[\[{{]{_BETWEEN}", rf"[\]}}]{_BETWEEN}"
_DOWN = _OPENING, f"(?:{_OPENING}){{{DEEPEST}}}"
_UP = _CLOSING, f"(?:{_CLOSING}){{{DEEPEST}}}"
"""One step of a run, and `DEEPEST` of them. All of these are compiled at their first use: few texts are nested so deeply."""


class NestedPieces(FrozenStruct, frozen=True):
    """The pieces of a text."""

    text: str
    """The first `DEEPEST` levels, and what is no deeper than as many again; each piece is replaced by a number: `mark` and its position in `pieces`."""
    mark: str
    """The start of these numbers, which occurs nowhere else in the text."""
    pieces: tuple[str, ...]
    """The deeper parts, unchanged."""
    inner: tuple[tuple[int, str], ...]
    """The levels of the pieces, `DEEPEST` at a time, and where each begins: the pieces are JSON when all of these are."""


@dataclass(slots=True)
class _Cutting:
    """A text while it is cut."""

    text: str
    mark: str
    depth: int = 0
    seen: int = 0
    candidates: list[int] = field(default_factory=list[int])
    """Where each `DEEPEST` levels begin that are open now."""
    begun: int = 0
    """How many of them are cut out: those that hold as many levels again. Without that condition there could be a piece for each bracket."""
    parts: list[list[str]] = field(default_factory=lambda: [[]])
    pieces: list[str] = field(default_factory=list[str])
    inner: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def go_down(self, start: int, run: str) -> None:
        """Process a run of opening brackets."""
        count = run.count("[") + run.count("{")
        next_level = -self.depth % DEEPEST or (0 if self.depth else DEEPEST)
        for at in _positions(_DOWN, run, range(next_level, count, DEEPEST)):
            self._begin_last()
            self.candidates.append(start + at)
        self.depth += count

    def go_up(self, start: int, run: str) -> bool:
        """Process a run of closing brackets; return whether as many were open."""
        count = run.count("]") + run.count("}")
        if count > self.depth:
            return False
        for at in _positions(_UP, run, range((self.depth - 1) % DEEPEST, count, DEEPEST)):
            if self.candidates:
                self._end_last(start + at + 1)
        self.depth -= count
        return True

    def _begin_last(self) -> None:
        if len(self.candidates) > self.begun:
            at = self.candidates[-1]
            self.parts[-1].append(self.text[self.seen : at])
            self.parts.append([])
            self.seen = at
            self.begun += 1

    def _end_last(self, at: int) -> None:
        start = self.candidates.pop()
        if len(self.candidates) >= self.begun:
            return
        self.begun -= 1
        self.parts[-1].append(self.text[self.seen : at])
        self.seen = at
        self.inner.append((start, "".join(self.parts.pop())))
        if self.begun:
            self.parts[-1].append("0")
            return
        self.parts[-1].append(f"{self.mark}{len(self.pieces)}")
        self.pieces.append(self.text[start:at])

    def finished(self) -> NestedPieces:
        rest = "".join([*self.parts[0], self.text[self.seen :]])
        return NestedPieces(rest, self.mark, tuple(self.pieces), tuple(self.inner))


def _positions(steps: tuple[str, str], run: str, numbers: range) -> Iterator[int]:
    """Yield the positions of the brackets with these numbers in a run."""
    one, many = map(re.compile, steps)
    at = 0
    for _ in range(numbers.start if numbers else 0):
        at = _after(one, run, at)
    for _ in numbers:
        yield at
        at = _after(many, run, at)


def _after(step: re.Pattern[str], run: str, at: int) -> int:
    found = step.match(run, at)
    return found.end() if found else len(run)


def split_nested(text: str) -> NestedPieces | None:
    """Cut `text` into pieces; None if its brackets do not match, so that it is not JSON."""
    cutting = _Cutting(text, _mark(text))
    for found in re.finditer(_SIGN, text):
        if found.lastindex == 1:
            cutting.go_down(found.start(), found[0])
        elif found.lastindex == 2 and not cutting.go_up(found.start(), found[0]):
            return None
    return None if cutting.depth else cutting.finished()


def _mark(text: str) -> str:
    mark = "0e0"
    while mark in text:
        mark += "0"
    return mark


_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]:,]|[^\s"{}\[\]:,]+', re.DOTALL)

MAX_INDENTED = 100
"""Levels that are indented: deeper ones are as far to the right, or each line could be as long as the text has levels."""

_ROUNDS = 30
"""How often innermost brackets are taken away, to see whether many are left."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_NO_BRACKETS = bytes(each for each in range(256) if each not in b"{}[]")

_OPENERS, _CLOSERS = frozenset("{["), frozenset("}]")


def indented(text: str, *, spaces: int = 2) -> str:
    """Lay JSON `text` out in lines without reading it: every token keeps its spelling, and repeated names stay.

    There is one value or member in a line, `spaces` deeper with each object and array up to `MAX_INDENTED`; empty ones stay on their line.
    Text that is not JSON loses the white space between its tokens.
    """
    return "".join(_pieces(_TOKEN.findall(text), spaces))


def may_be_deep(text: bytes) -> bool:
    """Return whether JSON text may have more levels than are indented; if not, it has at most `_ROUNDS` more. Never recurses."""
    if text.count(b"[") + text.count(b"{") <= MAX_INDENTED:
        return False
    brackets = _STRING.sub(b"", text).translate(None, _NO_BRACKETS)
    for _ in range(_ROUNDS):
        if len(brackets) <= 2 * MAX_INDENTED:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return True


def line_start(level: int, spaces: int) -> str:
    """Return a newline and the indentation of a level."""
    return "\n" + " " * (spaces * min(level, MAX_INDENTED))


def _pieces(tokens: list[str], spaces: int) -> Iterator[str]:
    depth, before = 0, ""
    for token in tokens:
        if token in _CLOSERS:
            depth -= 1
            if before not in _OPENERS:
                yield line_start(depth, spaces)
        elif before in _OPENERS or before == ",":
            yield line_start(depth, spaces)
        elif before == ":":
            yield " "
        yield token
        if token in _OPENERS:
            depth += 1
        before = token
