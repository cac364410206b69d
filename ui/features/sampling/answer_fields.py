"""The fields of a response: one content block, model, stop reason. What they cannot express stays JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QWidget,
)

from inspector.features.sampling import MODEL, make_result
from inspector.spec.views.sampling import STOP_REASONS
from ui.features.sampling.content_fields import MediaField, ToolUseField, labeled_rows
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font
from ui.widgets.labels import plain_label, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from inspector.spec.views.sampling import SamplingView
    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme
    from ui.widgets.form import FieldProblem

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English; only the model can count tokens."""

SHAPES: dict[str, set[str]] = {
    "text": {"type", "text"},
    "image": {"type", "data", "mimeType"},
    "audio": {"type", "data", "mimeType"},
    "tool_use": {"type", "id", "name", "input"},
}
"""Kind of content → the members that its fields know, all of them and no others."""


class AnswerFields(QWidget):
    """Fields is_exceeded an answer.

    Signals:
        changed: the user changed something.
    """

    changed = Signal()

    def __init__(self, view: SamplingView, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Respond to `view`."""
        super().__init__(parent)
        self.setObjectName("answer_fields")
        self._view = view
        self._theme = theme
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme, revision = self._theme, self._view.revision
        kinds = [("text", "Text"), ("image", "Image")]
        if revision is None or revision.has_audio:
            kinds.append(("audio", "Audio"))
        if self._view.tools:
            kinds.append(("tool_use", "Tool use"))
        self._offered = {kind for kind, _label in kinds}
        self.kinds = SegmentedControl(kinds, name="answer_kinds", parent=self)
        self.text = QPlainTextEdit(self)
        self.text.setObjectName("answer_text")
        self.text.setAccessibleName("Response text")
        self.text.setPlaceholderText("Response text")
        self.text.setProperty("field", True)
        self.text.setTabChangesFocus(True)
        self.media = {kind: MediaField(kind, theme=theme) for kind in ("image", "audio")}
        self.tool_use = ToolUseField(self._view.tools, theme=theme)
        self._editors: dict[str, QWidget] = {
            "text": self.text,
            **self.media,
            "tool_use": self.tool_use,
        }
        self._stack = QStackedWidget(self)
        for editor in self._editors.values():
            self._stack.addWidget(editor)
        self.length = plain_label(name="answer_length", parent=self)
        set_theme_font(self.length, theme, tokens.SMALL)
        top = row_layout(None, self.kinds, space=theme.PADDING_PX)
        top.addStretch(1)
        top.addWidget(self.length)
        column = column_layout(self, top, space=theme.PADDING_PX)
        column.addWidget(self._stack, 1)
        column.addLayout(self._rows())

    def _rows(self) -> QGridLayout:
        self.model = QLineEdit(MODEL, self)
        self.model.setObjectName("answer_model")
        self.model.setAccessibleName("Model name")
        self.stop_reason = QComboBox(self)
        self.stop_reason.setObjectName("answer_stop_reason")
        self.stop_reason.setAccessibleName("Stop reason")
        self.stop_reason.setEditable(True)
        if (line := self.stop_reason.lineEdit()) is not None:
            line.setAccessibleName("Stop reason")
        self.stop_reason.addItems([*STOP_REASONS, ""])
        self.stop_reason.setToolTip("Any string; omitted if empty")
        return labeled_rows(
            ("Model", self.model), ("Stop reason", self.stop_reason), theme=self._theme
        )

    def _wire(self) -> None:
        self.kinds.chosen.connect(self._on_kind_chosen)
        for signal in (
            self.text.textChanged,
            self.model.textChanged,
            self.stop_reason.currentTextChanged,
            self.tool_use.changed,
            *(field.changed for field in self.media.values()),
        ):
            signal.connect(self._on_changed)

    def result(self) -> JsonObject:
        """Return the result that the fields describe."""
        return make_result(
            self._content(), model=self.model.text(), stop_reason=self.stop_reason.currentText()
        )

    def problems(self) -> list[FieldProblem]:
        """Return the problems of the input of a tool call; `show_problems` shows them in the form."""
        return self.tool_use.form.problems() if self.kinds.current() == "tool_use" else []

    def show_problems(self) -> None:
        """Go to the first problem."""
        self.tool_use.form.show_problems()

    def take(self, answer: Json) -> bool:
        """Fill the fields with `answer`; return False, and change nothing, if they cannot express all its members."""
        parts = _parts(answer)
        if parts is None:
            return False
        kind, content = parts
        if kind not in self._offered:
            return False
        assert isinstance(answer, dict)
        self.blockSignals(True)
        self.kinds.choose(kind)
        self._fill(kind, content)
        self.model.setText(str(answer["model"]))
        self.stop_reason.setCurrentText(str(answer.get("stopReason", "")))
        self.blockSignals(False)
        self._refresh()
        return True

    def _fill(self, kind: str, content: JsonObject) -> None:
        if kind == "text":
            self.text.setPlainText(str(content["text"]))
        elif kind == "tool_use":
            self.tool_use.set_content(content)
        else:
            self.media[kind].set_content(content)

    def _content(self) -> JsonObject:
        kind = self.kinds.current()
        if kind == "text":
            return {"type": "text", "text": self.text.toPlainText()}
        return self.tool_use.content() if kind == "tool_use" else self.media[kind].content()

    def _on_kind_chosen(self, kind: str) -> None:
        calls = kind == "tool_use"
        if calls != (self.stop_reason.currentText() == "toolUse"):
            self.stop_reason.setCurrentText("toolUse" if calls else "endTurn")
        self._on_changed()

    def _on_changed(self) -> None:
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        kind = self.kinds.current()
        self._stack.setCurrentWidget(self._editors[kind])
        self.length.setVisible(kind == "text")
        count = -(-len(self.text.toPlainText()) // CHARACTERS_PER_TOKEN)
        limit = self._view.max_tokens
        is_exceeded = limit is not None and count > limit
        allowed = f" of {limit:,}" if limit is not None else ""
        sign = "⚠ " if is_exceeded else ""
        self.length.setText(f"{sign}about {count:,}{allowed} tokens")
        set_tone(self.length, "warning" if is_exceeded else "muted")


def _parts(answer: Json) -> tuple[str, JsonObject] | None:
    """Return kind and content of a response that the fields can express, else None."""
    if not isinstance(answer, dict) or not {"role", "content", "model"} <= answer.keys():
        return None
    if answer.keys() - {"role", "content", "model", "stopReason"} or answer["role"] != "assistant":
        return None
    if not isinstance(answer["model"], str) or not isinstance(answer.get("stopReason", ""), str):
        return None
    content = answer["content"]
    kind = content.get("type") if isinstance(content, dict) else None
    if not isinstance(content, dict) or not isinstance(kind, str):
        return None
    texts = all(isinstance(value, str) for key, value in content.items() if key != "input")
    return (kind, content) if content.keys() == SHAPES.get(kind) and texts else None
