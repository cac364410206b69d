"""`tools`: the tools of a server."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.item_lists import show_list
from inspector.cli.options import add_session_options
from inspector.cli.runner import run_connected
from inspector.features.tools import Tools

if TYPE_CHECKING:
    from inspector.spec.views.tool import ToolView
    from inspector.wire.json_codec import Json


def _cells(tool: ToolView) -> tuple[str, str, str]:
    return tool.id_label, _arguments(tool), tool.description or tool.title


def _arguments(tool: ToolView) -> str:
    """Return the names of the arguments in brackets, those that may be left out with a question mark."""
    schema = tool.input_schema if isinstance(tool.input_schema, dict) else {}
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return "()"
    needed: list[Json] = required if isinstance(required, list) else []
    return f"({', '.join(name if name in needed else f'{name}?' for name in properties)})"


add_arguments = add_session_options
run = partial(run_connected, partial(show_list, Tools, "tools", _cells))
