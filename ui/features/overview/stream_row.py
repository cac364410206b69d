"""One stream of announcements: how it stands, what was asked for, what the server agreed to, how much came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from inspector.session.notification_stream import StreamState
from inspector.visible_text import one_line, visible
from inspector.wire import json_codec
from ui.navigator import navigator_of
from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, plain_label, set_tone, tool_tip
from ui.widgets.outcome_line import OutcomeLine
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.session.notification_stream import NotificationStream
    from inspector.spec.subscription_filter import SubscriptionFilter
    from ui.theme import Theme

LONGEST = 300
"""Characters of what was asked for, and of what was agreed to."""

URIS = 3
"""Addresses that are named; the others are counted."""

TONES = {
    StreamState.OPENING: "pending",
    StreamState.OPEN: "ok",
    StreamState.LOST: "warning",
    StreamState.ENDED: "muted",
    StreamState.CLOSED: "muted",
    StreamState.FAILED: "error",
}

NAMES = {
    "toolsListChanged": "tools list",
    "promptsListChanged": "prompts list",
    "resourcesListChanged": "resources lists",
}
"""Members of a filter in words."""


class StreamRow(QWidget):
    """Three lines and what can be done.

    Signals:
        again_wanted: a stream like this one is to be opened.
    """

    again_wanted = Signal()

    def __init__(
        self, stream: NotificationStream, *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show `stream`; call `refresh` when it changed."""
        super().__init__(parent)
        self.setObjectName("stream_row")
        self.stream = stream
        self._build(theme)
        self._wire()
        self.refresh()

    def _build(self, theme: Theme) -> None:
        self._state = OutcomeLine(theme=theme, name="stream_state", parent=self)
        self._frame = link_button("Show in traffic", name="stream_frame", parent=self)
        self._close = link_button("Close", name="stream_close", parent=self)
        self._again = link_button("Reopen", name="stream_again", parent=self)
        self._wanted = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._wanted.setObjectName("stream_wanted")
        self._agreed = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._agreed.setObjectName("stream_agreed")
        set_tone(self._agreed, "muted")
        self._words = plain_label(name="stream_words", wrap=True, parent=self)
        head = QHBoxLayout()
        head.setSpacing(theme.SPACING_PX)
        head.addWidget(self._state, 1)
        for button in (self._frame, self._close, self._again):
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, theme.SPACING_PX)
        column.setSpacing(theme.SPACING_PX // 2)
        column.addLayout(head)
        below = QVBoxLayout()
        below.setContentsMargins(theme.ICON + theme.SPACING_PX, 0, 0, 0)
        below.setSpacing(theme.SPACING_PX // 2)
        for part in (self._wanted, self._agreed, self._words):
            below.addWidget(part)
        column.addLayout(below)

    def _wire(self) -> None:
        self._frame.clicked.connect(
            lambda: navigator_of(self).show_frame(self.stream.request_frame)
        )
        self._close.clicked.connect(self.stream.close)
        self._again.clicked.connect(self.again_wanted)

    def refresh(self) -> None:
        """Show how it stands."""
        stream = self.stream
        count = plural(stream.count, "notification")
        self._state.set_outcome(f"{stream.state} · {count}", TONES[stream.state])
        self._wanted.set_text(f"requested: {wanted_words(stream.wanted)}")
        agreed = bool(stream.acknowledged_frame)
        said = one_line(json_codec.write(stream.acknowledged), LONGEST) if agreed else ""
        self._agreed.set_text(f"granted: {said}")
        self._agreed.setVisible(agreed)
        refusal = f"declined: {', '.join(stream.refused)}" if stream.refused else ""
        text = (
            stream.status_text
            if refusal in stream.status_text
            else f"{stream.status_text}\n{refusal}".strip()
        )
        self._words.setText(visible(text[:LONGEST]))
        self._words.setVisible(bool(text))
        refused = bool(stream.refused) or stream.state in {StreamState.FAILED, StreamState.LOST}
        set_tone(self._words, "warning" if refused else "muted")
        self._words.setToolTip(tool_tip(text))
        self._frame.setVisible(stream.request_frame > 0)
        self._close.setVisible(not stream.is_over)
        self._again.setVisible(stream.is_over)


def wanted_words(wanted: SubscriptionFilter) -> str:
    """What a filter asks for, in words."""
    members = wanted.as_json()
    parts = [f"{NAMES[key]} changes" for key in members if key in NAMES]
    if wanted.uris:
        named = ", ".join(one_line(uri, 80) for uri in wanted.uris[:URIS])
        more = f" and {len(wanted.uris) - URIS:,} more" if len(wanted.uris) > URIS else ""
        parts.append(f"updates of {named}{more}")
    parts += [one_line(key, 40) for key in wanted.more]
    return one_line(", ".join(parts), LONGEST) or "nothing"
