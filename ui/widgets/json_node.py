"""One value in a JSON tree, with the children that were made so far, and what its cells say. A large value is not read before it is needed."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

import msgspec

from inspector.visible_text import one_line
from inspector.wire import lazy_json
from inspector.wire.lazy_json import LazyArray, LazyObject, LongArray
from ui.widgets.json_text import (
    KIND_TONES,
    brief,
    describe,
    extent,
    is_deferred,
    kind_of,
    kind_of_text,
    pointer_part,
)
from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

PAGE = 1000
"""Children made at a time."""


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
            above = self.parent.value if self.parent is not None else None
            if isinstance(above, LazyObject):
                self._value = above[str(self.key)]  # where it is read once
            elif isinstance(above, LazyArray):
                self._value = above[int(self.key)]
            else:
                self._value = lazy_json.read(self._value)
        return self._value

    @property
    def unread_kind(self) -> str:
        """The JSON type of a value that is not read yet, and so large that it is read in a turn of its own; empty for any other."""
        value = self._value
        return kind_of_text(value) if is_deferred(value) else ""

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
            unread = value.unread if isinstance(value, LazyObject) else value.__getitem__
            self.children += [
                JsonNode(self, start + n, key, unread(key))
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


def cell_text(node: JsonNode, column: int) -> str:
    """What a cell says; of a value that is not read yet, nothing but its type."""
    if node.is_more:
        return _more_text(node) if column == Column.VALUE else ""
    if column == Column.KEY:
        return one_line(str(node.key), 200)
    if kind := node.unread_kind:
        return "…" if column == Column.VALUE else kind
    return brief(node.value) if column == Column.VALUE else describe(node.value)


def _more_text(node: JsonNode) -> str:
    container = node.parent
    if container is None:
        return ""
    return (
        f"{len(container.children):,} of {extent(container.value)} shown; press Enter to show more"
    )


def cell_tone(node: JsonNode, column: int) -> str:
    """The name of the color of a cell."""
    if node.is_more:
        return "accent"
    if column == Column.KEY:
        return "key" if isinstance(node.key, str) else "muted"
    return (
        KIND_TONES[node.unread_kind or kind_of(node.value)] if column == Column.VALUE else "muted"
    )


def cell_tip(node: JsonNode, column: int) -> str:
    """The tooltip of a cell."""
    if node.is_more or column == Column.TYPE:
        return ""
    if column == Column.KEY:
        return tool_tip(node.pointer())
    if node.unread_kind:
        return ""
    return tool_tip(node.value) if isinstance(node.value, str) else tool_tip(brief(node.value))


def made_root(value: Json) -> JsonNode:
    """The outermost value with its first children."""
    root = JsonNode(None, 0, "", value)
    if root.total() == 0:
        root.children = [JsonNode(root, 0, "", value)]
        return root
    root.make_children(PAGE)
    if len(root.children) < root.total():
        root.more = more_node(root)
    return root


def more_node(container: JsonNode) -> JsonNode:
    """The row that stands for the children of `container` that are not made yet."""
    node = JsonNode(container, len(container.children), "", None)
    node.is_more = True
    return node
