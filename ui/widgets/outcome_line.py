"""Lines about work and its result: a bar while it runs, the outcome with its duration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QWidget

from inspector.visible_text import visible
from ui.widgets import units
from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, plain_label, set_icon, set_tone, tool_tip
from ui.widgets.layout_parts import column_layout, reserve_width

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme

ICONS = {
    "ok": "mdi6.check",
    "error": "mdi6.close",
    "warning": "mdi6.alert-outline",
    "pending": "mdi6.timer-sand",
    "muted": "mdi6.cancel",
    "person": "mdi6.account-outline",
}
"""Tone → icon; the text has the same meaning."""

WAITING = (
    "waiting to be sent included. The traffic counts from the request on the wire to its response."
)
"""Why the duration of a call may be longer than the one of its request in the traffic."""

DIGITS = 6
"""Characters in whose steps the time gets its room, as it runs."""

STEPS = 1000
"""Resolution of the bar."""


class OutcomeLine(QWidget):
    """One line that says how it went."""

    def __init__(
        self, *, theme: Theme, name: str = "outcome", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._tone = "muted"
        self._build()
        self._refresh()
        theme.changed.connect(self._refresh)
        self.hide()

    def _build(self) -> None:
        self._icon = QLabel(self)
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._text.setObjectName(f"{self.objectName()}_words")
        self._time = plain_label(tone="muted", name=f"{self.objectName()}_time", parent=self)
        self._whole = plain_label(
            name=f"{self.objectName()}_whole", wrap=True, selectable=True, parent=self
        )
        self._whole.hide()
        column = column_layout(self, space=self._theme.SPACING_PX)
        row = QHBoxLayout()
        column.addLayout(row)
        column.addWidget(self._whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self._theme.SPACING_PX)
        row.addWidget(self._icon)
        row.addWidget(self._text)
        row.addSpacing(self._theme.SPACING_PX)
        row.addWidget(self._time)
        row.addStretch(1)

    def set_outcome(self, text: str, tone: str, *, seconds: float | None = None) -> None:
        """Show `text` in a `tone` of `ICONS`, and the duration in seconds."""
        self._text.set_text(text)
        self._time.setText("" if seconds is None else units.duration(seconds))
        tip = "" if seconds is None else f"{units.duration_exact(seconds)} in all, {WAITING}"
        self._time.setToolTip(tool_tip(tip))
        if tone != self._tone:
            self._tone = tone
            self._refresh()
        reserve_width(self._time, self._theme.character_width() * DIGITS)
        self._whole.setText(visible(text))
        self.show()
        self._show_whole()

    def text(self) -> str:
        """The text of the line."""
        return self._text.whole_text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width fits the text, or not."""
        super().resizeEvent(event)
        self._show_whole()

    def _show_whole(self) -> None:
        """Show the whole text below if it does not fit: the reason is at its end, where one line cuts it."""
        width = self.width() - self._icon.sizeHint().width() - self._time.sizeHint().width()
        needed = self._text.fontMetrics().horizontalAdvance(self._text.text())
        self._whole.setVisible(needed > width - 4 * self._theme.SPACING_PX > 0)

    def _refresh(self) -> None:
        set_icon(self._icon, self._theme, ICONS[self._tone], self._tone)
        palette = self.palette()
        palette.setColor(self._text.foregroundRole(), self._theme.color(self._tone))
        self._text.setPalette(palette)
        self._text.setFont(self._theme.font(bold=True))
        self._time.setFont(self._theme.font())  # now, not when the style sheet is next looked at
        reserve_width(self._time, self._theme.character_width() * DIGITS)


class ProgressLine(QWidget):
    """A message, a thin bar and *Cancel*; hidden until work is under way.

    Signals:
        cancelled: the user clicked *Cancel*.
    """

    cancelled = Signal()

    def __init__(
        self, *, theme: Theme, name: str = "progress", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._build()
        self.hide()

    def _build(self) -> None:
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        set_tone(self._text, "muted")
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress")
        self._cancel = link_button("Cancel", name=f"{self.objectName()}_cancel", parent=self)
        self._cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout()
        row.addWidget(self._text, 1)
        row.addWidget(self._cancel)
        column_layout(self, row, self._bar, space=self._theme.px(2))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_progress(
        self, text: str, share: float | None = None, *, cancellable: bool = True
    ) -> None:
        """Show `text` and the `share` done, 0 to 1; None if unknown."""
        self._text.set_text(text)
        if share is None:
            self._bar.setRange(0, 0)
        else:
            self._bar.setRange(0, STEPS)
            self._bar.setValue(round(min(max(share, 0.0), 1.0) * STEPS))
        self._cancel.setVisible(cancellable)
        self.show()

    def finish(self) -> None:
        """The work is done."""
        self.hide()


class VisibleClock(QTimer):
    """Calls `tick` when `owner` becomes visible, and every `interval_ms` while it is and the clock is on."""

    def __init__(self, owner: QWidget, tick: Callable[[], object], *, interval_ms: int) -> None:
        super().__init__(owner, interval=interval_ms)
        self._owner = owner
        self._tick = tick
        self._is_on = True
        self.timeout.connect(tick)
        owner.installEventFilter(self)

    def switch(self, *, on: bool) -> None:
        """Switch the clock on or off, for instance with what it measures."""
        self._is_on = on
        self._run()

    def _run(self) -> None:
        if self._is_on and self._owner.isVisible():
            self.start()
        else:
            self.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the visibility of the widget."""
        if event.type() == QEvent.Type.Show:
            self._tick()
            self._run()
        elif event.type() == QEvent.Type.Hide:
            self.stop()
        return super().eventFilter(watched, event)
