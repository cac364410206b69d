"""The dialog of saved filters: their names, which are links in the bar, and which color rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFrame,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from inspector.config.saved_filters import COLORS, MAX_NAME, MAX_SAVED, MAX_TEXT, SavedFilter
from inspector.transcript.filter.query import QueryError, parse
from ui.models.row_rules import ROW_COLORS
from ui.theme import tokens
from ui.theme.signs import Sign
from ui.widgets.buttons import link_button, push_button, tool_button
from ui.widgets.dialog_parts import DialogFoot, DialogSize, DialogTitle, set_size
from ui.widgets.labels import plain_label, set_tone
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme

TITLES = ("Name", "Filter", "In bar", "Row color")
HELP = (
    "The first three filters in the bar are links. A row has the color of the first filter that matches; "
    "filters that read content do not color frames over 1 MB."
)


class _Row:
    """The fields of one filter."""

    def __init__(self, each: SavedFilter, *, theme: Theme, parent: QWidget) -> None:
        self.name = QLineEdit(each.name, parent)
        self.name.setMaxLength(MAX_NAME)
        self.name.setAccessibleName("Name")
        self.text = QLineEdit(each.text, parent)
        self.text.setMaxLength(MAX_TEXT)
        self.text.setAccessibleName("Filter")
        self.text.setFont(theme.mono())
        self.in_bar = QCheckBox(parent)
        self.in_bar.setChecked(each.in_bar)
        self.in_bar.setAccessibleName("In bar")
        self.color = QComboBox(parent)
        self.color.setAccessibleName("Row color")
        for color in COLORS:
            self.color.addItem(color.capitalize() or "None", color)
            if color:
                look = ROW_COLORS[color]
                self.color.setItemIcon(self.color.count() - 1, theme.icon(look.sign, look.tone))
        self.color.setCurrentIndex(COLORS.index(each.color))
        self.up = tool_button(theme, Sign.UP, "Move up", name="saved_up", parent=parent)
        self.remove = tool_button(theme, Sign.CLOSE, "Remove", name="saved_remove", parent=parent)

    def widgets(self) -> tuple[QWidget, ...]:
        """Return the fields, from left to right."""
        return (self.name, self.text, self.in_bar, self.color, self.up, self.remove)

    def value(self) -> SavedFilter:
        """Return what is typed."""
        name = self.name.text().strip() or self.text.text().strip()[:MAX_NAME]
        color = COLORS[self.color.currentIndex()]
        return SavedFilter(name, self.text.text().strip(), self.in_bar.isChecked(), color)

    def problem(self) -> str:
        """Return why the filter cannot be saved; empty where it can."""
        try:
            is_empty = parse(self.text.text()).is_empty
        except QueryError as error:
            return f"{self.value().name}: {error.reason} (at character {error.position + 1})"
        return "A filter is empty" if is_empty else ""


class SavedFilterDialog(QDialog):
    """Edits the list of saved filters.

    Signals:
        submitted: these filters (a tuple) are to be kept.
    """

    submitted = Signal(object)

    def __init__(
        self,
        filters: Sequence[SavedFilter],
        added: Sequence[SavedFilter],
        *,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        """Show `filters`, and those that are `added` as new ones."""
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("saved_filter_dialog")
        self.setWindowTitle("Saved filters")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._rows: list[_Row] = []
        self._build()
        for each in filters:
            self._add(each)
        fresh = [self._add(each) for each in added]
        self._arrange()
        set_size(self, theme, DialogSize.MEDIUM)
        if fresh:
            self._go_to(fresh[-1])

    def _build(self) -> None:
        theme = self._theme
        title = DialogTitle(theme=theme, name="saved_title", parent=self)
        title.set_text(self.windowTitle())
        self._table = QWidget(self)
        self._grid = QGridLayout(self._table)
        self._grid.setHorizontalSpacing(2 * theme.SPACING_PX)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 2)
        edge = theme.px(tokens.READING_PADDING_PX)
        self._grid.setContentsMargins(edge, 0, edge, 0)
        for at, text in enumerate(TITLES):
            self._grid.addWidget(plain_label(text, tone="muted", parent=self._table), 0, at)
        self._add_link = link_button("Add filter", name="saved_add", parent=self._table)
        area = self._area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(self._table)
        self._help = plain_label(HELP, tone="muted", wrap=True, parent=self._table)
        self._problem = QLabel(self)
        self._problem.setObjectName("saved_problem")
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        set_tone(self._problem, "error")
        self._problem.setContentsMargins(edge, theme.SPACING_PX, edge, theme.SPACING_PX)
        foot = DialogFoot(theme=theme, name="saved_foot", parent=self)
        cancel = push_button("Cancel", name="saved_cancel", parent=foot)
        self._save = push_button("Save", name="saved_save", primary=True, parent=foot)
        foot.add_right(cancel)
        foot.add_right(self._save)
        column = column_layout(self, title, space=0)
        column.addWidget(area, 1)
        column.addWidget(self._problem)
        column.addWidget(foot)
        self._add_link.clicked.connect(self._on_add_link_clicked)
        cancel.clicked.connect(self.reject)
        self._save.clicked.connect(self.accept)

    def _add(self, each: SavedFilter) -> _Row:
        row = _Row(each, theme=self._theme, parent=self._table)
        self._rows.append(row)
        row.text.textChanged.connect(self._validate)
        row.up.clicked.connect(lambda: self._move_up(row))
        row.remove.clicked.connect(lambda: self._remove(row))
        return row

    def _arrange(self) -> None:
        for at, row in enumerate(self._rows, 1):
            for column, widget in enumerate(row.widgets()):
                self._grid.addWidget(widget, at, column)
                widget.show()
        last = len(self._rows) + 1
        self._grid.addWidget(self._add_link, last, 0, Qt.AlignmentFlag.AlignLeft)
        self._grid.addWidget(self._help, last + 1, 0, 1, self._grid.columnCount())
        for at in range(last + 3):
            self._grid.setRowStretch(at, 1 if at == last + 2 else 0)
        self._add_link.setEnabled(len(self._rows) < MAX_SAVED)
        self._validate()

    def _go_to(self, row: _Row) -> None:
        """Put the cursor into the name of a new row, once it has its position."""
        row.name.setFocus()
        QTimer.singleShot(0, row.name, lambda: self._area.ensureWidgetVisible(row.name))

    def _move_up(self, row: _Row) -> None:
        at = self._rows.index(row)
        if at:
            self._rows[at - 1 : at + 1] = [row, self._rows[at - 1]]
            self._arrange()
            row.up.setFocus()

    def _remove(self, row: _Row) -> None:
        at = self._rows.index(row)
        self._rows.remove(row)
        for widget in row.widgets():
            self._grid.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._arrange()
        others = self._rows[at : at + 1] or self._rows[-1:]
        (others[0].remove if others else self._add_link).setFocus()

    def _validate(self) -> None:
        problems = [problem for row in self._rows if (problem := row.problem())]
        self._problem.setText(problems[0] if problems else "")
        self._save.setEnabled(not problems)

    def _on_add_link_clicked(self) -> None:
        row = self._add(SavedFilter("", ""))
        self._arrange()
        self._go_to(row)

    def accept(self) -> None:
        """Keep the filters."""
        if self._save.isEnabled():
            self.submitted.emit(tuple(row.value() for row in self._rows))
            super().accept()
