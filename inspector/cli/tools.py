"""`tools`: what the server lists, one line a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.codes import FINE
from inspector.cli.documents import finding_of
from inspector.cli.telling import finding_lines
from inspector.features.tools import Tools

if TYPE_CHECKING:
    from inspector.cli.options import Options
    from inspector.cli.screen import Screen
    from inspector.session.session import Session
    from inspector.spec.views.tool import ToolView
    from inspector.wire.jsontext import Json


async def show(session: Session, options: Options, screen: Screen) -> int:
    """Read the list to its end, or to its budget, and print it.

    Raises:
        InspectorError: the list could not be read; what came before is printed.
    """
    tools = Tools(session)
    if not tools.offered:
        screen.tell("the server declares no tools; asked all the same")
    await tools.refresh()
    if options.json and tools.failure is None:
        screen.print_json(_document(tools))
    elif not options.json:
        screen.say_table([_cells(tool) for tool in tools.items])
    for line in finding_lines(tools.notes, "tools/list"):
        screen.tell(line)
    if tools.failure is not None:
        raise tools.failure
    if not tools.items:
        screen.tell("no tools")
    return FINE


def _document(tools: Tools) -> Json:
    return {
        "tools": [tool.raw for tool in tools.items],
        "notes": [finding_of(note) for note in tools.notes],
        "more": tools.more,
    }


def _cells(tool: ToolView) -> tuple[str, str, str]:
    return tool.name_label, _arguments(tool), tool.description or tool.title


def _arguments(tool: ToolView) -> str:
    """The names of the arguments in brackets, those that may be left out with a question mark."""
    schema = tool.input_schema if isinstance(tool.input_schema, dict) else {}
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return "()"
    needed: list[Json] = required if isinstance(required, list) else []
    return f"({', '.join(name if name in needed else f'{name}?' for name in properties)})"
