"""`prompts`: the prompts of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.item_lists import list_to_json, print_list, read_list
from inspector.cli.options import add_session_options
from inspector.cli.runner import run_connected
from inspector.features.prompts import Prompts

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.keyboard import Keyboard
    from inspector.cli.options import Options
    from inspector.session.session import Session
    from inspector.spec.views.prompt import PromptView


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of a session."""
    add_session_options(parser)


async def run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Run the command and return the exit code."""
    return await run_connected(options, console, keyboard, _show)


async def _show(session: Session, options: Options, console: Console) -> int:
    prompts = Prompts(session)
    await read_list(console, prompts)
    if options.json:
        console.out_json(list_to_json("prompts", prompts))
    cells = None if options.json else _cells
    return print_list(console, prompts, "prompts", cells, has_findings=not options.quiet)


def _cells(prompt: PromptView) -> tuple[str, str, str]:
    names = [
        name if argument.required else f"{name}?"
        for argument in prompt.arguments
        if (name := argument.name)
    ]
    return prompt.name_label, f"({', '.join(names)})", prompt.description or prompt.title
