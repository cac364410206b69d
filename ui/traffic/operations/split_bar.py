"""How the time of an operation divides: a bar with four parts in a fixed order, and its legend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from ui.traffic.operations.cells import PART_NAMES, split_text
from ui.widgets.labels import plain_label, tool_tip
from ui.widgets.layout_parts import column_layout
from ui.widgets.units import duration, duration_exact

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from inspector.transcript.operation_time import TimeSplit
    from ui.theme import Theme

PART_TONES = ("disabled", "pending", "accent", "person")
"""Tones of the parts, in their order."""
BAR_PX = 10
"""Height of the bar in the detail."""
SWATCH_PX = 8
"""Edge of the square before a part of the legend."""
NOT_MEASURED = "–"
PART_TIPS = (
    "Before the answered request was sent: waiting for a connection, authorization, attempts that were refused or redirected, pauses before a retry. Measured over HTTP only.",
    "Receiving the response, from its HTTP headers to its end. Measured for HTTP responses with a JSON body only.",
    "The rest. The way to the server and back is in it: one clock cannot tell them apart.",
    "While a request of the server, or a result that required input, waited for a response.",
)
"""What each part is."""


def draw_split(painter: QPainter, area: QRect, split: TimeSplit, theme: Theme) -> None:
    """Fill `area` with the parts of a time, a pixel between them; a part that is measured has at least one pixel."""
    parts = [(part, tone) for part, tone in zip(split.parts, PART_TONES, strict=True) if part > 0]
    total = sum(part for part, _ in parts) or 1.0
    gap = 1 if area.width() > 2 * len(parts) else 0
    left, reached = area.left(), 0.0
    for part, tone in parts:
        reached += part
        right = area.left() + round(area.width() * reached / total)
        end = right - gap if right < area.left() + area.width() else right
        painter.fillRect(left, area.top(), max(end - left, 1), area.height(), theme.color(tone))
        left = right


class SplitBar(QWidget):
    """The bar and its legend."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a time."""
        super().__init__(parent)
        self.setObjectName("operation_split")
        self._theme = theme
        self._bar = _Bar(theme=theme, parent=self)
        self._legend = QWidget(self)
        self._grid = QGridLayout(self._legend)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._swatches: list[_Swatch] = []
        self.values: list[QLabel] = []
        for at, name in enumerate(PART_NAMES):
            self._add_part(at, name)
        column_layout(self, self._bar, self._legend, space=theme.px(8))
        theme.changed.connect(self._refresh)
        self._refresh()

    def _add_part(self, at: int, name: str) -> None:
        swatch = _Swatch(PART_TONES[at], theme=self._theme, parent=self._legend)
        label = plain_label(name, parent=self._legend)
        value = plain_label("", tone="muted", name=f"operation_split_{at}", parent=self._legend)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        tip = tool_tip(PART_TIPS[at])
        label.setToolTip(tip)
        row, left = divmod(at, 2)
        for offset, widget in enumerate((swatch, label, value)):
            self._grid.addWidget(widget, row, left * 4 + offset)
        self.values.append(value)
        self._swatches.append(swatch)

    def _refresh(self) -> None:
        theme = self._theme
        self._bar.setFixedHeight(theme.px(BAR_PX))
        self._grid.setHorizontalSpacing(theme.px(6))
        self._grid.setVerticalSpacing(theme.px(4))
        for column, stretch in ((1, 1), (5, 1)):
            self._grid.setColumnStretch(column, stretch)
        self._grid.setColumnMinimumWidth(3, theme.px(12))
        for swatch in self._swatches:
            swatch.setFixedSize(QSize(theme.px(SWATCH_PX), theme.px(SWATCH_PX)))

    @property
    def has_parts(self) -> bool:
        """Whether there is a time that divides."""
        return self._bar.split is not None

    def show_split(self, split: TimeSplit | None) -> None:
        """Show how a time divides."""
        self._bar.split = split
        if split is None:
            return
        self._bar.setAccessibleName(f"Time split: {split_text(split)}")
        self._bar.setToolTip(tool_tip(split_text(split)))
        self._bar.update()
        seconds = (split.queue, split.network, split.server, split.user)
        for value, part, name in zip(self.values, seconds, PART_NAMES, strict=True):
            value.setText(NOT_MEASURED if part is None else duration(part))
            value.setToolTip("Not measured" if part is None else duration_exact(part))
            value.setAccessibleName(
                f"{name}: {value.text() if part is not None else 'not measured'}"
            )


class _Bar(QWidget):
    """The bar alone."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.split: TimeSplit | None = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the parts."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color("hairline"))
            if self.split is not None:
                draw_split(painter, self.rect(), self.split, self._theme)


class _Swatch(QWidget):
    """The color of a part."""

    def __init__(self, tone: str, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._tone, self._theme = tone, theme

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill with the color."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self._theme.color(self._tone))
