"""One of a list of values, each sent with its own type, however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from inspector.schema.json_edit import MISSING, exact
from inspector.visible_text import one_line
from ui.widgets.combo_boxes import NoWheelComboBox
from ui.widgets.form.editor import InputEditor
from ui.widgets.form.layout import column_layout
from ui.widgets.form.unions import type_names
from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from inspector.schema.json_edit import JsonOrMissing
    from inspector.wire.json_codec import Json
    from ui.widgets.form.field_context import FieldContext
    from ui.widgets.form.schema import Field, FixedChoice

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
        self._combo = NoWheelComboBox(self)
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
        self._combo.set_muted_text(one_line(sent, 30) if titled and not twin else kind)
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
