"""The exit codes and the commands of the command line, one row each; a row names its module, which is imported when the command is used.

To add a command: a `CommandCode` with its name in a module of `commands/`, and a row in `COMMANDS`.
"""

from __future__ import annotations

from enum import Enum
from importlib import import_module
from keyword import iskeyword
from typing import TYPE_CHECKING, cast

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Awaitable, Callable

    from inspector.cli.console import Console, Keyboard
    from inspector.cli.options import Options
    from inspector.session.session import Session

    AddArguments = Callable[[ArgumentParser], None]
    Show = Callable[[Session, Options, Console], Awaitable[int]]

# Exit codes; a signal ends with 128 plus its number.

SUCCESS = 0

USAGE = 1
"""The command line, or a file that it names, cannot be used."""

NOT_CONNECTED = 2
"""The server could not be reached, or no revision was agreed on."""

ERROR_RESPONSE = 3
"""The server responded with an error, or not at all; with `auth`, it breaks a rule with MUST."""

TOOL_ERROR = 4
"""The tool reported an error."""

UNAUTHORIZED = 5
"""The server requires authorization (HTTP 401, or 403 for a missing scope), or logging in failed."""

NOT_CONFIRMED = 6
"""The revision of `--revision` was used, and the server did not confirm it."""

PROBLEMS = 7
"""Everything worked, and with `--strict` a problem was found."""

NO_OUTPUT = 8
"""Standard output could not be written."""

INTERNAL_ERROR = 9
"""Spyglass itself failed, be it beside the command: its result may be incomplete."""

INTERRUPTED = 130
"""Ctrl+C."""

FIRST_SIGNAL = 128
"""Above it, the number of the signal that ended the command."""

EXIT_CODES = {
    SUCCESS: "success",
    USAGE: "usage error",
    NOT_CONNECTED: "connection failed",
    ERROR_RESPONSE: "error response or no response",
    TOOL_ERROR: "tool error",
    UNAUTHORIZED: "authorization required or login failed",
    NOT_CONFIRMED: "--revision not confirmed by the server",
    PROBLEMS: "--strict and a problem was found",
    NO_OUTPUT: "output not writable",
    INTERNAL_ERROR: "internal error",
    INTERRUPTED: "interrupted (Ctrl+C)",
}
"""What the help says of each."""

OF_EVERY_COMMAND = (SUCCESS, USAGE, NO_OUTPUT, INTERNAL_ERROR, INTERRUPTED)

OF_A_SESSION = (NOT_CONNECTED, ERROR_RESPONSE, UNAUTHORIZED, NOT_CONFIRMED, PROBLEMS)
"""Those of every command with a session, too."""


class Target(Enum):
    """How a command is given its server."""

    ANY = "any"
    """A command or URL after `--`, or the name of a server."""
    URL = "url"
    """The URL of a server over HTTP, or the name of one."""
    OR_FILE = "or file"
    """Like `ANY`; or the command is given a recording."""
    OR_NONE = "or none"
    """Like `ANY`, for what needs one."""
    NONE = "none"
    """The command needs no server."""


class InSession(FrozenStruct, frozen=True):
    """What a command takes and does in a session that exists."""

    add_arguments: AddArguments
    """Adds what the command takes besides the options of the session."""
    show: Show
    """Does what it is for, prints the result, and returns the exit code."""


class CommandCode(FrozenStruct, frozen=True):
    """What a command takes and does."""

    add_arguments: AddArguments
    """Adds what the command takes; every `dest` is a field of `Options`, or of the options that it has."""
    run: Callable[[Options, Console, Keyboard], Awaitable[int]]
    """Runs the command and returns the exit code."""
    examples: tuple[str, ...] = ()
    """Command lines for its help, without the program."""
    codes: tuple[int, ...] = ()
    """Its exit codes, besides those of every command."""
    problem: Callable[[Options], str] = lambda _: ""
    """Returns why a command line cannot be used; empty if it can."""
    in_session: InSession | None = None
    """What it does in a session; None if it needs none."""


class Command(FrozenStruct, frozen=True):
    """One command."""

    name: str
    """The word that selects it."""
    synopsis: str
    """What stands behind the name, without options and server."""
    summary: str
    """What it does, in one line of the help."""
    module: str
    """The module with its code, in `package`."""
    target: Target = Target.ANY
    """How it is given its server."""
    package: str = "inspector.cli.commands"
    writes_output: bool = False
    """Whether it writes the file of `--output` itself: not what it prints, but a recording."""
    reports_failures: bool = False
    """Whether its result says why a session failed: no other document is printed for it."""
    prints_notifications: bool = False
    """Whether notifications are its result; those of other commands are printed to stderr, if at all."""
    makes_folder: bool = False
    """Whether the folder of `--output` is made: one that another program reads, which a new user lacks."""

    def load(self) -> CommandCode:
        """Import its code: the `CommandCode` that is called like the command, with a `_` behind a keyword of Python."""
        name = f"{self.name}_" if iskeyword(self.name) else self.name
        return cast("CommandCode", getattr(import_module(f"{self.package}.{self.module}"), name))


COMMANDS = (
    Command("info", "", "show server information and capabilities", "lists"),
    Command("tools", "", "list tools", "lists"),
    Command("resources", "", "list resources and resource templates", "lists"),
    Command("templates", "", "list resource templates", "lists"),
    Command("prompts", "", "list prompts", "lists"),
    Command("call", "NAME [ARGUMENTS]", "call a tool", "requests"),
    Command("read", "URI", "read a resource", "requests"),
    Command("prompt", "NAME [ARGUMENTS]", "get a prompt", "requests"),
    Command("request", "METHOD [PARAMS]", "send any request and print its result", "requests"),
    Command(
        "complete", "REF ARG=TEXT ...", "complete an argument of a prompt or template", "complete"
    ),
    Command("tasks", "[ACTION [ID]]", "list tasks, and get, cancel or update one", "tasks"),
    Command(
        *("listen", "[URI ...]", "print the notifications of a server as they arrive", "listen"),
        prints_notifications=True,
    ),
    Command(
        *("logs", "", "print the log messages of a server as they arrive", "listen"),
        prints_notifications=True,
    ),
    Command("shell", "[FILE]", "run many commands over one connection", "shell"),
    Command("connect", "NAME", "keep a connection, for @NAME COMMAND", "connections"),
    Command("connections", "", "list the connections that are kept", "connections", Target.NONE),
    Command("disconnect", "NAME ...", "end connections that are kept", "connections", Target.NONE),
    Command("ping", "", "send pings and print how long they took", "ping"),
    Command(
        "load", "NAME [ARGUMENTS]", "call a tool many times and print how long it took", "load"
    ),
    Command("raw", "TEXT", "send TEXT unchanged and print the response", "raw"),
    Command(
        "auth",
        "",
        "check the authorization of a server without logging in",
        "authorization",
        Target.URL,
    ),
    Command(
        "login", "", "log in and keep the token in the system keyring", "authorization", Target.URL
    ),
    Command("logins", "", "list the saved logins, without their tokens", "logins", Target.NONE),
    Command("logout", "", "revoke the token and delete it", "authorization", Target.URL),
    Command("transcript", "FILE", "print a recording", "transcript", Target.NONE),
    Command(
        "stats", "FILE", "print how long the requests of a recording took", "stats", Target.NONE
    ),
    Command(
        *("diff", "FILE FILE", "print how a server differs between two recordings", "diff"),
        Target.NONE,
    ),
    Command(
        *("export", "FORMAT FILE", "write a recording in the format of another tool"),
        *("export", Target.NONE),
    ),
    Command(
        *("import", "FILE", "make a recording of a file of another tool", "import_file"),
        Target.NONE,
        writes_output=True,
    ),
    Command(
        *("check", "", "check a server or a recording against every rule", "check"),
        Target.OR_FILE,
        reports_failures=True,
    ),
    Command(
        *(
            "servers",
            "[ACTION [NAME]]",
            "list, show, add, edit and remove saved servers",
            "servers",
        ),
        Target.OR_NONE,
    ),
    Command(
        *("completion", "SHELL", "print a script that completes command lines", "completion"),
        Target.NONE,
        makes_folder=True,
    ),
    Command("rules", "[ID ...]", "explain the rules that findings name", "rules", Target.NONE),
)
"""Every command, in the order of the help."""
