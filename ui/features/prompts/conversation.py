"""The messages of a prompt as a conversation: the role of each, and its blocks by their type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.visible_text import one_line, visible
from inspector.wire import json_codec
from ui.render import render
from ui.render.block_column import MAX_WARNINGS, BlockColumn, result_label
from ui.widgets.badge import Badge
from ui.widgets.buttons import link_button
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import QuotingLabel
from ui.widgets.layout_parts import column_layout, row_layout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.views.prompt import PromptMessage, PromptResult
    from ui.theme import Theme

MAX_BLOCKS = 30
"""Blocks rendered of one message, which has one according to the specification."""

TONES = {"user": "person", "assistant": "received"}
"""The color of each role; the text says the same."""


class Conversation(QWidget):
    """Messages in order, and two buttons that copy them."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("prompt_conversation")
        self._theme = theme
        self._result: PromptResult | None = None
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self._text = link_button("Copy as text", name="copy_conversation_text", parent=self)
        self._json = link_button("Copy as JSON", name="copy_conversation_json", parent=self)
        self._messages = BlockColumn(
            self._add_message, theme=theme, name="get", label="Conversation", parts="messages"
        )
        row = row_layout(None, self._text, self._json, space=theme.SPACING_PX)
        row.addStretch(1)
        layout = column_layout(self, row, space=theme.SPACING_PX)
        layout.addWidget(self._messages, 1)

    def _wire(self) -> None:
        self._text.clicked.connect(self._on_text_clicked)
        self._json.clicked.connect(self._on_json_clicked)

    def show_result(self, result: PromptResult, listed_description: str, *, at_once: bool) -> None:
        """Show the messages of a result, and its description unless the list has the same."""
        self._result = result
        text = result.description
        is_new = bool(text) and text != listed_description
        is_empty = result.has_no_items("messages")
        self._messages.show_result(
            result,
            result.messages,
            above=[result_label("result_description", text, tone="muted")] if is_new else (),
            remarks=("Empty result: no messages.",) if is_empty else (),
            count=sum(max(len(message.content), 1) for message in result.messages),
            at_once=at_once,
        )

    def _add_message(
        self, message: PromptMessage, column: QVBoxLayout, parent: QWidget
    ) -> Iterator[None]:
        whole = QWidget(parent)
        lines = self._headed(message, whole)
        column.addWidget(whole)
        for block in message.content[:MAX_BLOCKS]:
            lines.addWidget(render(block.raw, theme=self._theme, parent=whole))
            yield
        if not message.content:
            yield

    def _headed(self, message: PromptMessage, whole: QWidget) -> QVBoxLayout:
        """Add the role and the problems of a message; return the layout for its blocks."""
        theme = self._theme
        whole.setObjectName("prompt_message")
        role = message.role or "(no role)"
        whole.setAccessibleName(f"{one_line(role, 60)} message")
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.px(2))
        badge = Badge(role, theme=theme, tone=TONES.get(role, "warning"), parent=whole)
        column.addWidget(badge, 0, Qt.AlignmentFlag.AlignLeft)
        for finding in message.notes[:MAX_WARNINGS]:
            text = visible(f"⚠ {finding.summary}")
            column.addWidget(QuotingLabel(text, name="message_warning", tone="warning"))
        if not message.content:
            raw = json_codec.write(message.raw, indent=2)
            column.addWidget(result_label("message_raw", raw))
        elif len(message.content) > MAX_BLOCKS:
            text = f"{len(message.content) - MAX_BLOCKS:,} more blocks in Raw."
            column.addWidget(result_label("message_remark", text, tone="muted"))
        return column

    def _on_text_clicked(self) -> None:
        if self._result is not None:
            copy_text(self._result.as_text())

    def _on_json_clicked(self) -> None:
        if self._result is not None:
            messages = self._result.value("messages")
            copy_text(json_codec.write(messages, indent=2))
