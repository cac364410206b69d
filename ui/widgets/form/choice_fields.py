"""One of a list of values, each sent with its own type: in a drop-down, however many there are, or as buttons where there are few."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from inspector.schema.json_edit import MISSING, exact
from inspector.visible_text import one_line
from ui.widgets.combo_boxes import NoWheelComboBox
from ui.widgets.form.editor import Editor, InputEditor
from ui.widgets.form.unions import type_names
from ui.widgets.labels import ElidedLabel, no_mnemonic, set_tone, tool_tip
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from inspector.schema.json_edit import JsonOrMissing
    from inspector.wire.json_codec import Json
    from ui.widgets.form.schema import Field, FieldContext, FixedChoice

HINT = "enum"
"""The hint of a drop-down whose value reads as it is sent."""

_ROOT = QModelIndex()


class ChoiceModel(QAbstractListModel):
    """The entries of a drop-down; their texts are made when they are displayed."""

    def __init__(
        self, choices: Sequence[FixedChoice], unset_text: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._choices = choices
        self._unset_text = unset_text
        self.offset = 1 if unset_text else 0

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """All choices, after an entry for *unset* where there is one."""
        return 0 if parent.isValid() else len(self._choices) + self.offset

    def data(
        self,
        index: QModelIndex | QPersistentModelIndex,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> str | None:
        """The label; as tooltip the value that is sent."""
        at = index.row() - self.offset
        if role == Qt.ItemDataRole.DisplayRole:
            return self._unset_text if at < 0 else self._choices[at].label
        if role == Qt.ItemDataRole.ToolTipRole and at >= 0:
            return tool_tip(f"sends {exact(self._choices[at].value)}")
        return None


class ChoiceField(InputEditor):
    """Edits an enumeration."""

    def __init__(self, field: Field, context: FieldContext, parent: QWidget | None = None) -> None:
        super().__init__(field, context, parent)
        self._indexes: dict[str, int] = {}
        self._build()
        self._combo.activated.connect(self._on_activated)

    def _build(self) -> None:
        optional = not self._context.required and not self._context.is_added
        self._combo = NoWheelComboBox(theme=self._context.form.theme, parent=self)
        unset = self._absent_text() if optional else ""
        self._model = ChoiceModel(self._field.choices, unset, self._combo)
        self._combo.setModel(self._model)
        if self._model.rowCount() > self._combo.maxVisibleItems():
            # Fusion's own pop-up measures every entry before it opens.
            self._combo.setStyleSheet("QComboBox { combobox-popup: 0; }")
        self._combo.setPlaceholderText(self._absent_text())
        column_layout(self, space=0).addWidget(self._combo)
        self._set_input(self._combo)

    def _display(self, value: JsonOrMissing) -> None:
        at = -1 if value is MISSING else self._index(value)
        # An absent value displays as the placeholder of an empty box, though *unset* is an entry of the list.
        self._combo.setCurrentIndex(-1 if at < 0 else at + self._model.offset)
        sent = "" if value is MISSING else exact(value)
        text = f"sends {sent}" if sent else self._absent_text()
        titled = bool(sent) and at >= 0 and bool(self._field.choices[at].title)
        twin = bool(sent) and at >= 0 and self._field.choices[at].has_twin
        kind = "" if value is MISSING or not twin else type_names(value)[-1]
        self._combo.set_hint(one_line(sent, 30) if titled and not twin else kind or HINT)
        self._combo.setToolTip(tool_tip(text) if titled else "")
        self._combo.setAccessibleDescription(text)

    def _index(self, value: Json) -> int:
        if not self._indexes:
            texts = [exact(choice.value) for choice in self._field.choices]
            self._indexes = {text: at for at, text in reversed(list(enumerate(texts)))}
        return self._indexes.get(exact(value), -1)

    def _on_activated(self, index: int) -> None:
        at = index - self._model.offset
        value = MISSING if at < 0 else self._field.choices[at].value
        self._edit(value)
        self._display(self._value)


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
        self._row = OptionRow([label for label, _ in self._options], parent=self)
        self._state = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        set_tone(self._state, "muted")
        layout = row_layout(self, space=self._context.form.theme.PADDING_PX)
        layout.addWidget(self._row)
        layout.addWidget(self._state)
        layout.addStretch(1)
        self.setFocusProxy(self._row)
        self.rename()

    def _display(self, value: JsonOrMissing) -> None:
        index = self._index(value)
        self._row.show_index(index)
        state = self._state_text(value) if index < 0 or value is MISSING else ""
        self._state.set_text("" if state == "unset" else state)
        self._fit_state()

    def _fit_state(self) -> None:
        """Show the state where it is whole: a beginning of it would repeat the button for *unset*."""
        text, layout = self._state.whole_text(), self.layout()
        beside = self._row.sizeHint().width() + (layout.spacing() if layout is not None else 0)
        needed = beside + self._state.fontMetrics().horizontalAdvance(text)
        self._state.setVisible(bool(text) and needed <= self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more or less beside the buttons."""
        super().resizeEvent(event)
        self._fit_state()

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
    """Segments side by side of which at most one is on; arrow keys move to the next one and select it.

    Signals:
        selected(int): the user selected the button at this index.
    """

    selected = Signal(int)

    def __init__(self, texts: Sequence[str], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self.setProperty("segmented", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        layout = row_layout(self, space=0)
        for index, text in enumerate(texts):
            layout.addWidget(self._button(index, text))
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
            button.setAccessibleName(f"{text}: {button.objectName()}")

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
        button.setText(no_mnemonic(text))
        button.setCheckable(True)
        button.setProperty("segment", True)
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
