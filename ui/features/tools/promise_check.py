"""Whether the answers of a session keep what the output schemas of its tools promise, judged as they come.

What is broken becomes findings of the frame, so the traffic tells it too. Small content is judged at once, larger content in a thread,
and what would hold the window up there as well is not judged.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Signal

from ui.aio import spawn
from ui.bind import bind
from ui.features.tools.structured import UNJUDGED, judge

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.features.tool_call import ToolCall
    from inspector.spec.views.call_result import CallToolResultView
    from inspector.wire.jsontext import Json
    from inspector.workspace import OpenSession
    from ui.features.tools.structured import Judged

AT_ONCE = 1 << 13
"""Weight of content that is judged at once: some milliseconds."""

MOST = 1 << 20
"""Weight beyond which content is not judged: the validator lets nothing else run."""

NODE_WEIGHT = 8
"""What a value weighs besides its characters."""


class PromiseCheck(QObject):
    """Judges the calls of one session when they are over.

    Signals:
        judged: this call has been judged.
    """

    judged = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self._known: WeakKeyDictionary[ToolCall, Judged | None] = WeakKeyDictionary()
        self._unbind: list[Callable[[], None]] = []

    def set_session(self, session: OpenSession | None) -> None:
        """Judge the calls of `session` from now on, and those made before."""
        for unbind in self._unbind:
            unbind()
        self._unbind = []
        if session is not None:
            self._unbind.append(bind(self, session.tools.called, self._follow))
            for call in session.tools.calls:
                self._follow(call)

    def of(self, call: ToolCall) -> Judged | None:
        """What was found; none as long as it is not known."""
        return self._known.get(call)

    def _follow(self, call: ToolCall) -> None:
        if call in self._known:
            return
        if call.is_over:
            self._begin(call)
            return

        def on_changed() -> None:
            if call.is_over:
                unbind()
                if unbind in self._unbind:
                    self._unbind.remove(unbind)
                self._begin(call)

        unbind = bind(self, call.changed, on_changed)
        self._unbind.append(unbind)

    def _begin(self, call: ToolCall) -> None:
        result = call.result
        if result is None or call in self._known:
            return
        has_schema = call.tool.output_schema is not None
        weight = _weight(result.structured) if has_schema else 0
        if weight > MOST:
            self._end(call, UNJUDGED)
        elif weight > AT_ONCE:
            self._known[call] = None
            spawn(self, self._judge(call, result), name="judge structured content")
        else:
            self._end(call, judge(call.tool, result))

    async def _judge(self, call: ToolCall, result: CallToolResultView) -> None:
        self._end(call, await asyncio.to_thread(judge, call.tool, result))

    def _end(self, call: ToolCall, found: Judged) -> None:
        self._known[call] = found
        if call.response_frame and found.findings:
            for finding in found.findings:
                call.transcript.add_finding(call.response_frame, finding)
            call.transcript.judged.fire()
        self.judged.emit(call)


def _weight(value: Json) -> int:
    """About how many characters `value` has; not counted further than need be."""
    weight, waiting = 0, [value]
    while waiting and weight <= MOST:
        item = waiting.pop()
        weight += NODE_WEIGHT
        if isinstance(item, str):
            weight += len(item)
        elif isinstance(item, dict):
            weight += sum(map(len, item))
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return weight
