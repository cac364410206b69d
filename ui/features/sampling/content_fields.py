"""The content of a response that is no text: a call of one of the request's tools, or an image or audio file."""

from __future__ import annotations

import asyncio
import base64
import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.json_codec import RawJson
from ui.aio import spawn
from ui.render import render
from ui.theme.layout_spaces import SPACE
from ui.widgets import units
from ui.widgets.buttons import push_button
from ui.widgets.delegates import ListDelegate
from ui.widgets.field_label import field_height
from ui.widgets.form import Form
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme


LABEL_PX = 84
"""Width at 100% of the labels beside the fields of a dialog."""

MAX_BYTES = 32 * 1024 * 1024
"""Larger files are not read: the message would be longer than most servers take."""

FALLBACKS = {"image": "image/png", "audio": "audio/wav"}
"""Kind → media type of a file whose name says nothing."""


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
        rows = labeled_rows(("Tool", self.name), ("ID", self.id), theme=theme)
        column = column_layout(self, rows, space=theme.PADDING_PX)
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


class MediaField(QWidget):
    """Chooses a file of one kind.

    Signals:
        changed: the content is another.
    """

    changed = Signal()

    def __init__(self, kind: str, *, theme: Theme, parent: QWidget | None = None) -> None:
        """`kind` is `image` or `audio`."""
        super().__init__(parent)
        self.setObjectName(f"answer_{kind}")
        self._kind = kind
        self._theme = theme
        self._content: JsonObject = {"type": kind, "data": "", "mimeType": FALLBACKS[kind]}
        self._preview: QWidget | None = None
        self._build()

    def _build(self) -> None:
        text = f"Select {self._kind} file…"
        self.choose_button = push_button(text, name=f"answer_{self._kind}_choose", parent=self)
        self.choose_button.clicked.connect(self._on_choose)
        self._text = plain_label(
            "No file selected", tone="muted", name=f"answer_{self._kind}_words", parent=self
        )
        row = row_layout(None, self.choose_button, self._text, space=self._theme.PADDING_PX)
        row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addLayout(row)
        self._column.addStretch(1)

    def content(self) -> JsonObject:
        """The content block."""
        return self._content

    def set_content(self, content: JsonObject) -> None:
        """Take over a block of this kind."""
        self._content = content
        self._show(f"{content.get('mimeType')}")

    async def take(self, path: Path) -> None:
        """Read a file; nothing changes when it cannot be read."""
        try:
            raw = await asyncio.to_thread(_read, path)
        except OSError as error:
            why = error.strerror or str(error)
            self._text.setText(one_line(f"{path.name} cannot be read: {why}", 200))
            return
        mime = mimetypes.guess_type(path.name)[0] or FALLBACKS[self._kind]
        data = base64.b64encode(raw).decode()
        self._content = {"type": self._kind, "data": data, "mimeType": mime}
        self._show(f"{one_line(path.name, 60)} · {mime} · {units.size(len(raw))}")
        self.changed.emit()

    def _show(self, text: str) -> None:
        self._text.setText(one_line(text, 200))
        if self._preview is not None:
            self._column.removeWidget(self._preview)
            self._preview.hide()
            self._preview.deleteLater()
        self._preview = render(self._content, theme=self._theme, parent=self)
        self._column.insertWidget(1, self._preview)

    def _on_choose(self) -> None:
        dialog = QFileDialog(self, self.choose_button.text())
        dialog.setObjectName(f"choose_{self._kind}")
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._on_file_selected)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _on_file_selected(self, path: str) -> None:
        spawn(self, self.take(Path(path)), name="read a file")


def labeled_rows(*rows: tuple[str, QWidget], theme: Theme) -> QGridLayout:
    """Return a layout with a muted label beside each field, all labels of one width."""
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(theme.PADDING_PX)
    grid.setVerticalSpacing(theme.px(6))
    grid.setProperty(SPACE, True)
    grid.setColumnMinimumWidth(0, theme.px(LABEL_PX))
    grid.setColumnStretch(1, 1)
    for at, (text, field) in enumerate(rows):
        label = plain_label(text, tone="muted")
        label.setMinimumHeight(field_height(theme))
        label.setBuddy(field)
        grid.addWidget(label, at, 0)
        grid.addWidget(field, at, 1)
    return grid


def _read(path: Path) -> bytes:
    if path.stat().st_size > MAX_BYTES:
        raise OSError(f"larger than {units.size(MAX_BYTES)}")
    return path.read_bytes()
