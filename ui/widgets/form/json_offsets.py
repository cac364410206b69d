"""Where in a JSON text the value of a pointer stands. Pure; what is not there leads to what would hold it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.wire.json_codec import read

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def span_of(text: str, path: Sequence[str]) -> tuple[int, int]:
    """Begin and end of the value at `path`, which are unescaped steps; of its nearest holder, only where that begins."""
    walk = _Walk(path)
    for token in _TOKEN.finditer(text):
        walk.take(token)
        if walk.end is not None:
            return walk.start, walk.end
    return walk.start, walk.start + 1


class _Walk:
    """Goes through the tokens of a text and counts how much of a path it is in."""

    def __init__(self, path: Sequence[str]) -> None:
        self.start = 0
        self.end: int | None = None
        self._path = path
        self._keys: list[str | int] = []
        """The steps to the value that comes next; a number within a list."""
        self._matched = -1
        self._open_at = -1
        self._wants_key = False

    def take(self, token: re.Match[str]) -> None:
        """Go on by one token."""
        text = token[0]
        if text in "}],":
            if self._keys:  # else it is no JSON
                self._go_on() if text == "," else self._close(token)
        elif text == ":":
            self._wants_key = False
        elif self._wants_key and self._keys:
            self._keys[-1] = _key(text)
        else:
            self._begin(token)

    def _begin(self, token: re.Match[str]) -> None:
        depth = len(self._keys)
        if self._matched < depth and self._is_on_path():
            self._matched, self.start = depth, token.start()
            if depth == len(self._path):
                self._open_at = depth
                if token[0] not in "{[":
                    self.end = token.end()
        if token[0] in "{[":
            self._wants_key = token[0] == "{"
            self._keys.append("" if self._wants_key else 0)

    def _close(self, token: re.Match[str]) -> None:
        self._keys.pop()
        self._wants_key = False
        if len(self._keys) == self._open_at:
            self.end = token.end()

    def _go_on(self) -> None:
        last = self._keys[-1]
        if isinstance(last, int):
            self._keys[-1] = last + 1
        self._wants_key = isinstance(last, str)

    def _is_on_path(self) -> bool:
        return [str(key) for key in self._keys] == list(self._path[: len(self._keys)])


def _key(text: str) -> str:
    found = read(text.encode("utf-8", "surrogatepass")).value
    return found if isinstance(found, str) else text
