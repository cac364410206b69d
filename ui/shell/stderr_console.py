"""What the server printed on standard error, line by line. Escape sequences are never acted upon.

Source: basic/transports, "stdio": stderr is for logging and no sign of an error (C-STD-06).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QListView, QStackedLayout, QWidget

from inspector.wire.frame import Channel
from ui.bind import bind_coalesced
from ui.widgets.empty_state import EmptyState
from ui.widgets.visible_text import one_line, tool_tip, without_ansi

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable

    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

LINE_LIMIT = 2000
"""Characters shown of one line."""

NOTHING = (
    "Nothing on stderr",
    "What the server prints there appears here line by line; it need not mean that anything is wrong.",
)
"""Words for no lines."""

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class StderrModel(QAbstractListModel):
    """The stderr frames of a record, pulled as they come."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start without a record."""
        super().__init__(parent)
        self._transcript: Transcript | None = None
        self._numbers: array[int] = _numbers()
        self._seen = 0

    def set_transcript(self, transcript: Transcript | None) -> None:
        """Show the lines of `transcript`."""
        self.beginResetModel()
        self._transcript, self._numbers, self._seen = transcript, _numbers(), 0
        self.endResetModel()
        self.pull()

    def pull(self) -> None:
        """Take in what came since the last time."""
        transcript = self._transcript
        if transcript is None:
            return
        channels = transcript.columns.channel
        new = [
            n
            for n in range(self._seen + 1, transcript.count + 1)
            if channels[n - 1] == Channel.STDERR
        ]
        self._seen = transcript.count
        if new:
            first = len(self._numbers)
            self.beginInsertRows(_NOWHERE, first, first + len(new) - 1)
            self._numbers.extend(new)
            self.endInsertRows()

    def number(self, row: int) -> int:
        """The frame of a row."""
        return self._numbers[row]

    def text(self, row: int) -> str:
        """A line without terminal escapes, otherwise whole."""
        assert self._transcript is not None
        return without_ansi(
            self._transcript.raw(self._numbers[row]).decode("utf-8", "replace").rstrip("\r")
        )

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """How many lines there are."""
        return 0 if parent.isValid() else len(self._numbers)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """One line, made visible."""
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(self.text(index.row()), LINE_LIMIT)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(self.text(index.row()))
        return None


class StderrConsole(QWidget):
    """The lines, following the newest until the person scrolls up.

    Signals:
        frame_wanted: the frame of this number is to be shown in the traffic.
    """

    frame_wanted = Signal(int)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a record."""
        super().__init__(parent)
        self.setObjectName("stderr_console")
        self._theme = theme
        self._unbind: Callable[[], None] | None = None
        self._build()
        self._wire()
        self._dress()

    def _build(self) -> None:
        self.model = StderrModel(self)
        self.view = _Lines(self)
        self.view.setObjectName("stderr_lines")
        self.view.setAccessibleName("Standard error of the server")
        self.view.setModel(self.model)
        self.view.setUniformItemSizes(True)
        self.view.setFrameShape(QListView.Shape.NoFrame)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._empty = EmptyState(
            *NOTHING, theme=self._theme, icon="mdi6.console-line", name="stderr_empty", parent=self
        )
        self._empty.setMinimumHeight(1)  # the dock may be lower than these words
        self._layout = QStackedLayout(self)
        self._layout.addWidget(self._empty)
        self._layout.addWidget(self.view)

    def _wire(self) -> None:
        self.view.doubleClicked.connect(self._on_double_clicked)
        self.view.copy_wanted.connect(self._on_copy_wanted)
        self._theme.changed.connect(self._dress)

    def set_transcript(self, transcript: Transcript | None) -> None:
        """Show the lines of `transcript`."""
        if self._unbind is not None:
            self._unbind()
        self._unbind = None
        self.model.set_transcript(transcript)
        if transcript is not None:
            self._unbind = bind_coalesced(self, transcript.appended, self._pull)
        self._refresh()

    def _pull(self) -> None:
        bar = self.view.verticalScrollBar()
        follows = bar.value() >= bar.maximum() - 1
        self.model.pull()
        self._refresh()
        if follows:
            self.view.scrollToBottom()

    def _refresh(self) -> None:
        self._layout.setCurrentWidget(self.view if self.model.rowCount() else self._empty)

    def _on_double_clicked(self, index: QModelIndex) -> None:
        self.frame_wanted.emit(self.model.number(index.row()))

    def _on_copy_wanted(self) -> None:
        rows = sorted({index.row() for index in self.view.selectedIndexes()})
        QGuiApplication.clipboard().setText("\n".join(self.model.text(row) for row in rows))

    def _dress(self) -> None:
        self.view.setFont(self._theme.mono())
        self.view.set_margin(self._theme.SPACE)


class _Lines(QListView):
    """A list whose lines are copied whole: Qt's own would copy what is on screen."""

    copy_wanted = Signal()

    def set_margin(self, pixels: int) -> None:
        self.setViewportMargins(pixels, pixels, 0, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        else:
            super().keyPressEvent(event)


def _numbers() -> array[int]:
    from array import array as make

    return make("I")
