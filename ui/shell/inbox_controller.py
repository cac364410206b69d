"""Requests of servers in the window: the dock that lists them, which only the user opens and closes, and the dialogs over the window.

A request that arrives moves nothing: the header and the page of the call tell of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication

from inspector.clock import SystemClock
from inspector.session.session import Session
from ui.bind import bind_coalesced
from ui.inbox.inbox_dialogs import InboxDialogs
from ui.inbox.panel import InboxPanel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.inbox import Inbox, InboxItem
    from ui.inbox.inbox_dialogs import MakeSheet
    from ui.shell.main_window import MainWindow

DOCK = "inbox"

WIDTH = 240
"""Of the dock when it first appears, at 100%."""

WIDEST_SHARE = 0.3
"""Of the window that it takes at most when the text is large."""


class InboxController(QObject):
    """The inbox of one window."""

    def __init__(
        self, window: MainWindow, makers: Mapping[str, MakeSheet], *, inbox: Inbox
    ) -> None:
        """Show `inbox` in `window`; `makers` make the sheets."""
        super().__init__(window)
        self._window = window
        self._inbox = inbox
        self._was_shown = False
        self.panel = InboxPanel(inbox=self._inbox, clock=SystemClock(), theme=window.theme)
        self.desk = InboxDialogs(makers, window)

    def wire(self) -> None:
        """Begin, once the dock is in its place."""
        self.panel.grown.connect(self._on_grown)
        self.panel.review_wanted.connect(self.desk.open)
        self.desk.frame_wanted.connect(self._on_frame_wanted)
        bind_coalesced(self, self._inbox.changed, self._window.refresh_commands)
        self._window.docks[DOCK].visibilityChanged.connect(self._on_dock_visibility_changed)

    def hide_if_empty(self) -> None:
        """Hide the dock unless something is listed in it, whatever arrangement was saved."""
        if not self._inbox.items:
            self._window.docks[DOCK].hide()

    def has_waiting(self) -> bool:
        """Whether there is anything to review."""
        return bool(self._inbox.waiting)

    def review_next(self) -> None:
        """Open the sheet of the oldest question."""
        if self._inbox.waiting:
            self.desk.open(self._inbox.waiting[0])

    def review(self) -> None:
        """Open the only request that is pending, or the list of several."""
        if len(self._inbox.waiting) > 1:
            dock = self._window.docks[DOCK]
            dock.show()
            dock.raise_()
        else:
            self.review_next()

    def _on_grown(self) -> None:
        """Call for attention where the window is behind others; in front, the header is in sight."""
        if not self._window.isActiveWindow():
            QApplication.alert(self._window)

    def _on_dock_visibility_changed(self, shown: bool) -> None:
        if shown and not self._was_shown:
            self._was_shown = True
            dock = self._window.docks[DOCK]
            most = round(self._window.width() * WIDEST_SHARE)
            width = min(self._window.theme.px(WIDTH), max(most, WIDTH))
            self._window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)

    def _on_frame_wanted(self, ask: InboxItem) -> None:
        window = self._window
        origin = ask.origin
        if not isinstance(origin, Session):
            return
        runs = (
            opened
            for opened in window.workspace.sessions
            for each in opened.all_runs
            if each.session is origin
        )
        opened = next(runs, None)
        if opened is not None and window.conductor.session is not opened:
            window.conductor.show(opened)
        window.show_frame(ask.frame, origin.transcript)
