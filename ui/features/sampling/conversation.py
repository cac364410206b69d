"""The messages of a request, by role, every block drawn by its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from inspector.visible_text import one_line
from ui.render import render
from ui.render.auto_height import AutoHeightJson, AutoHeightText
from ui.render.incremental import IncrementalBuilder
from ui.widgets.collapsible_section import CollapsibleSection
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import Hairline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.spec.views.sampling import SamplingMessage, SamplingView
    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme

MAX_MESSAGES = 60
"""Messages drawn; the latest, since they are what is asked."""
MAX_BLOCKS = 30
"""Blocks drawn of one message."""

ROLE_TONES = {"user": "person", "assistant": "received", "system": "muted"}
"""Role → look of its heading."""


class Conversation(QScrollArea):
    """System prompt, messages, tools."""

    def __init__(self, view: SamplingView, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Draw the messages of `view`."""
        super().__init__(parent)
        self.setObjectName("conversation")
        self.setAccessibleName("Messages")
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setWidgetResizable(True)
        self._theme = theme
        self._build(view)

    def _build(self, view: SamplingView) -> None:
        inner = QWidget(self)
        outer = QVBoxLayout(inner)
        outer.setContentsMargins(0, 0, self._theme.PADDING_PX, 0)
        outer.setSpacing(self._theme.SPACING_PX)
        self._column = QVBoxLayout()
        self._column.setSpacing(self._theme.SPACING_PX)
        outer.addLayout(self._column)
        if view.system_prompt:
            self._add_system(view.system_prompt)
        skipped = len(view.messages) - MAX_MESSAGES
        if skipped > 0:
            self._add_text(f"{skipped:,} earlier messages in Raw", "conversation_skipped")
        IncrementalBuilder(self._drawing(view.messages[-MAX_MESSAGES:]), inner, at_once=True)
        if view.has_no_items("messages"):
            self._add_text("No messages", "conversation_empty")
        if view.tools:
            outer.addWidget(self._tools(view))
        outer.addStretch(1)
        self.setWidget(inner)

    def _drawing(self, messages: Sequence[SamplingMessage]) -> Iterator[None]:
        for message in messages:
            yield from self._drawing_message(message)

    def _add_system(self, prompt: str) -> None:
        self._add_role("system", "system prompt")
        text = AutoHeightText(theme=self._theme, name="system_prompt")
        text.set_text(prompt)
        self._column.addWidget(text)

    def _drawing_message(self, message: SamplingMessage) -> Iterator[None]:
        self._add_role(message.role, message.role or "(no role)")
        for block in message.blocks[:MAX_BLOCKS]:
            self._column.addWidget(render(block.raw, theme=self._theme))
            yield
        if len(message.blocks) > MAX_BLOCKS:
            self._add_text(
                f"{len(message.blocks) - MAX_BLOCKS:,} more blocks in Raw",
                "more_blocks",
            )
        if not message.is_object:
            self._column.addWidget(
                AutoHeightJson(message.raw, theme=self._theme, name="bad_message")
            )
        elif message.unknown or message.meta:
            rest: JsonObject = dict(message.unknown)
            if message.meta:
                rest["_meta"] = message.meta
            self._column.addWidget(AutoHeightJson(rest, theme=self._theme, name="message_rest"))
        yield

    def _add_role(self, role: str, text: str) -> None:
        if self._column.count():
            self._column.addWidget(Hairline(theme=self._theme))
        label = plain_label(
            one_line(text, 60), tone=ROLE_TONES.get(role, "warning"), name="message_role"
        )
        label.setFont(self._theme.font(bold=True))
        self._column.addWidget(label)

    def _tools(self, view: SamplingView) -> CollapsibleSection:
        tools = list(view.tools)
        return CollapsibleSection(
            f"Tools · {len(tools):,}",
            lambda: AutoHeightJson(tools, theme=self._theme, name="sampling_tools"),
            theme=self._theme,
            name="tools_section",
            opened=True,
        )

    def _add_text(self, text: str, name: str) -> None:
        label = plain_label(text, tone="muted", name=name)
        self._column.addWidget(label)
