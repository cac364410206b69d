"""Which request carried which token: by a fingerprint, the same live and in a recording, and found by the filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.transcript.filter.query import parse, suggestions
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.secrecy import fingerprint_in

if TYPE_CHECKING:
    from pathlib import Path

MESSAGE = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"a"}}'


def post(transcript: Transcript, number: int, *headers: bytes) -> int:
    """A request over HTTP, sent once with each `Authorization` (empty for none); the frame of its message."""
    transcript.append(Direction.SENT, Channel.BODY, [RawChunk(MESSAGE % number)])
    opener = transcript.count
    for header in headers:
        block = b"\r\n".join([b"POST /mcp HTTP/1.1", b"Host: x", *filter(None, [header]), b"A: b"])
        transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(block)], opener)
        head = b"HTTP/1.1 200 OK"
        transcript.append(Direction.RECEIVED, Channel.HTTP, [RawChunk(head)], opener)
    return opener


def fill(transcript: Transcript) -> dict[str, int]:
    """The frames of five requests by name."""
    found = {
        "none": post(transcript, 1, b""),
        "first": post(transcript, 2, b"Authorization: Bearer first-token"),
        "again": post(transcript, 3, b"authorization:  bearer  first-token "),
        "both": post(
            transcript, 4, b"Authorization: Bearer first-token", b"Authorization: DPoP second-token"
        ),
    }
    transcript.append(Direction.SENT, Channel.AUTH, [RawChunk(b"GET /token HTTP/1.1\r\nHost: x")])
    found["flow"] = transcript.count
    transcript.note("x", "a note")
    return found


def found_by(transcript: Transcript, query: str) -> set[int]:
    return set(parse(query).matches(transcript, 1, transcript.count + 1))


def test_equal_tokens_have_equal_fingerprints_and_a_rejected_one_stands_beside_its_successor() -> (
    None
):
    """Ours."""
    transcript = Transcript()
    frames = fill(transcript)

    (first,) = transcript.tokens.of(frames["first"])
    assert transcript.tokens.of(frames["again"]) == (first,)
    assert transcript.tokens.of(frames["none"]) == ()
    both = transcript.tokens.of(frames["both"])
    assert both[0] == first
    assert len(set(both)) == 2
    assert transcript.tokens.of(frames["first"] + 1) == (first,)
    assert "token" not in " ".join(transcript.tokens.names)


async def test_the_filter_finds_requests_by_their_token_live_and_in_the_recording(
    tmp_path: Path,
) -> None:
    """Ours: markers stand in the place of tokens there, whatever the scheme."""
    transcript = Transcript.create(tmp_path / "a.spyglass")
    frames = fill(transcript)
    names = transcript.tokens.names
    await transcript.aclose()
    recording = await Transcript.open(tmp_path / "a.spyglass")

    for each in (transcript, recording):
        first, second = each.tokens.names
        assert each.tokens.names == names
        assert frames["both"] in found_by(each, f"auth:{second}")
        assert frames["first"] not in found_by(each, f"auth:{second}")
        assert {frames["first"], frames["again"], frames["both"]} <= found_by(each, "auth:")
        assert found_by(each, f"auth:{first[:4]}*") >= {frames["first"], frames["both"]}
        assert found_by(each, "auth:flow") == {frames["flow"]}
        assert frames["none"] in found_by(each, "auth:none")
        assert frames["first"] not in found_by(each, "auth:none")
        assert found_by(each, "kind:note auth:none") == set()
        assert found_by(each, "auth: auth:none") == set()
    await recording.aclose()


@pytest.mark.parametrize("typed", ["auth:", "auth:fl", "aut"])
def test_the_filter_suggests_the_field_and_its_values(typed: str) -> None:
    """Ours."""
    found = [each.text for each in suggestions(typed, len(typed), {"tokens": ["ab12cd34"]})]

    assert {"auth:", "flow"} & set(found)
    if typed == "auth:":
        assert "ab12cd34" in found


def test_a_marker_names_its_fingerprint() -> None:
    """Ours."""
    assert fingerprint_in("[redacted:11-bytes:ab12cd34]") == "ab12cd34"
    assert fingerprint_in("ab12cd34") == ""
