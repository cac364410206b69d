"""Cutting a stream of bytes into lines."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire.frame import FrameDefect
from inspector.wire.line_splitter import (
    EXCERPT_BYTES,
    LineSplitter,
    RawChunk,
    blank_lines,
    last_written,
)
from tests.support.json_texts import quick

CHUNKS = st.lists(st.binary(max_size=12) | st.sampled_from([b"\n", b"\r\n", b"\n\n"]), max_size=12)


def cut(chunks: list[bytes], budget: int = 1 << 20) -> list[RawChunk]:
    splitter = LineSplitter(budget)
    return [line for chunk in chunks for line in splitter.feed(chunk)] + splitter.finish()


def apart(lines: list[RawChunk]) -> list[bytes]:
    """The lines, with those that were joined taken apart."""
    return [raw for line in lines for raw in line.raw.split(b"\n")]


@quick
@given(CHUNKS)
def test_lines_are_those_of_the_whole_stream_however_it_is_cut(chunks: list[bytes]) -> None:
    """C-STD-03."""
    *lines, tail = b"".join(chunks).split(b"\n")

    cut_up = cut(chunks)
    assert apart(cut_up) == [*lines, *([tail] if tail else [])]
    flaws = [line.flaw for line in cut_up]
    assert flaws[-1:] == ([FrameDefect.UNTERMINATED] if tail else flaws[-1:])
    assert all(flaw is FrameDefect.NONE for flaw in flaws[: -1 if tail else None])


@quick
@given(CHUNKS, st.integers(1, 8))
def test_a_budget_loses_no_line_and_counts_every_byte(chunks: list[bytes], budget: int) -> None:
    """C-SEC-18."""
    whole = cut(chunks)
    bounded = cut(chunks, budget)

    assert [line.raw for line in bounded] == [line.raw[:budget] for line in whole]
    assert [line.dropped for line in bounded] == [max(0, len(line.raw) - budget) for line in whole]
    assert all(bool(line.flaw & FrameDefect.TRUNCATED) == bool(line.dropped) for line in bounded)


@pytest.mark.parametrize(
    ("stream", "raws"),
    [
        (b"\n\n\n", [b"\n\n"]),
        (b"\r\n\r\n", [b"\r\n\r"]),
        (b"a\n \t\n\n\nb\n", [b"a", b" \t\n\n", b"b"]),
        (b"a\n\nb\n", [b"a", b"", b"b"]),
        (b"%b\n\n\nb\n" % (b"a" * 99), [b"a" * 99, b"\n", b"b"]),
        (b"\n" * 100_000, [b"\n" * 99_999]),
    ],
)
def test_blank_lines_that_follow_each_other_are_one(stream: bytes, raws: list[bytes]) -> None:
    """C-SEC-18: what costs memory is the line; every byte is kept."""
    lines = cut([stream])

    assert [line.raw for line in lines] == raws
    assert sum(blank_lines(line.raw) for line in lines) == stream.count(b"\n")


@pytest.mark.parametrize("size", [1, 13, 5000, 70_000])
def test_what_has_no_newline_yet_can_be_looked_at(size: int) -> None:
    """Ours: its beginning and its end, however small the chunks are."""
    splitter = LineSplitter()
    stream = b"".join(b"%06d;" % number for number in range(20_000))

    for start in range(0, len(stream), size):
        splitter.feed(stream[start : start + size])

    assert splitter.held == len(stream)
    assert splitter.head == stream[:EXCERPT_BYTES]
    assert splitter.tail == stream[-EXCERPT_BYTES:]
    assert splitter.break_off() == [RawChunk(stream, FrameDefect.CONTINUED)]
    assert (splitter.held, splitter.head, splitter.tail) == (0, b"", b"")


def test_a_line_in_single_bytes_takes_about_its_size() -> None:
    """C-SEC-18: not an object for each byte."""
    splitter = LineSplitter()
    tracemalloc.start()
    for _ in range(200_000):
        splitter.feed(b"x")
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert taken < 400_000


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("plain", "plain"),
        ("\rbuilding 1%\rbuilding 2%", "building 2%"),
        ("building 2%\r", "building 2%"),
        ("building 2%\r\r\n", "building 2%"),
        ("\r\r", ""),
        ("done   \r   ", "done   "),
        ("\x1b[2K\x1b[1G| 1 of 9\x1b[2K\x1b[1G/ 2 of 9", "/ 2 of 9"),
        ("1 of 9\x1b[G2 of 9", "2 of 9"),
        ("\x1b[1mbold\x1b[0m", "\x1b[1mbold\x1b[0m"),
    ],
)
def test_a_carriage_return_starts_a_line_anew(line: str, seen: str) -> None:
    """Ours: what a terminal shows of a progress bar."""
    assert last_written(line) == seen


@pytest.mark.parametrize(
    ("stream", "lines"),
    [
        (b"", []),
        (b"\n", [RawChunk(b"")]),
        (b"a\r\n", [RawChunk(b"a\r")]),
        (b"\r\na", [RawChunk(b"\r"), RawChunk(b"a", FrameDefect.UNTERMINATED)]),
        (b"a\nb", [RawChunk(b"a"), RawChunk(b"b", FrameDefect.UNTERMINATED)]),
        ("\u2028\x85\x0b\x0c\n".encode(), [RawChunk("\u2028\x85\x0b\x0c".encode())]),
        (b"\x00\xff\xfe\n", [RawChunk(b"\x00\xff\xfe")]),
    ],
)
def test_only_the_newline_ends_a_line(stream: bytes, lines: list[RawChunk]) -> None:
    """C-STD-03; stdio-06."""
    assert cut([stream]) == lines


def test_the_tail_of_a_stream_is_a_line_and_is_told_apart() -> None:
    """stdio-13."""
    splitter = LineSplitter()

    assert splitter.feed(b'{"id":1}') == []
    assert splitter.held == 8
    assert splitter.finish() == [RawChunk(b'{"id":1}', FrameDefect.UNTERMINATED)]
    assert splitter.finish() == []


def test_the_same_splitter_reads_on_after_a_line_that_was_cut() -> None:
    """C-SEC-18."""
    splitter = LineSplitter(budget=4)

    lines = splitter.feed(b"12345") + splitter.feed(b"678\nab\n")

    assert lines == [RawChunk(b"1234", FrameDefect.TRUNCATED, 4), RawChunk(b"ab")]


def test_a_hundred_megabytes_in_one_line_take_linear_time() -> None:
    """C-SEC-18; stdio-11: chunks are not joined in quadratic time."""
    chunk = b"x" * 65536
    splitter = LineSplitter()
    began = time.thread_time()

    for _ in range(1600):
        splitter.feed(chunk)
    (line,) = splitter.feed(b"\n")

    assert len(line.raw) == 1600 * 65536
    assert line.flaw is FrameDefect.NONE
    assert time.thread_time() - began < 5


def test_a_line_over_the_budget_holds_no_more_than_the_budget() -> None:
    """C-SEC-18."""
    splitter = LineSplitter(budget=1 << 20)

    for _ in range(100):
        splitter.feed(b"x" * 65536)
    (line,) = splitter.feed(b"x\n")

    assert len(line.raw) == 1 << 20
    assert line.dropped == 100 * 65536 + 1 - (1 << 20)
    assert line.flaw is FrameDefect.TRUNCATED
