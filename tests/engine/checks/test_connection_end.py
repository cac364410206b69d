"""A connection is checked as a whole when it has ended, and beside the run before."""

from __future__ import annotations

from inspector.checks.background_validator import BackgroundValidator
from inspector.rules.rule import On, Subject
from inspector.spec.revision import V2025_11_25
from tests.engine.checks.families.conversations import connect, end
from tests.support.answering import AnsweringServer, tool
from tests.support.findings import rules_of, validate_all
from tests.support.opened import open_again, opened
from tests.support.talk import Talk

EMPTY = "L-CAP-08"
"""The rule that prompts are declared and none is listed."""


def _without_prompts() -> Talk:
    talk = Talk()
    connect(talk, prompts={})
    talk.request(2, "prompts/list")
    talk.result(2, prompts=[])
    return talk


def test_the_whole_is_checked_once_the_end_is_on_record() -> None:
    """Ours: before it, prompts may still be listed."""
    talk = _without_prompts()
    sweep = BackgroundValidator(talk.transcript, V2025_11_25)
    validate_all(sweep)
    assert EMPTY not in rules_of(talk.transcript)

    end(talk)
    assert sweep.pending
    validate_all(sweep)
    assert rules_of(talk.transcript).count(EMPTY) == 1


def test_a_connection_that_goes_on_after_an_interruption_has_not_ended() -> None:
    """Ours: a session over HTTP may be renewed."""
    talk = _without_prompts()
    end(talk)
    connect(talk, prompts={})
    sweep = BackgroundValidator(talk.transcript, V2025_11_25)
    validate_all(sweep)

    assert EMPTY not in rules_of(talk.transcript)


def test_an_opened_recording_is_checked_as_a_whole_although_it_stops_before_the_end() -> None:
    """Ours: no more frames will come."""
    talk = _without_prompts()
    sweep = BackgroundValidator(talk.transcript, V2025_11_25)
    sweep.end()
    validate_all(sweep)

    assert EMPTY in rules_of(talk.transcript)


async def test_a_disconnected_session_is_checked_whole_and_is_known_to_the_next_run() -> None:
    """Ours."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("say")]}})
    async with opened(server) as first:
        await first.aclose()
        second = await open_again(first, server)

        assert not first.sweep.pending
        assert On(Subject.CONNECTION) in first.sweep.rules.seen
        assert second.sweep.rules.history.earlier is first.sweep.rules.history
        assert first.sweep.rules.history.earlier is None
        await second.aclose()
        assert (
            On(Subject.RUNS, "tools/list") in second.sweep.rules.seen
            or On(Subject.RUNS) in second.sweep.rules.seen
        )


def test_a_handshake_that_was_given_up_is_no_late_response() -> None:
    """Ours: Spyglass itself stopped waiting for a server that was slow to start."""
    talk = Talk()
    number = talk.request(1, "initialize", protocolVersion="2025-11-25", capabilities={})
    talk.note("timed-out", "…", request=number)
    talk.result(1, protocolVersion="2025-11-25", capabilities={}, serverInfo={})

    assert "late-response" not in rules_of(talk.transcript)
