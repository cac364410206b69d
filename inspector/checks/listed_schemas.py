"""Whether the schemas of listed tools are schemas that values can be validated by. In slices, because a list has thousands of them.

Source: basic, "JSON Schema Usage" ("Schemas MUST be valid according to their declared or default dialect"; 2020-12 is the default since 2025-11-25);
L-TOOL-09, L-TOOL-10, L-TOOL-12.
"""

from __future__ import annotations

import time
from collections import deque
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from inspector.finding import Finding, Severity
from inspector.spec.pointer import join
from inspector.spec.revision import V2025_11_25
from inspector.spec.spec_urls import link
from inspector.visible_text import one_line
from inspector.wire import json_codec

if TYPE_CHECKING:
    from inspector.schema.compile_schema import SchemaNote
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

MAX_CHARACTERS = 1 << 17
"""Of one schema, as JSON; a longer one would keep everything else waiting."""

MAX_FINDINGS = 5
"""Of one schema; the rest is counted."""

MAX_CACHED = 2_000
"""Schemas whose outcome is remembered: a list is read again and again."""

_KEYS = ("inputSchema", "outputSchema")
_RULES = {
    "INVALID": ("L-TOOL-09", Severity.ERROR),
    "DIALECT": ("L-TOOL-10", Severity.INFO),
    "REFERENCE": ("L-TOOL-12", Severity.WARNING),
}
"""By the name of the `Fault`, whose module is loaded with the validator."""


class _Job(NamedTuple):
    """A schema that is still to be looked at."""

    number: int
    """The frame of its list."""
    pointer: str
    """Where in the message."""
    schema: Json
    revision: Revision


class ListedSchemas:
    """The schemas of the tools in one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        """Begin without any."""
        self._transcript = transcript
        self._jobs: deque[_Job] = deque()

    @property
    def waiting(self) -> int:
        """Schemas that are still to be validated."""
        return len(self._jobs)

    def add_page(self, number: int, result: Json, revision: Revision) -> None:
        """Take the result of a `tools/list`, in frame `number`."""
        tools = result.get("tools") if isinstance(result, dict) else None
        for index, tool in enumerate(tools if isinstance(tools, list) else ()):
            for key in _KEYS:
                schema = tool.get(key) if isinstance(tool, dict) else None
                if isinstance(schema, dict):
                    pointer = join("/result/tools", index, key)
                    self._jobs.append(_Job(number, pointer, schema, revision))

    def validate_some(self, until: float) -> None:
        """Validate until `time.perf_counter()` is past `until`, at least one."""
        found = False
        while self._jobs:
            job = self._jobs.popleft()
            for finding in _findings(job):
                self._transcript.add_finding(job.number, finding)
                found = True
            if time.perf_counter() >= until:
                break
        if found:
            self._transcript.findings_changed.fire()


def _findings(job: _Job) -> list[Finding]:
    text = json_codec.write(job.schema)
    if len(text) > MAX_CHARACTERS:
        message = "the schema is too large to be validated in the background"
        return [Finding("not-judged", Severity.INFO, message, job.pointer)]
    page = link("schemas", job.revision)
    notes = [note for note in _notes(text) if _holds(note, job.revision)]
    found = [
        Finding(*_RULES[note.fault.name], _text(note), f"{job.pointer}{note.pointer}", page)
        for note in notes[:MAX_FINDINGS]
    ]
    if len(notes) > MAX_FINDINGS:
        message = f"the schema is invalid at {len(notes) - MAX_FINDINGS} more places"
        found.append(Finding("L-TOOL-09", Severity.ERROR, message, job.pointer, page))
    return found


@lru_cache(maxsize=MAX_CACHED)
def _notes(text: str) -> tuple[SchemaNote, ...]:
    from inspector.schema.compile_schema import (
        compile_schema,
    )  # with the validator, not before a tool is listed

    schema = json_codec.read_value(text.encode("utf-8", "surrogatepass"))
    notes = compile_schema(schema).notes if isinstance(schema, dict | bool) else ()
    return tuple(note for note in notes if note.fault.name in _RULES)


def _holds(note: SchemaNote, revision: Revision) -> bool:
    """Which dialect a schema is in, and that it has to be valid, is said since a revision; a reference has to lead somewhere in any."""
    return note.fault.name == "REFERENCE" or revision >= V2025_11_25


def _text(note: SchemaNote) -> str:
    return (
        f"the schema is invalid: {note.text}"
        if note.fault.name == "INVALID"
        else one_line(note.text, 200)
    )
