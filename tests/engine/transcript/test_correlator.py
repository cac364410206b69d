"""Who answers whom: messages linked to requests, in the order they came."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.finding import Severity
from inspector.transcript.exchange import Status
from inspector.transcript.index import FrameFlags
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.message import ABSENT
from tests.support.records import (
    Written,
    error,
    notification,
    progress,
    request,
    result,
    with_token,
)

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


@pytest.fixture
def record() -> Written:
    return Written()


def status(record: Written, number: int) -> Status:
    return record.transcript.status(number)


def test_a_response_belongs_to_the_request_of_its_id(record: Written) -> None:
    """C-JR-05."""
    first, second = record.sent(request(1)), record.sent(request(2, "tools/list"))
    answer = record.received(result(2))

    exchange = record.transcript.exchange(answer)
    assert exchange is not None
    assert (exchange.request, exchange.response, exchange.id) == (second, answer, 2)
    assert (exchange.method, exchange.status) == ("tools/list", Status.OK)
    assert exchange.took_seconds == 1.0
    assert record.transcript.members(second) == (second, answer)
    assert status(record, first) is Status.PENDING
    assert record.transcript.row(answer).method == "tools/list"


@pytest.mark.parametrize(
    ("method", "answer", "expected"),
    [
        ("tools/call", result(1, {"content": []}), Status.OK),
        ("tools/call", result(1, {"content": [], "isError": True}), Status.TOOL_ERROR),
        ("tools/call", result(1, {"content": [], "isError": False}), Status.OK),
        ("tools/call", result(1, {"content": [{"text": '"isError": true'}]}), Status.OK),
        ("tools/list", result(1, {"isError": True}), Status.OK),
        ("tools/call", error(1), Status.ERROR),
        ("tools/call", result(1, [1]), Status.OK),
    ],
)
def test_an_exchange_ends_as_its_answer_says(
    record: Written, method: str, answer: JsonObject, expected: Status
) -> None:
    """C-TOOL-11."""
    asked = record.sent(request(1, method))
    record.received(answer)

    assert status(record, asked) is expected


@pytest.mark.parametrize(
    ("method", "params", "label"),
    [
        ("tools/call", {"name": "echo"}, "echo"),
        ("prompts/get", {"name": "greet"}, "greet"),
        ("resources/read", {"uri": "file:///a"}, "file:///a"),
        ("tools/call", {"name": 7}, "7"),
        ("tools/call", {}, ""),
        ("tools/call", [1], ""),
        ("tools/list", {"name": "x"}, ""),
    ],
)
def test_an_exchange_is_labelled_by_what_it_names(
    record: Written, method: str, params: Json, label: str
) -> None:
    """Ours."""
    record.sent(request(1, method, params))

    exchange = record.transcript.exchange(record.received(result(1)))
    assert exchange is not None
    assert exchange.label == label


def test_ids_of_two_types_are_two_ids(record: Written) -> None:
    """C-JR-02."""
    number, text = record.sent(request(1)), record.sent(request("1"))
    record.received(result("1"))

    assert (status(record, number), status(record, text)) == (Status.PENDING, Status.OK)


@pytest.mark.parametrize(("asked", "answered"), [(7, "7"), ("7", 7)])
def test_an_answer_whose_id_has_the_wrong_type_is_linked_and_noted(
    record: Written, asked: Json, answered: Json
) -> None:
    """jsonrpc-01."""
    number = record.sent(request(asked))
    answer = record.received(result(answered))

    assert status(record, number) is Status.OK
    assert record.rules(answer) == ["L-JR-06"]
    assert record.transcript.counts.problems == 1


@pytest.mark.parametrize("spelled", [b"1.0", b"1e0", b"10e-1"])
def test_an_answer_whose_id_is_the_same_number_otherwise_spelled_is_linked_and_noted(
    record: Written, spelled: bytes
) -> None:
    """C-JR-02."""
    number = record.sent(request(1))
    answer = record.received(b'{"jsonrpc":"2.0","id":%b,"result":{}}' % spelled)

    assert status(record, number) is Status.OK
    assert record.rules(answer) == ["id-spelling"]


@pytest.mark.parametrize("answered", [True, 2, "2", "01", " 1", [1], {"1": 1}, "x" * 5000])
def test_an_answer_with_another_id_is_linked_to_nothing(record: Written, answered: Json) -> None:
    """jsonrpc-03, jsonrpc-06."""
    number = record.sent(request(1))
    answer = record.received(result(answered))

    assert status(record, number) is Status.PENDING
    assert record.transcript.exchange(answer) is None
    assert record.transcript.row(answer).flags & FrameFlags.UNKNOWN
    assert record.rules(answer) == ["L-JR-04"]
    (finding,) = record.transcript.findings(answer)
    assert "other requests are pending" in finding.summary


def test_zero_is_an_id_like_any_other(record: Written) -> None:
    """jsonrpc-03."""
    number = record.sent(request(0))
    record.received(result(0))

    assert status(record, number) is Status.OK


@pytest.mark.parametrize("id_", [None, ABSENT])
def test_an_error_without_an_id_is_shown_beside_what_waits(record: Written, id_: None) -> None:
    """C-JR-15; jsonrpc-04."""
    told = record.sent({"jsonrpc": "2.0", "method": "notifications/initialized"})
    number = record.sent(request(1))
    complaint = record.received(error(id_, -32700, "Parse error"))

    assert status(record, number) is Status.PENDING
    assert record.rules(complaint) == ["unassigned-error"]
    (finding,) = record.transcript.findings(complaint)
    assert f"`notifications/initialized` in #{told}" in finding.summary
    assert "-32700 Parse error" in record.transcript.findings(complaint)[0].summary


def test_a_second_answer_changes_nothing_and_is_marked(record: Written) -> None:
    """jsonrpc-06."""
    number = record.sent(request(1))
    first = record.received(result(1, {"n": 1}))
    second = record.received(error(1))

    exchange = record.transcript.exchange(second)
    assert exchange is not None
    assert (exchange.request, exchange.response, exchange.status) == (number, first, Status.OK)
    assert record.transcript.row(second).flags & FrameFlags.DUPLICATE
    assert record.rules(second) == ["L-JR-05"]


@pytest.mark.parametrize(
    ("event", "expected"), [("timed-out", Status.TIMED_OUT), ("cancelled", Status.CANCELLED)]
)
def test_an_answer_that_nobody_waits_for_any_more_is_late(
    record: Written, event: str, expected: Status
) -> None:
    """C-CAN-03."""
    number = record.sent(request(1))
    record.transcript.note(event, "…", request=number)
    late = record.received(result(1))
    later = record.received(result(1))

    exchange = record.transcript.exchange(late)
    assert exchange is not None
    assert (exchange.status, exchange.response, exchange.late) == (expected, late, True)
    assert record.rules(late) == ["late-response"]
    assert record.rules(later) == ["L-JR-05"]


@pytest.mark.parametrize(("is_error", "severity"), [(True, Severity.INFO), (False, Severity.ERROR)])
def test_an_error_for_a_cancellation_that_crossed_the_response_is_a_note(
    record: Written, *, is_error: bool, severity: Severity
) -> None:
    """L-JR-05: an official SDK sends it."""
    number = record.sent(request(1))
    record.transcript.note("cancelled", "…", request=number)
    record.received(result(1))
    second = record.received(error(1) if is_error else result(1))

    assert [each.severity for each in record.transcript.findings(second)] == [severity]


def test_when_the_connection_ends_whatever_is_open_is_lost(record: Written) -> None:
    """C-STD-14."""
    done, ours, theirs = (
        record.sent(request(1)),
        record.sent(request(2)),
        record.received(request(1, "roots/list")),
    )
    record.received(result(1))
    record.transcript.note("closed", "…")

    assert status(record, done) is Status.OK
    assert (status(record, ours), status(record, theirs)) == (
        Status.NO_RESPONSE,
        Status.NO_RESPONSE,
    )
    assert record.transcript.counts.pending == 0


def test_each_side_counts_its_own_ids(record: Written) -> None:
    """C-JR-05."""
    ours, theirs = record.sent(request(1)), record.received(request(1))
    record.sent(result(1))

    assert status(record, ours) is Status.PENDING
    assert status(record, theirs) is Status.OK
    assert record.transcript.open_requests(Direction.SENT) == [ours]
    assert record.transcript.open_requests(Direction.RECEIVED) == []


def test_an_id_that_is_used_again_while_it_waits_is_noted(record: Written) -> None:
    """C-JR-03: the answer goes to the latest; the earlier one can no longer be told apart."""
    first, second = record.received(request(1)), record.received(request(1))
    record.sent(result(1))

    assert record.rules(second) == ["id-in-use"]
    assert status(record, second) is Status.OK
    assert status(record, first) is Status.NO_RESPONSE
    assert record.transcript.counts.pending == 0


def test_an_id_may_be_used_again_once_it_was_answered(record: Written) -> None:
    """C-JR-04."""
    record.sent(request(1))
    record.received(result(1))
    again = record.sent(request(1))
    answer = record.received(result(1))

    assert record.rules(answer) == []
    assert status(record, again) is Status.OK


@pytest.mark.parametrize("token", [1, 0, "p-1", "", 9007199254740993])
def test_progress_belongs_to_the_request_that_named_its_token(record: Written, token: Json) -> None:
    """C-PRG-01, C-PRG-03."""
    other = record.sent(request(5))
    number = record.sent(request(6, params=with_token(token)))
    report = record.received(progress(token))

    exchange = record.transcript.exchange(report)
    assert exchange is not None
    assert exchange.request == number
    assert record.rules(report) == []
    assert status(record, other) is Status.PENDING


@pytest.mark.parametrize("token", ["1", 2, None, "job-9", [1], True])
def test_progress_with_a_token_nobody_named_is_noted(record: Written, token: Json) -> None:
    """jsonrpc-08."""
    record.sent(request(1, params=with_token(1)))
    report = record.received(progress(token))

    assert record.transcript.exchange(report) is None
    assert record.rules(report) == ["L-PRG-01"]


@pytest.mark.parametrize("params", [None, {}, {"progress": 1}, [1]])
def test_progress_without_a_token_is_noted(record: Written, params: Json) -> None:
    """jsonrpc-08."""
    report = record.received(notification("notifications/progress", params))

    assert [f.summary for f in record.transcript.findings(report)] == ["no progress token"]


def test_progress_after_the_answer_is_linked_and_noted(record: Written) -> None:
    """Basic utilities, "Progress"; jsonrpc-08."""
    number = record.sent(request(1, params=with_token("t")))
    record.received(result(1))
    report = record.received(progress("t"))

    exchange = record.transcript.exchange(report)
    assert exchange is not None
    assert exchange.request == number
    assert record.rules(report) == ["L-PRG-02"]


def test_progress_after_our_own_cancellation_is_no_fault_of_the_server(record: Written) -> None:
    """C-CAN-04: the two may cross on the way."""
    record.sent(request(1, params=with_token("t")))
    record.sent(notification("notifications/cancelled", {"requestId": 1}))
    report = record.received(progress("t"))

    assert record.rules(report) == ["progress-after-end"]
    assert record.transcript.counts.problems == 0


def test_our_progress_belongs_to_the_request_of_the_server(record: Written) -> None:
    """Ours: whoever sends progress raw sees where it belongs."""
    number = record.received(request(1, "sampling/createMessage", with_token(3)))
    report = record.sent(progress(3))

    exchange = record.transcript.exchange(report)
    assert exchange is not None
    assert exchange.request == number


def test_the_members_of_a_batch_are_linked_each_on_its_own(record: Written) -> None:
    """C-JR-10."""
    first, second, third = (record.sent(request(n)) for n in (1, 2, 3))
    record.received([result(3), notification("x"), error(1), 7])

    assert status(record, first) is Status.ERROR
    assert status(record, second) is Status.PENDING
    assert status(record, third) is Status.OK


def test_requests_in_a_batch_are_answered_each_on_its_own(record: Written) -> None:
    """C-JR-10."""
    record.received([request("a"), request("b")])
    assert record.transcript.counts.pending == 2

    record.sent(result("b"))
    record.sent(result("a"))

    assert record.transcript.counts.pending == 0


def test_what_is_no_message_is_linked_to_nothing_and_counted(record: Written) -> None:
    """C-STD-16."""
    noise = record.received(b"[INFO] Listening on port 3000")
    blank = record.received(b"")
    log = record.stderr("warning")

    assert record.rules(noise) == ["L-STD-01"]
    assert record.rules(blank) == record.rules(log) == []
    counts = record.transcript.counts
    assert (counts.received, counts.stderr, counts.problems) == (1, 1, 1)
    assert counts.bytes == len("[INFO] Listening on port 3000") + len("warning")


def test_a_remark_about_a_request_that_does_not_exist_does_no_harm(record: Written) -> None:
    """Ours: a damaged file is still shown."""
    for number in (0, -1, 99, True, None, "x"):
        record.transcript.note("timed-out", "…", request=number)
    record.transcript.note("no-such-event", "…", request=1)

    assert record.transcript.counts.pending == 0


def test_an_id_however_deep_is_no_obstacle(record: Written) -> None:
    """C-SEC-18."""
    deep = b"[" * 800 + b'"\\ud800"' + b"]" * 800

    record.sent(b'{"id":%b,"method":"m"}' % deep)
    answer = record.received(b'{"id":%b,"result":1}' % deep)

    assert record.rules(answer) == []


def test_a_request_over_http_is_timed_from_the_head_that_carries_it(record: Written) -> None:
    """Ours: until then there was no connection for it."""
    transcript = record.transcript
    raw = b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}'
    transcript.append(Direction.SENT, Channel.BODY, [RawChunk(raw)])
    recorded = transcript.row(1).monotonic_s
    for side in (Direction.SENT, Direction.RECEIVED, Direction.SENT):  # the last for a redirect
        transcript.append(side, Channel.HTTP, [RawChunk(b"a head")], stream=1)
    transcript.append(
        Direction.RECEIVED,
        Channel.BODY,
        [RawChunk(b'{"jsonrpc":"2.0","id":1,"result":{}}')],
        stream=1,
    )

    exchange = transcript.exchange(1)

    assert exchange is not None
    assert transcript.columns.left_at(1) == exchange.started_at == recorded + 1
    assert transcript.took_seconds(1) == exchange.took_seconds == 3.0
