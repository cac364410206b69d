"""Cutting and reading server-sent events."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire.frame import FrameDefect
from inspector.wire.sse import BlockSplitter, has_other_lines, may_set, read_block

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
        b"",
    ]
)


def cut(chunks: list[bytes]) -> list[bytes]:
    """All blocks, the unfinished one at the end included."""
    splitter = BlockSplitter()
    blocks = [line.raw for chunk in chunks for line in splitter.feed(chunk)]
    return blocks + [line.raw for line in splitter.finish()]


@given(st.lists(PIECES, max_size=30), st.integers(min_value=1, max_value=5))
def test_no_byte_is_lost_and_chunking_does_not_matter(pieces: list[bytes], size: int) -> None:
    """C-SSE-03: whatever the bytes and however they are cut up on the way."""
    stream = b"".join(pieces)
    chunks = [stream[at : at + size] for at in range(0, len(stream), size)]

    assert b"".join(cut(chunks)) == stream
    assert cut(chunks) == cut([stream])


@given(st.binary(max_size=200))
def test_reading_a_block_never_raises(raw: bytes) -> None:
    """Ours: wire/ never raises on foreign input."""
    read_block(raw)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_each_kind_of_line_end_ends_a_block(end: bytes) -> None:
    """WHATWG HTML: CRLF, LF and CR end lines."""
    stream = end.join([b"event: message", b"data: 1", b"", b"data: 2", b"", b""])

    # A lone CR at the very end could be half of a CRLF, so the last block is known only at the end.
    assert [read_block(raw).data for raw in cut([stream])] == ["1", "2"]


@pytest.mark.parametrize(
    ("raw", "data", "id_", "retry", "dispatches", "comment"),
    [
        (b"data: a\ndata: b\n\n", "a\nb", None, None, True, False),
        (b"id: 5\ndata:\n\n", "", "5", None, False, False),
        (b"retry: 1500\n\n", "", None, 1500, False, False),
        (b": keep-alive\n\n", "", None, None, False, True),
        (b"\xef\xbb\xbfdata: x\n\n", "x", None, None, True, False),
        (b"id: a\0b\ndata: x\n\n", "x", "", None, True, False),
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
    for read in (bytes.splitlines, read_block, may_set, has_other_lines):
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

    assert [(line.raw, line.dropped) for line in lines] == [
        (b"data: aaaa" + 2 * end, 4),
        (b"data: b" + 2 * end, 0),
        (b": c", 0),
    ]


def test_two_line_ends_are_no_blank_line_when_bytes_between_them_were_dropped() -> None:
    """Ours: what is dropped does not join what it parted."""
    splitter = BlockSplitter(budget=6)

    found = [*splitter.feed(b"data:\nxxxx\ny"), *splitter.feed(b"y\n\n")]

    assert [(line.raw, line.dropped) for line in found] == [(b"data:\n\n\n", 7)]


def test_what_is_not_taken_out_of_a_chunk_is_left_at_the_end() -> None:
    """Ours: reading may stop in the middle of a chunk, and nothing is lost."""
    splitter = BlockSplitter()
    blocks = splitter.feed(b"data: 1\n\ndata: 2\n\ndata: 3\n\n")

    assert next(blocks).raw == b"data: 1\n\n"
    (rest,) = splitter.finish()
    assert (rest.raw, rest.flaw) == (b"data: 2\n\ndata: 3\n\n", FrameDefect.UNTERMINATED)
