"""Makes the calls of the tools page, and shows those of one tool in all runs of its server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.session.session import SessionState
from inspector.workspace import is_closed
from ui.bind import Bindings, bind_coalesced
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.features.tools import AsTask, ToolCall
    from inspector.session.timeouts import Timeouts
    from inspector.spec.views.tool import ToolView
    from inspector.wire.json_codec import JsonObject
    from inspector.workspace import OpenSession
    from ui.features.tools.call_panel import CallPanel
    from ui.features.tools.call_result_panel import CallResultPanel


class Calling(QObject):
    """Calls what the call panel has filled in, and shows the calls in the result panel."""

    def __init__(self, call: CallPanel, result: CallResultPanel, *, parent: QObject) -> None:
        """Call what `call` has filled in, and show it in `result`; without a session, until `set_session`."""
        super().__init__(parent)
        self._panel, self._result = call, result
        self._session: OpenSession | None = None
        self._tool: ToolView | None = None
        self._distinct = False
        self._repeat: ToolCall | None = None
        self._bindings = Bindings()
        call.call_requested.connect(self._on_call_requested)
        result.cancel_wanted.connect(self._on_cancel_wanted)
        result.declare_wanted.connect(self._on_declare_wanted)
        result.again_wanted.connect(self.call_again)
        result.reuse_wanted.connect(call.set_arguments)

    def set_session(self, session: OpenSession | None, *, again: bool) -> None:
        """Call over `session` from now on; `again` keeps everything for another run of the same server."""
        self._session = session
        self._repeat = self._repeat if again else None
        self._follow_list(session)
        self._panel.set_session(session, again=again)
        self._result.set_transcript(session.session.transcript if session is not None else None)
        self._result.checks.set_session(session)
        self._result.visits.set_elicitation(session.elicitation if session is not None else None)
        self._result.meanwhile.set_session(session)

    def show_tool(self, tool: ToolView | None, *, distinct: bool) -> None:
        """Show the calls of `tool`; `distinct` if another has its name."""
        self._tool, self._distinct = tool, distinct
        calls = self._calls_of(tool)
        self._panel.follow(next((call for call in reversed(calls) if not call.is_over), None))
        self._show_calls(calls)

    def call_again(self, call: ToolCall) -> None:
        """Make a call again, as its tool is listed now; a tool that is not listed anymore is called anyway."""
        listed = self._session.tools.items if self._session is not None else ()
        same = [tool for tool in listed if tool.id_label == call.tool.id_label]
        tool = same[0] if len(same) == 1 else call.tool
        self._call(tool, call.arguments, self._panel.timeouts(), call.as_task, call.meta)

    def repeat_in_next_run(self) -> None:
        """Make the shown call again as soon as another run of the server has listed its tools."""
        self._repeat = self._result.call

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

    def _show_calls(self, calls: list[ToolCall], wanted: ToolCall | None = None) -> None:
        runs = self._session.session.run.number if self._session is not None else 1
        self._result.show_calls(calls, wanted, runs=runs)

    def _calls_of(self, tool: ToolView | None) -> list[ToolCall]:
        """The calls of a tool in all runs; of two that share a name, those of the one that looks like it."""
        if tool is None or self._session is None:
            return []
        name = tool.id_label
        calls: list[ToolCall] = []
        for run in self._session.all_runs:
            calls += run.tools.history.of(lambda call: call.tool.id_label == name)
        return [call for call in calls if call.tool.raw == tool.raw] if self._distinct else calls

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
        self._show_calls(self._calls_of(tool), call)
        self._panel.follow(call)

    def _on_declare_wanted(self, names: Sequence[str]) -> None:
        """Declare capabilities. The user repeats the call: it may have effects."""
        session = self._session
        if session is None:
            return
        for name in names:
            session.client.capabilities.switch(name, on=True)
        if is_closed(session.session) or not session.session.redeclare():
            navigator_of(self).reconnect()

    def _on_cancel_wanted(self) -> None:
        if self._result.call is not None:
            self._result.call.cancel()
