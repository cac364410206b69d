"""A request as a command line of `spyglass-cli`, for a POSIX shell.

Names are made up by the server: one that begins with a hyphen would be read as an option, such as one that writes a file. It is written
within JSON, which cannot be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.export.curl import quoted
from inspector.export.server_target import sent_requests
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.export.server_target import SentRequest
    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import JsonObject

_LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "templates",
    "prompts/list": "prompts",
}

UNKNOWN_SERVER = "PROGRAM"
"""What stands for a server that the frames do not show."""


def cli_lines(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    """Yield the command line of every request of the client that the frames belong to, each once."""
    for request in sent_requests(transcript, numbers, masking):
        target = request.target
        tokens = ["spyglass-cli"]
        for name, value in target.headers:
            tokens += _option("--header", f"{name}: {value}")
        for name, value in request.meta.items() if _word(request.method) else ():
            tokens += _option("--meta", f"{name}={json_codec.write(value)}")
        server = (target.url,) if target.url else target.command or (UNKNOWN_SERVER,)
        yield " ".join([*tokens, *_command(request), "--", *map(quoted, server)])


def _option(option: str, value: str) -> list[str]:
    """An option with its value, as one word where the value could be read as another option."""
    return [f"{option}={quoted(value)}"] if value.startswith("-") else [option, quoted(value)]


def _command(request: SentRequest) -> list[str]:
    method, name, uri = request.method, _word(request.text("name")), _word(request.text("uri"))
    if method in _LISTS and not request.params:
        return [_LISTS[method]]
    if method == "tools/call" and name and request.params.keys() <= {"name", "arguments"}:
        return ["call", quoted(name), *_json(request.arguments)]
    if method == "prompts/get" and name and request.params.keys() <= {"name", "arguments"}:
        return ["prompt", quoted(name), *_json(request.arguments)]
    if method == "resources/read" and uri and len(request.params) == 1:
        return ["read", quoted(uri)]
    if not _word(method):
        message: JsonObject = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": method,
            "params": request.all_params,
        }
        return ["raw", quoted(json_codec.write(message))]
    return ["request", quoted(method), *_json(request.params or None)]


def _word(text: str) -> str:
    """A text that is an argument of a command; empty if it would be an option."""
    return "" if text.startswith("-") else text


def _json(value: JsonObject | None) -> list[str]:
    return [] if value is None else [quoted(json_codec.write(value))]
