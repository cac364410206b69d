"""What a person might want to write next in a filter."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.transcript.filter.fields import FIELDS, Field, field_named
from inspector.transcript.filter.parser import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LIMIT = 30
"""Suggestions at once."""


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


def suggestions(
    text: str, cursor: int, known: Mapping[str, Iterable[str]] | None = None
) -> list[Suggestion]:
    """Fields, or values of the field at the `cursor`; `known` holds the names in the transcript (`methods`, `tools`, `names`, `tokens`)."""
    start, stop = _word(text, cursor)
    typed = text[start:cursor]
    if '"' in typed:
        return []
    if typed.startswith("-"):
        start, typed = start + 1, typed[1:]
    name, colon, value = typed.partition(":")
    if not colon:
        return list(islice(_fields(typed, start, stop), LIMIT))
    field = field_named(name.lower())
    if field is None:
        return []
    part = value.replace("|", ",").rpartition(",")[2]
    begin = cursor - len(part)
    found = (Suggestion(begin, stop, *pair) for pair in _values(field, part, known or {}))
    return list(islice(found, LIMIT))


def _word(text: str, cursor: int) -> tuple[int, int]:
    start = stop = cursor
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    while stop < len(text) and not text[stop].isspace():
        stop += 1
    return start, stop


def _fields(typed: str, start: int, stop: int) -> Iterator[Suggestion]:
    for field in FIELDS.values():
        if field.name.startswith(typed.lower()):
            yield Suggestion(
                start, stop, f"{field.name}:", f"{field.summary}, e.g. {field.example}"
            )


def _values(
    field: Field, typed: str, known: Mapping[str, Iterable[str]]
) -> Iterator[tuple[str, str]]:
    wanted = typed.lower()
    if field.values:
        yield from (
            (value, text) for value, text in field.values.items() if value.startswith(wanted)
        )
    for name in known.get(field.known, ()):
        if name and wanted in name.lower():
            yield quoted(name), ""
