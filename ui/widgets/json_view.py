"""A JSON tree with what belongs around it: remarks on the text it came from, searching, and whole strings in a window."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from inspector.visible_text import visible
from ui.widgets.json_text import matches
from ui.widgets.json_tree import JsonTree
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout
from ui.widgets.text_bars import FindBar
from ui.widgets.text_view import open_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json, JsonWarning
    from ui.theme import Theme

SLICE = 8
"""Pauses of the search in one turn of the event loop; some milliseconds."""


class JsonView(QWidget):
    """The tree, its remarks and its search."""

    def __init__(
        self, *, theme: Theme, name: str = "json_view", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._search: Iterator[str | None] = iter(())
        self._text = ""
        self._found: list[str] = []
        self._at = -1
        self._build()
        self._wire()

    def _build(self) -> None:
        self.tree = JsonTree(theme=self._theme, name=f"{self.objectName()}_tree", parent=self)
        self.find_bar = FindBar(theme=self._theme, parent=self)
        self._remarks = plain_label(
            tone="warning", name=f"{self.objectName()}_remarks", wrap=True, parent=self
        )
        self._remarks.setContentsMargins(
            self._theme.PADDING_PX, self._theme.SPACING_PX, self._theme.PADDING_PX, 0
        )
        self._remarks.hide()
        column = column_layout(self, self._remarks, space=0)
        column.addWidget(self.tree, 1)
        column.addWidget(self.find_bar)
        self._find = QAction("Find…", self)
        self._find.setShortcut(QKeySequence(QKeySequence.StandardKey.Find))
        self._find.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.addAction(self._find)
        self._timer = QTimer(self, interval=0)
        self.setFocusProxy(self.tree)

    def _wire(self) -> None:
        self.tree.noted.connect(self._on_tree_noted)
        self.tree.text_requested.connect(self._on_text_requested)
        self._find.triggered.connect(lambda: self.find_bar.open_bar())
        self.find_bar.find_requested.connect(self.find_next)
        self.find_bar.changed.connect(self._timer.stop)
        self.find_bar.closed.connect(self._on_find_closed)
        self._timer.timeout.connect(self._on_timer_timeout)

    def set_value(self, value: Json, notes: tuple[JsonWarning, ...] = ()) -> None:
        """Show `value`."""
        self.tree.set_value(value, notes)

    def set_raw(self, raw: bytes) -> bool:
        """Read and show JSON text; False if it is none, which the remarks then explain."""
        return self.tree.set_raw(raw)

    def reveal(self, pointer: str) -> bool:
        """Go to the value at a JSON pointer."""
        return self.tree.reveal(pointer)

    def remarks(self) -> str:
        """What is said above the tree."""
        return self._remarks.text()

    def find_next(self, text: str, onwards: bool = True) -> None:
        """Go to the next (or previous) value that contains `text`."""
        if text != self._text:
            self._start_search(text)
        if self._at + (1 if onwards else -1) in range(len(self._found)):
            self._show_found(self._at + (1 if onwards else -1))
        elif onwards:
            self.find_bar.show_outcome("Searching…")
            self._timer.start()

    def _start_search(self, text: str) -> None:
        self._timer.stop()
        self._text = text
        self._found = []
        self._at = -1
        self._search = matches(self.tree.value(), text)

    def _show_found(self, number: int) -> None:
        self._at = number
        self.tree.reveal(self._found[number])
        self.find_bar.show_outcome(f"{number + 1:,}")

    def _on_timer_timeout(self) -> None:
        pauses = 0
        for pointer in islice(self._search, SLICE * 64):
            pauses += pointer is None
            if pointer is not None:
                self._timer.stop()
                self._found.append(pointer)
                self._show_found(len(self._found) - 1)
                return
            if pauses == SLICE:
                return
        self._finish_search()

    def _finish_search(self) -> None:
        self._timer.stop()
        if self._found:
            self._show_found(0)
        self.find_bar.show_outcome("Wrapped to top" if self._found else "Not found")

    def _on_find_closed(self) -> None:
        self._timer.stop()
        self.tree.setFocus()

    def _on_tree_noted(self) -> None:
        self._start_search("")
        problem = self.tree.problem()
        lines = [f"Not JSON: {problem}"] if problem else [n.text for n in self.tree.notes()[:5]]
        if len(self.tree.notes()) > len(lines):
            lines.append(f"and {len(self.tree.notes()) - len(lines):,} more notes")
        self._remarks.setText(visible("\n".join(lines)))
        self._remarks.setVisible(bool(lines))

    def _on_text_requested(self, pointer: str, text: str) -> None:
        open_text(text, title=pointer or "Text", theme=self._theme, parent=self)
