"""What the panel says about itself: the state, rows that are not in view, and why there are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.widgets.buttons import link_button, tool_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.labels import plain_label
from ui.widgets.units import plural

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTableView

    from inspector.transcript.transcript import Transcript
    from ui.models.traffic import TrafficModel
    from ui.theme import Theme

OPEN_RECORDING = "Open its recording"
"""The way on from a frame whose run is not listed."""


class EmptyText(NamedTuple):
    """Why there are no rows, and the next step."""

    title: str
    """In short."""
    text: str
    """What would be here."""
    action: str = ""
    """The next step; empty where it is not in this panel."""


class Hidden(NamedTuple):
    """What is not among the rows although the filter does not exclude it."""

    headers: int = 0
    """HTTP header blocks."""
    events: int = 0
    """SSE events without a message."""
    stderr: int = 0
    """Lines on standard error."""
    cleared: int = 0
    """Rows that were cleared."""


def state(model: TrafficModel, hidden: Hidden, filter_text: str) -> tuple[tuple[str, ...], str]:
    """Return how many rows there are, or what is going on, in ever shorter texts; and the tone."""
    feed = model.feed
    if model.transcript is None:
        return ("",), "muted"
    if feed.is_stopped:
        return (f"stopped · {feed.pending_count:,} not filtered", "stopped"), "warning"
    if feed.paused:
        return (f"paused · {feed.pending_count:,} new", "paused"), "warning"
    if feed.share is not None:
        return (f"filtering {feed.share:.0%}", f"{feed.share:.0%}"), "pending"
    total = model.timeline.count - hidden.headers - hidden.events - hidden.stderr
    if filter_text:
        return row_counts(total, model.matching, hidden=sum(hidden)), "muted"
    return row_counts(model.matching, hidden=sum(hidden)), "muted"


def row_counts(total: int, matching: int | None = None, *, hidden: int = 0) -> tuple[str, ...]:
    """Return how many rows there are, `matching` of them if there is a filter, and how many are hidden, in ever shorter texts."""
    start = f"{matching:,} of " if matching is not None else ""
    texts = f"{start}{plural(total, 'row')}", f"{start}{total:,}"
    beside = tuple(f"{text} · {hidden:,} hidden" for text in texts) if hidden else ()
    return *beside, *texts


def http_text(hidden: Hidden) -> str:
    """Count HTTP headers and SSE events without a message; empty where there are none."""
    parts = [
        plural(hidden.headers, "HTTP header block") if hidden.headers else "",
        plural(hidden.events, "SSE event without a message", "SSE events without a message")
        if hidden.events
        else "",
    ]
    return ", ".join(part for part in parts if part)


def hidden_frame_notice(model: TrafficModel, number: int) -> tuple[str, str]:
    """Why a frame that is shown whole is not among the rows, and the way back."""
    _, local = model.timeline.locate(number)
    if number >= model.feed.next:
        return f"Frame {local:,} arrived while paused.", "Resume"
    if model.visible_frames.holds(number):
        return f"Frame {local:,} is in the hidden earlier rows.", "Show"
    return f"Frame {local:,} does not match the filter.", "Clear filter"


def of_no_row(transcript: Transcript, number: int) -> tuple[str, str]:
    """That a frame belongs to a run or server whose frames are not the rows, and where the others of its run are."""
    text = f"Frame {number:,} is from a run that is no longer listed."
    if transcript.path is None:
        return f"{text} That run was in memory only.", ""
    return text, OPEN_RECORDING


def no_frame(number: int) -> str:
    """That there is no such frame."""
    return f"Frame {number:,} is not in this session."


def emptiness(model: TrafficModel, filter_text: str) -> EmptyText | None:
    """Why there are no rows; none if there are."""
    transcript, count = model.transcript, model.timeline.count
    if model.matching or model.feed.share is not None:
        return None
    if transcript is None:
        return EmptyText("No session", "Connect to a server to see its traffic.")
    if model.visible_frames.first:
        text = (
            f"{plural(model.visible_frames.first, 'earlier row')} hidden. New frames appear here."
        )
        return EmptyText("Cleared", text, "Show earlier rows")
    if count and filter_text.strip():
        text = f"No frames match the filter ({plural(count, 'frame')} total)."
        return EmptyText("No matches", text, "Clear filter")
    return EmptyText("No traffic yet", "Frames appear here as they are sent and received.")


class NoticeLine(QWidget):
    """A text and one action; hidden while there is no text.

    Signals:
        action_triggered: the user clicked the action.
    """

    action_triggered = Signal()

    def __init__(
        self, *, theme: Theme, name: str, closable: bool = False, parent: QWidget | None = None
    ) -> None:
        """Start hidden; a `closable` one can be put away."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._text = plain_label(tone="muted", name=f"{name}_words", parent=self)
        self._action = link_button("", name=f"{name}_action", parent=self)
        self._action.clicked.connect(self.action_triggered)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._text)
        self._row.addWidget(self._action)
        self._row.addStretch(1)
        if closable:
            close = tool_button(theme, "mdi6.close", "Dismiss", name=f"{name}_close", parent=self)
            close.clicked.connect(self.clear)
            self._row.addWidget(close)
        theme.changed.connect(self._refresh)
        self._refresh()
        self.hide()

    def _refresh(self) -> None:
        self._row.setContentsMargins(self._theme.PADDING_PX, 0, self._theme.SPACING_PX, 0)
        self._row.setSpacing(self._theme.SPACING_PX)

    def text(self) -> str:
        """What is said."""
        return self._text.text() if not self.isHidden() else ""

    def show_notice(self, text: str, action: str = "") -> None:
        """Show `text` and, unless it is empty, `action`."""
        self._text.setText(text)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self._action.setAccessibleName(action)
        self.setAccessibleName(text)
        self.show()

    def clear(self) -> None:
        """Nothing to say any more."""
        self.hide()


class EmptyOverlay(QObject):
    """Covers the viewport of a table.

    Signals:
        action_triggered: the user clicked the action.
    """

    action_triggered = Signal()

    def __init__(self, *, theme: Theme, table: QTableView) -> None:
        """Cover `table`; owned by it."""
        super().__init__(table)
        self._viewport = table.viewport()
        self._displayed: EmptyText | None = None
        self.cover = EmptyState("", theme=theme, name="traffic_empty", parent=self._viewport)
        self.cover.setProperty("surface", "panel")
        self.cover.hide()
        self.cover.action_triggered.connect(self.action_triggered)
        self._viewport.installEventFilter(self)

    def show_for(self, emptiness: EmptyText | None) -> None:
        """Say why there are no rows; show the rows if there are."""
        if emptiness == self._displayed:
            return
        self._displayed = emptiness
        if emptiness is not None:
            self.cover.set_text(emptiness.title, emptiness.text, action=emptiness.action)
            self.cover.setGeometry(self._viewport.rect())
        self.cover.setVisible(emptiness is not None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Grow with the viewport."""
        if event.type() == QEvent.Type.Resize:
            self.cover.setGeometry(self._viewport.rect())
        return super().eventFilter(watched, event)
