"""The list of a page as one line above its panels: previous, the selected entry, next. The list itself opens below the line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from inspector.visible_text import one_line
from ui.widgets.badge_row import BadgeRow
from ui.widgets.buttons import ENTER_KEYS, tool_button
from ui.widgets.combo_boxes import ElidedComboBox
from ui.widgets.delegates import SECONDARY_ROLE
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.steady_label import SteadyLabel
from ui.widgets.title_and_name import title_and_name_widths, whole_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QWheelEvent

    from ui.filtered_list import FilteredList
    from ui.theme import Theme
    from ui.widgets.badge_row import HeadingBadge

POPUP_PIXELS = QSize(280, 400)
"""Least width and most height of the opened list at 100%."""

BOX_PIXELS = 360
"""Greatest width at 100% of the selected entry."""

MAX_BADGES = 2
"""Badges of the selected entry that are visible."""

DISPLAY_ROLE = int(Qt.ItemDataRole.DisplayRole)

GAP = "   "
"""Between title and name."""

MAX_CHARACTERS = 120
"""Of a title or name."""

COUNT_STEP = 4
"""Digits in whose steps the position gets its width."""


class PickerLine(QWidget):
    """One line in place of a list.

    Signals:
        opened: the list is to be opened.
    """

    opened = Signal()

    def __init__(
        self, filtered: FilteredList, *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Stand in for `filtered`, whose noun begins the object names."""
        super().__init__(parent)
        self.setObjectName(f"{filtered.noun}_picker")
        self._list, self._theme = filtered, theme
        noun = filtered.noun
        self.previous_button = tool_button(
            theme, "mdi6.chevron-left", f"Previous {noun}", name=f"{noun}_previous", parent=self
        )
        self.box = PickerBox(name=f"{noun}_picker_box", text=noun.capitalize(), parent=self)
        self.next_button = tool_button(
            theme, "mdi6.chevron-right", f"Next {noun}", name=f"{noun}_next", parent=self
        )
        self._position = SteadyLabel(
            digits=COUNT_STEP, tone="muted", name=f"{noun}_position", parent=self
        )
        self.badges = BadgeRow(theme=theme, name=f"{noun}_picker_badges", parent=self)
        edge = theme.PADDING_PX
        row = row_layout(
            self,
            self.previous_button,
            space=theme.px(6),
            margins=(edge, theme.px(5), edge, theme.px(5)),
        )
        row.addWidget(self.box, 3)
        for part in (self.next_button, self._position, self.badges):
            row.addWidget(part)
        row.addStretch(1)
        self._wire()

    def _wire(self) -> None:
        self.previous_button.clicked.connect(lambda: self.step(-1))
        self.next_button.clicked.connect(lambda: self.step(1))
        self.box.stepped.connect(self.step)
        self.box.opened.connect(self.opened)

    def step(self, by: int) -> None:
        """Select the entry so many rows after the selected one, if there is one."""
        index = self._list.neighbor(by)
        if index.isValid():
            self._list.view.setCurrentIndex(index)

    def refresh(self, badges: Sequence[HeadingBadge]) -> None:
        """Show the selected entry of the list with its `badges`."""
        rank, total = self._list.rank(), self._list.counts()[0]
        index = self._list.view.currentIndex()
        is_entry = self._list.is_entry(index)
        if is_entry:
            self.box.show_entry(
                *(_one_line(index, role) for role in (DISPLAY_ROLE, SECONDARY_ROLE))
            )
        else:
            self.box.show_entry(f"Select a {self._list.noun}")
        self.box.setToolTip(str(index.data(Qt.ItemDataRole.ToolTipRole) or "") if is_entry else "")
        self.box.setMaximumWidth(self._theme.px(BOX_PIXELS))
        self._position.show_text(f"{rank:,} of {total:,}" if rank else f"{total:,}")
        self.previous_button.setEnabled(rank > 1)
        self.next_button.setEnabled(rank < total)
        self.badges.show_badges(badges, limit=MAX_BADGES)


def _one_line(index: QModelIndex, role: int) -> str:
    return one_line(str(index.data(role) or ""), MAX_CHARACTERS)


class PickerBox(ElidedComboBox):
    """The selected entry; the arrow keys go to its neighbors.

    Signals:
        opened: the list is to be opened.
        stepped: go so many entries onwards.
    """

    opened = Signal()
    stepped = Signal(int)

    _title, _name = "", ""

    def show_entry(self, title: str, name: str = "") -> None:
        """Show the selected entry, of which the name may be the title."""
        self._title, self._name = title, name
        text = GAP.join(part for part in (title, name) if part)
        if self.currentText() != text or not self.count():
            self.clear()
            self.addItem(text)

    def fitted(self, text: str, width: int) -> str:
        """Return as much of title and name as fits, one of them whole if possible."""
        metrics = self.fontMetrics()
        if not self._name:
            return super().fitted(text, width)
        title, name = title_and_name_widths(
            width,
            metrics.horizontalAdvance(GAP),
            whole_width(metrics, self._title),
            whole_width(metrics, self._name),
            metrics.horizontalAdvance("0"),
        )
        parts = (
            metrics.elidedText(self._title, Qt.TextElideMode.ElideRight, title) if title else "",
            metrics.elidedText(self._name, Qt.TextElideMode.ElideMiddle, name) if name else "",
        )
        return GAP.join(part for part in parts if part)

    def showPopup(self) -> None:
        """Have the list opened in place of Qt's own."""
        self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the next entry with the arrow keys, and open the list with the others that do."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        is_alone = event.modifiers() == Qt.KeyboardModifier.NoModifier
        key = Qt.Key(event.key())
        if is_alone and key in steps:
            self.stepped.emit(steps[key])
        elif is_alone and key in ENTER_KEYS:
            self.opened.emit()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignore the wheel: turning it must not select another entry."""
        event.ignore()


class ListPopup(QFrame):
    """The list while its page is too narrow for it: opened below the line, closed with the selection of an entry."""

    def __init__(
        self, filtered: FilteredList, *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Start closed, without the list."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName(f"{filtered.noun}_popup")
        self.setProperty("popup", True)
        self._list, self._theme = filtered, theme
        self._column = column_layout(self, space=0, margins=1)
        self._is_holding = False
        filtered.view.installEventFilter(self)
        filtered.view.clicked.connect(self._on_view_clicked)

    def take_list(self) -> None:
        """Take the list out of the page."""
        self._is_holding = True
        self._column.addWidget(self._list)
        self._list.show()

    def release_list(self) -> None:
        """Leave the list to the page again."""
        self._is_holding = False
        self.hide()
        self._column.removeWidget(self._list)

    def open_below(self, box: QWidget) -> None:
        """Open the list below `box`, within the window."""
        theme, window = self._theme, box.window()
        corner = box.mapToGlobal(QPoint(0, box.height()))
        below = window.mapToGlobal(QPoint(0, window.height())).y() - corner.y()
        width = max(box.width(), theme.px(POPUP_PIXELS.width()))
        height = max(
            min(theme.px(POPUP_PIXELS.height()), below), theme.px(POPUP_PIXELS.height()) // 3
        )
        self.setGeometry(corner.x(), corner.y(), width, height)
        self.show()
        self._list.filter.focus()

    def _close(self) -> None:
        if self._is_holding:
            self.hide()

    def _on_view_clicked(self, index: QModelIndex) -> None:
        if self._list.is_entry(index):
            self._close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let Enter on an entry close the list instead of sending a request for it."""
        if (
            self._is_holding
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
        ):
            is_enter = Qt.Key(event.key()) in ENTER_KEYS
            if is_enter and self._list.is_entry(self._list.view.currentIndex()):
                self._close()
                return True
        return super().eventFilter(watched, event)
