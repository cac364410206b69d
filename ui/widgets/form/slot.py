"""The place of one editor in a form: the field's own editor if that can show the value, else JSON in place."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from inspector.schema.json_edit import MISSING
from inspector.wire.json_codec import is_text
from ui.widgets.form.json_editors import JsonField, LargeField, is_large
from ui.widgets.form.layout import LaidOutAtOnce, take_any_width
from ui.widgets.form.schema import MAX_DEPTH, FieldKind
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing, Path
    from ui.widgets.form.editor import Editor
    from ui.widgets.form.row import ProblemIndex, Row
    from ui.widgets.form.schema import Field, FieldContext

MAX_UNIONS = 4
"""Unions that are variants of unions; deeper ones are edited as JSON, for one may be a variant of itself."""


class _Mode(Enum):
    FIELD = "field"
    JSON = "json"
    LARGE = "large"


class Slot(LaidOutAtOnce):
    """Has the editor of a field, none before the first value, and replaces it when the value or the user requires another.

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
        """Unions around it for the same value, each a variant of the next."""
        self._field = field
        self._context = context
        self._value: JsonOrMissing = MISSING
        self._mode: _Mode | None = None
        self.prefers_json = False
        """Whether the user switched to JSON here."""
        self._edits_large = False
        self._layout = column_layout(self, space=0)
        self.editor: Editor | None = None

    @property
    def is_json(self) -> bool:
        """Whether the value is edited as JSON here."""
        return self._mode is not _Mode.FIELD

    @property
    def only_json(self) -> bool:
        """Whether the value can be edited as JSON only."""
        kind, spec = self._field.kind, self._context.form.reader.spec(self._field)
        too_deep = self._context.depth > MAX_DEPTH and spec.is_block
        endless = self.unions > MAX_UNIONS and kind is FieldKind.UNION
        return kind is FieldKind.ANY or too_deep or endless

    def can_leave_json(self) -> bool:
        """Whether the field's own editor could show the value."""
        return not self.only_json and self._can_show(self._value)

    def show_value(self, value: JsonOrMissing) -> None:
        """Show `value`, in another editor if this one cannot."""
        self._value = value
        if self.editor is None or not self.editor.is_showing(value):
            self._use(self._mode_for(value)).show_value(value)

    def set_json(self, *, on: bool) -> None:
        """Edit as JSON in place, or no longer."""
        self.prefers_json = on
        self._use(self._mode_for(self._value)).show_value(self._value)

    # --- the editor, if there is one -----------------------------------------------------------

    def rows(self) -> list[Row]:
        """The rows inside that have been made."""
        return [] if self.editor is None else list(self.editor.rows())

    def reach(self, path: Path) -> Row | None:
        """Make the row that leads to `path`, and return the one closest to it."""
        return None if self.editor is None else self.editor.reach(path)

    def mark(self, problems: ProblemIndex) -> None:
        """Show the problems of the rows inside."""
        if self.editor is not None:
            self.editor.mark(problems)

    def set_problem(self, *, wrong: bool) -> None:
        """Mark the widget that is typed into."""
        if self.editor is not None:
            self.editor.set_problem(wrong=wrong)

    def rename(self) -> None:
        """Set the names of the widgets again; the field has moved."""
        if self.editor is not None:
            self.editor.rename()

    # --- which editor --------------------------------------------------------------------------

    def _can_show(self, value: JsonOrMissing) -> bool:
        return self._context.form.reader.can_show(self._field, value)

    def _mode_for(self, value: JsonOrMissing) -> _Mode:
        json = self.only_json or self.prefers_json or not self._can_show(value)
        if not self._edits_large and (json or is_text(value)) and is_large(value):
            return _Mode.LARGE
        return _Mode.JSON if json else _Mode.FIELD

    def _use(self, mode: _Mode) -> Editor:
        if mode is self._mode and self.editor is not None:
            return self.editor
        self._mode = mode
        old = self.editor
        self.editor = new = self._made(mode)
        if old is not None:
            self._layout.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._layout.addWidget(new)
        new.show()  # not when the layout runs: the first field may be requested before
        self.setFocusProxy(new)
        self.replaced.emit()
        return new

    def _made(self, mode: _Mode) -> Editor:
        if mode is _Mode.LARGE:
            return LargeField(self._field, self._context, self._on_large_opened, self)
        if mode is _Mode.JSON:
            return JsonField(self._field, self._context, self)
        return self._context.form.make_editor(self._field, self._context, self)

    def _on_large_opened(self) -> None:
        self._edits_large = True
        self.set_json(on=self.prefers_json)
        self.setFocus()
