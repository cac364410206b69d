"""A model's wish to call one of the tools it was given, as the content of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from inspector.wire import json_codec
from inspector.wire.json_codec import RawJson
from ui.widgets.delegates import ListDelegate
from ui.widgets.form import Form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme


class ToolUseField(QWidget):
    """Which tool, with which input.

    Signals:
        changed: the content is another.
    """

    changed = Signal()

    def __init__(
        self, tools: Sequence[Json], *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """Offer `tools`, as the request lists them; any other name can be typed."""
        super().__init__(parent)
        self.setObjectName("answer_tool_use")
        self._schemas = {
            name: tool.get("inputSchema")
            for tool in tools
            if isinstance(tool, dict) and isinstance(name := tool.get("name"), str)
        }
        self._build(theme)
        self._wire()
        self._on_name_changed()

    def _build(self, theme: Theme) -> None:
        self.name = QComboBox(self)
        self.name.setObjectName("tool_use_name")
        self.name.setAccessibleName("Tool")
        self.name.setEditable(True)
        self.name.addItems(list(self._schemas))
        self.name.setItemDelegate(ListDelegate(theme=theme, mono=True, parent=self.name))
        self.id = QLineEdit("call-1", self)
        self.id.setObjectName("tool_use_id")
        self.id.setAccessibleName("Tool call id")
        self.form = Form(theme=theme, parent=self)
        rows = QFormLayout()
        rows.addRow("Tool", self.name)
        rows.addRow("Id", self.id)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(rows)
        column.addWidget(self.form, 1)

    def _wire(self) -> None:
        self.name.currentTextChanged.connect(self._on_name_changed)
        self.id.textChanged.connect(self.changed)
        self.form.changed.connect(self.changed)

    def content(self) -> JsonObject:
        """The content block; the input is spelled as in the form."""
        text = self.form.text() if self.form.can_send() else "{}"
        return {
            "type": "tool_use",
            "id": self.id.text(),
            "name": self.name.currentText(),
            "input": RawJson(json_codec.compact(text)),
        }

    def set_content(self, content: JsonObject) -> None:
        """Take over a block of this kind."""
        for box, key in ((self.name, "name"), (self.id, "id")):
            value = content.get(key)
            text = value if isinstance(value, str) else ""
            box.setCurrentText(text) if isinstance(box, QComboBox) else box.setText(text)
        self.form.set_text(json_codec.write(content.get("input", {})))

    def _on_name_changed(self) -> None:
        schema = self._schemas.get(self.name.currentText())
        self.form.set_schema(schema if isinstance(schema, dict) else {"type": "object"})
        self.changed.emit()
