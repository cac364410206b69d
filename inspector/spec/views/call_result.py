"""The answer to `tools/call`.

Everything that came is kept: content that is missing, old wrappers, blocks that are no blocks. Absent structured content and
structured content that is null are two things.

Source: server/tools, "Tool Result", "Structured Content", "Error Handling".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.finding import Finding, Severity
from inspector.spec import revision as revisions
from inspector.spec.capabilities import meant
from inspector.spec.findings import make_finding
from inspector.spec.json_types import type_text
from inspector.spec.keys import (
    META,
    RESULT_COMPLETE,
    RESULT_INPUT_REQUIRED,
    RESULT_TASK,
    SERVER_CONTENT,
)
from inspector.spec.view import View
from inspector.spec.views.content import TextContent, contents, misplaced
from inspector.spec.views.task import TaskView
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.lazy_json import LARGE, LazyArray, LazyObject

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.wire.json_codec import Json


class CallToolResultView(View):
    """What a tool answered."""

    SUBJECT: ClassVar[str] = "tools"
    NOUN: ClassVar[str] = "the result of a tool call"
    POINTER: ClassVar[str] = "/result"

    def _read_members(self) -> None:
        self.result_type = self.text("resultType") or RESULT_COMPLETE
        self.has_content = self.has("content")
        items = self.items("content") if self.has_content else []
        self.content = contents(items, self.pointer_to("content"), self.revision)
        self.has_structured = self.has("structuredContent")
        self.structured = self.value("structuredContent")
        self.is_error = self._is_error()
        self.meta = self.members(META)
        self.task = self._task()
        if self.is_complete and self.is_object:
            self._check()

    @property
    def is_complete(self) -> bool:
        """Whether this is the answer, rather than a question or a task."""
        return not (self.is_input_required or self.is_task)

    @property
    def is_input_required(self) -> bool:
        """Whether the server asks for input before it answers."""
        return self.result_type == RESULT_INPUT_REQUIRED

    @property
    def is_task(self) -> bool:
        """Whether the answer will come from a task."""
        return self.task is not None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all to show; content that is no list is something."""
        return self.has_no_items("content") and not self.has_structured

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything odd about the result and its blocks."""
        own = tuple(note for block in self.content for note in block.notes)
        return (
            *self.notes,
            *own,
            *misplaced(self.content, SERVER_CONTENT),
            *check_text_fallback(self),
        )

    def _is_error(self) -> bool:
        value = self.value("isError")
        if self.has("isError") and not isinstance(value, bool):
            read_as = "true" if meant(value) else "false"
            text = f"`isError` must be a boolean, not {type_text(value)}; treated as {read_as}"
            severity = Severity.WARNING if value is None else Severity.ERROR
            self.add_finding(text, "isError", severity=severity)
        return meant(value)

    def _task(self) -> TaskView | None:
        """Return the task: flat in the extension, a member of its own in the revision that had tasks."""
        nested = self.value("task") if self.has("task") else None
        if isinstance(nested, dict) and not self.has_content:
            return TaskView(nested, self.pointer_to("task"), self.revision)
        if self.result_type == RESULT_TASK:
            return TaskView(self.raw, self.pointer, self.revision)
        return None

    def _check(self) -> None:
        if not self.has_content:
            is_task = isinstance(self.value("task"), dict)
            why = ": the result is a task, and none was requested" if is_task else ""
            text = f"`content` is missing{why}"
            self.add_finding(text, "content", rule="L-TOOL-23", section="Tool Result")
        if self.has_content and self.is_empty:
            text = "empty result: no content and no structured content"
            self.add_finding(text, rule="L-TOOL-24")
        self._check_structured()

    def _check_structured(self) -> None:
        if not self.has_structured:
            return
        revision = self.revision or revisions.NEWEST
        if not revision.has_structured_content:
            text = f"`structuredContent` is not part of {revision}"
            self.add_finding(text, "structuredContent", rule="L-JR-34")
        elif not revision.structured_content_is_any and not isinstance(self.structured, dict):
            text = f"`structuredContent` must be an object, not {type_text(self.structured)}"
            self.add_finding(
                text, "structuredContent", rule="L-TOOL-20", section="Structured Content"
            )


SHOULD, MUST = "L-TOOL-21", "L-TOOL-22"

WRAPPER = "result"
"""The member in which SDKs put a value that is no object; the text has the value alone."""


def check_text_fallback(result: CallToolResultView) -> Iterator[Finding]:
    """Yield what is missing in the text of a result with structured content, for clients that read text only.

    Source: server/tools, "Structured Content" ("a tool that returns structured content SHOULD also return the serialized JSON
    in a TextContent block"); SEP-2106 for values that are not objects (L-TOOL-21, L-TOOL-22).
    """
    revision = result.revision or revisions.NEWEST
    if not (result.has_structured and result.is_complete and revision.has_structured_content):
        return
    if result.is_error:
        return
    texts = [
        block.body
        for block in result.content
        if isinstance(block, TextContent) and not block.is_malformed
    ]
    if not texts and revision.structured_content_is_any and not isinstance(result.structured, dict):
        text = "structured content that is not an object must come with a text block, for older clients"
        yield make_finding(
            MUST, text, result.pointer_to("content"), result.revision, section="Structured Content"
        )
    elif not texts:
        text = "structured content should come with a text block that has the same as JSON"
        yield make_finding(
            SHOULD,
            text,
            result.pointer_to("content"),
            result.revision,
            section="Structured Content",
        )
    elif not _says_the_same(texts, result.structured):
        text = "no text block has the structured content as JSON; clients that support text only get something else"
        yield make_finding(
            SHOULD,
            text,
            result.pointer_to("content"),
            result.revision,
            severity=Severity.INFO,
            section="Structured Content",
        )


def _says_the_same(texts: Sequence[str], structured: Json) -> bool:
    """Whether the texts have the value; what is too large to be compared counts as the same."""
    if sum(map(len, texts)) > LARGE:
        return True
    if isinstance(structured, LazyObject | LazyArray):
        return False  # more text than there is in the blocks
    values = [_value(text) for text in texts]
    if structured in values or structured in texts:
        return True
    if not isinstance(structured, dict) or set(structured) != {WRAPPER}:
        return False
    inner = structured[WRAPPER]
    return inner in values or inner in texts or inner in (values, list(texts))


def _value(text: str) -> Json:
    try:
        return json_codec.read(text.encode("utf-8", "surrogatepass")).value
    except JsonSyntaxError:
        return text
