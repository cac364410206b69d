"""Terms that narrow the filter by a frame, by one of its cells, or by a value in its message."""

from __future__ import annotations

from itertools import islice
from math import floor
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.transcript.filter.json_paths import (
    parse_path,
    path_term,
    path_text,
    value_term,
    values_in,
)
from inspector.transcript.filter.predicates import DIRECTIONS, STATUSES, id_text
from inspector.transcript.filter.query import quoted
from inspector.visible_text import one_line
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind
from ui.models.traffic_columns import PATH_KEY
from ui.widgets.units import clock_with_millis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

MAX_NAME = 40
"""Characters of a name in an entry."""


class FilterTerm(NamedTuple):
    """An entry that narrows the view."""

    label: str
    """What it says."""
    term: str
    """What it adds to the filter."""


def _id(transcript: Transcript, number: int) -> str:
    try:
        return id_text(transcript.message(number).id)
    except StorageError:
        return ""  # the row says so already


def filterings(transcript: Transcript, number: int) -> list[FilterTerm]:
    """Ways to narrow the view by this frame."""
    columns, row = transcript.columns, transcript.row(number)
    found: list[FilterTerm] = []
    if row.method:
        name, term = one_line(row.method, MAX_NAME), quoted(row.method)
        found.append(FilterTerm(f"Only method {name}", f"method:{term}"))
        found.append(FilterTerm(f"Exclude method {name}", f"-method:{term}"))
    if row.kind in {MessageKind.REQUEST, MessageKind.RESPONSE, MessageKind.ERROR}:
        id_ = _id(transcript, number)
        if id_:
            found.append(FilterTerm(f"Only id {one_line(id_, MAX_NAME)}", f"id:{quoted(id_)}"))
    found += [
        FilterTerm(f"Only token {token}", f"auth:{token}") for token in transcript.tokens.of(number)
    ]
    if row.channel is Channel.AUTH:
        found.append(FilterTerm("Only authorization", "auth:flow"))
    label = columns.labels.texts[columns.label[number - 1]]
    if label:
        field = "tool" if row.method == "tools/call" else "name"
        visible = one_line(label, MAX_NAME)
        found.append(FilterTerm(f"Only {field} {visible}", f"{field}:{quoted(label)}"))
    kind = row.kind.name.lower()
    found.append(FilterTerm(f"Only kind {kind}", f"kind:{kind}"))
    found.append(FilterTerm(f"Exclude kind {kind}", f"-kind:{kind}"))
    return found


def unique_terms(transcript: Transcript, number: int, column: str) -> list[FilterTerm]:
    """Ways to narrow the view by the cell in `column`, then by the whole frame."""
    of_cell = _OF_COLUMN.get(column)
    found = list(of_cell(transcript, number)) if of_cell is not None else []
    if column.startswith(PATH_KEY):
        found = _of_path(transcript, number, column.removeprefix(PATH_KEY))
    others = filterings(transcript, number)
    return list({each.term: each for each in (*found, *others)}.values())


def _of_number(_transcript: Transcript, number: int) -> Iterator[FilterTerm]:
    yield FilterTerm(f"Only before frame {number:,}", f"before:#{number}")
    yield FilterTerm(f"Only after frame {number:,}", f"after:#{number}")


def _of_time(transcript: Transcript, number: int) -> Iterator[FilterTerm]:
    # Rounded down, so that the frame itself is among those from then on.
    clock = clock_with_millis(floor(transcript.columns.wall_s[number - 1] * 1000) / 1000)
    yield FilterTerm(f"Only before {clock}", f"before:{clock}")
    yield FilterTerm(f"Only from {clock} on", f"after:{clock}")


def _of_direction(transcript: Transcript, number: int) -> Iterator[FilterTerm]:
    direction = transcript.row(number).direction
    for name, (meaning, value) in DIRECTIONS.items():
        if value is direction:
            yield FilterTerm(f"Only {meaning}", f"dir:{name}")
            yield FilterTerm(f"Exclude {meaning}", f"-dir:{name}")


def _of_status(transcript: Transcript, number: int) -> Iterator[FilterTerm]:
    owner = transcript.columns.request[number - 1]
    status = transcript.status(owner) if owner else None
    for name, (_, statuses) in STATUSES.items():
        if statuses == (status,):
            yield FilterTerm(f"Only status {name}", f"status:{name}")
            yield FilterTerm(f"Exclude status {name}", f"-status:{name}")
    if transcript.findings(number):
        for rule in dict.fromkeys(each.rule for each in transcript.findings(number)):
            yield FilterTerm(f"Only finding {one_line(rule, MAX_NAME)}", f"finding:{quoted(rule)}")


def _of_duration(transcript: Transcript, number: int) -> Iterator[FilterTerm]:
    owner = transcript.columns.request[number - 1]
    seconds = transcript.took_seconds(owner) if owner else None
    if seconds is not None:
        limit = f"{floor(seconds * 1e6) / 1000:.3f}".rstrip("0").rstrip(".")
        yield FilterTerm(f"Only at least {limit} ms", f"duration:>={limit}ms")
        yield FilterTerm(f"Only less than {limit} ms", f"duration:<{limit}ms")


def _of_size(transcript: Transcript, number: int) -> Iterator[FilterTerm]:
    size = transcript.columns.size[number - 1]
    yield FilterTerm(f"Only at least {size:,} bytes", f"size:>={size}")
    yield FilterTerm(f"Only less than {size:,} bytes", f"size:<{size}")


_OF_COLUMN: dict[str, Callable[[Transcript, int], Iterator[FilterTerm]]] = {
    "number": _of_number,
    "time": _of_time,
    "direction": _of_direction,
    "status": _of_status,
    "duration": _of_duration,
    "size": _of_size,
}
"""Columns → terms for one of their cells; those of the others are among the terms of every frame."""


def _of_path(transcript: Transcript, number: int, path: str) -> list[FilterTerm]:
    try:
        raw, channel = transcript.raw(number), transcript.columns.channel[number - 1]
    except StorageError:
        return []  # the row says so already
    values = list(islice(values_in(raw, channel, parse_path(path)), 1))
    return _terms_of(path, path_term(path, values[0])) if values else []


def value_terms(pointer: str, value: Json) -> list[FilterTerm]:
    """Ways to narrow the view by a value at a JSON pointer in a message."""
    path = path_text(pointer)
    return _terms_of(path, value_term(pointer, value)) if path else []


def _terms_of(path: str, term: str) -> list[FilterTerm]:
    visible = one_line(term.removeprefix("has:"), 2 * MAX_NAME)
    found = [FilterTerm(f"Only {visible}", term), FilterTerm(f"Exclude {visible}", f"-{term}")]
    if not term.startswith("has:"):
        found.append(FilterTerm(f"Only with {one_line(path, 2 * MAX_NAME)}", f"has:{path}"))
    return found
