"""The streams on which a server announces changes, where its revision has them: what is open, what was, and a way to open one.

Lists and subscribed resources share one stream, which opens automatically; streams opened here are additional.

Source: basic/patterns/subscriptions; C-SUB-01 to C-SUB-06.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from inspector.session.notification_stream import StreamState
from inspector.session.session_state import SessionState
from inspector.spec.subscription_filter import KINDS, SubscriptionFilter
from inspector.visible_text import one_line, visible
from inspector.wire import json_codec
from ui.bind import Bindings, bind_coalesced
from ui.navigator import navigator_of
from ui.widgets.buttons import link_button, push_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import ElidedLabel, plain_label, set_tone, tool_tip
from ui.widgets.outcome_line import OutcomeLine
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.session.notification_stream import NotificationStream
    from inspector.session.session import Session
    from ui.theme import Theme

MAX_STREAMS = 12
"""Streams shown, the newest first; the traffic has all of them."""

BOXES = {
    "notifications/tools/list_changed": "tools",
    "notifications/prompts/list_changed": "prompts",
    "notifications/resources/list_changed": "resources",
}
"""Announcement → what its box says."""


class Streams(QWidget):
    """Streams, newest first, and a row to open another."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self.setObjectName("streams")
        self._theme = theme
        self._session: Session | None = None
        self._rows: list[StreamRow] = []
        self._bindings = Bindings()
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self._none = plain_label("No open streams.", tone="muted", name="streams_none", parent=self)
        self._rest = plain_label(tone="muted", parent=self)
        opener = FlowLayout(theme.PADDING_PX)
        caption = plain_label("Subscribe to list changes:", tone="muted", parent=self)
        opener.addWidget(caption)
        self.boxes: dict[str, QCheckBox] = {}
        for method in KINDS:
            box = self.boxes[method] = QCheckBox(BOXES[method], self)
            box.setObjectName(f"listen_{BOXES[method]}")
            opener.addWidget(box)
        self.button = push_button("Open stream", name="listen_open", parent=self)
        opener.addWidget(self.button)
        self._column = QVBoxLayout()
        self._column.setSpacing(theme.SPACING_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACING_PX)
        column.addWidget(self._none)
        column.addLayout(self._column)
        column.addWidget(self._rest)
        column.addLayout(opener)

    def _wire(self) -> None:
        self.button.clicked.connect(self._on_open_clicked)
        for box in self.boxes.values():
            box.toggled.connect(self._show_button)

    @property
    def has_content(self) -> bool:
        """Whether there is anything to show: streams, or a revision that has them."""
        session = self._session
        return session is not None and (
            session.listening.has_streams or bool(session.listening.streams)
        )

    def set_session(self, session: Session | None) -> None:
        """Show the streams of `session`."""
        self._bindings.replace()
        self._session = session
        if session is not None:
            self._bindings.replace(
                bind_coalesced(self, session.listening.changed, self.refresh),
                bind_coalesced(self, session.changed, self.refresh),
            )
        self.refresh()

    def refresh(self) -> None:
        """Show how the streams stand."""
        streams = self._session.listening.streams if self._session is not None else []
        visible = list(reversed(streams))[:MAX_STREAMS]
        if [row.stream for row in self._rows] != visible:
            self._replace(visible)
        for row in self._rows:
            row.refresh()
        rest = len(streams) - len(visible)
        self._none.setVisible(not streams)
        self._rest.setText(f"{plural(rest, 'earlier stream')} in the traffic")
        self._rest.setVisible(rest > 0)
        self._show_button()

    def _replace(self, streams: list[NotificationStream]) -> None:
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = []
        for stream in streams:
            row = StreamRow(stream, theme=self._theme, parent=self)
            row.reopen_requested.connect(self._opener(stream.requested))
            self._rows.append(row)
            self._column.addWidget(row)

    def _opener(self, filter_: SubscriptionFilter) -> Callable[[], None]:
        def open_again() -> None:
            if self._is_ready():
                self._open(filter_)

        return open_again

    def _open(self, filter_: SubscriptionFilter) -> None:
        if self._session is not None:
            self._session.listening.open_lasting(filter_)

    def _is_ready(self) -> bool:
        return self._session is not None and self._session.state is SessionState.READY

    def _show_button(self) -> None:
        chosen = any(box.isChecked() for box in self.boxes.values())
        self.button.setEnabled(chosen and self._is_ready())

    def _on_open_clicked(self) -> None:
        chosen = frozenset(method for method, box in self.boxes.items() if box.isChecked())
        self._open(SubscriptionFilter(chosen))


MAX_TEXT = 300
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
"""Text of the members of a filter."""


class StreamRow(QWidget):
    """Three lines and what can be done.

    Signals:
        reopen_requested: open a stream like this one.
    """

    reopen_requested = Signal()

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
        self._requested = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._requested.setObjectName("stream_wanted")
        self._agreed = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._agreed.setObjectName("stream_agreed")
        set_tone(self._agreed, "muted")
        self._text = plain_label(name="stream_words", wrap=True, parent=self)
        top = QHBoxLayout()
        top.setSpacing(theme.SPACING_PX)
        top.addWidget(self._state, 1)
        for button in (self._frame, self._close, self._again):
            top.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, theme.SPACING_PX)
        column.setSpacing(theme.SPACING_PX // 2)
        column.addLayout(top)
        below = QVBoxLayout()
        below.setContentsMargins(theme.ICON + theme.SPACING_PX, 0, 0, 0)
        below.setSpacing(theme.SPACING_PX // 2)
        for part in (self._requested, self._agreed, self._text):
            below.addWidget(part)
        column.addLayout(below)

    def _wire(self) -> None:
        self._frame.clicked.connect(
            lambda: navigator_of(self).show_frame(self.stream.request_frame)
        )
        self._close.clicked.connect(self.stream.close)
        self._again.clicked.connect(self.reopen_requested)

    def refresh(self) -> None:
        """Show how it stands."""
        stream = self.stream
        count = plural(stream.count, "notification")
        self._state.set_outcome(f"{stream.state} · {count}", TONES[stream.state])
        self._requested.set_text(f"requested: {filter_text(stream.requested)}")
        agreed = bool(stream.acknowledged_frame)
        granted = one_line(json_codec.write(stream.acknowledged), MAX_TEXT) if agreed else ""
        self._agreed.set_text(f"granted: {granted}")
        self._agreed.setVisible(agreed)
        refusal = f"declined: {', '.join(stream.refused)}" if stream.refused else ""
        text = (
            stream.status_text
            if refusal in stream.status_text
            else f"{stream.status_text}\n{refusal}".strip()
        )
        self._text.setText(visible(text[:MAX_TEXT]))
        self._text.setVisible(bool(text))
        refused = bool(stream.refused) or stream.state in {StreamState.FAILED, StreamState.LOST}
        set_tone(self._text, "warning" if refused else "muted")
        self._text.setToolTip(tool_tip(text))
        self._frame.setVisible(stream.request_frame > 0)
        self._close.setVisible(not stream.is_ended)
        self._again.setVisible(stream.is_ended)


def filter_text(filter_: SubscriptionFilter) -> str:
    """Return the text of what a filter requests."""
    members = filter_.as_json()
    parts = [f"{NAMES[key]} changes" for key in members if key in NAMES]
    if filter_.uris:
        named = ", ".join(one_line(uri, 80) for uri in filter_.uris[:URIS])
        more = f" and {len(filter_.uris) - URIS:,} more" if len(filter_.uris) > URIS else ""
        parts.append(f"updates of {named}{more}")
    parts += [one_line(key, 40) for key in filter_.more]
    return one_line(", ".join(parts), MAX_TEXT) or "nothing"
