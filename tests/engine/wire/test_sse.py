"""Cutting and reading server-sent events."""

from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire.frame import FrameDefect
from inspector.wire.line_splitter import RawChunk
from inspector.wire.sse import (
    BYTE_ORDER_MARK,
    MAX_RETRY_MS,
    BlockSplitter,
    has_other_lines,
    invalid_retry,
    may_set,
    read_block,
)

PIECES = st.sampled_from(
    [
        b"data: x",
        b"data: \xc3\xa9",
        b"id: 7",
        b": ping",
        b"event: message",
        b"\r",
        b"\n",
        b"\r\n",
        b"\xff",
        BYTE_ORDER_MARK,
        b"",
    ]
)


COMMENT = re.compile(rb"(?<=[\r\n])(?=:)")


def cut(chunks: list[bytes]) -> list[RawChunk]:
    """All blocks, the unfinished one at the end included."""
    splitter = BlockSplitter()
    blocks = [block for chunk in chunks for block in splitter.feed(chunk)]
    return blocks + splitter.finish()


def lines_of(blocks: list[RawChunk]) -> list[tuple[bytes, FrameDefect]]:
    """What they are without the line ends around them, comments one by one: a line feed may be the first byte of the next block."""
    parts = [
        (part.strip(b"\r\n"), each.flaw)
        for each in blocks
        for part in (COMMENT.split(each.raw) if each.raw.lstrip()[:1] == b":" else [each.raw])
    ]
    return [part for part in parts if part[0]]


@given(st.lists(PIECES, max_size=30), st.integers(min_value=1, max_value=5))
def test_no_byte_is_lost_and_chunking_does_not_matter(pieces: list[bytes], size: int) -> None:
    """C-SSE-03: whatever the bytes and however they are cut up on the way."""
    stream = b"".join(pieces)
    chunks = [stream[at : at + size] for at in range(0, len(stream), size)]

    assert b"".join(each.raw for each in cut(chunks)) == stream
    assert lines_of(cut(chunks)) == lines_of(cut([stream]))


@given(st.binary(max_size=200))
def test_reading_a_block_never_raises(raw: bytes) -> None:
    """Ours: wire/ never raises on foreign input."""
    read_block(raw)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_each_kind_of_line_end_ends_a_block(end: bytes) -> None:
    """WHATWG HTML: CRLF, LF and CR end lines, and do so before anything follows."""
    stream = end.join([b"event: message", b"data: 1", b"", b"data: 2", b"", b""])

    assert [read_block(block.raw).data for block in BlockSplitter().feed(stream)] == ["1", "2"]


def test_a_line_feed_that_comes_later_than_the_block_it_ends_is_the_first_byte_of_the_next() -> (
    None
):
    """WHATWG HTML: the carriage return has ended the line, and the line feed is no line of its own."""
    splitter = BlockSplitter()
    assert [block.raw for block in splitter.feed(b"data: 1\r\n\r")] == [b"data: 1\r\n\r"]
    assert list(splitter.feed(b"\n")) == []
    assert splitter.held == 0

    (block,) = splitter.feed(b"\r\ndata: 2\r\n\r")

    assert (block.raw, read_block(block.raw).data) == (b"\n\r\ndata: 2\r\n\r", "2")
    assert list(splitter.feed(b"\n")) == []
    assert splitter.finish() == [RawChunk(b"\n")]


def test_the_byte_order_mark_is_one_only_at_the_start_of_a_stream() -> None:
    """WHATWG HTML: one leading U+FEFF is ignored; another belongs to the name of a field."""
    event = b"data: x\n\n"

    blocks = cut([BYTE_ORDER_MARK + event + BYTE_ORDER_MARK + event])

    assert [block.raw for block in blocks] == [BYTE_ORDER_MARK, event, BYTE_ORDER_MARK + event]
    assert [read_block(block.raw).has_data for block in blocks] == [False, True, False]
    assert [read_block(block.raw).is_comment for block in blocks] == [True, False, False]


@pytest.mark.parametrize(
    ("raw", "data", "id_", "retry", "dispatches", "comment"),
    [
        (b"data: a\ndata: b\n\n", "a\nb", None, None, True, False),
        (b"id: 5\ndata:\n\n", "", "5", None, False, False),
        (b"retry: 1500\n\n", "", None, 1500, False, False),
        (b": keep-alive\n\n", "", None, None, False, True),
        (b"id: a\0b\ndata: x\n\n", "x", None, None, True, False),
        (b"id:\n\n", "", "", None, False, False),
        (b"id: 1\nid\ndata: x\n\n", "x", "", None, True, False),
        (b"retry: +5\nretry:  5\nretry: 5 \nretry:\n\n", "", None, None, False, False),
        (b"retry: \xd9\xa3\n\n", "", None, None, False, False),
        (b"retry: 0005\r\r", "", None, 5, False, False),
        (b"retry: 00\n\n", "", None, 0, False, False),
        (b"retry: %b\n\n" % (b"9" * 5_000), "", None, MAX_RETRY_MS, False, False),
        (b"retry: soon\ndata: x\n\n", "x", None, None, True, False),
        (b"data:  two spaces\n\n", " two spaces", None, None, True, False),
        (b"data\r\ndata: b\rdata:c\ndatabase: d\n\n", "\nb\nc", None, None, True, False),
        (b"id: 1\nid: 2\nid: a\0b\nretry: 5\nretry: x\n\n", "", "2", 5, False, False),
    ],
)
def test_a_block_says_what_its_fields_say(
    raw: bytes, data: str, id_: str | None, retry: int | None, dispatches: bool, comment: bool
) -> None:
    """C-HTTP-37, C-HTTP-12: comments are ignored, `retry` and `id` count even without data."""
    event = read_block(raw)

    assert (event.data, event.id, event.retry_ms) == (data, id_, retry)
    assert (event.has_data, event.is_comment) == (dispatches, comment)


def test_a_block_of_a_million_lines_is_read_faster_than_it_is_split() -> None:
    """Ours: what a server writes by mistake must not stop the loop."""
    raw = b"{}\n" * 1_000_000
    seconds = list[float]()
    for read in (bytes.splitlines, read_block, may_set, has_other_lines, invalid_retry):
        before = process_time()
        read(raw)
        seconds.append(process_time() - before)

    assert max(seconds[1:]) < seconds[0]


def test_an_event_of_fifty_megabytes_is_cut_in_linear_time() -> None:
    """Ours: peers are quadratic here, or refuse events above 1 MiB."""
    splitter = BlockSplitter()
    chunk = b"x" * 65536
    assert list(splitter.feed(b"data: ")) == []
    for _ in range(800):
        assert list(splitter.feed(chunk)) == []

    (block,) = splitter.feed(b"\n\n")

    assert len(block.raw) == 800 * 65536 + 8


def test_what_goes_beyond_the_budget_is_counted() -> None:
    """Ours: nothing grows without a budget that is admitted."""
    splitter = BlockSplitter(budget=10)
    assert list(splitter.feed(b"data: 0123456789abcdef")) == []

    (block,) = splitter.feed(b"\n\ndata: x\n")
    (rest,) = splitter.finish()

    assert (block.raw, block.flaw, block.dropped) == (b"data: 0123\n\n", FrameDefect.TRUNCATED, 12)
    assert (rest.raw, rest.flaw) == (b"data: x\n", FrameDefect.UNTERMINATED)


@pytest.mark.parametrize("size", [1, 2, 3, 15, 100])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_block_over_the_budget_ends_where_its_blank_line_is(end: bytes, size: int) -> None:
    """Ours: the block behind it is one of its own, however the two are cut up on the way."""
    stream = end.join([b"data: aaaaaaaa", b"", b"data: b", b"", b": c"])
    splitter = BlockSplitter(budget=10)

    lines = [
        line for at in range(0, len(stream), size) for line in splitter.feed(stream[at : at + size])
    ]
    lines += splitter.finish()

    kept = [b"data: aaaa", b"data: b", b": c"]
    assert b"".join(line.raw for line in lines) == (2 * end).join(kept)
    assert [line.raw.strip() for line in lines] == kept
    assert [line.dropped for line in lines] == [4, 0, 0]


def test_two_line_ends_are_no_blank_line_when_bytes_between_them_were_dropped() -> None:
    """Ours: what is dropped does not join what it parted."""
    splitter = BlockSplitter(budget=6)

    found = [*splitter.feed(b"data:\nxxxx\ny"), *splitter.feed(b"y\n\n")]

    assert [(line.raw, line.dropped) for line in found] == [(b"data:\n\n\n", 7)]


@pytest.mark.parametrize("line", [b"", b":", b": ping", b": ping\n: pong"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_blank_lines_and_comments_that_follow_each_other_are_few_blocks(
    line: bytes, end: bytes
) -> None:
    """Ours: a few megabytes of them were millions of frames, and the response behind them came too late."""
    event = b"data: x" + end + end
    run = (line.replace(b"\n", end) + end + (end if line else b"")) * 50_000
    splitter = BlockSplitter()

    blocks = [*splitter.feed(event + run), *splitter.feed(run + event)]

    assert b"".join(each.raw for each in blocks) == event + run + run + event
    assert [read_block(each.raw).data for each in blocks if b"x" in each.raw] == ["x", "x"]
    others = [read_block(each.raw) for each in blocks if b"x" not in each.raw]
    assert all(each.is_comment and not each.has_data for each in others)
    assert len(blocks) <= 6 + 2 * len(run) // 65_000


def test_a_comment_is_a_part_of_the_event_that_it_begins() -> None:
    """WHATWG HTML: a comment ends nothing, a blank line does."""
    blocks = cut([b": a\n\n: b\n\n\n: c\ndata: 1\n\n: d\n\n"])

    assert [each.raw for each in blocks] == [b": a\n\n: b\n\n\n", b": c\ndata: 1\n\n", b": d\n\n"]


def test_what_is_not_taken_out_of_a_chunk_is_left_at_the_end() -> None:
    """Ours: reading may stop in the middle of a chunk, and nothing is lost."""
    splitter = BlockSplitter()
    blocks = splitter.feed(b"data: 1\n\ndata: 2\n\ndata: 3\n\n")

    assert next(blocks).raw == b"data: 1\n\n"
    (rest,) = splitter.finish()
    assert (rest.raw, rest.flaw) == (b"data: 2\n\ndata: 3\n\n", FrameDefect.UNTERMINATED)
