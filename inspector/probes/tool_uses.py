"""The calls of tools that probes may make: tools that are marked as read-only, and calls that the user made before and allows again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.wire.json_codec import Json, JsonObject


class ToolUse(NamedTuple):
    """One tool, and the arguments that it may be called with."""

    name: str
    arguments: JsonObject | None
    """None if only a call without arguments is allowed, for a tool that requires some."""
    is_read_only: bool
    """Whether the tool is marked as read-only."""
    was_called: bool = False
    """Whether the user called it with these arguments."""


def is_read_only(tool: JsonObject) -> bool:
    """Return whether a listed tool is marked as read-only."""
    hints = tool.get("annotations")
    return isinstance(hints, dict) and hints.get("readOnlyHint") is True


def requires_arguments(tool: JsonObject) -> bool:
    """Return whether a listed tool requires an argument."""
    schema = tool.get("inputSchema")
    required = schema.get("required") if isinstance(schema, dict) else None
    return isinstance(required, list) and bool(required)


def tool_uses(tools: Iterable[JsonObject], calls: Iterable[tuple[str, Json]] = ()) -> list[ToolUse]:
    """Return which tools may be called: read-only ones, and those of `calls` (name and arguments), of one tool the latest."""
    made = {name: arguments for name, arguments in calls if isinstance(arguments, dict)}
    found: dict[str, ToolUse] = {}
    for tool in tools:
        name, read_only = tool.get("name"), is_read_only(tool)
        if not isinstance(name, str) or not (read_only or name in made):
            continue
        default: JsonObject | None = None if requires_arguments(tool) else {}
        arguments = made.get(name, default)
        found.setdefault(name, ToolUse(name, arguments, read_only, name in made))
    return list(found.values())
