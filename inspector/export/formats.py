"""The formats in which frames are copied and printed, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inspector.export.curl import curl_commands, uses_http
from inspector.export.jsonl import json_lines
from inspector.export.text import indented_json, raw_text
from inspector.frozen import FrozenStruct

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


RAW = Format("raw", "raw text", "Copy raw text", raw_text)
INDENTED_JSON = Format("json", "JSON", "Copy as indented JSON", indented_json, True)
JSON_LINES = Format("jsonl", "JSON Lines", "Copy selection as JSON Lines", json_lines)
CURL = Format("curl", "cURL", "Copy as cURL", curl_commands, True, uses_http)

FORMATS = (RAW, INDENTED_JSON, JSON_LINES, CURL)
"""Every format, in the order of menus."""
