"""The tools of a server: their list, kept fresh, and the calls made in this session.

Arguments leave exactly as they were typed, but for white space between tokens: one message is one line (C-STD-03).
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost
from inspector.event import Event
from inspector.features.tool_call import AsTask, ToolCall
from inspector.session.paginated_list import ListSpec, ListState, PaginatedList
from inspector.session.request_preview import preview_headers
from inspector.spec.keys import META
from inspector.spec.views.tool import ToolsPage, ToolView, name_clashes
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError, RawJson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.finding import Finding
    from inspector.session.session import Session
    from inspector.session.task_poller import TaskPoller
    from inspector.session.timeouts import Timeouts
    from inspector.spec.mirrored_headers import MirroredHeaders
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

__all__ = ["CALL_BUDGET", "LIST_CHANGED", "ListState", "Tools"]

LIST_CHANGED = "notifications/tools/list_changed"

EXCLUDED_TOLD = 20
"""Excluded tools that are named in the record when the list is read; the list itself marks them all."""

EXAMINED_AT_ONCE = 200
"""Tools whose schemas are looked through in one turn of the loop."""

CALL_BUDGET = 1000
"""Calls kept to go back to; earlier ones are in the traffic."""


def _read(result: Json, revision: Revision | None) -> tuple[Sequence[ToolView], Sequence[Finding]]:
    page = ToolsPage(result, revision=revision)
    return page.listed, page.notes


def _name_of(tool: ToolView) -> str:
    return tool.id_label


RULES = ListSpec[ToolView]("tools/list", LIST_CHANGED, "tools", _read, name_clashes, _name_of)


class Tools(PaginatedList[ToolView]):
    """What can be called, and what was."""

    def __init__(self, session: Session, tasks: TaskPoller | None = None) -> None:
        """Offer the tools of `session`; nothing is read before `refresh`. `tasks` follows calls that become one."""
        super().__init__(session, RULES)
        self.called: Event[ToolCall] = Event()
        self.calls: list[ToolCall] = []
        self.dropped_calls = 0
        self._tasks = tasks
        self._told: set[str] = set()

    async def refresh(self) -> None:
        """Read the list, and say in the record which tools must not be called, and why (C-HTTP-27)."""
        await super().refresh()
        if not self._session.mirrors_headers:
            return
        told = 0
        for at, tool in enumerate(self.items):
            if told == EXCLUDED_TOLD:
                return
            if not (at + 1) % EXAMINED_AT_ONCE:
                await asyncio.sleep(0)  # the schema of each is looked through
            told += self._tell_if_excluded(tool)

    def _tell_if_excluded(self, tool: ToolView) -> bool:
        """Whether something was told that was not told before."""
        name, why = tool.id_label, self.excluded(tool)
        if not why or name in self._told:
            return False
        self._told.add(name)
        self._session.transcript.note("tool-excluded", f"{name} is excluded: {why}", tool=name)
        return True

    def call(
        self,
        tool: ToolView,
        arguments: str | None,
        *,
        timeouts: Timeouts | None = None,
        as_task: AsTask | None = None,
        meta: JsonObject | None = None,
        anyway: bool = False,
    ) -> ToolCall:
        """Begin a call with the JSON text `arguments`; none sends no arguments at all. `as_task` asks for a task.

        `meta` are members of `_meta` that win over those every request carries.

        A tool that is excluded is called only when that is wanted `anyway`; else nothing is sent, and the call says why.

        Raises:
            ValueError: the text is not JSON and would break the message it stands in.
        """
        made = ToolCall(
            self._session, tool, arguments, timeouts, as_task=as_task, meta=meta, watch=self._tasks
        )
        made.excluded = "" if anyway else self.excluded(tool)
        self.calls.append(made)
        if len(self.calls) > CALL_BUDGET:
            del self.calls[0]
            self.dropped_calls += 1
        self.called.fire(made)
        made.start()
        return made

    @property
    def mirrors_headers(self) -> bool:
        """Whether parts of a call are repeated in HTTP headers."""
        return self._session.mirrors_headers

    def excluded(self, tool: ToolView) -> str:
        """Why a tool must not be called over this connection, in words; empty when it may be (C-HTTP-26)."""
        if not self._session.mirrors_headers or not tool.header_problems:
            return ""
        return "; ".join(finding.summary for finding in tool.header_problems)

    def headers_of(
        self, tool: ToolView, arguments: str | None, meta: JsonObject | None = None
    ) -> MirroredHeaders:
        """The headers that a call with the JSON text `arguments` would repeat; none where nothing is mirrored.

        `meta` are members of `_meta` set by hand for it.
        """
        params: JsonObject = {"name": tool.exact_id, "arguments": _value_of(arguments)}
        return preview_headers(self._session, "tools/call", params, meta, tool.input_schema)

    def raw_text(self, tool: ToolView, arguments: str, meta: JsonObject | None = None) -> str:
        """The text of a call as it would leave, with `arguments` in it as they were typed, JSON or not."""
        params: JsonObject = {"name": tool.exact_id, "arguments": RawJson(arguments)}
        with contextlib.suppress(ConnectionLost):  # else without what a connection adds
            params = self._session.stamped(params)
        if meta:
            carried = params.get(META)
            params[META] = {**(carried if isinstance(carried, dict) else {}), **meta}
        head: JsonObject = {"jsonrpc": "2.0", "id": "raw-1", "method": "tools/call"}
        return json_codec.write({**head, "params": params})

    def calls_of(self, name: str) -> list[ToolCall]:
        """The calls of the tools with this name on screen, oldest first."""
        return [call for call in self.calls if call.tool.id_label == name]


def _value_of(arguments: str | None) -> Json:
    """What the text says; nothing while it is not JSON yet."""
    try:
        return json_codec.read((arguments or "null").encode("utf-8", "surrogatepass")).value
    except JsonSyntaxError:
        return None
