"""The table of roots with the draft of one, which needs a decision of the user, and the list that the server may see."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from inspector.features.roots import Root, RootList, root_problems
from inspector.visible_text import one_line
from ui.features.roots.table import RootRow, RootRows, RootTable
from ui.widgets.buttons import push_button
from ui.widgets.labels import no_mnemonic, plain_label, set_background
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme

URI_CHARACTERS = 60
"""Of a URI on a button; the tool tip has more."""


class RootEditor(QWidget):
    """Edits one list of roots. What was written stays with its list, and is not in it before it is committed.

    Signals:
        changed: other rows, or others of them can be moved or removed.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a list."""
        super().__init__(parent)
        self._list: RootList | None = None
        self._missing: set[str] = set()
        self._known_rows: WeakKeyDictionary[RootList, RootRows] = WeakKeyDictionary()
        self.table = RootTable(theme=theme)
        self._draft_bar = DraftBar(theme=theme, parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.PADDING_PX)
        column.addWidget(self.table, 1)
        column.addWidget(self._draft_bar)
        self._wire()
        theme.changed.connect(self.refresh)

    def _wire(self) -> None:
        self.table.edited.connect(self._on_edited)
        self.table.edit_cancelled.connect(self._on_edit_cancelled)
        self.table.itemSelectionChanged.connect(self._on_selected)
        self._draft_bar.use_requested.connect(self._on_use)
        self._draft_bar.as_is_requested.connect(lambda: self._commit_draft(None))
        self._draft_bar.discard_requested.connect(self._on_discard)

    def set_list(self, roots: RootList | None) -> None:
        """Edit `roots`; None for no list."""
        self._list = roots
        self._missing = set()
        self.refresh()

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self._rows.rows)

    @property
    def _rows(self) -> RootRows:
        """What the table shows of the list: its roots, and what is still being written."""
        if self._list is None:
            return RootRows()
        return self._known_rows.setdefault(self._list, RootRows())

    def refresh(self) -> None:
        """Follow the list."""
        self._rows.follow(self._list.items if self._list is not None else ())
        self._show_rows()
        self._show_draft()
        self.changed.emit()

    def show_missing(self, uris: set[str]) -> None:
        """Mark the roots that lead nowhere."""
        self._missing = uris
        self._show_rows()

    def begin_row(self) -> None:
        """Add an empty row. It is sent only when the user commits it (C-ROOT-09)."""
        row = self._rows.begin()
        self.refresh()
        self.table.edit_address(row)
        self._show_draft()

    def remove_selected(self) -> None:
        """Remove the selected row."""
        at = self.table.row_chosen()
        del self._rows.rows[at]
        self._apply(min(at, self.count - 1))

    def move_selected(self, by: int) -> None:
        """Move the selected row by so many rows."""
        at = self.table.row_chosen()
        self._rows.move(at, by)
        self._apply(at + by)

    def _apply(self, row: int) -> None:
        """Let the server have what is committed, and select a row."""
        if self._list is not None:
            self._list.set(self._rows.committed())
        self.refresh()
        self.table.choose(row)

    def _show_rows(self) -> None:
        rows = self._rows.rows
        self.table.show_roots([row.displayed for row in rows], _states(rows, self._missing))

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
            self._draft_bar.show_draft(row.draft.uri, root_problems([row.draft])[0], row.suggestion)

    def _on_selected(self) -> None:
        self._show_draft()
        self.changed.emit()

    def _on_edited(self, row: int, uri: str, name: str, is_entered: bool) -> None:
        if row < len(self._rows.rows):
            self._rows.write(row, Root(uri, name), is_entered=is_entered)
            self._apply(row)

    def _on_edit_cancelled(self, row: int) -> None:
        rows = self._rows.rows
        if row < len(rows) and rows[row].displayed == Root(""):
            self._rows.discard(rows[row])
        self.refresh()

    def _on_use(self) -> None:
        row = self._draft()
        if row is not None and row.draft is not None:
            self._commit_draft(row.suggestion if root_problems([row.draft])[0] else None)

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
            self.refresh()
            self.table.setFocus()


def _states(rows: Sequence[RootRow], missing: set[str]) -> list[str]:
    """What is wrong with each row; empty where nothing is. Why a draft was not sent stands in its bar, which has room for it."""
    found = root_problems([row.displayed for row in rows])
    return [
        "not sent"
        if row.draft is not None
        else problem or ("not found" if row.displayed.uri in missing else "")
        for row, problem in zip(rows, found, strict=True)
    ]


class DraftBar(QFrame):
    """Why a draft was not sent, and three buttons. Hidden while there is no draft.

    Signals:
        use_requested: send the suggested URI, or the draft where nothing is wrong with it.
        as_is_requested: send the draft although it is no valid root.
        discard_requested: drop the draft.
    """

    use_requested = Signal()
    as_is_requested = Signal()
    discard_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("root_draft")
        set_background(self, "warning")
        self._text = plain_label(name="root_draft_words", wrap=True, parent=self)
        self.use = push_button("", name="root_use", parent=self)
        self.as_is = push_button("Send as is", name="root_as_is", parent=self)
        self.discard = push_button("Discard", name="root_discard", parent=self)
        row = QHBoxLayout()
        row.setSpacing(theme.PADDING_PX)
        for button in (self.use, self.as_is, self.discard):
            row.addWidget(button)
        row.addStretch(1)
        column_layout(self, self._text, row, space=theme.SPACING_PX, margins=theme.PADDING_PX)
        self.use.clicked.connect(self.use_requested)
        self.as_is.clicked.connect(self.as_is_requested)
        self.discard.clicked.connect(self.discard_requested)
        self.hide()

    def show_draft(self, uri: str, problem: str, suggested: str) -> None:
        """Show that `uri` was not sent because of `trouble`, and what to send instead; nothing is wrong where `trouble` is empty."""
        reason = problem or "press Enter in the row to send it"
        self._text.setText(f"“{one_line(uri, URI_CHARACTERS)}” was not sent: {reason}")
        use = f"Use {one_line(suggested, URI_CHARACTERS)}" if problem else "Send"
        self.use.setText(no_mnemonic(use))
        self.use.setAccessibleName(use)
        self.use.setVisible(bool(suggested) or not problem)
        self.as_is.setVisible(bool(problem))
        self.setAccessibleName(self._text.text())
        self.show()
