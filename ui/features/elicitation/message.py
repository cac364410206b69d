"""What the server says, set apart from what Spyglass says: plain text, with nothing in it to click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from inspector.rule_titles import rule_label
from inspector.visible_text import one_line, visible
from ui.render.auto_height import AutoHeightText
from ui.theme import tokens
from ui.widgets.labels import QuotingLabel, plain_label, set_background

if TYPE_CHECKING:
    from inspector.finding import Finding
    from ui.theme import Theme

LABEL_CHARACTERS = 1500
"""Longer messages stand in a text view, which scrolls."""


def server_message(text: str, server: str, *, theme: Theme) -> QFrame:
    """The message of `server`, in a frame that says whose words it holds."""
    frame = QFrame()
    frame.setObjectName("elicitation_message")
    set_background(frame, "info")
    caption = plain_label(
        f"Message from “{one_line(server, 80)}”:", tone="muted", name="elicitation_says"
    )
    caption.setFont(theme.font(tokens.SMALL))
    column = QVBoxLayout(frame)
    column.setContentsMargins(*[theme.PADDING_PX] * 4)
    column.setSpacing(theme.SPACING_PX)
    column.addWidget(caption)
    column.addWidget(_text(text, theme))
    return frame


def _text(text: str, theme: Theme) -> QWidget:
    if len(text) > LABEL_CHARACTERS:
        view = AutoHeightText(theme=theme, name="elicitation_text")
        view.set_text(text)
        return view
    return plain_label(
        visible(text) or "(no message)", name="elicitation_text", wrap=True, selectable=True
    )


def finding_words(findings: list[Finding]) -> str:
    """Everything odd about the request, a line each."""
    return "\n".join(f"⚠ {finding.summary} ({rule_label(finding.rule)})" for finding in findings)


def warning_label(name: str) -> QLabel:
    """A label for what is odd; hidden while there is nothing."""
    label = QuotingLabel(name=name, tone="warning")
    label.hide()
    return label
