"""The formats in which frames are copied and printed, one row each; raw text, indented JSON and JSON Lines are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inspector.export.curl import curl_commands, uses_http
from inspector.frozen import FrozenStruct
from inspector.wire import json_codec
from inspector.wire.frame import Direction
from inspector.wire.json_codec import RawJson
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import JsonObject

_JSON_KINDS = {
    MessageKind.REQUEST,
    MessageKind.RESPONSE,
    MessageKind.ERROR,
    MessageKind.NOTIFICATION,
    MessageKind.BATCH,
    MessageKind.NOTE,
}
_DIRECTIONS = {Direction.SENT: "out", Direction.RECEIVED: "in", Direction.NOTE: "note"}

Write: TypeAlias = "Callable[[Transcript, Iterable[int], Masking], Iterator[str]]"
"""Yields texts of frames, given by number; raises `StorageError` if a frame cannot be read."""


def is_any(transcript: Transcript, number: int) -> bool:
    """Whether a format is for a frame: it is for every one."""
    del transcript, number
    return True


class Format(FrozenStruct, frozen=True):
    """A format for frames."""

    key: str
    """Its name on the command line."""
    title: str
    """Its name in sentences."""
    copy_text: str
    """The menu entry that copies in this format."""
    write: Write
    is_single: bool = False
    """Whether one frame is copied, not the selection."""
    applies_to: Callable[[Transcript, int], bool] = is_any
    """Whether it is offered for a frame."""


def raw_text(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    """Yield frames as they were sent or received."""
    for number in numbers:
        yield masking.apply(number, transcript.raw(number)).decode(errors="replace")


def indented_json(
    transcript: Transcript, numbers: Iterable[int], masking: Masking
) -> Iterator[str]:
    """Yield messages as indented JSON, numbers spelled as they were sent; anything else as it is."""
    for number in numbers:
        raw = masking.apply(number, transcript.message(number).raw)
        try:
            yield json_codec.write(json_codec.read(raw).value, indent=2)
        except ValueError:
            yield raw.decode(errors="replace")


def json_lines(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    """Yield a line for each frame, for reading: number, time, direction, kind, and the message, or the text if it is not JSON."""
    for number in numbers:
        yield _json_line(transcript, number, masking)


def _json_line(transcript: Transcript, number: int, masking: Masking) -> str:
    row = transcript.row(number)
    text = masking.apply(number, transcript.message(number).raw).decode(errors="replace")
    line: JsonObject = {
        "number": number,
        "time": RawJson(f"{row.wall_s:.6f}"),
        "direction": _DIRECTIONS[row.direction],
        "kind": row.kind.name.lower(),
    }
    if row.kind in _JSON_KINDS:
        line["message"] = RawJson(json_codec.compact(text))
    else:
        line["text"] = text
    return json_codec.write(line)


RAW = Format("raw", "raw text", "Copy raw text", raw_text)
INDENTED_JSON = Format("json", "JSON", "Copy as indented JSON", indented_json, True)
JSON_LINES = Format("jsonl", "JSON Lines", "Copy selection as JSON Lines", json_lines)
CURL = Format("curl", "cURL", "Copy as cURL", curl_commands, True, uses_http)

FORMATS = (RAW, INDENTED_JSON, JSON_LINES, CURL)
"""Every format, in the order of menus."""
