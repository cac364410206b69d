"""The whole value as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget

from inspector.schema.json_input import json_trouble
from inspector.spec.pointer import parts
from inspector.visible_text import one_line
from ui.widgets.buttons import link_button
from ui.widgets.form.editor import column_layout, set_mark
from ui.widgets.form.json_field import LARGE_CHARACTERS
from ui.widgets.form.text_place import place_of
from ui.widgets.form.wrapped_label import WrappedLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme


class JsonView(QWidget):
    """Edits a text that should be JSON, and says where it is not.

    Signals:
        edited(str): someone typed.
    """

    edited = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._silent = False
        self._text = ""
        self._build()
        self._wire()

    def show_text(self, text: str) -> None:
        """Edit `text`; a very large one only when asked."""
        self._text = text
        large = len(text) > LARGE_CHARACTERS
        self._large.setVisible(large)
        self._size.setVisible(large)
        self._size.setText(f"{len(text):,} characters")
        self._box.setVisible(not large)
        self._fill("" if large else text)
        self._show_trouble(text)

    def show_notes(self, words: Sequence[str]) -> None:
        """Say what is odd about the value, below it."""
        self._notes.show_text("\n".join(words))

    def reveal(self, pointer: str, words: str) -> None:
        """Go to what `pointer` leads to, and say `words` about it."""
        if self._box.isHidden():
            self._on_large_clicked()
        start, end = place_of(self._text, parts(pointer))
        cursor = self._box.textCursor()
        cursor.setPosition(_units(self._text, start))
        cursor.setPosition(_units(self._text, end), QTextCursor.MoveMode.KeepAnchor)
        self._box.setTextCursor(cursor)
        self._box.centerCursor()
        self._box.setFocus()
        self._trouble.show_text(f"{one_line(pointer or '/', 200)}: {words}")

    def _build(self) -> None:
        layout = column_layout(self, space=self._theme.SPACE)
        self._box = QPlainTextEdit(self)
        self._box.setObjectName("json text")
        self._box.setAccessibleName("value as JSON")
        self._box.setProperty("field", True)
        self._box.setTabChangesFocus(True)
        self._box.setPlaceholderText("{}")
        self._box.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._box.setFont(self._theme.mono())
        self._size = QLabel(self)
        self._large = link_button("Edit anyway", name="edit large json", parent=self)
        self._trouble = WrappedLabel("error", self)
        self._trouble.setObjectName("json trouble")
        self._notes = WrappedLabel("warning", self)
        self._notes.setObjectName("json notes")
        for widget in (self._box, self._size, self._large, self._trouble, self._notes):
            layout.addWidget(widget)
        self.setFocusProxy(self._box)

    def _wire(self) -> None:
        self._box.textChanged.connect(self._on_text_changed)
        self._large.clicked.connect(self._on_large_clicked)
        self._theme.changed.connect(self._on_theme_changed)

    def _fill(self, text: str) -> None:
        if text != self._box_text():
            self._silent = True
            self._box.setPlainText(text)
            self._silent = False

    def _box_text(self) -> str:
        return self._box.document().toRawText().replace("\u2029", "\n")

    def _show_trouble(self, text: str) -> None:
        trouble = json_trouble(text) if text.strip() else ""
        self._trouble.show_text(trouble)
        set_mark(self._box, "problem", bool(trouble))

    def _on_text_changed(self) -> None:
        if self._silent:
            return
        self._text = self._box_text()
        self._show_trouble(self._text)
        self.edited.emit(self._text)

    def _on_large_clicked(self) -> None:
        self._large.hide()
        self._size.hide()
        self._box.show()
        self._fill(self._text)

    def _on_theme_changed(self) -> None:
        self._box.setFont(self._theme.mono())


def _units(text: str, position: int) -> int:
    """The position as a text box counts it: in units of UTF-16."""
    return len(text[:position].encode("utf-16-le", "surrogatepass")) // 2
