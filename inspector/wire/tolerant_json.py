"""JSON text to values with every tolerance that Python's own reader has, each of which is noted.

Numbers keep how they are written; that a name occurs twice is noted, and so is a number that JSON has not.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import Json, JsonObject

MAX_INTEGER_DIGITS = 4000
"""Longer integers stay spelled: Python refuses to convert them in bounded time."""


class JsonSyntaxError(ValueError):
    """The text is not JSON."""

    def __init__(self, text: str, position: int) -> None:
        """Keep what is wrong (`text`) and where: `position` counts characters from 0."""
        super().__init__(f"{text} at character {position + 1}")
        self.reason = text
        self.position = position


class RawNumber(float):
    """A number that remembers how it was written."""

    __slots__ = ("text",)

    text: str
    """The number exactly as in the source."""

    def __new__(cls, text: str) -> RawNumber:
        """Read `text`; what is too large for a float compares as infinity but keeps its text."""
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __reduce__(self) -> tuple[type[RawNumber], tuple[str]]:
        """Copy and pickle by spelling."""
        return RawNumber, (self.text,)


class JsonWarning(FrozenStruct, frozen=True):
    """A tolerance that reading needed."""

    rule: str
    """`duplicate-key`, `not-a-number`, `lone-surrogate`, `invalid-utf8`, `byte-order-mark` or `too-deep`."""
    text: str
    """What was found."""


def load(
    text: str, notes: list[JsonWarning], number: Callable[[str], Json], start: int = 0
) -> Json:
    """Read `text`, which begins at character `start` of the whole."""
    try:
        return json.loads(
            text,
            object_pairs_hook=_object(notes),
            parse_float=number,
            parse_int=_integer,
            parse_constant=_constant(notes),
        )
    except json.JSONDecodeError as error:
        # "Unterminated string starting at": the place follows
        text = error.msg.removesuffix(" at").removesuffix(" starting")
        raise JsonSyntaxError(text, start + error.pos) from None


def _object(notes: list[JsonWarning]) -> Callable[[list[tuple[str, Json]]], JsonObject]:
    def build(pairs: list[tuple[str, Json]]) -> JsonObject:
        made = dict(pairs)
        if len(made) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    notes.append(JsonWarning("duplicate-key", f"duplicate key {json.dumps(key)}"))
                seen.add(key)
        return made

    return build


def _integer(text: str) -> int | RawNumber:
    if text == "-0" or len(text) > MAX_INTEGER_DIGITS:
        return RawNumber(text)
    return int(text)


def _constant(notes: list[JsonWarning]) -> Callable[[str], RawNumber]:
    def build(text: str) -> RawNumber:
        notes.append(JsonWarning("not-a-number", f"{text} is not JSON"))
        return RawNumber(text)

    return build
