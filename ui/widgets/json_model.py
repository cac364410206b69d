"""JSON as a lazy tree of rows: key, value, type.

Nodes are made in pages when a row is opened, texts when a cell is painted, and nothing here recurses: ten megabytes or a
thousand levels cost no more than what is on screen. A container that is not wholly made ends with a row that says so. Very many items are counted
while the loop has time: until then their number is the one known so far, with a plus sign.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec
from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
)

from inspector.visible_text import one_line
from inspector.wire import lazy_json
from inspector.wire.lazy_json import LazyArray, LongArray
from ui.widgets.json_text import (
    KIND_TONES,
    brief,
    describe,
    extent,
    kind_of,
    pointer_keys,
    pointer_part,
)
from ui.widgets.labels import joined_tips, tool_tip

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QColor

    from inspector.wire.json_codec import Json
    from ui.theme import Theme
    from ui.widgets.underlines import Underline

PAGE = 1000
"""Children made at a time."""
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


class Column(IntEnum):
    """What a cell shows."""

    KEY = 0
    VALUE = 1
    TYPE = 2


class JsonNode:
    """One value in its place; or, with `is_more`, the row that stands for the children not made yet."""

    __slots__ = ("_value", "children", "is_more", "key", "keys", "more", "parent", "row")

    def __init__(
        self, parent: JsonNode | None, row: int, key: str | int, value: Json | msgspec.Raw
    ) -> None:
        """The child number `row` of `parent`, called `key`."""
        self.parent = parent
        self.row = row
        self.key = key
        self._value = value
        self.is_more = False
        self.more: JsonNode | None = None
        self.children: list[JsonNode] = []
        self.keys: list[str] | None = None

    @property
    def value(self) -> Json:
        """What stands here; read when it is first asked for."""
        if isinstance(self._value, msgspec.Raw):
            self._value = lazy_json.read(self._value)
        return self._value

    def total(self) -> int:
        """How many children there are, made or not; of very many items, how many are known to be."""
        if self.is_more:
            return 0
        if (items := self.uncounted) is not None:
            items.find_items(PAGE)
            return items.known
        return len(self.value) if isinstance(self.value, (dict, list)) else 0

    @property
    def uncounted(self) -> LongArray | None:
        """The value, if it is an array whose items are not counted."""
        value = self.value
        return value if isinstance(value, LongArray) and not value.is_counted else None

    def rows(self) -> int:
        """How many rows stand under this one."""
        return len(self.children) + (self.more is not None)

    def make_children(self, until: int) -> None:
        """Have the children up to, not including, number `until`."""
        value, start = self.value, len(self.children)
        if isinstance(value, dict):
            if self.keys is None:
                self.keys = list(value)
            self.children += [
                JsonNode(self, start + n, key, value[key])
                for n, key in enumerate(self.keys[start:until])
            ]
        elif isinstance(value, list):
            is_lazy = isinstance(value, LazyArray)
            items = value.unread(start, until) if is_lazy else value[start:until]
            self.children += [
                JsonNode(self, start + n, start + n, item) for n, item in enumerate(items)
            ]

    def row_of(self, key: str) -> int | None:
        """The number of the child called `key`, made or not."""
        if isinstance(self.value, dict):
            if self.keys is None:
                self.keys = list(self.value)
            return self.keys.index(key) if key in self.value else None
        if isinstance(self.value, list) and key.isdecimal():
            self.find_children(int(key) + 1)
            return int(key) if int(key) < self.total() else None
        return None

    def find_children(self, count: int) -> None:
        """Have `total` count this many children, if there are as many."""
        if (items := self.uncounted) is not None:
            items.find_items(count)

    def pointer(self) -> str:
        """Where the value is, as a JSON pointer."""
        parts: list[str] = []
        node = self
        while node.parent is not None and node.parent.total():
            parts.append(pointer_part(node.key))
            node = node.parent
        return "".join(reversed(parts))


class JsonModel(QAbstractItemModel):
    """A JSON value. The members of its outermost container are the top rows; anything else is the only row itself."""

    def __init__(self, *, theme: Theme, parent: QObject | None = None) -> None:
        """Empty until `set_value`."""
        super().__init__(parent)
        self._theme = theme
        self._root = JsonNode(None, 0, "", None)
        self._underlines: Mapping[str, Underline] = {}
        self._uncounted: list[JsonNode] = []
        """Arrays whose items are being counted, as they have been on screen."""
        self._counting = QTimer(self, singleShot=True, interval=0)
        self._counting.timeout.connect(self._on_counting_timeout)

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
        self._uncounted.clear()
        self._root = _made_root(value)
        self.endResetModel()
        del before  # until here: indexes made before the reset point into it

    def clear(self) -> None:
        """Show nothing."""
        self.beginResetModel()
        self._uncounted.clear()
        self._root = JsonNode(None, 0, "", None)
        self.endResetModel()

    def _count(self, node: JsonNode) -> None:
        if node.uncounted is not None and node not in self._uncounted:
            self._uncounted.append(node)
            self._counting.start()

    def _on_counting_timeout(self) -> None:
        if not self._uncounted:
            return
        node = self._uncounted[0]
        if (items := node.uncounted) is not None:
            items.find_for(COUNTING_SECONDS)
            self._counting.start()
            return
        self._uncounted.remove(node)
        for each in (node, node.more, node.parent):
            if each is not None and each.parent is not None:
                self.dataChanged.emit(self.index_of(each), self.index_of(each, Column.TYPE))
        self._counting.start()

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
            node.more = _more_node(node)
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
        return bool(node.total() or node.children)

    def canFetchMore(self, parent: _Index) -> bool:
        """Only the first page is fetched automatically; the "more" row fetches the others."""
        node = self.node(parent)
        return not node.children and node.total() > 0

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
            self._count(node.parent if node.is_more and node.parent is not None else node)
            return cell_text(node, index.column())
        if role == _FOREGROUND:
            return self._theme.color(_cell_tone(self.node(index), index.column()))
        if role == UNDERLINE_ROLE:
            found = self._underline(self.node(index), index.column())
            return found.tone if found is not None else None
        if role == _TOOL_TIP:
            tip = _cell_tip(self.node(index), index.column())
            found = self._underline(self.node(index), index.column())
            return joined_tips(tip, tool_tip(found.text)) if found is not None else tip
        if role == _ACCESSIBLE and index.column() == Column.KEY:
            node = self.node(index)
            text = f"{cell_text(node, Column.KEY)}: {cell_text(node, Column.VALUE)}"
            found = self._underline(node)
            return f"{text}, {found.text}" if found is not None else text
        return None


def cell_text(node: JsonNode, column: int) -> str:
    """What a cell says."""
    if node.is_more:
        return _more_text(node) if column == Column.VALUE else ""
    if column == Column.KEY:
        return one_line(str(node.key), 200)
    return brief(node.value) if column == Column.VALUE else describe(node.value)


def _more_text(node: JsonNode) -> str:
    container = node.parent
    if container is None:
        return ""
    return (
        f"{len(container.children):,} of {extent(container.value)} shown; press Enter to show more"
    )


def _cell_tone(node: JsonNode, column: int) -> str:
    if node.is_more:
        return "accent"
    if column == Column.KEY:
        return "key" if isinstance(node.key, str) else "muted"
    return KIND_TONES[kind_of(node.value)] if column == Column.VALUE else "muted"


def _cell_tip(node: JsonNode, column: int) -> str:
    if node.is_more or column == Column.TYPE:
        return ""
    if column == Column.KEY:
        return tool_tip(node.pointer())
    return tool_tip(node.value) if isinstance(node.value, str) else tool_tip(brief(node.value))


def _made_root(value: Json) -> JsonNode:
    root = JsonNode(None, 0, "", value)
    if root.total() == 0:
        root.children = [JsonNode(root, 0, "", value)]
        return root
    root.make_children(PAGE)
    if len(root.children) < root.total():
        root.more = _more_node(root)
    return root


def _more_node(container: JsonNode) -> JsonNode:
    node = JsonNode(container, len(container.children), "", None)
    node.is_more = True
    return node
