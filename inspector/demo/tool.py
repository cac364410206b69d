"""What a tool is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import field

from inspector.demo.revision_filter import TOOL_FIELDS, fitted
from inspector.demo.schema import NO_ARGUMENTS
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.demo.call import Answer, Call
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject

    Run = Callable[[Call], "JsonObject | Answer | None"]


def reads(*, open_world: bool = False) -> JsonObject:
    """Hints of a tool that changes nothing: the others would mean nothing and are left out."""
    return {"readOnlyHint": True, "openWorldHint": open_world}


def writes(
    *, destructive: bool = False, idempotent: bool = False, open_world: bool = False
) -> JsonObject:
    """Hints of a tool that changes something."""
    return {
        "readOnlyHint": False,
        "destructiveHint": destructive,
        "idempotentHint": idempotent,
        "openWorldHint": open_world,
    }


def _in_every_revision(revision: Revision) -> bool:
    del revision
    return True


class Tool(FrozenStruct, frozen=True):
    """One tool as it is listed, and what it does."""

    name: str
    """What it is called by."""
    title: str
    """What it is shown as."""
    summary: str
    """Its description."""
    run: Run
    """Returns the result; or None when it wrote the response on its own, or never will."""
    input: JsonObject = field(default_factory=lambda: NO_ARGUMENTS)
    """JSON Schema of its arguments."""
    output: JsonObject | None = None
    """JSON Schema of its structured content."""
    hints: JsonObject = field(default_factory=reads)
    """Its annotations."""
    icons: tuple[JsonObject, ...] = ()
    """Its icons."""
    is_known: Callable[[Revision], bool] = _in_every_revision
    """Whether a revision has what this tool shows; it is not listed otherwise."""
    task_support: str = ""
    """Whether it runs as a task: `required`, `optional` or `forbidden`; nothing is said when empty."""
    before: Callable[[Call], None] | None = None
    """Asks for what is needed before a call becomes a task."""

    def entry(self, revision: Revision) -> JsonObject:
        """How `tools/list` shows it."""
        entry: JsonObject = {
            "name": self.name,
            "title": self.title,
            "description": self.summary,
            "inputSchema": self.input,
        }
        if self.output is not None:
            entry["outputSchema"] = self.output
        if self.hints:
            entry["annotations"] = self.hints
        if self.icons:
            entry["icons"] = list(self.icons)
        if self.task_support:
            entry["execution"] = {"taskSupport": self.task_support}
        return fitted(entry, TOOL_FIELDS, revision)
