"""The small parts that a transcript is made of."""

from __future__ import annotations

import pytest

from inspector.finding import Finding, Severity
from inspector.transcript.batch_writer import FrameCache
from inspector.transcript.findings import DEFAULT_BUDGET, Counts, Findings
from inspector.transcript.index import INTERN_LIMIT, Columns, FrameFlags, Interned
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import FRAME_COST, Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from tests.support.records import Written, request


def test_the_oldest_stored_bytes_go_first_and_no_more_than_needed() -> None:
    """C-SEC-18: each counts with what it costs beside its content."""
    recent = FrameCache(budget=10 + 2 * FRAME_COST)
    recent.add([b"aaaa", b"bbbb", b"cccc", b"dddd"])

    recent.evict(stored=1)
    assert [recent.get(n) for n in (1, 2)] == [None, b"bbbb"]

    recent.evict(stored=4)
    assert [recent.get(n) for n in range(1, 5)] == [None, None, b"cccc", b"dddd"]
    assert (recent.first, recent.size) == (3, 8 + 2 * FRAME_COST)


def test_what_is_not_stored_yet_is_never_let_go() -> None:
    """Ours."""
    recent = FrameCache(budget=1)
    recent.add([b"aaaa", b"bbbb"])

    recent.evict(stored=0)

    assert recent.get(1) == b"aaaa"


def findings_of(frames: int, budget: int = DEFAULT_BUDGET) -> Findings:
    """None yet, about so many frames."""
    columns = Columns()
    columns.grow(frames, at=0, wall_s=0, direction=0, channel=0)
    return Findings(columns, Counts(), budget)


def test_findings_beyond_the_budget_are_counted() -> None:
    """C-SEC-18."""
    findings = findings_of(4, budget=2)
    for number in (1, 2, 3, 4):
        findings.add(number, Finding("r", Severity.ERROR, "w"))

    assert [len(findings.of(n)) for n in (1, 2, 3, 4)] == [1, 1, 0, 0]
    assert findings.dropped == 2


def test_the_same_finding_is_kept_once() -> None:
    """Ours."""
    findings = findings_of(1)
    for text in ("a", "a", "b"):
        findings.add(1, Finding("r", Severity.ERROR, text))

    assert [finding.summary for finding in findings.of(1)] == ["a", "b"]


def test_a_server_that_makes_up_names_shares_the_last_entry() -> None:
    """C-SEC-18."""
    interned = Interned()
    numbers = [interned.number(f"method {n}") for n in range(INTERN_LIMIT + 50)]

    assert len(interned.texts) <= INTERN_LIMIT + 1
    assert len(set(numbers[-50:])) == 1
    assert interned.number("method 5") == numbers[5]


def test_a_frame_keeps_what_was_amiss_with_it() -> None:
    """stdio-13; C-SEC-18."""
    transcript = Transcript()
    transcript.append(
        Direction.RECEIVED,
        Channel.STDOUT,
        [
            RawChunk(b'{"id":1,"result":{}}', FrameDefect.UNTERMINATED),
            RawChunk(b"xxxx", FrameDefect.TRUNCATED, 96),
        ],
    )

    first, second = transcript.frame(1), transcript.frame(2)
    assert (first.flaw, first.dropped) == (FrameDefect.UNTERMINATED, 0)
    assert (second.flaw, second.dropped) == (FrameDefect.TRUNCATED, 96)
    assert transcript.row(2).size == 100
    assert transcript.row(2).flags & FrameFlags.FLAWED
    assert "line-budget" in [finding.rule for finding in transcript.findings(2)]


def test_frames_are_numbered_from_one_without_gaps() -> None:
    """Ours."""
    record = Written()
    numbers = [record.sent(request(1)), record.received(b"x"), record.stderr("y")]

    assert numbers == [1, 2, 3]
    assert [record.transcript.row(n).number for n in numbers] == numbers
    with pytest.raises(IndexError):
        record.transcript.row(0)
    with pytest.raises(IndexError):
        record.transcript.row(4)


def test_observers_are_told_once_a_batch_and_after_it_is_kept() -> None:
    """Ours: observers pull."""
    transcript = Transcript()
    counts: list[int] = []
    transcript.appended.subscribe(lambda: counts.append(transcript.count))

    transcript.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(b"a"), RawChunk(b"b")])
    transcript.note("started", "…")

    assert counts == [2, 3]


def test_a_finding_above_info_makes_a_frame_a_problem_once() -> None:
    """Ours."""
    record = Written()
    number = record.sent(request(1))
    record.transcript.add_finding(number, Finding("a", Severity.INFO, "w"))
    assert record.transcript.counts.problems == 0

    for rule in ("b", "c"):
        record.transcript.add_finding(number, Finding(rule, Severity.WARNING, "w"))

    assert record.transcript.counts.problems == 1
    assert record.rules(number) == ["a", "b", "c"]


def test_a_frame_that_was_decoded_for_long_is_not_before_the_frame_above_it() -> None:
    """Ours: what is looked up by time takes the times for sorted."""
    written = Written()
    times = written.transcript.columns.monotonic_s

    written.received({"jsonrpc": "2.0", "method": "notifications/a"})
    held = RawChunk(b'{"jsonrpc":"2.0","method":"notifications/b"}', held_s=0.25)
    written.transcript.append(Direction.RECEIVED, Channel.STDOUT, [held])
    held = RawChunk(b'{"jsonrpc":"2.0","method":"notifications/c"}', held_s=9.0)
    written.transcript.append(Direction.RECEIVED, Channel.STDOUT, [held])

    assert list(times) == [1.0, 1.75, 1.75]
