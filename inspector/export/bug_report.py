"""A bug report about one operation as Markdown: what it was, with whom, how the server was reached, and the frames that led to it."""

from __future__ import annotations

import platform
from functools import partial
from typing import TYPE_CHECKING

from inspector.export.markdown import code, markdown
from inspector.export.server_target import server_target
from inspector.spec import keys, methods
from inspector.transcript.exchange import response_in
from inspector.version import VERSION
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind, or_null

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.export.formats import Write
    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject

MAX_BEFORE = 20
"""Frames before an operation that may have led to it."""

MAX_WITHIN = 500
"""Frames between the start and the end of an operation."""

MAX_OPENING = 2000
"""Frames at the beginning that are searched for the handshake."""


def report_frames(transcript: Transcript, number: int) -> list[int]:
    """Return the frames of a report about the operation of frame `number`: the handshake, what came before it, and all until its end."""
    columns = transcript.columns
    request = columns.request[number - 1] or number
    end = columns.response[request - 1] or number
    within = range(request, min(max(end, number), request + MAX_WITHIN) + 1)
    before = range(max(1, request - MAX_BEFORE), request)
    return sorted({*_handshake(transcript), *before, *within, number, end})


def _handshake(transcript: Transcript) -> list[int]:
    """The request that opened the session, and its response."""
    columns = transcript.columns
    for at in range(min(transcript.count, MAX_OPENING)):
        response = columns.response[at]
        name = columns.methods.texts[columns.method[at]]
        if response and columns.direction[at] == Direction.SENT and methods.opens_session(name):
            return [at + 1, response]
    return []


def report_writer(number: int, facts: dict[str, str], recording: str) -> Write:
    """Return what writes the report about frame `number`; `facts` are further versions, `recording` the name of the file beside it."""
    return partial(_write, number, facts, recording)


def _write(
    number: int,
    facts: dict[str, str],
    recording: str,
    transcript: Transcript,
    numbers: Iterable[int],
    masking: Masking,
) -> Iterator[str]:
    yield from _heading(transcript, number, masking)
    yield "| | |\n|---|---|"
    for name, value in _environment(transcript, number, masking, facts).items():
        if value:
            yield f"| {name} | {code(value).replace('|', chr(92) + '|')} |"
    yield f"\nThe frames below are in the recording {code(recording)}, which Spyglass opens.\n"
    yield "### Expected\n\n\n### Traffic\n"
    yield from markdown(transcript, numbers, masking)


def _heading(transcript: Transcript, number: int, masking: Masking) -> Iterator[str]:
    request = transcript.columns.request[number - 1]
    exchange = transcript.exchange(request) if request else None
    if exchange is None:
        yield f"## Frame {number}\n"
        return
    label = masking.label(exchange.method, exchange.label)
    name = f"{masking.text(exchange.method)} {label}"
    yield f"## {code(name)}: {exchange.status or 'unknown'}\n"
    took = transcript.took_seconds(exchange.request)
    text = f"it ended after {took * 1000:,.0f} ms" if took is not None else "it has no response"
    yield f"The request is frame {exchange.request}; {text}.\n"


def _environment(
    transcript: Transcript, number: int, masking: Masking, facts: dict[str, str]
) -> dict[str, str]:
    server, revision = _server(transcript)
    target = server_target(transcript, number, masking)
    headers = ", ".join(name for name, _ in target.headers)
    return {
        "Server": masking.text(server),
        "Protocol": revision,
        "Command": masking.text(" ".join(target.command)),
        "URL": masking.text(target.url),
        "Headers": headers,
        "Spyglass": VERSION,
        "System": f"{platform.system()} {platform.release()}, Python {platform.python_version()}",
        **facts,
    }


def _server(transcript: Transcript) -> tuple[str, str]:
    """Name and version of the server, and the revision, from the handshake."""
    frames = _handshake(transcript)
    if not frames:
        return "", ""
    message = response_in(transcript, frames[1], frames[0])
    result = or_null(message.result) if message.kind is MessageKind.RESPONSE else None
    members = result if isinstance(result, dict) else {}
    meta = _object(members.get(keys.META))
    info = _object(members.get("serverInfo")) or _object(meta.get(keys.META_SERVER_INFO))
    request = or_null(transcript.message(frames[0]).params)
    sent = _object(_object(request).get(keys.META))
    revision = members.get("protocolVersion") or sent.get(keys.META_PROTOCOL_VERSION) or ""
    return f"{info.get('name', '')} {info.get('version', '')}".strip(), f"{revision}"


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
