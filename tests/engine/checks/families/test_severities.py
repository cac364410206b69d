"""Severity by evidence: what the official SDKs do by default is a note, also where the specification says MUST."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.finding import Severity
from inspector.spec.revision import V2025_03_26, V2025_11_25
from tests.engine.checks.families.capabilities_cases import told
from tests.engine.checks.families.requests_cases import asks
from tests.engine.checks.families.tasks_cases import called, connect
from tests.support.rule_cases import found_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.talk import Talk


def _requires_a_task(*, is_error: bool) -> Callable[[Talk], object]:
    """A call without the task that the tool requires."""

    def write(talk: Talk) -> None:
        connect(talk, taskSupport="required")
        called(talk, as_task=False)
        talk.text_result(1, "MCP error -32601: requires a task", is_error=is_error)

    return write


@pytest.mark.parametrize(
    ("rule", "write", "severity"),
    [
        ("L-TK4-06", _requires_a_task(is_error=True), Severity.INFO),
        ("L-TK4-06", _requires_a_task(is_error=False), Severity.ERROR),
        (
            "L-CAP-05",
            told("notifications/message", {"level": "info", "data": "a"}),
            Severity.INFO,
        ),
    ],
)
def test_what_sdks_do_by_default_is_a_note(
    rule: str, write: Callable[[Talk], object], severity: Severity
) -> None:
    """Ours."""
    found = [each for each in found_in(write, V2025_11_25) if each.rule == rule]

    assert [each.severity for each in found] == [severity]


def test_a_request_of_a_later_revision_breaks_no_rule_about_what_is_in_it() -> None:
    """Ours: no text of its own revision says what it has to contain."""
    found = found_in(asks("elicitation/create", message="Which?"), V2025_03_26)

    assert [each.rule for each in found if each.severity > Severity.INFO] == ["L-JR-34"]
