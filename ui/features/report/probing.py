"""Runs probes on the connection of the user, one after another, until they are done or stopped. Knows no widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from inspector.probes.runner import PROBES, Concluded, listed_objects, plan_probes, run_probes
from inspector.probes.tool_uses import tool_uses
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from ui.aio import spawn

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Collection, Iterator, Sequence

    from inspector.open_session import OpenSession
    from inspector.probes.probe import Probe
    from inspector.probes.runner import Lists, Planned
    from inspector.probes.tool_uses import ToolUse
    from inspector.wire.json_codec import Json

SECONDS_PER_REQUEST = 0.05
"""What a request takes about, where no ping was measured."""


class ProbeRun(QObject):
    """The probes of one session.

    Signals:
        began: the probe of this key runs.
        concluded: a probe came to something (`Concluded`).
        ended: nothing runs any more.
    """

    began = Signal(str)
    concluded = Signal(object)
    ended = Signal()

    def __init__(self, session: OpenSession, parent: QObject | None = None) -> None:
        """Probe the server of `session`; nothing is sent before `start`."""
        super().__init__(parent)
        self.session = session
        self.done: list[Concluded] = []
        """What was run since the start."""
        self.current = ""
        """The key of the probe that runs, or was stopped; empty for none."""
        self._lists: Lists = {
            "tools": listed_objects(session.tools.items),
            "prompts": listed_objects(session.prompts.items),
            "resources": listed_objects(session.resources.items),
        }
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether a probe runs."""
        return self._task is not None and not self._task.done()

    def tool_uses(self) -> list[ToolUse]:
        """Return the calls that can be allowed: of read-only tools, and those that the user made before."""
        return tool_uses(self._lists["tools"], self._calls())

    def _calls(self) -> Iterator[tuple[str, Json]]:
        for call in self.session.tools.history.operations:
            try:
                yield call.tool.name, json_codec.read((call.arguments or "{}").encode()).value
            except JsonSyntaxError:
                continue

    def plan(self, uses: Sequence[ToolUse]) -> list[Planned]:
        """Return all probes and which of them apply, where `uses` are the calls that are allowed."""
        return plan_probes(self.session.session, self._lists, uses)

    def seconds_of(self, probes: Collection[Probe]) -> float:
        """Return about how long these probes take."""
        each = self.session.ping.figures().mean_s or SECONDS_PER_REQUEST
        return sum(probe.requests * each + probe.seconds for probe in probes)

    def start(self, keys: Collection[str], uses: Sequence[ToolUse]) -> None:
        """Run the probes of these keys."""
        if not self.is_running:
            self.done = []
            self._task = spawn(self, self._run(keys, uses), name="probe the server")

    def stop(self) -> None:
        """Stop the probe that runs, and do not run the rest."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, keys: Collection[str], uses: Sequence[ToolUse]) -> None:
        queue = [probe.key for probe in PROBES if probe.key in keys]
        try:
            self._begin(queue)
            found = run_probes(self.session.session, keys, uses=uses, lists=self._lists)
            async for each in found:
                self.done.append(each)
                self.concluded.emit(each)
                self._begin(queue)
        finally:
            self._task = None
            if isValid(self):  # it is not when the dialog was closed meanwhile
                self.ended.emit()

    def _begin(self, queue: Sequence[str]) -> None:
        """Say which probe is next."""
        at = len(self.done)
        self.current = queue[at] if at < len(queue) else ""
        if self.current:
            self.began.emit(self.current)
