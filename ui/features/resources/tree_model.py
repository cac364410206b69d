"""Resources and templates as rows of a tree or a flat list, with an own filter and marks for what was updated."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.features.resources import kind_icon
from ui.features.resources.nodes import Kind, Node, by_path, flat
from ui.widgets import units
from ui.widgets.list_delegate import BADGES_ROLE, BOLD_ROLE, SECONDARY_ROLE, TONE_ROLE, spoken
from ui.widgets.tool_tip import tool_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from PySide6.QtGui import QIcon

    from inspector.features.subscriptions import Update
    from inspector.finding import Finding
    from inspector.spec.views.resource import Addressed, ResourceView, TemplateView
    from ui.theme import Theme

DUPLICATE = "L-RES-02"
"""The rule about addresses that more than one entry has."""

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Listed(NamedTuple):
    """What is listed."""

    resources: Sequence[ResourceView] = ()
    """In the order of the server."""
    templates: Sequence[TemplateView] = ()
    """In the order of the server."""
    resource_clashes: Mapping[int, tuple[Finding, ...]] = {}
    """Findings about addresses, by position."""
    template_clashes: Mapping[int, tuple[Finding, ...]] = {}
    """Findings about addresses, by position."""

    def items(self, kind: Kind) -> Sequence[Addressed]:
        """One of the two lists."""
        return self.templates if kind is Kind.TEMPLATE else self.resources

    def clashes(self, kind: Kind, position: int) -> tuple[Finding, ...]:
        """What is odd about an entry beside the others."""
        found = self.template_clashes if kind is Kind.TEMPLATE else self.resource_clashes
        return found.get(position, ())


class ResourceTreeModel(QAbstractItemModel):
    """Entries that match the filter, in the order of the server within each folder."""

    def __init__(self, *, theme: Theme, parent: QObject | None = None) -> None:
        """Start empty, as a tree."""
        super().__init__(parent)
        self.listed = Listed()
        self.is_tree = True
        self._theme = theme
        self._words: list[str] = []
        self._updates: Mapping[str, Update] = {}
        self._subscribed: Collection[str] = ()
        self._searched: dict[Kind, list[str]] = {}
        self._root = Node(Kind.GROUP, "")
        self._leaves: dict[tuple[Kind, int], Node] = {}

    def set_listed(self, listed: Listed) -> None:
        """Show these instead."""
        self._searched = {
            kind: [_searched(item) for item in listed.items(kind)]
            for kind in (Kind.RESOURCE, Kind.TEMPLATE)
        }
        self.listed = listed
        self._rebuild()

    def set_filter(self, text: str) -> bool:
        """Keep only what has every word of `text` in what it says of itself; True if rows were replaced."""
        words = text.casefold().split()
        if words == self._words:
            return False
        self._words = words
        self._rebuild()
        return True

    def set_tree(self, is_tree: bool) -> None:
        """Show folders, or all entries one below the other."""
        self.is_tree = is_tree
        self._rebuild()

    def set_marks(self, updates: Mapping[str, Update], subscribed: Collection[str]) -> None:
        """Mark the addresses that were updated, and those we subscribed to."""
        before = {uri: update.frame for uri, update in self._updates.items()}
        now = {uri: update.frame for uri, update in updates.items()}
        changed = {uri for uri, _ in before.items() ^ now.items()}
        changed |= set(self._subscribed) ^ set(subscribed)
        self._updates, self._subscribed = dict(updates), frozenset(subscribed)
        for (kind, position), node in self._leaves.items():
            if changed and self.listed.items(kind)[position].address in changed:
                self.dataChanged.emit(self._index(node), self._index(node))

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on."""
        return bool(self._words)

    @property
    def shown(self) -> int:
        """How many entries match."""
        return len(self._leaves)

    def leaf(self, kind: Kind, position: int) -> QModelIndex:
        """The row of an entry; invalid when the filter hides it."""
        node = self._leaves.get((kind, position))
        return self._index(node) if node is not None else QModelIndex()

    def node(self, index: _Index) -> Node:
        """What a row stands for; the root for no row."""
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, Node) else self._root

    def entry(self, index: _Index) -> Addressed | None:
        """The resource or template of a row."""
        node = self.node(index)
        return self.listed.items(node.kind)[node.position] if node.position >= 0 else None

    def folders(self) -> Iterator[tuple[QModelIndex, str]]:
        """Every group and folder with its path."""
        waiting = list(self._root.children)
        while waiting:
            node = waiting.pop()
            if node.children:
                yield self._index(node), node.path
                waiting += node.children

    def index(self, row: int, column: int, parent: _Index = _NOWHERE) -> QModelIndex:
        """A row below `parent`."""
        children = self.node(parent).children
        if column or not 0 <= row < len(children):
            return QModelIndex()
        return self.createIndex(row, 0, children[row])

    # Qt has two functions of this name, and the stubs ask for both in one.
    def parent(self, child: _Index = _NOWHERE) -> QModelIndex:  # type: ignore[override] - see above
        """The row above."""
        above = self.node(child).parent
        return QModelIndex() if above is None or above is self._root else self._index(above)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """How many rows are in a row."""
        return len(self.node(parent).children)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        """One."""
        return 1

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Groups and folders open and close; entries can be chosen."""
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Icon, name, secondary words and badges of one row."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(index)
        node = self.node(index)
        entry = self.entry(index)
        if entry is None:
            return self._folder_data(node, role)
        read = _LEAF_DATA.get(role)
        return read(self, node, entry) if read is not None else None

    def badges(self, node: Node, entry: Addressed) -> list[tuple[str, str]]:
        """What is to be seen at once about an entry."""
        badges: list[tuple[str, str]] = []
        update = self._updates.get(entry.address) if node.kind is Kind.RESOURCE else None
        if update is not None:
            badges.append((f"updated {units.clock_time(update.wall)[:8]}", "pending"))
        elif node.kind is Kind.RESOURCE and entry.address in self._subscribed:
            badges.append(("subscribed", "muted"))
        clashes = self.listed.clashes(node.kind, node.position)
        if any(finding.rule == DUPLICATE for finding in clashes):
            badges.append(("duplicate", "warning"))
        if entry.problems:
            badges.append((f"{len(entry.problems)} ⚠", "warning"))
        size = _size(entry)
        return [*badges, (size, "muted")] if size else badges

    def icon(self, node: Node, entry: Addressed) -> QIcon:
        """The icon for what an entry is said to be."""
        template = node.kind is Kind.TEMPLATE
        name = kind_icon.TEMPLATE if template else kind_icon.icon_of(entry.mime_type)
        return self._theme.icon(name, "muted")

    def _folder_data(self, node: Node, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return node.words
        if role == SECONDARY_ROLE:
            return f"{node.leaves:,}"
        if role == BOLD_ROLE:
            return node.kind is Kind.GROUP
        if role == Qt.ItemDataRole.DecorationRole and node.kind is Kind.FOLDER:
            return self._theme.icon(kind_icon.DIRECTORY, "faint")
        if role == TONE_ROLE:
            return "muted"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(node.path)
        return None

    def _rebuild(self) -> None:
        self.beginResetModel()
        before = self._root  # indexes of the view point to its nodes until the end of the reset
        self._root = Node(Kind.GROUP, "")
        arrange = by_path if self.is_tree else flat
        for kind, words in ((Kind.TEMPLATE, "Templates"), (Kind.RESOURCE, "Resources")):
            leaves = list(self._matching(kind))
            if leaves:
                group = self._root.add(Node(Kind.GROUP, words, path=words))
                # The steps of a template would be cut out of its expressions.
                (flat if kind is Kind.TEMPLATE else arrange)(kind, group, leaves)
        self._leaves = {(node.kind, node.position): node for node in self._all_leaves()}
        self.endResetModel()
        del before

    def _all_leaves(self) -> Iterator[Node]:
        waiting = list(self._root.children)
        while waiting:
            node = waiting.pop()
            if node.position >= 0:
                yield node
            waiting += node.children

    def _matching(self, kind: Kind) -> Iterator[tuple[int, str]]:
        texts = self._searched.get(kind, [])
        for at, item in enumerate(self.listed.items(kind)):
            if all(word in texts[at] for word in self._words):
                yield at, item.address_label

    def _index(self, node: Node) -> QModelIndex:
        return self.createIndex(node.row, 0, node)


def _size(entry: Addressed) -> str:
    size = getattr(entry, "size", None)
    return units.size(size) if isinstance(size, int) else ""


def _searched(item: Addressed) -> str:
    parts = (item.name, item.title, item.address, item.description, item.mime_type)
    return "\n".join((*parts, *item.annotations.audience)).casefold()


def _tip(entry: Addressed) -> str:
    lines = [entry.label, entry.name if entry.name != entry.label else "", entry.address_label]
    return "\n".join(line for line in (*lines, entry.mime_type, entry.description) if line)


_LEAF_DATA: dict[int, Callable[[ResourceTreeModel, Node, Addressed], object]] = {
    int(Qt.ItemDataRole.DisplayRole): lambda _model, _node, entry: entry.label,
    SECONDARY_ROLE: lambda _model, node, entry: "" if node.words == entry.label else node.words,
    int(Qt.ItemDataRole.DecorationRole): ResourceTreeModel.icon,
    BADGES_ROLE: ResourceTreeModel.badges,
    TONE_ROLE: lambda _model, _node, entry: "text" if entry.has_address else "error",
    int(Qt.ItemDataRole.ToolTipRole): lambda _model, _node, entry: tool_tip(_tip(entry)),
}
"""Role → what it is for an entry."""
