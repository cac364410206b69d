"""The list on the left of a page: filter, state of the list, rows, and the selected entry.

The selection belongs to the entry, not to the row: it outlives filtering, refreshing the list and connecting again. While a list is
refreshed, the old rows stay until the new ones outnumber them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from inspector.session.paginated_list import NO_USABLE_RESULT, ListState
from ui.models.bounded_values import BoundedValues
from ui.models.list_rows import freshness_of
from ui.navigator import frame_opener
from ui.widgets.delegates import ListDelegate
from ui.widgets.layout_parts import column_layout
from ui.widgets.list_parts import (
    CurrentRowKeeper,
    ListFooter,
    ListHeader,
    NoMatches,
    top_row_kept,
)
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtWidgets import QToolButton

    from inspector.errors import InspectorError
    from inspector.finding import Finding
    from inspector.session.paginated_list import PaginatedList
    from inspector.spec.views.list_page import ListedView
    from ui.models.list_rows import ListRows
    from ui.theme import Theme

T = TypeVar("T", bound="ListedView")

MAX_SERVERS = 200
"""Servers of which filter and selection are kept while another is shown; the oldest are evicted first."""


class Selection(NamedTuple):
    """An entry, as it is found again after the list was refreshed."""

    key: str
    """Its name or URI as displayed."""
    nth: int
    """How many entries before it have the same key."""
    group: str = ""
    """Which list it belongs to, on a page with more than one."""


def selection_at(
    items: Sequence[T], position: int, key: Callable[[T], str], group: str = ""
) -> Selection:
    """Return the selection that finds the entry at `position` again."""
    selected = key(items[position])
    return Selection(selected, sum(key(item) == selected for item in items[:position]), group)


def find_selection(items: Sequence[T], selection: Selection, key: Callable[[T], str]) -> int:
    """Return the position of the selected entry; of several with its key the nth or the last; -1 without any."""
    same = [at for at, item in enumerate(items) if key(item) == selection.key]
    return same[min(selection.nth, len(same) - 1)] if same else -1


class FilteredList(QWidget):
    """Base of the lists of tools, prompts, resources and tasks.

    Signals:
        selected: another entry is selected, or none; or the selected one was replaced by a refresh.
        state_changed: rows, their order or their counts may be others.
        refresh_requested: the list is to be read from its beginning.
        more_requested: reading is to continue after its budget.
        stream_requested: the notification stream that announces changes is to be opened again.
    """

    selected = Signal()
    state_changed = Signal()
    refresh_requested = Signal()
    more_requested = Signal()
    stream_requested = Signal()

    noun: ClassVar[str]
    """One entry, as in `tool`; object names begin with it."""
    view_label: ClassVar[str]
    """The accessible name of the rows."""
    counted: ClassVar[tuple[str, str]]
    """One entry and several, where they are counted."""
    has_two_lines: ClassVar[bool] = False
    """Whether a row has a second line."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName(f"{self.noun}_list")
        self._theme = theme
        self.selection: Selection | None = None
        """The selected entry; it need not be listed any more."""
        self._listings: tuple[PaginatedList[ListedView], ...] = ()
        self._server = ""
        self._kept: BoundedValues[str, tuple[str, Selection | None]] = BoundedValues(
            ("", None), MAX_SERVERS
        )
        self._build()
        self._wire()
        self.show_state()

    def _build(self) -> None:
        theme = self._theme
        self.header = ListHeader(
            theme=theme,
            name=f"{self.noun}s",
            placeholder=f"Filter {self.noun}s",
            buttons=self.make_buttons(),
            parent=self,
        )
        self.filter = self.header.filter
        # After the filter: Qt's focus chain is the order of construction, and a view that gets the focus selects its first row.
        self.view = view = self.make_view()
        view.setObjectName(f"{self.noun}_view")
        view.setAccessibleName(self.view_label)
        view.setFrameShape(QFrame.Shape.NoFrame)
        CurrentRowKeeper(view)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        two_lines = self.has_two_lines
        view.setItemDelegate(
            ListDelegate(theme=theme, two_lines=two_lines, names=not two_lines, parent=view)
        )
        self._no_matches = NoMatches(
            theme=theme, view=view, filter_field=self.filter, name=f"{self.noun}s"
        )
        self.footer = ListFooter(theme=theme, name=f"{self.noun}s", parent=self)
        layout = column_layout(self, self.header, space=0)
        layout.addWidget(view, 1)
        layout.addWidget(self.footer)

    def _wire(self) -> None:
        self.header.refresh_requested.connect(self.refresh_requested)
        self.footer.more_requested.connect(self.more_requested)
        self.footer.frame_requested.connect(frame_opener(self))
        self.footer.reopen_requested.connect(self.stream_requested)
        self.filter.edited.connect(self._on_filter_edited)
        self.filter.left_down.connect(self._on_filter_left_down)
        self.header.became_stale.connect(self.show_state)
        self.view.selectionModel().currentChanged.connect(self._on_view_current_changed)

    # What a list of its own kind defines.

    def make_view(self) -> QAbstractItemView:
        """Return the view of the rows, with its model."""
        raise NotImplementedError

    def make_buttons(self) -> Sequence[QToolButton]:
        """Return the buttons beside the filter."""
        return ()

    def counts(self) -> tuple[int, int]:
        """Return how many entries match the filter, and how many there are."""
        raise NotImplementedError

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on."""
        raise NotImplementedError

    def apply_filter(self, text: str) -> None:
        """Keep the rows that match `text`, and the selection."""
        raise NotImplementedError

    def clear_rows(self) -> None:
        """Remove all rows."""
        raise NotImplementedError

    def select_index(self, index: QModelIndex) -> None:
        """Remember the entry of the row that became current."""
        raise NotImplementedError

    def summary(self) -> str:
        """Return what is said of a list that was read and is not filtered: its count where that is not obvious."""
        total = self.counts()[1]
        is_known_empty = not total and self._listings[0].state is ListState.READ
        has_more = any(each.more for each in self._listings)
        return plural(total, *self.counted) if has_more or is_known_empty else ""

    def failure(self) -> InspectorError | None:
        """Return why the list could not be read."""
        return self._listings[0].failure

    # What they have in common.

    def is_entry(self, index: QModelIndex) -> bool:
        """Whether a row is an entry, and no folder."""
        return index.isValid()

    def rank(self) -> int:
        """Return the position of the selected entry among those that match the filter, from 1; 0 without one."""
        return self.view.currentIndex().row() + 1

    def neighbor(self, by: int) -> QModelIndex:
        """Return the entry so many rows after the selected one; an invalid index without one."""
        return self.view.model().index(self.view.currentIndex().row() + by, 0)

    def set_server(self, server: str) -> None:
        """Restore filter and selection of `server`, which is the id of a profile."""
        if server == self._server:
            return
        self._kept.put(self._server, (self.filter.text(), self.selection))
        self._server, self._listings, self.selection = server, (), None
        self.clear_rows()
        text, self.selection = self._kept.get(server)
        self.filter.set_text(text)

    def show_state(self) -> None:
        """Show counts, findings and failure of the list below the rows, and its age in the tool tip of *Refresh*."""
        self.show_matches()
        self.state_changed.emit()
        listings = self._listings
        if not listings:
            self.footer.show_state()
            self.header.show_age(None, None)
            return
        freshness = freshness_of(listings[0].caching)
        self.header.show_age(listings[0].age_seconds, freshness)
        self.footer.show_state(
            self.count_text(),
            [finding for each in listings for finding in each.findings],
            self.failure(),
            more=any(each.more for each in listings),
            not_announced=listings[0].unannounced_text,
            news=", ".join(each.news.text for each in listings if each.news.text),
            is_stale=self.header.is_stale,
        )

    def show_matches(self) -> None:
        """Say in place of the rows when the filter hides all of them."""
        self._no_matches.show_count(*self.counts(), self.counted[1])

    def count_text(self) -> str:
        """Return how far reading is, or how many entries match; else the summary."""
        listings = self._listings
        total = sum(len(each.items) for each in listings)
        if any(each.state is ListState.READING for each in listings):
            return f"Loading… {total:,} (page {sum(each.pages_read for each in listings):,})"
        if listings[0].is_unusable:
            return NO_USABLE_RESULT
        if self.is_filtered:
            return f"{self.counts()[0]:,} of {plural(total, *self.counted)}"
        return self.summary()

    def _on_filter_edited(self, text: str) -> None:
        self.apply_filter(text)
        self.show_state()

    def _on_filter_left_down(self) -> None:
        self.view.setFocus()
        if not self.view.currentIndex().isValid():
            self.view.setCurrentIndex(self.view.model().index(0, 0))

    def _on_view_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self.select_index(current)


class RowList(FilteredList, Generic[T]):
    """A list whose entries are rows in the order of the server."""

    model: ListRows[T]
    """The rows; made in `make_view`."""

    def make_model(self) -> ListRows[T]:
        """Return the empty model of the rows."""
        raise NotImplementedError

    def key(self, item: T) -> str:
        """Return the name by which an entry is found again."""
        raise NotImplementedError

    def make_view(self) -> QListView:
        """Return a list of rows of one height."""
        self.model = self.make_model()
        self._position = -1
        self._is_restoring = False
        view = QListView(self)
        view.setModel(self.model)
        view.setUniformItemSizes(True)
        return view

    def counts(self) -> tuple[int, int]:
        """Return how many entries match the filter, and how many there are."""
        return self.model.rowCount(), len(self.model.items)

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on."""
        return self.model.is_filtered

    @property
    def position(self) -> int:
        """The position of the selected entry, which the filter may hide; -1 without a selected entry in the list."""
        return self._position

    @property
    def item(self) -> T | None:
        """The selected entry."""
        return self.model.items[self._position] if self._position >= 0 else None

    def show_listing(self, listing: PaginatedList[T] | None, *, again: bool = False) -> None:
        """Show the current state of a list; `again` for the same server after it was reconnected."""
        same = again or (listing is not None and self._listings[:1] == (listing,))
        self._listings = () if listing is None else (listing,)
        if listing is None:
            self.clear_rows()
        elif not (same and listing.is_awaited and len(listing.items) < len(self.model.items)):
            self._replace(listing.items, listing.duplicates)
        self.model.set_marks(listing.news.marks if listing is not None else {})
        self.show_state()

    def select(self, position: int) -> None:
        """Select an entry by its position; a filter that hides it is cleared."""
        if self.model.row_of(position) < 0:
            self.filter.set_text("")
        self._select_row(position)

    def clear_rows(self) -> None:
        """Remove all rows."""
        if self.model.items or self.model.all_clashes:
            self._replace((), {})

    def apply_filter(self, text: str) -> None:
        """Keep the rows that match `text`, and the selection."""
        self._restore(lambda: self.model.set_filter(text))

    def set_order(self, order: Callable[[T], int] | None) -> None:
        """Sort the rows by the number `order` gives, largest first; None for the order of the server."""
        self._restore(lambda: self.model.set_order(order))
        self.show_state()

    def select_index(self, index: QModelIndex) -> None:
        """Remember the entry of the row that became current."""
        position = self.model.position(index.row())
        if self._is_restoring or position == self._position:
            return
        self._position = position
        self.selection = selection_at(self.model.items, position, self.key)
        self.selected.emit()

    def _replace(self, items: Sequence[T], clashes: Mapping[int, tuple[Finding, ...]]) -> None:
        before = self.item
        self._is_restoring = True
        with top_row_kept(self.view, self._key_of_row):
            if self.model.set_items(items, clashes) or self._position < 0:
                self._find()
        self._is_restoring = False
        if self.item is not before:
            self.selected.emit()

    def _find(self) -> None:
        """Select again what was selected before the rows were replaced, or was not listed yet."""
        selection = self.selection
        self._position = (
            find_selection(self.model.items, selection, self.key) if selection is not None else -1
        )
        self._select_row(self._position)

    def _restore(self, change: Callable[[], object]) -> None:
        """Replace the rows with `change`, and make the row of the selected entry current again."""
        self._is_restoring = True
        change()
        self._select_row(self._position)
        self._is_restoring = False

    def _select_row(self, position: int) -> None:
        row = self.model.row_of(position)
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row))

    def _key_of_row(self, index: QModelIndex) -> str:
        return self.key(self.model.items[self.model.position(index.row())])
