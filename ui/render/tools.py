"""Blocks of sampling with tools: a tool call and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.render.auto_height import AutoHeightJson
from ui.render.rendering import Host, Malformed, Rendering, View, text_of
from ui.widgets import units

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


def render_tool_use(content: JsonObject, host: Host) -> Rendering:
    """A `tool_use` block: which tool, with which arguments."""
    name = content.get("name")
    if not isinstance(name, str):
        raise Malformed("tool use without a tool name")
    notes = () if isinstance(content.get("input"), dict) else ("input is not an object",)
    return Rendering(
        icon="mdi6.hammer-wrench",
        kind="tool use",
        facts=(name, text_of(content, "id")),
        notes=notes,
        views=(_json("input", "Input", content.get("input"), host),),
    )


def render_tool_result(content: JsonObject, host: Host) -> Rendering:
    """A `tool_result` block: the content blocks and the structured content that a tool gave."""
    inner = content.get("content")
    notes = () if isinstance(inner, list) else ("content is not an array",)
    count = len(inner) if isinstance(inner, list) else 0
    views = [_json("content", "Content", inner, host)]
    if "structuredContent" in content:
        views.append(_json("structured", "Structured", content["structuredContent"], host))
    failed = content.get("isError") is True
    return Rendering(
        icon="mdi6.hammer-wrench",
        kind="tool error" if failed else "tool result",
        facts=(text_of(content, "toolUseId"), units.plural(count, "block")),
        notes=notes,
        views=tuple(views),
    )


def _json(key: str, text: str, value: Json, host: Host) -> View:
    return View(key, text, lambda: AutoHeightJson(value, theme=host.theme, name=key))
