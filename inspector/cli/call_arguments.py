"""The arguments of a tool or prompt on the command line: one JSON value, or pairs `KEY=TEXT` and `KEY:=JSON` in their order."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from inspector.cli.server_hint import separator_hint
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from collections.abc import Sequence

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
