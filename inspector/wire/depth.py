"""JSON that is nested deeper than a reader may go, cut into texts that are not. Pure, linear in time and memory, never recurses.

Only brackets and strings are looked at: that a text is JSON is told by reading all that it was cut into.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from inspector.fact import Fact

DEEPEST = 200
"""Levels of lists and objects that are read where there are too many. Far below what Python allows, whoever asks."""

_SIGN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]+|[\]}]+', re.DOTALL)
"""A string, or a run of brackets of one side: a megabyte of nothing else is looked at run by run."""


class Cut(Fact, frozen=True):
    """What a text was cut into."""

    text: str
    """Its first `DEEPEST` levels; in place of each piece stands a number: `mark` and which piece."""
    mark: str
    """How such a number begins; nothing else in the text does."""
    pieces: tuple[str, ...]
    """What stood deeper, as it was."""
    inner: tuple[tuple[int, str], ...]
    """The levels of the pieces, `DEEPEST` at a time, and where each begins: the pieces are JSON when all of these are."""


@dataclass(slots=True)
class _Cutting:
    """A text while it is cut."""

    text: str
    mark: str
    seen: int = 0
    opened: list[int] = field(default_factory=list[int])
    parts: list[list[str]] = field(default_factory=lambda: [[]])
    pieces: list[str] = field(default_factory=list[str])
    inner: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    def begin(self, at: int) -> None:
        self.parts[-1].append(self.text[self.seen : at])
        self.parts.append([])
        self.opened.append(at)
        self.seen = at

    def end(self, at: int) -> None:
        self.parts[-1].append(self.text[self.seen : at])
        self.seen = at
        start = self.opened.pop()
        self.inner.append((start, "".join(self.parts.pop())))
        if self.opened:
            self.parts[-1].append("0")
            return
        self.parts[-1].append(f"{self.mark}{len(self.pieces)}")
        self.pieces.append(self.text[start:at])

    def finished(self) -> Cut:
        rest = "".join([*self.parts[0], self.text[self.seen :]])
        return Cut(rest, self.mark, tuple(self.pieces), tuple(self.inner))


def cut(text: str) -> Cut | None:
    """Cut `text`; nothing where its brackets do not match, so that it is no JSON."""
    cutting, depth = _Cutting(text, _mark(text)), 0
    for found in _SIGN.finditer(text):
        start, size = found.start(), found.end() - found.start()
        if text[start] in "[{":
            for level in range(depth + -depth % DEEPEST, depth + size, DEEPEST):
                if level:
                    cutting.begin(start + level - depth)
            depth += size
        elif text[start] in "]}":
            if size > depth:
                return None
            for level in range((depth - 1) // DEEPEST * DEEPEST, depth - size - 1, -DEEPEST):
                if level:
                    cutting.end(start + depth - level)
            depth -= size
    return None if depth else cutting.finished()


def _mark(text: str) -> str:
    mark = "0e0"
    while mark in text:
        mark += "0"
    return mark
