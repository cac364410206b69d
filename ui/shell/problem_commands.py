"""The commands of the problems in the View menu; and which findings the page of the problems shows."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ui.problems.selection import Grouping
from ui.shell.actions import Command, CommandGroup
from ui.shell.dock_sizes import PROBLEMS

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from ui.problems.page import ProblemsPage
    from ui.shell.main_window import MainWindow
    from ui.shell.window_parts import WindowParts


class ProblemCommands(CommandGroup):
    """What can be done with the problems."""

    menu = "&View"

    def __init__(self, window: MainWindow, parts: WindowParts) -> None:
        """Act on `parts` of `window`, and show what the controller shows."""
        super().__init__(window, parts)
        source, controller = parts.problem_source, parts.controller
        controller.session_changed.connect(self.show_source)
        controller.recorded_changed.connect(self.show_source)
        parts.status.problems_requested.connect(self._show_problems)
        parts.problems.made_page.connect(self._wire_page)
        source.counted.connect(self._show_counts)
        source.changed.connect(self._show_muted)
        self.show_source()

    def _wire_page(self) -> None:
        page = self.parts.problems.page
        page.frame_requested.connect(self._show_frame)
        page.mute_requested.connect(self.mute_rules)

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        groups = (
            Command(
                f"problems_by_{grouping}",
                f"Group problems by {grouping}",
                partial(self._group_by, grouping),
                checked=partial(self._is_grouped, grouping),
                separated=grouping is Grouping.RULE,
            )
            for grouping in Grouping
        )
        return (
            *groups,
            Command("problems_sort", "Sort problems again", self._sort),
            Command(
                "problems_explain",
                "Explain rule of problem",
                self._explain,
                "Space",
                is_local=True,
            ),
            Command(
                "problems_targets",
                "Target clients…",
                lambda: self._raised().bar.show_target_menu(),
                enabled=lambda: self.parts.controller.transcript is not None,
            ),
            Command(
                "problems_mute",
                "Mute rules…",
                self.mute_rules,
                enabled=lambda: self.parts.controller.transcript is not None,
            ),
        )

    def show_source(self) -> None:
        """Show the findings of what the controller shows: those of the latest run, or of a recording."""
        controller = self.parts.controller
        opened = controller.visible_session
        before = opened.runs.compared(opened) if opened is not None else None
        self.parts.problem_source.show(
            controller.transcript,
            earlier=before.session.transcript if before is not None else None,
            earlier_sweep=before.sweep if before is not None else None,
            muted=opened.client.muted if opened is not None else None,
            targets=opened.client.targets if opened is not None else None,
            sweep=lambda: controller.sweep,
            server="recording" if controller.record is not None else "server",
        )

    def _show_muted(self) -> None:
        """Count no problems of muted rules in the rows of the traffic."""
        feed, muted = self.parts.traffic.model.feed, self.parts.problem_source.muted.reasons
        if feed.muted is not muted:
            feed.muted = muted
            feed.findings_changed.emit()

    def _show_problems(self) -> None:
        self.window.raise_dock(PROBLEMS)
        self.parts.problems.page.focus_front()

    def _show_counts(self) -> None:
        self.parts.status.show_problems(self.parts.problem_source.sums)
        self.window.bottom.show_counts(self.parts)

    def mute_rules(self) -> None:
        """Show which rules are muted for the server."""
        from ui.problems.mute_dialog import MuteDialog

        transcript, source = self.parts.controller.transcript, self.parts.problem_source
        if transcript is None:
            return
        dialog = MuteDialog(
            source.muted,
            transcript.rule_findings,
            folder=self._folder(),
            server="recording" if self.parts.controller.record is not None else "server",
            theme=self.window.theme,
            parent=self.window,
        )
        dialog.open()

    def _folder(self) -> str:
        """The folder that is proposed for a file: where the server is started."""
        profile = self.parts.controller.profile
        folder = profile.cwd if profile is not None else ""
        return folder or str(Path.home())

    def _show_frame(self, number: int, transcript: Transcript, pointer: str) -> None:
        self.window.navigator.show_pointer(number, pointer, transcript)
        self.parts.traffic.modes.table.setFocus()  # the row that had it is behind the traffic

    def _raised(self) -> ProblemsPage:
        self.window.raise_dock(PROBLEMS)
        return self.parts.problems.page

    def _group_by(self, grouping: Grouping) -> None:
        self._raised().group_by(grouping)

    def _sort(self) -> None:
        self._raised().model.sort()

    def _explain(self) -> None:
        self._raised().toggle_explanation()

    def _is_grouped(self, grouping: Grouping) -> bool:
        page = self.parts.problems.made
        return grouping is (Grouping.RULE if page is None else page.feed.selection.grouping)
