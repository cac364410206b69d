"""What notes of Spyglass change in the state that is derived from a transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.event_effects import update_unreachable

if TYPE_CHECKING:
    from inspector.json_value import JsonObject


def failed(retry_seconds: float | None) -> JsonObject:
    return {"event": "unreachable", "words": "refused", "retry_seconds": retry_seconds}


def test_of_several_streams_that_try_again_the_earliest_attempt_counts() -> None:
    """Ours: each stream tries at its own times, and the clock on the screen counts down to the next of all."""
    one = update_unreachable(None, failed(30.0), at=100.0, wall_s=5.0)
    two = update_unreachable(one, failed(60.0), at=101.0, wall_s=6.0)

    assert one is not None
    assert two is not None
    assert (two.since, two.since_wall) == (100.0, 5.0)
    assert (one.next_at, two.next_at) == (130.0, 130.0)


def test_an_attempt_that_is_past_no_longer_counts() -> None:
    """Ours."""
    one = update_unreachable(None, failed(30.0), at=100.0, wall_s=5.0)
    late = update_unreachable(one, failed(60.0), at=131.0, wall_s=36.0)
    last = update_unreachable(late, failed(None), at=200.0, wall_s=99.0)

    assert late is not None
    assert last is not None
    assert (late.next_at, last.next_at) == (191.0, None)
