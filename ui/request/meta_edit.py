"""Members of `_meta` for the next request, as JSON; they override those that Spyglass adds to every request.

Trace context is sent this way: `traceparent`, `tracestate`, `baggage`. Every JSON object is sent as it is.

Source: basic, "_meta"; C-MET-08.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from inspector.visible_text import visible
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme

EXAMPLE = '{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}'

MIN_LINES, MAX_LINES = 2, 8
"""Lines of the text; a longer one scrolls."""

LABEL = "Extra _meta members (override Spyglass's values)"


class MetaEdit(QWidget):
    """A JSON text and its error.

    Signals:
        changed: the text changed.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start empty; `name` begins the names of its parts."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._meta: JsonObject | None = None
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        caption = plain_label(LABEL, tone="muted", wrap=True, parent=self)
        self.text = QPlainTextEdit(self)
        self.text.setObjectName(f"{self.objectName()}_text")
        self.text.setAccessibleName(LABEL)
        self.text.setPlaceholderText(EXAMPLE)
        self.text.setProperty("field", True)
        self.text.setTabChangesFocus(True)
        self._error = plain_label(
            tone="error", name=f"{self.objectName()}_trouble", wrap=True, parent=self
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.SPACING_PX)
        for part in (caption, self.text, self._error):
            column.addWidget(part)

    def _wire(self) -> None:
        self.text.textChanged.connect(self._on_text_changed)
        self._theme.changed.connect(self._refresh)

    def meta(self) -> JsonObject | None:
        """Return the members; None without any, and while the text cannot be sent."""
        return self._meta

    def problem(self) -> str:
        """Return why the text cannot be sent; empty if it can."""
        return self._error.text()

    def _on_text_changed(self) -> None:
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        self._meta, error_text = _read(self.text.toPlainText())
        self._error.setText(visible(error_text))
        self._error.setVisible(bool(error_text))
        self.text.setFont(self._theme.mono())
        lines = max(MIN_LINES, min(round(self.text.document().size().height()), MAX_LINES))
        frame = 2 * (round(self.text.document().documentMargin()) + 1)
        self.text.setFixedHeight(lines * self.text.fontMetrics().lineSpacing() + frame)


def _read(text: str) -> tuple[JsonObject | None, str]:
    """Return the members of a text, and why it cannot be sent."""
    if not text.strip():
        return None, ""
    try:
        value: Json = json_codec.read(text.encode("utf-8", "surrogatepass")).value
    except JsonSyntaxError as error:
        return None, f"Invalid JSON: {error}"
    if not isinstance(value, dict):
        return None, "_meta must be a JSON object"
    return value, ""
