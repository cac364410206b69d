"""The tools of the latest `tools/list`: their output schemas, whether all their schemas are valid, and calls of tools it does not have.

Schemas are validated in slices, because a list has thousands of them. Nothing raises.

Source: basic, "JSON Schema Usage" ("Schemas MUST be valid according to their declared or default dialect"; 2020-12 is the default since
2025-11-25; L-TOOL-09, L-TOOL-10, L-TOOL-12); server/tools, "Error Handling" (protocol errors are for "unknown tools"; its example
has code -32602; L-TOOL-27).
"""

from __future__ import annotations

import re
import time
from collections import deque
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.faults import fault
from inspector.checks.output_schema import OutputSchema
from inspector.checks.seen import PAUSE_ITEMS
from inspector.finding import Severity
from inspector.spec.capabilities import meant
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value
from inspector.spec.pointer import join
from inspector.spec.revision import V2025_11_25
from inspector.spec.subschemas import keyword_at
from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.lazy_json import materialized

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.finding import Finding
    from inspector.schema.compile_schema import SchemaNote
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject

MAX_TOOLS = 100_000
"""Tools of one list that are remembered; of the others nothing is known."""


class ListedTools:
    """Which tools there are. Until the last page of a new list is here, those of the old one count too."""

    def __init__(self) -> None:
        self.is_complete = False
        """Whether a list was read to its end."""
        self._tools: dict[str, OutputSchema | None] = {}
        self._next: dict[str, OutputSchema | None] = {}

    def add_page(self, params: Json, result: Json) -> Iterator[None]:
        """Add the tools of the `result` of a `tools/list` with `params`; with pauses."""
        if not isinstance(result, dict) or not isinstance(result.get("tools"), list):
            return
        if not (isinstance(params, dict) and params.get("cursor") is not None):
            self._next = {}
        items = result["tools"]
        assert isinstance(items, list)
        for count, item in enumerate(islice(items, MAX_TOOLS)):
            if isinstance(item, dict) and len(self._next) < MAX_TOOLS:
                self._add(item.get("name"), materialized(item.get("outputSchema")))
            if not count % PAUSE_ITEMS:
                yield
        if not isinstance(result.get("nextCursor"), str):
            self._tools, self._next, self.is_complete = self._next, {}, True

    def schema_of(self, name: Json) -> OutputSchema | None:
        """Return the output schema that a tool was listed with; None if the tool is not listed or its name is not unique."""
        if not isinstance(name, str):
            return None
        return self._next[name] if name in self._next else self._tools.get(name)

    def is_unlisted(self, name: Json) -> bool:
        """Whether a list was read to its end, and no tool in it has that name."""
        known = isinstance(name, str) and (name in self._tools or name in self._next)
        return self.is_complete and not known

    def _add(self, name: Json, schema: Json) -> None:
        if not isinstance(name, str):
            return
        if name not in self._next:
            self._next[name] = self._kept(name, schema)
        elif (same := self._next[name]) is None or same.raw != schema:
            self._next[name] = None  # the server decides which of the two is called

    def _kept(self, name: str, schema: Json) -> OutputSchema:
        """The schema of the list before where it has not changed: it may be compiled already."""
        before = self._tools.get(name)
        return before if before is not None and before.raw == schema else OutputSchema(schema)


MAX_CHARACTERS = 1 << 17
"""Of one schema, as JSON; a longer one would keep everything else waiting."""

MAX_FINDINGS = 5
"""Of one schema; the rest is counted."""

MAX_CACHED = 2_000
"""Schemas whose outcome is remembered: a list is read again and again."""

_ALIKE = {"type", "required"}
"""Keywords that mean the same in every dialect since draft 4."""

_KEYS = ("inputSchema", "outputSchema")
_RULES = {"INVALID": "L-TOOL-09", "DIALECT": "L-TOOL-10", "REFERENCE": "L-TOOL-12"}
"""By the name of the `Fault`, whose module is loaded with the validator."""


class _Job(NamedTuple):
    """A schema that is still to be looked at."""

    pointer: str
    """Where in the message."""
    schema: Json
    revision: Revision


class ListedSchemas:
    """The schemas of the tools in one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._pages: deque[tuple[int, Iterator[_Job | None]]] = deque()
        """The frame of each page, and what is left of it."""

    @property
    def pending(self) -> int:
        """Pages whose schemas are still to be validated."""
        return len(self._pages)

    def add_page(self, number: int, result: Json, revision: Revision) -> None:
        """Take the result of a `tools/list`, in frame `number`."""
        self._pages.append((number, _jobs(result, revision)))

    def validate_some(self, until: float) -> None:
        """Validate until `time.perf_counter()` is past `until`, at least one."""
        found = False
        while self._pages:
            number, jobs = self._pages[0]
            try:
                job = next(jobs)
                findings = _findings(job) if job is not None else []
            except StopIteration:
                self._pages.popleft()
                continue
            except Exception as error:  # noqa: BLE001 - a fault about one schema must not end the checks of a session
                findings = [fault("a schema of the list", error)]
            for finding in findings:
                self._transcript.add_finding(number, finding)
                found = True
            if time.perf_counter() >= until:
                break
        if found:
            self._transcript.findings_changed.fire()


def _jobs(result: Json, revision: Revision) -> Iterator[_Job | None]:
    """Yield the schemas of a page, and None for a pause: a tool may have no schema."""
    tools = result.get("tools") if isinstance(result, dict) else None
    for index, tool in enumerate(tools if isinstance(tools, list) else ()):
        for key in _KEYS:
            schema = tool.get(key) if isinstance(tool, dict) else None
            if isinstance(schema, dict):
                yield _Job(join("/result/tools", index, key), schema, revision)
        if not index % PAUSE_ITEMS:
            yield None


def _findings(job: _Job) -> list[Finding]:
    text = json_codec.write(job.schema)
    if len(text) > MAX_CHARACTERS:
        message = "the schema is too large to be validated in the background"
        return [make_finding("not-judged", message, job.pointer)]
    notes = [note for note in _notes(text) if _holds(note, job.revision)]
    found = [
        make_finding(
            _rule(note, job.revision), _text(note), job.pointer + note.pointer, job.revision
        )
        for note in notes[:MAX_FINDINGS]
    ]
    if len(notes) > MAX_FINDINGS:
        message = f"the schema is invalid at {len(notes) - MAX_FINDINGS} more places"
        found.append(make_finding("L-TOOL-09", message, job.pointer, job.revision))
    return found


@lru_cache(maxsize=MAX_CACHED)
def _notes(text: str) -> tuple[SchemaNote, ...]:
    from inspector.schema.compile_schema import (
        compile_schema,
    )  # with the validator, not before a tool is listed

    schema = json_codec.read_value(text.encode("utf-8", "surrogatepass"))
    notes = compile_schema(schema).notes if isinstance(schema, dict | bool) else ()
    return tuple(note for note in notes if note.fault.name in _RULES)


def _rule(note: SchemaNote, revision: Revision) -> str:
    is_of_any = note.fault.name == "INVALID" and revision < V2025_11_25
    return "schema-of-no-dialect" if is_of_any else _RULES[note.fault.name]


def _holds(note: SchemaNote, revision: Revision) -> bool:
    """Which dialect a schema is in, and that it has to be valid, is said since a revision; a reference has to lead somewhere in any.

    What is wrong in every dialect in use is wrong before as well.
    """
    if note.fault.name == "REFERENCE" or revision >= V2025_11_25:
        return True
    return note.fault.name == "INVALID" and keyword_at(note.pointer) in _ALIKE


def _text(note: SchemaNote) -> str:
    if note.fault.name == "INVALID" and keyword_at(note.pointer) == "type":
        value = note.text.partition(" is not ")[0]
        return f"the schema is invalid: `type` must be `string`, `number`, `integer`, `boolean`, `object`, `array` or `null`, not {value}"
    return (
        f"the schema is invalid: {note.text}"
        if note.fault.name == "INVALID"
        else one_line(note.text, 200)
    )


UNLISTED, RULE = "unlisted-tool", "L-TOOL-27"

MAX_NAME = 60
"""Characters of a name that a finding quotes."""

MAX_MESSAGE = 500
"""Characters of the message of an error that are looked at."""

_UNKNOWN = re.compile(r"unknown|not found|no such|not exist|n't exist|unrecognized", re.IGNORECASE)


def check_unlisted_call(name: str, revision: Revision) -> tuple[Finding, ...]:
    """Return the finding about a request that calls the tool `name`, which is not listed; empty for a listed tool."""
    if not name:
        return ()
    text = f"the latest tools/list has no tool {_quoted(name)}"
    return (make_finding(UNLISTED, text, "/params/name", revision, section="Error Handling"),)


def check_unlisted_result(name: str, result: JsonObject, revision: Revision) -> tuple[Finding, ...]:
    """Return the finding about a result with `isError` for the tool `name`, which is not listed."""
    if not name or not meant(result.get("isError")):
        return ()
    text = f"if tool {_quoted(name)} does not exist, its call must return error {INVALID_PARAMS}, not a result with `isError`"
    severity = Severity.INFO  # what both official SDKs do by default
    pointer, section = "/result/isError", "Error Handling"
    return (make_finding(RULE, text, pointer, revision, severity=severity, section=section),)


def check_unlisted_error(name: str, error: Json, revision: Revision) -> tuple[Finding, ...]:
    """Return the finding about an error that says in another code that the tool `name` is unknown."""
    if not name or not isinstance(error, dict) or error.get("code") == INVALID_PARAMS:
        return ()
    message = error.get("message")
    if not isinstance(message, str) or not _UNKNOWN.search(message[:MAX_MESSAGE]):
        return ()
    text = f"a call of an unknown tool must return error {INVALID_PARAMS}, not {format_value(error.get('code'))}"
    return (make_finding(RULE, text, "/error/code", revision, section="Error Handling"),)


def _quoted(name: str) -> str:
    return f"“{one_line(name, MAX_NAME)}”"
