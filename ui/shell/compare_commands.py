"""The commands that compare calls and runs, in the Session menu."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast
from weakref import ref

from inspector.runs import recording_before
from ui.pages import COMPARE, TOOLS
from ui.shell.actions import Command, CommandGroup

if TYPE_CHECKING:
    from pathlib import Path
    from weakref import ReferenceType

    from inspector.compare.compared_frame import ComparedFrame
    from inspector.open_session import OpenSession
    from inspector.transcript.transcript import Transcript
    from ui.features.compare.page import ComparePage
    from ui.features.tools.page import ToolsPage


class CompareCommands(CommandGroup):
    """What is compared with what, and the page that shows it."""

    menu = "&Session"
    _looked: tuple[ReferenceType[OpenSession], bool] | None = None
    """The session for which an earlier recording was looked up, which may be gone, and whether there is one."""

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        controller = self.parts.controller
        return (
            Command(
                "compare_calls",
                "C&ompare with previous call",
                self.compare_calls,
                "F9",
                enabled=lambda: controller.session is not None,
                separated=True,
            ),
            Command(
                "call_again_compare",
                "Call again and compare",
                self.call_again_and_compare,
                "Shift+F9",
                enabled=lambda: controller.is_connected,
            ),
            Command(
                "compare_runs",
                "Compare with previous run",
                self.compare_runs,
                "Ctrl+F9",
                enabled=self._has_previous,
            ),
            Command(
                "next_difference", "Next difference", lambda: self._step(1), "F8", is_local=True
            ),
            Command(
                "previous_difference",
                "Previous difference",
                lambda: self._step(-1),
                "Shift+F8",
                is_local=True,
            ),
        )

    @property
    def _page(self) -> ComparePage:
        return cast("ComparePage", self.parts.workbench.page(COMPARE.key))

    @property
    def _tools(self) -> ToolsPage | None:
        """The page of the tools, if a session is shown there."""
        if self.parts.controller.session is None:
            return None
        return cast("ToolsPage", self.parts.workbench.page(TOOLS.key))

    def compare_calls(self) -> None:
        """Compare the shown call with the one before, in whichever run that was made."""
        page = self._tools
        if page is None or not page.can_compare:
            self.parts.status.show_message(
                "No previous call to compare with. Call the tool again first."
            )
            return
        page.result_panel.compare()

    def call_again_and_compare(self) -> None:
        """Make the shown call again in this run, and compare both when it is done."""
        page = self._tools
        if page is None or not page.can_repeat:
            self.parts.status.show_message("No call to repeat. Call a tool first.")
            return
        self.parts.workbench.show_page(TOOLS.key)
        page.call_again_and_compare()

    def compare_runs(self) -> None:
        """Compare what the server is in the shown run with what it was in the run before."""
        if (session := self.parts.controller.session) is not None:
            self.compare_run(session.session.transcript)

    def compare_run(self, transcript: Transcript) -> None:
        """Compare what the server was in the run of `transcript` with the run before; the first run of a session, with the last recording."""
        session = self.parts.controller.session
        runs = session.all_runs if session is not None else ()
        run = next((each for each in runs if each.session.transcript is transcript), None)
        before = run.runs.compared(run) if run is not None else None
        recording = self._recording_before(run) if run is not None else None
        if run is not None and before is not None:
            self.compare(before, run)
        elif run is not None and recording is not None:
            self.window.go(COMPARE.key)
            self._page.compare_with_recording(recording, run)
        else:
            self.parts.status.show_message("No earlier run or recording to compare with.")

    def compare(
        self, before: ComparedFrame | OpenSession, after: ComparedFrame | OpenSession
    ) -> None:
        """Show on the compare page how a frame or a run differs from another."""
        self.window.go(COMPARE.key)
        self._page.compare(before, after)

    def _previous_run(self) -> OpenSession | None:
        session = self.parts.controller.session
        return session.runs.compared(session) if session is not None else None

    def _recording_before(self, opened: OpenSession) -> Path | None:
        recordings = self.parts.workspace.recent_recordings()
        return recording_before(opened.session.transcript.path, recordings)

    def _has_previous(self) -> bool:
        """Whether there is an earlier run of the shown server, or a recording of it."""
        session = self.parts.controller.session
        if session is None:
            return False
        if self._previous_run() is not None:
            return True
        if (
            self._looked is None or self._looked[0]() is not session
        ):  # in the folder, once a session
            self._looked = ref(session), self._recording_before(session) is not None
        return self._looked[1]

    def _step(self, by: int) -> None:
        if self.parts.workbench.current is self._page:
            self._page.step(by)
