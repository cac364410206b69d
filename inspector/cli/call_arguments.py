"""The arguments of a tool or prompt on the command line: one JSON value, or pairs `KEY=TEXT` and `KEY:=JSON` in their order.

And what a server among them was probably meant as: a host without a scheme, a server without `--` in front.
"""

from __future__ import annotations

import argparse
import re
import shlex
from typing import TYPE_CHECKING

from inspector.config.importers.server_entry import is_url
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from collections.abc import Sequence

_HOST_AND_PORT = re.compile(
    r"(?:localhost|\[[0-9a-f:]+\]|\d+(?:\.\d+){3}|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?(?:/\S*)?",
    re.IGNORECASE,
)

_PAIR = re.compile(r"([^\s={}\[\]\":]+)(:?)=(.*)", re.DOTALL)


class NameAndArguments(argparse.Action):
    """Reads a name and the arguments behind it; these become one JSON text in `arguments`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Set `args` and `arguments`."""
        del option_string
        args = [str(value) for value in values or ()]
        try:
            namespace.arguments = arguments_json(args[1:])
        except ValueError as error:
            parser.error(f"{error}{separator_hint(parser.prog, args)}")
        namespace.args = args


def add_name_and_arguments(parser: argparse.ArgumentParser, metavar: str, text: str) -> None:
    """Add a name with arguments; `text` is the help for both."""
    parser.add_argument("args", nargs="+", action=NameAndArguments, metavar=metavar, help=text)


def arguments_json(tokens: Sequence[str]) -> str | None:
    """Return arguments as JSON text, numbers as they were typed; None if there are none.

    Raises:
        ValueError: they are neither JSON nor pairs.
    """
    if not tokens:
        return None
    if len(tokens) == 1 and not _PAIR.match(tokens[0]):
        _check_json("arguments are", tokens[0])
        return tokens[0]
    return "{" + ", ".join(map(_member, tokens)) + "}"


def _member(token: str) -> str:
    pair = _PAIR.match(token)
    if pair is None:
        raise ValueError(f"{token!r} is not in the form KEY=TEXT or KEY:=JSON")
    key, is_json, text = pair.groups()
    if is_json:
        _check_json(f"the value of {key!r} is", text)
    return f"{json_codec.write(key)}: {text if is_json else json_codec.write(text)}"


def _check_json(subject: str, text: str) -> None:
    try:
        json_codec.read(text.encode("utf-8", "surrogateescape"))
    except JsonSyntaxError as error:
        raise ValueError(f"{subject} not valid JSON: {error}") from error


def suggested_url(text: str) -> str:
    """Return the URL that a host without a scheme was probably meant as; empty if it looks like a program."""
    host = text.partition("/")[0]
    has_port = bool(re.search(r":\d+$", host))
    is_local = host.lower().startswith(("localhost", "127.", "[::1]"))
    is_host = bool(_HOST_AND_PORT.fullmatch(text)) and (has_port or is_local)
    return f"http://{text}" if is_host else ""


def separator_hint(program: str, args: Sequence[str]) -> str:
    """Return how a command line reads with the `--` that was probably forgotten; empty if `args` name no server."""
    server = next((at for at, arg in enumerate(args) if is_url(arg) or suggested_url(arg)), None)
    if server is None:
        return ""
    line = f"{program} {shlex.join((*args[:server], '--', *args[server:]))}"
    return f"\n`--` is missing in front of the server. Write: {line}"
