"""What is remembered of our own messages has a bound: a recording may have any."""

from __future__ import annotations

import pytest

from inspector.checks import history
from inspector.checks.background_validator import BackgroundValidator
from inspector.spec.revision import V2025_11_25
from tests.support.findings import rules_of, validate_all
from tests.support.talk import Talk

UPDATED = {"jsonrpc": "2.0", "method": "notifications/resources/updated"}


def test_methods_of_no_revision_are_not_counted_one_by_one() -> None:
    """Ours."""
    talk = Talk()
    for number in range(500):
        talk.request(number, f"made/{number}", text="x" * 100)
    talk.request(500, "ping")
    validator = BackgroundValidator(talk.transcript, V2025_11_25)
    validate_all(validator)

    assert validator.rules.history.sent == {"ping": 1}


@pytest.mark.parametrize(("limit", "expected"), [(1000, ["L-RES-15"]), (25, [])])
def test_updates_are_not_found_fault_with_once_a_subscription_was_forgotten(
    limit: int, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: the long URI may be the one that covers them; one that was subscribed to twice counts once."""
    monkeypatch.setattr(history, "MAX_URIS", limit)
    talk = Talk()
    talk.request(1, "initialize", protocolVersion="2025-11-25")
    talk.result(1, protocolVersion="2025-11-25", capabilities={"resources": {"subscribe": True}})
    for number, uri in enumerate(("file:///a", "file:///a", f"file:///{'x' * 20}"), 2):
        talk.request(number, "resources/subscribe", uri=uri)
        talk.result(number)
    talk.received({**UPDATED, "params": {"uri": "file:///a"}})
    talk.received({**UPDATED, "params": {"uri": "file:///b"}})
    validator = BackgroundValidator(talk.transcript, V2025_11_25)
    validate_all(validator)

    assert [each for each in rules_of(talk.transcript) if each == "L-RES-15"] == expected
    assert "file:///a" in validator.rules.history.subscribed
