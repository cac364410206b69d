"""What pages mark beside a result or in a list is found about the frame too, for the traffic, recordings and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.listed_views import ListedViews, own_findings
from inspector.checks.message_order import (
    MAX_PER_SECOND,
    MAX_TOKENS,
    METHOD,
    ProgressOrder,
)
from inspector.checks.seen import ReceivedMessage
from inspector.checks.views import read_view
from inspector.finding import MAX_FINDINGS, Severity
from inspector.spec.revision import V2025_03_26, V2025_11_25
from inspector.wire.message import MessageKind
from tests.support.findings import validate_all
from tests.support.records import Written, notification, request, result

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


def judged(record: Written, revision: object = V2025_11_25) -> Written:
    validate_all(
        BackgroundValidator(
            record.transcript, V2025_11_25 if revision is V2025_11_25 else V2025_03_26
        )
    )
    return record


def rules_of(method: str, value: JsonObject) -> list[str]:
    record = Written()
    record.sent(request(1, method, {"name": "x", "uri": "a:b"}))
    number = record.received(result(1, value))
    return judged(record).rules(number)


def text(body: str = "x", **more: Json) -> JsonObject:
    return {"type": "text", "text": body, **more}


def image(data: str, mime: str = "image/png") -> JsonObject:
    return {"type": "image", "data": data, "mimeType": mime}


TOOL: JsonObject = {"name": "a", "inputSchema": {"type": "object"}}

BROKEN: list[tuple[str, JsonObject, str]] = [
    ("tools/call", {"content": [image("not base64!")]}, "L-TOOL-42"),
    ("tools/call", {"content": [image("")]}, "L-TOOL-42"),
    ("tools/call", {"content": [image("AAA")]}, "L-TOOL-42"),
    ("tools/call", {"content": [image("AA-_")]}, "L-TOOL-42"),
    ("tools/call", {"content": [image("AAAA", "text/plain")]}, "L-TOOL-42"),
    ("tools/call", {"content": [{"type": "audio", "data": "%%%%", "mimeType": "audio/wav"}]}, "L-TOOL-42"),
    ("tools/call", {"content": [text(annotations={"lastModified": "last week"})]}, "L-ANN-03"),
    ("tools/call", {"content": [text(annotations={"priority": 7})]}, "L-ANN-02"),
    ("tools/call", {"content": []}, "L-TOOL-24"),
    ("tools/call", {"content": [], "structuredContent": {"a": 1}}, "L-TOOL-21"),
    ("tools/call", {"content": [text("x")], "structuredContent": {"a": 1}}, "L-TOOL-21"),
    ("tasks/result", {"content": [image("not base64!")]}, "L-TOOL-42"),
    ("tools/list", {"tools": [{**TOOL, "description": "good\u202eevil"}]}, "L-Q-03"),
    ("tools/list", {"tools": [{**TOOL, "title": "a\u200bb"}]}, "L-Q-03"),
    ("prompts/list", {"prompts": [{"name": "a", "description": "\U000e0041"}]}, "L-Q-03"),
    ("resources/list", {"resources": [{"name": "a\x1b[2J", "uri": "a:b"}]}, "L-Q-03"),
    ("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}, "instructions": ""}, "L-LC-10"),
    ("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}, "instructions": "a\u2066b"}, "L-Q-03"),
    ("resources/read", {"contents": [{"uri": "a:b", "blob": "???"}]}, "L-RES-05"),
    ("resources/read", {"contents": [{"uri": "a:b", "text": "x", "blob": "AAAA"}]}, "L-RES-05"),
    ("prompts/get", {"messages": [{"role": "user", "content": image("???")}]}, "L-TOOL-42"),
    ("tools/list", {"tools": [TOOL, TOOL]}, "L-TOOL-04"),
    ("tools/list", {"tools": [TOOL, {**TOOL, "name": "A"}]}, "L-TOOL-05"),
    ("tools/list", {"tools": [{**TOOL, "name": "wetter_für"}]}, "L-TOOL-03"),
    ("resources/list", {"resources": [{"name": "a", "uri": "a:b"}, {"name": "b", "uri": "a:b"}]}, "L-RES-"),
    ("prompts/list", {"prompts": [{"name": "a"}, {"name": "a"}]}, "L-PRM-"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "value", "rule"), BROKEN)
def test_what_a_page_marks_is_a_finding_of_the_frame(
    method: str, value: JsonObject, rule: str
) -> None:
    """Ours: in every place the same, live and opened."""
    found = rules_of(method, value)
    assert [each for each in found if each.startswith(rule)], found


PROPER: list[tuple[str, JsonObject]] = [
    ("tools/call", {"content": [text(), image("AAAA"), image("AA==")]}),
    ("tools/call", {"content": [text(annotations={"lastModified": "2025-01-12T15:00:58Z"})]}),
    ("resources/read", {"contents": [{"uri": "a:b", "blob": "AAAA"}, {"uri": "a:b", "blob": ""}]}),
    ("tools/list", {"tools": [TOOL, {**TOOL, "name": "b.c-d_E9"}]}),
    ("prompts/get", {"messages": [{"role": "user", "content": text()}]}),
]


@pytest.mark.parametrize(("method", "value"), PROPER)
def test_a_proper_message_has_no_finding(method: str, value: JsonObject) -> None:
    """Ours: a false alarm costs more than a miss."""
    assert rules_of(method, value) == []


def test_what_a_validator_found_is_not_said_twice() -> None:
    """Ours: the view reads the same member."""
    record = Written()
    record.sent(request(1, "tools/list"))
    number = record.received(result(1, {"tools": [{**TOOL, "title": 7}]}))
    found = judged(record).transcript.findings(number)
    assert [each.rule for each in found if each.pointer == "/result/tools/0/title"] == ["L-JR-30"]


def test_a_name_with_a_letter_that_looks_like_another_is_told_by_its_code_point() -> None:
    """L-TOOL-03: the finding names the character."""
    record = Written()
    record.sent(request(1, "tools/list"))
    number = record.received(result(1, {"tools": [{**TOOL, "name": "l\u03bfg"}]}))
    found = judged(record).transcript.findings(number)
    (finding,) = (each for each in found if each.rule == "L-TOOL-03")
    assert "U+03BF" in finding.summary
    assert "position 2" in finding.summary


def numbers(*values: Json, total: Json = None, token: Json = 1) -> list[list[str]]:
    """The rules that notifications of progress with these values break, each."""
    record = Written()
    record.sent(request(1, "tools/call", {"name": "x", "_meta": {"progressToken": token}}))
    came: list[int] = []
    for value in values:
        params: JsonObject = {"progressToken": token, "progress": value}
        if total is not None:
            params["total"] = total
        came.append(record.received(notification("notifications/progress", params)))
    judged(record)
    return [record.rules(number) for number in came]


def test_progress_must_increase() -> None:
    """L-PRG-03."""
    assert numbers(40, 10, 10, 11) == [[], ["L-PRG-03"], ["L-PRG-03"], []]
    assert numbers(1, 1.5, 2, 1_000_000) == [[], [], [], []]


def test_progress_above_its_total_is_told() -> None:
    """L-PRG-04."""
    assert numbers(99, 130, total=100) == [[], ["L-PRG-04"]]


def test_progress_that_is_negative_or_of_a_negative_total_is_told() -> None:
    """L-PRG-04."""
    assert numbers(-3) == [["L-PRG-04"]]
    assert numbers(5, total=-1) == [["L-PRG-04"]]


def progress(params: JsonObject, monotonic_s: float) -> ReceivedMessage:
    value: JsonObject = {"method": METHOD, "params": params}
    kind = MessageKind.NOTIFICATION
    return ReceivedMessage(1, kind, METHOD, value, V2025_11_25, monotonic_s, lambda: None)


def test_progress_of_two_requests_is_compared_apart() -> None:
    """L-PRG-03: the token tells them apart, and so does its type."""
    order = ProgressOrder()
    for token in (1, "1", 2):
        params: JsonObject = {"progressToken": token, "progress": 5}
        assert [*order.check(progress(params, 0.0))] == []


def test_a_flood_of_progress_is_told_once() -> None:
    """L-PRG-06."""
    order = ProgressOrder()
    found = [
        finding
        for count in range(5 * MAX_PER_SECOND)
        for finding in order.check(progress({"progressToken": 1, "progress": count}, 1.5))
    ]
    assert [(finding.rule, finding.severity) for finding in found] == [
        ("L-PRG-06", Severity.WARNING)
    ]


def test_what_is_remembered_of_progress_is_bounded() -> None:
    """Ours: a server makes up tokens for as long as it likes."""
    order = ProgressOrder()
    for token in range(2 * MAX_TOKENS):
        assert [*order.check(progress({"progressToken": token, "progress": 1}, float(token)))] == []
    assert [*order.check(progress({"progressToken": 0, "progress": 0}, 0.0))] == []


@pytest.mark.parametrize(("capabilities", "rules"), [({}, ["L-CAP-05"]), ({"logging": {}}, [])])
def test_a_log_message_needs_the_capability_and_is_told_once(
    capabilities: JsonObject, rules: list[str]
) -> None:
    """L-CAP-05; server/utilities/logging, "Capabilities"."""
    record = Written()
    record.sent(request(0, "initialize"))
    server: JsonObject = {"name": "s", "version": "1"}
    record.received(
        result(
            0,
            {
                "protocolVersion": V2025_11_25.date,
                "capabilities": capabilities,
                "serverInfo": server,
            },
        )
    )
    log = notification("notifications/message", {"level": "info", "data": "x"})
    first, second = record.received(log), record.received(log)
    judged(record)
    assert [record.rules(first), record.rules(second)] == [rules, []]


@pytest.mark.parametrize("method", ["prompts/get", "resources/read"])
def test_a_result_that_asks_for_input_is_not_judged_as_the_result(method: str) -> None:
    """C-MRTR-01: it has neither messages nor contents yet."""
    record = Written()
    record.sent(request(1, method, {"name": "x", "uri": "a:b"}))
    asks: JsonObject = {"resultType": "input_required", "requestState": "s"}
    number = record.received(result(1, asks))
    rules = judged(record).rules(number)
    assert [rule for rule in rules if rule.startswith(("L-PRM", "L-RES"))] == []


def test_line_breaks_of_windows_and_joiners_of_emoji_are_no_hidden_characters() -> None:
    """Ours: nothing is hidden by them."""
    tool: JsonObject = {**TOOL, "description": "one\r\ntwo\tthree 👩\u200d👩\u200d👧"}

    assert rules_of("tools/list", {"tools": [tool]}) == []


def test_the_entries_of_a_page_are_read_later_and_no_further_than_findings_are_kept() -> None:
    """Ours: twenty thousand broken entries in 60 KB stopped everything else for seconds."""
    empty: list[Json] = [{}]
    answer = result(1, {"tools": empty * 20_000})
    record = Written()
    record.sent(request(1, "tools/list", {}))
    number = record.received(answer)
    transcript = record.transcript
    views, kept = ListedViews(transcript), len(record.rules(number))
    view = read_view(MessageKind.RESPONSE, "tools/list", answer, V2025_11_25)
    assert view is not None
    assert own_findings(view, []) == []
    views.add(number, view, [])
    views.check_some(0.0)  # its time is over: one entry
    assert (views.pending, len(record.rules(number))) == (1, kept)
    while views.pending:
        views.check_some(float("inf"))
    found = transcript.findings(number)
    assert len(found) <= MAX_FINDINGS + 1
    assert found[-1].summary == "19,500 more entries of `tools` were not checked"
