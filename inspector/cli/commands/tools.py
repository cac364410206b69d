"""`tools`: the tools of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.item_lists import list_to_json, print_list, read_list
from inspector.cli.options import add_session_options
from inspector.cli.runner import run_connected
from inspector.features.tools import Tools

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.keyboard import Keyboard
    from inspector.cli.options import Options
    from inspector.session.session import Session
    from inspector.spec.views.tool import ToolView
    from inspector.wire.jsontext import Json


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of a session."""
    add_session_options(parser)


async def run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Run the command and return the exit code."""
    return await run_connected(options, console, keyboard, _show)


async def _show(session: Session, options: Options, console: Console) -> int:
    tools = Tools(session)
    await read_list(console, tools)
    if options.json:
        console.out_json(list_to_json("tools", tools))
    cells = None if options.json else _cells
    return print_list(console, tools, "tools", cells, has_findings=not options.quiet)


def _cells(tool: ToolView) -> tuple[str, str, str]:
    return tool.name_label, _arguments(tool), tool.description or tool.title


def _arguments(tool: ToolView) -> str:
    """Return the names of the arguments in brackets, those that may be left out with a question mark."""
    schema = tool.input_schema if isinstance(tool.input_schema, dict) else {}
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, dict):
        return "()"
    needed: list[Json] = required if isinstance(required, list) else []
    return f"({', '.join(name if name in needed else f'{name}?' for name in properties)})"
