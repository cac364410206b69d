"""The Traffic menu: what the buttons of the traffic do, and what can be done with its row under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.export.formats import CURL, INDENTED_JSON
from ui.shell.actions import Command, CommandGroup

if TYPE_CHECKING:
    from ui.traffic.panel import TrafficPanel

MENU = "&Traffic"


class TrafficCommands(CommandGroup):
    """The commands of the Traffic menu."""

    def rows(self) -> tuple[Command, ...]:
        """The commands, in order."""
        return (*self._view_commands(), *self._frame_commands())

    def _view_commands(self) -> tuple[Command, ...]:
        return (
            Command(
                "pause",
                MENU,
                "&Pause",
                lambda: self._traffic.bar.pause.click(),
                "F8",
                checked=lambda: self._traffic.bar.pause.isChecked(),
            ),
            Command(
                "follow",
                MENU,
                "&Follow newest row",
                lambda: self._traffic.bar.follow.click(),
                "Ctrl+Shift+F",
                checked=lambda: self._traffic.bar.follow.isChecked(),
            ),
            Command(
                "detail",
                MENU,
                "&Detail",
                lambda: self._traffic.bar.detail.click(),
                "Ctrl+Shift+J",
                checked=lambda: self._traffic.bar.detail.isChecked(),
            ),
            Command(
                "clear",
                MENU,
                "&Clear",
                lambda: self._traffic.bar.clear.click(),
                "Ctrl+Shift+L",
                enabled=lambda: self._traffic.model.transcript is not None,
            ),
        )

    def _frame_commands(self) -> tuple[Command, ...]:
        def has_frame() -> bool:
            return bool(self._traffic.table.current_number())

        return (
            Command(
                "resend",
                MENU,
                "&Edit and resend",
                lambda: self._traffic.row_actions.resend(),
                "Ctrl+E",
                enabled=has_frame,
                separated=True,
                is_local=True,
            ),
            Command(
                "copy_json",
                MENU,
                "Copy as &JSON",
                lambda: self._traffic.row_actions.copy(INDENTED_JSON),
                "Ctrl+Shift+C",
                enabled=has_frame,
                is_local=True,
            ),
            Command(
                "copy_curl",
                MENU,
                "Copy as c&URL",
                lambda: self._traffic.row_actions.copy(CURL),
                "Ctrl+Shift+U",
                enabled=has_frame,
            ),
        )

    @property
    def _traffic(self) -> TrafficPanel:
        return self.parts.traffic
