"""A file that is opened shows what was there live."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import example, given, settings
from hypothesis import strategies as st

from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from tests.support.json_texts import FOREIGN
from tests.support.records import cancelled, error, progress, request, result, with_token

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

IDS: st.SearchStrategy[Json] = st.sampled_from([1, 2, "1", 0, None])


def _written(message: JsonObject | list[Json]) -> bytes:
    return json_codec.write(message).encode()


def _request(id_: Json, method: str) -> bytes:
    return _written(request(id_, method, with_token(id_)))


MESSAGES = (
    st.tuples(IDS, st.sampled_from(["tools/call", "ping"])).map(lambda found: _request(*found))
    | IDS.map(lambda id_: _written(result(id_, {"isError": id_ == 2})))
    | IDS.map(lambda id_: _written(error(id_ if isinstance(id_, (int, str)) else None)))
    | IDS.map(lambda id_: _written(cancelled(id_)))
    | IDS.map(lambda id_: _written(progress(id_)))
    | IDS.map(lambda id_: _written([request(id_), result(id_)]))
    | FOREIGN
)
LINES = MESSAGES.map(RawChunk) | FOREIGN.map(lambda raw: RawChunk(raw, FrameDefect.UNTERMINATED))
BATCHES = st.tuples(
    st.sampled_from(
        [
            (Direction.SENT, Channel.STDIN),
            (Direction.RECEIVED, Channel.STDOUT),
            (Direction.RECEIVED, Channel.STDERR),
        ]
    ),
    st.lists(LINES, min_size=1, max_size=3),
)
REMARKS = st.tuples(
    st.sampled_from(["timed-out", "cancelled", "closed", "started"]), st.integers(0, 6)
)


ONE_ID_THREE_TIMES = [((Direction.SENT, Channel.STDIN), [RawChunk(_request(1, "tools/call"))] * 3)]


@settings(max_examples=15, deadline=None)
@given(st.lists(BATCHES | REMARKS, max_size=10))
@example(ONE_ID_THREE_TIMES)
def test_a_reopened_record_is_the_record_that_was_live(
    story: list[tuple[tuple[Direction, Channel], list[RawChunk]] | tuple[str, int]],
) -> None:
    """Ours: a file goes through the same steps as a live session."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_compare(Path(folder) / "x.spyglass", story))


async def _compare(
    path: Path, story: list[tuple[tuple[Direction, Channel], list[RawChunk]] | tuple[str, int]]
) -> None:
    live = Transcript.create(path)
    for first, second in story:
        if isinstance(first, str):
            live.note(first, "words", request=int(str(second)))
        elif isinstance(second, list):
            live.append(*first, second)
    await live.aclose()

    reopened = await Transcript.open(path)

    assert list(map(_seen, [reopened] * live.count, _numbers(live))) == list(
        map(_seen, [live] * live.count, _numbers(live))
    )
    assert reopened.count == live.count
    assert reopened.counts == live.counts


def _numbers(transcript: Transcript) -> range:
    return range(1, transcript.count + 1)


def _seen(transcript: Transcript, number: int) -> tuple[object, ...]:
    """Everything that can be seen of a frame."""
    return (
        transcript.row(number),
        transcript.frame(number),
        repr(transcript.exchange(number)),
        transcript.status(number),
        transcript.findings(number),
    )
