"""What a filter could say next: fields, values of the field at the cursor, and members of the path there.

Each value that is in the traffic comes with the number of its frames (`seen_values`).
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.transcript.filter.fields import FIELDS, Field, field_named
from inspector.transcript.filter.parser import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LIMIT = 30
"""Suggestions at once."""

PATHS = "has"
"""The field whose values are the paths in messages."""


class Suggestion(FrozenStruct, frozen=True):
    """One way to go on."""

    start: int
    """First character of the query that it replaces."""
    stop: int
    """Character after the last one it replaces."""
    text: str
    """What it puts there."""
    summary: str
    """What that means."""
    count: int | None = None
    """Frames with this value; None if they are not counted."""


def suggestions(
    text: str, cursor: int, seen: Callable[[str], Mapping[str, int | None]] = lambda _field: {}
) -> list[Suggestion]:
    """Fields, or values of the field at the `cursor`; `seen` returns the values of a field in the traffic, with the number of their frames."""
    start, stop = _word(text, cursor)
    typed = text[start:cursor]
    if '"' in typed:
        return []
    name, colon, value = typed.partition(":")
    if not colon:
        paths = _paths(typed, start, stop, seen(PATHS)) if "." in typed else ()
        return list(islice((*_fields(typed, start, stop), *paths), LIMIT))
    field = field_named(name.lower())
    if field is None:
        return []
    part = value.replace("|", ",").rpartition(",")[2]
    begin = cursor - len(part)
    found = (Suggestion(begin, stop, *each) for each in _values(field, part, seen(field.name)))
    return list(islice(found, LIMIT))


def _word(text: str, cursor: int) -> tuple[int, int]:
    """Return where the term at the cursor begins and ends; a minus, bars and parentheses at its edges are no part of it."""
    start = stop = cursor
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while stop < len(text) and not text[stop].isspace():
        stop += 1
    while start < cursor and text[start] in "(|-":
        start += 1
    before_value = text[start:cursor].partition(":")[0]
    start += before_value.rfind("|") + 1
    while stop > cursor and text[stop - 1] == ")":
        stop -= 1
    return start, stop


def _fields(typed: str, start: int, stop: int) -> Iterator[Suggestion]:
    for field in FIELDS.values():
        if field.name.startswith(typed.lower()):
            yield Suggestion(
                start, stop, f"{field.name}:", f"{field.summary}, e.g. {field.example}"
            )


def _paths(
    typed: str, start: int, stop: int, paths: Mapping[str, int | None]
) -> Iterator[Suggestion]:
    for path in paths:
        if path.lower().startswith(typed.lower()) and path != typed:
            yield Suggestion(start, stop, path, "")


def _values(
    field: Field, typed: str, seen: Mapping[str, int | None]
) -> Iterator[tuple[str, str, int | None]]:
    """Values with their meaning and count: those of the field, then those in the traffic."""
    text = typed.lower()
    for value, meaning in (field.values or {}).items():
        if value.startswith(text):
            yield value, meaning, seen.get(value)
    others = [name for name in seen if name not in (field.values or {})]
    for name in others:
        if text in name.lower():
            yield name if field.name == PATHS else quoted(name), "", seen[name]
