"""What HTTP answers say of the session; a server need not keep one, and need not repeat its id."""

from __future__ import annotations

import pytest

from inspector.spec.revision import V2025_11_25, V2026_07_28
from inspector.transport.base import BAD_SESSION, NO_SESSION
from tests.support.http_session import talking
from tests.support.http_stub import well_behaved
from tests.support.http_talk import HttpTalk

FIRST, SECOND = "5f0c1d9e-8a57-4b7e-9c1f-0f6f3d6f2a11", "b1c7a2d4-33e0-4f6a-8e2b-7d9a4c5e6f70"
RULES = ("L-SES", "no-session", "session-id")


def rules(talk: HttpTalk) -> list[str]:
    return [rule for begin in RULES for rule in talk.rules(V2025_11_25, begin=begin)]


def opened(session: str) -> HttpTalk:
    """A conversation in that session; in none where it is empty."""
    talk = HttpTalk()
    talk.request("initialize")
    talk.result(**({"mcp_session_id": session} if session else {}))
    if not session:
        talk.transcript.note(NO_SESSION, "x")
    return talk


def asked(talk: HttpTalk, given: str, *, sent: str = FIRST) -> None:
    talk.request("tools/list", mcp_session_id=sent)
    talk.result(**({"mcp_session_id": given} if given else {}))


def test_a_session_id_that_never_came_leaves_a_remark() -> None:
    """Ours: it is no fault, and the reason for much where it was lost on the way."""
    assert rules(opened("")) == ["no-session-id"]
    assert rules(opened(FIRST)) == []


def test_a_session_id_that_the_next_opening_lacks_is_told_as_well() -> None:
    """Ours."""
    talk = opened(FIRST)
    talk.request("initialize")
    talk.result()
    note = talk.transcript.note(NO_SESSION, "x")

    assert rules(talk) == ["no-session-id"]
    assert "this time" in talk.transcript.findings(note)[0].summary


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["", ""], []),
        ([FIRST, FIRST], []),
        ([FIRST, SECOND, SECOND], ["L-SES-03"]),
        ([FIRST, "", ""], ["session-id-missing"]),
        (["", FIRST], []),
    ],
)
def test_a_session_keeps_its_id(given: list[str], found: list[str]) -> None:
    """L-SES-03; who repeats it with each response is expected to go on with that. Told once."""
    talk = opened(FIRST)
    for each in given:
        asked(talk, each)
    assert rules(talk) == found


def test_what_is_no_response_need_not_repeat_the_session_id() -> None:
    """Ours: official servers do not, with 202 and 405."""
    talk = opened(FIRST)
    asked(talk, FIRST)
    talk.post({"jsonrpc": "2.0", "method": "notifications/x"}, mcp_session_id=FIRST)
    talk.head(202)
    talk.get(mcp_session_id=FIRST)
    talk.head(405, allow="POST")
    assert rules(talk) == []


def test_a_session_id_that_cannot_be_sent_back_is_told() -> None:
    """L-SES-01."""
    talk = HttpTalk()
    talk.transcript.note(BAD_SESSION, "x")
    assert rules(talk) == ["L-SES-01"]


def test_a_revision_without_sessions_is_not_asked_for_one() -> None:
    """Ours."""
    talk = opened(FIRST)
    asked(talk, SECOND)
    assert talk.rules(V2026_07_28, begin="L-SES") == []


async def test_connecting_says_that_there_is_no_session() -> None:
    """Ours: in the step that was done last."""
    async with talking(otherwise=lambda asked: well_behaved(asked, session=None)) as (_, session):
        assert "no Mcp-Session-Id" in session.steps[-1].status_text
    async with talking() as (_, session):
        assert "Mcp-Session-Id" not in session.steps[-1].status_text
