"""What stands beneath which operation, and what folds."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from inspector.transcript.filter.query import parse
from inspector.transcript.operation_folds import Fold, fold_of
from inspector.transcript.operation_rows import OperationRows
from inspector.transcript.operation_tasks import MAX_RESPONSE_BYTES
from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.records import notification, progress, request, result
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message


def made(talk: Talk | Transcript) -> OperationRows:
    rows = OperationRows(talk.transcript if isinstance(talk, Talk) else talk)
    assert rows.advance(rows.transcript.count + 1)
    return rows


class CountingTranscript(Transcript):
    """Counts how often a message is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = Counter[int]()

    def message(self, number: int) -> Message:
        self.reads[number] += 1
        return super().message(number)


def tops(rows: OperationRows) -> list[list[int]]:
    """The frames of each row at the top."""
    tree = rows.tree
    return [list(tree.members(fold)) for fold in tree.children(0)]


def beneath(rows: OperationRows, frame: int) -> list[list[int]]:
    tree = rows.tree
    return [list(tree.members(fold)) for fold in tree.children(frame)]


def http(transcript: Transcript, direction: Direction, text: bytes, stream: int) -> int:
    transcript.append(direction, Channel.HTTP, [RawChunk(text)], stream)
    return transcript.count


def body(transcript: Transcript, direction: Direction, message: JsonObject, stream: int = 0) -> int:
    chunk = RawChunk(json_codec.write_bytes(message))
    transcript.append(direction, Channel.BODY, [chunk], stream)
    return transcript.count


def call(id_: Json, tool: str) -> JsonObject:
    return request(id_, "tools/call", {"name": tool})


def test_what_belongs_to_a_call_is_beneath_it() -> None:
    """Ours: progress in a row is one fold; log and stderr of the only pending call are in it."""
    talk = Talk()
    started = talk.request(1, "tools/call", name="slow", _meta={"progressToken": 7})
    reports = [talk.received(progress(7, step)) for step in (1, 2, 3)]
    log, line = talk.log("half"), talk.stderr(b"warming")
    response = talk.text_result(1, "done")
    rows = made(talk)

    assert tops(rows) == [[started]]
    assert beneath(rows, started) == [reports, [log], [line], [response]]
    assert rows.tree.totals(started)[0] == 7
    assert rows.frames(started) == [started, *reports, log, line, response]
    assert {rows.operation(number) for number in rows.frames(started)} == {started}


def test_output_while_several_calls_are_pending_stands_by_itself() -> None:
    """Ours: which of them it belongs to is not known, so it is not claimed."""
    talk = Talk()
    one, other = talk.call(1, "a"), talk.call(2, "b")
    lines = [talk.stderr(b"whose"), talk.stderr(b"is it")]
    talk.text_result(1, "a")
    known = talk.stderr(b"of b")
    rows = made(talk)

    assert tops(rows) == [[one], [other], lines]
    assert fold_of(rows.tree.key(lines[0])) is Fold.STDERR
    assert rows.tree.parent(known) == other


def test_a_request_of_the_server_is_in_the_call_that_is_pending_alone() -> None:
    """Ours."""
    talk = Talk()
    started = talk.call(1, "ask")
    nested = talk.received(request("s1", "sampling/createMessage", {"messages": []}))
    answer = talk.sent(result("s1", {}))
    response = talk.text_result(1, "done")
    rows = made(talk)

    assert beneath(rows, started) == [[nested], [response]]
    assert beneath(rows, nested) == [[answer]]
    assert rows.user_requests == {started: [nested]}


def test_over_http_the_stream_says_which_call_a_message_belongs_to() -> None:
    """Ours: even while others are pending; header blocks stand beneath the message they carried."""
    transcript = Talk().transcript
    one = body(transcript, Direction.SENT, call(1, "a"))
    head = http(transcript, Direction.SENT, b"POST /mcp HTTP/1.1\r\n\r\n", one)
    other = body(transcript, Direction.SENT, call(2, "b"))
    nested = body(transcript, Direction.RECEIVED, request("s", "elicitation/create"), one)
    log = body(transcript, Direction.RECEIVED, notification("notifications/message"), one)
    answer = body(transcript, Direction.SENT, result("s", {}))
    answer_head = http(transcript, Direction.SENT, b"POST /mcp HTTP/1.1\r\n\r\n", answer)
    alone = http(transcript, Direction.SENT, b"GET /mcp HTTP/1.1\r\n\r\n", 0)
    opened = http(transcript, Direction.RECEIVED, b"HTTP/1.1 200 OK\r\n\r\n", alone)
    rows = made(transcript)

    assert tops(rows) == [[one], [other], [alone, opened]]
    assert beneath(rows, one) == [[head], [nested], [log]]
    assert beneath(rows, nested) == [[answer]]
    assert beneath(rows, answer) == [[answer_head]]


def test_lists_that_are_read_together_are_one_row() -> None:
    """Ours: also over lines between them; a later one begins another row."""
    talk = Talk()
    hello = talk.request(1, "initialize")
    talk.result(1)
    ready = talk.sent(notification("notifications/initialized"))
    tools, prompts = talk.request(2, "tools/list"), talk.request(3, "prompts/list")
    line = talk.stderr(b"listing")
    talk.result(2, tools=[])
    more = talk.request(4, "tools/list", cursor="2")
    talk.result(3, prompts=[])
    talk.result(4, tools=[])
    talk.wait(60)
    refreshed = talk.request(5, "tools/list")
    rows = made(talk)

    assert tops(rows) == [[hello], [tools, prompts, more], [line], [refreshed]]
    assert rows.tree.parent(ready) == hello
    assert rows.tree.fold_totals(tools)[0] == 6
    assert fold_of(rows.tree.key(tools)) is Fold.LISTS


def test_pings_of_both_sides_are_one_row() -> None:
    """Ours."""
    talk = Talk()
    pings = [talk.request(1, "ping")]
    talk.result(1)
    pings.append(talk.received(request(7, "ping")))
    talk.sent(result(7))
    rows = made(talk)
    assert tops(rows) == [pings]
    assert rows.tree.fold_totals(pings[0])[0] == 4


def test_a_round_joins_its_operation_also_when_it_had_a_row() -> None:
    """Ours: the note that two requests are one exchange comes after the second of them."""
    talk = Talk()
    started = talk.call(1, "greet")
    asks = talk.result(1, resultType="input_required", inputRequests={})
    required = talk.note("input-required", "name", request=started)
    retry = talk.call(2, "greet")
    rows = OperationRows(talk.transcript)
    rows.advance(talk.transcript.count + 1)
    assert tops(rows) == [[started], [retry]]

    joined = talk.note("input-given", "round 2", request=started, retry=retry)
    line = talk.stderr(b"again")
    response = talk.text_result(2, "hello")
    rows.advance(talk.transcript.count + 1)
    assert tops(rows) == [[started]]
    found = [frame for fold in beneath(rows, started) for frame in fold]
    assert found == [asks, required, retry, joined, line, response]
    assert rows.tree.totals(started)[0] == 7
    assert tops(made(talk)) == [[started]]


def test_polls_and_the_result_of_a_task_are_in_the_call_that_created_it() -> None:
    """Ours: they name the task alone."""
    talk = Talk()
    started = talk.request(1, "tools/call", name="long", task={"ttl": 1})
    created = talk.result(1, task={"taskId": "t-1", "status": "working"})
    polls: list[int] = []
    for id_ in (2, 3):
        polls.append(talk.request(id_, "tasks/get", taskId="t-1"))
        talk.result(id_, taskId="t-1", status="working")
    status = talk.received(notification("notifications/tasks/status", {"taskId": "t-1"}))
    final = talk.request(4, "tasks/result", taskId="t-1")
    talk.text_result(4, "done")
    other = talk.request(5, "tasks/get", taskId="unknown")
    rows = made(talk)

    assert tops(rows) == [[started], [other]]
    assert beneath(rows, started) == [[created], polls, [status], [final]]
    assert rows.polls == {started: [*polls, final]}


def test_a_task_that_is_named_before_the_response_that_creates_it_is_found_later() -> None:
    """Ours: its status may overtake that response."""
    talk = Talk()
    started = talk.request(1, "tools/call", name="long", task={"ttl": 1})
    early = talk.received(notification("notifications/tasks/status", {"taskId": "t-1"}))
    created = talk.result(1, task={"taskId": "t-1", "status": "working"})
    poll = talk.request(2, "tasks/get", taskId="t-1")
    rows = made(talk)

    assert tops(rows) == [[started], [early]]
    assert beneath(rows, started) == [[created], [poll]]


def test_responses_are_read_once_however_many_unknown_tasks_are_named() -> None:
    """Ours: a server may name tasks that nothing created, one after the other; large responses are not read at all."""
    talk = Talk()
    talk.transcript = reader = CountingTranscript()
    large = b'{"jsonrpc":"2.0","id":1,"result":{"content":"%s"}}' % (b"x" * MAX_RESPONSE_BYTES)
    talk.call(1, "large")
    skipped = talk.received(large)
    for id_ in range(2, 12):
        talk.call(id_, "small")
        talk.text_result(id_, "done")
    for id_ in range(12, 32):
        talk.received(notification("notifications/tasks/status", {"taskId": f"t-{id_}"}))

    made(talk)

    assert max(reader.reads.values()) == 1
    assert skipped not in reader.reads


def test_a_probe_is_one_row_also_when_it_is_recognized_later() -> None:
    """Ours: live, the note comes after the frames."""
    talk = Talk()
    tried = talk.request(1, "server/discover")
    refused = talk.error(1, -32601, "unknown")
    rows = OperationRows(talk.transcript)
    rows.advance(talk.transcript.count + 1)
    assert rows.is_operation(tried)

    talk.note("probe", "a probe", request=tried, until=refused)
    hello = talk.request(2, "initialize")
    rows.advance(talk.transcript.count + 1)
    assert (rows.generation, tops(rows)) == (1, [[tried], [hello]])
    assert fold_of(rows.tree.key(tried)) is Fold.PROBE
    assert made(talk).generation == 0


def test_every_frame_is_beneath_exactly_one_row() -> None:
    """Ours: whatever was sent, in whatever slices it is processed; nothing is dropped, and counts and sizes add up."""
    talk = Talk()
    hostile: list[JsonObject | bytes] = [
        b"no json",
        {"jsonrpc": "2.0", "id": 9, "result": {}},
        {"jsonrpc": "2.0"},
        b"",
        progress("nowhere"),
        request(4, "ping"),
    ]
    for id_ in range(40):
        talk.request(id_, ("tools/call", "tools/list", "ping", "tasks/get")[id_ % 4], taskId="x")
        talk.received(hostile[id_ % len(hostile)])
        talk.sent([request(f"b{id_}", "ping"), notification("x")])
        talk.stderr(b"line")
        talk.note("closed" if id_ % 7 == 0 else "timed-out", "n", request=id_ * 3 + 1)
        if id_ % 3:
            talk.result(id_)
    transcript = talk.transcript
    rows = OperationRows(transcript)
    for stop in range(2, transcript.count + 2, 3):
        rows.advance(stop)
    rows.advance(transcript.count + 1)

    tree = rows.tree
    found = [f for fold in tree.children(0) for m in tree.members(fold) for f in rows.frames(m)]
    assert sorted(found) == list(range(1, transcript.count + 1))
    folds = list(tree.children(0))
    assert sum(tree.fold_totals(fold)[0] for fold in folds) == transcript.count
    assert sum(tree.fold_totals(fold)[1] for fold in folds) == transcript.counts.bytes


def test_a_slice_ends_at_its_time_and_goes_on_where_it_ended() -> None:
    """Ours."""
    talk = Talk()
    started = talk.request(1, "tools/call", name="flood", _meta={"progressToken": "t"})
    talk.flood(2000)
    rows = OperationRows(talk.transcript)
    assert not rows.advance(talk.transcript.count + 1, time.perf_counter())
    assert 1 < rows.next < 1000
    assert rows.advance(talk.transcript.count + 1)
    (logs,) = beneath(rows, started)
    assert len(logs) == 2000


def test_a_filter_selects_all_frames_of_an_operation() -> None:
    """Ours: what is beneath it, whatever it is; nothing is kept for receivers that do not exist."""
    talk = Talk()
    talk.call(1, "a")
    started = talk.call(2, "b")
    talk.text_result(1, "a")
    line = talk.stderr(b"of b")
    response = talk.text_result(2, "b")
    query = parse(f"operation:{started}")
    found = query.matches(talk.transcript, 1, talk.transcript.count + 1)
    assert list(found) == [started, line, response]
    assert not talk.transcript.operations.tree.changed
