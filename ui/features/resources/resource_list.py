"""The list of resources and templates as a tree, with folders as the user left them, or as a flat list."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QModelIndex, QObject, Signal
from PySide6.QtWidgets import QTreeView

from inspector.errors import PeerError
from inspector.spec.error_codes import METHOD_NOT_FOUND
from ui.features.resources.nodes import ResourceKind
from ui.features.resources.tree_model import Listed, ResourceTreeModel
from ui.filtered_list import MAX_SERVERS, FilteredList, find_selection, selection_at
from ui.models.bounded_values import BoundedValues
from ui.widgets.buttons import tool_button
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from PySide6.QtWidgets import QToolButton, QWidget

    from inspector.errors import InspectorError
    from inspector.features.resources import Resources
    from inspector.features.subscriptions import Subscriptions
    from inspector.spec.views.resource import Addressed
    from ui.theme import Theme


MAX_EXPANDED_ROWS = 400
"""With at most as many entries, every folder is expanded at first and while a filter is on."""


class ResourceList(FilteredList):
    """The resources and resource templates of a server.

    Signals:
        read_requested: the selected resource is to be read.
        free_requested: the user wants to type a URI.
    """

    read_requested = Signal()
    free_requested = Signal()

    noun: ClassVar[str] = "resource"
    view_label: ClassVar[str] = "Resources and templates"
    counted: ClassVar[tuple[str, str]] = ("entry", "entries")
    view: QTreeView

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(theme=theme, parent=parent)
        self._resources: Resources | None = None
        self._closed: BoundedValues[str, AbstractSet[str]] = BoundedValues(frozenset(), MAX_SERVERS)
        """The paths of closed folders."""
        self._apply_theme()
        theme.changed.connect(self._apply_theme)

    def make_view(self) -> QTreeView:
        """Return the tree, of which Enter reads a resource and opens or closes a folder."""
        self.model = ResourceTreeModel(theme=self._theme, parent=self)
        view = QTreeView(self)
        view.setModel(self.model)
        self.folders = Folders(view, self.model)
        view.setHeaderHidden(True)
        view.setUniformRowHeights(True)
        view.setExpandsOnDoubleClick(False)
        view.activated.connect(self._on_view_activated)
        return view

    def make_buttons(self) -> Sequence[QToolButton]:
        """Return the buttons that read any URI and that switch between tree and flat list."""
        free = tool_button(
            self._theme, "mdi6.link-variant-plus", "Read URI…", name="read_any", parent=self
        )
        self.tree_button = tool_button(
            self._theme,
            "mdi6.file-tree-outline",
            "Show as tree",
            name="resources_tree",
            checkable=True,
            parent=self,
        )
        self.tree_button.setChecked(True)
        free.clicked.connect(self.free_requested)
        self.tree_button.toggled.connect(self._on_tree_toggled)
        return (free, self.tree_button)

    def counts(self) -> tuple[int, int]:
        """Return how many entries match the filter, and how many there are."""
        listed = self.model.listed
        return self.model.count_matching, len(listed.resources) + len(listed.templates)

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on."""
        return self.model.is_filtered

    def set_server(self, server: str) -> None:
        """Restore filter, selection and closed folders of `server`, which is the id of a profile."""
        self._closed.put(self._server, self.folders.closed)
        super().set_server(server)
        self.folders.set_closed(self._closed.get(server))

    def clear_rows(self) -> None:
        """Remove all rows."""
        self._resources = None
        self._show_listed(Listed())

    def show_resources(self, resources: Resources | None, *, again: bool = False) -> None:
        """Show the current state of the lists; `again` if they are those of the same server after connecting again."""
        same = again or resources is self._resources
        self._resources = resources
        self._listings = () if resources is None else (resources, resources.templates)
        listed = Listed() if resources is None else _listed(resources)
        if not (same and resources is not None and self._is_refreshing(resources, listed)):
            self._show_listed(listed)
        self.show_state()

    def show_marks(self, subscriptions: Subscriptions | None) -> None:
        """Mark updated and subscribed resources."""
        if subscriptions is None:
            self.model.set_marks({}, ())
        else:
            self.model.set_marks(subscriptions.marks(), subscriptions.subscribed)

    @property
    def kind(self) -> ResourceKind:
        """Whether a resource or a template is selected."""
        return ResourceKind(self.selection.group) if self.selection else ResourceKind.RESOURCE

    @property
    def position(self) -> int:
        """The position of the selected entry in its list; -1 without a selected entry in the list."""
        selection = self.selection
        if selection is None:
            return -1
        return find_selection(self.model.listed.items(self.kind), selection, _key)

    @property
    def item(self) -> Addressed | None:
        """The selected resource or template."""
        at = self.position
        return self.model.listed.items(self.kind)[at] if at >= 0 else None

    def is_entry(self, index: QModelIndex) -> bool:
        """Whether a row is an entry, and no folder."""
        return self.model.entry(index) is not None

    def rank(self) -> int:
        """Return the position of the selected entry among those that match the filter, from 1; 0 without one."""
        entries = list(self.model.entries())
        current = self.view.currentIndex()
        return entries.index(current) + 1 if current in entries else 0

    def neighbor(self, by: int) -> QModelIndex:
        """Return the entry so many entries after the selected one; an invalid index without one."""
        entries = list(self.model.entries())
        at = self.rank() - 1 + by
        return entries[at] if 0 <= at < len(entries) else QModelIndex()

    def select(self, kind: ResourceKind, position: int) -> None:
        """Select an entry by its position; a filter that hides it is cleared."""
        if not self.model.leaf(kind, position).isValid():
            self.filter.set_text("")
        self._select_leaf(kind, position)

    def clear_selection(self) -> None:
        """Select nothing."""
        self.selection = None
        self.view.selectionModel().clear()

    def apply_filter(self, text: str) -> None:
        """Keep the rows that match `text`, and the selection."""
        self._replace(lambda: self.model.set_filter(text))

    def select_index(self, index: QModelIndex) -> None:
        """Remember the entry of the row that became current; a folder is not one."""
        if self.model.entry(index) is None or self.folders.is_restoring:
            return
        node = self.model.node(index)
        items = self.model.listed.items(node.kind)
        selection = selection_at(items, node.position, _key, node.kind.value)
        if selection != self.selection:
            self.selection = selection
            self.selected.emit()

    def failure(self) -> InspectorError | None:
        """Return why the resources, or else the templates, could not be read."""
        resources, templates = self._listings
        return resources.failure or _unless_missing(templates.failure)

    def summary(self) -> str:
        """Return how many resources and templates there are, where that is not all or nothing."""
        resources, templates = (len(each.items) for each in self._listings)
        if not any(each.more for each in self._listings) and resources + templates:
            return ""
        failure = self._listings[1].failure
        is_missing = failure is not None and _unless_missing(failure) is None and not templates
        other = "no list of templates" if is_missing else plural(templates, "template")
        return f"{plural(resources, 'resource')}, {other}"

    def _is_refreshing(self, resources: Resources, listed: Listed) -> bool:
        before = self.model.listed
        lists = (
            (resources, len(listed.resources) < len(before.resources)),
            (resources.templates, len(listed.templates) < len(before.templates)),
        )
        return any(each.is_awaited and fewer for each, fewer in lists)

    def _show_listed(self, listed: Listed) -> None:
        before = self.model.listed
        same = before.resources is listed.resources and before.templates is listed.templates
        if same and before == listed:
            return
        item = self.item
        if self.model.grows_to(listed):
            self._grow(listed, is_selected=item is not None)
        else:
            self._replace(lambda: self.model.set_listed(listed))
        if self.item is not item:
            self.selected.emit()

    def _grow(self, listed: Listed, *, is_selected: bool) -> None:
        """Add rows, and select the remembered entry when it arrives."""
        self.folders.is_restoring = True
        self.model.grow(listed)
        if not is_selected:
            self._select_leaf(self.kind, self.position)
        self.folders.is_restoring = False

    def _replace(self, replace: Callable[[], object]) -> None:
        """Replace all rows; open folders, selection and scroll position stay."""
        bar = self.view.verticalScrollBar()
        scrolled = bar.value()
        self.folders.is_restoring = True
        replace()
        self.folders.open()
        self._select_leaf(self.kind, self.position)
        self.folders.is_restoring = False
        bar.setValue(scrolled)

    def _select_leaf(self, kind: ResourceKind, position: int) -> None:
        index = self.model.leaf(kind, position)
        if index.isValid():
            self.view.setCurrentIndex(index)

    def _apply_theme(self) -> None:
        self.view.setIndentation(self._theme.px(12))

    def _on_tree_toggled(self, tree: bool) -> None:
        self._replace(lambda: self.model.set_tree(tree))

    def _on_view_activated(self, index: QModelIndex) -> None:
        if self.model.entry(index) is not None:
            self.read_requested.emit()
        else:
            self.view.setExpanded(index, not self.view.isExpanded(index))


def _key(entry: Addressed) -> str:
    return entry.id_label


def _listed(resources: Resources) -> Listed:
    templates = resources.templates
    return Listed(
        resources.items,
        templates.items,
        resources.duplicates,
        templates.duplicates,
        resources.news.marks,
        templates.news.marks,
    )


def _unless_missing(failure: InspectorError | None) -> InspectorError | None:
    """Return a failure other than "method not found": many servers have resources and no templates."""
    if isinstance(failure, PeerError) and failure.code == METHOD_NOT_FOUND:
        return None
    return failure


class Folders(QObject):
    """Expands new folders, and remembers those that the user collapsed."""

    def __init__(self, view: QTreeView, model: ResourceTreeModel) -> None:
        """Manage the folders of `model` in `view`."""
        super().__init__(view)
        self.closed: set[str] = set()
        """Paths of folders that are closed."""
        self.is_restoring = False
        """Whether the program, not the user, expands and collapses."""
        self._view, self._model = view, model
        view.expanded.connect(self._on_expanded)
        view.collapsed.connect(self._on_collapsed)
        model.rowsInserted.connect(self._on_rows_inserted)

    def set_closed(self, closed: AbstractSet[str]) -> None:
        """Remember these from now on."""
        self.closed = set(closed)

    def open(self) -> None:
        """Expand folders after all rows were replaced."""
        if self._are_few and (self._model.is_filtered or not self.closed):
            self._view.expandAll()  # at once, without a layout for each
            return
        for index, path in self._model.folders():
            self._view.setExpanded(index, self._is_expanded(index, path))

    @property
    def _are_few(self) -> bool:
        return self._model.count_matching <= MAX_EXPANDED_ROWS

    def _is_expanded(self, index: QModelIndex, path: str) -> bool:
        if self._are_few and self._model.is_filtered:
            return True
        return path not in self.closed and (self._are_few or not index.parent().isValid())

    def _on_rows_inserted(self, parent: QModelIndex, first: int, last: int) -> None:
        for index in (self._model.index(row, 0, parent) for row in range(first, last + 1)):
            node = self._model.node(index)
            if node.position < 0:
                self._view.setExpanded(index, self._is_expanded(index, node.path))

    def _on_expanded(self, index: QModelIndex) -> None:
        if not self.is_restoring:
            self.closed.discard(self._model.node(index).path)

    def _on_collapsed(self, index: QModelIndex) -> None:
        if not self.is_restoring and not self._model.is_filtered:
            self.closed.add(self._model.node(index).path)
