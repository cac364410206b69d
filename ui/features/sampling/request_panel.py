"""A whole sampling request: messages, parameters, a copy of the prompt to edit, and the raw JSON. The request itself never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QStackedWidget, QWidget

from inspector.spec.views.content import TextContent
from inspector.wire import json_codec
from ui.features.sampling.conversation import Conversation
from ui.widgets.buttons import push_button
from ui.widgets.clipboard import copy_text
from ui.widgets.json_text import brief
from ui.widgets.json_view import JsonView
from ui.widgets.key_values import KeyValue
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from inspector.spec.views.content import ContentView
    from inspector.spec.views.sampling import SamplingView
    from inspector.wire.json_codec import Json
    from ui.theme import Theme

VIEWS = (("messages", "Conversation"), ("prompt", "Edit prompt"))
TOOLS = "tools"
RAW = ("raw", "JSON")

PROMPT_HINT = "An editable copy for your own model. The original request is unchanged."

PRIORITIES = {
    "costPriority": "cost",
    "speedPriority": "speed",
    "intelligencePriority": "intelligence",
}
"""Member of the model preferences → its name on the line of facts."""

MAX_BLOCK = 2000
"""Characters of a block that is not text; images and audio are long."""


class RequestPanel(QWidget):
    """The request."""

    def __init__(self, view: SamplingView, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Show `view`."""
        super().__init__(parent)
        self.setObjectName("sampling_request")
        self._view = view
        self._theme = theme
        self._start = prompt_text(view)
        self._build()
        self._wire()

    def _build(self) -> None:
        theme, view = self._theme, self._view
        tools = [(TOOLS, f"Tools {len(view.tools):,}")] if view.tools else []
        self.views = SegmentedControl((*VIEWS, *tools, RAW), name="request_views", parent=self)
        self._raw = JsonView(theme=theme, name="sampling_raw")
        self._raw.set_value(view.raw)
        self._pages: dict[str, QWidget] = {
            "messages": Conversation(view, theme=theme),
            "prompt": self._prompt_page(),
            "raw": self._raw,
        }
        if view.tools:
            self._pages[TOOLS] = tools_page = JsonView(theme=theme, name="sampling_tools")
            tools_page.set_value(list(view.tools))
        self._stack = QStackedWidget(self)
        for page in self._pages.values():
            self._stack.addWidget(page)
        column = column_layout(self, space=theme.PADDING_PX)
        column.addWidget(self.views, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._stack, 1)

    def _prompt_page(self) -> QWidget:
        whole = QWidget()
        text = plain_label(PROMPT_HINT, tone="muted", wrap=True)
        self.prompt = QPlainTextEdit(self._start)
        self._untouched = self.prompt.toPlainText()  # Qt makes line breaks of some characters
        self.prompt.setObjectName("prompt_edit")
        self.prompt.setAccessibleName("Editable copy of the prompt")
        self.prompt.setProperty("field", True)
        self.prompt.setTabChangesFocus(True)
        self._copy = push_button("Copy", name="prompt_copy")
        self._reset = push_button("Revert", name="prompt_reset")
        row = QHBoxLayout()
        row.addWidget(self._copy)
        row.addWidget(self._reset)
        row.addStretch(1)
        column = column_layout(whole, text, space=self._theme.SPACING_PX)
        column.addWidget(self.prompt, 1)
        column.addLayout(row)
        return whole

    def _wire(self) -> None:
        self.views.chosen.connect(self.show_view)
        self._copy.clicked.connect(lambda: copy_text(self.prompt.toPlainText()))
        self._reset.clicked.connect(lambda: self.prompt.setPlainText(self._start))

    def show_view(self, key: str) -> None:
        """Bring a part of the request to the front."""
        self.views.choose(key)
        self._stack.setCurrentWidget(self._pages[key])

    def is_touched(self) -> bool:
        """Whether the copy of the prompt was edited."""
        return self.prompt.toPlainText() != self._untouched


def prompt_text(view: SamplingView) -> str:
    """System prompt and messages, each under its role."""
    parts = [f"system:\n{view.system_prompt}"] if view.system_prompt else []
    for message in view.messages:
        text = "\n".join(_block_text(block) for block in message.blocks)
        parts.append(f"{message.role or '(no role)'}:\n{text}")
    return "\n\n".join(parts)


def _block_text(block: ContentView) -> str:
    if isinstance(block, TextContent) and not block.is_malformed:
        return block.body
    written = json_codec.write(block.raw)
    if len(written) <= MAX_BLOCK:
        return written
    return f"[{block.type or 'block'}, {len(written):,} characters of JSON]"


def parameters(view: SamplingView) -> list[KeyValue]:
    """Return everything but the messages and the tools, unknown members first and marked: what does not fit is known otherwise."""
    facts = [*_unknown(view), *_limits(view), *_preferences(view)]
    if view.has_metadata:
        facts.append(
            KeyValue("metadata", brief(view.metadata), json_codec.write(view.metadata, indent=2))
        )
    if view.task is not None:
        tip = "Requested to run as a task"
        facts.append(KeyValue("task", brief(view.task), tip))
    if view.meta:
        facts.append(
            KeyValue("_meta", brief(dict(view.meta)), json_codec.write(dict(view.meta), indent=2))
        )
    return facts


def _unknown(view: SamplingView) -> list[KeyValue]:
    facts: list[KeyValue] = []
    for key, value in view.unknown.items():
        tip = f"Not defined in this revision.\n{json_codec.write(value, indent=2)}"
        facts.append(KeyValue(f"{key} (unknown)", brief(value), tip, tone="warning"))
    for key, value in view.preferences.unknown.items():
        facts.append(KeyValue(f"modelPreferences.{key} (unknown)", brief(value), tone="warning"))
    return facts


def _limits(view: SamplingView) -> list[KeyValue]:
    limit = _number(view.max_tokens) or "missing"
    facts = [KeyValue("Max tokens", limit, "`maxTokens`: the most tokens in the response")]
    if view.temperature is not None:
        facts.append(KeyValue("Temperature", _number(view.temperature)))
    return facts


def _preferences(view: SamplingView) -> list[KeyValue]:
    preferences = view.preferences
    facts: list[KeyValue] = []
    if preferences.hints:
        tip = "Model name fragments in order of preference. Hints take precedence over priorities."
        facts.append(KeyValue("Model hints", ", ".join(preferences.hints), tip))
    if preferences.priorities:
        values = [
            _number(preferences.priorities[key]) or "unusable"
            for key in PRIORITIES
            if key in preferences.priorities
        ]
        named = [name for key, name in PRIORITIES.items() if key in preferences.priorities]
        tip = ", ".join(f"`{key}`" for key in preferences.priorities)
        name = " / ".join(named).capitalize()
        facts.append(KeyValue(name, " / ".join(values), f"{tip}, each 0 to 1"))
    stops = ", ".join(map(json_codec.write, view.stop_sequences)) or "none"
    facts.append(KeyValue("Stop", stops, "`stopSequences`"))
    tip = "`includeContext`: requested context; Spyglass adds none"
    facts.append(KeyValue("Context", view.include_context or "none", tip))
    if view.tools or view.tool_choice:
        facts.append(KeyValue("Tool choice", view.tool_choice or "auto (default)"))
    return facts


def _number(value: Json) -> str:
    return "" if value is None else json_codec.write(value)
