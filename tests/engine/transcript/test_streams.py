"""Frames of one HTTP exchange: they say which, live and when a file is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.transcript.exchange import Status
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk

if TYPE_CHECKING:
    from pathlib import Path

REQUEST = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}'
ERROR = b'{"jsonrpc":"2.0",%b"error":{"code":-32700,"message":"what?"}}'


def two_requests(transcript: Transcript) -> None:
    for number in (1, 2):
        transcript.append(Direction.SENT, Channel.BODY, [RawChunk(REQUEST % number)])


@pytest.mark.parametrize("id_", [b'"id":null,', b""])
def test_an_error_without_an_id_is_about_the_request_of_its_exchange(id_: bytes) -> None:
    """C-HTTP-48."""
    transcript = Transcript()
    two_requests(transcript)
    transcript.append(Direction.RECEIVED, Channel.BODY, [RawChunk(ERROR % id_)], 2)

    assert transcript.status(2) is Status.ERROR
    assert transcript.status(1) is Status.PENDING
    assert transcript.findings(3) == ()


@pytest.mark.parametrize("id_", [b'"id":null,', b""])
def test_it_may_be_about_a_notification_or_a_stream(id_: bytes) -> None:
    """C-HTTP-48: the server does not know the session, whose id the client sends with a notification."""
    transcript = Transcript()
    two_requests(transcript)
    note = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
    transcript.append(Direction.SENT, Channel.BODY, [RawChunk(note)], 3)
    transcript.append(Direction.RECEIVED, Channel.BODY, [RawChunk(ERROR % id_)], 3)

    assert transcript.findings(4) == ()
    assert len(transcript.open_requests(Direction.SENT)) == 2


def test_outside_of_an_exchange_it_is_about_none() -> None:
    """Decision 14."""
    transcript = Transcript()
    two_requests(transcript)
    transcript.append(Direction.RECEIVED, Channel.TCP, [RawChunk(ERROR % b"")])

    assert [found.rule for found in transcript.findings(3)] == ["unassigned-error"]
    assert len(transcript.open_requests(Direction.SENT)) == 2


def test_a_request_that_failed_by_itself_is_lost() -> None:
    """Ours."""
    transcript = Transcript()
    two_requests(transcript)
    transcript.note("failed", "HTTP 500", request=1)

    assert [transcript.status(number) for number in (1, 2)] == [Status.NO_RESPONSE, Status.PENDING]


async def test_the_exchange_is_kept_in_the_file(tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / "record.spyglass"
    live = Transcript.create(path)
    two_requests(live)
    live.append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 400 Bad Request")], 2)
    live.append(Direction.RECEIVED, Channel.BODY, [RawChunk(ERROR % b"")], 2)
    await live.aclose()
    opened = await Transcript.open(path)

    for transcript in (live, opened):
        assert [transcript.frame(number).stream for number in range(1, 5)] == [0, 0, 2, 2]
        assert transcript.status(2) is Status.ERROR
        assert (transcript.counts.http, transcript.counts.received) == (1, 1)
