"""The log: where its messages are in the record, what is looked for among them, and the level that is asked for."""

from __future__ import annotations

import pytest

from inspector.errors import PeerError
from inspector.features.logs import UNKNOWN, LogLines, Logs, cause_text, parse_log_filter
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.answering import AnsweringServer, connected, silence
from tests.support.talk import Talk
from tests.support.wait import wait_until


def pulled(talk: Talk, **more: int) -> LogLines:
    """The log of a record, as far as there is one."""
    lines = LogLines(talk.transcript, **more)
    lines.pull()
    return lines


def log(**params: json_codec.Json) -> json_codec.JsonObject:
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": params}


def test_the_log_is_read_from_the_record_frame_by_frame() -> None:
    """C-LOG-02."""
    talk = Talk()
    talk.call(1, "a")
    params = '{"level":"error","logger":"db","data":{"words":"é","n":1.50}}'
    head = '{"jsonrpc":"2.0","method":"notifications/message","params":'
    first = talk.received(f"{head}{params}}}".encode())
    talk.text_result(1, "done")
    second = talk.received(log(level="debug", data="x"))
    lines = pulled(talk)

    assert [lines.frame(at) for at in range(len(lines))] == [first, second]
    assert lines.line(0)[:3] == ("error", 4, "db")
    assert lines.line(0).data == '{"words":"é","n":1.50}'.encode()
    assert lines.view(1).data == "x"
    assert lines.wall(0) == talk.transcript.row(first).wall_s


def test_what_comes_later_is_taken_in_by_the_next_pull() -> None:
    """Ours."""
    talk = Talk()
    lines = pulled(talk)
    talk.log("one")
    talk.flood(2000)

    assert len(lines) == 0
    assert lines.pull() == 0
    assert len(lines) == 2001


def test_a_pull_without_time_does_a_part_and_tells_how_much_is_left() -> None:
    """Ours: the window is never held up."""
    talk = Talk()
    talk.flood(5000)
    lines = LogLines(talk.transcript)

    assert 0 < lines.pull(0) < 5000
    assert lines.pull() == 0
    assert len(lines) == 5000


@pytest.mark.parametrize(
    ("params", "level", "data"),
    [
        ({"level": "verbose", "data": 1}, "verbose", b"1"),
        ({"level": 7, "data": "x"}, "7", b'"x"'),
        ({"data": None}, "", b"null"),
        ({"level": "\ud800", "logger": ["a"], "data": "\ud800"}, "\ud800", b'"\\ud800"'),
        ([1, 2], "", b"[1,2]"),
        ({}, "", b""),
    ],
)
def test_odd_messages_are_kept_with_what_they_say(
    params: json_codec.Json, level: str, data: bytes
) -> None:
    """C-LOG-04; ours: never hide, never tidy."""
    talk = Talk()
    talk.received({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
    lines = pulled(talk)

    assert len(lines) == 1
    assert (lines.line(0).level, lines.line(0).rank, lines.line(0).data) == (level, UNKNOWN, data)
    assert lines.view(0).notes


def test_a_message_without_params_is_kept() -> None:
    """Ours."""
    talk = Talk()
    talk.received({"jsonrpc": "2.0", "method": "notifications/message"})
    lines = pulled(talk)

    assert lines.line(0) == ("", UNKNOWN, "", b"")


def test_each_member_of_a_batch_is_a_message_of_its_own() -> None:
    """C-JR-10: batches of the revisions that have them."""
    talk = Talk()
    frame = talk.received([log(level="info", data="a"), {"jsonrpc": "2.0"}, log(data="b")])
    lines = pulled(talk)

    assert [(lines.frame(at), lines.view(at).data) for at in range(len(lines))] == [
        (frame, "a"),
        (frame, "b"),
    ]


def test_what_we_send_is_no_log_of_the_server() -> None:
    """Ours."""
    talk = Talk()
    talk.sent(log(level="info", data="mine"))

    assert len(pulled(talk)) == 0


def test_a_message_belongs_to_a_request_only_where_the_wire_says_so() -> None:
    """Ours: nothing is guessed; on stdio nobody can know."""
    talk = Talk()
    call = talk.call(1, "sum")
    on_stdio = talk.log("somewhere")
    block = b"data: " + json_codec.write_bytes(log(level="info", data="here")) + b"\n\n"
    talk.transcript.append(Direction.RECEIVED, Channel.SSE, [RawChunk(block)], call)
    head = RawChunk(b"GET /mcp HTTP/1.1")
    talk.transcript.append(Direction.SENT, Channel.HTTP, [head])
    standing = talk.transcript.count
    talk.transcript.append(Direction.RECEIVED, Channel.SSE, [RawChunk(block)], standing)
    lines = pulled(talk)

    assert lines.frame(0) == on_stdio
    assert [lines.cause(at) for at in range(3)] == [0, call, 0]
    assert lines.line(1).data == b'"here"'
    assert lines.view(1).data == "here"
    assert cause_text(talk.transcript, call) == "tools/call sum"


def test_words_are_looked_for_in_what_is_said_and_not_in_the_frame_around_it() -> None:
    """C-LOG-02."""
    talk = Talk()
    talk.received(log(level="info", logger="web", data="Überlauf of message"))
    talk.received(log(level="error", logger="db", data={"words": "full", "free": 3}))
    talk.received(log(level="chatty", data="x y"))
    lines = pulled(talk)

    def found(text: str, least: int = 0) -> list[int]:
        return list(lines.matching(parse_log_filter(text, least), 0, len(lines)))

    assert found("jsonrpc") == []
    assert found("überlauf") == [0]
    assert found("DB full") == [1]
    assert found("-db") == [0, 2]
    assert found('"x y"') == [2]
    assert found("o*mess") == [0]
    assert found("", 4) == [1, 2], "a level nobody knows is never left out"
    assert found('"') == [0, 1, 2]


def test_beyond_the_budget_the_oldest_are_let_go_and_counted() -> None:
    """C-SEC-18."""
    talk = Talk()
    talk.flood(1000)
    lines = pulled(talk, max_lines=100)

    assert len(lines) <= 100
    assert len(lines) + lines.let_go == 1000
    assert lines.view(len(lines) - 1).data == "line 999"


async def test_a_level_is_asked_for_only_when_the_person_wants_it() -> None:
    """C-LOG-01."""
    server = AnsweringServer({"logging/setLevel": lambda _: {}}, capabilities={"logging": {}})
    async with connected(server) as session:
        logs = Logs(session)
        changes: list[str] = []
        logs.changed.subscribe(lambda: changes.append(logs.asking))
        assert (logs.offered, logs.level) == (True, "")
        assert server.methods() == []
        await logs.choose("debug")

        assert server.received[-1]["params"] == {"level": "debug"}
        assert (logs.level, logs.failure, changes) == ("debug", None, ["debug", ""])


async def test_a_refused_level_changes_nothing_but_is_told() -> None:
    """Ours."""

    def refuse(params: json_codec.JsonObject) -> json_codec.Json:
        if params["level"] == "alert":
            raise PeerError(-32602, "no such level")
        return {}

    server = AnsweringServer({"logging/setLevel": refuse}, capabilities={})
    async with connected(server) as session:
        logs = Logs(session)
        await logs.choose("info")
        await logs.choose("alert")

        assert not logs.offered
        assert (logs.level, logs.refused) == ("info", "alert")
        assert isinstance(logs.failure, PeerError)


async def test_a_level_that_is_being_asked_for_ends_with_the_connection() -> None:
    """Ours."""
    server = AnsweringServer({"logging/setLevel": silence}, capabilities={"logging": {}})
    async with connected(server) as session:
        logs = Logs(session)
        asking = session.tasks.spawn(logs.choose("info"), name="ask")
        await wait_until(lambda: logs.asking == "info" and len(server.methods()) == 1)
        server.end()
        await asking

        assert logs.asking == ""
        assert logs.failure is not None
