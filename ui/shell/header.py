"""The line at the top: which server this is, how it stands, which revision it speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector.session.session import SessionState
from inspector.session.transport_factory import transport_kind
from inspector.visible_text import one_line
from ui.connect.state_styles import DISCONNECTED, needs_login, outage_text, style_of, unreachable
from ui.theme import tokens
from ui.widgets.buttons import push_button
from ui.widgets.labels import ElidedLabel, plain_label, set_tone, tool_tip
from ui.widgets.units import duration, plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction

    from inspector.inbox import Inbox
    from ui.shell.actions import Actions
    from ui.shell.session_controller import SessionController
    from ui.theme import Theme

BUTTONS = (
    ("connect", "Connect"),
    ("reconnect", "Reconnect"),
    ("disconnect", "Disconnect"),
    ("palette", "Go to…"),
)
"""Commands with a button here, and its label."""


NAME_LENGTH = 60
"""Characters of a server's name in a tooltip."""


class Header(QWidget):
    """State of the shown session, with what can be done about it."""

    def __init__(
        self,
        *,
        controller: SessionController,
        actions: Actions,
        inbox: Inbox,
        review: Callable[[], object],
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Show what `controller` shows; the buttons run `actions`, and the button for the requests in `inbox` runs `review`."""
        super().__init__(parent)
        self.setObjectName("header")
        self._inbox = inbox
        self._review = review
        self._controller = controller
        self._actions = actions
        self._theme = theme
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        theme = self._theme
        self._light = plain_label(name="header_light", parent=self)
        self._name = ElidedLabel(parent=self)
        self._name.setObjectName("header_name")
        self._state = ElidedLabel(parent=self)
        self._state.setObjectName("header_state")
        set_tone(self._state, "muted")
        self._buttons = {
            key: push_button(text, name=f"{key}_button", parent=self) for key, text in BUTTONS
        }
        self._requests = push_button("", name="header_requests", primary=True, parent=self)
        self._buttons["palette"].setIcon(theme.icon("mdi6.magnify", "muted"))
        self._buttons["palette"].setAccessibleName("Go to a server, tool or command")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.PADDING_PX, 2, theme.PADDING_PX, 2)
        layout.setSpacing(theme.PADDING_PX)
        layout.addWidget(self._light)
        layout.addWidget(self._name)
        layout.addWidget(self._state, 1)
        layout.addWidget(self._requests)
        for button in self._buttons.values():
            layout.addWidget(button)
        self._clock = QTimer(self, interval=tokens.CLOCK_MS)

    def _wire(self) -> None:
        for key, button in self._buttons.items():
            action = self._actions[key]
            button.setToolTip(_tip(action))
            button.clicked.connect(action.trigger)
        self._requests.clicked.connect(lambda: self._review())
        self._clock.timeout.connect(self._show_text)
        self._theme.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show how things stand."""
        controller, theme = self._controller, self._theme
        opened = controller.session
        look = style_of(opened.session) if opened is not None else DISCONNECTED
        self._light.setPixmap(theme.icon(look.icon, look.tone).pixmap(theme.ICON, theme.ICON))
        self._light.setAccessibleName(look.text)
        self._light.setToolTip(look.text)
        self._name.setFont(theme.font(bold=True))
        self._name.set_text(self._title())
        self._show_text()
        self._show_buttons()
        self._show_requests()
        runs = self._has_running_text()
        if runs != self._clock.isActive():
            self._clock.start() if runs else self._clock.stop()

    def _has_running_text(self) -> bool:
        """Whether the text shows a running time: while connecting, and while the server is unreachable."""
        controller = self._controller
        if controller.session is None or not controller.is_live:
            return False
        return not controller.is_connected or unreachable(controller.session.session) is not None

    def _show_buttons(self) -> None:
        controller = self._controller
        waits = controller.profile is not None and controller.transcript is None
        self._buttons["connect"].setVisible(waits)
        self._buttons["reconnect"].setVisible(controller.session is not None)
        self._show_way_back()
        self._buttons["disconnect"].setVisible(controller.is_live)
        self._buttons["palette"].setIconSize(QSize(self._theme.ICON, self._theme.ICON))

    def _show_requests(self) -> None:
        """Show how many server requests are pending in all sessions. The button takes its width from the text before it, so that no other moves."""
        pending = self._inbox.pending
        label = f"Review {plural(len(pending), 'request')}"
        self._requests.setText(label)
        self._requests.setAccessibleName(label)
        servers = ", ".join(dict.fromkeys(one_line(ask.server, NAME_LENGTH) for ask in pending))
        self._requests.setToolTip(tool_tip(f"Pending requests from {servers}"))
        self._requests.setVisible(bool(pending))

    def _show_way_back(self) -> None:
        """A program that has ended is started again, or at last; anything else is connected to again."""
        opened = self._controller.session
        text = "Reconnect"
        if opened is not None and transport_kind(opened.profile.transport).is_process:
            text = "Start" if opened.session.greeting is None else "Restart"
        button = self._buttons["reconnect"]
        button.setText("Reconnect" if self._controller.is_live else text)
        button.setAccessibleName(button.text())

    def _show_text(self) -> None:
        self._state.set_text(self._text())

    def _title(self) -> str:
        controller = self._controller
        if controller.record is not None:
            return controller.record.transcript.metadata.get("title") or controller.record.path.stem
        opened = controller.session
        profile = opened.profile if opened is not None else controller.profile
        if profile is None:
            return "No server selected"
        return profile.name or "Unnamed server"

    def _text(self) -> str:
        controller = self._controller
        if controller.record is not None:
            return f"recording, read-only · {plural(controller.record.transcript.count, 'frame')}"
        if controller.session is not None:
            return self._session_text()
        if controller.profile is not None:
            return DISCONNECTED.text
        return "Select a server on the left, or add one (Ctrl+N)"

    def _session_text(self) -> str:
        controller = self._controller
        assert controller.session is not None
        session = controller.session.session
        look = style_of(session)
        outage = outage_text(session)
        text = [f"{look.text} {outage}".strip()]
        if not controller.is_live:
            is_failed = session.state is SessionState.FAILED and not needs_login(session)
            failure = session.failure if is_failed else None
            text.append(failure.reason if failure is not None else session.closed_reason)
        elif not controller.is_connected and len(session.steps):
            waited = session.steps.clock.monotonic() - session.steps[0].started_at
            text.append(duration(waited))
        transport = session.transport_name
        text += [transport_kind(transport).badge, str(session.revision or "")]
        return " · ".join(word for word in text if word)


def _tip(action: QAction) -> str:
    keys = action.shortcut().toString()
    text = action.text().replace("&", "")
    return tool_tip(f"{text} ({keys})" if keys else text)
