"""The formats in which frames are copied and printed, one row each; raw text and indented JSON are made here."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inspector.export.curl import curl_commands, uses_http
from inspector.export.jsonl import json_lines
from inspector.frozen import FrozenStruct
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript

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


RAW = Format("raw", "raw text", "Copy raw text", raw_text)
INDENTED_JSON = Format("json", "JSON", "Copy as indented JSON", indented_json, True)
JSON_LINES = Format("jsonl", "JSON Lines", "Copy selection as JSON Lines", json_lines)
CURL = Format("curl", "cURL", "Copy as cURL", curl_commands, True, uses_http)

FORMATS = (RAW, INDENTED_JSON, JSON_LINES, CURL)
"""Every format, in the order of menus."""
