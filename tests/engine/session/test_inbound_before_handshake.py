"""Requests of the server that come while the era is not known yet."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import pytest

from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.session.diagnostics.server_output import note_event
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
from inspector.transcript.transcript import Transcript
from tests.support.dialogue import (
    Dialogue,
    greeted,
    hears,
    hears_error,
    hears_result,
    says,
    says_error,
    says_result,
    session_of,
)
from tests.support.modern import discovered
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.session.inbound import InboundRequest
    from inspector.wire.json_codec import Json, JsonObject

DISCOVER = "server/discover"

ECHO = "import sys; [print(line, end='', flush=True) for line in sys.stdin]"


def asks(id_: Json, method: str) -> JsonObject:
    return {"jsonrpc": "2.0", "id": id_, "method": method}


def noted(session: Session) -> set[str]:
    """The events that Spyglass noted."""
    numbers = range(1, session.transcript.count + 1)
    return {note_event(session.transcript, number) for number in numbers}


@pytest.mark.parametrize("id_", ["early", 0])
async def test_a_ping_is_answered_before_the_era_is_known(id_: Json) -> None:
    """C-PNG-01: a server may ping first, and go on when that is answered."""
    dialogue = Dialogue(
        says(DISCOVER),
        hears(asks(id_, "ping")),
        says_result(id_, {}),
        hears_error(-32601, "what is that", to=DISCOVER),
        *greeted(),
    )
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == NEWEST_STATEFUL


async def test_a_ping_is_answered_while_the_probe_stays_without_response() -> None:
    """C-PNG-01: the server answers `initialize` only once its ping was answered."""
    dialogue = Dialogue(says(DISCOVER), hears(asks("p", "ping")), says_result("p", {}), *greeted())
    async with session_of(dialogue, revision="", timeout=0.2) as session:
        await session.connect()

        assert session.revision == NEWEST_STATEFUL


async def test_another_request_is_held_until_the_era_is_known_to_be_stateful() -> None:
    """C-LC-07: unusual that early, and answered all the same."""

    async def roots(_: InboundRequest) -> Json:
        return {"roots": []}

    opening, result, ready = greeted()
    dialogue = Dialogue(
        says(DISCOVER),
        hears(asks("r", "roots/list")),
        hears(asks("u", "what/ever")),
        hears_error(-32601, "what is that", to=DISCOVER),
        opening,
        says_result("r", {"roots": []}),
        says_error("u", -32601),
        result,
        ready,
    )
    async with session_of(dialogue, revision="") as session:
        session.responders["roots/list"] = roots
        await session.connect()

        assert session.revision == NEWEST_STATEFUL


async def test_a_server_that_waits_for_a_held_request_is_waited_for_no_longer_than_others() -> None:
    """Ours: the wait for `server/discover` went on for ever, because the held request counted as one that the server waits for."""

    async def roots(_: InboundRequest) -> Json:
        return {"roots": []}

    opening, result, ready = greeted()
    dialogue = Dialogue(
        says(DISCOVER),
        hears(asks("r", "roots/list")),
        says_result("r", {"roots": []}),
        opening,
        result,
        ready,
    )
    async with session_of(dialogue, revision="", timeout=0.2) as session:
        session.responders["roots/list"] = roots
        async with asyncio.timeout(5):
            await session.connect()

        assert session.revision == NEWEST_STATEFUL


async def test_a_program_that_sends_back_what_it_receives_is_known_at_once() -> None:
    """Ours: the question that comes back is refused, and so is the question itself when the refusal comes back."""
    profile = Profile(name="x", command=sys.executable, args=("-c", ECHO))
    session = Session(profile, Transcript(), make_transport)
    try:
        async with asyncio.timeout(8):
            with pytest.raises(InspectorError):
                await session.connect()
    finally:
        await session.aclose()
    assert session.failure is not None
    assert "sends back what it receives" in session.failure.reason


async def test_a_held_request_gets_no_response_when_the_era_is_stateless() -> None:
    """C-JR-19, C-STD-13: and the recording says so."""
    dialogue = Dialogue(
        says(DISCOVER), hears(asks("r", "roots/list")), hears_result(discovered(), to=DISCOVER)
    )
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == NEWEST
        await wait_until(lambda: "not-answered" in noted(session))
