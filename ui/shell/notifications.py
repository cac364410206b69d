"""Desktop notifications of requests that arrive while Spyglass is in the background.

They name the kind and the server as the user called it. Nothing that a server sent is in them: some desktops read the text as markup.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from inspector.visible_text import one_line
from ui.bind import bind_coalesced
from ui.inbox.card import kind_text
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QWidget

    from inspector.inbox import Inbox, InboxItem

INTERVAL_MS = 2000
"""Shortest time between two notifications; requests that arrive within it are counted in one."""

VISIBLE_MS = 10_000
"""How long the desktop is asked to show one."""

NAME_LENGTH = 60
"""Characters of a server's name."""

TEXT = "Waiting for your response"


class Desktop(QObject):
    """The notifications of the system.

    Signals:
        clicked: the user clicked the latest notification.
    """

    clicked = Signal()

    def notify(self, title: str, text: str) -> None:
        """Show a notification, or draw the attention to the window where there are none."""
        raise NotImplementedError

    def withdraw(self) -> None:
        """Take what is still displayed away: the user is here."""
        raise NotImplementedError


class SystemDesktop(Desktop):
    """Notifications through an icon in the system tray, which is there only as long as one is displayed."""

    def __init__(self, window: QWidget, icon: QIcon) -> None:
        """Notify of what happens in `window`."""
        super().__init__(window)
        self._window = window
        self._icon = icon
        self._tray: QSystemTrayIcon | None = None
        self._hiding = QTimer(self, interval=VISIBLE_MS, singleShot=True)
        self._hiding.timeout.connect(self.withdraw)

    def notify(self, title: str, text: str) -> None:
        """Show a notification, or mark the window in the task bar."""
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            QApplication.alert(self._window)
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(self._icon, self)
            self._tray.messageClicked.connect(self.clicked)
            self._tray.activated.connect(self._on_activated)
        self._tray.setToolTip(title)
        self._tray.show()
        self._tray.showMessage(title, text, self._icon, VISIBLE_MS)
        self._hiding.start()

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        reasons = QSystemTrayIcon.ActivationReason
        if reason in (reasons.Trigger, reasons.DoubleClick):
            self.clicked.emit()

    def withdraw(self) -> None:
        """Take the icon out of the tray."""
        self._hiding.stop()
        if self._tray is not None:
            self._tray.hide()


class RequestNotifier(QObject):
    """Notifies of pending requests of an inbox."""

    def __init__(
        self,
        window: QWidget,
        desktop: Desktop,
        *,
        inbox: Inbox,
        is_enabled: Callable[[], bool],
        review: Callable[[InboxItem], object],
    ) -> None:
        """Notify through `desktop` while neither `window` nor a dialog of it is active and `is_enabled`; a click calls `review`."""
        super().__init__(window)
        self._window = window
        self._inbox = inbox
        self._is_enabled = is_enabled
        self._review = review
        self._known: frozenset[InboxItem] = frozenset()
        self._latest: InboxItem | None = None
        """The request that the latest notification was about."""
        self.set_desktop(desktop)
        bind_coalesced(self, inbox.changed, self._on_inbox_changed, INTERVAL_MS)
        window.installEventFilter(self)

    def set_desktop(self, desktop: Desktop) -> None:
        """Notify through `desktop` from now on."""
        self.desktop = desktop
        desktop.clicked.connect(self._on_clicked)

    def _on_inbox_changed(self) -> None:
        pending = self._inbox.pending
        arrived = [ask for ask in pending if ask not in self._known]
        self._known = frozenset(pending)
        if not pending:
            self.desktop.withdraw()
        elif arrived and self._is_enabled() and self._is_in_background():
            self._latest = arrived[0]
            self.desktop.notify(_title(arrived), TEXT)

    def _is_in_background(self) -> bool:
        active: QObject | None = QApplication.activeWindow()
        while active is not None and active is not self._window:
            active = active.parent()
        return active is None

    def _on_clicked(self) -> None:
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        if self._latest is not None and self._latest in self._inbox.pending:
            self._review(self._latest)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The user is back when the window is activated."""
        if event.type() == QEvent.Type.WindowActivate:
            self.desktop.withdraw()
        return super().eventFilter(watched, event)


def _title(arrived: Sequence[InboxItem]) -> str:
    servers = list(dict.fromkeys(one_line(ask.server, NAME_LENGTH) for ask in arrived))
    kind = kind_text(arrived[0]) if len(arrived) == 1 else plural(len(arrived), "request")
    if len(servers) > 1:
        return f"{kind} from {plural(len(servers), 'server')}"
    return f"{kind} from {servers[0]}"
