"""Requests of servers in the window: the badge in the header, the list below it, the dock, and the dialogs over the window.

A request that arrives moves nothing and opens nothing: the badge, the tab of its page and the status bar show it. In the background, the desktop
notifies.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, QPoint, Signal

from inspector.clock import SystemClock
from ui.bind import bind_coalesced
from ui.connect.authorization_need import offers_login
from ui.connect.servers_model import LOGIN_PENDING
from ui.inbox.panel import InboxPanel
from ui.inbox.requests_badge import RequestsBadge
from ui.shell.notifications import RequestNotifier, SystemDesktop
from ui.widgets.units import plural

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

BELOW_HEADER = 6
"""Pixels at 100% between the header and the list of requests."""


class InboxController(QObject):
    """The inbox of one window."""

    def __init__(
        self, window: MainWindow, makers: Mapping[str, MakeInboxDialog], *, inbox: Inbox
    ) -> None:
        """Show `inbox` in `window`; `makers` has the function that makes a dialog for each kind of request."""
        super().__init__(window)
        self._window = window
        self._inbox = inbox
        clock, theme = SystemClock(), window.theme
        self.panel = InboxPanel(inbox=self._inbox, clock=clock, theme=theme)
        self.badge = RequestsBadge(inbox=self._inbox, clock=clock, theme=theme, parent=window)
        self.dialogs = InboxDialogs(makers, window)
        self.notifier = RequestNotifier(
            window,
            SystemDesktop(window, theme.icon("mdi6.account-alert-outline", "person")),
            inbox=self._inbox,
            is_enabled=lambda: window.layout_state.settings.notifies,
            review=self.dialogs.open,
        )

    def wire(self) -> None:
        """Connect the dock and the dialogs, once the dock has its widget."""
        parts = self._window.parts
        self.badge.clicked.connect(self.open_list)
        self.panel.review_requested.connect(self.dialogs.open)
        parts.status.requests_requested.connect(self.open_list)
        parts.controller.session_changed.connect(self._refresh)
        self.dialogs.frame_requested.connect(self._on_frame_requested)
        for event in (self._inbox.changed, parts.workspace.authorizers.progressed):
            bind_coalesced(self, event, self._refresh)
        bind_coalesced(self, parts.workspace.changed, self._show_pending)

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

    def open_list(self) -> None:
        """Open the list of requests below the badge; without any, what else waits for the user."""
        if not self._inbox.pending:
            if not self._show_login():
                self._open_dock()
            return
        from ui.inbox.popover import RequestsPopover  # with the first request

        window, theme = self._window, self._window.theme
        popover = RequestsPopover(self.badge, inbox=self._inbox, clock=SystemClock(), theme=theme)
        popover.review_requested.connect(self._on_review_requested)
        popover.panel_requested.connect(self._open_dock)
        header = window.header
        bottom = header.mapTo(window, QPoint(0, header.height())).y()
        popover.open_below(bottom + theme.px(BELOW_HEADER))

    def _show_login(self) -> bool:
        """Show the authorization whose login page waits for the user, or where a login is offered; False if none is."""
        parts, logins = self._window.parts, self._logins()
        found = (each for each in parts.workspace.sessions if each.profile.id in logins)
        opened = next(found, None)
        if opened is not None:
            if parts.controller.profile != opened.profile:
                parts.controller.show_profile(opened.profile)
            self._window.go(logins[opened.profile.id])
        return opened is not None

    def _logins(self) -> dict[str, str]:
        """Id of a server that the user has to log in to → key of the page where that is done."""
        workspace = self._window.parts.workspace
        offered = (each.profile.id for each in workspace.sessions if offers_login(each.session))
        pending = workspace.authorizers.pending_logins()
        return dict.fromkeys(offered, "overview") | dict.fromkeys(pending, "authorization")

    def _on_review_requested(self, ask: InboxItem) -> None:
        self.badge.return_focus()  # after the response, the user goes on with what they did before
        self.dialogs.open(ask)

    def _open_dock(self) -> None:
        dock = self._window.docks[DOCK]
        dock.show()
        dock.raise_()

    def _refresh(self) -> None:
        """Show what is pending in the status bar, on the tabs, and in what can be done."""
        self._window.refresh_commands()
        self._show_pending()

    def _show_pending(self) -> None:
        parts, logins = self._window.parts, self._logins()
        pages = self._pages_with_requests()
        profile = parts.controller.profile
        here = sum(map(self._is_displayed, self._inbox.pending))
        if profile is not None and profile.id in logins:
            pages[logins[profile.id]] = LOGIN_PENDING
            here += 1
        count = len(self._inbox.pending) + len(logins)
        parts.status.show_for_user(count, elsewhere=count - here)
        parts.workbench.set_pending(pages)

    def _pages_with_requests(self) -> dict[str, str]:
        """Key of a page → text about the requests that wait during a call of it, in the displayed session. Keys are prefixes of methods."""
        counts: Counter[str] = Counter()
        for ask in filter(self._is_displayed, self._inbox.pending):
            counts.update({cause.text.partition("/")[0] for cause in ask.causes})
        return {key: f"{plural(count, 'request')} waiting for you" for key, count in counts.items()}

    def _is_displayed(self, ask: InboxItem) -> bool:
        """Whether a request is one of the displayed session."""
        session = self._window.parts.controller.session
        return session is not None and any(ask.origin is run.session for run in session.all_runs)

    def _on_frame_requested(self, ask: InboxItem) -> None:
        from inspector.session.session import Session

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
