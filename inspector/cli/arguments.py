"""The arguments of a tool, a prompt or a request: one JSON value, or pairs `KEY=TEXT` and `KEY:=JSON`; `@FILE` stands for the content of a file.

They become one JSON text, in which numbers are spelled as they were typed. A server among them gets a hint.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.config.importers.server_entry import is_url
from inspector.wire import json_codec
from inspector.wire.argument_secrets import mask_arguments
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

MAX_FILE_BYTES = 64 << 20
"""Larger files are no arguments."""

STDIN = "@-"
"""Stands for what standard input has."""

_DAMAGED_SCHEME = re.compile(r"(https?)(?::/?|//)([^/:\s]\S*)", re.IGNORECASE)
"""`http:/host`, `http:host` or `http//host`."""
_LOCAL_HOST = re.compile(r"(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?", re.IGNORECASE)
_DOMAIN_AND_PATH = re.compile(
    r"(?:[a-z0-9][\w-]*\.){2,}[a-z]{2,}/\S*|[a-z0-9][\w-]*\.[a-z]{2,}/(?:\S*/)?(?:mcp|sse)/?(?:\?\S*)?",
    re.IGNORECASE,
)
"""Three labels, or the path of an endpoint after two: `build.release/server` is a program in a folder, and so is any other path like it."""

_HOST_AND_PORT = re.compile(
    r"(?:localhost|\[[0-9a-f:]+\]|\d+(?:\.\d+){3}|[\w-]+(?:\.[\w-]+)+|[\w-]+(?=:\d))(?::\d+)?(?:/\S*)?",
    re.IGNORECASE,
)

_PAIR = re.compile(r"([^\s={}\[\]\":@][^\s={}\[\]\":]*)(:?)=(.*)", re.DOTALL)


def add_name_and_arguments(parser: ArgumentParser, metavar: str, text: str) -> None:
    """Add a name with arguments; `text` is the help for both."""
    parser.add_argument("args", nargs="+", metavar=metavar, help=text)
    text = "an argument, as KEY=TEXT or KEY:=JSON (repeatable)"
    parser.add_argument("--arg", dest="pairs", action="append", metavar="KEY=VALUE", help=text)
    parser.set_defaults(has_arguments=True)


def arguments_json(tokens: Sequence[str]) -> str | None:
    """Return arguments as JSON text, numbers as they were typed; None if there are none.

    Raises:
        ValueError: they are neither JSON nor pairs, or a file cannot be read.
    """
    if not tokens:
        return None
    if len(tokens) == 1 and not _PAIR.match(tokens[0]):
        text = _content(tokens[0])
        _check_json(f"{tokens[0]} is" if text != tokens[0] else "arguments are", text)
        return text
    return "{" + ", ".join(map(_member, tokens)) + "}"


def _member(token: str) -> str:
    pair = _PAIR.match(token)
    if pair is None:
        raise ValueError(f"{token!r} is not in the form KEY=TEXT or KEY:=JSON")
    key, is_json, text = pair.groups()
    text = _content(text)
    if is_json:
        _check_json(f"the value of {key!r} is", text)
    return f"{json_codec.write(key)}: {text if is_json else json_codec.write(text)}"


def _content(text: str) -> str:
    """Return the content of the file that `text` names with `@`; any other text as it is."""
    if not text.startswith("@"):
        return text
    try:
        raw = _bytes(text)
        found = raw.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read {text[1:]!r}: {error}") from error
    if len(raw) > MAX_FILE_BYTES:
        raise ValueError(f"{text[1:]!r} is larger than {MAX_FILE_BYTES >> 20} MB")
    return found


def _bytes(text: str) -> bytes:
    if text == STDIN:
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    with Path(text[1:]).open("rb") as opened:
        return opened.read(MAX_FILE_BYTES + 1)


def _check_json(subject: str, text: str) -> None:
    try:
        json_codec.read(text.encode("utf-8", "surrogateescape"))
    except JsonSyntaxError as error:
        raise ValueError(f"{subject} not valid JSON: {error}") from error


def suggested_url(text: str) -> str:
    """Return the URL that a host without a scheme was probably meant as; empty if it looks like a program."""
    damaged = _DAMAGED_SCHEME.fullmatch(text)
    if damaged:
        return f"{damaged[1].lower()}://{damaged[2]}"
    host = text.partition("/")[0]
    has_port = bool(re.search(r":\d+$", host))
    is_local = bool(_LOCAL_HOST.fullmatch(host))
    is_public = not has_port and not is_local and bool(_DOMAIN_AND_PATH.fullmatch(text))
    if not _HOST_AND_PORT.fullmatch(text) or not (has_port or is_local or is_public):
        return ""
    return f"https://{text}" if is_public or host.endswith(":443") else f"http://{text}"


def separator_hint(program: str, args: Sequence[str]) -> str:
    """Return how a command line reads with the `--` that was probably forgotten; empty if `args` name no server."""
    server = next((at for at, arg in enumerate(args) if is_url(arg) or suggested_url(arg)), None)
    if server is None:
        return ""
    line = f"{program} {shlex.join(mask_arguments((*args[:server], '--', *args[server:])))}"
    return f"\n`--` is missing in front of the server. Write: {line}"
