"""JSON text laid out in lines, without reading it: every token keeps its spelling, and a key that is there twice stays twice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[{}\[\]:,]|[^\s"{}\[\]:,]+', re.DOTALL)

_OPENING, _CLOSING = frozenset("{["), frozenset("}]")


def indented(text: str, *, spaces: int = 2) -> str:
    """One value or member a line, `spaces` deeper with each object and array; what is empty stays on its line.

    `text` must be JSON: of any other text white space between tokens is lost.
    """
    return "".join(_pieces(_TOKEN.findall(text), " " * spaces))


def _pieces(tokens: list[str], step: str) -> Iterator[str]:
    depth, before = 0, ""
    for token in tokens:
        if token in _CLOSING:
            depth -= 1
            if before not in _OPENING:
                yield f"\n{step * depth}"
        elif before in _OPENING or before == ",":
            yield f"\n{step * depth}"
        elif before == ":":
            yield " "
        yield token
        if token in _OPENING:
            depth += 1
        before = token
