"""Draws the rows of the traffic.

Qt's own painting makes an option for every cell, goes through the style sheet for it and lays out its text in a rectangle; while rows pour
in, that is most of the time there is. This draws a row at once: its ground, then each text at its place. Texts that were drawn lately
are kept laid out, as half of the cells say the same in every row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QStaticText

from ui.models import traffic_columns
from ui.widgets.delegates import draw_row_mark

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTableView

    from ui.models.traffic import TrafficModel
    from ui.models.traffic_columns import ColumnSpec
    from ui.theme import Theme

Key = TypeVar("Key")
Value = TypeVar("Value")

MARGIN = 6
"""Left and right of a text, as in the header."""
SURELY_FITS = 0.75
"""A text of this share of the width, by its average character, is drawn without measuring it."""
KEPT_TEXTS = 4000
"""Shortened or measured texts that are kept."""
KEPT_LAYOUTS = 400
"""Texts of one column that are kept laid out; each takes a few kilobytes."""


class CellRect(NamedTuple):
    """A column on screen."""

    column: int
    """Which."""
    left: int
    """Where its texts begin."""
    width: int
    """Pixels for them."""


class TextLayouts:
    """How the texts of one column are written."""

    def __init__(self, column: ColumnSpec, font: QFont) -> None:
        """Write in `font`, aligned and shortened as `column` wants it."""
        self.font = font
        self._metrics = QFontMetrics(font)
        self._average = max(self._metrics.averageCharWidth(), 1)
        self._is_right = column.is_right
        self._mode = Qt.TextElideMode.ElideMiddle if column.is_name else Qt.TextElideMode.ElideRight
        self._fitted: dict[tuple[int, str], str] = {}
        self._widths: dict[str, int] = {}
        self._layouts: dict[str, QStaticText] = {}

    def above(self, height: int) -> int:
        """From the top of a row to the top of its text."""
        return (height - self._metrics.height()) // 2

    def layout(self, text: str) -> QStaticText:
        """Return a fitted text, laid out for painting, as plain text."""
        known = self._layouts.get(text)
        if known is None:
            known = QStaticText(text)
            known.setTextFormat(Qt.TextFormat.PlainText)
            _keep(self._layouts, KEPT_LAYOUTS)[text] = known
        return known

    def fitted(self, text: str, width: int) -> str:
        """What of `text` is written."""
        if len(text) * self._average <= width * SURELY_FITS:
            return text
        known = self._fitted.get((width, text))
        if known is None:
            # Measuring takes time for every character, so those that cannot be seen go first.
            limit = 2 * width // self._average + 2
            elided = f"{text[:limit]}…" if len(text) > limit else text
            known = self._metrics.elidedText(elided, self._mode, width)
            _keep(self._fitted)[width, text] = known
        return known

    def start(self, text: str, cell: CellRect) -> int:
        """Where a fitted text begins."""
        if not self._is_right:
            return cell.left
        width = self._widths.get(text)
        if width is None:
            width = _keep(self._widths)[text] = self._metrics.horizontalAdvance(text)
        return cell.left + cell.width - width


class RowPainter(QObject):
    """Texts on grounds."""

    def __init__(self, *, model: TrafficModel, theme: Theme, table: QTableView) -> None:
        """Draw the rows of `model` where `table` has them."""
        super().__init__(table)
        self._rows = model
        self._theme = theme
        self._table = table
        theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        text, mono = self._theme.font(), self._theme.mono()
        self._hands = tuple(
            TextLayouts(spec, mono if spec.is_mono else text) for spec in traffic_columns.COLUMNS
        )
        self._margin = self._theme.px(MARGIN)

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Draw what is in `area` of the viewport."""
        table, count = self._table, self._rows.rowCount()
        first, last = table.rowAt(area.top()), table.rowAt(area.bottom())
        if first < 0:
            return
        places, height = self._places(area), table.rowHeight(first)
        above = [hand.above(height) for hand in self._hands]
        selection = table.selectionModel()
        has_selection, current = selection.hasSelection(), table.currentIndex().row()
        top, width = table.rowViewportPosition(first), table.viewport().width()
        for row in range(first, (last if last >= 0 else count - 1) + 1):
            texts, tones, background = self._rows.cells(row)
            divider = self._rows.divider(row)
            background = "info_ground" if divider else background
            is_selected = has_selection and selection.isRowSelected(row)
            if is_selected:
                background = "selection" if table.hasFocus() else "selection_idle"
            if background:
                painter.fillRect(0, top, width, height, self._theme.color(background))
            if divider:
                self._divide(painter, QRect(0, top, width, height), divider)
            else:
                self._write(painter, top, above, places, texts, tones)
            if is_selected or row == current:
                draw_row_mark(painter, QRect(0, top, width, height), table.palette())
            top += height

    def _divide(self, painter: QPainter, row: QRect, text: str) -> None:
        """Draw the row with which another run begins: a line, and what is said of the run."""
        theme, margin = self._theme, self._margin
        painter.fillRect(
            row.left(), row.top(), row.width(), max(theme.px(1), 1), theme.color("accent")
        )
        painter.setFont(theme.font(bold=True))
        painter.setPen(theme.color("text"))
        area = row.adjusted(margin, 0, -margin, 0)
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), elided)

    def _write(
        self,
        painter: QPainter,
        top: int,
        above: list[int],
        places: list[CellRect],
        texts: tuple[str, ...],
        tones: tuple[str, ...],
    ) -> None:
        font, tone = None, ""
        for cell in places:
            column = cell.column
            text, hand = texts[column], self._hands[column]
            if not text:
                continue
            if hand.font is not font:
                font = hand.font
                painter.setFont(font)
            if tones[column] != tone:
                tone = tones[column]
                painter.setPen(self._theme.color(tone))
            text = hand.fitted(text, cell.width)
            at = hand.start(text, cell), top + above[column]
            painter.drawStaticText(*at, hand.layout(text))

    def _places(self, area: QRect) -> list[CellRect]:
        """The columns that are, in part at least, in `area`."""
        header, margin = self._table.horizontalHeader(), self._margin
        places: list[CellRect] = []
        for column in range(len(traffic_columns.COLUMNS)):
            left, width = header.sectionViewportPosition(column), header.sectionSize(column)
            if left <= area.right() and left + width > area.left() and width > 2 * margin:
                places.append(CellRect(column, left + margin, width - 2 * margin))
        return places


def _keep(known: dict[Key, Value], limit: int = KEPT_TEXTS) -> dict[Key, Value]:
    """`known`, with room for one more."""
    if len(known) >= limit:
        known.clear()
    return known
