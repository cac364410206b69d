"""The list of tools with its filter, and what is wrong with the list itself.

The choice belongs to the tool, not to the row: it outlives filtering, reading the list again and connecting again. While a list is
read again, the old rows stay until the new ones outnumber them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QVBoxLayout,
    QWidget,
)

from inspector.session.listing import NO_USABLE_RESULT, ListState
from ui.features.tools.list_model import ToolListModel
from ui.models.freshness import freshness_of
from ui.models.per_server import PerServer
from ui.widgets.buttons import tool_button
from ui.widgets.hairline import Hairline
from ui.widgets.keep_place import top_row_kept
from ui.widgets.list_delegate import ListDelegate
from ui.widgets.list_head import ListHead
from ui.widgets.no_matches import NoMatches
from ui.widgets.units import plural, size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inspector.features.tools import Tools
    from inspector.finding import Finding
    from inspector.spec.views.tool import ToolView
    from ui.theme import Theme


class ToolSelection(NamedTuple):
    """A tool, as it is found again in another reading of the list."""

    name: str
    """Its name on screen."""
    nth: int
    """How many before it have the same."""


class ToolList(QWidget):
    """What can be called.

    Signals:
        chosen: the person chose the tool at this position of the server's list; -1 for none.
        refresh_wanted: the list is to be read again.
        more_wanted: reading is to go on where its budget ended.
        frame_wanted: the frame of this number is to be shown.
        again_wanted: the stream on which changes are announced is to be opened again.
    """

    chosen = Signal(int)
    refresh_wanted = Signal()
    more_wanted = Signal()
    frame_wanted = Signal(int)
    again_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("tool_list")
        self._theme = theme
        self._tools: Tools | None = None
        self._position = -1
        self._choice: ToolSelection | None = None
        self._server = ""
        self._kept: PerServer[tuple[str, ToolSelection | None]] = PerServer(("", None))
        self._build()
        self._wire()
        self._show_state()

    def _build(self) -> None:
        theme = self._theme
        self.by_size = tool_button(
            theme,
            "mdi6.sort-descending",
            "Largest definitions first",
            name="tools_by_size",
            checkable=True,
            parent=self,
        )
        self.head = ListHead(
            theme=theme,
            name="tools",
            placeholder="Filter tools",
            buttons=(self.by_size,),
            parent=self,
        )
        self.filter = self.head.filter
        self.model = ToolListModel(self)
        self.view = QListView(self)
        self.view.setObjectName("tool_view")
        self.view.setAccessibleName("Tools")
        self.view.setModel(self.model)
        self.view.setUniformItemSizes(True)
        self.view.setFrameShape(QListView.Shape.NoFrame)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setItemDelegate(ListDelegate(theme=theme, parent=self.view))
        self._no_matches = NoMatches(
            theme=theme, view=self.view, filter_field=self.filter, name="tools"
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(Hairline(theme=theme))
        layout.addWidget(self.view, 1)

    def _wire(self) -> None:
        self.head.again_wanted.connect(self.again_wanted)
        self.head.refresh_wanted.connect(self.refresh_wanted)
        self.head.more_wanted.connect(self.more_wanted)
        self.head.frame_wanted.connect(self.frame_wanted)
        self.filter.edited.connect(self._on_filter_edited)
        self.filter.left_down.connect(self._on_left_down)
        self.by_size.toggled.connect(self._on_by_size_toggled)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)

    def set_server(self, server: str) -> None:
        """Filter and choose as it was done for `server`, which is its identity, before."""
        if server == self._server:
            return
        self._kept.put(self._server, (self.filter.text(), self._choice))
        self._server, self._tools, self._choice = server, None, None
        self._take((), {})
        text, self._choice = self._kept.get(server)
        self.filter.set_text(text)

    def show_tools(self, tools: Tools | None, *, again: bool = False) -> None:
        """Show the list as it is now; `again` if that is the list of the same server after connecting again."""
        same = tools is self._tools or again
        self._tools = tools
        self.model.excluded = tools.excluded if tools is not None else _all_may_be_called
        if tools is None:
            self._take((), {})
        elif not (same and tools.is_awaited and len(tools.items) < len(self.model.items)):
            self._take(tools.items, tools.clashes)
        self.model.set_marks(tools.changes.marks if tools is not None else {})
        self._show_state()

    def tool(self, position: int) -> ToolView | None:
        """The tool at a position of the list as it is shown."""
        tools = self.model.items
        return tools[position] if 0 <= position < len(tools) else None

    def choose(self, position: int) -> None:
        """Choose a tool by its position, whatever the filter."""
        if self.model.row_of(position) < 0:
            self.filter.set_text("")
        self._select(position)

    @property
    def current(self) -> int:
        """The position of the chosen tool, which the filter may hide; -1 for none."""
        return self._position

    @property
    def choice(self) -> ToolSelection | None:
        """The chosen tool, as it is found again."""
        return self._choice

    def _take(self, items: Sequence[ToolView], clashes: Mapping[int, tuple[Finding, ...]]) -> None:
        with top_row_kept(self.view, self.model.name_of_row):
            if self.model.set_items(items, clashes) or self._position < 0:
                self._find_choice()

    def _find_choice(self) -> None:
        """Choose anew what was chosen before the rows were replaced, or was not there yet."""
        choice, before = self._choice, self._position
        self._position = -1
        if choice is not None:
            tools = self.model.items
            same = [at for at, tool in enumerate(tools) if tool.name_label == choice.name]
            if same:
                self._position = same[min(choice.nth, len(same) - 1)]
                self._select(self._position)
        if before != self._position or before >= 0:
            self.chosen.emit(self._position)

    def _select(self, position: int) -> None:
        row = self.model.row_of(position)
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row))

    def _show_state(self) -> None:
        tools = self._tools
        self._no_matches.show_count(self.model.rowCount(), len(self.model.items), "tools")
        if tools is None:
            self.head.show_state()
            return
        self.head.show_state(
            self._count_words(tools),
            tools.notes,
            tools.failure,
            more=tools.more,
            age=tools.age_seconds,
            promise=freshness_of(tools.caching),
            quiet=tools.quiet,
            news=tools.changes.words,
        )

    def _count_words(self, tools: Tools) -> str:
        if tools.state is ListState.READING:
            return f"Loading… {len(tools.items):,} (page {tools.pages_read:,})"
        if tools.is_unusable:
            return NO_USABLE_RESULT
        shown, total = self.model.rowCount(), len(tools.items)
        words = plural(total, "tool")
        if shown != total:
            return f"{shown:,} of {words}"
        if self.model.is_ordered:
            return f"{words}, {size(sum(map(_definition_bytes, tools.items)))} of definitions"
        return words if tools.more or (not total and tools.state is ListState.READ) else ""

    def _on_filter_edited(self, text: str) -> None:
        if self.model.set_filter(text):
            self._select(self._position)
        self._show_state()

    def _on_by_size_toggled(self, by_size: bool) -> None:
        self.model.set_order(_definition_bytes if by_size else None)
        self._select(self._position)
        self._show_state()

    def _on_left_down(self) -> None:
        self.view.setFocus()
        if not self.view.currentIndex().isValid() and self.model.rowCount():
            self.view.setCurrentIndex(self.model.index(0))

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if not current.isValid():
            return
        position = self.model.position(current.row())
        if position == self._position:
            return
        tools = self.model.items
        name = tools[position].name_label
        self._position = position
        self._choice = ToolSelection(
            name, sum(tool.name_label == name for tool in tools[:position])
        )
        self.chosen.emit(position)


def _definition_bytes(tool: ToolView) -> int:
    return tool.definition_bytes


def _all_may_be_called(_tool: ToolView) -> str:
    return ""
