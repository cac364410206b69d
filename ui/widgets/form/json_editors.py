"""JSON as text: in the place of one field, for what a form cannot express and for users who prefer it; and the whole value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from inspector.schema.json_edit import MISSING
from inspector.schema.json_input import json_problem, parsed
from inspector.spec.pointer import parts
from inspector.visible_text import one_line
from inspector.wire.json_codec import RawJson, is_text, write
from inspector.wire.json_nesting import indented
from ui.tab_order import scroll_to_part
from ui.widgets.buttons import link_button
from ui.widgets.form.document import span_of, typable
from ui.widgets.form.editor import Editor, InputEditor
from ui.widgets.form.layout import WrappedLabel
from ui.widgets.form.text_inputs import GrowingText
from ui.widgets.json_colors import JsonColors
from ui.widgets.labels import plain_label, set_style_property
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.text_window import character_count, unit_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.schema.json_edit import JsonOrMissing
    from ui.theme import Theme
    from ui.widgets.form.schema import Field, FieldContext

LINE_CHARACTERS = 48
"""A value whose text is shorter stays on a line."""

LARGE_CHARACTERS = 200_000
"""Larger texts make an editor slow, and are displayed only on request."""


FORMAT_KEYS = "Ctrl+Shift+I"


class JsonField(InputEditor):
    """Edits any value as text; text that is no JSON yet is kept, and marked as wrong."""

    _name = "json"
    _accessible_suffix = ", as JSON"

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._box = GrowingText(parent=self)
        self._box.setFont(context.form.theme.mono())
        self._box.edited.connect(self._on_edited)
        context.form.theme.changed.connect(self._on_theme_changed)
        column_layout(self, space=0).addWidget(self._box)
        self._set_input(self._box)

    def start_typing(self) -> None:
        """Select all, so that typing replaces it."""
        self._box.selectAll()
        self._box.setFocus()

    def _display(self, value: JsonOrMissing) -> None:
        self._box.show_text("" if value is MISSING else json_text(value))
        self._show_json_state(value)

    def _show_json_state(self, value: JsonOrMissing) -> None:
        is_empty = not self._box.text()
        self._show_state(f"{self._state_text(value)}; enter JSON" if is_empty else "")

    def _on_edited(self, text: str) -> None:
        self._edit(parsed(text) if text.strip() else MISSING)
        self._show_json_state(self._value)

    def _on_theme_changed(self) -> None:
        self._box.setFont(self._context.form.theme.mono())


class LargeField(Editor):
    """The size of a value too large to edit comfortably, and a button that edits it anyway."""

    def __init__(
        self,
        field: Field,
        context: FieldContext,
        on_open: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(field, context, parent)
        self._text = plain_label(parent=self)
        self._open = link_button("Edit anyway", name="large", parent=self)
        self._open.clicked.connect(on_open)
        layout = row_layout(self, space=context.form.theme.SPACING_PX)
        layout.addWidget(self._text)
        layout.addWidget(self._open)
        layout.addStretch(1)
        self.setFocusProxy(self._open)
        self.rename()

    def rename(self) -> None:
        """Name the button after the field."""
        self._open.setObjectName(f"large:{self._context.pointer}")
        self._open.setAccessibleName(f"{self._context.full_name}: edit anyway")

    def _display(self, value: JsonOrMissing) -> None:
        size = 0 if value is MISSING else len(value if is_text(value) else json_text(value))
        self._text.setText(f"{size:,} characters")


def json_text(value: JsonOrMissing) -> str:
    """A value as text to edit: short ones on one line."""
    if value is MISSING:
        return ""
    if isinstance(value, RawJson):
        return typable(value)
    text = write(value)
    return typable(text if len(text) <= LINE_CHARACTERS else write(value, indent=2))


def is_large(value: JsonOrMissing) -> bool:
    """Whether the text of a value is too large for an editor."""
    if is_text(value):
        return len(value) > LARGE_CHARACTERS
    return isinstance(value, dict | list) and len(json_text(value)) > LARGE_CHARACTERS


class JsonEditor(QWidget):
    """Edits a text that should be JSON, and shows where it is not.

    Signals:
        edited(str): the user typed.
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
        """Edit `text`; a very large one only on request."""
        self._text = text
        large = len(text) > LARGE_CHARACTERS
        self._large.setVisible(large)
        self._size.setVisible(large)
        self._size.setText(f"{len(text):,} characters")
        self._box.setVisible(not large)
        self._fill("" if large else text)
        self._show_error(text)

    def show_notes(self, texts: Sequence[str]) -> None:
        """Show notes on the value below it."""
        self._notes.show_text("\n".join(texts))

    def reveal(self, pointer: str, text: str) -> None:
        """Select the value at `pointer`, and show `text` about it."""
        if self._box.isHidden():
            self._on_large_clicked()
        start, end = span_of(self._text, parts(pointer))
        cursor = self._box.textCursor()
        cursor.setPosition(unit_count(self._text[:start]))
        cursor.setPosition(unit_count(self._text[:end]), QTextCursor.MoveMode.KeepAnchor)
        self._box.setTextCursor(cursor)
        self._box.centerCursor()
        self._box.setFocus()
        scroll_to_part(self._box, self._box.cursorRect())
        self._error.show_text(f"{one_line(pointer or '/', 200)}: {text}")

    def format_text(self) -> None:
        """Lay the text out in lines, where it is JSON; that can be undone, and the caret stays at its token."""
        if not self._format.isEnabled() or self._box.isHidden():
            return
        cursor = self._box.textCursor()
        before = len("".join(self._text[: character_count(self._text, cursor.position())].split()))
        text = indented(self._text)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.setPosition(unit_count(text[: _after(text, before)]))
        self._box.setTextCursor(cursor)

    def _build(self) -> None:
        layout = column_layout(self, space=self._theme.SPACING_PX)
        self._box = QPlainTextEdit(self)
        self._box.setObjectName("json text")
        self._box.setAccessibleName("value as JSON")
        self._box.setProperty("field", True)
        self._box.setTabChangesFocus(True)
        self._box.setPlaceholderText("{}")
        self._box.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._box.setFont(self._theme.mono())
        self._colors = JsonColors(self._box, theme=self._theme)
        self._size = plain_label(parent=self)
        self._large = link_button("Edit anyway", name="edit large json", parent=self)
        self._error = WrappedLabel("error", self)
        self._error.setObjectName("json error")
        self._notes = WrappedLabel("warning", self)
        self._notes.setObjectName("json notes")
        self._format = link_button("Format", name="format json", parent=self)
        self._format.setToolTip(f"{FORMAT_KEYS}: one value a line; nothing but white space changes")
        below = row_layout(None, space=self._theme.PADDING_PX)
        below.addWidget(self._error, 1)
        below.addStretch(0)
        below.addWidget(self._format, 0, Qt.AlignmentFlag.AlignTop)
        for widget in (self._box, self._size, self._large):
            layout.addWidget(widget)
        layout.addLayout(below)
        layout.addWidget(self._notes)
        self.setFocusProxy(self._box)

    def _wire(self) -> None:
        self._box.textChanged.connect(self._on_text_changed)
        self._large.clicked.connect(self._on_large_clicked)
        self._format.clicked.connect(self.format_text)
        shortcut = QShortcut(QKeySequence(FORMAT_KEYS), self)
        shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        shortcut.activated.connect(self.format_text)
        self._theme.changed.connect(self._on_theme_changed)

    def _fill(self, text: str) -> None:
        if text != self._box_text():
            self._silent = True
            self._box.setPlainText(text)
            self._silent = False

    def _box_text(self) -> str:
        return self._box.document().toRawText().replace("\u2029", "\n")

    def _show_error(self, text: str) -> None:
        error = json_problem(text) if text.strip() else ""
        self._error.show_text(error)
        can_format = bool(text.strip()) and not error and indented(text) != text
        self._format.setEnabled(can_format and not self._box.isHidden())
        self._format.setVisible(not self._box.isHidden())
        set_style_property(self._box, "problem", bool(error))

    def _on_text_changed(self) -> None:
        if self._silent:
            return
        self._text = self._box_text()
        self._show_error(self._text)
        self.edited.emit(self._text)

    def _on_large_clicked(self) -> None:
        self._large.hide()
        self._size.hide()
        self._box.show()
        self._fill(self._text)
        self._show_error(self._text)

    def _on_theme_changed(self) -> None:
        self._box.setFont(self._theme.mono())


def _after(text: str, count: int) -> int:
    """The position after this many characters that are no white space."""
    for position, character in enumerate(text):
        if not count:
            return position
        count -= not character.isspace()
    return len(text)
