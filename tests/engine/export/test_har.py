"""HTTP exchanges as HAR, read by anything that reads HAR; ours."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING

from inspector.export.formats import HAR
from inspector.transcript.redaction import Masking
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.redaction import MASK
from tests.support.records import Written, request, result

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

POST = b"POST /mcp?x=a%20b HTTP/1.1\r\nHost: x.example\r\nContent-Type: application/json\r\nAuthorization: Bearer abcdefgh"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nSet-Cookie: a=1; Path=/"


def entries(record: Written, *numbers: int) -> list[JsonObject]:
    """The entries of the frames, all without numbers."""
    transcript = record.transcript
    chosen = numbers or range(1, transcript.count + 1)
    document = json.loads("\n".join(HAR.texts(transcript, chosen, Masking(transcript))))
    assert document["log"]["version"] == "1.2"
    return document["log"]["entries"]


def exchange_of(record: Written, *received: tuple[Channel, bytes]) -> int:
    """A message is posted, and this comes back."""
    append = record.transcript.append
    append(Direction.SENT, Channel.BODY, [RawChunk(json.dumps(request(1)).encode())])
    opener = record.transcript.count
    append(Direction.SENT, Channel.HTTP, [RawChunk(POST)], opener)
    for channel, raw in received:
        append(Direction.RECEIVED, channel, [RawChunk(raw)], opener)
    return opener


def test_an_exchange_is_an_entry_with_the_stream_as_text_and_without_secrets() -> None:
    """Ours."""
    record = Written()
    record.transcript.note("opened", "open", url="https://x.example/mcp")
    block = b"id: 1\ndata: " + json.dumps(result(1)).encode() + b"\n\n"
    opener = exchange_of(
        record, (Channel.HTTP, STREAM), (Channel.SSE, b": alive\n\n"), (Channel.SSE, block)
    )

    (entry,) = entries(record)
    sent, answer = entry["request"], entry["response"]

    assert isinstance(sent, dict)
    assert isinstance(answer, dict)
    assert (sent["method"], sent["url"]) == ("POST", "https://x.example/mcp?x=a%20b")
    assert sent["queryString"] == [{"name": "x", "value": "a b"}]
    assert sent["postData"] == {"mimeType": "application/json", "text": json.dumps(request(1))}
    assert "abcdefgh" not in json.dumps(entry)
    assert answer["content"] == {
        "size": len(block) + 9,
        "mimeType": "text/event-stream",
        "text": ": alive\n\n" + block.decode(),
    }
    assert answer["cookies"] == [{"name": MASK, "value": ""}]
    assert entry["timings"] == {"send": 0, "wait": 1000, "receive": 2000}
    assert entry["time"] == 3000
    assert entry["_frames"] == [*range(opener, opener + 5)]


def test_every_request_of_an_exchange_is_an_entry_and_one_without_response_too() -> None:
    """Ours: redirects; and any frame of an exchange is enough to have it written."""
    record = Written()
    opener = exchange_of(record, (Channel.HTTP, b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /b"))
    record.transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(POST)], opener)

    first, second = entries(record, opener + 2)

    assert isinstance(first["response"], dict)
    assert isinstance(second["response"], dict)
    assert (first["response"]["status"], first["response"]["redirectURL"]) == (307, "/b")
    assert (second["response"]["status"], second["response"]["_error"]) == (0, "no response")


def test_a_long_stream_gives_the_loop_a_turn_at_every_event() -> None:
    """Ours: each is masked and may be read from the file."""
    record = Written()
    opener = exchange_of(record, (Channel.HTTP, STREAM), *[(Channel.SSE, b": alive\n\n")] * 50)

    texts = [*HAR.write(record.transcript, [opener], Masking(record.transcript))]

    assert texts.count("") >= 50


def test_what_is_no_text_is_base64() -> None:
    """Ours."""
    record = Written()
    exchange_of(record, (Channel.HTTP, b"HTTP/1.1 200 OK"), (Channel.HTTP, b"\xff\x00"))

    (entry,) = entries(record)

    assert isinstance(entry["response"], dict)
    content = entry["response"]["content"]
    assert isinstance(content, dict)
    assert content["encoding"] == "base64"
    assert base64.b64decode(str(content["text"])) == b"\xff\x00"


def test_frames_over_stdio_leave_a_valid_file_without_entries() -> None:
    """Ours."""
    record = Written()
    record.sent(request(1))

    assert entries(record) == []
