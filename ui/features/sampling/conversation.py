"""The messages of a request, by role, every block drawn by its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from inspector.rules import rule_label
from inspector.visible_text import one_line, visible
from ui.features.sampling.message_block import MessageBlock
from ui.render.auto_height import AutoHeightJson
from ui.render.incremental import IncrementalBuilder
from ui.theme import tokens
from ui.theme.theme_font import set_theme_font
from ui.widgets.labels import QuotingLabel, plain_label
from ui.widgets.layout_parts import Hairline, column_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.spec.views.sampling import SamplingMessage, SamplingView
    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme

MAX_MESSAGES = 60
"""Messages drawn; the latest, since they are what is asked."""
MAX_BLOCKS = 30
"""Blocks drawn of one message."""

MAX_NOTES = 20
"""Problems of a request that are listed. Qt lays all lines of a label out again for each width that is tried: thousands of them stop the window for half a minute."""

ROLES = {"user": "User", "assistant": "Assistant"}
"""Roles that the specification defines, as they are displayed; any other is displayed as it came, and marked."""


class Conversation(QScrollArea):
    """System prompt and messages."""

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
        theme = self._theme
        inner = QWidget(self)
        outer = QVBoxLayout(inner)
        outer.setContentsMargins(0, 0, theme.PADDING_PX, 0)
        outer.setSpacing(theme.PADDING_PX)
        self._add_notes(view, outer)
        self._column = column_layout(None, space=theme.PADDING_PX)
        outer.addLayout(self._column)
        if view.system_prompt:
            self._add_system(view.system_prompt)
        skipped = len(view.messages) - MAX_MESSAGES
        if skipped > 0:
            self._add_text(f"{skipped:,} earlier messages in JSON", "conversation_skipped")
        IncrementalBuilder(self._drawing(view.messages[-MAX_MESSAGES:]), inner, at_once=True)
        if view.has_no_items("messages"):
            self._add_text("No messages", "conversation_empty")
        outer.addStretch(1)
        self.setWidget(inner)
        inner.setAutoFillBackground(False)

    def _add_notes(self, view: SamplingView, column: QVBoxLayout) -> None:
        """Add what is wrong with the request."""
        lines = [f"⚠ {each.summary} ({rule_label(each.rule)})" for each in view.notes[:MAX_NOTES]]
        rest = len(view.notes) - len(lines)
        if rest > 0:
            lines.append(f"⚠ {plural(rest, 'more problem')} in this request; see the traffic")
        text = "\n".join(lines)
        notes = QuotingLabel(visible(text), name="sampling_notes", tone="warning")
        notes.setVisible(bool(view.notes))
        column.addWidget(notes)

    def _drawing(self, messages: Sequence[SamplingMessage]) -> Iterator[None]:
        for message in messages:
            yield from self._drawing_message(message, is_last=message is messages[-1])

    def _add_system(self, prompt: str) -> None:
        block = MessageBlock(
            "System prompt",
            {"type": "text", "text": prompt},
            theme=self._theme,
            tone="muted",
            name="system_role",
        )
        block.setObjectName("system_prompt")
        self._add_block(block)

    def _drawing_message(self, message: SamplingMessage, *, is_last: bool) -> Iterator[None]:
        role = ROLES.get(message.role, message.role or "(no role)")
        tone = "" if message.role in ROLES else "warning"
        note = "prefill" if is_last and message.role == "assistant" else ""
        blocks = message.blocks[:MAX_BLOCKS]
        if not blocks:
            self._add_role(role, tone)
        for at, block in enumerate(blocks):
            name = "message_role" if at == 0 else "block_role"
            self._add_block(
                MessageBlock(role, block.raw, theme=self._theme, note=note, tone=tone, name=name)
            )
            yield
        if len(message.blocks) > MAX_BLOCKS:
            more = len(message.blocks) - MAX_BLOCKS
            self._add_text(f"{more:,} more blocks in JSON", "more_blocks")
        self._add_rest(message)
        yield

    def _add_rest(self, message: SamplingMessage) -> None:
        """Add what a message has besides role and content."""
        if not message.is_object:
            bad = AutoHeightJson(message.raw, theme=self._theme, name="bad_message")
            self._column.addWidget(bad)
        elif message.unknown or message.meta:
            rest: JsonObject = dict(message.unknown)
            if message.meta:
                rest["_meta"] = message.meta
            self._column.addWidget(AutoHeightJson(rest, theme=self._theme, name="message_rest"))

    def _add_block(self, block: MessageBlock) -> None:
        if self._column.count():
            self._column.addWidget(Hairline(theme=self._theme))
        self._column.addWidget(block)

    def _add_role(self, role: str, tone: str) -> None:
        label = plain_label(one_line(role, 60), tone=tone, name="message_role")
        set_theme_font(label, self._theme, tokens.SMALL, bold=True)
        self._column.addWidget(label)

    def _add_text(self, text: str, name: str) -> None:
        label = plain_label(text, tone="muted", name=name)
        self._column.addWidget(label)
