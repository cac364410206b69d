"""The line at the top: which server this is, its state and revision, the requests that wait, and the way to everything else.

Nothing in it moves when a state or a count changes: each part has the width of its widest text, and parts that come and go are at the ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from inspector.session.session_state import SessionState
from inspector.session.transport_factory import transport_kind
from ui.connect.state_styles import DISCONNECTED, needs_login, outage_text, style_of, unreachable
from ui.shell.go_to_button import GoToButton
from ui.theme import tokens
from ui.widgets.buttons import displayed_keys, push_button, tool_button
from ui.widgets.effective_size import WindowMode
from ui.widgets.labels import (
    ElidedLabel,
    ShorteningLabel,
    on_baseline,
    plain_label,
    set_tone,
    tool_tip,
    unquoted,
)
from ui.widgets.layout_parts import keep_space, row_layout, space_in_row
from ui.widgets.units import duration, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QAction, QResizeEvent
    from PySide6.QtWidgets import QMenu

    from inspector.spec.revision import Revision
    from ui.inbox.requests_badge import RequestsBadge
    from ui.shell.actions import Actions
    from ui.shell.session_controller import SessionController
    from ui.theme import Theme

LIGHT = 12
"""Edge of the icon of the state."""

RECORDING = "Recording"
"""The state of an opened recording, where there is little width."""

STATELESS = "stateless"
"""The era of a revision without a handshake, which its date does not say."""

CANCEL = "Cancel"
"""Label of the button that connects again while a connection begins, which it ends then."""

CONNECT_LABELS = ("Connect", "Reconnect", "Restart", "Start", CANCEL)
"""Labels of the button that connects; it has the width of the widest."""


class Header(QWidget):
    """State of the displayed session, with what can be done about it."""

    def __init__(
        self,
        *,
        controller: SessionController,
        actions: Actions,
        badge: RequestsBadge,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """Show what `controller` shows; the buttons run `actions`, and `badge` counts the requests that wait for the user."""
        super().__init__(parent)
        self.setObjectName("header")
        self.badge = badge
        self._controller = controller
        self._actions = actions
        self._theme = theme
        self._menu: QMenu | None = None
        """The menu of the servers. Not that of the button, which would run an event loop for it."""
        self._build()
        self._wire()
        self._dress()
        self.refresh()

    def _build(self) -> None:
        theme = self._theme
        self._texts = self._build_texts()
        self._connect = push_button("Connect", name="connect_button", parent=self)
        self._reconnect = push_button("Reconnect", name="reconnect_button", parent=self)
        self._reconnect.setIcon(theme.icon("mdi6.restart"))
        self._disconnect = tool_button(
            theme,
            "mdi6.power-plug-off-outline",
            "Disconnect",
            name="disconnect_button",
            parent=self,
        )
        keep_space(self._disconnect)
        keys = self._actions["palette"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self._go_to = GoToButton("Go to…", keys, theme=theme, parent=self)
        self._go_to.setObjectName("palette_button")
        self._go_to.setAccessibleName("Go to a server, tool or command")
        self._layout = QHBoxLayout(self)
        self._layout.setSpacing(0)
        self._layout.addWidget(self._texts, 1)
        self._layout.addWidget(self.badge)
        self._layout.addWidget(space_in_row(theme, 16))
        for button in (self._connect, self._reconnect):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the focus on the page
            self._layout.addWidget(button)
        self._layout.addWidget(space_in_row(theme, 6))
        self._layout.addWidget(self._disconnect)
        self._layout.addWidget(space_in_row(theme, 8))
        self._go_to.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._layout.addWidget(self._go_to)
        self._clock = QTimer(self, interval=tokens.CLOCK_MS)

    def _build_texts(self) -> QWidget:
        """State, name, menu of servers, and the text of the state, from left to right."""
        theme, texts = self._theme, QWidget(self)
        texts.setObjectName("header_texts")
        self._light = plain_label(name="header_light", parent=texts)
        self._name = ElidedLabel(parent=texts)
        self._name.setObjectName("header_name")
        self._servers = tool_button(
            theme, "mdi6.chevron-down", "Switch server", name="header_servers", parent=texts
        )
        self._state = ShorteningLabel(parent=texts)
        self._state.setObjectName("header_state")
        set_tone(self._state, "muted")
        row = row_layout(texts, self._light, self._name, self._servers, space=theme.px(6))
        row.addWidget(self._state, 1)
        row.setContentsMargins(0, 0, theme.px(8), 0)
        return texts

    def _wire(self) -> None:
        self._reconnect.clicked.connect(self._on_reconnect_clicked)
        buttons = {
            "connect": self._connect,
            "disconnect": self._disconnect,
            "palette": self._go_to,
        }
        for key, button in buttons.items():
            action = self._actions[key]
            button.setToolTip(_tip(action))
            button.clicked.connect(action.trigger)
        self._servers.clicked.connect(self.open_server_menu)
        self._servers.setToolTip(_tip(self._actions["switch_server"]))
        self._clock.timeout.connect(self._show_text)
        self._theme.changed.connect(self._on_theme_changed)

    def _on_reconnect_clicked(self) -> None:
        self._reconnect_action().trigger()

    def _reconnect_action(self) -> QAction:
        """Return what the button does that connects again, which is what it says: the state may have changed since it was read."""
        return self._actions["disconnect" if self._reconnect.text() == CANCEL else "reconnect"]

    def _is_connecting(self) -> bool:
        opened = self._controller.session
        return opened is not None and opened.session.state is SessionState.CONNECTING

    def set_server_menu(self, menu: QMenu) -> None:
        """Open `menu` with the button beside the name."""
        self._menu = menu

    def open_server_menu(self) -> None:
        """Open the menu of the servers below the name."""
        if self._menu is not None:
            self._menu.popup(self._texts.mapToGlobal(self._servers.geometry().bottomLeft()))

    def _on_theme_changed(self) -> None:
        self._dress()
        self.refresh()

    def _dress(self) -> None:
        """Give every part the font and the size of the current text scale."""
        theme = self._theme
        edge = theme.px(tokens.DENSE_PADDING_PX)
        self._layout.setContentsMargins(edge, 0, edge, 0)
        self.setFixedHeight(theme.px(tokens.HEADER_HEIGHT_PX))
        self._name.setFont(theme.font(tokens.NAME, bold=True))
        self._state.setFont(theme.font())
        self._align_texts()
        self._disconnect.setFixedSize(theme.px(tokens.FIELD), theme.px(tokens.FIELD))
        for button in (self._connect, self._reconnect):
            button.setIconSize(QSize(theme.ICON, theme.ICON))
            button.setFixedWidth(_widest(self._reconnect, CONNECT_LABELS))
        self._fit()

    def _align_texts(self) -> None:
        """Let name and state have one baseline: of one height, they are centered alike."""
        on_baseline(self._name, self._state)
        labels = (self._name, self._state)
        height = max(
            QFontMetrics(label.font()).height() + label.contentsMargins().top() for label in labels
        )
        for label in labels:
            label.setFixedHeight(height)

    def _fit(self) -> None:
        is_compact = self.width() < self._theme.px(WindowMode.COMPACT)
        self._go_to.set_compact(is_compact=is_compact)
        self.badge.set_compact(is_compact=self.width() < self._theme.px(WindowMode.NARROW))
        self._name.setMaximumWidth(self.width() * 2 // 5)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more width now, or less."""
        super().resizeEvent(event)
        self._fit()

    def refresh(self) -> None:
        """Show the current state."""
        controller, theme = self._controller, self._theme
        opened = controller.session
        look = style_of(opened.session) if opened is not None else DISCONNECTED
        edge = theme.px(LIGHT)
        self._light.setPixmap(theme.icon(look.icon, look.tone).pixmap(edge, edge))
        self._light.setAccessibleName(look.text)
        self._light.setToolTip(look.text)
        self._name.set_text(self._title())
        self._show_text()
        self._show_buttons()
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
        can_connect = controller.profile is not None and controller.transcript is None
        has_session = controller.session is not None
        self._connect.setVisible(can_connect)
        self._reconnect.setVisible(has_session)
        self._disconnect.setVisible(can_connect or has_session)
        self._disconnect.setEnabled(controller.is_live)
        if has_session:
            self._show_way_back()

    def _show_way_back(self) -> None:
        """A program that has ended is started again, or for the first time; anything else is connected to again."""
        opened, is_connecting = self._controller.session, self._is_connecting()
        assert opened is not None
        text = CANCEL if is_connecting else "Reconnect"
        if transport_kind(opened.profile.transport).is_process and not self._controller.is_live:
            text = "Start" if opened.session.greeting is None else "Restart"
        self._reconnect.setText(text)
        self._reconnect.setIcon(self._theme.icon("mdi6.close" if is_connecting else "mdi6.restart"))
        self._reconnect.setToolTip(_tip(self._reconnect_action()))
        self._reconnect.setAccessibleName(text)

    def _show_text(self) -> None:
        parts = [part for part in self._state_parts() if part]
        shorter = self._shorter_parts(parts)
        self._state.set_texts(*(" · ".join(each) for each in (parts, *shorter)))

    def _title(self) -> str:
        controller = self._controller
        if controller.record is not None:
            return controller.record.transcript.metadata.get("title") or controller.record.path.stem
        opened = controller.session
        profile = opened.profile if opened is not None else controller.profile
        if profile is None:
            return "No server selected"
        return profile.name or "Unnamed server"

    def _shorter_parts(self, parts: list[str]) -> list[list[str]]:
        """What is said where there is little width, the longest first: the revision is the last to go, as the dot has the state."""
        controller = self._controller
        state, revision = parts[0], self._revision()
        if STATELESS in parts:
            rest = [part for part in parts if part != STATELESS]
            return [rest, *self._shorter_parts(rest)]
        if not revision:
            return [parts[:2], parts[:1]] if self._is_connecting() else []
        if controller.record is not None:
            return [[state, revision], [RECORDING, revision]]
        if not controller.is_connected:
            return []
        return [[state, revision, parts[-1]], [state, revision], [revision], []]

    def _known_revision(self) -> Revision | None:
        """The protocol revision of the session or the recording; None while it is not known."""
        controller = self._controller
        if controller.record is not None:
            return controller.record.sweep.settings.revision
        return controller.session.session.revision if controller.session is not None else None

    def _revision(self) -> str:
        return str(self._known_revision() or "")

    def _era(self) -> str:
        """The era of the revision, if it is stateless."""
        revision = self._known_revision()
        return STATELESS if revision is not None and not revision.stateful else ""

    def _state_parts(self) -> list[str]:
        """The state, and what follows it, as far as it is known."""
        controller = self._controller
        if controller.record is not None:
            count = plural(controller.record.transcript.count, "frame")
            return [f"{RECORDING}, read-only", self._revision(), self._era(), count]
        if controller.session is not None:
            return self._session_parts()
        if controller.profile is not None:
            return [_capitalized(DISCONNECTED.text)]
        return ["Select a server, or add one (Ctrl+N)"]

    def _session_parts(self) -> list[str]:
        controller = self._controller
        assert controller.session is not None
        session = controller.session.session
        look = style_of(session)
        parts = [_capitalized(f"{look.text} {outage_text(session)}".strip())]
        if not controller.is_live:
            is_failed = session.state is SessionState.FAILED and not needs_login(session)
            failure = session.failure if is_failed else None
            reason = failure.reason if failure is not None else session.closed_reason
            parts.append(unquoted(reason))
        elif not controller.is_connected and len(session.steps):
            waited = session.steps.clock.monotonic() - session.steps[0].started_at
            parts.append(duration(waited))
        transport = session.transport_name
        parts += [transport_kind(transport).badge, self._revision(), self._era()]
        return [*parts, f"run {session.run.number}"]


def _widest(button: QPushButton, labels: Iterable[str]) -> int:
    """The width of `button` with the widest of `labels`."""
    metrics = button.fontMetrics()
    beside = button.sizeHint().width() - metrics.horizontalAdvance(button.text())
    return beside + max(metrics.horizontalAdvance(label) for label in labels)


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _tip(action: QAction) -> str:
    keys = displayed_keys(action.shortcut().toString())
    text = action.text().replace("&", "")
    return tool_tip(f"{text} ({keys})" if keys else text)
