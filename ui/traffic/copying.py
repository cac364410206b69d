"""Frames as text for the clipboard. The bytes are never tidied up, except where a form says so; a `Masking` hides secrets, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire import jsontext
from inspector.wire.frame import Direction
from inspector.wire.jsontext import RawJson
from inspector.wire.message import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.transcript.masking import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.jsontext import JsonObject

_JSON_KINDS = {Kind.REQUEST, Kind.RESPONSE, Kind.ERROR, Kind.NOTIFICATION, Kind.BATCH, Kind.NOTE}
_WAYS = {Direction.SENT: "out", Direction.RECEIVED: "in", Direction.NOTE: "note"}


def raw_text(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> str:
    """The frames as they crossed the wire, one after the other."""
    raws = (masking.apply(number, transcript.raw(number)) for number in numbers)
    return "\n".join(raw.decode(errors="replace") for raw in raws)


def pretty_json(transcript: Transcript, number: int, masking: Masking) -> str:
    """One frame as indented JSON, numbers spelled as they were; as it is when it is not JSON."""
    raw = masking.apply(number, transcript.message(number).raw)
    try:
        return jsontext.write(jsontext.read(raw).value, indent=2)
    except ValueError:
        return raw.decode(errors="replace")


def json_lines(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> str:
    """One line a frame: number, time, direction, kind, and the message; or the text where it is no JSON."""
    return "\n".join(_line(transcript, number, masking) for number in numbers)


def _line(transcript: Transcript, number: int, masking: Masking) -> str:
    row = transcript.row(number)
    text = masking.apply(number, transcript.message(number).raw).decode(errors="replace")
    line: JsonObject = {
        "number": number,
        "time": RawJson(f"{row.wall:.6f}"),
        "direction": _WAYS[row.direction],
        "kind": row.kind.name.lower(),
    }
    if row.kind in _JSON_KINDS:
        line["message"] = RawJson(jsontext.compact(text))
    else:
        line["text"] = text
    return jsontext.write(line)
