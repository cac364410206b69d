"""Draws the rows of a table.

Qt's own painting makes an option for every cell, goes through the style sheet for it and lays out its text in a rectangle; while rows pour
in, that takes most of the time. This draws a row at once: its background, then each text at its position. Texts that were drawn lately
are kept laid out, as half of the cells have the same text in every row.

All fonts of a row stand on one baseline. Only whole rows are drawn: what the viewport would cut stays empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPixmap, QStaticText

from ui.theme.signs import SIGN_OF_TONE, Sign
from ui.widgets.delegates import baseline, draw_row_mark
from ui.widgets.table_columns import MARGIN_PX

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ui.theme import Theme
    from ui.widgets.following_table import FollowingTable
    from ui.widgets.table_columns import TableColumn

Key = TypeVar("Key")
Value = TypeVar("Value")

SIGN_GAP_PX = 4
"""From a sign to its text."""
NOTE_GAP_PX = 8
"""From a text to the note behind it."""
WIDEST = "W"
"""Character of ASCII that is as wide as any: a text of so many of them that fits is drawn without measuring it."""
KEPT_TEXTS = 4000
"""Shortened or measured texts that are kept."""
KEPT_LAYOUTS = 400
"""Texts of one column that are kept laid out; each takes a few kilobytes."""
SIGNS = {tone: SIGN_OF_TONE[tone] for tone in ("error", "warning", "pending", "person")}
"""Tones that stand out in a row → the sign before the text."""


class RowNote(NamedTuple):
    """What is drawn behind the text of the column with signs, as far as there is room."""

    sign: str
    """Name of the icon."""
    tone: str
    """Name of its color, and of the color of the text."""
    text: str
    short: str
    """What is left of the text where there is no room for it."""


class PaintedRow(NamedTuple):
    """What is drawn of a row."""

    texts: tuple[str, ...]
    """By column."""
    tones: tuple[str, ...]
    """Names of colors, by column."""
    background: str = ""
    """Name of the color behind the row; empty for the usual one."""
    sign: str = ""
    """Name of the icon before the text of the column with signs, in the tone of that column; empty for none."""
    marks: tuple[tuple[str, str], ...] = ()
    """Names of icons, and of their colors, in the column with marks."""
    note: RowNote | None = None
    """What follows the text of the column with signs; None for nothing."""


class RowSource(Protocol):
    """Where a table gets its rows from, next to what Qt asks of a model."""

    def painted_row(self, row: int) -> PaintedRow:
        """Return what is drawn of a row."""
        ...

    def divider(self, row: int) -> str:
        """Return the text of a row with which a run begins, its parts separated by middle dots; empty for other rows."""
        ...


class CellRect(NamedTuple):
    """A column on screen."""

    column: int
    left: int
    """Where its texts begin."""
    width: int
    """Pixels for them."""


class TextLayouts:
    """How the texts of one column are drawn."""

    def __init__(self, column: TableColumn, font: QFont) -> None:
        """Draw in `font`, aligned and shortened as `column` has it."""
        self.font = font
        self.has_sign = column.has_sign
        self.has_marks = column.has_marks
        self._metrics = QFontMetrics(font)
        self._average = max(self._metrics.averageCharWidth(), 1)
        self._widest = max(self._metrics.horizontalAdvance(WIDEST), 1)
        self._is_right = column.is_right
        self._shorten: Callable[[str], str] | None = column.shorten
        self._mode = Qt.TextElideMode.ElideMiddle if column.is_name else Qt.TextElideMode.ElideRight
        self._fitted: dict[tuple[int, str], str] = {}
        self._widths: dict[str, int] = {}
        self._layouts: dict[str, QStaticText] = {}

    def top(self, height: int, row_font: QFont) -> int:
        """Return how far below the top of a row its texts begin; they stand on the baseline of `row_font`."""
        return baseline(0, height, row_font) - self._metrics.ascent()

    def layout(self, text: str) -> QStaticText:
        """Return a fitted text, laid out for painting, as plain text."""
        known = self._layouts.get(text)
        if known is None:
            known = QStaticText(text)
            known.setTextFormat(Qt.TextFormat.PlainText)
            _keep(self._layouts, KEPT_LAYOUTS)[text] = known
        return known

    def fitted(self, text: str, width: int) -> str:
        """Return as much of `text` as fits into `width` pixels: the whole, its short form, or one of them elided."""
        if text.isascii() and len(text) * self._widest <= width:
            return text
        known = self._fitted.get((width, text))
        if known is None:
            known = self._elided(text, width)
            _keep(self._fitted)[width, text] = known
        return known

    def _elided(self, text: str, width: int) -> str:
        # Measuring takes time for every character, so those that cannot be seen go before.
        limit = 2 * width // self._average + 2
        elided = text
        if len(text) > limit:
            is_name = self._mode is Qt.TextElideMode.ElideMiddle
            elided = f"{text[:limit]}…{text[-limit:]}" if is_name else f"{text[:limit]}…"
        if self._shorten is not None and self._metrics.horizontalAdvance(elided) > width:
            elided = self._shorten(elided)
        return self._metrics.elidedText(elided, self._mode, width)

    def is_cut(self, text: str, width: int) -> bool:
        """Whether `text` is not wholly displayed in `width` pixels."""
        return self.fitted(text, width) != text

    def start(self, text: str, cell: CellRect) -> int:
        """Return where a fitted text begins."""
        return cell.left + cell.width - self.width(text) if self._is_right else cell.left

    def width(self, text: str) -> int:
        """Return the pixels of a fitted text."""
        width = self._widths.get(text)
        if width is None:
            width = _keep(self._widths)[text] = self._metrics.horizontalAdvance(text)
        return width


class RowPainter(QObject):
    """Texts on backgrounds."""

    def __init__(
        self,
        *,
        rows: RowSource,
        columns: Sequence[TableColumn],
        theme: Theme,
        table: FollowingTable,
    ) -> None:
        """Draw `rows` where `table`, which owns this, has them."""
        super().__init__(table)
        self._rows = rows
        self._columns = columns
        self._theme = theme
        self._table = table
        self._signs: dict[tuple[str, str], QPixmap] = {}
        theme.changed.connect(self._refresh)
        # Icons and what paints them must not be left to the garbage collector.
        self.destroyed.connect(self._signs.clear)
        self._refresh()

    def set_columns(self, columns: Sequence[TableColumn]) -> None:
        """Draw other columns."""
        self._columns = columns
        self._refresh()

    def _refresh(self) -> None:
        theme = self._theme
        self._font = theme.font()
        text, mono = theme.font(), theme.mono()
        self._layouts = tuple(
            TextLayouts(spec, mono if spec.is_mono else text) for spec in self._columns
        )
        self._bold = theme.font(bold=True)
        self._margin = theme.px(MARGIN_PX)
        self._sign_width = theme.ICON + theme.px(SIGN_GAP_PX)
        self._note_gap = theme.px(NOTE_GAP_PX)
        self._note_sign_width = self._note_gap + theme.ICON
        self._signs.clear()

    def paint(self, painter: QPainter, area: QRect) -> None:
        """Draw the whole rows that are in `area` of the viewport."""
        table, height = self._table, self._theme.ROW_HEIGHT_PX
        top_row, last_row = table.whole_rows()
        if top_row < 0:
            return
        cells = self._cells(area)
        tops = [layouts.top(height, self._font) for layouts in self._layouts]
        selection = table.selectionModel()
        has_selection, current = selection.hasSelection(), table.currentIndex().row()
        top, width = table.rowViewportPosition(top_row), table.viewport().width()
        for row in range(top_row, last_row + 1):
            height = table.rowHeight(row)
            if top + height > area.top() and top <= area.bottom():
                is_selected = has_selection and selection.isRowSelected(row)
                rect = QRect(0, top, width, height)
                self._draw_row(painter, rect, row, tops, cells, is_selected=is_selected)
                if is_selected or row == current:
                    draw_row_mark(painter, rect, table.palette())
            top += height

    def cut_text(self, row: int, column: int) -> str:
        """Return the text of a cell of which a part is not displayed; empty if it is whole."""
        text = self._rows.painted_row(row).texts[column]
        cell = next(
            (each for each in self._cells(self._table.rect()) if each.column == column), None
        )
        if cell is None or self._rows.divider(row):
            return ""
        layouts, painted = self._layouts[column], self._rows.painted_row(row)
        has_sign = layouts.has_sign and bool(painted.sign)
        width = cell.width - (self._sign_width if has_sign else 0)
        return text if layouts.is_cut(text, self._text_width(layouts, width, painted)) else ""

    def _text_width(self, layouts: TextLayouts, width: int, row: PaintedRow) -> int:
        """Return what a text has of `width`: a note behind it shows at least its sign, for which the text is elided."""
        if not layouts.has_sign or row.note is None:
            return width
        return max(width - self._note_sign_width, 0)

    def _draw_row(
        self,
        painter: QPainter,
        rect: QRect,
        row: int,
        tops: list[int],
        cells: list[CellRect],
        *,
        is_selected: bool,
    ) -> None:
        painted, divider = self._rows.painted_row(row), self._rows.divider(row)
        background = "window" if divider else painted.background
        if is_selected:
            background = "selection" if self._table.hasFocus() else "selection_idle"
        if background:
            painter.fillRect(rect, self._theme.color(background))
        if painted.background and self._theme.palette.has_borders:
            self._draw_borders(painter, rect, painted.background)
        if divider:
            self._draw_divider(painter, rect, divider)
        else:
            self._draw_texts(painter, rect.top(), tops, cells, painted)

    def _draw_borders(self, painter: QPainter, row: QRect, background: str) -> None:
        """Draw lines above and below a row, in themes where backgrounds do not tell it from others."""
        tone = background.removesuffix("_ground")
        color = self._theme.color("accent" if tone == "info" else tone)
        line = max(self._theme.px(1), 1)
        painter.fillRect(QRect(row.left(), row.top(), row.width(), line), color)
        painter.fillRect(QRect(row.left(), row.bottom() + 1 - line, row.width(), line), color)

    def _draw_divider(self, painter: QPainter, row: QRect, text: str) -> None:
        """Draw the row with which another run begins: a line above it, the run in semibold, then its facts."""
        theme, margin = self._theme, self._margin
        border = QRect(row.left(), row.top(), row.width(), max(theme.px(1), 1))
        painter.fillRect(border, theme.color("outline"))
        left = row.left() + margin
        self._draw_sign(painter, left, row.top(), row.height(), Sign.RUN, "muted")
        left += self._sign_width
        run, _dot, facts = text.partition(" · ")
        y = baseline(row.top(), row.height(), self._font)
        for part, font, tone in ((f"{run}  ", self._bold, "text"), (facts, self._font, "muted")):
            metrics = QFontMetrics(font)
            available = row.right() - margin - left
            painter.setFont(font)
            painter.setPen(theme.color(tone))
            elided = metrics.elidedText(part, Qt.TextElideMode.ElideRight, available)
            painter.drawText(left, y, elided)
            left += metrics.horizontalAdvance(elided)

    def _draw_texts(
        self,
        painter: QPainter,
        top: int,
        tops: list[int],
        cells: list[CellRect],
        row: PaintedRow,
    ) -> None:
        font, tone = None, ""
        for cell in cells:
            column = cell.column
            text, layouts = row.texts[column], self._layouts[column]
            if layouts.has_sign and row.sign:
                height = self._theme.ROW_HEIGHT_PX
                self._draw_sign(painter, cell.left, top, height, row.sign, row.tones[column])
                left = cell.left + self._sign_width
                cell = CellRect(column, left, cell.width - self._sign_width)
            if not text:
                continue
            if layouts.has_marks:
                self._draw_marks(painter, cell, top, row.marks)
                continue
            if layouts.font is not font:
                font = layouts.font
                painter.setFont(font)
            if row.tones[column] != tone:
                tone = row.tones[column]
                painter.setPen(self._theme.color(tone))
            text = layouts.fitted(text, self._text_width(layouts, cell.width, row))
            at = layouts.start(text, cell), top + tops[column]
            painter.drawStaticText(*at, layouts.layout(text))
            if layouts.has_sign and row.note is not None:
                tone = row.note.tone
                self._draw_note(painter, cell, (top, tops[column]), text, row.note)

    def _draw_note(
        self,
        painter: QPainter,
        cell: CellRect,
        tops: tuple[int, int],
        text: str,
        note: RowNote,
    ) -> None:
        """Draw a note behind `text`, the short one or its sign alone if need be; `tops` are of the row and of texts in it."""
        layouts = self._layouts[cell.column]
        left = cell.left + layouts.width(text) + self._note_gap
        if left + self._theme.ICON > cell.left + cell.width:
            return
        width = cell.left + cell.width - left - self._sign_width
        fitting = next(
            (each for each in (note.text, note.short) if layouts.width(each) <= width), ""
        )
        top, below = tops
        self._draw_sign(painter, left, top, self._theme.ROW_HEIGHT_PX, note.sign, note.tone)
        painter.setPen(self._theme.color(note.tone))
        if fitting:
            painter.drawStaticText(left + self._sign_width, top + below, layouts.layout(fitting))

    def _draw_marks(
        self, painter: QPainter, cell: CellRect, top: int, marks: tuple[tuple[str, str], ...]
    ) -> None:
        """Draw as many marks as fit whole."""
        left = cell.left
        for sign, tone in marks:
            if left + self._theme.ICON <= cell.left + cell.width:
                self._draw_sign(painter, left, top, self._theme.ROW_HEIGHT_PX, sign, tone)
            left += self._sign_width

    def _draw_sign(
        self, painter: QPainter, left: int, top: int, height: int, sign: str, tone: str
    ) -> None:
        edge = self._theme.ICON
        pixmap = self._signs.get((sign, tone))
        if pixmap is None:
            ratio = self._table.devicePixelRatioF()
            pixmap = self._theme.icon(sign, tone).pixmap(QSize(edge, edge), ratio)
            self._signs[sign, tone] = pixmap
        painter.drawPixmap(left, top + (height - edge) // 2, pixmap)

    def _cells(self, area: QRect) -> list[CellRect]:
        """Return the columns that are, in part at least, in `area`."""
        header, margin = self._table.horizontalHeader(), self._margin
        cells: list[CellRect] = []
        for column in range(len(self._columns)):
            left, width = header.sectionViewportPosition(column), header.sectionSize(column)
            if left <= area.right() and left + width > area.left() and width > 2 * margin:
                cells.append(CellRect(column, left + margin, width - 2 * margin))
        return cells


def _keep(known: dict[Key, Value], limit: int = KEPT_TEXTS) -> dict[Key, Value]:
    """Return `known`, with room for one more."""
    if len(known) >= limit:
        known.clear()
    return known
