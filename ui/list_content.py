"""The list of a page and its panels, laid out for the sizes of window, page and text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

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
from ui.widgets.layout_parts import Hairline, column_layout, row_layout
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from ui.filtered_list import FilteredList
    from ui.theme import Theme
    from ui.widgets.badge_row import HeadingBadge


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
        """Show a panel where there is room for one."""
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
        self.show_pane(self._focused_pane() or self._panes.current())
        self.arranged.emit(self.is_compact)
        self.refresh()

    def _focused_pane(self) -> str:
        """The panel that has the focus, which it would lose by being hidden; empty for none."""
        focused = self.window().focusWidget()
        panels = zip(self._keys, self._panels, strict=False)
        found = (key for key, panel in panels if focused and panel.isAncestorOf(focused))
        return next(found, "")

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
