"""Which rules are asked about a result, and with which request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks import sent_requests
from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.sent_requests import MAX_SENT_BYTES
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.revision import V2025_11_25
from tests.support.findings import validate_all
from tests.support.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.wire.json_codec import Json

ON_CALLS = (On(Subject.RESULT, "tools/call"), On(Subject.NOTIFICATION))


def test_a_rule_that_names_members_is_asked_about_results_with_one_of_them() -> None:
    """Ours: others do not count as checked; what is no result is asked about as ever."""
    numbers: list[int] = []

    def check(message: ReceivedMessage, history: History) -> Iterator[Finding]:
        del history
        numbers.append(message.number)
        yield make_finding("L-Q-05", "found", "", message.revision)

    rule = Rule(
        "L-NEW-01", Severity.INFO, "", "new", on=ON_CALLS, check=check, members=("task", "_meta")
    )
    talk = Talk()
    expected: list[int] = []
    with_members: tuple[dict[str, Json], ...] = ({"_meta": {}}, {"task": None, "x": 1})
    results: tuple[dict[str, Json], ...] = ({"content": []}, *with_members, {})
    for each in results:
        talk.call(1, "a")
        number = talk.result(1, **each)
        expected += [number] if each in with_members else []
    expected.append(talk.log("also asked about"))
    validator = BackgroundValidator(talk.transcript, V2025_11_25, catalog=(rule,))
    validate_all(validator)

    assert numbers == expected
    assert validator.rules.checked["L-NEW-01"] == len(expected)


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_rule_reads_the_same_request_whether_it_was_kept_or_not(
    is_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: ids and numbers as they were written, and a request that is too large to be kept."""
    if not is_kept:
        monkeypatch.setattr(sent_requests, "MAX_SENT_BYTES", 0)
    read: list[tuple[object, ...]] = []

    def check(message: ReceivedMessage, history: History) -> Iterator[Finding]:
        del history
        request = message.read_request()
        assert request is not None
        read.append(tuple(request))
        yield from ()

    rule = Rule("L-NEW-01", Severity.INFO, "", "new", on=ON_CALLS[:1], check=check)
    talk = Talk()
    sent: list[tuple[object, ...]] = []
    calls: tuple[tuple[Json, Json], ...] = (
        (1, 1),
        ("1", [None]),
        (2**70, "x" * (MAX_SENT_BYTES + 1)),
    )
    for id_, x in calls:
        number = talk.call(id_, "a", x=x)
        sent.append((number, id_, "tools/call", {"name": "a", "arguments": {"x": x}}, 1000.0))
        talk.text_result(id_, "b")
    validate_all(BackgroundValidator(talk.transcript, V2025_11_25, catalog=(rule,)))

    assert read == sent
