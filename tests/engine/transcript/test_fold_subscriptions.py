"""Subscriptions in the record: requests that go on after the server agreed to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec.keys import META, META_SUBSCRIPTION_ID
from inspector.spec.subscription_filter import ACKNOWLEDGED, LISTEN
from inspector.transcript.exchange import Status
from tests.support.records import Written, cancelled, notification, request, result

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject


@pytest.fixture
def record() -> Written:
    return Written()


def agreed(tag: int | str) -> JsonObject:
    return notification(ACKNOWLEDGED, {"notifications": {}, META: {META_SUBSCRIPTION_ID: tag}})


def test_a_subscription_that_was_agreed_to_is_open_and_waits_for_nothing(record: Written) -> None:
    """C-SUB-02: the acknowledgement is no end, and no answer is due."""
    number = record.sent(request(1, LISTEN))
    assert (record.transcript.status(number), record.transcript.counts.pending) == (
        Status.PENDING,
        1,
    )

    record.received(agreed(1))

    assert record.transcript.status(number) is Status.OPEN
    assert record.transcript.counts.pending == 0


@pytest.mark.parametrize(
    ("ends", "expected"), [(result(1), Status.OK), (cancelled(1), Status.CANCELLED)]
)
def test_it_ends_by_its_answer_or_by_being_called_off(
    record: Written, ends: JsonObject, expected: Status
) -> None:
    """C-SUB-06."""
    number = record.sent(request(1, LISTEN))
    record.received(agreed(1))
    record.sent(request(2))

    record.received(ends)

    assert record.transcript.status(number) is expected
    assert record.transcript.counts.pending == 1


def test_it_is_lost_with_the_connection(record: Written) -> None:
    """C-STD-11."""
    number = record.sent(request(1, LISTEN))
    record.received(agreed(1))

    record.transcript.note("closed", "…")

    assert record.transcript.status(number) is Status.NO_RESPONSE
    assert record.transcript.counts.pending == 0


def test_nothing_but_a_subscription_is_opened_by_an_acknowledgement(record: Written) -> None:
    """Ours: an acknowledgement may name any request."""
    number = record.sent(request(1, "tools/call"))

    record.received(agreed(1))

    assert record.transcript.status(number) is Status.PENDING
    assert record.transcript.counts.pending == 1
