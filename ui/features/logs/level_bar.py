"""The requested log level, and the way to request another. Nothing is sent before the user presses the button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.spec.keys import LOG_LEVELS
from inspector.workspace import is_closed
from ui.navigator import frame_opener
from ui.widgets.buttons import link_button, push_button
from ui.widgets.combo_boxes import OptionComboBox
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import ElidedLabel, plain_label, set_tone

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from ui.theme import Theme

FIRST = "info"
"""What the box offers first."""

ALONG = "The level is sent with each new request. Without it, servers send no log messages."

UNDECLARED = "The server does not declare the logging capability."


class LevelBar(QWidget):
    """A line about the level, a box and a button.

    Signals:
        level_requested: ask the server for this level.
    """

    level_requested = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self.setObjectName("log_level_bar")
        self._theme = theme
        self._insists = False
        self._build()
        self._wire()
        self.show_session(None)

    def _build(self) -> None:
        theme = self._theme
        self._caption = plain_label(tone="muted", parent=self)
        self.asked = plain_label(name="log_level_asked", parent=self)
        self.box = OptionComboBox(
            [(level, level) for level in LOG_LEVELS],
            name="log_level_box",
            text="Minimum log level",
            parent=self,
        )
        self.box.choose(FIRST)
        self.button = push_button("Set level", name="log_level_ask", parent=self)
        self.stop = link_button("Clear level", name="log_level_stop", parent=self)
        self.reason = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self.reason.setObjectName("log_level_reason")
        set_tone(self.reason, "warning")
        self.anyway = link_button("Send anyway", name="log_level_anyway", parent=self)
        self.error = ErrorPanel(theme=theme, name="log_level_error", parent=self)
        row = FlowLayout(theme.PADDING_PX)
        labels = (self._caption, self.asked)
        for part in (*labels, self.box, self.button, self.stop, self.reason, self.anyway):
            row.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACING_PX)
        column.addLayout(row)
        column.addWidget(self.error)

    def _wire(self) -> None:
        self.button.clicked.connect(lambda: self.level_requested.emit(self.box.current()))
        self.stop.clicked.connect(lambda: self.level_requested.emit(""))
        self.anyway.clicked.connect(self._on_anyway_clicked)
        self.error.frame_requested.connect(frame_opener(self))

    def forget(self) -> None:
        """Another session: insist on nothing, offer what is offered first."""
        self._insists = False
        self.box.choose(FIRST)

    def show_session(self, session: OpenSession | None) -> None:
        """Say how things stand with the level of `session`."""
        logs = session.logs if session is not None else None
        greeted = session is not None and session.session.greeting is not None
        live = greeted and session is not None and not is_closed(session.session)
        undeclared = greeted and logs is not None and not logs.offered
        self.reason.set_text(UNDECLARED if undeclared and not self._insists else "")
        self.reason.setVisible(undeclared and not self._insists)
        self.anyway.setVisible(undeclared and live and not self._insists)
        idle = logs is not None and not logs.asking
        for part in (self.box, self.button):
            part.setEnabled(live and idle and (not undeclared or self._insists))
        goes_along = logs is not None and logs.goes_along
        self._show_way(goes_along=goes_along)
        self.stop.setVisible(goes_along and live and logs is not None and bool(logs.level))
        text, tone = _level_text(session)
        self.asked.setText(text)
        set_tone(self.asked, tone)
        if logs is not None and logs.failure is not None:
            self.error.show_error(logs.failure)
        else:
            self.error.clear()

    def _show_way(self, *, goes_along: bool) -> None:
        """Show how the level is sent: by a request of its own, or with every request."""
        caption = "Log level sent with requests:" if goes_along else "Server log level:"
        self._caption.setText(caption)
        self.button.setToolTip(ALONG if goes_along else "")

    def _on_anyway_clicked(self) -> None:
        self._insists = True
        for part in (self.box, self.button):
            part.setEnabled(True)
        self.reason.hide()
        self.anyway.hide()
        self.box.setFocus()


def _level_text(session: OpenSession | None) -> tuple[str, str]:
    logs = session.logs if session is not None else None
    if logs is None:
        return "not set", "muted"
    if logs.asking:
        return f"setting {logs.asking}…", "pending"
    none = "not set; no log messages are sent" if logs.goes_along else "not set"
    taken = f"{logs.level} and above" if logs.level else none
    if logs.refused:
        return f"{taken}; {logs.refused} rejected", "error"
    return taken, "title" if logs.level else "muted"
