"""The list of resources and templates, as a tree or flat, with its filter.

The choice belongs to the entry, not to the row: it outlives filtering, reading the list again and connecting again. While a list is
read again, the old rows stay until the new ones outnumber them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QVBoxLayout, QWidget

from inspector.errors import PeerError
from inspector.session.listing import NO_USABLE_RESULT, ListState
from inspector.spec.error_codes import METHOD_NOT_FOUND
from ui.features.resources.folders import Folders
from ui.features.resources.tree_model import Listed, ResourceTreeModel
from ui.models.freshness import freshness_of
from ui.models.per_server import PerServer
from ui.widgets.buttons import tool_button
from ui.widgets.hairline import Hairline
from ui.widgets.list_delegate import ListDelegate
from ui.widgets.list_head import ListHead
from ui.widgets.no_matches import NoMatches
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from inspector.errors import InspectorError
    from inspector.features.resources import Resources
    from inspector.features.subscriptions import Subscriptions
    from inspector.spec.views.resource import Addressed
    from ui.features.resources.nodes import ResourceKind
    from ui.theme import Theme


class ResourceSelection(NamedTuple):
    """An entry, as it is found again in another reading of the list."""

    kind: ResourceKind
    """Resource or template."""
    address: str
    """Its address on screen."""
    nth: int
    """How many before it have the same."""


class _Kept(NamedTuple):
    """What is kept of one server."""

    text: str = ""
    """Its filter."""
    choice: ResourceSelection | None = None
    """The chosen entry."""
    closed: AbstractSet[str] = frozenset()
    """Paths of folders that are closed."""


class ResourceList(QWidget):
    """What can be read.

    Signals:
        chosen: the person chose another entry, or none.
        read_wanted: the chosen entry is to be read.
        free_wanted: the person wants to type an address.
        refresh_wanted: the list is to be read again.
        more_wanted: reading is to go on where its budget ended.
        frame_wanted: the frame of this number is to be shown.
        again_wanted: the stream on which changes are announced is to be opened again.
    """

    chosen = Signal()
    read_wanted = Signal()
    free_wanted = Signal()
    refresh_wanted = Signal()
    more_wanted = Signal()
    frame_wanted = Signal(int)
    again_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("resource_list")
        self._theme = theme
        self._resources: Resources | None = None
        self._choice: ResourceSelection | None = None
        self._server = ""
        self._kept: PerServer[_Kept] = PerServer(_Kept())
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self._free = tool_button(
            theme, "mdi6.link-variant-plus", "Read URI…", name="read_any", parent=self
        )
        self.tree_button = tool_button(
            theme,
            "mdi6.file-tree-outline",
            "Show as tree",
            name="resources_tree",
            checkable=True,
            parent=self,
        )
        self.tree_button.setChecked(True)
        self.head = ListHead(
            theme=theme,
            name="resources",
            placeholder="Filter resources",
            buttons=(self._free, self.tree_button),
            parent=self,
        )
        self.model = ResourceTreeModel(theme=theme, parent=self)
        self.view = QTreeView(self)
        self.view.setObjectName("resource_view")
        self.view.setAccessibleName("Resources and templates")
        self.view.setModel(self.model)
        self.folders = Folders(self.view, self.model)
        self.view.setHeaderHidden(True)
        self.view.setUniformRowHeights(True)
        self.view.setExpandsOnDoubleClick(False)
        self.view.setFrameShape(QTreeView.Shape.NoFrame)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setItemDelegate(ListDelegate(theme=theme, parent=self.view))
        self._no_matches = NoMatches(
            theme=theme, view=self.view, filter_field=self.head.filter, name="resources"
        )
        self._dress()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(Hairline(theme=theme))
        layout.addWidget(self.view, 1)

    def _wire(self) -> None:
        self.head.filter.edited.connect(self._on_filter_edited)
        self.head.filter.left_down.connect(self._on_left_down)
        self.head.refresh_wanted.connect(self.refresh_wanted)
        self.head.more_wanted.connect(self.more_wanted)
        self.head.frame_wanted.connect(self.frame_wanted)
        self.head.again_wanted.connect(self.again_wanted)
        self._free.clicked.connect(self.free_wanted)
        self.tree_button.toggled.connect(self._on_tree_toggled)
        self.view.activated.connect(self._on_activated)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        self._theme.changed.connect(self._dress)

    def set_server(self, server: str) -> None:
        """Filter, choose and fold as it was done for `server`, which is its identity, before."""
        if server == self._server:
            return
        self._kept.put(
            self._server, _Kept(self.head.filter.text(), self._choice, self.folders.closed)
        )
        self._server, self._resources, self._choice = server, None, None
        self._take(Listed())
        text, self._choice, closed = self._kept.get(server)
        self.folders.set_closed(closed)
        self.head.filter.set_text(text)

    def show_resources(self, resources: Resources | None, *, again: bool = False) -> None:
        """Show the lists as they are now; `again` if they are those of the same server after connecting again."""
        same = resources is self._resources or again
        self._resources = resources
        listed = Listed() if resources is None else _listed(resources)
        if not (same and resources is not None and self._is_read_again(resources, listed)):
            self._take(listed)
        self._show_state()

    def show_marks(self, subscriptions: Subscriptions | None) -> None:
        """Mark what was updated."""
        if subscriptions is None:
            self.model.set_marks({}, ())
        else:
            self.model.set_marks(subscriptions.marks(), subscriptions.subscribed)

    @property
    def choice(self) -> ResourceSelection | None:
        """The chosen entry, as it is found again; it need not be listed any more."""
        return self._choice

    @property
    def position(self) -> int:
        """The place of the chosen entry in its list; -1 for none."""
        choice = self._choice
        if choice is None:
            return -1
        items = self.model.listed.items(choice.kind)
        same = [at for at, item in enumerate(items) if item.address_label == choice.address]
        return same[min(choice.nth, len(same) - 1)] if same else -1

    @property
    def entry(self) -> Addressed | None:
        """The chosen resource or template."""
        at = self.position
        return self.model.listed.items(self._choice.kind)[at] if self._choice and at >= 0 else None

    def choose(self, kind: ResourceKind, position: int) -> None:
        """Choose an entry, whatever the filter."""
        if not self.model.leaf(kind, position).isValid():
            self.head.filter.set_text("")
        self._select(kind, position)

    def unchoose(self) -> None:
        """Choose nothing."""
        self._choice = None
        self.view.selectionModel().clear()

    def _is_read_again(self, resources: Resources, listed: Listed) -> bool:
        before = self.model.listed
        lists = (
            (resources, len(listed.resources) < len(before.resources)),
            (resources.templates, len(listed.templates) < len(before.templates)),
        )
        return any(each.is_awaited and fewer for each, fewer in lists)

    def _take(self, listed: Listed) -> None:
        before = self.model.listed
        same = before.resources is listed.resources and before.templates is listed.templates
        if same and before == listed:
            return
        entry = self.entry
        if self.model.grows_to(listed):
            self._growing(listed, is_chosen=entry is not None)
        else:
            self._replacing(lambda: self.model.set_listed(listed))
        if self.entry is not entry:
            self.chosen.emit()

    def _growing(self, listed: Listed, *, is_chosen: bool) -> None:
        """Add rows, and choose what was chosen once it comes."""
        self.folders.is_restoring = True
        self.model.grow(listed)
        if not is_chosen and self._choice is not None and (at := self.position) >= 0:
            self._select(self._choice.kind, at)
        self.folders.is_restoring = False

    def _replacing(self, replace: Callable[[], object]) -> None:
        """Replace rows, and open and choose what was open and chosen."""
        bar = self.view.verticalScrollBar()
        place = bar.value()
        self.folders.is_restoring = True
        replace()
        self.folders.open()
        choice = self._choice
        if choice is not None and (at := self.position) >= 0:
            self._select(choice.kind, at)
        self.folders.is_restoring = False
        bar.setValue(place)

    def _select(self, kind: ResourceKind, position: int) -> None:
        index = self.model.leaf(kind, position)
        if index.isValid():
            self.view.setCurrentIndex(index)

    def _show_state(self) -> None:
        resources, listed = self._resources, self.model.listed
        total = len(listed.resources) + len(listed.templates)
        self._no_matches.show_count(self.model.shown, total, "entries")
        if resources is None:
            self.head.show_state()
            return
        templates = resources.templates
        failure = resources.failure or _serious(templates.failure)
        self.head.show_state(
            self._count_words(resources),
            (*resources.notes, *templates.notes),
            failure,
            more=resources.more or templates.more,
            age=resources.age_seconds,
            promise=freshness_of(resources.caching),
            quiet=resources.quiet,
            news=", ".join(
                each.changes.words for each in (resources, templates) if each.changes.words
            ),
        )

    def _count_words(self, resources: Resources) -> str:
        templates = resources.templates
        if ListState.READING in {resources.state, templates.state}:
            total = len(resources.items) + len(templates.items)
            pages = resources.pages_read + templates.pages_read
            return f"Loading… {total:,} (page {pages:,})"
        if resources.is_unusable:
            return NO_USABLE_RESULT
        total = len(resources.items) + len(templates.items)
        words = f"{plural(len(resources.items), 'resource')}, {plural(len(templates.items), 'template')}"
        if self.model.is_filtered:
            return f"{self.model.shown:,} of {plural(total, 'entry', 'entries')}"
        return words if resources.more or templates.more or not total else ""

    def _dress(self) -> None:
        self.view.setIndentation(self._theme.px(12))

    def _on_filter_edited(self, text: str) -> None:
        self._replacing(lambda: self.model.set_filter(text))
        self._show_state()

    def _on_tree_toggled(self, tree: bool) -> None:
        self._replacing(lambda: self.model.set_tree(tree))

    def _on_left_down(self) -> None:
        self.view.setFocus()
        if not self.view.currentIndex().isValid():
            self.view.setCurrentIndex(self.model.index(0, 0))

    def _on_activated(self, index: QModelIndex) -> None:
        if self.model.entry(index) is not None:
            self.read_wanted.emit()
        else:
            self.view.setExpanded(index, not self.view.isExpanded(index))

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        entry, node = self.model.entry(current), self.model.node(current)
        if entry is None or self.folders.is_restoring:
            return
        items = self.model.listed.items(node.kind)[: node.position]
        nth = sum(item.address_label == entry.address_label for item in items)
        choice = ResourceSelection(node.kind, entry.address_label, nth)
        if choice != self._choice:
            self._choice = choice
            self.chosen.emit()


def _listed(resources: Resources) -> Listed:
    templates = resources.templates
    return Listed(
        resources.items,
        templates.items,
        resources.clashes,
        templates.clashes,
        resources.changes.marks,
        templates.changes.marks,
    )


def _serious(failure: InspectorError | None) -> InspectorError | None:
    """Many servers have resources and no templates, and say so with an error."""
    if isinstance(failure, PeerError) and failure.code == METHOD_NOT_FOUND:
        return None
    return failure
