"""JSON that is nested deeper than a reader may go, cut into texts that are not. Pure, linear in time and memory, never recurses.

Only brackets and strings are looked at: that a text is JSON is told by reading all that it was cut into.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 200
"""Levels of lists and objects that are read where there are too many; up to twice as many where that is all. Far below what Python allows,
whoever asks."""

_BETWEEN = r'[^"\[\]{}]*+(?:"[^"\\\[\]{}]*+"[^"\[\]{}]*+)*+'
"""What stands between brackets, strings without brackets and escapes among it."""


def _flat(levels: int) -> str:
    """A list or object of so many levels at most."""
    inner = f"(?:{_flat(levels - 1)}{_BETWEEN})*+" if levels > 1 else ""
    return rf"[\[{{]{_BETWEEN}{inner}[\]}}]"


_SIGN = re.compile(
    rf'(?:{_flat(3)}{_BETWEEN})++|((?:[\[{{]{_BETWEEN})++)|((?:[\]}}]{_BETWEEN})++)|"[^"\\]*+(?:\\.[^"\\]*+)*+"?',
    re.DOTALL,
)
"""Flat lists and objects; a run of opening brackets; one of closing brackets; a string. A run is looked at once, whatever is in it."""

_OPENING, _CLOSING = rf"[\[{{]{_BETWEEN}", rf"[\]}}]{_BETWEEN}"
_DOWN = re.compile(_OPENING), re.compile(f"(?:{_OPENING}){{{DEEPEST}}}")
_UP = re.compile(_CLOSING), re.compile(f"(?:{_CLOSING}){{{DEEPEST}}}")
"""One step of a run, and `DEEPEST` of them."""


class NestedPieces(FrozenStruct, frozen=True):
    """What a text was cut into."""

    text: str
    """Its first `DEEPEST` levels, and what is no deeper than as many again; in place of each piece stands a number: `mark` and which piece."""
    mark: str
    """How such a number begins; nothing else in the text does."""
    pieces: tuple[str, ...]
    """What is deeper, as it was."""
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
        """Take a run of opening brackets."""
        count = run.count("[") + run.count("{")
        first = -self.depth % DEEPEST or (0 if self.depth else DEEPEST)
        for at in _places(_DOWN, run, range(first, count, DEEPEST)):
            self._begin_last()
            self.candidates.append(start + at)
        self.depth += count

    def go_up(self, start: int, run: str) -> bool:
        """Take a run of closing brackets; return whether as many were open."""
        count = run.count("]") + run.count("}")
        if count > self.depth:
            return False
        for at in _places(_UP, run, range((self.depth - 1) % DEEPEST, count, DEEPEST)):
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


def _places(
    steps: tuple[re.Pattern[str], re.Pattern[str]], run: str, numbers: range
) -> Iterator[int]:
    """Where the brackets with these numbers stand in a run."""
    at = 0
    for _ in range(numbers.start if numbers else 0):
        at = _after(steps[0], run, at)
    for _ in numbers:
        yield at
        at = _after(steps[1], run, at)


def _after(step: re.Pattern[str], run: str, at: int) -> int:
    found = step.match(run, at)
    return found.end() if found else len(run)


def split_nested(text: str) -> NestedPieces | None:
    """Cut `text`; nothing where its brackets do not match, so that it is no JSON."""
    cutting = _Cutting(text, _mark(text))
    for found in _SIGN.finditer(text):
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
