"""The spans of a conversation by track: live, and the same from its recording. Ours throughout."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import pytest

from inspector.transcript.spans.track import SpanTone, Track
from inspector.transcript.spans.transcript_spans import CHUNK, TranscriptSpans
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.talk import Talk

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import JsonObject

SLICE = inf
"""Until everything is taken."""


def spans_of(transcript: Transcript) -> TranscriptSpans:
    spans = TranscriptSpans(transcript)
    spans.advance(SLICE)
    return spans


def lasting(spans: TranscriptSpans, track: Track) -> list[tuple[int, float, float, int]]:
    """Frame, start after the first frame, length and tone of each span."""
    points, first_s = spans.tracks[track], spans.first_s
    return [
        (
            points.numbers[at],
            round(points.starts[at] - first_s, 3),
            round(points.end(at) - points.starts[at], 3),
            points.tone(at),
        )
        for at in range(len(points))
    ]


def converse(talk: Talk) -> None:
    talk.note("started", "started process 7", pid=7)  # 1
    talk.call(1, "quick")  # 2
    talk.wait(1)
    talk.received({"jsonrpc": "2.0", "id": 9, "method": "sampling/createMessage"})  # 3
    talk.log("working")  # 4
    talk.wait(2)
    talk.sent({"jsonrpc": "2.0", "id": 9, "result": {}})  # 5
    talk.stderr(b"done")  # 6
    talk.text_result(1, "fine")  # 7
    talk.call(2, "wrong")  # 8
    talk.call(3, "worse")  # 9
    talk.call(4, "left")  # 10
    talk.wait(1)
    talk.text_result(2, "no", is_error=True)  # 11
    talk.error(3, -32603, "no")  # 12
    talk.note("timed-out", "no response", request=10)  # 13
    talk.call(5, "hangs")  # 14


def test_requests_of_both_sides_last_from_the_request_to_its_end() -> None:
    """Ours."""
    talk = Talk()
    converse(talk)
    spans = spans_of(talk.transcript)

    assert lasting(spans, Track.REQUESTS_OUT) == [
        (2, 0.0, 3.0, SpanTone.NORMAL),
        (8, 3.0, 1.0, SpanTone.ERROR),
        (9, 3.0, 1.0, SpanTone.ERROR),
        (10, 3.0, 1.0, SpanTone.WARNING),
        (14, 4.0, inf, SpanTone.PENDING),
    ]
    assert lasting(spans, Track.REQUESTS_IN) == [(3, 1.0, 2.0, SpanTone.NORMAL)]
    assert lasting(spans, Track.NOTIFICATIONS) == [(4, 1.0, 0.0, SpanTone.NORMAL)]
    assert lasting(spans, Track.PROCESS) == [(6, 3.0, 0.0, SpanTone.NORMAL)]
    assert [(each.event, each.number) for each in spans.events] == [("started", 1)]
    assert spans.errors_between(spans.first_s, spans.last_s) == 2
    assert spans.frames_between(spans.first_s, spans.first_s + 2) == 4


def test_spans_that_are_built_while_frames_arrive_are_those_of_the_whole() -> None:
    """Ours: whatever is known of a request at the moment, it ends once."""
    talk = Talk()
    live = TranscriptSpans(talk.transcript)
    talk.transcript.appended.subscribe(lambda: live.advance(0))
    converse(talk)
    talk.wait(3)
    talk.text_result(5, "at last")
    live.advance(0)

    whole = spans_of(talk.transcript)
    for track in Track:
        assert lasting(live, track) == lasting(whole, track), track
    assert sorted(live.errors) == list(live.errors) == list(whole.errors)


async def test_a_recording_has_the_spans_of_the_session(tmp_path: Path) -> None:
    """Ours."""
    talk = Talk()
    talk.transcript = Transcript.create(tmp_path / "a.spyglass", clock=talk.clock)
    converse(talk)
    await talk.transcript.aclose()
    again = await Transcript.open(tmp_path / "a.spyglass")

    for track in Track:
        assert lasting(spans_of(again), track) == lasting(spans_of(talk.transcript), track), track
    assert spans_of(again).is_over


def test_a_retry_with_input_prolongs_the_request_that_it_repeats() -> None:
    """Ours."""
    talk = Talk()
    live = TranscriptSpans(talk.transcript)
    first = talk.call(1, "asks")
    talk.wait(1)
    talk.result(1, resultType="input_required")
    talk.note("input-required", "input required", request=first)
    live.advance(SLICE)
    assert lasting(live, Track.REQUESTS_OUT)[0][2] == inf
    talk.wait(5)
    retry = talk.call(2, "asks")
    talk.note("input-given", "sent again", request=first, retry=retry)
    talk.wait(1)
    talk.text_result(2, "fine")
    live.advance(SLICE)

    assert lasting(live, Track.REQUESTS_OUT) == [
        (first, 0.0, 7.0, SpanTone.NORMAL),
        (retry, 6.0, 1.0, SpanTone.NORMAL),
    ]


def test_a_task_lasts_from_the_first_to_the_last_message_that_names_it() -> None:
    """Ours."""
    talk = Talk()
    live = TranscriptSpans(talk.transcript)
    poll = talk.request(1, "tasks/get", taskId="t1")
    live.advance(SLICE)
    assert lasting(live, Track.TASKS) == [(poll, 0.0, inf, SpanTone.NORMAL)]
    talk.wait(1)
    talk.result(1, status="working")
    talk.request(2, "tasks/get", taskId="t2")
    talk.wait(1)
    status: JsonObject = {"taskId": "t1", "status": "completed"}
    talk.received({"jsonrpc": "2.0", "method": "notifications/tasks/status", "params": status})
    live.advance(SLICE)

    spans = [(start, length) for _, start, length, _ in lasting(live, Track.TASKS)]
    assert spans == [(0.0, 2.0), (1.0, inf)]


def test_an_http_exchange_lasts_until_its_latest_event_and_a_stream_goes_on() -> None:
    """Ours."""
    talk = Talk()
    spans = TranscriptSpans(talk.transcript)

    def write(direction: Direction, channel: Channel, raw: bytes, stream: int = 0) -> int:
        talk.transcript.append(direction, channel, [RawChunk(raw)], stream)
        return talk.transcript.count

    call = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    post = write(Direction.SENT, Channel.BODY, call)
    get = write(Direction.SENT, Channel.HTTP, b"GET /mcp HTTP/1.1\r\n\r\n")
    talk.wait(1)
    write(Direction.RECEIVED, Channel.SSE, b": hello", get)
    spans.advance(SLICE)
    assert [length for _, _, length, _ in lasting(spans, Track.HTTP)] == [inf, inf]
    talk.wait(1)
    write(Direction.RECEIVED, Channel.BODY, b'{"jsonrpc":"2.0","id":1,"result":{}}', post)
    write(Direction.RECEIVED, Channel.SSE, b": again", 4_000_000)
    spans.advance(SLICE)

    assert [(n, length) for n, _, length, _ in lasting(spans, Track.HTTP)] == [
        (post, 2.0),
        (get, inf),
    ]


@pytest.mark.parametrize("jump", [-50.0, 1e12])
def test_times_that_run_backwards_keep_the_order_of_the_frames(jump: float) -> None:
    """Ours: a recording may contain any times; looking something up by time needs them sorted."""
    talk = Talk()
    talk.log("a")
    talk.clock.now += jump
    talk.log("b")
    talk.clock.now = 1000.0
    talk.log("c")
    spans = spans_of(talk.transcript)

    assert list(spans.notifications.starts) == sorted(spans.notifications.starts)
    assert len(spans.notifications) == 3


def test_errors_of_tools_that_end_later_than_other_errors_are_counted_when_they_ended() -> None:
    """Ours: in a recording the end of a call is known before the frames in between are taken."""
    talk = Talk()
    talk.call(1, "slow")
    talk.call(2, "other")
    for _ in range(CHUNK):
        talk.log("working")
    talk.wait(1)
    talk.error(2, -32603, "failed")
    talk.wait(1)
    talk.text_result(1, "no", is_error=True)

    spans = spans_of(talk.transcript)

    first_s = spans.first_s
    assert spans.errors_between(first_s, first_s + 1.5) == 1
    assert spans.errors_between(first_s + 1.5, spans.last_s) == 1
    assert spans.errors_between(first_s, spans.last_s) == 2


@pytest.mark.parametrize("is_live", [True, False])
def test_an_error_that_a_probe_expected_is_none(*, is_live: bool) -> None:
    """Ours: live, it is known to be a probe only after its error."""
    talk = Talk()
    talk.sent({"jsonrpc": "2.0", "id": 1, "method": "server/discover"})  # 1
    spans = TranscriptSpans(talk.transcript)
    talk.wait(1)
    talk.received({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "what"}})  # 2
    if is_live:
        spans.advance(SLICE)
    talk.note("probe", "a probe", request=1, until=2)  # 3
    spans.advance(SLICE)

    assert [tone for *_, tone in lasting(spans, Track.REQUESTS_OUT)] == [SpanTone.NORMAL]
    assert spans.errors_between(0.0, inf) == 0
