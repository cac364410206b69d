"""The list of a page and its panels, laid out for the sizes of window, page and text."""

from __future__ import annotations

import weakref
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractButton, QWidget
from shiboken6 import isValid

from ui.list_layout import (
    MIN_FORM,
    MIN_LIST,
    MIN_RESULT,
    Arrangement,
    ColumnSplitter,
    arrangement_of,
    usual_widths,
)
from ui.list_picker import ListPopup, PickerLine
from ui.tab_order import scroll_to
from ui.widgets.layout_parts import Hairline, column_layout, row_layout
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QObject
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QShowEvent

    from ui.filtered_list import FilteredList
    from ui.theme import Theme
    from ui.widgets.badge_row import HeadingBadge


_MODIFIERS = {Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta}
_MOVES = {
    Qt.FocusReason.MouseFocusReason,
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
}
"""Why a widget gets the focus from the user."""


class ListContent(QWidget):
    """The list beside its panels, or as a line above them.

    Signals:
        arranged: whether the list is a line (True) or a column has changed.
    """

    arranged = Signal(bool)

    _arrangement: Arrangement | None = None

    def __init__(
        self,
        filtered: FilteredList,
        panels: Sequence[QWidget],
        panes: Sequence[tuple[str, str]],
        *,
        theme: Theme,
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        """Hold a list and its `panels`; `panes` are their keys and labels, and `name` begins the object names."""
        super().__init__(parent)
        self._list, self._theme = filtered, theme
        self._panels, self._keys = panels, [key for key, _ in panes]
        self._badges: Sequence[HeadingBadge] = ()
        self._selection = filtered.selection
        self._left: weakref.ref[QWidget] | None = None
        """What had the focus when a panel was last chosen, until it is used again: the choice is newer."""
        self._build(panes, name)
        self._wire()
        self._arrange()

    def _build(self, panes: Sequence[tuple[str, str]], name: str) -> None:
        theme = self._theme
        minimums = (MIN_LIST, MIN_FORM, MIN_RESULT)[: len(self._panels) + 1]
        self.splitter = ColumnSplitter(minimums, theme=theme, name=f"{name}_splitter", parent=self)
        self._column = QWidget(self.splitter)
        self._column_layout = column_layout(self._column, self._list, space=0)
        for part in (self._column, *self._panels):
            self.splitter.addWidget(part)
        self.picker = PickerLine(self._list, theme=theme, parent=self)
        self._popup = ListPopup(self._list, theme=theme, parent=self)
        self._line = Hairline(theme=theme, parent=self)
        self._panes = SegmentedControl(panes, name=f"{name}_panes", parent=self)
        self._pane_row = QWidget(self)
        margins = (theme.PADDING_PX, theme.SPACING_PX, theme.PADDING_PX, 0)
        row_layout(self._pane_row, self._panes, space=0, margins=margins).addStretch(1)
        column = column_layout(self, self.picker, self._line, self._pane_row, space=0)
        column.addWidget(self.splitter, 1)

    def _wire(self) -> None:
        self._list.selected.connect(self._on_selected)
        self._list.state_changed.connect(self.refresh)
        self.picker.opened.connect(self._on_picker_opened)
        self._panes.chosen.connect(self.show_pane)
        self._theme.changed.connect(self._arrange)

    @property
    def is_compact(self) -> bool:
        """Whether the list is a line above its panels."""
        return self._arrangement is not Arrangement.COLUMNS

    def focus_filter(self) -> None:
        """Go to the filter of the list, which is opened if it is not visible."""
        if self.is_compact:
            self._on_picker_opened()
        else:
            self._list.filter.focus()

    def set_badges(self, badges: Sequence[HeadingBadge]) -> None:
        """Show badges of the selected entry in the line."""
        self._badges = badges
        self.refresh()

    def refresh(self) -> None:
        """Show the selected entry of the list in the line."""
        if self.is_compact:
            self.picker.refresh(self._badges)

    def _on_selected(self) -> None:
        """Show the first panel of another entry: the result is that of an earlier request, or none yet."""
        self.refresh()
        selection, before = self._list.selection, self._selection
        self._selection = selection
        if self._arrangement is Arrangement.SINGLE and selection != before:
            self.show_pane(self._keys[0])

    def show_pane(self, key: str) -> None:
        """Show a panel where there is room for one: also later, unless a field of another one is used meanwhile."""
        self._leave(self.window().focusWidget())
        self._show_pane(key)

    def _show_pane(self, key: str) -> None:
        self._panes.choose(key)
        is_single = self._arrangement is Arrangement.SINGLE
        for each, panel in zip(self._keys, self._panels, strict=False):
            panel.setVisible(not is_single or each == self._panes.current())
        self.splitter.divide()

    def _arrange(self) -> None:
        scale = self._theme.scale
        window = self.window().width() / scale
        found = arrangement_of(window, self.width() / scale, columns=len(self._panels) + 1)
        self.splitter.set_usual_widths(usual_widths(window)[: len(self._panels)])
        if found is not self._arrangement:
            self._arrangement = found
            self._apply_arrangement(found)

    def _apply_arrangement(self, arrangement: Arrangement) -> None:
        if self.is_compact:
            self._popup.take_list()
        else:
            self._popup.release_list()
            self._column_layout.addWidget(self._list)
        self._column.setVisible(not self.is_compact)
        self.picker.setVisible(self.is_compact)
        self._line.setVisible(self.is_compact)
        self._pane_row.setVisible(arrangement is Arrangement.SINGLE)
        used = self._used_field()
        panels = zip(self._keys, self._panels, strict=False)
        keys = (key for key, panel in panels if used is not None and panel.isAncestorOf(used))
        key = next(keys, "")
        self._show_pane(key or self._panes.current())
        self.arranged.emit(self.is_compact)
        self.refresh()
        if key and used is not None:
            QTimer.singleShot(0, used, partial(scroll_to, used))

    def _used_field(self) -> QWidget | None:
        """Return what has the focus, which it would lose by being hidden; None for a button, and for what a panel was chosen from."""
        focused = self.window().focusWidget()
        is_left = self._left is not None and focused is self._left()
        return None if is_left or isinstance(focused, QAbstractButton) else focused

    def _leave(self, widget: QWidget | None) -> None:
        """Take `widget` for one that is not used any more, until the next key or click in it, or until the user moves the focus there."""
        before = self._left() if self._left is not None else None
        if before is not None and isValid(before):
            before.removeEventFilter(self)
        self._left = None if widget is None else weakref.ref(widget)
        if widget is not None:
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """See when a field is used again."""
        if _is_use(event):
            self._leave(None)
        return super().eventFilter(watched, event)

    def _on_picker_opened(self) -> None:
        self._popup.open_below(self.picker.box)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the parts for another size."""
        super().resizeEvent(event)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        """Arrange the parts for the window that they are in."""
        super().showEvent(event)
        self._arrange()


def _is_use(event: QEvent) -> bool:
    """Whether the user does something in the widget with this event."""
    if event.type() == QEvent.Type.KeyPress:
        return cast("QKeyEvent", event).key() not in _MODIFIERS
    if event.type() == QEvent.Type.FocusIn:
        return cast("QFocusEvent", event).reason() in _MOVES
    return event.type() in {QEvent.Type.InputMethod, QEvent.Type.MouseButtonPress}
