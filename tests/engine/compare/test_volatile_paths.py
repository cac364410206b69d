"""What changes with every send of the same call is learned, and nothing else; ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.background_tasks import at_once
from inspector.compare.exchange_parts import (
    ComparedFrame,
    ExchangePart,
    candidates,
    part_of,
    redaction_of,
    timing_of,
)
from inspector.compare.json_difference import compare_json
from inspector.compare.volatile_paths import is_volatile, learn
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.json_value import Json


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("x", "2026-01-01T10:00:00Z", "2026-01-01T10:00:01.5+02:00"),
        ("x", "0b8a7a7e-7f0e-4a59-9f39-3a0f0f0b7a11", "1b8a7a7e-7f0e-4a59-9f39-3a0f0f0b7a12"),
        ("x", 1767225600, 1767225601),
        ("x", 1767225600123, 1767225601456),
        ("x", "9f86d081884c7d65", "e3b0c44298fc1c14"),
        ("progressToken", 3, 4),
        ("requestId", "r-1", "r-2"),
        ("requestTime", "10:01", "10:02"),
        ("updated_at", "today", "now"),
        ("elapsed_ms", 12, 15),
    ],
)
def test_times_random_ids_and_tokens_are_volatile(name: str, old: Json, new: Json) -> None:
    """Ours."""
    assert volatile(name, old, new)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("total", 803, 1204),
        ("text", "2 orders", "3 orders"),
        ("id", "118", "121"),
        ("state", "open", "closed"),
        ("estimate", 1, 2),
        ("format", "a", "b"),
        ("at", None, [1]),
        ("requestTime", "10:01", 10),
    ],
)
def test_what_a_result_says_is_not(name: str, old: Json, new: Json) -> None:
    """Ours: an id that names a record is no random id."""
    assert not volatile(name, old, new)


def volatile(name: str, old: Json, new: Json) -> bool:
    texts = (json.dumps({name: value}).encode() for value in (old, new))
    (change,) = at_once(compare_json(*texts)).changes()
    return is_volatile(change)


@pytest.mark.parametrize(
    ("raw", "is_json"),
    [
        (b'{"jsonrpc":"2.0","method":"x"}', True),
        (b'[{"jsonrpc":"2.0","method":"x"}]', True),
        (b"{", False),
    ],
    ids=["message", "batch", "text"],
)
def test_a_frame_is_compared_as_json_where_it_holds_messages(raw: bytes, *, is_json: bool) -> None:
    """Ours."""
    transcript = Transcript()
    transcript.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(raw)])

    part = part_of(ComparedFrame(transcript, 1), ExchangePart.FRAME)

    assert part is not None
    assert part.is_json is is_json


def a_talk() -> tuple[Talk, list[ComparedFrame]]:
    """Three calls, the first and the last with the same arguments."""
    talk, frames = Talk(), list[ComparedFrame]()
    for at, city in enumerate(("oslo", "lisbon", "oslo")):
        number = talk.call(at, "weather", city=city)
        talk.wait(0.5)
        talk.result(at, content=[], structuredContent={"city": city, "time": f"1{at}:00", "n": at})
        frames.append(ComparedFrame(talk.transcript, number))
    return talk, frames


def test_paths_are_learned_from_sends_with_the_same_arguments() -> None:
    """Ours: of these two, or of another one; never of two different calls."""
    _, (first, second, third) = a_talk()

    def learned(*frames: ComparedFrame) -> list[str]:
        before, after, *others = frames
        return [each.text for each in at_once(learn(before, after, others))]

    assert learned(first, third) == ["result.structuredContent.time"]
    assert learned(first, second) == []
    assert learned(first, second, third) == ["result.structuredContent.time"]
    assert learned(first, first) == []


def test_the_parts_of_an_exchange_are_found_from_any_of_its_frames() -> None:
    """Ours."""
    talk, (first, *_) = a_talk()
    response = ComparedFrame(talk.transcript, first.response)
    arguments = part_of(response, ExchangePart.ARGUMENTS)
    result = part_of(first, ExchangePart.RESULT)

    assert arguments is not None
    assert (json.loads(arguments.raw), arguments.path) == (
        {"city": "oslo"},
        ("params", "arguments"),
    )
    assert result is not None
    assert result.path == ("result",)
    assert [each.number for each in candidates(response, talk.transcript)][-1] == first.number
    rows = {row.name: row.value for row in timing_of(first)}
    assert rows["Total"] == pytest.approx(0.5)
    assert rows["Rounds"] == 1


def test_a_frame_without_a_response_has_no_result() -> None:
    """Ours: and one that belongs to no request is compared alone."""
    talk = Talk()
    pending = ComparedFrame(talk.transcript, talk.request(1, "ping"))
    note = ComparedFrame(talk.transcript, talk.transcript.note("x", "text"))

    assert part_of(pending, ExchangePart.RESULT) is None
    assert part_of(note, ExchangePart.ARGUMENTS) is None
    assert part_of(note, ExchangePart.FRAME) is not None
    assert candidates(note, talk.transcript) == []
    assert [row.unit for row in timing_of(note)] == ["bytes"]


def test_secrets_of_what_is_compared_are_markers_which_are_equal_for_equal_ones() -> None:
    """C-SEC-17: a token that changed is a difference still."""
    talk = Talk()
    append = talk.transcript.append
    for token in ("one-secret", "one-secret", "two-secret"):
        header = f"POST / HTTP/1.1\r\nAuthorization: Bearer {token}".encode()
        append(Direction.SENT, Channel.HTTP, [RawChunk(header)])
    request = talk.call(1, "find", key="known-value")
    redaction = redaction_of(("known-value",))

    def raw(number: int, part: ExchangePart) -> bytes:
        found = part_of(ComparedFrame(talk.transcript, number), part, redaction)
        assert found is not None
        return found.raw

    first, second, third = (raw(number, ExchangePart.FRAME) for number in (1, 2, 3))
    assert b"secret" not in first + third
    assert first == second != third
    for part in (ExchangePart.FRAME, ExchangePart.ARGUMENTS):
        assert b"known-value" not in raw(request, part)
        assert b"[redacted:11-bytes:" in raw(request, part)
