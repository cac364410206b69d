"""The list of prompts with its filter.

The choice belongs to the prompt, not to the row: it outlives filtering, reading the list again and connecting again. While a list is
read again, the old rows stay until the new ones outnumber them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView, QVBoxLayout, QWidget

from inspector.session.listing import NO_USABLE_RESULT, ListState
from ui.features.prompts.list_model import PromptListModel
from ui.models.freshness import freshness_of
from ui.models.per_server import PerServer
from ui.widgets.hairline import Hairline
from ui.widgets.keep_place import top_row_kept
from ui.widgets.list_delegate import ListDelegate
from ui.widgets.list_head import ListHead
from ui.widgets.no_matches import NoMatches
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.features.prompts import Prompts
    from inspector.finding import Finding
    from inspector.spec.views.prompt import PromptView
    from ui.theme import Theme


class PromptSelection(NamedTuple):
    """A prompt, as it is found again in another reading of the list."""

    name: str
    """Its name on screen."""
    nth: int
    """How many before it have the same."""


class PromptList(QWidget):
    """What can be got.

    Signals:
        chosen: the person chose another prompt, or none.
        get_wanted: the chosen prompt is to be got, or its first field to be filled in.
        refresh_wanted: the list is to be read again.
        more_wanted: reading is to go on where its budget ended.
        frame_wanted: the frame of this number is to be shown.
        again_wanted: the stream on which changes are announced is to be opened again.
    """

    chosen = Signal()
    get_wanted = Signal()
    refresh_wanted = Signal()
    more_wanted = Signal()
    frame_wanted = Signal(int)
    again_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("prompt_list")
        self._theme = theme
        self._prompts: Prompts | None = None
        self._choice: PromptSelection | None = None
        self._server = ""
        self._kept: PerServer[tuple[str, PromptSelection | None]] = PerServer(("", None))
        self._restoring = False
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self.head = ListHead(theme=theme, name="prompts", placeholder="Filter prompts", parent=self)
        self.model = PromptListModel(self)
        self.view = QListView(self)
        self.view.setObjectName("prompt_view")
        self.view.setAccessibleName("Prompts")
        self.view.setModel(self.model)
        self.view.setUniformItemSizes(True)
        self.view.setFrameShape(QListView.Shape.NoFrame)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setItemDelegate(ListDelegate(theme=theme, parent=self.view))
        self._no_matches = NoMatches(
            theme=theme, view=self.view, filter_field=self.head.filter, name="prompts"
        )
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
        self.view.activated.connect(self.get_wanted)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)

    def set_server(self, server: str) -> None:
        """Filter and choose as it was done for `server`, which is its identity, before."""
        if server == self._server:
            return
        self._kept.put(self._server, (self.head.filter.text(), self._choice))
        self._server, self._prompts, self._choice = server, None, None
        self._take()
        text, self._choice = self._kept.get(server)
        self.head.filter.set_text(text)

    def show_prompts(self, prompts: Prompts | None, *, again: bool = False) -> None:
        """Show the list as it is now; `again` if that is the list of the same server after connecting again."""
        same = prompts is self._prompts or again
        self._prompts = prompts
        items = prompts.items if prompts is not None else ()
        awaited = prompts is not None and prompts.is_awaited
        if not (same and awaited and len(items) < len(self.model.items)):
            self._take()
        self.model.set_marks(prompts.changes.marks if prompts is not None else {})
        self._show_state()

    @property
    def choice(self) -> PromptSelection | None:
        """The chosen prompt, as it is found again; it need not be listed any more."""
        return self._choice

    @property
    def position(self) -> int:
        """The place of the chosen prompt in the server's list; -1 for none."""
        choice = self._choice
        if choice is None:
            return -1
        prompts = self.model.items
        same = [at for at, prompt in enumerate(prompts) if prompt.name_label == choice.name]
        return same[min(choice.nth, len(same) - 1)] if same else -1

    @property
    def prompt(self) -> PromptView | None:
        """The chosen prompt."""
        at = self.position
        return self.model.items[at] if at >= 0 else None

    def choose(self, position: int) -> None:
        """Choose a prompt by its position, whatever the filter."""
        if self.model.row_of(position) < 0:
            self.head.filter.set_text("")
        self._select(position)

    def _take(self) -> None:
        prompts, before = self._prompts, self.prompt
        items = prompts.items if prompts is not None else ()
        clashes: Mapping[int, tuple[Finding, ...]] = prompts.clashes if prompts is not None else {}
        if items is self.model.items and clashes == self.model.all_clashes:
            return
        self._restoring = True
        with top_row_kept(self.view, self.model.name_of_row):
            self.model.set_items(items, clashes)
            self._select(self.position)
        self._restoring = False
        if self.prompt is not before:
            self.chosen.emit()

    def _select(self, position: int) -> None:
        row = self.model.row_of(position)
        if row >= 0:
            self.view.setCurrentIndex(self.model.index(row))

    def _show_state(self) -> None:
        prompts = self._prompts
        self._no_matches.show_count(self.model.rowCount(), len(self.model.items), "prompts")
        if prompts is None:
            self.head.show_state()
            return
        words = self._count_words(prompts)
        self.head.show_state(
            words,
            prompts.notes,
            prompts.failure,
            more=prompts.more,
            age=prompts.age_seconds,
            promise=freshness_of(prompts.caching),
            quiet=prompts.quiet,
            news=prompts.changes.words,
        )

    def _count_words(self, prompts: Prompts) -> str:
        total, shown = len(prompts.items), self.model.rowCount()
        if prompts.state is ListState.READING:
            return f"Loading… {total:,} (page {prompts.pages_read:,})"
        if prompts.is_unusable:
            return NO_USABLE_RESULT
        if self.model.is_filtered:
            return f"{shown:,} of {plural(total, 'prompt')}"
        nothing = not total and prompts.state is ListState.READ
        return plural(total, "prompt") if prompts.more or nothing else ""

    def _on_filter_edited(self, text: str) -> None:
        self._restoring = True
        self.model.set_filter(text)
        self._select(self.position)
        self._restoring = False
        self._show_state()

    def _on_left_down(self) -> None:
        self.view.setFocus()
        if not self.view.currentIndex().isValid() and self.model.rowCount():
            self.view.setCurrentIndex(self.model.index(0))

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if not current.isValid() or self._restoring:
            return
        at = self.model.position(current.row())
        name = self.model.items[at].name_label
        nth = sum(prompt.name_label == name for prompt in self.model.items[:at])
        if PromptSelection(name, nth) != self._choice:
            self._choice = PromptSelection(name, nth)
            self.chosen.emit()
