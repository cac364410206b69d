"""Exported files are read by libraries that are not ours: HAR by haralyzer, spans by the protobuf schema of OpenTelemetry."""

from __future__ import annotations

import base64
import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from inspector.export.formats import HAR, OTLP
from inspector.transcript.redaction import Masking
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.records import Written, error, notification, request, result

if TYPE_CHECKING:
    from inspector.export.formats import Format
    from inspector.wire.json_codec import JsonObject

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
POST = b"POST /mcp?x=1 HTTP/1.1\r\nHost: x.example\r\nContent-Type: application/json"


def written(record: Written, format_: Format) -> str:
    """All frames in a format."""
    transcript = record.transcript
    numbers = range(1, transcript.count + 1)
    return "\n".join(format_.texts(transcript, numbers, Masking(transcript)))


def members(**types: str) -> JsonObject:
    """The schema of an object with these members, all of them required."""
    return {
        "type": "object",
        "required": [*types],
        "properties": {name: {"type": type_} for name, type_ in types.items()},
    }


PAIRS: JsonObject = {"type": "array", "items": members(name="string", value="string")}
MESSAGE: JsonObject = {"headers": PAIRS, "cookies": PAIRS}
HAR_ENTRY: JsonObject = {
    "allOf": [members(startedDateTime="string", time="number", cache="object")],
    "required": ["request", "response", "timings"],
    "properties": {
        "startedDateTime": {"format": "date-time"},
        "time": {"minimum": 0},
        "request": {
            "allOf": [
                members(method="string", url="string", httpVersion="string"),
                members(headersSize="integer", bodySize="integer"),
            ],
            "required": ["headers", "cookies", "queryString"],
            "properties": {**MESSAGE, "queryString": PAIRS},
        },
        "response": {
            "allOf": [
                members(status="integer", statusText="string", httpVersion="string"),
                members(redirectURL="string", headersSize="integer", bodySize="integer"),
            ],
            "required": ["headers", "cookies", "content"],
            "properties": {**MESSAGE, "content": members(size="integer", mimeType="string")},
        },
        "timings": members(send="number", wait="number", receive="number"),
    },
}
"""What the specification of HAR 1.2 requires of an entry."""


def http_record() -> Written:
    """A call over HTTP that is redirected once, a body that is no text, and a request without a response."""
    record = Written()
    record.transcript.note("opened", "open", url="https://x.example/mcp")
    append = record.transcript.append
    for received in (b'{"jsonrpc":"2.0","id":1,"result":{}}', b"\xff\x00", None):
        append(Direction.SENT, Channel.BODY, [RawChunk(json.dumps(request(1)).encode())])
        opener = record.transcript.count
        append(Direction.SENT, Channel.HTTP, [RawChunk(POST)], opener)
        if received is None:
            continue
        redirect = b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /b\r\nSet-Cookie: a=1; Path=/"
        append(Direction.RECEIVED, Channel.HTTP, [RawChunk(redirect)], opener)
        append(Direction.SENT, Channel.HTTP, [RawChunk(POST)], opener)
        append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 200 OK")], opener)
        append(Direction.RECEIVED, Channel.BODY, [RawChunk(received)], opener)
    return record


def test_a_har_file_is_read_by_haralyzer() -> None:
    """Ours: each request with its method, address, status and time."""
    parser: Any = import_module("haralyzer").HarParser(json.loads(written(http_record(), HAR)))

    entries: Any = [
        import_module("haralyzer").HarEntry(each) for each in parser.har_data["entries"]
    ]

    assert [entry.status for entry in entries] == [307, 200, 307, 200, 0]
    assert {entry.url for entry in entries} == {"https://x.example/mcp?x=1"}
    assert {entry.request.method for entry in entries} == {"POST"}
    assert entries[1].startTime > entries[0].startTime
    assert entries[0].response.headers[0]["name"] == "Location"


def test_a_har_file_has_what_its_specification_requires() -> None:
    """Ours: HAR 1.2; the versions and the creator too."""
    log = json.loads(written(http_record(), HAR))["log"]

    assert len(log["entries"]) == 5
    schema: JsonObject = {
        "allOf": [members(version="string", creator="object", entries="array")],
        "properties": {
            "version": {"const": "1.2"},
            "creator": members(name="string", version="string"),
            "entries": {"items": HAR_ENTRY},
        },
    }
    assert [str(each) for each in jsonschema_rs.Draft202012Validator(schema).iter_errors(log)] == []


def test_spans_are_valid_by_the_protobuf_schema_of_opentelemetry() -> None:
    """Ours: with every member known there; ids are in hexadecimal in OTLP JSON, and in base64 in that of protobuf."""
    record = Written()
    meta: JsonObject = {"traceparent": f"00-{TRACE}-{SPAN}-01"}
    record.sent(request(1, "tools/call", {"name": "search", "_meta": meta}))
    record.received(notification("notifications/progress", {"progressToken": 1, "progress": 1}))
    record.received(result(1, {"content": []}))
    record.sent(request(2, "resources/read", {"uri": "file:///x"}))
    record.received(error(2))
    record.received(request("s", "sampling/createMessage", {"messages": []}))
    document = json.loads(written(record, OTLP))
    spans = document["resourceSpans"][0]["scopeSpans"][0]["spans"]
    for span in spans:
        for key, length in (("traceId", 16), ("spanId", 8)):
            raw = bytes.fromhex(span[key])
            assert len(raw) == length
            span[key] = base64.b64encode(raw).decode()

    message = json_format.Parse(json.dumps(document), ExportTraceServiceRequest())

    read = message.resource_spans[0].scope_spans[0].spans
    assert [span.name for span in read] == [
        "tools/call search",
        "resources/read file:///x",
        "sampling/createMessage",
    ]
    assert (read[0].trace_id.hex(), read[0].span_id.hex()) == (TRACE, SPAN)
    assert all(span.end_time_unix_nano >= span.start_time_unix_nano > 0 for span in read)
    assert [span.status.code for span in read[:2]] == [
        Status.STATUS_CODE_OK,
        Status.STATUS_CODE_ERROR,
    ]
