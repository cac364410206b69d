"""The switches about authorization: where a token comes from, and which client asks for it.

A secret is named by the environment variable that holds it, never written on the command line: other users of the machine can read that.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.config.importers.shell_split import UnclosedQuote, quote_program, shell_split
from inspector.fact import Fact

if TYPE_CHECKING:
    from collections.abc import Callable

AUTH_TASKS = frozenset({"auth", "login", "logout"})
"""Tasks that are about authorization itself."""

METHODS = ("none", "client_secret_basic", "client_secret_post", "private_key_jwt")
"""What `--client-auth` takes."""

RULES = ("issuer", "resource", "pkce", "http", "address")
"""What `--accept` takes: the rules that a server may be let break."""

MAX_PORT = 65_535


class AuthOptions(Fact, frozen=True):
    """How the command line lets itself in."""

    token_variable: str = ""
    """The environment variable that holds the access token."""
    token_command: tuple[str, ...] = ()
    """The command that prints the access token: program and arguments."""
    uses_client_credentials: bool = False
    """Whether the client itself has access, without a user."""
    client_id: str = ""
    """The client that was registered by hand."""
    secret_variable: str = ""
    """The environment variable that holds its secret."""
    key_file: Path | None = None
    """The file with its private key (PEM)."""
    client_auth: str = ""
    """The method of authentication at the token endpoint."""
    client_document: str = ""
    """The URL of a client id metadata document."""
    initial_token_variable: str = ""
    """The environment variable that holds the initial access token for registration."""
    scopes: tuple[str, ...] = ()
    """The scopes to ask for."""
    resource: str | None = None
    """The resource to ask for a token for; empty to name none, None for the resource of the server."""
    accepted: frozenset[str] = frozenset()
    """Rules that the server may break."""
    callback_port: int = 0
    """The port of the redirect URI; 0 for any that is free."""
    opens_browser: bool = False
    """Whether the browser is opened without a question."""
    uses_no_browser: bool = False
    """Whether no browser is opened at all."""

    @property
    def is_from_outside(self) -> bool:
        """Whether the token comes from a variable or a command."""
        return bool(self.token_variable or self.token_command)


def add_auth_options(parser: argparse.ArgumentParser) -> None:
    """Add the switches to a parser."""
    _add_sources(parser)
    _add_client(parser)
    _add_login(parser)


def _add_sources(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("access tokens, for servers over HTTP").add_argument
    add("--token-env", default="", metavar="VAR", help="send the access token in the variable VAR")
    add(
        "--token-command",
        type=_command,
        default=(),
        metavar="'COMMAND ARG ...'",
        help="send the access token that a command prints; no shell reads it",
    )
    add(
        "--client-credentials",
        action="store_true",
        help="get a token for the client itself, without a user",
    )


def _add_client(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("the client that asks for a token").add_argument
    add("--client-id", default="", metavar="ID", help="use a client that is registered by hand")
    add("--client-secret-env", default="", metavar="VAR", help="its secret is in the variable VAR")
    add("--client-key", type=Path, metavar="FILE", help="its private key is in FILE (PEM)")
    add("--client-auth", choices=METHODS, default="", help="how it authenticates for tokens")
    add(
        "--client-metadata-url",
        default="",
        metavar="URL",
        help="use the client id metadata document at URL",
    )
    add(
        "--initial-access-token-env",
        default="",
        metavar="VAR",
        help="register with the initial access token in the variable VAR",
    )


def _add_login(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("logging in").add_argument
    add(
        "--scope",
        action="append",
        default=[],
        metavar="SCOPE",
        help="ask for this scope instead of those that the server names (repeatable)",
    )
    add("--resource", metavar="URI", help="ask for a token for URI; '' names no resource")
    add(
        "--accept",
        action="append",
        choices=RULES,
        default=[],
        help="accept that the server breaks this rule (repeatable)",
    )
    add(
        "--callback-port",
        type=_port,
        default=0,
        metavar="PORT",
        help="port of the redirect URI on this machine",
    )
    add("--yes", action="store_true", help="open the browser without a question")
    add(
        "--no-browser",
        action="store_true",
        help="print the URL to log in at, and read the redirect URL from standard input",
    )


def read_auth(task: str, found: argparse.Namespace, fail: Callable[[str], object]) -> AuthOptions:
    """Return what the switches say; `fail` ends the program with what is wrong about them."""
    options = AuthOptions(
        token_variable=found.token_env,
        token_command=tuple(found.token_command),
        uses_client_credentials=found.client_credentials,
        client_id=found.client_id,
        secret_variable=found.client_secret_env,
        key_file=found.client_key,
        client_auth=found.client_auth,
        client_document=found.client_metadata_url,
        initial_token_variable=found.initial_access_token_env,
        scopes=tuple(dict.fromkeys(" ".join(found.scope).split())),
        resource=found.resource,
        accepted=frozenset(found.accept),
        callback_port=found.callback_port,
        opens_browser=found.yes,
        uses_no_browser=found.no_browser,
    )
    problem = _problem(task, options)
    if problem:
        fail(problem)
    return options


def _problem(task: str, options: AuthOptions) -> str:
    """Why the switches cannot be followed together; empty where they can."""
    if options.token_variable and options.token_command:
        return "either --token-env or --token-command"
    if options.is_from_outside and (task in AUTH_TASKS or options != _source_of(options)):
        return "--token-env and --token-command send a token as it is: leave out what gets one"
    if options.opens_browser and options.uses_no_browser:
        return "either --yes or --no-browser"
    if (options.secret_variable or options.key_file) and not options.client_id:
        return "--client-secret-env and --client-key need --client-id"
    gets_token = options.uses_client_credentials or options.uses_no_browser
    if task not in AUTH_TASKS and not gets_token and options != _source_of(options):
        return "log in first, or get a token for this command alone with --client-credentials or --no-browser"
    return ""


def _source_of(options: AuthOptions) -> AuthOptions:
    """The options with nothing but where a token comes from."""
    return AuthOptions(options.token_variable, options.token_command)


def _command(text: str) -> tuple[str, ...]:
    try:
        words = shell_split(quote_program(text))
    except UnclosedQuote as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
    for word in words:
        if word.is_operator or word.is_expanded:
            reason = (
                f"{word.text!r} needs a shell, and none reads the command; put it into a script"
            )
            raise argparse.ArgumentTypeError(reason)
    if not words:
        raise argparse.ArgumentTypeError("the command is empty")
    return tuple(word.text for word in words)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > MAX_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port")
    return int(text)
