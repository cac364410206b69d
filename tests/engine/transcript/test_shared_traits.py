"""What the slowest requests have in common and the others do not. Ours throughout."""

from __future__ import annotations

from math import inf

from inspector.transcript.filter.query import parse
from inspector.transcript.latency import LatencyKey
from inspector.transcript.shared_traits import MAX_READ, SlowRequests
from inspector.wire.frame import Direction
from tests.support.talk import Talk

SEARCH = LatencyKey(Direction.SENT, "tools/call", "search")


def searches(count: int) -> Talk:
    """So many calls; every hundredth takes two seconds: those of one region, which prints a line on standard error."""
    talk = Talk()
    for id_ in range(count):
        is_slow = id_ % 100 == 50
        region = "antarctica" if is_slow else ("europe", "asia")[id_ % 2]
        talk.call(id_, "search", region=region, limit=10, page={"size": id_}, token="hush")
        if is_slow:
            talk.stderr(b"cache miss")
        talk.wait(2 if is_slow else 0.01)
        talk.text_result(id_, "fine")
        talk.call(f"o{id_}", "other")
        talk.wait(5)
        talk.text_result(f"o{id_}", "fine")
    return talk


def test_what_the_slow_calls_share_is_found_with_a_filter_for_it() -> None:
    """Ours: what all calls share, and what differs in each, is no trait; nor is a secret."""
    talk = searches(500)
    slow = SlowRequests([talk.transcript], SEARCH, 2.0)
    while not slow.advance(0):
        pass

    assert (slow.slow_count, slow.other_count) == (5, 495)
    assert (slow.slow_read, slow.others_read) == (5, MAX_READ)
    traits = {each.trait.text: (each.slow, each.others) for each in slow.traits()}
    assert traits == {
        'arguments.region = "antarctica"': (5, 0),
        "lines on standard error meanwhile": (5, 0),
    }
    term = next(each.trait.term for each in slow.traits() if each.trait.term)
    found = parse(f"{term} kind:request").matches(talk.transcript, 1, talk.transcript.count + 1)
    assert len(found) == 5


def test_without_others_nothing_is_claimed() -> None:
    """Ours: a single call has everything in common with itself."""
    slow = SlowRequests([searches(1).transcript], SEARCH, 0.0)
    assert slow.advance(inf)
    assert (slow.slow_count, slow.other_count, slow.traits()) == (1, 0, [])


def test_a_kind_that_never_occurred_has_no_requests() -> None:
    """Ours."""
    key = LatencyKey(Direction.SENT, "tools/call", "never")
    slow = SlowRequests([searches(3).transcript], key, 0.0)
    assert slow.advance(inf)
    assert slow.slow_count == slow.other_count == 0
