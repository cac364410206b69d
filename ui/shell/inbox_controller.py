"""Requests of servers in the window: the dock that lists them, which only the user opens and closes, and the dialogs over the window.

A request that arrives moves nothing: the header and the page of the call show it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QApplication

from inspector.clock import SystemClock
from inspector.session.session import Session
from ui.bind import bind_coalesced
from ui.inbox.panel import InboxPanel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from inspector.inbox import Inbox, InboxItem
    from ui.inbox_dialog import InboxDialog
    from ui.shell.main_window import MainWindow

    MakeInboxDialog: TypeAlias = Callable[[InboxItem, QWidget], InboxDialog]

DOCK = "inbox"

STEP, MAX_STEPS = 28, 8
"""Pixels between the corners of open dialogs, and how many of them are offset."""


class InboxController(QObject):
    """The inbox of one window."""

    def __init__(
        self, window: MainWindow, makers: Mapping[str, MakeInboxDialog], *, inbox: Inbox
    ) -> None:
        """Show `inbox` in `window`; `makers` has the function that makes a dialog for each kind of request."""
        super().__init__(window)
        self._window = window
        self._inbox = inbox
        self.panel = InboxPanel(inbox=self._inbox, clock=SystemClock(), theme=window.theme)
        self.dialogs = InboxDialogs(makers, window)

    def wire(self) -> None:
        """Connect the dock and the dialogs, once the dock has its widget."""
        self.panel.grown.connect(self._on_grown)
        self.panel.review_requested.connect(self.dialogs.open)
        self.dialogs.frame_requested.connect(self._on_frame_requested)
        bind_coalesced(self, self._inbox.changed, self._window.refresh_commands)

    def hide_if_empty(self) -> None:
        """Hide the dock if it lists nothing, even if it was saved as visible."""
        if not self._inbox.items:
            self._window.docks[DOCK].hide()

    def has_pending(self) -> bool:
        """Whether a request is pending."""
        return bool(self._inbox.pending)

    def review_next(self) -> None:
        """Open the dialog of the oldest pending request."""
        if self._inbox.pending:
            self.dialogs.open(self._inbox.pending[0])

    def review(self) -> None:
        """Open the only request that is pending, or the list of several."""
        if len(self._inbox.pending) > 1:
            dock = self._window.docks[DOCK]
            dock.show()
            dock.raise_()
        else:
            self.review_next()

    def _on_grown(self) -> None:
        """Alert the user while the window is in the background; in the foreground the header shows the request."""
        if not self._window.isActiveWindow():
            QApplication.alert(self._window)

    def _on_frame_requested(self, ask: InboxItem) -> None:
        window = self._window
        origin = ask.origin
        if not isinstance(origin, Session):
            return
        runs = (
            opened
            for opened in window.parts.workspace.sessions
            for each in opened.all_runs
            if each.session is origin
        )
        opened = next(runs, None)
        if opened is not None and window.parts.controller.session is not opened:
            window.parts.controller.show(opened)
        window.show_frame(ask.frame, origin.transcript)


class InboxDialogs(QObject):
    """The dialogs over one window, at most one for each request of a server: those that are open, and those put aside with input.

    Signals:
        frame_requested: show this request in the traffic of its session.
    """

    frame_requested = Signal(object)

    def __init__(self, makers: Mapping[str, MakeInboxDialog], window: QWidget) -> None:
        """Open dialogs over `window`; `makers` has one function for each kind of request."""
        super().__init__(window)
        self._makers = makers
        self._window = window
        self._dialogs: dict[InboxItem, InboxDialog] = {}

    def has_unsent(self) -> bool:
        """Return whether a dialog of a pending request has input."""
        return any(dialog.is_unsent for dialog in self.existing)

    def _position_of(self, dialog: InboxDialog) -> QPoint:
        """Where a dialog opens: where it was, or over the middle of the window, one step for each open dialog away from it.

        A window that is shown again where Qt has it would open lower by the height of its title bar each time.
        """
        if dialog.left_at is not None:
            return dialog.left_at
        others = sum(other.isVisible() for other in self.existing)
        middle = self._window.frameGeometry().center() - dialog.rect().center()
        return middle + QPoint(STEP, STEP) * (others % MAX_STEPS)

    @property
    def existing(self) -> tuple[InboxDialog, ...]:
        """All of them."""
        return tuple(self._dialogs.values())

    def open(self, ask: InboxItem) -> InboxDialog | None:
        """Open the dialog of a request, or raise it as it was left; None for a kind without a dialog."""
        make = self._makers.get(ask.kind)
        if make is None:
            return None
        dialog = self._dialogs.get(ask)
        if dialog is None:
            dialog = self._dialogs[ask] = make(ask, self._window)
            dialog.frame_requested.connect(self.frame_requested)
            dialog.destroyed.connect(lambda: self._dialogs.pop(ask, None))
        if not dialog.isVisible():
            dialog.move(self._position_of(dialog))
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        return dialog
