"""The streams on which a server announces changes, where its revision has them: what is open, what was, and a way to open one.

Lists and watched resources share one stream, which is opened by itself; what is opened here is beside it.

Source: basic/patterns/subscriptions; C-SUB-01 to C-SUB-06.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from inspector.session.session import SessionState
from inspector.spec.subscription_filter import KINDS, SubscriptionFilter
from ui.bind import Bindings, bind_coalesced
from ui.features.overview.stream_row import StreamRow
from ui.widgets.buttons import push_button
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import plain_label
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.session.notification_stream import NotificationStream
    from inspector.session.session import Session
    from ui.theme import Theme

MOST = 12
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
    def is_wanted(self) -> bool:
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
        shown = list(reversed(streams))[:MOST]
        if [row.stream for row in self._rows] != shown:
            self._replace(shown)
        for row in self._rows:
            row.refresh()
        rest = len(streams) - len(shown)
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
            row.again_wanted.connect(self._opener(stream.wanted))
            self._rows.append(row)
            self._column.addWidget(row)

    def _opener(self, wanted: SubscriptionFilter) -> Callable[[], None]:
        def open_again() -> None:
            if self._is_ready():
                self._open(wanted)

        return open_again

    def _open(self, wanted: SubscriptionFilter) -> None:
        if self._session is not None:
            self._session.listening.open_lasting(wanted)

    def _is_ready(self) -> bool:
        return self._session is not None and self._session.state is SessionState.READY

    def _show_button(self) -> None:
        chosen = any(box.isChecked() for box in self.boxes.values())
        self.button.setEnabled(chosen and self._is_ready())

    def _on_open_clicked(self) -> None:
        chosen = frozenset(method for method, box in self.boxes.items() if box.isChecked())
        self._open(SubscriptionFilter(chosen))
