"""A request as a command line of `spyglass-cli`, for a POSIX shell."""

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

_LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
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
            tokens += ["--header", quoted(f"{name}: {value}")]
        for name, value in request.meta.items():
            tokens += ["--meta", quoted(f"{name}={json_codec.write(value)}")]
        server = (target.url,) if target.url else target.command or (UNKNOWN_SERVER,)
        yield " ".join([*tokens, *_command(request), "--", *map(quoted, server)])


def _command(request: SentRequest) -> list[str]:
    method, name = request.method, request.text("name")
    if method in _LISTS and not request.params:
        return [_LISTS[method]]
    if method == "tools/call" and name and request.params.keys() <= {"name", "arguments"}:
        return ["call", quoted(name), *_json(request.arguments)]
    if method == "prompts/get" and name and request.params.keys() <= {"name", "arguments"}:
        return ["prompt", quoted(name), *_json(request.arguments)]
    if method == "resources/read" and request.text("uri") and len(request.params) == 1:
        return ["read", quoted(request.text("uri"))]
    return ["request", quoted(method), *_json(request.params or None)]


def _json(value: json_codec.JsonObject | None) -> list[str]:
    return [] if value is None else [quoted(json_codec.write(value))]
