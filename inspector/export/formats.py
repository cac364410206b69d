"""The formats in which frames are copied, printed and saved: a row for each, whose code is in a module of its own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias, cast

from inspector.export.offered import belongs_to_sent_request, is_any, uses_http
from inspector.export.pieces import lines_of
from inspector.export.text import indented_json, raw_text
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript

Write: TypeAlias = "Callable[[Transcript, Iterable[int], Masking], Iterator[str]]"
"""Yields lines of a text about frames, given by number in ascending order, or pieces of lines; an empty one where it only gives a turn to the loop.

Raises `StorageError` if a frame cannot be read.
"""


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


def _writer(module: str, name: str) -> Write:
    """Return what the function `name` of a module of this package writes; the module is imported when it is first asked.

    The window offers the formats from its start, and few are used.
    """

    def write(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
        found = getattr(import_module(f"inspector.export.{module}"), name)
        return cast("Write", found)(transcript, numbers, masking)

    return write


RAW = Format("raw", "raw text", "Copy raw text", raw_text, suffix=".txt")
INDENTED_JSON = Format("json", "JSON", "Copy as indented JSON", indented_json, True)
JSON_LINES = Format(
    "jsonl",
    "JSON Lines",
    "Copy selection as JSON Lines",
    _writer("json_lines", "json_lines"),
    suffix=".jsonl",
)
HAR = Format("har", "HAR", "", _writer("har", "har"), applies_to=uses_http, suffix=".har")
MARKDOWN = Format(
    "markdown",
    "Markdown",
    "Copy selection as Markdown",
    _writer("markdown", "markdown"),
    suffix=".md",
)
CSV = Format("csv", "CSV", "", _writer("csv_rows", "csv_rows"), suffix=".csv")
OTLP = Format("otlp", "OTLP JSON", "", _writer("otlp", "otlp_spans"), suffix=".otlp.json")
CURL = Format(
    "curl", "cURL", "Copy as cURL", _writer("curl", "curl_commands"), True, uses_http, ".sh"
)
CLI = Format(
    *("cli", "spyglass-cli", "Copy as spyglass-cli", _writer("cli_line", "cli_lines")),
    *(True, belongs_to_sent_request, ".sh"),
)
PYTHON = Format(
    *(
        "python",
        "Python",
        "Copy as Python",
        _writer("python_sdk", "python_programs"),
        True,
        belongs_to_sent_request,
    )
)
TYPESCRIPT = Format(
    *(
        "typescript",
        "TypeScript",
        "Copy as TypeScript",
        _writer("typescript_sdk", "typescript_programs"),
    ),
    *(True, belongs_to_sent_request),
)

FORMATS = (
    *(RAW, INDENTED_JSON, JSON_LINES, MARKDOWN, HAR, CSV, OTLP),
    *(CURL, CLI, PYTHON, TYPESCRIPT),
)
"""Every format, in the order of menus."""
