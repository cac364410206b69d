"""Remarks about openings that succeeded, and may not with other clients; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.finding import Severity
from inspector.transcript.findings import SLOW_START_SECONDS
from tests.support.findings import validate_all
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

GREETING: JsonObject = {"protocolVersion": "2025-06-18", "capabilities": {}}


def rules(talk: Talk, number: int) -> list[str]:
    """What is said of a frame, when all is judged; nothing of it is a problem."""
    validate_all(BackgroundValidator(talk.transcript))
    found = talk.transcript.findings(number)
    return [finding.rule for finding in found if finding.severity is Severity.INFO]


@pytest.mark.parametrize(
    ("seconds", "said"), [(SLOW_START_SECONDS + 5, ["L-STD-13"]), (SLOW_START_SECONDS - 1, [])]
)
def test_a_slow_start_leaves_a_remark(seconds: float, said: list[str]) -> None:
    """Ours: Spyglass waits longer than other clients."""
    talk = Talk()
    talk.request(1, "initialize")
    talk.wait(seconds)
    answer = talk.result(1, **GREETING)

    assert [rule for rule in rules(talk, answer) if rule == "L-STD-13"] == said


@pytest.mark.parametrize("is_early", [False, True])
@pytest.mark.parametrize(
    ("outcome", "rule"),
    [("", "L-STD-13"), ("cancelled", "L-STD-13"), ("closed", "L-STD-14")],
)
def test_a_probe_without_a_response_leaves_a_remark(
    outcome: str, rule: str, *, is_early: bool
) -> None:
    """Ours: every request gets a response, and no request ends a server."""
    talk = Talk()
    asked = talk.request(1, "server/discover")
    if outcome:
        talk.note(outcome, "x", request=asked)
    if is_early:
        talk.note("probe", "x", request=asked, until=0)
    talk.request(2, "initialize")
    talk.result(2, **GREETING)
    if not is_early:
        talk.note("probe", "x", request=asked, until=0)

    assert rules(talk, asked) == [rule]


def test_a_server_that_never_responds_is_not_said_to_dislike_the_probe() -> None:
    """Ours: what keeps it from responding, or ends it, is something else."""
    talk = Talk()
    asked = talk.request(1, "server/discover")
    talk.note("closed", "x", request=asked)
    greets = talk.request(2, "initialize")
    talk.wait(SLOW_START_SECONDS + 5)
    talk.note("timed-out", "x", request=greets)
    talk.note("probe", "x", request=asked, until=0)
    late = talk.result(2, **GREETING)

    assert rules(talk, asked) == []
    assert "L-STD-13" not in rules(talk, late)


def test_a_probe_that_was_refused_leaves_none() -> None:
    """Ours: that is how it should be."""
    talk = Talk()
    asked = talk.request(1, "server/discover")
    talk.error(1, -32601, "Method not found")
    talk.note("probe", "x", request=asked, until=0)

    assert rules(talk, asked) == []


def test_a_session_that_the_server_forgot_leaves_a_remark() -> None:
    """Ours: a server that was restarted meanwhile."""
    talk = Talk()
    note = talk.note("session-renewed", "x")

    assert rules(talk, note) == ["session-gone"]
