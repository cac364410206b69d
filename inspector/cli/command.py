"""The commands of the command line, one row each; a row names its module, which is imported when the command is used.

To add a command: a module with the functions of `CommandModule`, and a row in `COMMANDS`.
"""

from __future__ import annotations

from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.keyboard import Keyboard
    from inspector.cli.options import Options


class Target(Enum):
    """How a command is given its server."""

    ANY = "any"
    """A command or URL after `--`, or the name of a server."""
    URL = "url"
    """The URL of a server over HTTP, or the name of one."""
    NONE = "none"
    """The command needs no server."""


class CommandModule(Protocol):
    """What the module of a command offers."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add what the command takes; every `dest` is a field of `Options` or `AuthOptions`."""
        ...

    async def run(self, options: Options, console: Console, keyboard: Keyboard) -> int:
        """Run the command and return the exit code."""
        ...


class Command(FrozenStruct, frozen=True):
    """One command."""

    name: str
    """The word that selects it."""
    synopsis: str
    """What stands behind the name, without options and server."""
    summary: str
    """What it does, in one line of the help."""
    target: Target = Target.ANY
    """How it is given its server."""
    package: str = "inspector.cli.commands"
    """The package of its module, which is called like the command."""

    def load(self) -> CommandModule:
        """Import its module."""
        return cast("CommandModule", import_module(f"{self.package}.{self.name}"))


COMMANDS = (
    Command("info", "", "show server information and capabilities"),
    Command("tools", "", "list tools"),
    Command("resources", "", "list resources and resource templates"),
    Command("prompts", "", "list prompts"),
    Command("call", "NAME [ARGUMENTS]", "call a tool"),
    Command("read", "URI", "read a resource"),
    Command("prompt", "NAME [ARGUMENTS]", "get a prompt"),
    Command("request", "METHOD [PARAMS]", "send any request and print its result"),
    Command("raw", "TEXT", "send TEXT unchanged and print the response"),
    Command("auth", "", "check the authorization of a server without logging in", Target.URL),
    Command("login", "", "log in and keep the token in the system keyring", Target.URL),
    Command("logout", "", "revoke the token and delete it", Target.URL),
    Command("transcript", "FILE", "print a recording", Target.NONE),
)
"""Every command, in the order of the help."""
