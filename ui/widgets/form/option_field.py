"""True and false, and the other states a boolean can be in: not set, null. Also a value that is fixed, which can be there or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING, exact
from ui.widgets.form.editor import Editor, row_layout
from ui.widgets.form.option_row import OptionRow
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.schema import Field


class OptionField(Editor):
    """Edits a value that is one of few, each a button; an optional one has a button for *not set*."""

    def __init__(
        self,
        field: Field,
        context: FieldContext,
        options: list[tuple[str, JsonOrMissing]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(field, context, parent)
        self._options = options
        if not context.required and not context.is_added:
            self._options = [("unset", MISSING), *options]
        self._build()
        self._row.picked.connect(self._on_picked)

    def rename(self) -> None:
        """Name the buttons after the place."""
        self._row.setObjectName(f"field:{self._place.pointer}")
        self._row.name(self._place.spoken)

    def _build(self) -> None:
        theme = self._place.site.theme
        text = [message for message, _ in self._options]
        self._row = OptionRow(text, space=theme.SPACING_PX // 2, parent=self)
        self._state = plain_label(tone="muted", parent=self)
        layout = row_layout(self, space=theme.SPACING_PX)
        layout.addWidget(self._row)
        layout.addWidget(self._state)
        layout.addStretch(1)
        self.setFocusProxy(self._row)
        self.rename()

    def _display(self, value: JsonOrMissing) -> None:
        index = self._index(value)
        self._row.show_index(index)
        self._state.setText(self._state_words(value) if index < 0 or value is MISSING else "")
        self._state.setVisible(bool(self._state.text()) and self._state.text() != "unset")

    def _index(self, value: JsonOrMissing) -> int:
        for at, (_, option) in enumerate(self._options):
            if value is MISSING or option is MISSING:
                if value is option:
                    return at
            elif exact(value) == exact(option):
                return at
        return -1

    def _on_picked(self, index: int) -> None:
        value = self._options[index][1]
        self._edit(value)
        self._display(value)


def boolean_options(field: Field) -> list[tuple[str, JsonOrMissing]]:
    """The values of a boolean."""
    options: list[tuple[str, JsonOrMissing]] = [("true", True), ("false", False)]
    return [*options, ("null", None)] if field.nullable else options


def fixed_options(field: Field) -> list[tuple[str, JsonOrMissing]]:
    """The one value of a constant."""
    return [(choice.label, choice.value) for choice in field.choices]
