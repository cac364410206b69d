"""The poll interval of a task: the server's, or one that the user sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QDoubleSpinBox

from inspector.session.task_record import MAX_POLL_SECONDS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class PollField(QDoubleSpinBox):
    """An interval in seconds; the minimum value selects the server's.

    Signals:
        interval_selected: poll at this interval in seconds; 0 for the server's.
    """

    interval_selected = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start with the server's interval."""
        super().__init__(parent)
        self.setObjectName("task_poll")
        self.setAccessibleName("Poll interval (seconds)")
        self.setToolTip("Poll interval; minimum value uses the server's interval")
        self.setRange(0, MAX_POLL_SECONDS)
        self.setDecimals(1)
        self.setPrefix("every ")
        self.setSuffix(" s")
        self.setKeyboardTracking(False)
        self.valueChanged.connect(self.interval_selected)

    def _fit(self) -> None:
        """Make the field wide enough for its special value, which Qt's minimum size ignores."""
        self.setMinimumWidth(0)
        self.setMinimumWidth(self.sizeHint().width())

    def changeEvent(self, event: QEvent) -> None:
        """Fit the width to another font."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._fit()

    def show_choice(self, seconds: float | None, hint: str) -> None:
        """Show the interval that the user set, or `hint` for None."""
        if self.specialValueText() != hint:
            self.setSpecialValueText(hint)
            self._fit()
        if not self.hasFocus() and self.value() != (seconds or 0):
            self.blockSignals(True)
            self.setValue(seconds or 0)
            self.blockSignals(False)
