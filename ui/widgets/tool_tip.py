"""The text of a tool tip."""

from __future__ import annotations

import html

from inspector.visible_text import cut, visible


def tool_tip(text: str, limit: int = 2000) -> str:
    """`text` as a tool tip that Qt cannot mistake for rich text, wrapped; empty stays empty."""
    if not text:
        return ""
    start = cut(text, limit)
    message = html.escape(visible(start)) + ("…" if len(start) < len(text) else "")
    return f'<div style="white-space: pre-wrap">{message}</div>'
