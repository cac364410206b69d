"""How a conversation begins, in every revision that opens with a handshake."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectionLost, NegotiationFailed, PeerError, TimedOut
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from inspector.spec.revision import (
    NEWEST_STATEFUL,
    STATEFUL,
    V2024_11_05,
    V2025_06_18,
    V2025_11_25,
    Revision,
)
from inspector.transcript.exchange import Status
from inspector.wire.frame import Direction
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

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


def initialize_result(version: Json, **more: Json) -> JsonObject:
    return {
        "protocolVersion": version,
        "capabilities": {},
        "serverInfo": {"name": "s", "version": "1"},
        **more,
    }


@pytest.mark.parametrize("revision", STATEFUL, ids=str)
async def test_a_server_of_any_stateful_revision_is_greeted(revision: Revision) -> None:
    """C-LC-01, C-LC-02, C-LC-04, C-LC-06, C-JR-13, C-JR-25: the newest is offered, the server's choice is taken."""
    dialogue = Dialogue(
        says(
            "initialize",
            {
                "protocolVersion": NEWEST_STATEFUL.date,
                "capabilities": {},
                "clientInfo": {"name": "spyglass"},
            },
        ),
        hears_result(initialize_result(revision.date)),
        says("notifications/initialized"),
    )
    async with session_of(dialogue) as session:
        await session.connect()

        assert session.state is SessionState.READY
        assert session.revision == revision
        assert [step.state for step in session.steps] == [StepState.DONE] * 2


@pytest.mark.parametrize("revision", STATEFUL, ids=str)
async def test_a_pinned_revision_is_the_one_that_is_asked_for(revision: Revision) -> None:
    """C-LC-03."""
    dialogue = Dialogue(
        says("initialize", {"protocolVersion": revision.date}),
        hears_result(initialize_result(revision.date)),
        says("notifications/initialized"),
    )
    async with session_of(dialogue, revision=revision.date) as session:
        await session.connect()

        assert session.revision == revision
        info = dialogue.sent[0]["params"]
        assert isinstance(info, dict)
        assert ("title" in str(info["clientInfo"])) == revision.has_titles


async def test_a_pinned_revision_may_be_answered_with_another() -> None:
    """C-LC-03: the step says what happened."""
    async with session_of(Dialogue(*greeted(V2025_06_18)), revision=V2025_11_25.date) as session:
        await session.connect()

        assert session.revision == V2025_06_18
        assert V2025_06_18.date in session.steps[-1].status_text
        assert V2025_11_25.date in session.steps[-1].status_text


async def test_a_pinned_revision_that_nobody_speaks_is_refused_before_anything_is_started() -> None:
    """C-LC-03."""
    dialogue = Dialogue()
    async with session_of(dialogue, revision="1999-01-01") as session:
        with pytest.raises(NegotiationFailed, match="1999-01-01"):
            await session.connect()

        assert session.state is SessionState.FAILED
        assert dialogue.connections == []
        assert session.steps[0].state is StepState.FAILED


async def test_nothing_is_sent_before_the_answer_to_initialize() -> None:
    """C-LC-01, C-LC-07."""
    dialogue = Dialogue(*greeted())
    async with session_of(dialogue) as session:
        await session.connect()

        frames = [
            (session.transcript.row(n).direction, session.transcript.row(n).method)
            for n in range(1, session.transcript.count + 1)
        ]
        assert frames == [
            (Direction.SENT, "initialize"),
            (Direction.RECEIVED, "initialize"),
            (Direction.SENT, "notifications/initialized"),
        ]


@pytest.mark.parametrize("version", ["2099-01-01", "latest", "", 20250618, None, 1.5, ["x"]])
async def test_a_version_nobody_knows_ends_the_connection_and_is_named(version: Json) -> None:
    """C-LC-05; lifecycle-01."""
    dialogue = Dialogue(says("initialize"), hears_result(initialize_result(version)))
    async with session_of(dialogue) as session:
        with pytest.raises(
            NegotiationFailed, match=r"requires version|`protocolVersion` is"
        ) as failure:
            await session.connect()

        assert session.state is SessionState.FAILED
        assert all(revision.date in failure.value.reason for revision in STATEFUL)
        assert failure.value.frame == 2
        assert session.steps[-1].frame == 2
        assert session.steps[-1].hint


async def test_a_server_that_names_older_revisions_in_an_error_is_asked_again() -> None:
    """C-LC-03: the specification's own example of an error, and lifecycle-07."""
    data: JsonObject = {
        "supported": ["1999-01-01", V2024_11_05.date],
        "requested": NEWEST_STATEFUL.date,
    }
    dialogue = Dialogue(
        says("initialize", {"protocolVersion": NEWEST_STATEFUL.date}),
        hears_error(-32602, "Unsupported protocol version", data),
        says("initialize", {"protocolVersion": V2024_11_05.date}),
        hears_result(initialize_result(V2024_11_05.date)),
        says("notifications/initialized"),
    )
    async with session_of(dialogue) as session:
        await session.connect()

        assert session.revision == V2024_11_05
        assert len(dialogue.connections) == 2
        states = [step.state for step in session.steps]
        assert states == [StepState.DONE, StepState.UNSUCCESSFUL, StepState.DONE, StepState.DONE]


async def test_with_a_pinned_revision_nothing_else_is_tried() -> None:
    """Ours: the user wants to see what the server does with it."""
    data: JsonObject = {"supported": [V2024_11_05.date]}
    dialogue = Dialogue(says("initialize"), hears_error(-32602, "Unsupported", data))
    async with session_of(dialogue, revision=V2025_11_25.date) as session:
        with pytest.raises(PeerError) as failure:
            await session.connect()

        assert V2024_11_05.date in failure.value.hint
        assert len(dialogue.connections) == 1


@pytest.mark.parametrize(
    ("code", "message", "data"),
    [
        (-32601, "unknown method", None),
        (-32603, "", "trace"),
        (-32602, "bad", {"supported": ["1999-01-01"]}),
        (-32602, "bad", {"supported": [NEWEST_STATEFUL.date]}),
        (-32602, "bad", ["supported"]),
    ],
)
async def test_an_error_to_initialize_is_told_with_code_message_and_data(
    code: int, message: str, data: Json
) -> None:
    """C-LC-11; lifecycle-07: nothing is sent after it."""
    dialogue = Dialogue(says("initialize"), hears_error(code, message, data))
    async with session_of(dialogue) as session:
        with pytest.raises(PeerError) as failure:
            await session.connect()

        step = session.steps[-1]
        assert (failure.value.code, failure.value.message) == (code, message)
        assert failure.value.data == data
        assert str(code) in step.status_text
        assert message in step.status_text
        assert data is None or "data: " in step.detail


async def test_an_initialize_that_is_never_answered_times_out_and_is_not_cancelled() -> None:
    """C-LC-08, C-LC-11, C-TMO-01."""
    async with session_of(Dialogue(says("initialize")), timeout=0.05) as session:
        with pytest.raises(TimedOut):
            await session.connect()

        assert session.state is SessionState.FAILED
        assert session.transcript.status(1) is Status.TIMED_OUT


async def test_a_connection_that_ends_during_the_handshake_fails_at_once() -> None:
    """C-LC-11."""
    async with session_of(Dialogue(says("initialize"), Ended("gone"))) as session:
        with pytest.raises(ConnectionLost, match="gone"):
            await session.connect()

        assert session.state is SessionState.FAILED
        assert session.transcript.status(1) is Status.NO_RESPONSE


async def test_noise_before_the_answer_does_not_disturb_the_handshake() -> None:
    """C-STD-16; stdio-01."""
    dialogue = Dialogue(
        says("initialize"),
        hears(b"Listening on stdio"),
        hears(b""),
        hears_result(initialize_result(NEWEST_STATEFUL.date)),
        says("notifications/initialized"),
    )
    async with session_of(dialogue) as session:
        await session.connect()

        assert session.state is SessionState.READY
        assert [f.rule for f in session.transcript.findings(2)] == ["L-STD-01"]
        assert session.transcript.findings(3) == ()


@pytest.mark.parametrize(
    ("capabilities", "declared"),
    [
        ({}, False),
        ({"tools": {}}, True),
        ({"tools": {"listChanged": True}}, True),
        ({"tools": None}, False),
        ({"tools": True}, True),
        ({"tools": False}, False),
        ({"tools": [{"name": "a"}]}, True),
        (None, False),
        ([], False),
    ],
)
async def test_capabilities_of_any_shape_are_read_and_never_refused(
    capabilities: Json, declared: bool
) -> None:
    """lifecycle-03."""
    result = {**initialize_result(NEWEST_STATEFUL.date), "capabilities": capabilities}
    dialogue = Dialogue(says("initialize"), hears_result(result), says("notifications/initialized"))
    async with session_of(dialogue) as session:
        await session.connect()

        assert session.state is SessionState.READY
        assert session.declares("tools") is declared


@pytest.mark.parametrize("result", [None, [], "yes", 7, {}])
async def test_a_result_of_initialize_that_is_no_object_fails_in_words(result: Json) -> None:
    """C-LC-11."""
    async with session_of(Dialogue(says("initialize"), hears_result(result))) as session:
        with pytest.raises(NegotiationFailed, match=r"not an object|`protocolVersion` is missing"):
            await session.connect()


async def test_a_session_tells_its_observers_about_every_state() -> None:
    """Ours."""
    states: list[SessionState] = []
    async with session_of(Dialogue(*greeted())) as session:
        session.changed.subscribe(lambda: states.append(session.state))
        await session.connect()
        await session.aclose()

    assert states == [SessionState.READY, SessionState.CLOSING, SessionState.CLOSED]
