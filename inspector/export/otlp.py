"""Requests as OTLP JSON: a trace with a span for each, as `ExportTraceServiceRequest` of OpenTelemetry has them.

The span of a request that carries a `traceparent` is the one that it names, so that the spans of the server belong to it. Names and attributes
are those of the semantic conventions for MCP. Times are those of the wall clock, durations those of the monotonic one.

Source: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding, https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from inspector.spec import keys
from inspector.transcript.exchange import Status
from inspector.version import VERSION
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import Absent, MessageKind, or_null

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.transcript.exchange import Exchange
    from inspector.transcript.redaction import Masking
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject

MAX_EVENTS = 100
"""Events of one span; what is beyond is counted in `droppedEventsCount`."""

MAX_VALUE = 1000
"""Characters of an attribute."""

_CLIENT, _SERVER = 3, 2
"""Kinds of a span: a request that was sent, and one that was received."""

_ERROR, _OK = 2, 1
_SUCCESS = frozenset({Status.OK, Status.INPUT_REQUIRED, Status.OPEN})
_OPEN_ENDED = frozenset({Status.PENDING, Status.OPEN})
_TRACE_PARENT = re.compile(r"[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")
_NAMED = {
    "tools/call": "gen_ai.tool.name",
    "prompts/get": "gen_ai.prompt.name",
    "resources/read": "mcp.resource.uri",
}
_TRANSPORTS = {Channel.STDIN: "pipe", Channel.STDOUT: "pipe", Channel.TCP: "tcp"}


def otlp_spans(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
    """Yield the lines of a JSON document with a span for each request that the frames belong to."""
    resource: JsonObject = {
        "attributes": _attributes(
            {"service.name": masking.text(transcript.metadata.get("title", "")) or "mcp-server"}
        )
    }
    scope: JsonObject = {"name": "spyglass", "version": VERSION}
    yield (
        f'{{"resourceSpans":[{{"resource":{json_codec.write(resource)},'
        f'"scopeSpans":[{{"scope":{json_codec.write(scope)},"spans":['
    )
    written: set[int] = set()
    for number in numbers:
        request = transcript.columns.request[number - 1]
        if request and request not in written:
            exchange = transcript.exchange(request)
            if exchange is not None:
                span = json_codec.write(_span(transcript, exchange, masking))
                yield f",{span}" if written else span
                written.add(request)
        else:
            yield ""
    yield "]}]}]}"


def _span(transcript: Transcript, exchange: Exchange, masking: Masking) -> JsonObject:
    request, columns = exchange.request, transcript.columns
    params = _params(transcript, request)
    trace, span = _ids(transcript, request, params)
    start = columns.wall_s[request - 1] + columns.send_delay_s[request - 1]
    end = start + (transcript.took_seconds(request) or 0.0)
    label = masking.label(exchange.method, exchange.label)[:MAX_VALUE]
    found: JsonObject = {
        "traceId": trace,
        "spanId": span,
        "name": f"{exchange.method} {label}".strip(),
        "kind": _CLIENT if exchange.direction is Direction.SENT else _SERVER,
        "startTimeUnixNano": _nano(start),
        "endTimeUnixNano": _nano(end),
        "attributes": _attributes(_facts(transcript, exchange, label)),
        "status": _status(transcript, exchange, masking),
    }
    return found | _events(transcript, exchange, masking)


def _params(transcript: Transcript, request: int) -> JsonObject:
    params = or_null(transcript.message(request).params)
    return params if isinstance(params, dict) else {}


def _ids(transcript: Transcript, request: int, params: JsonObject) -> tuple[str, str]:
    meta = params.get(keys.META)
    parent = meta.get("traceparent") if isinstance(meta, dict) else None
    if isinstance(parent, str) and (match := _TRACE_PARENT.fullmatch(parent)):
        return match[1], match[2]
    started = repr(transcript.columns.wall_s[0]).encode()
    identity = hashlib.blake2b(started, digest_size=16).hexdigest()
    return identity, hashlib.blake2b(f"{identity}{request}".encode(), digest_size=8).hexdigest()


def _facts(transcript: Transcript, exchange: Exchange, label: str) -> JsonObject:
    facts: JsonObject = {"mcp.method.name": exchange.method, "spyglass.frame": exchange.request}
    if not isinstance(exchange.id, Absent):
        id_ = exchange.id
        facts["jsonrpc.request.id"] = id_ if isinstance(id_, str) else json_codec.write(id_)
    if label and (name := _NAMED.get(exchange.method)):
        facts[name] = label
    if exchange.method == "tools/call":
        facts["gen_ai.operation.name"] = "execute_tool"
    channel = transcript.row(exchange.request).channel
    facts["network.transport"] = _TRANSPORTS.get(channel, "tcp")
    if channel not in _TRANSPORTS:
        facts["network.protocol.name"] = "http"
    if exchange.status in _OPEN_ENDED:
        facts["spyglass.pending"] = True
    if len(exchange.rounds) > 1:
        facts["spyglass.rounds"] = len(exchange.rounds)
    error = _error(transcript, exchange)
    if exchange.status not in _SUCCESS | {Status.PENDING}:
        code = error.get("code")
        facts["error.type"] = f"{code}" if isinstance(code, int) else _error_type(exchange.status)
        if isinstance(code, int):
            facts["rpc.response.status_code"] = f"{code}"
    return facts


def _error_type(status: Status) -> str:
    return status.value.replace(" ", "_")


def _error(transcript: Transcript, exchange: Exchange) -> JsonObject:
    if not exchange.response or exchange.status is not Status.ERROR:
        return {}
    error = or_null(transcript.message(exchange.response).error)
    return error if isinstance(error, dict) else {}


def _status(transcript: Transcript, exchange: Exchange, masking: Masking) -> JsonObject:
    if exchange.status is Status.OK:
        return {"code": _OK}
    if exchange.status in _SUCCESS | {Status.PENDING}:
        return {}
    text = str(_error(transcript, exchange).get("message", exchange.status.value))
    return {"code": _ERROR, "message": masking.text(text)[:MAX_VALUE]}


def _events(transcript: Transcript, exchange: Exchange, masking: Masking) -> JsonObject:
    """What belongs to a request beside itself and its response: progress, cancellation, further rounds."""
    del masking
    own = {exchange.request, exchange.response}
    members = [number for number in _members(transcript, exchange) if number not in own]
    events: list[Json] = []
    for number in members[:MAX_EVENTS]:
        row = transcript.row(number)
        name = row.method if row.kind is not MessageKind.NOTE else "note"
        events.append(
            {
                "timeUnixNano": _nano(row.wall_s),
                "name": name or row.kind.name.lower(),
                "attributes": _attributes({"spyglass.frame": number}),
            }
        )
    if not events:
        return {}
    dropped = len(members) - len(events)
    return {"events": events, **({"droppedEventsCount": dropped} if dropped else {})}


def _members(transcript: Transcript, exchange: Exchange) -> list[int]:
    """The frames of an exchange, up to its end: what comes later cannot belong to it, but for late responses."""
    owner, request = transcript.columns.request, exchange.request
    last = max(exchange.response or 0, exchange.given_up_at, request)
    return [number for number in range(request, last + 1) if owner[number - 1] == request]


def _attributes(facts: JsonObject) -> list[Json]:
    return [{"key": key, "value": _value(value)} for key, value in facts.items()]


def _value(value: Json) -> JsonObject:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": f"{value}"}
    return {"stringValue": str(value)}


def _nano(wall_s: float) -> str:
    """Nanoseconds since 1970 as a string, as Protobuf writes 64 bits in JSON; never negative."""
    return f"{max(0, min(round(wall_s * 1e9), 2**63 - 1))}"
