"""Requests of the server that come while the era is not known yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.session.diagnostics.server_output import note_event
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
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
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject

DISCOVER = "server/discover"


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


async def test_a_held_request_gets_no_response_when_the_era_is_stateless() -> None:
    """C-JR-19, C-STD-13: and the recording says so."""
    dialogue = Dialogue(
        says(DISCOVER), hears(asks("r", "roots/list")), hears_result(discovered(), to=DISCOVER)
    )
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == NEWEST
        await wait_until(lambda: "not-answered" in noted(session))
