"""How long one request is waited for, changeable for the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QHBoxLayout, QWidget

from inspector.session.timeouts import Timeouts
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from ui.theme import Theme

LONGEST_SECONDS = 86_400.0


class Limits(QWidget):
    """Two limits in seconds, and whether progress resets the first."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start with the defaults."""
        super().__init__(parent)
        self.setObjectName("request_limits")
        self._idle = _seconds("Idle timeout", "limit_idle", self)
        self._total = _seconds("Total timeout", "limit_total", self)
        self._resets = QCheckBox("Progress resets the idle timeout", self)
        self._resets.setObjectName("limit_resets")
        self._line = FlowLayout(theme.PADDING_PX, self)
        for words, box in (("Idle", self._idle), ("Total", self._total)):
            self.add(labelled(words, box, space=theme.PADDING_PX))
        self.add(self._resets)
        self.set_timeouts(Timeouts())

    def add(self, part: QWidget) -> None:
        """Put another limit behind these."""
        self._line.addWidget(part)

    def set_timeouts(self, timeouts: Timeouts) -> None:
        """Show limits."""
        self._given = timeouts
        self._idle.setValue(timeouts.idle_seconds)
        self._total.setValue(timeouts.total_seconds)
        self._resets.setChecked(timeouts.progress_resets)
        self._shown = self._read()

    def timeouts(self) -> Timeouts:
        """The limits as they stand: those that were given, to the last digit, until somebody changes them."""
        read = self._read()
        return self._given if read == self._shown else read

    def _read(self) -> Timeouts:
        return Timeouts(self._idle.value(), self._total.value(), self._resets.isChecked())


def _seconds(words: str, name: str, parent: QWidget) -> QDoubleSpinBox:
    box = QDoubleSpinBox(parent)
    box.setObjectName(name)
    box.setAccessibleName(f"{words}, seconds")
    box.setRange(0.1, LONGEST_SECONDS)
    box.setDecimals(1)
    box.setSuffix(" s")
    return box


def labelled(words: str, box: QWidget, more: str = "", *, space: int) -> QWidget:
    """A box between its label and what there is `more` to say, which stay on one line."""
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(space)
    layout.addWidget(plain_label(words))
    layout.addWidget(box)
    if more:
        after = plain_label(more, tone="muted")
        layout.addWidget(after)
    return line
