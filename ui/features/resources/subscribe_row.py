"""Subscribing to the address that is looked at, and whether it is read again by itself when it was updated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from ui.features.resources.stream_line import StreamLine
from ui.navigator import frame_opener
from ui.widgets.buttons import push_button
from ui.widgets.error_panel import ErrorPanel

if TYPE_CHECKING:
    from inspector.features.subscriptions import Subscriptions
    from ui.theme import Theme


class SubscribeRow(QWidget):
    """A button, a box and what went wrong.

    Signals:
        subscribe_requested: we want to be told of changes, or (False) not any more.
    """

    subscribe_requested = Signal(bool)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start with nothing to watch."""
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
        self._error.frame_wanted.connect(frame_opener(self))
        self._stream.again_wanted.connect(lambda: self.subscribe_requested.emit(True))

    def show_state(self, uri: str, subscriptions: Subscriptions, *, connected: bool) -> None:
        """Show how it stands with `uri`."""
        self._subscribed = uri in subscriptions.subscribed
        text = "Unsubscribe" if self._subscribed else "Subscribe"
        if not subscriptions.offered and not self._subscribed:
            text = "Subscribe anyway"
        self.button.setText(text)
        self.button.setAccessibleName(text)
        self.button.setEnabled(connected and uri not in subscriptions.busy)
        tip = "" if subscriptions.offered else "The server does not declare resources.subscribe."
        self.button.setToolTip(tip)
        told = self._subscribed or subscriptions.update_of(uri) is not None
        self.automatic.setVisible(told or self.automatic.isChecked())
        stream = subscriptions.stream_of(uri) if self._subscribed else None
        self._stream.show_stream(stream, connected=connected)
        failure = subscriptions.failures.get(uri)
        if failure is None:
            self._error.clear()
        else:
            self._error.show_error(failure)

    def _on_button_clicked(self) -> None:
        self.subscribe_requested.emit(not self._subscribed)
