"""Which revision a record is of, told from the record alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.opened_recording import detect_revision
from inspector.spec.keys import META, META_CLIENT_CAPABILITIES, META_PROTOCOL_VERSION
from inspector.spec.revision import NEWEST_STATEFUL, V2025_06_18, V2026_07_28
from tests.support.records import Written, request, result

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject


@pytest.fixture
def record() -> Written:
    return Written()


def stamped(id_: int, method: str, revision: Revision) -> JsonObject:
    meta: JsonObject = {META_PROTOCOL_VERSION: revision.date, META_CLIENT_CAPABILITIES: {}}
    return request(id_, method, {META: meta})


def test_a_handshake_tells_and_what_was_tried_before_it_does_not(record: Written) -> None:
    """Ours: an old server was first asked whether it is a new one."""
    record.sent(stamped(1, "server/discover", V2026_07_28))
    record.sent(request(2, "initialize", {"protocolVersion": NEWEST_STATEFUL.date}))
    record.received(result(2, {"protocolVersion": V2025_06_18.date}))

    assert detect_revision(record.transcript) is V2025_06_18


def test_without_a_handshake_the_requests_tell(record: Written) -> None:
    """Ours; C-VER-01."""
    record.sent(stamped(1, "server/discover", V2026_07_28))
    record.received(result(1, {"supportedVersions": [V2026_07_28.date]}))
    record.sent(stamped(2, "tools/list", V2026_07_28))

    assert detect_revision(record.transcript) is V2026_07_28


@pytest.mark.parametrize("said", [None, 7, "1999-01-01", {}])
def test_where_nothing_says_nothing_is_told(record: Written, said: object) -> None:
    """Ours."""
    record.sent(request(1, "initialize"))
    record.received(result(1, {"protocolVersion": said}))  # type: ignore[dict-item] - what a server may say
    record.sent(request(2, "tools/list"))

    assert detect_revision(record.transcript) is None


def test_a_record_of_the_stateless_revision_is_judged_by_it(record: Written) -> None:
    """Ours: its results are of no older one."""
    record.sent(stamped(1, "tools/call", V2026_07_28))
    number = record.received(
        result(1, {"content": [{"type": "text", "text": "x"}], "resultType": "complete"})
    )

    BackgroundValidator(record.transcript, detect_revision(record.transcript)).validate_slice(5.0)

    assert record.rules(number) == []
