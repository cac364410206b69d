"""The tools of a server: their list, kept fresh, and the calls made in this session.

Arguments leave exactly as they were typed, but for white space between tokens: one message is one line (C-STD-03).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.event import Event
from inspector.features.tool_call import ToolCall
from inspector.session.listing import Listing, ListRules, ListState
from inspector.spec.views.tool import ToolsPage, ToolView, name_clashes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.finding import Finding
    from inspector.session.session import Session
    from inspector.session.timeouts import Timeouts
    from inspector.spec.revision import Revision
    from inspector.wire.jsontext import Json

__all__ = ["CALL_BUDGET", "LIST_CHANGED", "ListState", "Tools"]

LIST_CHANGED = "notifications/tools/list_changed"

CALL_BUDGET = 1000
"""Calls kept to go back to; earlier ones are in the traffic."""


def _read(result: Json, revision: Revision | None) -> tuple[Sequence[ToolView], Sequence[Finding]]:
    page = ToolsPage(result, revision=revision)
    return page.tools, page.notes


RULES: ListRules[ToolView] = ListRules("tools/list", LIST_CHANGED, "tools", _read, name_clashes)


class Tools(Listing[ToolView]):
    """What can be called, and what was."""

    def __init__(self, session: Session) -> None:
        """Offer the tools of `session`; nothing is read before `refresh`."""
        super().__init__(session, RULES)
        self.called: Event[ToolCall] = Event()
        self.calls: list[ToolCall] = []
        self.dropped_calls = 0

    def call(
        self, tool: ToolView, arguments: str | None, *, timeouts: Timeouts | None = None
    ) -> ToolCall:
        """Begin a call with the JSON text `arguments`; none sends no arguments at all.

        Raises:
            ValueError: the text is not JSON and would break the message it stands in.
        """
        made = ToolCall(self._session, tool, arguments, timeouts)
        self.calls.append(made)
        if len(self.calls) > CALL_BUDGET:
            del self.calls[0]
            self.dropped_calls += 1
        self.called.fire(made)
        made.start()
        return made

    def calls_of(self, name: str) -> list[ToolCall]:
        """The calls of one tool, oldest first."""
        return [call for call in self.calls if call.tool.name == name]
