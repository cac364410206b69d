"""The command line, taken apart: which command, its options, and what stands behind `--`, which is the server's and is not looked at.

Every command has a parser of its own, so that its help and its errors show what it takes and nothing else. The sub-parsers of argparse
cannot be used: they take no positional arguments between options, and lose the repeated options that stand before the command.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import textwrap
from typing import TYPE_CHECKING, NoReturn

from msgspec.structs import replace

from inspector.cli.arguments import arguments_json, separator_hint, suggested_url
from inspector.cli.auth_options import AUTH_FIELDS, problem_with, to_auth_options
from inspector.cli.client_options import CLIENT_FIELDS, client_problem, to_client_options
from inspector.cli.command import COMMANDS, EXIT_CODES, OF_EVERY_COMMAND, USAGE, Target
from inspector.cli.options import Options, add_all_options, add_output_options
from inspector.version import VERSION
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from inspector.cli.command import Command, CommandCode

_PROGRAM = "spyglass-cli"

_DESCRIPTION = "Connect to an MCP server, run one command, and disconnect."

_EPILOG = """\
COMMAND --help shows the options of a command, with examples; they may stand before or after it.

The PROGRAM after `--` starts the server; each ARG is passed unchanged. A URL there (http, https or tcp) is connected to
instead. --server NAME uses a server saved in Spyglass or, with --config FILE, an entry of another client's file.
@NAME is a connection that `connect NAME` made: it stays, and commands use it, until `disconnect NAME`.
Every command uses the token of an earlier login; a header of --header wins over it.
"""

_GENERAL_USAGE = (
    "[options] COMMAND [ARG ...] -- PROGRAM [ARG ...]",
    "[options] COMMAND [ARG ...] -- URL",
    "[options] COMMAND [ARG ...] --server NAME",
    "@NAME COMMAND [ARG ...]",
    "COMMAND --help",
)

_USAGE = {
    Target.ANY: ("-- PROGRAM [ARG ...]", "-- URL", "--server NAME"),
    Target.URL: ("URL", "--server NAME"),
    Target.NONE: ("",),
    Target.OR_NONE: ("", "-- PROGRAM [ARG ...]", "-- URL"),
    Target.OR_FILE: ("-- PROGRAM [ARG ...]", "-- URL", "--server NAME", "FILE"),
}
"""How a server is given."""

_TUPLES = ("args", "headers", "env", "families", "clients", "probes")
_DICTIONARIES = ("meta",)
"""Fields of `Options` that argparse collects in lists."""

_WIDTH = 118
"""Columns of a line of the help."""

_FORM_WIDTH = 23
"""Columns of a command in the help; longer ones reach into the text."""


class _Parser(argparse.ArgumentParser):
    def takes(self, argument: str) -> bool:
        """Return whether an argument is an option of this parser, with its value or without."""
        return argument.partition("=")[0] in self._option_string_actions

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


class _GeneralParser(_Parser):
    """Finds the command. It knows the options that may stand before any command; its help lists the commands only."""

    def format_help(self) -> str:
        return f"{self.format_usage()}\n{self.description}\n\n{self.epilog}"


def read(arguments: Sequence[str], commands: Sequence[Command] = COMMANDS) -> Options:
    """Read a command line; prints a reason and ends the program if it is not valid."""
    own, target = _split(arguments)
    general = _general_parser(commands)
    command, own = _find_command(general, own, commands)
    parser = _command_parser(command)
    foreign = next((each for each in own if general.takes(each) and not parser.takes(each)), "")
    if foreign:  # before argparse takes its value for an argument of the command
        parser.error(f"{command.name} takes no {foreign.partition('=')[0]}")
    found, unknown = parser.parse_known_intermixed_args(own)
    given = vars(found)
    if unknown:
        args = (*given.get("args", ()), *unknown)
        hint = separator_hint(parser.prog, args) if command.target is Target.ANY else ""
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
    urls: tuple[str, ...] = tuple(given.pop("target", ()))
    if target and urls:
        parser.error("either a URL, or a server after `--`")
    auth = to_auth_options({name: given.pop(name) for name in AUTH_FIELDS if name in given})
    client = to_client_options({name: given.pop(name) for name in CLIENT_FIELDS if name in given})
    fields = _fields(given, parser)
    given_line = tuple(arguments)
    options = Options(
        command, **fields, target=target or urls, line=given_line, client=client, auth=auth
    )
    problem = (
        _problem_with(options, parser.prog)
        or client_problem(client)
        or command.load().problem(options)
        or problem_with(auth, logs_in=command.target is Target.URL)
    )
    if problem:
        parser.error(problem)
    return options


class LineError(Exception):
    """A line of a shell cannot be used; the text says why."""


class LineHelp(LineError):
    """A line of a shell asks for help, which is the text."""


class _LineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise LineError(f"{self.prog}: {message}")

    def print_help(self, file: object = None) -> None:
        del file
        raise LineHelp(self.format_help().rstrip())


def read_line(text: str, session: Options, commands: Sequence[Command] = COMMANDS) -> Options:
    """Read a line that a shell was given; the options of the `session` hold for it, too.

    Raises:
        LineError: the line cannot be used, or asks for help.
    """
    try:
        tokens = shlex.split(text)
    except ValueError as error:
        raise LineError(f"{error}: {text}") from error
    command, fields = read_tokens(tokens, session, commands)
    return replace(session, command=command, **fields)


def read_tokens(
    tokens: Sequence[str], session: Options, commands: Sequence[Command] = COMMANDS
) -> tuple[Command, dict[str, Any]]:
    """Read a command without its server; returns it with the fields of `Options` that differ from those of the `session`.

    Raises:
        LineError: the line cannot be used, or asks for help.
    """
    name, *own = tokens
    command = next((each for each in commands if each.name == name), None)
    code = command.load() if command is not None and command.target is Target.ANY else None
    if command is None or code is None or code.in_session is None:
        raise LineError(f"{name!r} is no command of a session; help lists them")
    parser = _LineParser(prog=name, allow_abbrev=False, argument_default=argparse.SUPPRESS)
    parser.description = f"{command.summary[0].upper()}{command.summary[1:]}."
    code.in_session.add_arguments(parser)
    add_output_options(parser)
    given = vars(parser.parse_intermixed_args(own))
    fields = {"args": (), "output": None, **_fields(given, parser)}
    if problem := code.problem(replace(session, command=command, **fields)):
        parser.error(problem)
    return command, fields


def in_session_table(commands: Sequence[Command] = COMMANDS) -> list[tuple[str, str]]:
    """Return the commands of a connected session, each with what it does."""
    return [
        (_form(each), each.summary)
        for each in commands
        if each.target is Target.ANY and each.load().in_session is not None
    ]


def _fields(given: dict[str, Any], parser: argparse.ArgumentParser) -> dict[str, Any]:
    """Return what argparse found as fields of `Options`."""
    has_arguments, pairs = given.pop("has_arguments", False), given.pop("pairs", ())
    if has_arguments:
        args: list[str] = given["args"]
        try:
            given["arguments"] = arguments_json([*args[1:], *pairs])
        except ValueError as error:
            parser.error(f"{error}{separator_hint(parser.prog, args)}")
    given |= {name: dict(given[name]) for name in _DICTIONARIES if name in given}
    return given | {name: tuple(given[name]) for name in _TUPLES if name in given}


def _split(arguments: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    if "--" not in arguments:
        return list(arguments), ()
    at = list(arguments).index("--")
    return list(arguments[:at]), tuple(arguments[at + 1 :])


def _find_command(
    general: _Parser, own: list[str], commands: Sequence[Command]
) -> tuple[Command, list[str]]:
    """Return the command, and everything but its name."""
    found, _ = general.parse_known_args(own)
    rest: list[str] = found.rest
    command = next(each for each in commands if each.name == found.name)
    return command, [*own[: len(own) - len(rest) - 1], *rest]


def _general_parser(commands: Sequence[Command]) -> _Parser:
    names = tuple(each.name for each in commands)
    parser = _GeneralParser(
        prog=_PROGRAM,
        usage="\n       ".join(f"{_PROGRAM} {form}" for form in _GENERAL_USAGE),
        description=f"{_DESCRIPTION}\n\n{_list_text(commands)}",
        epilog=f"{_EPILOG}\n{_codes_text(EXIT_CODES)}Problems are reported on stderr.\n",
        allow_abbrev=False,
    )
    parser.add_argument("name", choices=names, metavar="COMMAND")
    parser.add_argument("rest", nargs=argparse.REMAINDER)
    parser.add_argument("--version", action="version", version=f"{_PROGRAM} {VERSION}")
    add_all_options(parser)
    return parser


def _command_parser(command: Command) -> _Parser:
    """Return the parser of one command, with nothing but what it takes."""
    code = command.load()
    prog = f"{_PROGRAM} {command.name}"
    start = " ".join(part for part in (prog, "[options]", command.synopsis) if part)
    parser = _Parser(
        prog=prog,
        usage="\n       ".join(f"{start} {form}".rstrip() for form in _USAGE[command.target]),
        description=f"{command.summary[0].upper()}{command.summary[1:]}.",
        epilog=_epilog(code),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        argument_default=argparse.SUPPRESS,
    )
    code.add_arguments(parser)
    version = f"{_PROGRAM} {VERSION}"
    parser.add_argument("--version", action="version", version=version, help=argparse.SUPPRESS)
    return parser


def _epilog(code: CommandCode) -> str:
    """Return the examples and the exit codes of a command."""
    lines = [f"  {_PROGRAM} {example}" for example in code.examples]
    examples = "\n".join(["examples:", *lines, "", ""]) if lines else ""
    return examples + _codes_text({*OF_EVERY_COMMAND, *code.codes})


def _codes_text(codes: Iterable[int]) -> str:
    """Return exit codes with their meaning, filled into lines."""
    text = ", ".join(f"{each} {EXIT_CODES[each]}" for each in sorted(codes))
    return textwrap.fill(f"exit codes: {text}.", _WIDTH) + "\n"


def _list_text(commands: Sequence[Command]) -> str:
    """Return the commands with a line each."""
    lines = [f"  {_form(each):<{_FORM_WIDTH}} {each.summary}" for each in commands]
    return "\n".join(["commands:", *lines])


def _form(command: Command) -> str:
    synopsis = command.synopsis or ("URL" if command.target is Target.URL else "")
    return f"{command.name} {synopsis}".rstrip()


def _problem_with(options: Options, program: str) -> str:
    """Return why there is no server, or more than one; empty if there is one, or none is needed."""
    target, command = options.target, options.command
    if command.target is Target.NONE or options.list_probes:
        asked = "--list-probes" if options.list_probes else command.name
        return f"{asked} takes no server" if target else ""
    if command.target is Target.OR_NONE:
        return ""
    named = bool(target or options.server or options.config)
    if command.target is Target.OR_FILE and options.args:
        return "either a server or a recording" if named else ""
    if not named:
        if command.target is Target.URL:
            return "no server given; add its URL, or --server NAME"
        hint = separator_hint(program, options.args)
        return f"no server given; add its command or URL after `--`, or --server NAME{hint}"
    if target and (options.server or options.config):
        return "either a server after `--`, or --server and --config"
    if command.target is Target.URL and target and not _is_http(target):
        url = suggested_url(target[0])
        meant = f"; did you mean this URL? {mask_urls(url)}" if url else ""
        return f"{command.name} takes the URL of one server (http or https){meant}"
    return ""


def _is_http(target: tuple[str, ...]) -> bool:
    return len(target) == 1 and target[0].lower().startswith(("http://", "https://"))
