"""JSON text to values with every tolerance that Python's own reader has, each of which is noted.

Numbers keep how they are written; that a name occurs twice is noted, and so is a number that JSON has not.
"""

from __future__ import annotations

import json
import re
from json import scanner
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import Json, JsonObject

MAX_INTEGER_DIGITS = 4000
"""Longer integers stay spelled: Python refuses to convert them in bounded time."""

PIECE_CHARS = 1 << 19
"""Characters from which a text is read in pieces: as many take some 50 ms at once."""

FLAT_CHARS = 1 << 16
"""Characters of an array or object without others in it that is read at once."""

_FLAT = re.compile(r'[\[{](?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+[\]}]', re.DOTALL)
"""An array or object without others in it."""

_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")
"""What Python reads as a number and JSON has not."""


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
    known = len(notes)
    try:
        if len(text) >= PIECE_CHARS:
            try:
                return _InPieces(notes, number).decode(text)
            except RecursionError:  # which the code in C reaches later
                del notes[known:]
        return _Decoder(notes, number).decode(text)
    except json.JSONDecodeError as error:
        # "Unterminated string starting at": the place follows
        text = error.msg.removesuffix(" at").removesuffix(" starting")
        raise JsonSyntaxError(text, start + error.pos) from None


class _Decoder(json.JSONDecoder):
    """Python's reader, with the tolerances."""

    scan_once: Callable[[str, int], tuple[Json, int]]

    def __init__(self, notes: list[JsonWarning], number: Callable[[str], Json]) -> None:
        super().__init__(
            object_pairs_hook=_object(notes),
            parse_float=number,
            parse_int=_integer,
            parse_constant=_constant(notes),
        )


class _InPieces(_Decoder):
    """Reads arrays and objects one after the other, so that other threads run in between: the code in C only reads those that have no others in them.

    It would read a text of many arrays or strings without a pause.
    """

    def __init__(self, notes: list[JsonWarning], number: Callable[[str], Json]) -> None:
        super().__init__(notes, number)
        self._read_flat = self.scan_once
        self._read_array, self._read_object = self.parse_array, self.parse_object
        self.parse_array, self.parse_object = self._array, self._members
        self.scan_once = scanner.py_make_scanner(self)  # pyright: ignore - the stubs leave it out

    def _array(self, beginning: tuple[str, int], read: Callable[[str, int], object]) -> object:
        text, start = beginning[0], beginning[1] - 1
        is_flat = _is_flat(text, start) or _is_of_numbers(text, start)
        return self._read_flat(text, start) if is_flat else self._read_array(beginning, read)

    def _members(self, beginning: tuple[str, int], *how: object) -> object:
        text, start = beginning[0], beginning[1] - 1
        if _is_flat(text, start):
            return self._read_flat(text, start)
        return self._read_object(beginning, *how)


def _is_flat(text: str, start: int) -> bool:
    return _FLAT.match(text, start, start + FLAT_CHARS) is not None


def _is_of_numbers(text: str, start: int) -> bool:
    """Return whether an array has only numbers: read at once however long it is, because each of them calls Python, which lets other threads run."""
    end = text.find("]", start)
    return end > 0 and all(text.find(sign, start + 1, end) < 0 for sign in '"[{')


def _object(notes: list[JsonWarning]) -> Callable[[list[tuple[str, Json]]], JsonObject]:
    known: dict[str, JsonWarning] = {}

    def build(pairs: list[tuple[str, Json]]) -> JsonObject:
        made = dict(pairs)
        if len(made) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    if key not in known:
                        text = f"duplicate key {json.dumps(key)}"
                        known[key] = JsonWarning("duplicate-key", text)
                    notes.append(known[key])
                seen.add(key)
        return made

    return build


def _integer(text: str) -> int | RawNumber:
    if text == "-0" or len(text) > MAX_INTEGER_DIGITS:
        return RawNumber(text)
    return int(text)


def _constant(notes: list[JsonWarning]) -> Callable[[str], RawNumber]:
    known = {text: JsonWarning("not-a-number", f"{text} is not JSON") for text in _NO_NUMBERS}

    def build(text: str) -> RawNumber:
        notes.append(known[text])  # there may be millions
        return RawNumber(text)

    return build
