"""Cutting a stream of bytes into lines."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.wire.frame import Flaw
from inspector.wire.lines import Line, LineSplitter
from tests.support.json_texts import quick

CHUNKS = st.lists(st.binary(max_size=12) | st.sampled_from([b"\n", b"\r\n", b"\n\n"]), max_size=12)


def cut(chunks: list[bytes], budget: int = 1 << 20) -> list[Line]:
    splitter = LineSplitter(budget)
    return [line for chunk in chunks for line in splitter.feed(chunk)] + splitter.finish()


@quick
@given(CHUNKS)
def test_lines_are_those_of_the_whole_stream_however_it_is_cut(chunks: list[bytes]) -> None:
    """C-STD-03."""
    *lines, tail = b"".join(chunks).split(b"\n")

    unterminated = [Line(tail, Flaw.UNTERMINATED)] if tail else []
    assert cut(chunks) == [*map(Line, lines), *unterminated]


@quick
@given(CHUNKS, st.integers(1, 8))
def test_a_budget_loses_no_line_and_counts_every_byte(chunks: list[bytes], budget: int) -> None:
    """C-SEC-18."""
    whole = cut(chunks)
    bounded = cut(chunks, budget)

    assert [line.raw for line in bounded] == [line.raw[:budget] for line in whole]
    assert [line.dropped for line in bounded] == [max(0, len(line.raw) - budget) for line in whole]
    assert all(bool(line.flaw & Flaw.CUT) == bool(line.dropped) for line in bounded)


@pytest.mark.parametrize(
    ("stream", "lines"),
    [
        (b"", []),
        (b"\n", [Line(b"")]),
        (b"a\r\n", [Line(b"a\r")]),
        (b"\r\na", [Line(b"\r"), Line(b"a", Flaw.UNTERMINATED)]),
        (b"a\nb", [Line(b"a"), Line(b"b", Flaw.UNTERMINATED)]),
        ("\u2028\x85\x0b\x0c\n".encode(), [Line("\u2028\x85\x0b\x0c".encode())]),
        (b"\x00\xff\xfe\n", [Line(b"\x00\xff\xfe")]),
    ],
)
def test_only_the_newline_ends_a_line(stream: bytes, lines: list[Line]) -> None:
    """C-STD-03; stdio-06."""
    assert cut([stream]) == lines


def test_the_tail_of_a_stream_is_a_line_and_is_told_apart() -> None:
    """stdio-13."""
    splitter = LineSplitter()

    assert splitter.feed(b'{"id":1}') == []
    assert splitter.held == 8
    assert splitter.finish() == [Line(b'{"id":1}', Flaw.UNTERMINATED)]
    assert splitter.finish() == []


def test_the_same_splitter_reads_on_after_a_line_that_was_cut() -> None:
    """C-SEC-18."""
    splitter = LineSplitter(budget=4)

    lines = splitter.feed(b"12345") + splitter.feed(b"678\nab\n")

    assert lines == [Line(b"1234", Flaw.CUT, 4), Line(b"ab")]


def test_a_hundred_megabytes_in_one_line_take_linear_time() -> None:
    """C-SEC-18; stdio-11: chunks are not joined in quadratic time."""
    chunk = b"x" * 65536
    splitter = LineSplitter()
    began = time.perf_counter()

    for _ in range(1600):
        splitter.feed(chunk)
    (line,) = splitter.feed(b"\n")

    assert len(line.raw) == 1600 * 65536
    assert line.flaw is Flaw.NONE
    assert time.perf_counter() - began < 5


def test_a_line_over_the_budget_holds_no_more_than_the_budget() -> None:
    """C-SEC-18."""
    splitter = LineSplitter(budget=1 << 20)

    for _ in range(100):
        splitter.feed(b"x" * 65536)
    (line,) = splitter.feed(b"x\n")

    assert len(line.raw) == 1 << 20
    assert line.dropped == 100 * 65536 + 1 - (1 << 20)
    assert line.flaw is Flaw.CUT
