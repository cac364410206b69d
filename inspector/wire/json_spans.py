"""Where in the text of a message a value is, and which value is at a position. Pure; never raises, whether the text is JSON or not.

The text may have more around it, such as the fields of an event: only brackets, strings and what is between them are examined. Both
functions are generators that pause now and then, so that the caller can go on with other work; what they return is their result.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    Located: TypeAlias = Generator[None, None, tuple[int, int] | None]
    Keys: TypeAlias = Generator[None, None, list[str | int]]

PAUSE_EVERY = 500
"""Tokens between two pauses."""

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{},:]|[^\s"\[\]{},:]++', re.DOTALL)


def locate(text: str, keys: Sequence[str]) -> Located:
    """Return where the value at `keys` (the steps of a JSON pointer, at least one) starts and ends; of several with one name the last, as it is read."""
    walk, found, start = _Walk(), None, -1
    for number, token in enumerate(_TOKEN.finditer(text)):
        sign = text[token.start()]
        was_here = walk.is_at(keys)
        walk.go(sign, token[0])
        if sign in "{[":
            start = token.start() if was_here else start
        elif sign in "}]":
            if start >= 0 and walk.is_at(keys):
                found, start = (start, token.end()), -1
        elif was_here and sign not in ",:" and not walk.was_name:
            found = token.span()
        if number % PAUSE_EVERY == 0:
            yield
    return found


def keys_at(text: str, position: int) -> Keys:
    """Return the steps to the innermost value at `position`, in the same form; a member from its name on. Empty outside of any."""
    walk = _Walk()
    for number, token in enumerate(_TOKEN.finditer(text)):
        if token.start() > position:
            break
        sign = text[token.start()]
        is_inside = position < token.end()
        if is_inside and sign in "}],":
            break
        if is_inside and sign in "{[":
            return walk.path
        walk.go(sign, token[0])
        if is_inside:
            return walk.path
        if number % PAUSE_EVERY == 0:
            yield
    return walk.path[:-1]


class _Walk:
    """The way through a text, token by token."""

    def __init__(self) -> None:
        self.path: list[str | int] = []
        """For each container that is open, the name or number of its member here."""
        self.was_name = False
        """Whether the last token was the name of a member."""
        self._objects: list[bool] = []
        self._name_is_next = False

    def is_at(self, keys: Sequence[str]) -> bool:
        path = self.path
        return (
            len(path) == len(keys)
            and bool(keys)
            and str(path[-1]) == keys[-1]
            and [*map(str, path)] == [*keys]
        )

    def go(self, sign: str, token: str) -> None:
        """Go past a token; `sign` is its first character."""
        self.was_name = False
        if sign in "{[":
            self._objects.append(sign == "{")
            self.path.append("" if sign == "{" else 0)
            self._name_is_next = sign == "{"
        elif sign in "}]":
            del self._objects[-1:], self.path[-1:]
            self._name_is_next = False
        elif sign == ",":
            self._go_on()
        elif sign == '"' and self._name_is_next and self.path:
            self.path[-1] = _name(token)
            self.was_name, self._name_is_next = True, False

    def _go_on(self) -> None:
        self._name_is_next = bool(self._objects) and self._objects[-1]
        if self.path and isinstance(self.path[-1], int):
            self.path[-1] += 1
        elif self.path:
            self.path[-1] = ""


def _name(token: str) -> str:
    if "\\" in token:
        try:
            return str(json.loads(token, strict=False))
        except ValueError:
            pass
    return token[1:-1]
