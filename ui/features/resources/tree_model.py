"""Resources and templates as rows of a tree or a flat list, with an own filter and marks for what was updated."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.features.resources.nodes import Branch, ResourceKind, ResourceNode
from ui.features.resources.resource_facts import DIRECTORY, TEMPLATE, icon_of
from ui.models.list_rows import MARK_TONES, begins_with, list_signs
from ui.widgets import units
from ui.widgets.delegates import (
    BADGES_ROLE,
    BOLD_ROLE,
    PLAIN,
    SECONDARY_ROLE,
    SIGNS_ROLE,
    TONE_ROLE,
    Sign,
    accessible_row_text,
)
from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from PySide6.QtGui import QIcon

    from inspector.features.subscriptions import Update
    from inspector.finding import Finding
    from inspector.spec.views.resource import Addressed, ResourceView, TemplateView
    from ui.theme import Theme

DUPLICATE = "L-RES-02"
"""The rule about URIs that more than one entry has."""

GROUPS = {ResourceKind.TEMPLATE: "Templates", ResourceKind.RESOURCE: "Resources"}
"""The two lists in the order of their rows, and their names."""

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Listed(NamedTuple):
    """The resources and templates of a server."""

    resources: Sequence[ResourceView] = ()
    """In the order of the server."""
    templates: Sequence[TemplateView] = ()
    """In the order of the server."""
    resource_clashes: Mapping[int, tuple[Finding, ...]] = {}
    """Findings about URIs, by position."""
    template_clashes: Mapping[int, tuple[Finding, ...]] = {}
    """Findings about URIs, by position."""

    resource_marks: Mapping[int, str] = {}
    """What is new or changed, by position."""
    template_marks: Mapping[int, str] = {}
    """What is new or changed, by position."""

    def marks(self, kind: ResourceKind) -> Mapping[int, str]:
        """The marks of one of the two lists."""
        return self.template_marks if kind is ResourceKind.TEMPLATE else self.resource_marks

    def items(self, kind: ResourceKind) -> Sequence[Addressed]:
        """One of the two lists."""
        return self.templates if kind is ResourceKind.TEMPLATE else self.resources

    def all_clashes(self, kind: ResourceKind) -> Mapping[int, tuple[Finding, ...]]:
        """Findings about the addresses of one of the two lists, by position."""
        return self.template_clashes if kind is ResourceKind.TEMPLATE else self.resource_clashes

    def clashes(self, kind: ResourceKind, position: int) -> tuple[Finding, ...]:
        """Return the findings about an entry and others."""
        return self.all_clashes(kind).get(position, ())


class ResourceTreeModel(QAbstractItemModel):
    """Entries that match the filter, in the order of the server within each folder."""

    def __init__(self, *, theme: Theme, parent: QObject | None = None) -> None:
        """Start empty, as a tree."""
        super().__init__(parent)
        self.listed = Listed()
        self.is_tree = True
        self._theme = theme
        self._terms: list[str] = []
        self._updates: Mapping[str, Update] = {}
        self._subscribed: Collection[str] = ()
        self._searched: dict[ResourceKind, list[str]] = {kind: [] for kind in GROUPS}
        self._branches: dict[ResourceKind, Branch] = {}
        self._root = ResourceNode(ResourceKind.GROUP, "")
        self._leaves: dict[tuple[ResourceKind, int], ResourceNode] = {}

    def grows_to(self, listed: Listed) -> bool:
        """Whether `listed` only adds entries: then rows can be appended."""
        before = self.listed
        return all(begins_with(listed.items(kind), before.items(kind)) for kind in GROUPS)

    def grow(self, listed: Listed) -> None:
        """Append the rows of new entries."""
        before, self.listed = self.listed, listed
        for kind in GROUPS:
            known = len(self._searched[kind])
            self._searched[kind] += [_searched(item) for item in listed.items(kind)[known:]]
            self._add(kind, list(self._matching(kind, known)))
            changed = before.all_clashes(kind).keys() ^ listed.all_clashes(kind).keys()
            changed |= before.marks(kind).keys() ^ listed.marks(kind).keys()
            for node in (self._leaves.get((kind, position)) for position in changed):
                if node is not None:
                    self.node_changed(node)

    def set_listed(self, listed: Listed) -> None:
        """Replace all rows."""
        self._searched = {kind: [_searched(item) for item in listed.items(kind)] for kind in GROUPS}
        self.listed = listed
        self._rebuild()

    def set_filter(self, text: str) -> bool:
        """Keep only entries with every term of `text` in one of their texts; True if rows were replaced."""
        terms = text.casefold().split()
        if terms == self._terms:
            return False
        self._terms = terms
        self._rebuild()
        return True

    def set_tree(self, is_tree: bool) -> None:
        """Show folders, or all entries one below the other."""
        self.is_tree = is_tree
        self._rebuild()

    def set_marks(self, updates: Mapping[str, Update], subscribed: Collection[str]) -> None:
        """Mark updated and subscribed URIs."""
        before = {uri: update.frame for uri, update in self._updates.items()}
        now = {uri: update.frame for uri, update in updates.items()}
        changed = {uri for uri, _ in before.items() ^ now.items()}
        changed |= set(self._subscribed) ^ set(subscribed)
        self._updates, self._subscribed = dict(updates), frozenset(subscribed)
        if not changed:
            return
        for (kind, position), node in self._leaves.items():
            if self.listed.items(kind)[position].address in changed:
                self.node_changed(node)

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on."""
        return bool(self._terms)

    @property
    def count_matching(self) -> int:
        """The number of entries that match the filter."""
        return len(self._leaves)

    def leaf(self, kind: ResourceKind, position: int) -> QModelIndex:
        """The row of an entry; invalid when the filter hides it."""
        node = self._leaves.get((kind, position))
        return self.index_of(node) if node is not None else QModelIndex()

    def node(self, index: _Index) -> ResourceNode:
        """What a row stands for; the root for no row."""
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, ResourceNode) else self._root

    def entry(self, index: _Index) -> Addressed | None:
        """The resource or template of a row."""
        node = self.node(index)
        return self.listed.items(node.kind)[node.position] if node.position >= 0 else None

    def entries(self) -> Iterator[QModelIndex]:
        """Yield the rows of entries from top to bottom, in collapsed folders as well."""
        pending = list(reversed(self._root.children))
        while pending:
            node = pending.pop()
            if node.position >= 0:
                yield self.index_of(node)
            pending += reversed(node.children)

    def folders(self) -> Iterator[tuple[QModelIndex, str]]:
        """Every group and folder with its path."""
        pending = list(self._root.children)
        while pending:
            node = pending.pop()
            if node.children:
                yield self.index_of(node), node.path
                pending += node.children

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
        return QModelIndex() if above is None or above is self._root else self.index_of(above)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """How many rows are in a row."""
        return len(self.node(parent).children)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        """One."""
        return 1

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Return that every row can be selected."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return icon, name, secondary text and badges of one row."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return accessible_row_text(index)
        node = self.node(index)
        entry = self.entry(index)
        if entry is None:
            return self._folder_data(node, role)
        read = _LEAF_DATA.get(role)
        return read(self, node, entry) if read is not None else None

    def badges(self, node: ResourceNode, entry: Addressed) -> list[tuple[str, str]]:
        """Return the badges of an entry, as (text, tone)."""
        mark = self.listed.marks(node.kind).get(node.position)
        badges = [(mark, MARK_TONES[mark])] if mark is not None else []
        update = self._updates.get(entry.address) if node.kind is ResourceKind.RESOURCE else None
        if update is not None:
            badges.append((f"updated {units.clock_time(update.wall_s)[:8]}", "pending"))
        elif node.kind is ResourceKind.RESOURCE and entry.address in self._subscribed:
            badges.append(("subscribed", "muted"))
        size = _size(entry)
        return [*badges, (size, PLAIN)] if size else badges

    def icon(self, node: ResourceNode, entry: Addressed) -> QIcon:
        """Return the icon of the declared media type."""
        template = node.kind is ResourceKind.TEMPLATE
        name = TEMPLATE if template else icon_of(entry.mime_type)
        return self._theme.icon(name, "muted")

    def _folder_data(self, node: ResourceNode, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return node.text
        if role == SECONDARY_ROLE:
            return f"{node.leaves:,}"
        if role == BOLD_ROLE:
            return node.kind is ResourceKind.GROUP
        if role == Qt.ItemDataRole.DecorationRole and node.kind is ResourceKind.FOLDER:
            return self._theme.icon(DIRECTORY, "muted")
        if role == TONE_ROLE:
            return "muted"
        if role == Qt.ItemDataRole.ToolTipRole:
            return tool_tip(node.path)
        return None

    def _rebuild(self) -> None:
        self.beginResetModel()
        before = self._root  # indexes of the view point to its nodes until the end of the reset
        self._root, self._leaves, self._branches = ResourceNode(ResourceKind.GROUP, ""), {}, {}
        for kind in GROUPS:
            self._add(kind, list(self._matching(kind)), is_reset=True)
        self.endResetModel()
        del before

    def _add(
        self, kind: ResourceKind, leaves: Sequence[tuple[int, str]], *, is_reset: bool = False
    ) -> None:
        """Put entries, given as (position, URI), at the end of their folders."""
        if not leaves:
            return
        branch = self._branches.get(kind)
        if branch is not None:
            self._keep(branch.add(leaves, _Announcing(self)))
            return
        name = GROUPS[kind]
        # Segments of a template would cut through its expressions.
        has_folders = self.is_tree and kind is not ResourceKind.TEMPLATE
        group = ResourceNode(ResourceKind.GROUP, name, path=name)
        self._branches[kind] = branch = Branch(kind, group, has_folders=has_folders)
        self._keep(branch.add(leaves, None))
        row = 0 if kind is ResourceKind.TEMPLATE else len(self._root.children)
        if not is_reset:
            self.beginInsertRows(QModelIndex(), row, row)
        self._root.insert(row, group)
        if not is_reset:
            self.endInsertRows()

    def _keep(self, nodes: Sequence[ResourceNode]) -> None:
        self._leaves |= {(node.kind, node.position): node for node in nodes}

    def node_changed(self, node: ResourceNode) -> None:
        """Paint a row again."""
        index = self.index_of(node)
        self.dataChanged.emit(index, index)

    def _matching(self, kind: ResourceKind, first: int = 0) -> Iterator[tuple[int, str]]:
        """Yield the entries from position `first` that match the filter."""
        texts = self._searched[kind]
        items = self.listed.items(kind)
        for at in range(first, len(items)):
            if all(term in texts[at] for term in self._terms):
                yield at, items[at].id_label

    def index_of(self, node: ResourceNode) -> QModelIndex:
        """The row of a node."""
        return self.createIndex(node.row, 0, node)


class _Announcing:
    """Notifies the views of a model of the rows that a branch changes."""

    def __init__(self, model: ResourceTreeModel) -> None:
        """Notify those of `model`."""
        self._model = model

    def begin_insert(self, parent: ResourceNode, first: int, last: int) -> None:
        """Rows are inserted into `parent`."""
        self._model.beginInsertRows(self._model.index_of(parent), first, last)

    def end_insert(self) -> None:
        """The rows were inserted."""
        self._model.endInsertRows()

    def begin_move(self, parent: ResourceNode, last: int, target: ResourceNode) -> None:
        """The rows of `parent` up to `last` move into `target`, which is empty."""
        source, goal = self._model.index_of(parent), self._model.index_of(target)
        self._model.beginMoveRows(source, 0, last, goal, 0)

    def end_move(self) -> None:
        """The rows were moved."""
        self._model.endMoveRows()

    def node_changed(self, node: ResourceNode) -> None:
        """Paint a row again."""
        self._model.node_changed(node)


def _size(entry: Addressed) -> str:
    size = getattr(entry, "size", None)
    return units.size(size) if isinstance(size, int) else ""


def _signs(model: ResourceTreeModel, node: ResourceNode, entry: Addressed) -> list[Sign]:
    clashes = model.listed.clashes(node.kind, node.position)
    is_duplicate = any(finding.rule == DUPLICATE for finding in clashes)
    return list_signs(len(entry.problems), is_duplicate=is_duplicate)


def _searched(item: Addressed) -> str:
    parts = (item.name, item.title, item.address, item.description, item.mime_type)
    return "\n".join((*parts, *item.annotations.audience)).casefold()


def _tip(entry: Addressed) -> str:
    lines = [entry.label, entry.name if entry.name != entry.label else "", entry.id_label]
    return "\n".join(line for line in (*lines, entry.mime_type, entry.description) if line)


_LEAF_DATA: dict[int, Callable[[ResourceTreeModel, ResourceNode, Addressed], object]] = {
    int(Qt.ItemDataRole.DisplayRole): lambda _model, _node, entry: entry.label,
    SECONDARY_ROLE: lambda _model, node, entry: "" if node.text == entry.label else node.text,
    int(Qt.ItemDataRole.DecorationRole): ResourceTreeModel.icon,
    BADGES_ROLE: ResourceTreeModel.badges,
    SIGNS_ROLE: _signs,
    TONE_ROLE: lambda _model, _node, entry: "text" if entry.has_id else "error",
    int(Qt.ItemDataRole.ToolTipRole): lambda _model, _node, entry: tool_tip(_tip(entry)),
}
"""Role → its value for an entry."""
