"""How the stream stands on which changes of the watched resource are announced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector.session.notification_stream import StreamState
from ui.navigator import navigator_of
from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, set_tone

if TYPE_CHECKING:
    from inspector.session.notification_stream import NotificationStream
    from ui.theme import Theme

TROUBLED = {StreamState.LOST, StreamState.ENDED, StreamState.FAILED}
"""States in which nothing is announced although somebody waits for it."""


class StreamLine(QWidget):
    """One line; hidden while there is no stream.

    Signals:
        again_wanted: the stream is to be opened again.
    """

    again_wanted = Signal()

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
        self._again.clicked.connect(self.again_wanted)
        self._show.clicked.connect(lambda: navigator_of(self).show_frame(self._frame))
        self.hide()

    def show_stream(self, stream: NotificationStream | None, *, connected: bool) -> None:
        """Tell how `stream` stands."""
        self.setVisible(stream is not None)
        if stream is None:
            return
        self._frame = stream.request_frame
        troubled = stream.state in TROUBLED
        why = f" · {stream.status_text}" if troubled and stream.status_text else ""
        self._text.set_text(f"Notification stream: {stream.state}{why}")
        set_tone(self._text, "warning" if troubled else "muted")
        self._again.setVisible(stream.is_over and connected)
        self._show.setVisible(stream.request_frame > 0)
