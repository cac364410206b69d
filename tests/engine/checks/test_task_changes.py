"""What tasks say of themselves in a record is judged as in a live session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.spec.revision import V2025_11_25
from tests.support.findings import rules_of, validate_all
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

RULES = ("L-TK4-02", "L-TK4-03", "L-TK4-11", "L-TK4-12")
MADE = "2025-11-25T10:00:00Z"


def task(status: str) -> JsonObject:
    return {"taskId": "t", "status": status, "createdAt": MADE, "lastUpdatedAt": MADE, "ttl": None}


def made(status: str = "working") -> Talk:
    """A call that became a task."""
    talk = Talk()
    talk.call(1, "a")
    talk.result(1, task=task(status))
    return talk


def rules(talk: Talk) -> list[str]:
    validate_all(BackgroundValidator(talk.transcript, V2025_11_25))
    return [rule for rule in rules_of(talk.transcript) if rule in RULES]


@pytest.mark.parametrize(("status", "found"), [("working", []), ("completed", ["L-TK4-02"])])
def test_a_task_begins_as_working(status: str, found: list[str]) -> None:
    """L-TK4-02."""
    assert rules(made(status)) == found


@pytest.mark.parametrize("way", ["polled", "announced"])
@pytest.mark.parametrize(
    ("then", "found"),
    [(["working", "completed"], []), (["completed", "working"], ["L-TK4-03"])],
)
def test_what_is_final_stays_so(way: str, then: list[str], found: list[str]) -> None:
    """L-TK4-03."""
    talk = made()
    for number, status in enumerate(then, 2):
        if way == "polled":
            talk.request(number, "tasks/get", taskId="t")
            talk.result(number, **task(status))
        else:
            params = task(status)
            talk.received(
                {"jsonrpc": "2.0", "method": "notifications/tasks/status", "params": params}
            )
    assert rules(talk) == found


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("working", "cancelled", []),
        ("working", "working", ["L-TK4-12"]),
        ("completed", "completed", ["L-TK4-11"]),
    ],
)
def test_cancelling_ends_a_task_that_is_not_over(before: str, after: str, found: list[str]) -> None:
    """L-TK4-11, L-TK4-12."""
    talk = made()
    talk.request(2, "tasks/get", taskId="t")
    talk.result(2, **task(before))
    talk.request(3, "tasks/cancel", taskId="t")
    talk.result(3, **task(after))
    assert rules(talk) == found
