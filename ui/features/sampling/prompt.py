"""The request as one text to give to a model of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.views.content import TextContent
from inspector.wire import json_codec

if TYPE_CHECKING:
    from inspector.spec.views.content import ContentView
    from inspector.spec.views.sampling import SamplingView

MAX_BLOCK = 2000
"""Characters of a block that is not text; pictures and sounds are long."""


def prompt_text(view: SamplingView) -> str:
    """System prompt and messages, each under its role."""
    parts = [f"system:\n{view.system_prompt}"] if view.system_prompt else []
    for message in view.messages:
        said = "\n".join(_said(block) for block in message.blocks)
        parts.append(f"{message.role or '(no role)'}:\n{said}")
    return "\n\n".join(parts)


def _said(block: ContentView) -> str:
    if isinstance(block, TextContent) and not block.is_malformed:
        return block.body
    written = json_codec.write(block.raw)
    if len(written) <= MAX_BLOCK:
        return written
    return f"[{block.type or 'block'}, {len(written):,} characters of JSON]"
