"""JSON as a lazy tree of rows: key, value, type.

Nodes are made in pages when a row is opened, texts when a cell is painted, and nothing here recurses: ten megabytes or a
thousand levels cost no more than what is on screen. A container that is not wholly made ends with a row that says so. Very many items are counted
while the loop has time: until then their number is the one known so far, with a plus sign. Values of many megabytes are read one in a turn of the loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from ui.widgets.json_node import (
    PAGE,
    Column,
    JsonNode,
    cell_text,
    cell_tip,
    cell_tone,
    made_root,
    more_node,
)
from ui.widgets.json_text import pointer_keys
from ui.widgets.labels import joined_tips, tool_tip

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QColor

    from inspector.wire.json_codec import Json
    from ui.theme import Theme
    from ui.widgets.underlines import Underline

COUNTING_SECONDS = 0.008
"""Of a turn of the loop, while very many items are counted."""
HEADINGS = ("Key", "Value", "Type")

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)

UNDERLINE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""The name of the color in which a value is underlined; None for most."""

_Index: TypeAlias = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class JsonModel(QAbstractItemModel):
    """A JSON value. The members of its outermost container are the top rows; anything else is the only row itself.

    Signals:
        value_read: the large value at this index was read, which had been on screen without.
    """

    value_read = Signal(QModelIndex)

    def __init__(self, *, theme: Theme, parent: QObject | None = None) -> None:
        """Empty until `set_value`."""
        super().__init__(parent)
        self._theme = theme
        self._root = JsonNode(None, 0, "", None)
        self._underlines: Mapping[str, Underline] = {}
        self._unread: list[JsonNode] = []
        """Large values that have been on screen and are not read yet: one is read in a turn."""
        self._uncounted: list[JsonNode] = []
        """Arrays whose items are being counted, as they have been on screen."""
        self._next_turn = QTimer(self, singleShot=True, interval=0)
        self._next_turn.timeout.connect(self._on_next_turn_timeout)

    def set_underlines(self, underlines: Mapping[str, Underline]) -> None:
        """Underline the values at these JSON pointers, of this value and of those that are set later."""
        if underlines != self._underlines:
            self._underlines = dict(underlines)
            if count := self.rowCount():  # of one cell a view would draw that cell alone
                self.dataChanged.emit(self.index(0, 0), self.index(count - 1, Column.TYPE))

    def _underline(self, node: JsonNode, column: int = Column.VALUE) -> Underline | None:
        if not self._underlines or column != Column.VALUE or node.is_more:
            return None
        return self._underlines.get(node.pointer())

    def value(self) -> Json:
        """The whole value."""
        return self._root.value

    def set_value(self, value: Json) -> None:
        """Show `value` instead."""
        before = self._root
        self.beginResetModel()
        self._unread.clear()
        self._uncounted.clear()
        self._root = made_root(value)
        self.endResetModel()
        del before  # until here: indexes made before the reset point into it

    def clear(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        self._unread.clear()
        self._uncounted.clear()
        self._root = JsonNode(None, 0, "", None)
        self.endResetModel()

    def _complete(self, node: JsonNode) -> None:
        """Read a value that is on screen, and count its items, in turns to come."""
        pending = self._unread if node.unread_kind else self._uncounted
        if (pending is self._unread or node.uncounted is not None) and node not in pending:
            pending.append(node)
            self._next_turn.start()

    def _on_next_turn_timeout(self) -> None:
        if self._unread:
            node = self._unread.pop(0)
            _ = node.value
            self._emit_changed(node, node.parent)
            self.value_read.emit(self.index_of(node))
        elif self._uncounted:
            node = self._uncounted[0]
            if (items := node.uncounted) is not None:
                items.find_for(COUNTING_SECONDS)
            else:
                self._uncounted.remove(node)
                self._emit_changed(node, node.more, node.parent)
        if self._unread or self._uncounted:
            self._next_turn.start()

    def _emit_changed(self, *nodes: JsonNode | None) -> None:
        for each in nodes:
            if each is not None and each.parent is not None:
                self.dataChanged.emit(self.index_of(each), self.index_of(each, Column.TYPE))

    def node(self, index: _Index) -> JsonNode:
        """What stands at `index`; the outermost value for none."""
        return cast("JsonNode", index.internalPointer()) if index.isValid() else self._root

    def index_of(self, node: JsonNode, column: int = 0) -> QModelIndex:
        """Where `node` stands."""
        return _NOWHERE if node.parent is None else self.createIndex(node.row, column, node)

    def make_more(self, node: JsonNode, until: int = 0) -> None:
        """Make the next page of children of `node`, or as far as number `until`."""
        start = len(node.children)
        until = max(until, start + PAGE)
        node.find_children(until + 1)  # one more, to know whether these are all
        total = node.total()
        until = min(until, total)
        if start >= total:
            return
        where = self.index_of(node)
        self.beginInsertRows(where, start, until - 1)
        node.make_children(until)
        if node.more is not None:
            node.more.row = until
        self.endInsertRows()
        self._fit_more(node, where)

    def _fit_more(self, node: JsonNode, where: QModelIndex) -> None:
        made, total = len(node.children), node.total()
        if made < total and node.more is None:
            self.beginInsertRows(where, made, made)
            node.more = more_node(node)
            self.endInsertRows()
        elif made == total and node.more is not None:
            self.beginRemoveRows(where, made, made)
            before, node.more = node.more, None
            self.endRemoveRows()
            del before

    def find(self, pointer: str) -> QModelIndex:
        """The row at a JSON pointer, made if needed; an invalid index without one."""
        node = self._root
        for key in pointer_keys(pointer):
            row = node.row_of(key)
            if row is None:
                return _NOWHERE
            if row >= len(node.children):
                self.make_more(node, row + 1)
            node = node.children[row]
        if node is self._root and not node.total() and node.children:
            node = node.children[0]
        return self.index_of(node)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Rows made so far."""
        return 0 if parent.column() > 0 else self.node(parent).rows()

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        """Key, value and type."""
        return len(Column)

    def hasChildren(self, parent: _Index = _NOWHERE) -> bool:
        """Whether the row can be opened."""
        if parent.column() > 0:
            return False
        node = self.node(parent)
        if kind := node.unread_kind:
            return kind != "string"
        return bool(node.total() or node.children)

    def canFetchMore(self, parent: _Index) -> bool:
        """Only the first page is fetched automatically; the "more" row fetches the others."""
        node = self.node(parent)
        return not node.children and (node.unread_kind != "" or node.total() > 0)

    def fetchMore(self, parent: _Index) -> None:
        """Make the first page."""
        self.make_more(self.node(parent))

    def index(self, row: int, column: int, parent: _Index = _NOWHERE) -> QModelIndex:
        """A cell."""
        node = self.node(parent)
        if not (0 <= row < node.rows() and 0 <= column < len(Column)):
            return QModelIndex()
        child = node.children[row] if row < len(node.children) else node.more
        return self.createIndex(row, column, child)

    def parent(self, index: _Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        """The row above in the tree."""
        node = self.node(index).parent
        return QModelIndex() if node is None else self.index_of(node)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY
    ) -> str | None:
        """The names of the columns."""
        if role == _DISPLAY and orientation is Qt.Orientation.Horizontal:
            return HEADINGS[section]
        return None

    def data(self, index: _Index, role: int = _DISPLAY) -> str | QColor | None:
        """Text and color of a cell, made now."""
        if role == _DISPLAY:
            node = self.node(index)
            self._complete(node.parent if node.is_more and node.parent is not None else node)
            return cell_text(node, index.column())
        if role == _FOREGROUND:
            return self._theme.color(cell_tone(self.node(index), index.column()))
        if role == UNDERLINE_ROLE:
            found = self._underline(self.node(index), index.column())
            return found.tone if found is not None else None
        if role == _TOOL_TIP:
            tip = cell_tip(self.node(index), index.column())
            found = self._underline(self.node(index), index.column())
            return joined_tips(tip, tool_tip(found.text)) if found is not None else tip
        if role == _ACCESSIBLE and index.column() == Column.KEY:
            node = self.node(index)
            text = f"{cell_text(node, Column.KEY)}: {cell_text(node, Column.VALUE)}"
            found = self._underline(node)
            return f"{text}, {found.text}" if found is not None else text
        return None
