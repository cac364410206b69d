"""A JSON value of any size as a tree to look at, search and copy from.

Opening is by row and by page; only what is on screen is ever turned into text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QTreeView, QWidget

from inspector.wire import json_codec, lazy_json
from inspector.wire.json_codec import DecodedJson
from ui.tab_order import scroll_to_part
from ui.widgets.clipboard import copy_text
from ui.widgets.json_model import UNDERLINE_ROLE, JsonModel
from ui.widgets.json_node import Column, JsonNode
from ui.widgets.json_text import MAX_STRING
from ui.widgets.underlines import UnderliningDelegate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inspector.wire.json_codec import Json, JsonWarning
    from ui.theme import Theme
    from ui.widgets.underlines import Underline

NOTED_BYTES = 1 << 19
"""Bytes of text that are read as a whole, so that duplicate names and the like are noticed."""
OPEN_ROWS = 40
"""Rows that a new value opens automatically at most."""
VALUE_CHARACTERS = 20
"""Room of a value: what there is beyond it goes to the keys first, then to the types."""
TYPE_CHARACTERS = len("string · 10,000 ")
ROW_PIXELS = 18
"""Height of a row at 100%."""
OPEN_ALL_ROWS = 2000
"""Rows that *Expand all* opens at most."""


class JsonTree(QTreeView):
    """Key, value, type.

    Signals:
        text_requested: show the whole string at this JSON pointer.
        noted: `notes()` or `problem()` changed.
        menu_requested: add to this menu what can be done with the value (third) at this JSON pointer.
    """

    text_requested = Signal(str, str)
    noted = Signal()
    menu_requested = Signal(object, str, object)

    def __init__(
        self, *, theme: Theme, name: str = "json_tree", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._notes: tuple[JsonWarning, ...] = ()
        self._problem = ""
        self._keys = 0
        """Pixels that the widest key seen of this value would take."""
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self.json = JsonModel(theme=self._theme, parent=self)
        self.setModel(self.json)
        self._rows = UnderliningDelegate(theme=self._theme, role=UNDERLINE_ROLE, parent=self)
        self.setItemDelegate(self._rows)
        self.setAccessibleName("JSON")
        self.setProperty("surface", "sunken")
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setExpandsOnDoubleClick(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHeaderHidden(True)
        header = self.header()
        header.setStretchLastSection(False)
        header.setResizeContentsPrecision(0)
        header.setSectionResizeMode(Column.KEY, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(Column.VALUE, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(Column.TYPE, QHeaderView.ResizeMode.Interactive)
        self._scan = QTimer(self, singleShot=True, interval=0)

    def _wire(self) -> None:
        self._theme.changed.connect(self._refresh)
        self.customContextMenuRequested.connect(self._on_menu_requested)
        self.activated.connect(self._on_activated)
        # Not `start` itself: it would take the value of the signal for an interval.
        self.expanded.connect(lambda: self._scan.start())
        self.collapsed.connect(lambda: self._scan.start())
        self.verticalScrollBar().valueChanged.connect(lambda: self._scan.start())
        self._scan.timeout.connect(self._on_scan_timeout)
        self.json.value_read.connect(self._on_value_read)

    def _refresh(self) -> None:
        self.setFont(self._theme.mono())
        self.setIndentation(self._theme.px(14))
        self._rows.set_height(self._theme.px(ROW_PIXELS))
        self.setColumnWidth(Column.TYPE, self._characters(TYPE_CHARACTERS))
        self._fit_columns()

    def value(self) -> Json:
        """The whole value."""
        return self.json.value()

    def set_underlines(self, underlines: Mapping[str, Underline]) -> None:
        """Underline the values at these JSON pointers."""
        self._rows.is_used = bool(underlines)
        self.json.set_underlines(underlines)

    def notes(self) -> tuple[JsonWarning, ...]:
        """What reading the text of `set_raw` needed tolerance for, such as duplicate keys."""
        return self._notes

    def problem(self) -> str:
        """Why the text of `set_raw` is not JSON; empty if it is."""
        return self._problem

    def set_value(self, value: Json, notes: tuple[JsonWarning, ...] = ()) -> None:
        """Show `value`, a little opened."""
        self._problem = ""
        self._notes = notes
        self.json.set_value(value)
        self._keys = 0
        _open_some(self)
        self._fit_columns()
        self.noted.emit()

    def set_raw(self, raw: bytes) -> bool:
        """Read and show JSON text; False, an empty tree and `problem()` if it is none.

        Of text beyond `NOTED_BYTES` only what is on screen is read, and nothing is reported of tolerances.
        """
        try:
            noted = len(raw) <= NOTED_BYTES
            text = json_codec.read(raw) if noted else DecodedJson(lazy_json.read(raw))
        except json_codec.JsonSyntaxError as error:
            self._notes = ()
            self._problem = str(error)
            self.json.clear()
            self.noted.emit()
            return False
        self.set_value(text.value, text.notes)
        return True

    def reveal(self, pointer: str) -> bool:
        """Open, select and scroll to the row at a JSON pointer; False without one."""
        self.scheduleDelayedItemsLayout()  # rows made on the way are laid out once
        index = self.json.find(pointer)
        self.executeDelayedItemsLayout()
        if not index.isValid():
            return False
        above = index.parent()
        while above.isValid():
            self.expand(above)
            above = above.parent()
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        scroll_to_part(self, self.visualRect(index))
        return True

    def current(self) -> JsonNode | None:
        """The row with the cursor, if it stands for a value."""
        index = self.currentIndex()
        node = self.json.node(index) if index.isValid() else None
        return None if node is None or node.is_more else node

    def copy_value(self) -> None:
        """A string as it is, anything else as JSON on one line."""
        if (node := self.current()) is not None:
            value = node.value
            copy_text(value if isinstance(value, str) else json_codec.write(value))

    def copy_json(self) -> None:
        """The value with all under it as indented JSON."""
        if (node := self.current()) is not None:
            copy_text(json_codec.write(node.value, indent=2))

    def copy_path(self) -> None:
        """Where it is, as a JSON pointer."""
        if (node := self.current()) is not None:
            copy_text(node.pointer())

    def copy_key(self) -> None:
        """Its name."""
        if (node := self.current()) is not None:
            copy_text(str(node.key))

    def open_all(self) -> None:
        """Open everything under the cursor (or everything), up to `OPEN_ALL_ROWS` rows."""
        start = self.currentIndex().siblingAtColumn(0)
        _open_by_level(self, start, OPEN_ALL_ROWS)

    def _fit_columns(self) -> None:
        """Give the keys that have been on screen all their room, as long as a little is left for the values; types only what is over."""
        self._keys = max(self._keys, self.sizeHintForColumn(Column.KEY) + self._theme.PADDING_PX)
        width, value = self.viewport().width(), self._characters(VALUE_CHARACTERS)
        key_width = max(width - value, width * 2 // 5, self._theme.px(120))
        self.setColumnWidth(Column.KEY, min(self._keys, key_width))
        types = self._characters(TYPE_CHARACTERS)
        self.setColumnHidden(Column.TYPE, width - min(self._keys, key_width) - types < value)

    def _characters(self, count: int) -> int:
        return self.fontMetrics().horizontalAdvance("0") * count

    def _on_value_read(self, index: QModelIndex) -> None:
        if not index.parent().isValid() and self.json.rowCount() < OPEN_ROWS:
            _open_fitting(self, index, self._open_rows())
        self._fit_columns()

    def _open_rows(self) -> int:
        """Rows that are open: the top ones and the children of those that are opened."""
        count = self.json.rowCount()
        tops = [self.json.index(row, 0) for row in range(count)]
        return count + sum(self.json.node(top).rows() for top in tops if self.isExpanded(top))

    def _on_scan_timeout(self) -> None:
        containers = {
            id(n.parent): n.parent for _, n in _visible_nodes(self) if n.is_more and n.parent
        }
        for container in containers.values():
            self.json.make_more(container)
        self._fit_columns()

    def _on_activated(self, index: QModelIndex) -> None:
        node = self.json.node(index)
        if node.is_more and node.parent is not None:
            self.json.make_more(node.parent)
        elif isinstance(node.value, str) and len(node.value) > MAX_STRING:
            self.text_requested.emit(node.pointer(), node.value)

    def _on_menu_requested(self, position: QPoint) -> None:
        node = self.current()
        if node is None:
            return
        menu = QMenu(self)
        menu.setObjectName("json_menu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy value", QKeySequence.StandardKey.Copy, self.copy_value)
        menu.addAction("Copy as JSON", self.copy_json)
        menu.addAction("Copy key", self.copy_key)
        menu.addAction("Copy path", QKeySequence("Ctrl+Shift+C"), self.copy_path)
        menu.addSeparator()
        if isinstance(node.value, str):
            text = node.value
            menu.addAction(
                "Show full text…", lambda: self.text_requested.emit(node.pointer(), text)
            )
        menu.addAction("Expand all", self.open_all)
        menu.addAction("Collapse all", self.collapseAll)
        self.menu_requested.emit(menu, node.pointer(), node.value)
        menu.popup(self.viewport().mapToGlobal(position))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The keys come first in any width."""
        super().resizeEvent(event)
        self._fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copying; and `*`, which Qt would let open millions of rows."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_value()
        elif QKeySequence(event.keyCombination()) == QKeySequence("Ctrl+Shift+C"):
            self.copy_path()
        elif event.key() == Qt.Key.Key_Asterisk:
            self.open_all()
        else:
            super().keyPressEvent(event)


def _open_some(tree: JsonTree) -> None:
    """Open top rows that fit on a screen together."""
    model = tree.json
    visible = model.rowCount()
    for row in range(min(visible, OPEN_ROWS)):
        index = model.index(row, 0)
        if not model.node(index).unread_kind:  # else `value_read` comes to it
            visible += _open_fitting(tree, index, visible)


def _open_fitting(tree: JsonTree, index: QModelIndex, visible: int) -> int:
    """Open a row if its children fit on a screen with `visible` other rows; return how many there are then."""
    total = tree.json.node(index).total()
    if not total or visible + total > OPEN_ROWS:
        return 0
    tree.expand(index)
    return total


def _open_by_level(tree: JsonTree, start: QModelIndex, budget: int) -> None:
    model = tree.json
    tree.scheduleDelayedItemsLayout()  # one layout at the end, not one for each row
    pending = [start]
    for index in pending:
        node = model.node(index)
        budget -= min(node.total(), budget)
        if not budget:
            break
        if not node.children:
            model.make_more(node)
        if index.isValid():
            tree.expand(index)
        pending += [model.index_of(child) for child in node.children if child.total()]
    tree.executeDelayedItemsLayout()


def _visible_nodes(tree: JsonTree) -> Iterator[tuple[QModelIndex, JsonNode]]:
    index = tree.indexAt(QPoint(0, 0))
    bottom = tree.viewport().height()
    while index.isValid() and tree.visualRect(index).top() < bottom:
        yield index, tree.json.node(index)
        index = tree.indexBelow(index)
