"""The answer to `tools/call`.

Everything that came is kept: content that is missing, old wrappers, blocks that are no blocks. Absent structured content and
structured content that is null are two things.

Source: server/tools, "Tool Result", "Structured Content", "Error Handling".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from inspector.finding import Finding, Severity
from inspector.spec import revision as revisions
from inspector.spec import text_fallback
from inspector.spec.capabilities import meant
from inspector.spec.json_types import type_text
from inspector.spec.keys import (
    CONTENT_TYPES,
    META,
    RESULT_COMPLETE,
    RESULT_INPUT_REQUIRED,
    RESULT_TASK,
    SAMPLING_ONLY,
)
from inspector.spec.view import View
from inspector.spec.views.content import contents, misplaced
from inspector.spec.views.task import TaskView

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

ALLOWED = frozenset(row.name for row in CONTENT_TYPES) - SAMPLING_ONLY
"""Content types a tool may answer with."""


class CallToolResultView(View):
    """What a tool answered."""

    SUBJECT: ClassVar[str] = "tools"
    NOUN: ClassVar[str] = "the result of a tool call"

    def __init__(
        self, raw: Json, pointer: str = "/result", revision: Revision | None = None
    ) -> None:
        """Read the result."""
        super().__init__(raw, pointer, revision)
        self.result_type = self.text("resultType") or RESULT_COMPLETE
        self.has_content = self.has("content")
        items = self.items("content") if self.has_content else []
        self.content = contents(items, self.pointer_to("content"), revision)
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
            *misplaced(self.content, ALLOWED),
            *text_fallback.of_result(self),
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
            self.add_finding(
                "`content` is missing", "content", rule="L-TOOL-23", section="Tool Result"
            )
        if self.has_content and self.is_empty:
            text = "empty result: no content and no structured content"
            self.add_finding(text, rule="L-TOOL-24", severity=Severity.INFO)
        self._check_structured()

    def _check_structured(self) -> None:
        if not self.has_structured:
            return
        revision = self.revision or revisions.NEWEST
        if not revision.has_structured_content:
            text = f"`structuredContent` is not part of {revision}"
            self.add_finding(text, "structuredContent", rule="L-JR-34", severity=Severity.INFO)
        elif not revision.structured_content_is_any and not isinstance(self.structured, dict):
            text = f"`structuredContent` must be an object, not {type_text(self.structured)}"
            self.add_finding(
                text, "structuredContent", rule="L-TOOL-20", section="Structured Content"
            )
