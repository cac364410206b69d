"""The tools of the latest `tools/list` of a session, page by page, with the output schema of each. Nothing raises."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from inspector.checks.output_schema import OutputSchema
from inspector.wire.lazy_json import materialized

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

MAX_TOOLS = 100_000
"""Tools of one list that are remembered; of the others nothing is known."""


class ListedTools:
    """Which tools there are. Until the last page of a new list is here, those of the old one count too."""

    def __init__(self) -> None:
        """Begin without a list."""
        self.is_complete = False
        """Whether a list was read to its end."""
        self._tools: dict[str, OutputSchema | None] = {}
        self._next: dict[str, OutputSchema | None] = {}

    def add_page(self, params: Json, result: Json) -> None:
        """Add the tools of the `result` of a `tools/list` with `params`."""
        if not isinstance(result, dict) or not isinstance(result.get("tools"), list):
            return
        if not (isinstance(params, dict) and params.get("cursor") is not None):
            self._next = {}
        items = result["tools"]
        assert isinstance(items, list)
        for item in islice(items, MAX_TOOLS):
            if isinstance(item, dict) and len(self._next) < MAX_TOOLS:
                self._add(item.get("name"), materialized(item.get("outputSchema")))
        if not isinstance(result.get("nextCursor"), str):
            self._tools, self._next, self.is_complete = self._next, {}, True

    def schema_of(self, name: Json) -> OutputSchema | None:
        """Return what a tool was listed with; None where it is not listed, or is ambiguous."""
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
