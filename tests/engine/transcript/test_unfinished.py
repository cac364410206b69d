"""What came and is no frame yet."""

from __future__ import annotations

from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel
from tests.support.talk import HeldClock


def test_what_is_unfinished_has_size_age_and_excerpt() -> None:
    """Ours."""
    clock = HeldClock()
    transcript = Transcript(clock=clock)
    told: list[bool] = []
    transcript.unfinished.changed.subscribe(lambda: told.append(bool(transcript.unfinished)))

    transcript.unfinished.note(Channel.STDERR, 3, b"abc", b"abc")
    clock.now += 2
    transcript.unfinished.note(Channel.STDOUT, 2, b'{"', b'{"')
    clock.now += 1
    transcript.unfinished.note(Channel.STDOUT, 500, b"x" * 500, b"x" * 500)

    (rest,) = transcript.unfinished.messages()
    assert (rest.channel, rest.size) == (Channel.STDOUT, 500)
    assert (clock.now - rest.since, clock.now - rest.latest) == (1, 0)
    assert len(rest.excerpt) < 200
    assert [rest.channel for rest in transcript.unfinished] == [Channel.STDERR, Channel.STDOUT]

    transcript.unfinished.note(Channel.STDOUT, 0)
    assert transcript.unfinished.messages() == []
    transcript.unfinished.clear()
    assert told == [True, True, True, True, False]


def test_the_age_of_what_is_unfinished_begins_anew_with_each_line() -> None:
    """Ours."""
    clock = HeldClock()
    transcript = Transcript(clock=clock)

    transcript.unfinished.note(Channel.STDERR, 3, b"abc", b"abc")
    clock.now += 9
    transcript.unfinished.note(Channel.STDERR, 0)
    transcript.unfinished.note(Channel.STDERR, 5, b"abcde", b"abcde")

    rest = transcript.unfinished.of(Channel.STDERR)
    assert rest is not None
    assert rest.since == rest.latest == clock.now
