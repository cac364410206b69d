"""Cancellations in the record: whose they are, and whether they came in time."""

from __future__ import annotations

import pytest

from inspector.transcript.exchange import Status
from tests.support.records import Written, cancelled, request, result


@pytest.fixture
def record() -> Written:
    return Written()


def status(record: Written, number: int) -> Status:
    return record.transcript.status(number)


def test_a_cancellation_belongs_to_the_request_of_the_same_side(record: Written) -> None:
    """C-CAN-01."""
    ours, theirs = record.sent(request(1)), record.received(request(1, "roots/list"))
    notice = record.received(cancelled(1))

    assert status(record, theirs) is Status.CANCELLED
    assert status(record, ours) is Status.PENDING
    exchange = record.transcript.exchange(notice)
    assert exchange is not None
    assert exchange.request == theirs


def test_our_cancellation_belongs_to_the_request_that_was_given_up_before_it(
    record: Written,
) -> None:
    """Ours: the remark comes first, the notification a little later."""
    number = record.sent(request(1))
    record.transcript.note("cancelled", "…", request=number)
    notice = record.sent(cancelled(1))

    exchange = record.transcript.exchange(notice)
    assert exchange is not None
    assert exchange.request == number
    assert record.rules(notice) == []


def test_a_cancellation_that_comes_too_late_is_linked_and_noted(record: Written) -> None:
    """C-CAN-04."""
    number = record.received(request(1))
    record.sent(result(1))
    notice = record.received(cancelled(1))

    exchange = record.transcript.exchange(notice)
    assert exchange is not None
    assert (exchange.request, exchange.status) == (number, Status.OK)
    assert record.rules(notice) == ["cancel-unknown"]


def test_only_who_asked_may_cancel(record: Written) -> None:
    """C-CAN-07: the request goes on."""
    ours = record.sent(request(1))
    notice = record.received(cancelled(1))

    assert status(record, ours) is Status.PENDING
    exchange = record.transcript.exchange(notice)
    assert exchange is not None
    assert exchange.request == ours

    record.received(result(1))

    assert status(record, ours) is Status.OK
