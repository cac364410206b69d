"""Which revision a record is of, told from the record alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.spoken import revision_of
from inspector.checks.sweep import Sweep
from inspector.spec.keys import META, META_PROTOCOL_VERSION
from inspector.spec.revision import FIFTH, NEWEST_STATEFUL, THIRD
from tests.support.records import Written, request, result

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.jsontext import JsonObject


@pytest.fixture
def record() -> Written:
    return Written()


def stamped(id_: int, method: str, revision: Revision) -> JsonObject:
    return request(id_, method, {META: {META_PROTOCOL_VERSION: revision.date}})


def test_a_handshake_tells_and_what_was_tried_before_it_does_not(record: Written) -> None:
    """Ours: an old server was first asked whether it is a new one."""
    record.sent(stamped(1, "server/discover", FIFTH))
    record.sent(request(2, "initialize", {"protocolVersion": NEWEST_STATEFUL.date}))
    record.received(result(2, {"protocolVersion": THIRD.date}))

    assert revision_of(record.transcript) is THIRD


def test_without_a_handshake_the_requests_tell(record: Written) -> None:
    """Ours; C-VER-01."""
    record.sent(stamped(1, "server/discover", FIFTH))
    record.received(result(1, {"supportedVersions": [FIFTH.date]}))
    record.sent(stamped(2, "tools/list", FIFTH))

    assert revision_of(record.transcript) is FIFTH


@pytest.mark.parametrize("said", [None, 7, "1999-01-01", {}])
def test_where_nothing_says_nothing_is_told(record: Written, said: object) -> None:
    """Ours."""
    record.sent(request(1, "initialize"))
    record.received(result(1, {"protocolVersion": said}))  # type: ignore[dict-item] - what a server may say
    record.sent(request(2, "tools/list"))

    assert revision_of(record.transcript) is None


def test_a_record_of_the_stateless_revision_is_judged_by_it(record: Written) -> None:
    """Ours: its results are of no older one."""
    record.sent(stamped(1, "tools/call", FIFTH))
    number = record.received(
        result(1, {"content": [{"type": "text", "text": "x"}], "resultType": "complete"})
    )

    Sweep(record.transcript, revision_of(record.transcript)).judge_some(5.0)

    assert record.rules(number) == []
