"""JSON text laid out in lines, without reading it: every token keeps its spelling, and a key that is there twice stays twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]:,]|[^\s"{}\[\]:,]+', re.DOTALL)

MAX_INDENTED = 100
"""Levels that are indented: deeper ones are as far to the right, or each line could be as long as the text has levels."""

_ROUNDS = 30
"""How often innermost brackets are taken away, to see whether many are left."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_NO_BRACKETS = bytes(each for each in range(256) if each not in b"{}[]")

_OPENING, _CLOSING = frozenset("{["), frozenset("}]")


def indented(text: str, *, spaces: int = 2) -> str:
    """One value or member a line, `spaces` deeper with each object and array up to `MAX_INDENTED`; what is empty stays on its line.

    `text` must be JSON: of any other text white space between tokens is lost.
    """
    return "".join(_pieces(_TOKEN.findall(text), spaces))


def may_be_deep(text: bytes) -> bool:
    """Whether JSON text may have more levels than are indented; where the answer is no, it has `_ROUNDS` more at most. Never recurses."""
    if text.count(b"[") + text.count(b"{") <= MAX_INDENTED:
        return False
    brackets = _STRING.sub(b"", text).translate(None, _NO_BRACKETS)
    for _ in range(_ROUNDS):
        if len(brackets) <= 2 * MAX_INDENTED:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return True


def line_start(level: int, spaces: int) -> str:
    """A new line, `spaces` deeper with each level up to `MAX_INDENTED`."""
    return "\n" + " " * (spaces * min(level, MAX_INDENTED))


def _pieces(tokens: list[str], spaces: int) -> Iterator[str]:
    depth, before = 0, ""
    for token in tokens:
        if token in _CLOSING:
            depth -= 1
            if before not in _OPENING:
                yield line_start(depth, spaces)
        elif before in _OPENING or before == ",":
            yield line_start(depth, spaces)
        elif before == ":":
            yield " "
        yield token
        if token in _OPENING:
            depth += 1
        before = token
