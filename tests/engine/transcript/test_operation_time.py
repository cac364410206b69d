"""How the time of an operation divides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.exchange import Status
from inspector.transcript.operation_rows import OperationRows
from inspector.transcript.operation_time import TimeSplit, outcome_of, time_split
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.records import notification, request, result
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


def rows_of(talk: Talk) -> OperationRows:
    rows = OperationRows(talk.transcript)
    rows.advance(talk.transcript.count + 1)
    return rows


def split(talk: Talk, number: int) -> TimeSplit:
    found = time_split(rows_of(talk), number, talk.clock.now)
    assert found is not None
    return found


def test_the_time_of_the_user_is_not_that_of_the_server() -> None:
    """Ours: requests of the server that wait at the same time count once."""
    talk = Talk()
    started = talk.call(1, "ask")
    talk.wait(1)
    talk.received(request("s1", "sampling/createMessage"))
    talk.wait(2)
    talk.received(request("s2", "elicitation/create"))
    talk.wait(3)
    talk.sent(result("s1"))
    talk.wait(4)
    talk.sent(result("s2"))
    talk.wait(5)
    talk.text_result(1, "done")

    found = split(talk, started)
    assert (found.total, found.user, found.server) == (15, 9, 6)
    assert (found.queue, found.network) == (None, None)
    assert not found.is_running


def test_rounds_wait_for_the_user_and_pauses_before_a_retry_do_not() -> None:
    """Ours: a pause is no time of the server either."""
    talk = Talk()
    started = talk.call(1, "greet")
    talk.wait(1)
    talk.result(1, resultType="input_required")
    talk.note("input-required", "name", request=started)
    talk.wait(10)
    second = talk.call(2, "greet")
    talk.note("input-given", "round 2", request=started, retry=second)
    talk.wait(2)
    talk.result(2, resultType="input_required")
    assert split(talk, started).user == 10
    talk.note("input-required", "x", request=second, pause_seconds=4, try_number=1, most_tries=3)
    talk.wait(4)
    third = talk.call(3, "greet")
    talk.note("input-given", "round 3", request=started, retry=third)
    talk.wait(3)
    talk.text_result(3, "hello")

    found = split(talk, started)
    assert (found.total, found.user) == (20, 10)
    assert found.server == 10  # over a pipe nothing tells a pause from the server


def test_over_http_what_was_before_the_request_and_receiving_are_measured() -> None:
    """Ours: the first attempt was redirected; the body came a second after its header block."""
    talk = Talk()
    transcript = talk.transcript

    def http(direction: Direction, text: bytes, channel: Channel = Channel.HTTP) -> None:
        transcript.append(direction, channel, [RawChunk(text)], 1)

    chunk = RawChunk(json_codec.write_bytes(request(1, "tools/call", {"name": "a"})))
    transcript.append(Direction.SENT, Channel.BODY, [chunk])
    talk.wait(0.5)
    http(Direction.SENT, b"POST /old HTTP/1.1\r\n\r\n")
    talk.wait(0.25)
    http(Direction.RECEIVED, b"HTTP/1.1 307 Temporary Redirect\r\n\r\n")
    http(Direction.SENT, b"POST /mcp HTTP/1.1\r\n\r\n")
    talk.wait(3)
    http(Direction.RECEIVED, b"HTTP/1.1 200 OK\r\n\r\n")
    talk.wait(1)
    http(Direction.RECEIVED, json_codec.write_bytes(result(1, {"content": []})), Channel.BODY)

    found = split(talk, 1)
    assert (found.total, found.queue, found.network, found.server) == (4.75, 0.75, 1.0, 3.0)


def test_a_pending_operation_runs_and_says_when_it_waits_for_the_user() -> None:
    """Ours."""
    talk = Talk()
    started = talk.call(1, "ask")
    talk.wait(2)
    talk.received(request("s1", "elicitation/create"))
    talk.wait(3)
    found = split(talk, started)
    assert (found.total, found.user, found.server) == (5, 3, 2)
    assert (found.is_running, found.waits_for_user) == (True, True)


def test_a_request_of_a_closed_connection_is_unanswered() -> None:
    """Ours: not pending, and its time ends there."""
    talk = Talk()
    started = talk.call(1, "crash")
    talk.wait(2)
    talk.note("closed", "process exited")
    talk.wait(60)
    assert outcome_of(rows_of(talk), started).status is Status.NO_RESPONSE
    assert (split(talk, started).total, split(talk, started).is_running) == (2, False)


def test_a_task_ends_with_its_result_not_with_the_response_that_created_it() -> None:
    """Ours."""
    talk = Talk()
    started = talk.request(1, "tools/call", name="long", task={})
    talk.wait(1)
    created = talk.result(1, task={"taskId": "t", "status": "working"})
    talk.wait(1)
    talk.request(2, "tasks/get", taskId="t")
    talk.result(2, taskId="t", status="working")
    assert outcome_of(rows_of(talk), started).status is Status.PENDING
    assert outcome_of(rows_of(talk), started).response == created
    talk.wait(8)
    talk.request(3, "tasks/result", taskId="t")
    final = talk.text_result(3, "done")
    found = outcome_of(rows_of(talk), started)
    assert (found.status, found.end, found.response) == (Status.OK, final, final)
    assert split(talk, started).total == 10


def test_an_open_subscription_has_no_time_of_the_server() -> None:
    """Ours: it stays open as long as both sides like."""
    talk = Talk()
    started = talk.request(1, "subscriptions/listen")
    meta: Json = {"io.modelcontextprotocol/subscriptionId": 1}
    talk.received(notification("notifications/subscriptions/acknowledged", {"_meta": meta}))
    talk.wait(60)
    rows = rows_of(talk)
    assert outcome_of(rows, started).status is Status.OPEN
    assert time_split(rows, started, talk.clock.now) is None
