"""The roots page: a table of addresses and names, in the order in which the server gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from inspector.features.roots import Root, RootList, missing, troubles
from inspector.session.session import SessionState
from ui.aio import spawn
from ui.bind import bind_coalesced
from ui.features.roots.draft_bar import DraftBar
from ui.features.roots.rows import RootRow, RootRows
from ui.features.roots.table import RootTable
from ui.page import Page
from ui.widgets.buttons import push_button, tool_button
from ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.workspace import ClientSide, OpenSession
    from ui.theme import Theme

EXPLAINED = (
    "Folders that the server may take as its place of work. They are what it is told, not a lock: "
    "nothing keeps a server from going elsewhere."
)

LOOK_MS = 3000
"""How often it is looked whether the folders are still there, while somebody looks at the page."""


class RootsPage(Page):
    """Edits the roots of the shown server."""

    title: ClassVar[str] = "Roots"
    icon_name: ClassVar[str] = "mdi6.folder-outline"
    key: ClassVar[str] = "roots"
    works_offline: ClassVar[bool] = True

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self._theme = theme
        self._client: ClientSide | None = None
        self._unbind: list[Callable[[], None]] = []
        self._missing: set[str] = set()
        self._known_rows: WeakKeyDictionary[RootList, RootRows] = WeakKeyDictionary()
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        words = QLabel(EXPLAINED, self)
        words.setProperty("look", "muted")
        words.setWordWrap(True)
        words.setMinimumWidth(1)
        self.table = RootTable(theme=theme)
        self._empty = EmptyState(
            "No roots",
            "The server gets an empty list. Add a folder to tell it where it may work.",
            theme=theme,
            icon=self.icon_name,
            action="Add a folder…",
            name="roots_empty",
        )
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.table)
        self._draft_bar = DraftBar(theme=theme, parent=self)
        self.status = QLabel(self)
        self.status.setObjectName("roots_status")
        self.status.setWordWrap(True)
        self.status.setMinimumWidth(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[theme.PAD] * 4)
        column.setSpacing(theme.PAD)
        column.addWidget(words)
        column.addLayout(self._built_buttons())
        column.addWidget(self._stack, 1)
        column.addWidget(self._draft_bar)
        column.addWidget(self.status)
        self._looks = QTimer(self, interval=LOOK_MS)

    def _built_buttons(self) -> QHBoxLayout:
        theme = self._theme
        self.add_button = push_button("Add a folder…", name="root_add", primary=True, parent=self)
        self.type_button = push_button("Type an address", name="root_type", parent=self)
        self.up = tool_button(theme, "mdi6.arrow-up", "Move up", name="root_up", parent=self)
        self.down = tool_button(
            theme, "mdi6.arrow-down", "Move down", name="root_down", parent=self
        )
        self.remove = tool_button(
            theme, "mdi6.delete-outline", "Remove", name="root_remove", parent=self
        )
        row = QHBoxLayout()
        row.setSpacing(theme.PAD)
        for part in (self.add_button, self.type_button, self.up, self.down, self.remove):
            row.addWidget(part)
        row.addStretch(1)
        return row

    def _wire(self) -> None:
        self.add_button.clicked.connect(self._on_add)
        self._empty.action_triggered.connect(self._on_add)
        self.type_button.clicked.connect(self._on_type)
        self.up.clicked.connect(lambda: self._move(-1))
        self.down.clicked.connect(lambda: self._move(1))
        self.remove.clicked.connect(self._on_remove)
        self.table.edited.connect(self._on_edited)
        self.table.edit_cancelled.connect(self._on_edit_cancelled)
        self.table.itemSelectionChanged.connect(self._on_selected)
        self._draft_bar.use_requested.connect(self._on_use)
        self._draft_bar.as_is_requested.connect(lambda: self._commit_draft(None))
        self._draft_bar.discard_requested.connect(self._on_discard)
        self._looks.timeout.connect(self._look)

    def set_session(self, session: OpenSession | None) -> None:
        """Edit the roots of the server of `session`."""
        super().set_session(session)
        self._follow()

    def set_client(self, client: ClientSide | None) -> None:
        """Without a session: edit the roots that the chosen server will be told of."""
        self._client = client
        self._follow()

    @property
    def _list(self) -> RootList | None:
        """The roots of the server that is shown, connected or not."""
        if self.session is not None:
            return self.session.roots.list
        return self._client.roots if self._client is not None else None

    def _follow(self) -> None:
        for unbind in self._unbind:
            unbind()
        self._unbind = []
        if self._list is not None:
            self._unbind = [bind_coalesced(self, self._list.changed, self._refresh)]
            self._looks.start()
        else:
            self._looks.stop()
        if self.session is not None:
            changed = self.session.session.changed
            self._unbind.append(bind_coalesced(self, changed, self._show_status))
        self._missing = set()
        self._refresh()

    def badge(self) -> str:
        """How many there are."""
        return str(len(self._items)) if self._items else ""

    def missing(self) -> str:
        """Why the server will not hear of them."""
        if self.session is not None and not self.session.roots.is_declared:
            return "roots were not declared when connecting; the Client page switches that"
        return ""

    @property
    def _items(self) -> tuple[Root, ...]:
        return self._list.items if self._list is not None else ()

    @property
    def _rows(self) -> RootRows:
        """What the table shows of the list: its roots, and what is still being written."""
        if self._list is None:
            return RootRows()
        return self._known_rows.setdefault(self._list, RootRows())

    def _apply(self, row: int) -> None:
        """Let the server have what is committed, and select a row."""
        if self._list is not None:
            self._list.set(self._rows.committed())
        self._refresh()
        self.table.choose(row)

    def _refresh(self) -> None:
        rows = self._rows
        rows.follow(self._items)
        self._show_rows()
        self._stack.setCurrentWidget(self.table if rows.rows else self._empty)
        self._show_buttons()
        self._show_draft()
        self._show_status()
        self._look()
        self.changed.emit()

    def _show_rows(self) -> None:
        rows = self._rows.rows
        self.table.show_roots([row.shown for row in rows], _states(rows, self._missing))

    def _on_selected(self) -> None:
        self._show_buttons()
        self._show_draft()

    def _show_buttons(self) -> None:
        row, count = self.table.row_chosen(), len(self._rows.rows)
        self.add_button.setEnabled(self._list is not None)
        self.type_button.setEnabled(self._list is not None)
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < count - 1)
        self.remove.setEnabled(row >= 0)

    def _draft(self) -> RootRow | None:
        """The row whose draft needs a decision: the selected one if it has a draft, else the first; None while one is being written."""
        rows = self._rows.rows
        drafts = [row for row in rows if row.draft is not None and row.draft.uri]
        if self.table.is_editing or not drafts:
            return None
        at = self.table.row_chosen()
        return rows[at] if at >= 0 and rows[at] in drafts else drafts[0]

    def _show_draft(self) -> None:
        row = self._draft()
        if row is None or row.draft is None:
            self._draft_bar.hide()
        else:
            self._draft_bar.show_draft(row.draft.uri, troubles([row.draft])[0], row.suggestion)

    def _show_status(self) -> None:
        words = self.missing()
        self.status.setProperty("look", "warning" if words else "muted")
        self.status.style().unpolish(self.status)
        self.status.style().polish(self.status)
        if not words and self._list is not None:
            words = _status(self.session)
        self.status.setText(words)

    def _look(self) -> None:
        if self.isVisible() and self._items:
            spawn(self, self._find_missing(self._items), name="look for roots")

    async def _find_missing(self, items: tuple[Root, ...]) -> None:
        found = await missing(items)
        if found != self._missing and items == self._items:
            self._missing = found
            self._show_rows()

    def _on_add(self) -> None:
        dialog = QFileDialog(self, "Add a folder")
        dialog.setObjectName("root_folder")
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.add_folder)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def add_folder(self, path: str) -> None:
        """Append a folder."""
        if self._list is not None:
            self._list.add_folder(path)
            self._refresh()
            self.table.choose(len(self._items) - 1)

    def _on_type(self) -> None:
        """Open an empty row. The server hears of it when it is committed (C-ROOT-09)."""
        row = self._rows.begin()
        self._refresh()
        self.table.edit_address(row)
        self._show_draft()

    def _on_edited(self, row: int, uri: str, name: str, is_entered: bool) -> None:
        if row < len(self._rows.rows):
            self._rows.write(row, Root(uri, name), is_entered=is_entered)
            self._apply(row)

    def _on_edit_cancelled(self, row: int) -> None:
        rows = self._rows.rows
        if row < len(rows) and rows[row].shown == Root(""):
            self._rows.discard(rows[row])
        self._refresh()

    def _on_use(self) -> None:
        row = self._draft()
        if row is not None and row.draft is not None:
            self._commit_draft(row.suggestion if troubles([row.draft])[0] else None)

    def _commit_draft(self, uri: str | None) -> None:
        row = self._draft()
        if row is not None:
            at = self._rows.rows.index(row)
            self._rows.commit(row, uri)
            self._apply(at)
            self.table.setFocus()

    def _on_discard(self) -> None:
        row = self._draft()
        if row is not None:
            self._rows.discard(row)
            self._refresh()
            (self.table if self._rows.rows else self.type_button).setFocus()

    def _on_remove(self) -> None:
        at = self.table.row_chosen()
        del self._rows.rows[at]
        self._apply(min(at, len(self._rows.rows) - 1))

    def _move(self, by: int) -> None:
        at = self.table.row_chosen()
        self._rows.move(at, by)
        self._apply(at + by)


def _states(rows: Sequence[RootRow], gone: set[str]) -> list[str]:
    """What is wrong with each row; empty where nothing is."""
    found = troubles([row.shown for row in rows])
    return [
        (f"not sent: {trouble}" if trouble else "not sent")
        if row.draft is not None
        else trouble or ("nothing is there" if row.shown.uri in gone else "")
        for row, trouble in zip(rows, found, strict=True)
    ]


def _status(session: OpenSession | None) -> str:
    if session is None or session.session.state is not SessionState.READY:
        return "Not connected: the server gets this list when it asks."
    if session.roots.announces:
        return "Every change is announced to the server at once."
    revision = session.session.revision
    if revision is not None and not revision.has_roots_list_changed:
        return "Changes are not announced in this revision: the server gets this list when it asks."
    return "Changes are not announced: `roots.listChanged` was not declared."
