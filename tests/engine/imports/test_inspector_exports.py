"""What the official Inspector exports as recordings: a file of its older version, and files that its version 2.12 wrote; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.exchange import Status
from inspector.transcript.http_exchange import http_exchange
from inspector.wire.frame import Channel
from tests.engine.imports.imported import AT, FILES, RECEIVED, SENT, imported, unpacked

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_protocol_export_of_the_inspector_has_responses_at_their_time(
    tmp_path: Path,
) -> None:
    """Ours: one without a sender by its method."""
    found = await imported(FILES / "inspector-protocol.json", tmp_path)

    assert found.rows == [
        (SENT, Channel.STDIN, "tools/call"),
        (RECEIVED, Channel.STDOUT, "roots/list"),
        (SENT, Channel.STDIN, "roots/list"),
        (RECEIVED, Channel.STDOUT, "notifications/message"),
        (RECEIVED, Channel.STDOUT, "tools/call"),
    ]
    assert found.seconds == [0.0, 0.1, 0.15, 0.5, 0.9]
    assert found.transcript.columns.wall_s[0] == AT
    assert b"\n" not in found.transcript.raw(1)
    assert found.report.skipped == 1


ASKED = [
    *("initialize", "notifications/initialized", "tools/list", "tools/call", "tools/call"),
    "tools/call",
]
"""What the Inspector sent to the server "everything", which asked for the roots meanwhile."""


async def test_a_protocol_export_that_the_inspector_wrote_is_a_recording(tmp_path: Path) -> None:
    """Ours: every response with its request, those of both sides, and progress with its call."""
    found = await imported(unpacked("inspector-2.12-protocol.json", tmp_path), tmp_path)
    columns, rows = found.transcript.columns, found.rows
    requests = [n for n in range(1, len(rows) + 1) if columns.request[n - 1] == n]

    sent = [method for direction, _, method in rows if direction is SENT]
    assert sent == [*ASKED, "roots/list"]
    assert (RECEIVED, Channel.STDOUT, "roots/list") in rows
    assert {found.transcript.status(number) for number in requests} == {Status.OK}
    progress = [n for n, row in enumerate(rows, 1) if row[2] == "notifications/progress"]
    assert {columns.request[n - 1] for n in progress} == {max(requests[:-1])}
    assert found.seconds == sorted(found.seconds)
    assert not found.report.skipped


async def test_a_network_export_that_the_inspector_wrote_has_http_exchanges(
    tmp_path: Path,
) -> None:
    """Ours: each message with its headers; the stream that was open at the end has no response."""
    found = await imported(unpacked("inspector-2.12-network.json", tmp_path), tmp_path)
    transcript, rows = found.transcript, found.rows
    requests = [n for n in range(1, len(rows) + 1) if transcript.columns.request[n - 1] == n]

    bodies = [row[2] for row in rows if row[:2] == (SENT, Channel.BODY)]
    assert bodies == [*ASKED, ""]
    statuses = [transcript.status(number) for number in requests]
    assert statuses == [Status.OK] * 4 + [Status.PENDING]
    exchange = http_exchange(transcript, requests[0])
    assert exchange is not None
    assert transcript.raw(exchange.hops[0].response).startswith(b"HTTP/1.1 200 OK\r\n")
    assert not found.report.skipped


async def test_a_network_export_of_the_inspector_has_http_exchanges(tmp_path: Path) -> None:
    """Ours: with the events of a stream, and authorization apart."""
    found = await imported(FILES / "inspector-network.json", tmp_path)
    channels = [channel for _, channel, _ in found.rows]

    assert channels == [
        *(Channel.NOTE, Channel.BODY, Channel.HTTP, Channel.HTTP, Channel.SSE, Channel.SSE),
        *(Channel.NOTE, Channel.AUTH, Channel.AUTH),
    ]
    assert found.transcript.status(2) is Status.OK
    assert list(found.transcript.columns.stream) == [0, 0, 2, 2, 2, 2, 0, 0, 8]
