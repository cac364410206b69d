"""`prompts`: the prompts of a server."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.item_lists import show_list
from inspector.cli.options import add_session_options
from inspector.cli.runner import run_connected
from inspector.features.prompts import Prompts

if TYPE_CHECKING:
    from inspector.spec.views.prompt import PromptView


def _cells(prompt: PromptView) -> tuple[str, str, str]:
    names = [
        name if argument.required else f"{name}?"
        for argument in prompt.arguments
        if (name := argument.name)
    ]
    return prompt.id_label, f"({', '.join(names)})", prompt.description or prompt.title


add_arguments = add_session_options
run = partial(run_connected, partial(show_list, Prompts, "prompts", _cells))
