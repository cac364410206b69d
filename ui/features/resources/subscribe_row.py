"""Subscribing to the selected resource, and the state of the notification stream that reports its changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from inspector.session.notification_stream import StreamState
from ui.navigator import frame_opener, navigator_of
from ui.widgets.buttons import link_button, push_button
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.labels import ElidedLabel, set_tone

if TYPE_CHECKING:
    from inspector.features.subscriptions import Subscriptions
    from inspector.session.notification_stream import NotificationStream
    from ui.theme import Theme


TROUBLED = {StreamState.LOST, StreamState.ENDED, StreamState.FAILED}
"""States in which the server reports no changes."""


class SubscribeRow(QWidget):
    """A button, a check box, the stream, and the error.

    Signals:
        subscribe_requested: subscribe, or (False) unsubscribe.
    """

    subscribe_requested = Signal(bool)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a resource."""
        super().__init__(parent)
        self.setObjectName("watching")
        self._subscribed = False
        self._build(theme)
        self._wire()

    def _build(self, theme: Theme) -> None:
        self.button = push_button("Subscribe", name="subscribe_button", parent=self)
        self.automatic = QCheckBox("Refresh on update", self)
        self.automatic.setObjectName("read_again_automatically")
        self._stream = StreamLine(theme=theme, parent=self)
        self._error = ErrorPanel(theme=theme, name="subscribe_error", parent=self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACING_PX)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self.automatic, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._stream)
        layout.addWidget(self._error)

    def _wire(self) -> None:
        self.button.clicked.connect(self._on_button_clicked)
        self._error.frame_requested.connect(frame_opener(self))
        self._stream.reopen_requested.connect(lambda: self.subscribe_requested.emit(True))

    def show_state(self, uri: str, subscriptions: Subscriptions, *, connected: bool) -> None:
        """Show the subscription to `uri`."""
        self._subscribed = uri in subscriptions.subscribed
        text = "Unsubscribe" if self._subscribed else "Subscribe"
        if not subscriptions.offered and not self._subscribed:
            text = "Subscribe anyway"
        self.button.setText(text)
        self.button.setAccessibleName(text)
        self.button.setEnabled(connected and uri not in subscriptions.busy)
        tip = "" if subscriptions.offered else "The server does not declare resources.subscribe."
        self.button.setToolTip(tip)
        is_reported = self._subscribed or subscriptions.update_of(uri) is not None
        self.automatic.setVisible(is_reported or self.automatic.isChecked())
        stream = subscriptions.stream_of(uri) if self._subscribed else None
        self._stream.show_stream(stream, connected=connected)
        failure = subscriptions.failures.get(uri)
        if failure is None:
            self._error.clear()
        else:
            self._error.show_error(failure)

    def _on_button_clicked(self) -> None:
        self.subscribe_requested.emit(not self._subscribed)


class StreamLine(QWidget):
    """One line; hidden while there is no stream.

    Signals:
        reopen_requested: open the stream again.
    """

    reopen_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("stream_line")
        self._frame = 0
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._text.setObjectName("stream_line_words")
        self._again = link_button("Reopen", name="stream_line_again", parent=self)
        self._show = link_button("Show in traffic", name="stream_line_traffic", parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACING_PX)
        row.addWidget(self._text, 1)
        row.addWidget(self._again)
        row.addWidget(self._show)
        self._again.clicked.connect(self.reopen_requested)
        self._show.clicked.connect(lambda: navigator_of(self).show_frame(self._frame))
        self.hide()

    def show_stream(self, stream: NotificationStream | None, *, connected: bool) -> None:
        """Show the state of `stream`."""
        self.setVisible(stream is not None)
        if stream is None:
            return
        self._frame = stream.request_frame
        troubled = stream.state in TROUBLED
        why = f" · {stream.status_text}" if troubled and stream.status_text else ""
        self._text.set_text(f"Notification stream: {stream.state}{why}")
        set_tone(self._text, "warning" if troubled else "muted")
        self._again.setVisible(stream.is_ended and connected)
        self._show.setVisible(stream.request_frame > 0)
