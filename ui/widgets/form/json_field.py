"""JSON edited in place: for what a form cannot express, and for users who prefer to write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING, is_text
from inspector.schema.json_input import parsed
from inspector.wire.json_codec import RawJson, write
from ui.widgets.buttons import link_button
from ui.widgets.form.document import typable
from ui.widgets.form.editor import Editor, InputEditor
from ui.widgets.form.text_inputs import GrowingText
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.schema import Field

LINE_CHARACTERS = 48
"""A value whose text is shorter stays on a line."""

LARGE_CHARACTERS = 200_000
"""Larger texts make an editor slow, and are displayed only on request."""


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
