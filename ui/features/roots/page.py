"""The roots page: a table of addresses and names, in the order in which the server gets them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QWidget

from inspector.features.roots import missing
from inspector.session.session_state import SessionState
from ui.aio import spawn
from ui.bind import Bindings, bind_coalesced
from ui.features.roots.editor import RootEditor
from ui.page import Page
from ui.pages import ROOTS, PageSpec
from ui.theme import tokens
from ui.widgets.buttons import push_button, tool_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.key_values import KeyValue
from ui.widgets.labels import plain_label, set_tone
from ui.widgets.layout_parts import ScrollColumn, column_layout
from ui.widgets.page_heading import PageHeading

if TYPE_CHECKING:
    from inspector.features.roots import Root, RootList
    from inspector.open_session import ClientProfile, OpenSession
    from ui.theme import Theme

EXPLAINED = "Folders offered to the server. Roots are advisory; they do not restrict the server."

STACK_PIXELS = 80
"""Height at 100% of the table, below which the page scrolls."""

LOOK_MS = 3000
"""Interval at which the visible page checks whether the folders still exist."""


class RootsPage(Page):
    """Edits the roots of the shown server."""

    info: ClassVar[PageSpec] = ROOTS

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self._theme = theme
        self._client: ClientProfile | None = None
        self._bindings = Bindings()
        self._missing: set[str] = set()
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.heading = PageHeading("Roots", EXPLAINED, theme=theme, name="roots")
        self.editor = RootEditor(theme=theme)
        self.table = self.editor.table
        self._empty = EmptyState(
            "No roots",
            "The server receives an empty list. Add a folder it may work in.",
            theme=theme,
            icon=self.info.icon_name,
            name="roots_empty",
        )
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.editor)
        self.status = plain_label(name="roots_status", wrap=True, parent=self)
        area = ScrollColumn(name="roots_scroll", parent=self)
        column = self._column = column_layout(None, space=0)
        area.column.setSpacing(0)
        area.column.addWidget(self.heading)
        area.column.addLayout(column, 1)
        column.addLayout(self._built_buttons())
        column.addWidget(self._stack, 1)
        column.addWidget(self.status)
        column_layout(self, area, space=0)
        self._dress()
        self._timer = QTimer(self, interval=LOOK_MS)

    def _built_buttons(self) -> QHBoxLayout:
        theme = self._theme
        self.add_button = push_button("Add folder…", name="root_add", primary=True, parent=self)
        self.type_button = push_button("Add URI", name="root_type", parent=self)
        self.up = tool_button(theme, "mdi6.arrow-up", "Move up", name="root_up", parent=self)
        self.down = tool_button(
            theme, "mdi6.arrow-down", "Move down", name="root_down", parent=self
        )
        self.remove = tool_button(
            theme, "mdi6.delete-outline", "Remove", name="root_remove", parent=self
        )
        row = QHBoxLayout()
        row.setSpacing(theme.PADDING_PX)
        for part in (self.add_button, self.type_button, self.up, self.down, self.remove):
            row.addWidget(part)
        row.addStretch(1)
        return row

    def _wire(self) -> None:
        self._theme.changed.connect(self._dress)
        self.add_button.clicked.connect(self._on_add)
        self.type_button.clicked.connect(self.editor.begin_row)
        self.up.clicked.connect(lambda: self.editor.move_selected(-1))
        self.down.clicked.connect(lambda: self.editor.move_selected(1))
        self.remove.clicked.connect(self.editor.remove_selected)
        self.editor.changed.connect(self._show_rows_and_buttons)
        self._timer.timeout.connect(self._look)

    def set_session(self, session: OpenSession | None) -> None:
        """Edit the roots of the server of `session`."""
        super().set_session(session)
        self._follow()

    def set_client(self, client: ClientProfile | None) -> None:
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
        self._bindings.replace()
        if self._list is not None:
            self._bindings.replace(bind_coalesced(self, self._list.changed, self._refresh))
            self._timer.start()
        else:
            self._timer.stop()
        if self.session is not None:
            changed = self.session.session.changed
            self._bindings.add(bind_coalesced(self, changed, self._show_status))
        self._missing = set()
        self.editor.set_list(self._list)
        self._refresh()

    def badge(self) -> str:
        """How many there are."""
        return self.count_text(len(self._items))

    def missing(self) -> str:
        """Why the server will not hear of them."""
        if self.session is not None and not self.session.roots.is_declared:
            return "roots not declared; enable them on the Client page"
        return ""

    @property
    def _items(self) -> tuple[Root, ...]:
        return self._list.items if self._list is not None else ()

    def _dress(self) -> None:
        theme = self._theme
        edge = theme.px(tokens.READING_PADDING_PX)
        top = theme.px(tokens.DENSE_PADDING_PX)
        self._column.setContentsMargins(edge, top, edge, theme.PADDING_PX)
        self._column.setSpacing(theme.PADDING_PX)
        self._stack.setMinimumHeight(theme.px(STACK_PIXELS))

    def _refresh(self) -> None:
        self.editor.refresh()
        self._show_status()
        self._look()
        self.changed.emit()

    def _show_rows_and_buttons(self) -> None:
        self._stack.setCurrentWidget(self.editor if self.editor.count else self._empty)
        self._show_buttons()

    def _show_buttons(self) -> None:
        row, count = self.table.row_chosen(), self.editor.count
        self.add_button.setEnabled(self._list is not None)
        self.type_button.setEnabled(self._list is not None)
        self.up.setEnabled(row > 0)
        self.down.setEnabled(0 <= row < count - 1)
        self.remove.setEnabled(row >= 0)

    def _show_status(self) -> None:
        text = self.missing()
        set_tone(self.status, "warning" if text else "muted")
        if not text and self._list is not None:
            text = _status(self.session)
        self.status.setText(text)
        self.heading.facts.set_facts(self._facts())

    def _facts(self) -> list[KeyValue]:
        facts = [KeyValue("Roots", f"{len(self._items):,}")]
        if self._missing:
            facts.append(KeyValue("Not found", f"{len(self._missing):,}", tone="warning"))
        session = self.session
        if session is not None and session.session.state is SessionState.READY:
            is_announced = "sent to the server" if session.roots.announces else "not sent"
            facts.append(KeyValue("Changes", is_announced, mono=False))
            facts.append(KeyValue("Revision", str(session.session.revision)))
        return facts

    def _look(self) -> None:
        if self.isVisible() and self._items:
            spawn(self, self._find_missing(self._items), name="check roots")

    async def _find_missing(self, items: tuple[Root, ...]) -> None:
        found = await missing(items)
        if found != self._missing and items == self._items:
            self._missing = found
            self.editor.show_missing(found)
            self._show_status()

    def _on_add(self) -> None:
        dialog = QFileDialog(self, "Add folder")
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


def _status(session: OpenSession | None) -> str:
    if session is None or session.session.state is not SessionState.READY:
        return "Not connected. The server requests this list when needed."
    if session.roots.announces:
        return "Changes are sent to the server immediately."
    revision = session.session.revision
    if revision is not None and not revision.has_roots_list_changed:
        return "This revision has no list-changed notification; the server requests the list when needed."
    return "Changes are not sent: `roots.listChanged` was not declared."
