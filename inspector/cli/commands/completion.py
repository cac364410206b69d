"""`completion`: a script that completes command lines in bash, zsh or fish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.command import COMMANDS, SUCCESS, CommandCode
from inspector.cli.completion_scripts import SCRIPTS, completed_commands
from inspector.cli.options import add_output_options

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options


def _add_arguments(parser: ArgumentParser) -> None:
    text = "the shell that reads the script"
    parser.add_argument("args", nargs=1, choices=[*SCRIPTS], metavar="SHELL", help=text)
    add_output_options(parser, "print the script as a JSON string")


async def _run(options: Options, console: Console, keyboard: Keyboard) -> int:
    """Print the script."""
    del keyboard
    script = SCRIPTS[options.args[0]](completed_commands(COMMANDS))
    if options.json:
        console.out_json(script)
    else:
        console.out_exact(script)
    return SUCCESS


completion = CommandCode(
    _add_arguments,
    _run,
    (
        "completion bash --output ~/.local/share/bash-completion/completions/spyglass-cli",
        "completion zsh --output ~/.zfunc/_spyglass-cli",
        "completion fish --output ~/.config/fish/completions/spyglass-cli.fish",
    ),
)
