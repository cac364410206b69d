"""How often a task is asked for: as it wants, or as the person does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QDoubleSpinBox

from inspector.session.task_record import MOST_POLL_SECONDS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class PollField(QDoubleSpinBox):
    """Seconds; nothing for as often as the task wants.

    Signals:
        chosen: the person wants it asked for each so many seconds; 0 for as often as it wants.
    """

    chosen = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start with what the task wants."""
        super().__init__(parent)
        self.setObjectName("task_poll")
        self.setAccessibleName("Poll interval (seconds)")
        self.setToolTip("Poll interval; minimum value uses the server's interval")
        self.setRange(0, MOST_POLL_SECONDS)
        self.setDecimals(1)
        self.setPrefix("every ")
        self.setSuffix(" s")
        self.setKeyboardTracking(False)
        self.valueChanged.connect(self.chosen)

    def _fit(self) -> None:
        """Wide enough for the words, which Qt's smallest size leaves out."""
        self.setMinimumWidth(0)
        self.setMinimumWidth(self.sizeHint().width())

    def changeEvent(self, event: QEvent) -> None:
        """Other letters take other room."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._fit()

    def show_choice(self, seconds: float | None, hint: str) -> None:
        """Show what was chosen, and what is done otherwise."""
        if self.specialValueText() != hint:
            self.setSpecialValueText(hint)
            self._fit()
        if not self.hasFocus() and self.value() != (seconds or 0):
            self.blockSignals(True)
            self.setValue(seconds or 0)
            self.blockSignals(False)
