"""Delegates that paint the rows of lists, trees and tables.

`RowDelegate` gives rows that Qt draws one height. `ListDelegate` draws dense rows: a name, secondary text after it (or under it), badges
at the right edge; models return them for the roles below, and a role without data is not drawn. Text is drawn as plain text, never as rich
text; for the ToolTipRole, models return `labels.tool_tip(…)`.

`mark_row` draws a bar at the left edge of rows that are selected or current: the background of a selected row alone is too pale to
distinguish it. WCAG 2.2, 1.4.11 "Non-text Contrast" and 2.4.7 "Focus Visible".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QHelpEvent, QIcon, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from inspector.visible_text import isolated, one_line
from ui.theme import tokens
from ui.widgets.badge import badge_size, draw_badge
from ui.widgets.labels import tool_tip
from ui.widgets.title_and_name import title_and_name_widths, whole_width

if TYPE_CHECKING:
    from ui.theme import Theme

_Index = QModelIndex | QPersistentModelIndex

MARK_SHARE = 7
"""The mark of a row is as wide as this part of the row is high: 3 pixels at 100%."""

MARK_WIDTH = 3
"""Of the mark, at 100%, for delegates that know the scale."""

SECONDARY_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""str: muted text after the name."""

BADGES_ROLE = SECONDARY_ROLE + 1
"""Sequence of (text, tone): pills at the right edge, or muted text for the tone `PLAIN`."""

PLAIN = "plain"
"""The tone of a badge without a pill, for sizes and counts."""

TONE_ROLE = SECONDARY_ROLE + 2
"""str: a color by name for the name itself, such as `error` or `muted`."""

SIGNS_ROLE = SECONDARY_ROLE + 4
"""Sequence of `Sign`: icons at the right edge, for what is exceptional."""

BOLD_ROLE = SECONDARY_ROLE + 3
"""bool: the name stands out."""

MIN_CHARACTERS = 10
"""Of a name that badges leave readable."""


class Sign(NamedTuple):
    """An icon at the right edge of a row."""

    icon: str
    """Its name."""
    tone: str
    """The name of its color."""
    text: str
    """Its meaning, for assistive technology."""


class RowDelegate(QStyledItemDelegate):
    """Leaves the drawing to Qt; for trees, most of which have uniform row heights and ask for one size only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """As tight as the text until `set_height`."""
        super().__init__(parent)
        self._height = 0
        self._gap = 0

    def set_height(self, pixels: int) -> None:
        """Rows are at least this high."""
        self._height = pixels

    def set_gap(self, pixels: int) -> None:
        """Columns that are as wide as their texts stand this far from the next one."""
        self._gap = pixels

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """The width of Qt and the gap, the height that was set."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + self._gap, max(hint.height(), self._height))

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: _Index,
    ) -> bool:
        """Show the tool tip of the model; without one, a text that is cut."""
        if event.type() == QEvent.Type.ToolTip and not index.data(Qt.ItemDataRole.ToolTipRole):
            text = self.cut_text(option, index)
            QToolTip.showText(event.globalPos(), tool_tip(text), view)
            return bool(text)
        return super().helpEvent(event, view, option, index)

    def cut_text(self, option: QStyleOptionViewItem, index: _Index) -> str:
        """Return the text of a cell of which a part is not displayed; empty if it is whole."""
        needed = super().sizeHint(option, index).width()
        return str(index.data() or "") if needed > option.rect.width() else ""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: _Index,
    ) -> None:
        """Leave the drawing to Qt, with a paler selection in a view without the focus, then mark the row."""
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if (
            is_selected
        ):  # not in `initStyleOption`, which Qt calls for each cell, also to measure it
            option = QStyleOptionViewItem(option)
            dim_selection(option)
        super().paint(painter, option, index)
        mark_row(painter, option, index, is_selected=is_selected)


class ListDelegate(QStyledItemDelegate):
    """Draws rows of one line, or two."""

    def __init__(
        self,
        *,
        theme: Theme,
        two_lines: bool = False,
        mono: bool = False,
        names: bool = False,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
        parent: QWidget | None = None,
    ) -> None:
        """Draw `two_lines` a row, names in `mono` if they are wire data.

        With `names`, the secondary text is the name in the protocol of what is titled by the first: it is monospaced. One of them is whole
        where that is possible, the name before the title, so that the rows of a list can be told apart.
        """
        super().__init__(parent)
        self._names = names
        self._theme = theme
        self._two_lines = two_lines
        self._mono = mono
        self._elide = elide

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """One height for all."""
        theme = self._theme
        height = theme.ROW_HEIGHT_PX + (theme.px(16) if self._two_lines else 0)
        return QSize(theme.character_width() * 12, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw the background, then the icon, badges, name and secondary text."""
        painter.save()
        self._draw_background(painter, option)
        edge = self._theme.px(tokens.DENSE_PADDING_PX) if self._names else self._theme.PADDING_PX
        area = option.rect.adjusted(edge, 0, -self._theme.PADDING_PX, 0)
        area = self._draw_icon(painter, area, index)
        first = QRect(area)
        if self._two_lines:
            first.setBottom(area.top() + self._theme.ROW_HEIGHT_PX - self._theme.px(2))
        text = self._draw_badges(painter, self._draw_signs(painter, first, index), index)
        if self._names and not self._two_lines and index.data(SECONDARY_ROLE):
            self._draw_title_and_name(painter, text, option, index)
            painter.restore()
            return
        rest = self._draw_name(painter, text, option, index)
        if self._two_lines:
            top = first.bottom() - self._theme.px(2)
            rest = QRect(area.left(), top, area.width(), area.bottom() - top - self._theme.px(2))
        self._draw_secondary(painter, rest, option, index)
        painter.restore()

    def _draw_background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        plain = QStyleOptionViewItem(option)
        plain.text = ""
        plain.icon = QIcon()
        plain.showDecorationSelected = True
        dim_selection(plain)
        widget = cast("QWidget | None", option.widget)
        style = widget.style() if widget is not None else QApplication.style()
        element = QStyle.PrimitiveElement.PE_PanelItemViewItem
        style.drawPrimitive(element, plain, painter, widget)
        if plain.state & QStyle.StateFlag.State_Selected:
            draw_row_mark(painter, plain.rect, plain.palette, self._theme.px(MARK_WIDTH))

    def _draw_icon(self, painter: QPainter, area: QRect, index: _Index) -> QRect:
        icon = index.data(Qt.ItemDataRole.DecorationRole)
        if not isinstance(icon, QIcon) or icon.isNull():
            return area
        edge = self._theme.ICON
        top = area.top() + (self._theme.ROW_HEIGHT_PX - edge) // 2
        icon.paint(painter, QRect(area.left(), top, edge, edge))
        return area.adjusted(edge + self._theme.px(6), 0, 0, 0)

    def _draw_signs(self, painter: QPainter, area: QRect, index: _Index) -> QRect:
        """Draw icons from the right, the last first; return the area that is left."""
        signs = cast("list[Sign]", index.data(SIGNS_ROLE) or [])
        edge, right = self._theme.ICON, area.right() + 1
        for icon, tone, _text in reversed(signs):
            if right - edge < area.left() + area.width() // 2:
                break
            top = area.top() + (area.height() - edge) // 2
            self._theme.icon(icon, tone).paint(painter, QRect(right - edge, top, edge, edge))
            right -= edge + self._theme.SPACING_PX
        return QRect(area.left(), area.top(), right - area.left(), area.height())

    def _draw_badges(self, painter: QPainter, area: QRect, index: _Index) -> QRect:
        badges = cast("list[tuple[str, str]]", index.data(BADGES_ROLE) or [])
        right = area.right()
        kept = self._kept_width(area, index)
        for text, tone in reversed(badges):
            if tone == PLAIN:
                right = self._draw_plain(painter, area, text, right, self._whole_width(index))
                continue
            size = badge_size(self._theme, text)
            if right - size.width() < area.left() + kept:
                break
            top = area.top() + (area.height() - size.height()) // 2
            badge = QRect(right - size.width(), top, size.width(), size.height())
            draw_badge(painter, badge, self._theme, text, tone)
            right -= size.width() + self._theme.SPACING_PX
        return QRect(area.left(), area.top(), right - area.left(), area.height())

    def _draw_plain(self, painter: QPainter, area: QRect, text: str, right: int, name: int) -> int:
        """Draw a text without a pill up to `right` if that leaves the pixels of the `name`; return where the next badge ends."""
        font = self._theme.font(tokens.SMALL)
        width = whole_width(QFontMetrics(font), text)
        if right - width - self._theme.PADDING_PX < area.left() + name:
            return right
        rect = QRect(right + 1 - width, area.top(), width, area.height())
        self._draw_text(painter, rect, text, font, "muted")
        return right - width - self._theme.PADDING_PX

    def _whole_width(self, index: _Index) -> int:
        """Return what tells a row from its neighbors: a name, or a title and a name, not elided."""
        name_font = self._name_font(bold=bool(index.data(BOLD_ROLE)))
        width = whole_width(QFontMetrics(name_font), one_line(str(index.data() or ""), 300))
        secondary = str(index.data(SECONDARY_ROLE) or "")
        if self._names and not self._two_lines and secondary:
            metrics = QFontMetrics(self._secondary_font())
            width += self._theme.PADDING_PX + whole_width(metrics, one_line(secondary, 300))
        return width

    def _kept_width(self, area: QRect, index: _Index) -> int:
        """What badges leave to the name: a third of the row, and enough to tell it from its neighbours."""
        font = self._name_font(bold=bool(index.data(BOLD_ROLE)))
        name = one_line(str(index.data() or ""), 2 * MIN_CHARACTERS)
        needed = QFontMetrics(font).horizontalAdvance(name) + self._theme.SPACING_PX
        return max(area.width() // 3, min(needed, self._theme.character_width() * MIN_CHARACTERS))

    def _draw_name(
        self, painter: QPainter, area: QRect, option: QStyleOptionViewItem, index: _Index
    ) -> QRect:
        tone = str(index.data(TONE_ROLE) or "text") if _is_enabled(option) else "disabled"
        font = self._name_font(bold=bool(index.data(BOLD_ROLE)))
        name = isolated(one_line(str(index.data() or ""), 300))
        used = self._draw_text(painter, area, name, font, tone)
        return area.adjusted(used + self._theme.PADDING_PX, 0, 0, 0)

    def _draw_title_and_name(
        self, painter: QPainter, area: QRect, option: QStyleOptionViewItem, index: _Index
    ) -> None:
        is_enabled, gap = _is_enabled(option), self._theme.PADDING_PX
        tone = str(index.data(TONE_ROLE) or "text") if is_enabled else "disabled"
        title_font = self._name_font(bold=bool(index.data(BOLD_ROLE)))
        name_font = self._secondary_font()
        title = isolated(one_line(str(index.data() or ""), 300))
        name = isolated(one_line(str(index.data(SECONDARY_ROLE) or ""), 300))
        title_width, name_width = title_and_name_widths(
            area.width(),
            gap,
            whole_width(QFontMetrics(title_font), title),
            whole_width(QFontMetrics(name_font), name),
            self._theme.character_width(),
        )
        if title_width:
            part = QRect(area.left(), area.top(), title_width, area.height())
            right = Qt.TextElideMode.ElideRight
            used = self._draw_text(painter, part, title, title_font, tone, right)
            area = area.adjusted(used + gap, 0, 0, 0)
            tone = "muted" if is_enabled else "disabled"
        if name_width:
            middle = Qt.TextElideMode.ElideMiddle
            self._draw_text(painter, area, name, name_font, tone, middle)

    def _secondary_font(self) -> QFont:
        if self._names:
            return self._theme.mono(tokens.SMALL)
        return self._theme.font(tokens.SMALL if self._two_lines else 1.0)

    def _name_font(self, *, bold: bool) -> QFont:
        if not self._mono:
            return self._theme.font(bold=bold)
        font = self._theme.mono()
        font.setBold(bold)
        return font

    def _draw_secondary(
        self, painter: QPainter, area: QRect, option: QStyleOptionViewItem, index: _Index
    ) -> None:
        text = str(index.data(SECONDARY_ROLE) or "")
        if text and area.width() > self._theme.px(24):
            text = isolated(one_line(text, 300))
            mode = Qt.TextElideMode.ElideRight
            tone = "muted" if _is_enabled(option) else "disabled"
            self._draw_text(painter, area, text, self._secondary_font(), tone, mode)

    def _draw_text(
        self,
        painter: QPainter,
        area: QRect,
        text: str,
        font: QFont,
        tone: str,
        elide: Qt.TextElideMode | None = None,
    ) -> int:
        metrics = QFontMetrics(font)
        elided = metrics.elidedText(text, elide or self._elide, area.width())
        painter.setFont(font)
        painter.setPen(self._theme.color(tone))
        painter.drawText(
            area.left(), baseline(area.top(), area.height(), self._theme.font()), elided
        )
        return metrics.horizontalAdvance(elided)


def accessible_row_text(index: _Index) -> str:
    """Return what is painted of a row, for assistive technology: name, secondary text, badges and signs. Models return it for the AccessibleTextRole."""
    badges = cast("list[tuple[str, str]]", index.data(BADGES_ROLE) or [])
    signs = cast("list[Sign]", index.data(SIGNS_ROLE) or [])
    marks = (*(text for text, _tone in badges), *(sign.text for sign in signs))
    parts = (index.data(), index.data(SECONDARY_ROLE), *marks)
    return ", ".join(one_line(str(part), 300) for part in parts if part)


def _has_focus(option: QStyleOptionViewItem) -> bool:
    widget = cast("QWidget | None", option.widget)
    return widget is not None and widget.hasFocus()


def _is_enabled(option: QStyleOptionViewItem) -> bool:
    return bool(option.state & QStyle.StateFlag.State_Enabled)


def draw_row_mark(painter: QPainter, row: QRect, palette: QPalette, width: int = 0) -> None:
    """Draw the bar at the left of `row`, in the accent; `width` is in pixels, 0 for what fits a row of one line."""
    width = width or max(row.height() // MARK_SHARE, 2)
    bar = QRect(row.left(), row.top(), width, row.height())
    painter.fillRect(bar, palette.color(QPalette.ColorRole.Accent))


def mark_row(
    painter: QPainter,
    option: QStyleOptionViewItem,
    index: _Index,
    *,
    is_selected: bool,
    width: int = 0,
) -> None:
    """Draw the bar of the row of `index` at the left edge of its view, where it belongs there; for delegates. `width` as for `draw_row_mark`."""
    view: QWidget | None = option.widget
    if not isinstance(view, QAbstractItemView):
        return
    current = view.currentIndex()
    is_current = current.row() == index.row() and current.parent() == index.parent()
    if is_current or is_selected:
        row = QRect(0, option.rect.top(), option.rect.width(), option.rect.height())
        draw_row_mark(painter, row, option.palette, width)


def dim_selection(option: QStyleOptionViewItem) -> None:
    """Let Qt draw a selected row of a view without the focus in the color `selection_idle`."""
    if not _has_focus(option):
        option.state &= ~QStyle.StateFlag.State_Active


def baseline(top: int, height: int, font: QFont) -> int:
    """Where the text of a row of `height` pixels below `top` stands: one line for all fonts of the row, centered for capitals of `font`."""
    return round(top + (height + QFontMetricsF(font).capHeight()) / 2)
