"""How the era of a server is found out, and what an earlier connection may spare."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import NegotiationFailed, PeerError
from inspector.session.era_cache import CachedEra, digest, read
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL, STATEFUL, V2024_11_05, Era, Revision
from inspector.transcript.exchange import Status
from tests.support.dialogue import (
    Dialogue,
    Ended,
    greeted,
    hears,
    hears_error,
    hears_result,
    says,
    session_of,
)
from tests.support.modern import discovered
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject

DISCOVER = "server/discover"
META: JsonObject = {
    "io.modelcontextprotocol/protocolVersion": NEWEST.date,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "spyglass"},
}


def refusal(*supported: str) -> Json:
    return {"supported": [*supported], "requested": NEWEST.date}


def step_words(session: Session) -> str:
    return "\n".join(step.status_text for step in session.steps)


async def test_a_server_of_the_stateless_era_is_known_by_its_answer() -> None:
    """C-VER-03, C-MET-04, C-MET-05, C-MET-06: asked before anything else, and nothing else is needed."""
    dialogue = Dialogue(says(DISCOVER, {"_meta": META}), hears_result(discovered()))
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.state is SessionState.READY
        assert session.revision == NEWEST
        assert session.greeting is not None
        assert session.greeting.server.server.label == "modern"
        assert session.greeting.server.supported_versions == (NEWEST.date,)
        assert session.declares("tools")
        assert (session.supports("ping"), session.supports(DISCOVER)) == (False, True)
        assert [step.state for step in session.steps] == [StepState.DONE] * 2
        assert session.steps[-1].frame == session.greeting.frame


@pytest.mark.parametrize("code", [-32601, -32602, -32600, -32000, -32001, 0, 7])
async def test_any_other_error_leads_to_a_handshake_on_the_same_connection(code: int) -> None:
    """C-VER-04, C-VER-06; lifecycle-09-discover-fallbacks: no code decides."""
    dialogue = Dialogue(says(DISCOVER), hears_error(code, "what is that"), *greeted())
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == NEWEST_STATEFUL
        assert len(dialogue.connections) == 1
        evidence = session.steps[1]
        assert f"error {code}: what is that" in evidence.status_text
        assert evidence.frame == 2


async def test_an_error_without_an_id_leads_to_a_handshake_in_time() -> None:
    """lifecycle-09-discover-fallbacks, variant 6."""
    error: JsonObject = {"code": -32600, "message": "no"}
    lost = hears({"jsonrpc": "2.0", "id": None, "error": error})
    dialogue = Dialogue(says(DISCOVER), lost, *greeted())
    async with session_of(dialogue, revision="", timeout=0.2) as session:
        await session.connect()

        assert session.revision == NEWEST_STATEFUL


@pytest.mark.parametrize(
    "result", [{}, {"supportedVersions": "x"}, [], None, {"protocolVersion": V2024_11_05.date}]
)
async def test_a_result_that_names_no_revisions_is_none(result: Json) -> None:
    """C-VER-06."""
    dialogue = Dialogue(says(DISCOVER), hears_result(result), *greeted())
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == NEWEST_STATEFUL


async def test_a_server_that_names_only_older_revisions_is_greeted_by_one_of_them() -> None:
    """C-VER-11."""
    dialogue = Dialogue(
        says(DISCOVER),
        hears_result(discovered("1999-01-01", V2024_11_05.date)),
        says("initialize", {"protocolVersion": V2024_11_05.date}),
        *greeted(V2024_11_05)[1:],
    )
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == V2024_11_05


async def test_a_refusal_that_names_a_revision_of_ours_is_followed_by_asking_again() -> None:
    """C-VER-01."""
    dialogue = Dialogue(
        says(DISCOVER),
        hears_error(-32022, "Unsupported protocol version", refusal("2027-01-01", NEWEST.date)),
        says(DISCOVER),
        hears_result(discovered()),
    )
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == NEWEST


async def test_a_refusal_is_believed_once() -> None:
    """Ours: no loops."""
    refused = hears_error(-32022, "Unsupported protocol version", refusal(NEWEST.date))
    dialogue = Dialogue(says(DISCOVER), refused, says(DISCOVER), refused)
    async with session_of(dialogue, revision="") as session:
        with pytest.raises(PeerError, match="-32022"):
            await session.connect()


async def test_a_server_without_a_revision_in_common_is_never_greeted() -> None:
    """C-VER-05, lifecycle-10-discover-unsupported-version."""
    refused = hears_error(-32022, "Unsupported protocol version", refusal("2027-01-01"))
    dialogue = Dialogue(says(DISCOVER), refused)
    async with session_of(dialogue, revision="") as session:
        with pytest.raises(NegotiationFailed, match="2027-01-01") as failure:
            await session.connect()

        assert NEWEST.date in failure.value.reason
        assert session.steps[-1].frame == 2
        assert [message["method"] for message in dialogue.sent] == [DISCOVER]


async def test_a_refusal_that_names_only_older_revisions_leads_to_a_handshake() -> None:
    """Decision: the server itself said so."""
    refused = hears_error(-32022, "Unsupported protocol version", refusal(V2024_11_05.date))
    handshake = (
        says("initialize", {"protocolVersion": V2024_11_05.date}),
        *greeted(V2024_11_05)[1:],
    )
    async with session_of(Dialogue(says(DISCOVER), refused, *handshake), revision="") as session:
        await session.connect()

        assert session.revision == V2024_11_05


async def test_a_capability_that_the_server_wants_is_declared_for_the_question() -> None:
    """C-VER-05: the error settles the era, and is put right."""
    dialogue = Dialogue(
        says(DISCOVER),
        hears_error(-32021, "Missing capability", {"requiredCapabilities": {"roots": {}}}),
        says(
            DISCOVER,
            {"_meta": {"io.modelcontextprotocol/clientCapabilities": {"roots": {}}}},
        ),
        hears_result(discovered()),
    )
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == NEWEST


async def test_headers_that_do_not_match_are_no_reason_for_a_handshake() -> None:
    """C-VER-05."""
    dialogue = Dialogue(says(DISCOVER), hears_error(-32020, "Header mismatch"))
    async with session_of(dialogue, revision="") as session:
        with pytest.raises(PeerError, match="-32020"):
            await session.connect()


async def test_a_silent_server_is_greeted_after_a_while() -> None:
    """C-VER-06; lifecycle-09-discover-fallbacks, variant 4: on the same connection, and nothing is called off."""
    dialogue = Dialogue(says(DISCOVER), *greeted())
    async with session_of(dialogue, revision="", timeout=0.2) as session:
        await session.connect()

        assert session.revision == NEWEST_STATEFUL
        assert len(dialogue.connections) == 1
        assert "no response to server/discover within 0.2 s" in step_words(session)
        await wait_until(lambda: session.transcript.status(1) is Status.CANCELLED)


async def test_a_server_that_ends_on_the_question_is_reached_again_without() -> None:
    """lifecycle-09-discover-fallbacks, variant 5."""
    dialogue = Dialogue(says(DISCOVER), Ended("it exited with code 1"), *greeted())
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == NEWEST_STATEFUL
        assert len(dialogue.connections) == 2
        assert "without server/discover" in session.steps[2].name
        assert "it exited with code 1" in step_words(session)


async def test_a_server_that_ends_again_is_told_of() -> None:
    """Ours: it is reached twice and no more."""
    dialogue = Dialogue(says(DISCOVER), Ended("gone"), says("initialize"), Ended("gone too"))
    async with session_of(dialogue, revision="") as session:
        with pytest.raises(Exception, match="gone too"):
            await session.connect()

        assert len(dialogue.connections) == 2


async def test_a_pinned_revision_without_handshake_never_falls_back() -> None:
    """C-VER-10."""
    dialogue = Dialogue(says(DISCOVER), hears_error(-32000, "initialize first"))
    async with session_of(dialogue, revision=NEWEST.date) as session:
        with pytest.raises(PeerError, match="initialize first"):
            await session.connect()


async def test_a_pinned_revision_is_spoken_even_with_a_server_that_says_nothing_of_itself() -> None:
    """C-VER-02: what it can do must be tried."""
    dialogue = Dialogue(
        says(DISCOVER),
        hears_error(-32601, "Method not found"),
        says("tools/list", {"_meta": META}),
        hears_result({"resultType": "complete", "tools": []}),
    )
    async with session_of(dialogue, revision=NEWEST.date) as session:
        await session.connect()

        assert session.greeting is not None
        assert not session.greeting.is_declared
        assert session.declares("anything")
        await session.request("tools/list")


async def test_a_pinned_revision_that_the_server_lacks_is_refused_in_words() -> None:
    """C-VER-01."""
    dialogue = Dialogue(says(DISCOVER), hears_result(discovered("2027-01-01")))
    async with session_of(dialogue, revision=NEWEST.date) as session:
        with pytest.raises(NegotiationFailed, match="2027-01-01"):
            await session.connect()


@pytest.mark.parametrize("revision", STATEFUL, ids=str)
async def test_a_pinned_revision_with_handshake_is_asked_for_at_once(revision: Revision) -> None:
    """C-LC-03."""
    async with session_of(Dialogue(*greeted(revision)), revision=revision.date) as session:
        await session.connect()

        assert session.revision == revision


async def test_what_was_found_out_spares_the_question() -> None:
    """C-VER-08, C-VER-09."""
    async with session_of(Dialogue(*greeted()), revision="") as session:
        session.use_cached(CachedEra(Era.STATEFUL, digest(session.profile), "scripted 1"))
        await session.connect()

        assert session.cached_era == CachedEra(Era.STATEFUL, digest(session.profile), "scripted 1")


async def test_what_was_found_out_is_forgotten_when_the_server_refuses_the_handshake() -> None:
    """C-VER-09: asked anew when the assumption fails."""
    dialogue = Dialogue(
        says("initialize"),
        hears_error(-32601, "Method not found"),
        says(DISCOVER),
        hears_result(discovered()),
    )
    async with session_of(dialogue, revision="") as session:
        session.use_cached(CachedEra(Era.STATEFUL, digest(session.profile), "scripted 1"))
        await session.connect()

        assert session.revision == NEWEST
        assert session.cached_era is not None
        assert session.cached_era.era is Era.STATELESS


async def test_a_server_that_changed_is_asked_anew_the_next_time() -> None:
    """Ours: an update may have brought the other era."""
    async with session_of(Dialogue(*greeted()), revision="") as session:
        session.use_cached(CachedEra(Era.STATEFUL, digest(session.profile), "scripted 0"))
        await session.connect()

        assert session.cached_era is None


async def test_what_was_found_out_elsewhere_counts_for_nothing() -> None:
    """Ours."""
    dialogue = Dialogue(says(DISCOVER), hears_result(discovered()))
    async with session_of(dialogue, revision="") as session:
        session.use_cached(CachedEra(Era.STATEFUL, "elsewhere", "scripted 1"))
        await session.connect()

        assert session.revision == NEWEST


@pytest.mark.parametrize("kept", [None, 1, {}, {"era": "new"}, {"era": "stateful", "target": 1}])
def test_a_verdict_that_is_none_is_not_read(kept: Json) -> None:
    """Ours."""
    assert read(kept) is None


def test_a_verdict_survives_being_kept() -> None:
    """Ours."""
    found = CachedEra(Era.STATELESS, "abc", "server 1")

    assert read(found.as_json()) == found
