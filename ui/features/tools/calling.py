"""Makes the calls of the tools page, and shows those of one tool in all runs of its server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.session.session_state import SessionState
from inspector.workspace import is_closed
from ui.bind import Bindings, bind_coalesced
from ui.features.tools.call_result_panel import request_comparison

if TYPE_CHECKING:
    from inspector.features.tools import AsTask, ToolCall
    from inspector.open_session import OpenSession
    from inspector.session.outgoing import Timeouts
    from inspector.spec.views.tool import ToolView
    from inspector.wire.json_codec import JsonObject
    from ui.features.tools.call_panel import CallPanel
    from ui.features.tools.call_result_panel import CallResultPanel


class Calling(QObject):
    """Calls what the call panel has filled in, and shows the calls in the result panel."""

    def __init__(self, call: CallPanel, result: CallResultPanel, *, parent: QObject) -> None:
        """Call what `call` has filled in, and show it in `result`; without a session, until `set_session`."""
        super().__init__(parent)
        self._panel, self._result = call, result
        self._session: OpenSession | None = None
        self._repeat: ToolCall | None = None
        self._comparing: tuple[ToolCall, ToolCall] | None = None
        """A call that was made again, and the new one, which are compared when it is done."""
        self._bindings = Bindings()
        call.call_requested.connect(self._on_call_requested)
        result.repeat_requested.connect(self.call_again)
        result.reuse_requested.connect(self._on_reuse_requested)
        result.changed.connect(self._compare_if_done)

    def set_session(self, session: OpenSession | None, *, again: bool) -> None:
        """Call over `session` from now on; `again` keeps everything for another run of the same server."""
        self._session = session
        self._repeat = self._repeat if again else None
        self._follow_list(session)
        self._panel.set_session(session, again=again)
        self._result.checks.set_session(session)
        self._result.set_session(session, again=again)

    def show_tool(self, tool: ToolView | None, *, is_duplicate: bool) -> None:
        """Show the calls of `tool`; `is_duplicate` if another has its name."""
        self._result.show_tool(tool, is_duplicate=is_duplicate)
        calls = self._result.operations(self._session) if self._session is not None else []
        self._panel.follow(next((call for call in reversed(calls) if not call.is_finished), None))

    def call_again(self, call: ToolCall) -> None:
        """Make a call again, as its tool is listed now; a tool that is not listed anymore is called anyway."""
        listed = self._session.tools.items if self._session is not None else ()
        same = [tool for tool in listed if tool.id_label == call.tool.id_label]
        tool = same[0] if len(same) == 1 else call.tool
        self._call(tool, call.arguments, self._panel.timeouts(), call.as_task, call.meta)

    def repeat_in_next_run(self) -> None:
        """Make the shown call again as soon as another run of the server has listed its tools."""
        self._repeat = self._result.operation

    def call_again_and_compare(self) -> None:
        """Make the shown call again, and compare both when the new one is done."""
        before = self._result.operation
        if before is None:
            return
        self.call_again(before)
        again = self._result.operation
        if again is not None and again is not before:
            self._comparing = (before, again)

    def _compare_if_done(self) -> None:
        """Compare, unless another call was selected meanwhile."""
        pair = self._comparing
        if pair is None:
            return
        is_current = self._result.operation is pair[1]
        if pair[1].is_finished or not is_current:
            self._comparing = None
            if is_current:
                request_comparison(self._result, *pair)

    def _follow_list(self, session: OpenSession | None) -> None:
        self._bindings.replace()
        if session is not None and self._repeat is not None:
            events = (session.tools.changed, session.session.changed)
            self._bindings.replace(
                *(bind_coalesced(self, event, self._repeat_if_listed) for event in events)
            )

    def _repeat_if_listed(self) -> None:
        session, call = self._session, self._repeat
        if session is None or call is None:
            return
        if is_closed(session.session):
            self._repeat = None
        elif session.session.state is SessionState.READY and not session.tools.is_awaited:
            self._repeat = None
            self.call_again(call)

    def _on_reuse_requested(self, call: ToolCall) -> None:
        if call.arguments is not None:
            self._panel.set_arguments(call.arguments)

    def _on_call_requested(
        self,
        arguments: str,
        timeouts: Timeouts | None,
        as_task: AsTask | None,
        meta: JsonObject | None,
    ) -> None:
        if self._panel.tool is not None:
            self._call(self._panel.tool, arguments, timeouts, as_task, meta)

    def _call(
        self,
        tool: ToolView,
        arguments: str | None,
        timeouts: Timeouts | None,
        as_task: AsTask | None,
        meta: JsonObject | None,
    ) -> None:
        """Call `tool`, even one that is excluded: the button said so."""
        session = self._session
        if session is None or is_closed(session.session):
            return
        try:
            call = session.tools.call(
                tool, arguments, timeouts=timeouts, as_task=as_task, meta=meta, anyway=True
            )
        except ValueError as error:
            self._panel.show_problem(str(error))
            return
        self._result.show_history(call)
        self._panel.follow(call)
