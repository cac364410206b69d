"""The messages of a prompt as a conversation: who speaks, and what is said by its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from inspector.finding import Severity
from inspector.visible_text import one_line, visible
from inspector.wire import json_codec
from ui.render import render
from ui.render.incremental import FEW, IncrementalArea, IncrementalBuilder
from ui.widgets.badge import Badge
from ui.widgets.buttons import link_button
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import QuotingLabel, plain_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.views.prompt import PromptMessage, PromptResult
    from ui.theme import Theme

MESSAGES = 100
"""Messages drawn; *Raw* has all of them."""
BLOCKS = 30
"""Blocks drawn of one message, which by the book has one."""
REMARKS = 5
"""Remarks on the whole that are told here; *Problems* has all of them."""

TONES = {"user": "person", "assistant": "received"}
"""Colour of each role; the words say the same."""


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
        self._area = IncrementalArea(self)
        self._area.setAccessibleName("Conversation")
        row = QHBoxLayout()
        row.setSpacing(theme.SPACING_PX)
        row.addWidget(self._text)
        row.addWidget(self._json)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACING_PX)
        layout.addLayout(row)
        layout.addWidget(self._area, 1)

    def _wire(self) -> None:
        self._text.clicked.connect(self._on_text_clicked)
        self._json.clicked.connect(self._on_json_clicked)

    def show_result(self, result: PromptResult, listed_description: str) -> None:
        """Show what was got; a description is told where it is not the one of the list."""
        self._result = result
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.PADDING_PX)
        for note in [n for n in result.notes if n.severity is not Severity.INFO][:REMARKS]:
            column.addWidget(
                QuotingLabel(visible(f"⚠ {note.summary}"), name="get_warning", tone="warning")
            )
        if result.description and result.description != listed_description:
            column.addWidget(_label("result_description", result.description, "muted"))
        messages = QVBoxLayout()
        column.addLayout(messages)
        for text in _remarks(result):
            column.addWidget(_label("get_remark", text, "muted"))
        column.addStretch(1)
        at_once = len(result.messages) <= FEW
        IncrementalBuilder(self._drawing(result, messages, inner), inner, at_once=at_once)
        self._area.put(inner)

    def _drawing(self, result: PromptResult, column: QVBoxLayout, inner: QWidget) -> Iterator[None]:
        for message in result.messages[:MESSAGES]:
            whole = QWidget(inner)
            lines = self._headed(message, whole)
            column.addWidget(whole)
            yield from self._drawing_message(message, lines, whole)

    def _headed(self, message: PromptMessage, whole: QWidget) -> QVBoxLayout:
        """Who speaks, and what is odd about it; its blocks go below."""
        theme = self._theme
        whole.setObjectName("prompt_message")
        role = message.role or "(no role)"
        whole.setAccessibleName(f"{one_line(role, 60)} message")
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.px(2))
        badge = Badge(role, theme=theme, tone=TONES.get(role, "warning"), parent=whole)
        column.addWidget(badge, 0, Qt.AlignmentFlag.AlignLeft)
        for note in message.notes[:REMARKS]:
            column.addWidget(
                QuotingLabel(visible(f"⚠ {note.summary}"), name="message_warning", tone="warning")
            )
        if not message.content:
            column.addWidget(_label("message_raw", json_codec.write(message.raw, indent=2), ""))
        elif len(message.content) > BLOCKS:
            text = f"{len(message.content) - BLOCKS:,} more blocks in Raw."
            column.addWidget(_label("message_remark", text, "muted"))
        return column

    def _drawing_message(
        self, message: PromptMessage, column: QVBoxLayout, whole: QWidget
    ) -> Iterator[None]:
        for block in message.content[:BLOCKS]:
            drawn = render(block.raw, theme=self._theme, parent=whole)
            column.addWidget(drawn)
            yield
        if not message.content:
            yield

    def _on_text_clicked(self) -> None:
        if self._result is not None:
            copy_text(self._result.as_text())

    def _on_json_clicked(self) -> None:
        if self._result is not None:
            messages = self._result.value("messages")
            copy_text(json_codec.write(messages, indent=2))


def _remarks(result: PromptResult) -> list[str]:
    lines: list[str] = []
    if len(result.messages) > MESSAGES:
        lines.append(f"{len(result.messages) - MESSAGES:,} more messages in Raw.")
    if result.has_no_items("messages"):
        lines.append("Empty result: no messages.")
    if result.unknown:
        names = one_line(", ".join(result.unknown), 200)
        lines.append(f"Not defined in this revision (see JSON): {names}")
    if result.meta:
        lines.append("Result has _meta (see JSON).")
    return lines


def _label(name: str, text: str, tone: str) -> QLabel:
    return plain_label(visible(text[:4000]), tone=tone, name=name, wrap=True, selectable=True)
