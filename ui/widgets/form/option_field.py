"""One of few values, each a button: true, false, null and *unset*; or a constant, which can be present or absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from inspector.schema.json_edit import MISSING, exact
from ui.widgets.form.editor import Editor
from ui.widgets.form.layout import row_layout
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

    from inspector.schema.json_edit import JsonOrMissing
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.schema import Field


class OptionField(Editor):
    """Edits a value that is one of few, each a button; an optional one has a button for *unset*."""

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
        self._row.selected.connect(self._on_selected)

    def rename(self) -> None:
        """Name the buttons after the field."""
        self._row.setObjectName(f"field:{self._context.pointer}")
        self._row.set_subject(self._context.full_name)

    def _build(self) -> None:
        theme = self._context.form.theme
        labels = [label for label, _ in self._options]
        self._row = OptionRow(labels, space=theme.SPACING_PX // 2, parent=self)
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
        self._state.setText(self._state_text(value) if index < 0 or value is MISSING else "")
        self._state.setVisible(bool(self._state.text()) and self._state.text() != "unset")

    def _index(self, value: JsonOrMissing) -> int:
        for at, (_, option) in enumerate(self._options):
            if value is MISSING or option is MISSING:
                if value is option:
                    return at
            elif exact(value) == exact(option):
                return at
        return -1

    def _on_selected(self, index: int) -> None:
        value = self._options[index][1]
        self._edit(value)
        self._display(value)


def boolean_field(field: Field, context: FieldContext, parent: QWidget) -> OptionField:
    """The editor of a boolean."""
    options: list[tuple[str, JsonOrMissing]] = [("true", True), ("false", False)]
    options += [("null", None)] if field.nullable else []
    return OptionField(field, context, options, parent)


def constant_field(field: Field, context: FieldContext, parent: QWidget) -> OptionField:
    """The editor of a constant."""
    options = [(choice.label, choice.value) for choice in field.choices]
    return OptionField(field, context, [*options], parent)


class OptionRow(QWidget):
    """Buttons side by side of which at most one is on; arrow keys move to the next one and select it.

    Signals:
        selected(int): the user selected the button at this index.
    """

    selected = Signal(int)

    def __init__(self, texts: Sequence[str], *, space: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        layout = row_layout(self, space=space)
        for index, text in enumerate(texts):
            layout.addWidget(self._button(index, text))
        layout.addStretch(1)
        self._group.idClicked.connect(self.selected)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._set_tab_stop(0)

    def buttons(self) -> list[QToolButton]:
        """The buttons from left to right."""
        return [button for button in self._group.buttons() if isinstance(button, QToolButton)]

    def show_index(self, index: int) -> None:
        """Switch on one button; -1 switches all off."""
        self._group.setExclusive(False)
        for at, button in enumerate(self.buttons()):
            button.setChecked(at == index)
        self._group.setExclusive(True)
        self._set_tab_stop(max(index, 0))

    def set_subject(self, text: str) -> None:
        """Begin the accessible names of the buttons with `text`."""
        for button in self.buttons():
            button.setAccessibleName(f"{text}: {button.text()}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right select the button beside the focused one."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        buttons = self.buttons()
        focused = next((at for at, button in enumerate(buttons) if button.hasFocus()), -1)
        if not step or focused < 0:
            super().keyPressEvent(event)
            return
        neighbor = buttons[(focused + step) % len(buttons)]
        neighbor.setFocus()
        neighbor.click()

    def _button(self, index: int, text: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        button.setCheckable(True)
        button.setObjectName(text)
        self._group.addButton(button, index)
        return button

    def _set_tab_stop(self, index: int) -> None:
        """Let Tab stop once in the whole row."""
        for at, button in enumerate(self.buttons()):
            on = Qt.FocusPolicy.StrongFocus if at == index else Qt.FocusPolicy.ClickFocus
            button.setFocusPolicy(on)
            if at == index:
                self.setFocusProxy(button)
