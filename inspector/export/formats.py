"""The formats in which frames are copied, printed and saved: a row for each, whose code is in a module of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from inspector.export.cli_line import cli_lines
from inspector.export.csv_rows import csv_rows
from inspector.export.curl import curl_commands, uses_http
from inspector.export.har import har
from inspector.export.json_lines import json_lines
from inspector.export.markdown import markdown
from inspector.export.otlp import otlp_spans
from inspector.export.pieces import lines_of
from inspector.export.python_sdk import python_programs
from inspector.export.server_target import belongs_to_sent_request
from inspector.export.text import indented_json, raw_text
from inspector.export.typescript_sdk import typescript_programs
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript

Write: TypeAlias = "Callable[[Transcript, Iterable[int], Masking], Iterator[str]]"
"""Yields lines of a text about frames, given by number in ascending order, or pieces of lines; an empty one where it only gives a turn to the loop.

Raises `StorageError` if a frame cannot be read.
"""


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
    """The menu entry that copies in this format; empty for one that is only saved."""
    write: Write
    is_single: bool = False
    """Whether one frame is copied, not the selection."""
    applies_to: Callable[[Transcript, int], bool] = is_any
    """Whether it is offered for a frame."""
    suffix: str = ""
    """The ending of its files; empty for one that is only copied."""

    @property
    def is_of_request(self) -> bool:
        """Whether it sends the request of a frame again."""
        return self.is_single and self.applies_to is not is_any

    def texts(
        self, transcript: Transcript, numbers: Iterable[int], masking: Masking
    ) -> Iterator[str]:
        """Yield the lines that `write` yields, without the empty texts."""
        return lines_of(self.write(transcript, numbers, masking))


RAW = Format("raw", "raw text", "Copy raw text", raw_text, suffix=".txt")
INDENTED_JSON = Format("json", "JSON", "Copy as indented JSON", indented_json, True)
JSON_LINES = Format(
    "jsonl", "JSON Lines", "Copy selection as JSON Lines", json_lines, suffix=".jsonl"
)
HAR = Format("har", "HAR", "", har, applies_to=uses_http, suffix=".har")
MARKDOWN = Format("markdown", "Markdown", "Copy selection as Markdown", markdown, suffix=".md")
CSV = Format("csv", "CSV", "", csv_rows, suffix=".csv")
OTLP = Format("otlp", "OTLP JSON", "", otlp_spans, suffix=".otlp.json")
CURL = Format("curl", "cURL", "Copy as cURL", curl_commands, True, uses_http, ".sh")
CLI = Format(
    *("cli", "spyglass-cli", "Copy as spyglass-cli", cli_lines),
    *(True, belongs_to_sent_request, ".sh"),
)
PYTHON = Format(
    *("python", "Python", "Copy as Python", python_programs, True, belongs_to_sent_request)
)
TYPESCRIPT = Format(
    *("typescript", "TypeScript", "Copy as TypeScript", typescript_programs),
    *(True, belongs_to_sent_request),
)

FORMATS = (
    *(RAW, INDENTED_JSON, JSON_LINES, MARKDOWN, HAR, CSV, OTLP),
    *(CURL, CLI, PYTHON, TYPESCRIPT),
)
"""Every format, in the order of menus."""
