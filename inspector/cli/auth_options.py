"""The options about authorization: where a token comes from, and which client requests it.

A secret is given by the environment variable that holds it, never on the command line, which other users of the machine can read.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.config.importers.command_line import quote_program, shell_split
from inspector.frozen import FrozenStruct
from inspector.wire.shell_tokens import UnclosedQuote

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

METHODS = ("none", "client_secret_basic", "client_secret_post", "private_key_jwt")
"""What `--client-auth` takes."""

RULES = ("issuer", "resource", "pkce", "http", "address")
"""What `--accept` takes: the rules that a server may be let break."""

MAX_PORT = 65_535


class AuthOptions(FrozenStruct, frozen=True):
    """Options about access to a protected server; a field is named like its option, whose help is below."""

    token_env: str = ""
    token_command: tuple[str, ...] = ()
    """Program and arguments."""
    client_credentials: bool = False
    client_id: str = ""
    client_secret_env: str = ""
    client_key: Path | None = None
    client_auth: str = ""
    """The method of authentication at the token endpoint; empty for automatic."""
    client_metadata_url: str = ""
    initial_access_token_env: str = ""
    scopes: tuple[str, ...] = ()
    """The scopes of every `--scope`."""
    resource: str | None = None
    """The resource to request a token for; empty to name none, None for the resource of the server."""
    accepted: frozenset[str] = frozenset()
    """The rules of every `--accept`."""
    callback_port: int = 0
    """The port of the redirect URI; 0 for any that is free."""
    yes: bool = False
    no_browser: bool = False

    @property
    def is_from_outside(self) -> bool:
        """Whether the token comes from a variable or a command."""
        return bool(self.token_env or self.token_command)


AUTH_FIELDS = AuthOptions.__struct_fields__


def add_auth_options(parser: argparse.ArgumentParser) -> None:
    """Add every option about authorization."""
    add_token_options(parser)
    add_client_options(parser)
    add_grant_options(parser)
    add_browser_options(parser)


def add_token_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that bring a token from outside."""
    add = parser.add_argument_group("access tokens, for servers over HTTP").add_argument
    add("--token-env", metavar="VAR", help="send the access token in the variable VAR")
    text = "send the access token that a command prints; it runs without a shell"
    add("--token-command", type=_command, metavar="'COMMAND ARG ...'", help=text)


def add_client_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about the client that requests a token."""
    add = parser.add_argument_group("the client that requests a token").add_argument
    text = "get a token for the client itself, without a user"
    add("--client-credentials", action="store_true", help=text)
    add("--client-id", metavar="ID", help="use a client that is registered by hand")
    add("--client-secret-env", metavar="VAR", help="its secret is in the variable VAR")
    add("--client-key", type=Path, metavar="FILE", help="its private key is in FILE (PEM)")
    add("--client-auth", choices=METHODS, help="how it authenticates for tokens")
    add("--client-metadata-url", metavar="URL", help="use the client id metadata document at URL")
    text = "register with the initial access token in the variable VAR"
    add("--initial-access-token-env", metavar="VAR", help=text)


def add_grant_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about what is requested, and from whom."""
    add = parser.add_argument_group("access").add_argument
    text = "request this scope instead of those that the server names (repeatable)"
    add("--scope", dest="scopes", type=str.split, action="extend", metavar="SCOPE", help=text)
    add("--resource", metavar="URI", help="request a token for URI; '' names no resource")
    text = "accept that the server breaks this rule (repeatable)"
    add("--accept", dest="accepted", action="append", choices=RULES, help=text)


def add_browser_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about a login with the browser."""
    add = parser.add_argument_group("login with the browser").add_argument
    add("--callback-port", type=_port, metavar="PORT", help="port of the redirect URI here")
    add("--yes", action="store_true", help="open the browser without a question")
    text = "print the URL of the login, and read the redirect URL from standard input"
    add("--no-browser", action="store_true", help=text)


def to_auth_options(given: Mapping[str, Any]) -> AuthOptions:
    """Return the options of a command line; `given` has what was found, by the names of the fields."""
    values = dict(given)
    values["scopes"] = tuple(dict.fromkeys(given.get("scopes", ())))
    values["accepted"] = frozenset(given.get("accepted", ()))
    return AuthOptions(**values)


def problem_with(options: AuthOptions, *, logs_in: bool) -> str:
    """Return why the options cannot be used together; empty if they can. `logs_in`: the command is about a login itself."""
    if options.token_env and options.token_command:
        return "either --token-env or --token-command"
    if options.is_from_outside and options != _source_of(options):
        return "--token-env and --token-command send a token as it is: leave out what gets one"
    if options.yes and options.no_browser:
        return "either --yes or --no-browser"
    if (options.client_secret_env or options.client_key) and not options.client_id:
        return "--client-secret-env and --client-key need --client-id"
    gets_token = logs_in or options.client_credentials or options.no_browser
    if not gets_token and options != _source_of(options):
        return "log in first, or get a token for this command alone with --client-credentials or --no-browser"
    return ""


def _source_of(options: AuthOptions) -> AuthOptions:
    """Return the options with nothing but where a token comes from."""
    return AuthOptions(options.token_env, options.token_command)


def _command(text: str) -> tuple[str, ...]:
    try:
        tokens = shell_split(quote_program(text))
    except UnclosedQuote as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
    for token in tokens:
        if token.is_operator or token.is_expanded:
            reason = f"{token.text!r} needs a shell, and the command runs without one; put it into a script"
            raise argparse.ArgumentTypeError(reason)
    if not tokens:
        raise argparse.ArgumentTypeError("the command is empty")
    return tuple(token.text for token in tokens)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > MAX_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port")
    return int(text)
