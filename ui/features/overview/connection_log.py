"""The connection steps, each with its outcome and the frame that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QSizePolicy, QWidget

from inspector.session.steps import StepState
from inspector.visible_text import visible
from ui.navigator import navigator_of
from ui.widgets.buttons import link_button
from ui.widgets.labels import plain_label, tool_tip
from ui.widgets.links import set_link_height
from ui.widgets.units import duration, duration_exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inspector.session.session import Session
    from inspector.session.steps import Step
    from ui.theme import Theme

MAX_TEXT = 2000
"""Characters of what came of a step."""

TONES = {
    StepState.DONE: "",
    StepState.FAILED: "error",
    StepState.UNSUCCESSFUL: "warning",
    StepState.RUNNING: "pending",
    StepState.SKIPPED: "muted",
}


class LogRow(NamedTuple):
    """One step as it is told."""

    name: str
    """What was done."""
    text: str
    """Its outcome, and how long it took."""
    tip: str
    """The exact time."""
    tone: str
    """Return the name of the color."""
    frame: int | None
    """The frame that shows it."""


class ConnectionLog(QWidget):
    """A small table of steps."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("overview_story")
        self._theme = theme
        self._chapters: tuple[LogRow, ...] = ()
        self._kept_rows = 0
        """So many rows have the height that is kept for another run; 0 while none is."""
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        theme.changed.connect(self._on_theme_changed)

    def begin(self, *, is_another_run: bool) -> None:
        """Expect the steps of another session.

        Another run of the same server, which begins without a step, keeps the height until it has as many, so that what is below stays.
        """
        if is_another_run and self.isVisible():
            self._kept_rows = max(self._kept_rows, len(self._chapters))
            self.setMinimumHeight(self.height())
        else:
            self.give_height_back()

    def show_steps(self, session: Session) -> None:
        """Tell how `session` came about."""
        rows = log_rows(list(session.steps))
        if rows != self._chapters:
            self._chapters = rows
            self._refresh()
        if len(rows) >= self._kept_rows and session.steps.running is None:
            self.give_height_back()

    def give_height_back(self) -> None:
        """Be as high as the rows."""
        self._kept_rows = 0
        self.setMinimumHeight(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep no height of another width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.give_height_back()

    def _on_theme_changed(self) -> None:
        self.give_height_back()
        self._refresh()

    def _refresh(self) -> None:
        for row in range(self._grid.rowCount()):
            self._grid.setRowMinimumHeight(row, 0)
            self._grid.setRowStretch(row, 0)
        self._grid.setRowStretch(len(self._chapters), 1)
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._grid.setHorizontalSpacing(self._theme.px(12))
        self._grid.setVerticalSpacing(0)
        for row, chapter in enumerate(self._chapters):
            self._grid.setRowMinimumHeight(row, self._theme.ROW_HEIGHT_PX)
            self._grid.addWidget(self._label(chapter.name, "muted"), row, 0)
            self._grid.addWidget(self._text(chapter), row, 1)
            if chapter.frame is not None:
                self._grid.addWidget(self._link(chapter.frame, chapter.name), row, 2)

    def _text(self, chapter: LogRow) -> QLabel:
        label = self._label(chapter.text, chapter.tone)
        label.setAccessibleName(f"{chapter.name}: {label.text()}")
        label.setToolTip(tool_tip(chapter.tip))
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        label.setSizePolicy(policy)
        return label

    def _label(self, text: str, tone: str) -> QLabel:
        label = plain_label(tone=tone, parent=self)
        label.setText(visible(text))
        return label

    def _link(self, frame: int, name: str) -> QPushButton:
        button = link_button("Show in traffic", name="story_frame", parent=self)
        button.setAccessibleName(f"Show “{name}” in traffic")
        set_link_height(button, self._theme.ROW_HEIGHT_PX)
        button.clicked.connect(lambda: navigator_of(self).show_frame(frame))
        return button


def log_rows(steps: Sequence[Step]) -> tuple[LogRow, ...]:
    """Return a row for each step."""
    return tuple(_log_row(step) for step in steps)


def _log_row(step: Step) -> LogRow:
    took = step.took_seconds
    how = step.state.value if step.state is not StepState.DONE else ""
    time = duration(took) if took is not None else ""
    text = " · ".join(part for part in (how, step.status_text[:MAX_TEXT], time) if part)
    exact = duration_exact(took) if took is not None else ""
    return LogRow(step.name, text, exact, TONES[step.state], step.frame)
