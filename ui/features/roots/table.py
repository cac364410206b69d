"""The table of roots. A draft is a row of the table, but no root until the user adds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from inspector.features.roots import Root, root_problems, suggestion
from inspector.visible_text import one_line
from ui.widgets.delegates import RowDelegate
from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme

COLUMNS = ("URI", "Name", "State")
_KEYS = ("address", "name", "state")
"""Of the columns, in the names of their editors."""
_ADDRESS, _NAME, _STATE = range(3)

EXAMPLE = "file:///home/you/project"

COMMITTING_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)

_Index = QModelIndex | QPersistentModelIndex


class RootTable(QTableWidget):
    """Roots in order.

    Signals:
        edited: row, address and name as written, and whether the address was entered with a key that commits (not left by a click).
        edit_cancelled: the row whose editor was closed with Esc.
    """

    edited = Signal(int, str, str, bool)
    edit_cancelled = Signal(int)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(0, len(COLUMNS), parent)
        self._theme = theme
        self._editing = _Editing()
        self.setObjectName("root_table")
        self.setAccessibleName("Roots")
        self.setHorizontalHeaderLabels(COLUMNS)
        self.setFrameShape(QTableWidget.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(theme.px(26))
        self._delegate = _CellDelegate(self._editing, self)
        self.setItemDelegate(self._delegate)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(_ADDRESS, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(_STATE, QHeaderView.ResizeMode.ResizeToContents)
        self.setColumnWidth(_NAME, theme.px(160))
        self.itemChanged.connect(self._on_item_changed)

    def show_roots(self, roots: Sequence[Root], texts: Sequence[str]) -> None:
        """Show these, with what is wrong with each; a cell that is being edited stays open."""
        self.blockSignals(True)
        self.setRowCount(len(roots))
        for row, (root, problem) in enumerate(zip(roots, texts, strict=True)):
            if row != self._editing.row:
                self._put(row, _ADDRESS, root.uri)
                self._put(row, _NAME, root.name)
            state = self._put(row, _STATE, one_line(problem or "✔ OK", 80))
            state.setFlags(state.flags() & ~Qt.ItemFlag.ItemIsEditable)
            state.setForeground(self._theme.color("warning" if problem else "ok"))
            state.setToolTip(tool_tip(problem))
        self.blockSignals(False)

    def row_chosen(self) -> int:
        """The row that is selected; -1 for none."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def choose(self, row: int) -> None:
        """Select a row."""
        if row >= 0:
            self.selectRow(row)

    def edit_address(self, row: int) -> None:
        """Open the address of a row for typing."""
        item = self.item(row, _ADDRESS)
        if item is not None:
            self.setCurrentItem(item)
            self.editItem(item)

    @property
    def is_editing(self) -> bool:
        """Whether a cell is open for typing."""
        return self._editing.row >= 0

    def _put(self, row: int, column: int, text: str) -> QTableWidgetItem:
        # The stubs say that there always is one.
        item: QTableWidgetItem | None = self.item(row, column)
        if item is None:
            item = QTableWidgetItem(text)
            if column == _ADDRESS:
                item.setFont(self._theme.mono())
            self.setItem(row, column, item)
        elif item.text() != text:
            item.setText(text)
        return item

    def _on_item_changed(self, item: QTableWidgetItem) -> None:
        if item.column() == _STATE:
            return
        if self.is_editing:
            self._editing.is_dirty = True  # told when the editing of the row is over
        else:
            self._emit_edited(item.row(), is_entered=True)

    def _emit_edited(self, row: int, *, is_entered: bool) -> None:
        address, name = self.item(row, _ADDRESS), self.item(row, _NAME)
        if address is not None and name is not None:
            self.edited.emit(row, address.text().strip(), name.text(), is_entered)

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Tell what was written, once for a row: Tab from its address to its name is one edit."""
        edit = self._editing
        row, edit.row = edit.row, -1
        was_dirty, was_left = edit.is_dirty, edit.is_left
        super().closeEditor(
            editor, hint
        )  # takes the focus from the editor, and may open the next cell
        if edit.row == row or row < 0:
            edit.is_left = was_left
            return
        is_cancelled = hint == QAbstractItemDelegate.EndEditHint.RevertModelCache
        edit.is_dirty = edit.is_left = False
        if was_dirty or not is_cancelled:
            self._emit_edited(row, is_entered=not was_left)
        else:
            self.edit_cancelled.emit(row)


class _Editing:
    """How the editing of one row goes."""

    def __init__(self) -> None:
        self.row = -1
        """The row of the open editor; -1 for none."""
        self.is_dirty = False
        """Whether a cell of the row was changed."""
        self.is_left = False
        """Whether the address was left without a key that commits it."""


class _CellDelegate(RowDelegate):
    """Makes the editors, and notes how they are left."""

    def __init__(self, editing: _Editing, parent: QWidget) -> None:
        super().__init__(parent)
        self._editing = editing

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: _Index) -> QWidget:
        """A line with an example, which is no value."""
        editor = super().createEditor(parent, option, index)
        editor.setObjectName(f"root_{_KEYS[index.column()]}_editor")
        editor.setAccessibleName(COLUMNS[index.column()])
        if isinstance(editor, QLineEdit) and index.column() == _ADDRESS:
            editor.setPlaceholderText(EXAMPLE)
        self._editing.row = index.row()
        return editor

    def eventFilter(self, object: QObject, event: QEvent) -> bool:  # noqa: A002 - Qt's name
        """Another window in front (to copy a path there) closes no editor; a click elsewhere does, but commits nothing."""
        is_address = object.objectName() == "root_address_editor"
        if isinstance(event, QFocusEvent) and event.type() == QEvent.Type.FocusOut:
            if event.reason() == Qt.FocusReason.ActiveWindowFocusReason:
                return False
            self._editing.is_left = self._editing.is_left or is_address
        elif isinstance(event, QKeyEvent) and is_address and event.key() in COMMITTING_KEYS:
            self._editing.is_left = False
        return super().eventFilter(object, event)


class RootRow:
    """One row."""

    def __init__(self, root: Root | None, draft: Root | None = None) -> None:
        """Show `root`; None for a row that was not added yet."""
        self.root = root
        """What the server gets."""
        self.draft = draft
        """The text that is not committed: the row shows it, no server gets it."""

    @property
    def displayed(self) -> Root:
        """What stands in the row."""
        return self.draft or self.root or Root("")

    @property
    def suggestion(self) -> str:
        """The URI that the draft probably means; empty when there is no draft, or no such URI."""
        return suggestion(self.draft.uri) if self.draft is not None else ""


class RootRows:
    """The rows of one list of roots, in order."""

    def __init__(self) -> None:
        """Start empty."""
        self.rows: list[RootRow] = []

    def committed(self) -> tuple[Root, ...]:
        """Return what the server may see."""
        return tuple(row.root for row in self.rows if row.root is not None)

    def follow(self, items: Sequence[Root]) -> None:
        """Take over a list that was changed elsewhere; drafts stay as far as their rows do."""
        if self.committed() == tuple(items):
            return
        known = [row for row in self.rows if row.root is not None]
        new = [row for row in self.rows if row.root is None]
        rows: list[RootRow] = []
        for root in items:
            row = next((row for row in known if row.root == root), None)
            if row is not None:
                known.remove(row)
            rows.append(row or RootRow(root))
        self.rows = [*rows, *new]

    def begin(self) -> int:
        """Return the position of the row that is not added yet; append an empty one without it."""
        for at, row in enumerate(self.rows):
            if row.root is None:
                return at
        self.rows.append(RootRow(None, Root("")))
        return len(self.rows) - 1

    def write(self, at: int, root: Root, *, is_entered: bool) -> None:
        """Take what was written into a row: commit it when it was entered and may be a root, else keep it as a draft.

        A new row in which nothing was written goes.
        """
        row = self.rows[at]
        if row.root is None and not root.uri and not root.name:
            del self.rows[at]
            return
        is_same_uri = row.root is not None and row.root.uri == root.uri
        row.draft = root
        if is_same_uri or (is_entered and not root_problems([root])[0]):
            self.commit(row)

    def commit(self, row: RootRow, uri: str | None = None) -> None:
        """Let the server have the draft of a row, with another `uri` if one is given."""
        if row.draft is not None:
            row.root = row.draft if uri is None else Root(uri, row.draft.name)
            row.draft = None

    def discard(self, row: RootRow) -> None:
        """Drop the draft of a row, and a row that is nothing else."""
        row.draft = None
        if row.root is None:
            self.rows.remove(row)

    def move(self, at: int, by: int) -> None:
        """Exchange a row with the one `by` rows further."""
        self.rows[at], self.rows[at + by] = self.rows[at + by], self.rows[at]
