"""The label of a field: its name, and *required* in small letters after it; and how wide labels are beside their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QScrollArea

from ui.theme import tokens
from ui.widgets.labels import ElidedLabel, tool_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

MAX_WIDTH_PX = 640
"""Of a form, at 100%."""

BESIDE_FROM_PX = 360
"""In forms less wide than this at 100%, labels are above their fields."""

MIN_BESIDE_PX = 240
"""The same for the fields of an object deep inside a form that is wide enough itself."""

LABEL_PX = 124
"""Least width at 100% of the labels beside fields."""

LABEL_SHARE = 0.38
"""Labels beside fields take at most this share of the width."""

NOTE_SPACE_PX = 5
"""Between the name and what follows it, at 100%."""

REQUIRED = "required"


def label_column(
    theme: Theme, fields: QWidget, widest: int, *, indent: int = 0, elides: bool = True
) -> int:
    """Return the width of the labels beside fields, in pixels; 0 puts them above.

    `fields` has labels and fields in it, `widest` is the width of the widest label, `indent` what the form around is wider (less than 0: what
    stands after the fields). With `elides`, labels may be wider than their column; else one that is puts all above.
    """
    width = min(_width_beside_bar(fields), theme.px(MAX_WIDTH_PX))
    is_narrow = width + indent < theme.px(BESIDE_FROM_PX) or width < theme.px(MIN_BESIDE_PX)
    limit = round(width * LABEL_SHARE)
    if is_narrow or (widest > limit and not elides):
        return 0
    return min(max(widest, theme.px(LABEL_PX)), limit)


def _width_beside_bar(widget: QWidget) -> int:
    """Return the width that `widget` has while the vertical scroll bar of the area around it is visible.

    Where labels stand must not depend on the bar: above their fields, these may be lower, so that the bar goes, with it the reason to
    put labels there, and so on. Qt resizes what scrolls from within its own resize event, until there is no stack left.
    """
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    content = around.widget() if around is not None else None
    if around is None or content is None:
        return widget.width()
    bar = around.verticalScrollBar().sizeHint().width()
    beside = min(around.maximumViewportSize().width() - bar, content.maximumWidth())
    return widget.width() - max(content.width() - beside, 0)


def field_height(theme: Theme) -> int:
    """Return the height in pixels that the style sheet gives a field of one line; a label beside it has it as well."""
    return theme.px(tokens.FIELD)


class FieldLabel(ElidedLabel):
    """A name, elided in the middle where there is little room, and a note in small muted letters on the same baseline."""

    def __init__(
        self, text: str = "", note: str = "", *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Show `text` and `note`; assistive technology gets both."""
        self._theme = theme
        self._note = note
        self._about = ""
        """What the tool tip says, elided or not; empty for the label, where that is elided."""
        super().__init__(text, parent=parent)

    def set_label(self, text: str, note: str, name: str) -> None:
        """Show `text` and `note`; `name` is the accessible name."""
        self._note = note
        self.set_text(text)
        self.setAccessibleName(name)
        self.updateGeometry()

    def set_about(self, text: str) -> None:
        """Have a text in the tool tip, such as the name on the wire."""
        self._about = text
        self._refresh_tool_tip()

    def _refresh_tool_tip(self) -> None:
        if self._about:
            self.setToolTip(tool_tip(self._about))
        else:
            super()._refresh_tool_tip()

    def note(self) -> str:
        """What follows the name."""
        return self._note

    def full_width(self) -> int:
        """Pixels that the whole label takes."""
        return self.fontMetrics().horizontalAdvance(self.text()) + self._note_width() + 1

    def baseline(self) -> int:
        """The y of the baseline, as a line edit of the same height has it."""
        area, metrics = self.contentsRect(), self.fontMetrics()
        return area.top() + (area.height() - metrics.height() + 1) // 2 + metrics.ascent()

    def is_elided(self) -> bool:
        """Whether something is not shown."""
        return super().is_elided() or self.full_width() > self.contentsRect().width()

    def sizeHint(self) -> QSize:
        """Room for the whole label; the hint of Qt is never less than the least height, which may have been that of a field."""
        return QSize(self.full_width(), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """Enough for a letter on either side of the ellipsis."""
        return QSize(super().minimumSizeHint().width(), self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the name, then the note unless it would leave nothing of the name."""
        painter = QPainter(self)
        area, metrics = self.contentsRect(), self.fontMetrics()
        note_width = self._note_width()
        has_note = area.width() - note_width >= metrics.horizontalAdvance("M…M")
        available = area.width() - (note_width if has_note else 0)
        text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideMiddle, available)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(QPoint(area.left(), self.baseline()), text)
        if self._note and has_note:
            left = area.left() + metrics.horizontalAdvance(text) + self._theme.px(NOTE_SPACE_PX)
            painter.setFont(self._theme.font(tokens.SMALL))
            painter.setPen(self._theme.color("muted"))
            painter.drawText(QPoint(left, self.baseline()), self._note)
        painter.end()

    def _note_width(self) -> int:
        if not self._note:
            return 0
        metrics = QFontMetrics(self._theme.font(tokens.SMALL))
        return self._theme.px(NOTE_SPACE_PX) + metrics.horizontalAdvance(self._note)
