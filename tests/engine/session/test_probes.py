"""What `server/discover` provokes in a server that opens with a handshake: marked, and never counted as a problem."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.opened_recording import OpenedRecording
from inspector.config.profile import Profile
from inspector.finding import Severity
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
from inspector.transcript.findings import SLOW_START_SECONDS
from inspector.transcript.index import FrameFlags
from inspector.transcript.transcript import Transcript
from inspector.wire.message import MessageKind
from tests.support.dialogue import Dialogue, Line, greeted, hears, hears_error, hears_result, says
from tests.support.findings import findings_of
from tests.support.http_session import at
from tests.support.http_stub import JSON_TYPE, HttpStub, reply
from tests.support.modern import discovered
from tests.support.talk import HeldClock
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inspector.session.transport_factory import ConnectionTarget
    from inspector.transport.base import Transport

DISCOVER = "server/discover"
MISSING_SESSION = b'{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Bad Request: Missing session ID"}}'

LOUD = """
import json, sys
print("server starts", file=sys.stderr, flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "server/discover":
        for field in range(30):
            print(f"{field} validation error", file=sys.stderr, flush=True)
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32602, "message": "Invalid"}}), flush=True)
    elif asked["method"] == "initialize":
        result = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "loud", "version": "1"}}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
    elif asked["method"] == "notifications/initialized":
        print("ready", file=sys.stderr, flush=True)
"""


def marked(transcript: Transcript) -> list[tuple[MessageKind, str]]:
    """Kind and method of what belongs to a probe."""
    rows = map(transcript.row, range(1, transcript.count + 1))
    return [(row.kind, row.method) for row in rows if row.flags & FrameFlags.PROBE]


async def judged(transcript: Transcript) -> Transcript:
    """The record with all its findings."""
    sweep = BackgroundValidator(transcript, NEWEST_STATEFUL)
    await sweep.finish()
    return transcript


async def played(
    path: Path, profile: Profile, make: Callable[[ConnectionTarget], Transport], waits_for: int = 0
) -> tuple[Transcript, Transcript, Session]:
    """The record of a session that connects as it was live, the same from its file, and the session, which is closed."""
    transcript = Transcript.create(path)
    session = Session(profile, transcript, make)
    try:
        await session.connect()
        await wait_until(lambda: transcript.counts.stderr >= waits_for)
    finally:
        await session.aclose()
    await judged(transcript)
    await transcript.aclose()
    recording = await OpenedRecording.open(path)
    await recording.load()
    await recording.validate()
    await recording.aclose()
    return transcript, recording.transcript, session


def automatic(timeout: float = 5) -> Profile:
    """Finds out the era."""
    return Profile(name="x", command="x", timeout_seconds=timeout, total_timeout_seconds=60)


OF_SAMPLES = frozenset({"L-IMP-02", "L-Q-01", "L-SES-02"})
"""Rules that the sample servers break, which have short names and session ids."""


def severities(transcript: Transcript) -> set[Severity]:
    """Of all findings but those about the sample itself."""
    return {each.severity for each in findings_of(transcript) if each.rule not in OF_SAMPLES}


async def test_a_400_with_a_made_up_id_is_the_response_to_the_probe_and_no_problem(
    tmp_path: Path,
) -> None:
    """C-HTTP-48: as the Python SDK 1.x responds to what comes without a session; live and in a recording."""
    async with HttpStub({f"POST {DISCOVER}": reply(400, MISSING_SESSION, JSON_TYPE)}) as stub:
        profile = replace(at(stub.url), revision="")
        live, opened, session = await played(tmp_path / "a.mcps", profile, make_transport)

    assert session.revision is not None
    for transcript in (live, opened):
        assert (MessageKind.REQUEST, DISCOVER) in marked(transcript)
        assert (MessageKind.ERROR, DISCOVER) in marked(transcript)
        assert (MessageKind.HTTP, "") in marked(transcript)
        assert transcript.counts.errors == 0
        assert severities(transcript) <= {Severity.INFO}
    assert marked(live) == marked(opened)


@pytest.mark.parametrize(
    "answer",
    [
        hears_error(-32601, "Method not found"),
        hears(b'{"jsonrpc":"2.0","id":"1","error":{"code":-32601,"message":"no"}}'),
        hears(b'{"jsonrpc":"2.0","id":1,"result":{}}'),
        hears(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}'),
        hears(b'{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"no"}}'),
        hears(b'{"jsonrpc":"2.0","id":1,"error":{"code":"bad"}}'),
    ],
)
async def test_no_answer_to_the_probe_counts_as_a_problem(tmp_path: Path, answer: Line) -> None:
    """Ours: a server of the handshake era need not know `server/discover`, nor how to refuse it."""
    dialogue = Dialogue(says(DISCOVER), answer, *greeted())
    live, opened, _ = await played(tmp_path / "a.mcps", automatic(0.2), dialogue.connect)

    for transcript in (live, opened):
        assert len(marked(transcript)) == 2
        assert transcript.counts.problems == 0


async def test_a_result_that_nobody_asked_for_is_a_problem_during_the_probe_too(
    tmp_path: Path,
) -> None:
    """Ours: only errors without an id of ours may be about the probe."""
    result = hears(b'{"jsonrpc":"2.0","id":99,"result":{}}')
    dialogue = Dialogue(says(DISCOVER), result, *greeted())
    live, opened, _ = await played(tmp_path / "a.mcps", automatic(0.2), dialogue.connect)

    for transcript in (live, opened):
        assert marked(transcript) == [(MessageKind.REQUEST, DISCOVER)]
        assert transcript.counts.problems == 1


async def test_stderr_lines_of_the_probe_are_told_from_others(tmp_path: Path) -> None:
    """Ours: they are marked and counted apart, and the step says what they may be about."""
    profile = replace(automatic(), command=sys.executable, args=("-c", LOUD))
    live, opened, session = await played(tmp_path / "a.mcps", profile, make_transport, 32)

    step = next(step for step in session.steps if DISCOVER in step.name)
    assert "stderr" in step.status_text
    for transcript in (live, opened):
        assert 30 <= transcript.counts.probe_stderr < transcript.counts.stderr
        assert transcript.counts.problems == 0
    assert marked(live) == marked(opened)


async def test_a_response_to_the_probe_after_the_handshake_is_no_late_response(
    tmp_path: Path,
) -> None:
    """C-VER-06."""
    late = hears_error(-32601, "Method not found", to=DISCOVER)
    dialogue = Dialogue(says(DISCOVER), *greeted(), late)
    live, opened, _ = await played(tmp_path / "a.mcps", automatic(0.2), dialogue.connect)

    for transcript in (live, opened):
        assert marked(transcript) == [
            (MessageKind.REQUEST, DISCOVER),
            (MessageKind.ERROR, DISCOVER),
        ]
        assert severities(transcript) == set()


async def test_a_handshake_that_a_late_result_made_needless_is_a_probe(tmp_path: Path) -> None:
    """C-VER-06: a slow start leaves no blemish on a good server."""
    dialogue = Dialogue(
        says(DISCOVER),
        says("initialize"),
        hears_result(discovered(), to=DISCOVER),
        hears_error(-32022, "no", {"supported": [NEWEST.date], "requested": "x"}, to="initialize"),
    )
    live, opened, session = await played(tmp_path / "a.mcps", automatic(0.2), dialogue.connect)

    assert session.revision == NEWEST
    for transcript in (live, opened):
        assert marked(transcript) == [
            (MessageKind.REQUEST, "initialize"),
            (MessageKind.ERROR, "initialize"),
        ]
        assert transcript.counts.problems == 0
        assert severities(transcript) == set()


async def test_a_server_that_knows_the_question_is_judged_by_its_answer(tmp_path: Path) -> None:
    """Ours: then the question was no probe, and its answer is the opening of the server."""
    answer = hears_result({"supportedVersions": [NEWEST.date], "capabilities": 7})
    dialogue = Dialogue(says(DISCOVER), answer)
    live, opened, _ = await played(tmp_path / "a.mcps", automatic(), dialogue.connect)

    for transcript in (live, opened):
        assert marked(transcript) == []
        assert transcript.counts.problems > 0


@pytest.mark.parametrize("request_", [0, -1, 3, 99, True, "1", None, 2**80])
def test_a_note_that_names_no_opening_marks_nothing(request_: int) -> None:
    """Ours: recordings are hostile."""
    transcript = Transcript()
    transcript.note("x", "")
    transcript.note("x", "")
    transcript.note("x", "")
    transcript.note("probe", "", request=request_, until=2**70)

    assert marked(transcript) == []


async def test_a_step_says_that_the_start_was_slow() -> None:
    """Ours: Spyglass waits longer than other clients."""
    clock = HeldClock()
    dialogue = Dialogue(says(DISCOVER))
    session = Session(automatic(), Transcript(), dialogue.connect, clock=clock)
    try:
        connecting = asyncio.ensure_future(session.connect())
        await wait_until(lambda: bool(dialogue.sent))
        clock.now += SLOW_START_SECONDS + 5
        dialogue.play(hears_result(discovered(), to=DISCOVER))
        await connecting

        assert f"{SLOW_START_SECONDS + 5:.0f} s" in session.steps[-1].status_text
    finally:
        await session.aclose()
