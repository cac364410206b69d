"""A result of `server/discover` that comes late, and refusals of `initialize` that belong to the stateless era."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError, for_cli
from inspector.session import handshake_wait, negotiation
from inspector.session.negotiation import HANDSHAKE
from inspector.session.steps import StepState
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL, V2024_11_05
from tests.support.dialogue import (
    Dialogue,
    Line,
    greeted,
    hears_error,
    hears_result,
    says,
    session_of,
)
from tests.support.modern import discovered
from tests.support.wait import patience, wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

DISCOVER = "server/discover"
UNSUPPORTED: Json = {"supported": [NEWEST.date], "requested": NEWEST_STATEFUL.date}


async def test_a_late_answer_decides_while_the_handshake_is_not_answered() -> None:
    """C-VER-06: a slow start is no verdict."""
    late = hears_result(discovered(), to=DISCOVER)
    dialogue = Dialogue(says(DISCOVER), says("initialize"), late)
    async with session_of(dialogue, revision="", timeout=0.2) as session:
        await session.connect()

        assert session.revision == NEWEST
        assert session.steps[-1].status_text.startswith("stateless")


def asked_to_initialize(*, first: bool) -> tuple[Line, ...]:
    """The server wakes up: one good response and one refusal, in one write or in two."""
    good = hears_result(discovered(), to=DISCOVER)
    refused = hears_error(-32022, "this connection speaks 2026-07-28", UNSUPPORTED)
    bad = replace(refused, to="initialize")
    return (good, bad) if first else (bad, good)


@pytest.mark.parametrize("first", [True, False])
async def test_a_late_answer_wins_over_a_refused_handshake_whichever_is_read_first(
    first: bool,
) -> None:
    """C-VER-01, C-VER-06, C-VER-19: a server that slept answers all that lies in its input at once."""
    dialogue = Dialogue(says(DISCOVER), says("initialize"), *asked_to_initialize(first=first))
    async with session_of(dialogue, revision="", timeout=0.2) as session:
        await session.connect()

        assert session.revision == NEWEST
        assert len(dialogue.connections) == 1
        assert StepState.FAILED not in {step.state for step in session.steps}


async def test_a_late_answer_is_waited_for_after_a_refusal_that_says_nothing_of_the_era() -> None:
    """C-VER-06: servers that work on requests at the same time refuse what they do not know at once."""
    dialogue = Dialogue(
        says(DISCOVER),
        says("initialize"),
        hears_error(-32601, "Method not found: initialize", to="initialize"),
    )
    async with session_of(dialogue, revision="", timeout=0.3) as session:
        connecting = asyncio.ensure_future(session.connect())
        await wait_until(lambda: session.transcript.counts.received > 0)
        dialogue.play(hears_result(discovered(), to=DISCOVER))
        await connecting

        assert session.revision == NEWEST


async def test_a_refusal_of_the_handshake_that_names_a_later_era_is_followed_by_asking_again() -> (
    None
):
    """C-VER-01: on the same connection, because the refusal says which revision to speak."""
    dialogue = Dialogue(
        says(DISCOVER),
        hears_error(-32601, "not yet"),
        says("initialize"),
        hears_error(-32022, "Unsupported protocol version", UNSUPPORTED),
        says(DISCOVER),
        hears_result(discovered()),
    )
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == NEWEST
        assert len(dialogue.connections) == 1


async def test_a_probe_that_is_lost_is_not_waited_for_after_a_refusal_that_names_a_revision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C-VER-01: a server may drop what it receives while it starts."""
    monkeypatch.setattr(negotiation, "LATE_SECONDS", 0.1)
    monkeypatch.setattr(handshake_wait, "PROBE_SECONDS", 0.1)
    dialogue = Dialogue(
        says(DISCOVER),
        says("initialize"),
        hears_error(-32022, "Unsupported protocol version", UNSUPPORTED, to="initialize"),
        says(DISCOVER),
        hears_result(discovered()),
    )
    async with session_of(dialogue, revision="", timeout=3600) as session:
        await asyncio.wait_for(session.connect(), patience())

        assert session.revision == NEWEST
        assert len(dialogue.connections) == 1


async def test_a_server_that_refuses_both_openings_is_asked_no_third_time() -> None:
    """Ours: no loops, and the refusal of the handshake is what is told."""
    dialogue = Dialogue(
        says(DISCOVER),
        hears_error(-32601, "not yet"),
        says("initialize"),
        hears_error(-32022, "Unsupported protocol version", UNSUPPORTED),
        says(DISCOVER),
        hears_error(-32601, "not yet"),
    )
    async with session_of(dialogue, revision="") as session:
        with pytest.raises(PeerError, match="-32022"):
            await session.connect()


async def test_a_refusal_in_the_words_of_the_later_era_may_name_an_older_revision() -> None:
    """C-LC-04: asked for on a fresh connection, as after -32602."""
    dialogue = Dialogue(
        says(DISCOVER),
        hears_error(-32601, "not yet"),
        says("initialize"),
        hears_error(-32022, "Unsupported protocol version", {"supported": [V2024_11_05.date]}),
        *greeted(V2024_11_05),
    )
    async with session_of(dialogue, revision="") as session:
        await session.connect()

        assert session.revision == V2024_11_05


@pytest.mark.parametrize("pinned", [V2024_11_05.date, NEWEST_STATEFUL.date, HANDSHAKE])
async def test_a_refused_pin_names_the_revision_to_select_and_automatic(pinned: str) -> None:
    """C-VER-19."""
    refused = hears_error(-32022, "Unsupported protocol version", UNSUPPORTED)
    dialogue = Dialogue(says("initialize"), refused)
    async with session_of(dialogue, revision=pinned) as session:
        with pytest.raises(PeerError) as failure:
            await session.connect()

        assert NEWEST.date in failure.value.hint
        assert "Automatic" in failure.value.hint
        assert session.steps[-1].hint == failure.value.hint


async def test_a_late_error_changes_nothing() -> None:
    """C-VER-06."""
    handshake = greeted()
    late = hears_error(-32601, "what is that", to=DISCOVER)
    dialogue = Dialogue(says(DISCOVER), handshake[0], late, *handshake[1:])
    async with session_of(dialogue, revision="", timeout=0.2) as session:
        await session.connect()

        assert session.revision == NEWEST_STATEFUL


async def test_a_server_that_knows_no_opening_is_named_with_the_revision_to_try() -> None:
    """C-VER-19: servers of the stateless era without `server/discover` work once their revision is set."""
    unknown = hears_error(-32601, "Method not found")
    dialogue = Dialogue(says(DISCOVER), unknown, says("initialize"), unknown)
    async with session_of(dialogue, revision="", timeout=0.3) as session:
        with pytest.raises(PeerError) as failure:
            await session.connect()

        assert "neither" in failure.value.reason
        assert NEWEST.date in failure.value.hint
        assert "--revision" in for_cli(failure.value.hint)


@pytest.mark.parametrize("code", [-32600, -32602, -32000])
async def test_a_stateless_pin_that_an_older_server_refuses_offers_automatic(code: int) -> None:
    """C-VER-19."""
    refused = hears_error(code, "Bad Request: Missing session ID")
    dialogue = Dialogue(says(DISCOVER), refused)
    async with session_of(dialogue, revision=NEWEST.date) as session:
        with pytest.raises(PeerError) as failure:
            await session.connect()

        assert "Automatic" in failure.value.hint
        assert "Automatic" not in for_cli(failure.value.hint)
        assert session.steps[-1].hint == failure.value.hint
