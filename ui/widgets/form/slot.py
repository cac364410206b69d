"""What stands where a value is edited: the field's own editor if that can show the value, else JSON in place."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from inspector.schema.json_edit import MISSING, is_text
from ui.widgets.form.editor import Editor, column_layout
from ui.widgets.form.field_context import MAX_DEPTH
from ui.widgets.form.json_field import JsonField, LargeField, is_large
from ui.widgets.form.laying_out import LaidOutAtOnce, take_any_width
from ui.widgets.form.representable import can_show
from ui.widgets.form.schema import BLOCKS, FieldKind

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from inspector.schema.resolve import Resolver
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.schema import Field


MAX_UNIONS = 4
"""Unions that are alternatives of unions, more are edited as JSON: one may be an alternative of itself."""


class _Mode(Enum):
    FIELD = "field"
    JSON = "json"
    LARGE = "large"


class Slot(LaidOutAtOnce):
    """Holds the editor of a place, and changes it when the value or the person asks for another.

    Signals:
        replaced: the editor is another one.
    """

    replaced = Signal()

    def __init__(
        self, field: Field, context: FieldContext, parent: QWidget | None = None, *, unions: int = 0
    ) -> None:
        super().__init__(parent)
        take_any_width(self)
        self.unions = unions
        """Unions around it at the same place, each an alternative of the next."""
        self._field = field
        self._place = context
        self._value: JsonOrMissing = MISSING
        self._mode: _Mode | None = None
        self._wants_json = False
        self._wants_large = False
        self._layout = column_layout(self, space=0)
        self.editor: Editor | None = None

    @property
    def wants_json(self) -> bool:
        """Whether the user asked for JSON here."""
        return self._wants_json

    @property
    def is_json(self) -> bool:
        """Whether the value is edited as JSON here."""
        return self._mode is not _Mode.FIELD

    @property
    def only_json(self) -> bool:
        """Whether there is no other way."""
        too_deep = self._place.depth > MAX_DEPTH and self._field.kind in BLOCKS
        endless = self.unions > MAX_UNIONS and self._field.kind is FieldKind.UNION
        return self._field.kind is FieldKind.ANY or too_deep or endless

    def can_leave_json(self) -> bool:
        """Whether the field's own editor could show the value."""
        return not self.only_json and can_show(self._field, self._value, self._resolver())

    def show_value(self, value: JsonOrMissing) -> None:
        """Show `value`, in another editor if this one cannot."""
        self._value = value
        if self.editor is not None and self.editor.holds(value):
            return
        self._use(self._wanted(value))
        if self.editor is not None:
            self.editor.show_value(value)

    def set_json(self, *, on: bool) -> None:
        """Edit as JSON in place, or no longer."""
        self._wants_json = on
        self._use(self._wanted(self._value))
        if self.editor is not None:
            self.editor.show_value(self._value)

    def _resolver(self) -> Resolver:
        return self._place.site.reader.resolver

    def _wanted(self, value: JsonOrMissing) -> _Mode:
        json = (
            self.only_json or self._wants_json or not can_show(self._field, value, self._resolver())
        )
        if not self._wants_large and (json or is_text(value)) and is_large(value):
            return _Mode.LARGE
        return _Mode.JSON if json else _Mode.FIELD

    def _use(self, mode: _Mode) -> None:
        if mode is self._mode:
            return
        self._mode = mode
        old = self.editor
        self.editor = new = self._made(mode)
        if old is not None:
            self._layout.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._layout.addWidget(new)
        new.show()  # at once, not when the layout gets its turn: who asks for the first field wants it now
        self.setFocusProxy(new)
        self.replaced.emit()

    def _made(self, mode: _Mode) -> Editor:
        if mode is _Mode.LARGE:
            return LargeField(self._field, self._place, self._on_large_opened, self)
        if mode is _Mode.JSON:
            return JsonField(self._field, self._place, self)
        return self._place.site.make_editor(self._field, self._place, self)

    def _on_large_opened(self) -> None:
        self._wants_large = True
        self.set_json(on=self._wants_json)
        self.setFocus()
