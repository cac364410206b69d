"""A recording without the secrets that crossed the wire; the frames in memory stay as they were."""

from __future__ import annotations

import json
import re
import sqlite3
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.transcript.index import FrameFlags
from inspector.transcript.recording_file import write_copy
from inspector.transcript.redaction import Masking, known_secrets
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from inspector.wire.redaction import MASK
from inspector.workspace import Workspace
from tests.support.demo_server import demo, demo_session
from tests.support.http_session import at
from tests.support.opened import over
from tests.support.recordings import written
from tests.support.records import request, result
from tests.support.talk import Talk
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession

TOKEN = "s3cret-0123456789-bearer"
KEY = "k-sealed-0123456789"
MARKER = re.compile(r"\[redacted:(\d+)-bytes:([0-9a-f]{8})\]")


def head(token: str = TOKEN, first: str = "POST /mcp HTTP/1.1") -> RawChunk:
    lines = (first, "Host: x", f"Authorization: Bearer {token}", "Accept: application/json")
    return RawChunk("\r\n".join(lines).encode())


async def test_secret_headers_and_parameters_are_markers_in_the_file(tmp_path: Path) -> None:
    """C-SEC-15, C-SEC-17: length and fingerprint tell what stood there; the rest of the head is as it crossed the wire."""
    live = Transcript.create(tmp_path / "a.spyglass")
    live.append(Direction.SENT, Channel.HTTP, [head()])
    live.append(
        Direction.SENT,
        Channel.HTTP,
        [head(first=f"GET /mcp?api_key={KEY}#access_token={KEY} HTTP/1.1")],
    )
    live.append(Direction.SENT, Channel.HTTP, [head("another-token-of-it")])
    await live.aclose()

    assert TOKEN.encode() not in written(tmp_path)
    assert KEY.encode() not in written(tmp_path)
    assert TOKEN.encode() in live.raw(1)
    reopened = await Transcript.open(tmp_path / "a.spyglass")
    first, second, third = (reopened.raw(number).decode() for number in (1, 2, 3))
    assert MARKER.sub(TOKEN, first).encode() == live.raw(1)
    assert MARKER.sub(KEY, second.splitlines()[0]).encode() == live.raw(2).splitlines()[0]
    prints = [MARKER.findall(text)[-1] for text in (first, second, third)]
    assert prints[0] == prints[1] != prints[2]
    assert prints[0][0] == str(len(TOKEN))


async def test_redacted_frames_are_flagged_and_not_faulty(tmp_path: Path) -> None:
    """Ours: what is not there says so, and is no fault of the server."""
    live = Transcript.create(tmp_path / "a.spyglass")
    live.append(Direction.SENT, Channel.HTTP, [head(), RawChunk(b"GET / HTTP/1.1")])
    await live.aclose()
    reopened = await Transcript.open(tmp_path / "a.spyglass")

    assert [reopened.frame(number).flaw for number in (1, 2)] == [
        FrameDefect.REDACTED,
        FrameDefect.NONE,
    ]
    assert not reopened.row(1).flags & FrameFlags.FLAWED
    assert reopened.findings(1) == ()


async def test_frames_stay_whole_in_memory_after_they_were_written(tmp_path: Path) -> None:
    """Ours: what a user may want to see is shown from memory, whatever else was let go."""
    live = Transcript.create(tmp_path / "a.spyglass")
    live.recent.budget = 0
    live.append(Direction.SENT, Channel.HTTP, [head(), RawChunk(b"GET / HTTP/1.1")])
    await live.aclose()
    await wait_until(lambda: live.recent.first > 2)

    assert live.raw(1) == head().raw
    assert live.raws(1, 3) == [head().raw, b"GET / HTTP/1.1"]


async def test_what_the_server_was_given_is_nowhere_in_the_file(tmp_path: Path) -> None:
    """C-SEC-15: a server may repeat its secret in a message, escaped or not; the message stays one."""
    live = Transcript.create(tmp_path / "a.spyglass")
    live.redaction.know(('p"ass-wörd-1', KEY))
    said = json.dumps(result(1, {"text": f'it is p"ass-wörd-1 and {KEY}'}), ensure_ascii=False)
    live.append(Direction.SENT, Channel.STDIN, [RawChunk(json.dumps(request(1)).encode())])
    live.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(said.encode())])
    live.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(f"key {KEY}".encode())])
    live.note("started", "the process runs", args=["--api-key", "from-the-args", "--port", "80"])
    await live.aclose()
    reopened = await Transcript.open(tmp_path / "a.spyglass")

    assert not any(each in written(tmp_path) for each in (KEY.encode(), b"ass-w", b"from-the-args"))
    assert reopened.message(2).kind is live.message(2).kind
    assert len(MARKER.findall(reopened.raw(2).decode())) == 2
    assert b'"--port"' in reopened.raw(4)


@pytest.mark.parametrize("value", ["123456", "password", "1.5e10"])
async def test_words_and_numbers_are_left_in_messages(tmp_path: Path, value: str) -> None:
    """Ours: a marker in the place of a number would be no JSON any more."""
    live = Transcript.create(tmp_path / "a.spyglass")
    live.redaction.know((value,))
    raw = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "result": {"password": 123456, "n": 1.5e10}}
    ).encode()
    live.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(raw)])
    await live.aclose()

    assert (await Transcript.open(tmp_path / "a.spyglass")).raw(1) == raw


async def test_a_secret_that_begins_with_another_is_hidden_whole(tmp_path: Path) -> None:
    """C-SEC-15: whichever was known first."""
    live = Transcript.create(tmp_path / "a.spyglass")
    live.redaction.know((KEY, f"{KEY}-tail"))
    live.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(f"key {KEY}-tail".encode())])
    await live.aclose()

    assert b"-tail" not in written(tmp_path)


@pytest.mark.parametrize("is_on", [True, False])
async def test_a_session_that_is_saved_elsewhere_is_saved_as_it_would_be_recorded(
    tmp_path: Path, is_on: bool
) -> None:
    """C-SEC-15: one that was in memory only as well."""
    live = Transcript()
    live.redaction.is_on = is_on
    live.append(Direction.SENT, Channel.HTTP, [head(), RawChunk(b"GET / HTTP/1.1")])

    assert await write_copy(live, tmp_path / "copy.spyglass") == 2
    assert (TOKEN.encode() in written(tmp_path)) is not is_on


async def test_copies_of_a_recording_keep_its_markers(tmp_path: Path) -> None:
    """Ours: a marker gives nothing away, and tells equal secrets."""
    live = Transcript.create(tmp_path / "a.spyglass")
    live.append(Direction.SENT, Channel.HTTP, [head()])
    await live.aclose()
    reopened = await Transcript.open(tmp_path / "a.spyglass")

    assert Masking(reopened).raw(1) == reopened.raw(1)
    assert not Masking(reopened).hides([1])


@pytest.mark.parametrize("record_secrets", [False, True])
async def test_a_real_session_leaves_no_secret_in_its_records(
    tmp_path: Path, record_secrets: bool
) -> None:
    """C-SEC-15, C-SEC-17: neither the header of every request nor the id of the session, unless somebody asked for it."""
    async with demo("--http", "0") as url:
        workspace = Workspace(tmp_path / "records")
        profile = replace(
            at(url),
            revision="2025-11-25",
            record_secrets=record_secrets,
            headers=(("Authorization", f"Bearer {TOKEN}"),),
        )
        opened = workspace.open(profile)
        await opened.connect()
        session = opened.session.transcript
        sent = [session.raw(number) for number in range(1, session.count + 1)]
        await workspace.aclose()

    assert sum(TOKEN.encode() in raw for raw in sent) >= 3
    left = written(tmp_path)
    assert (TOKEN.encode() in left) is record_secrets
    ids = {id_ for raw in sent for id_ in re.findall(rb"(?im)^mcp-session-id: (\S+)", raw)}
    assert ids
    assert any(id_ in left for id_ in ids) is record_secrets


async def test_older_recordings_open_as_they_are(tmp_path: Path) -> None:
    """Ours: a file that holds its secrets is shown as before, masked in copies."""
    path = tmp_path / "a.spyglass"
    live = Transcript.create(path)
    live.append(Direction.SENT, Channel.HTTP, [head()])
    await live.aclose()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE frame SET raw=?, flaw=0 WHERE number=1", (head().raw,))
    connection.close()
    reopened = await Transcript.open(path)

    assert reopened.raw(1) == head().raw
    assert TOKEN.encode() not in Masking(reopened).raw(1)

    found = known_secrets(reopened)
    assert TOKEN in found
    assert (
        known_secrets(reopened) is found
    )  # the file is searched once: every response is checked for them


def call(opened: OpenSession, name: str, arguments: str) -> ToolCall:
    tool = next(tool for tool in opened.tools.items if tool.name == name)
    return opened.tools.call(tool, arguments)


def frames(opened: OpenSession, masking: Masking) -> list[bytes]:
    return [masking.raw(number) for number in range(1, opened.session.transcript.count + 1)]


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_ids_of_tasks_are_in_the_record_and_in_no_copy(transport: str) -> None:
    """C-SEC-14: neither in the body nor in the header that repeats it."""
    async with demo_session(transport) as opened:
        made = call(opened, "task_steps", '{"steps": 1, "seconds": 0.1}')
        await over(made)
        assert made.task is not None
        id_, transcript = made.task.id.encode(), opened.session.transcript
        whole = frames(opened, Masking(transcript, with_secrets=True))
        hidden = frames(opened, Masking(transcript))

        assert sum(id_ in raw for raw in whole) >= 3
        assert all(id_ not in raw for raw in hidden)
        assert sum(MASK.encode() in raw for raw in hidden) >= 3


async def test_the_state_of_a_request_goes_back_as_it_came_and_into_no_copy() -> None:
    """C-SEC-14, C-MRTR-03."""
    async with demo_session("stdio") as opened:
        await over(call(opened, "ask_later", '{"rounds": 1}'))
        transcript = opened.session.transcript
        whole = frames(opened, Masking(transcript, with_secrets=True))
        given = [state for raw in whole if (state := spelled(raw))]

        assert len(given) == 2  # from the server, and back
        assert given[0] == given[1]
        assert all(given[0] not in raw for raw in frames(opened, Masking(transcript)))


def spelled(raw: bytes) -> bytes:
    """The state in a message as it is written there."""
    return raw.partition(b'"requestState":"')[2].partition(b'"')[0]


def test_the_longest_secret_is_masked_first_so_that_no_tail_of_it_shows() -> None:
    """C-SEC-14: whichever was known first."""
    talk = Talk()
    talk.transcript.redaction.know(("key-0123456789", "key-0123456789-tail"))
    number = talk.stderr(b"the key is key-0123456789-tail")

    assert Masking(talk.transcript).raw(number) == f"the key is {MASK}".encode()


def test_a_text_with_a_lone_surrogate_is_masked_as_any_other() -> None:
    """C-SEC-14: JSON may have one; what a process was given may not be UTF-8, and is masked nevertheless."""
    talk = Talk()
    known = ("key-0123456789", "ä-key-\udcff-9876")
    talk.transcript.redaction.know(known)

    for hide in (Masking(talk.transcript).text, talk.transcript.redaction.hide):
        assert hide(f"\ud800 {known[0]} {known[1]}") == f"\ud800 {MASK} {MASK}"
