"""What is said about params and results, by the official models and beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.finding import MAX_FINDINGS, Severity
from inspector.spec.revision import (
    REVISIONS,
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2026_07_28,
    Revision,
)
from inspector.wire import json_codec
from inspector.wire.message import MessageKind
from tests.engine.spec.judging import TOOL, call, found, notice, result, said

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


@pytest.mark.parametrize("revision", REVISIONS[:4], ids=str)
def test_good_messages_of_the_stateful_era_have_no_findings(revision: Revision) -> None:
    """Source: the schema of each revision."""
    greeting: Json = {
        "protocolVersion": revision.date,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "d", "version": "1"},
    }

    assert result(greeting, "initialize", revision) == []
    assert result({"tools": [TOOL]}, "tools/list", revision) == []
    assert result({"content": [{"type": "text", "text": "x"}]}, "tools/call", revision) == []
    assert result({}, "ping", revision) == []
    assert call("tools/call", {"name": "a", "arguments": {}}, revision) == []
    assert notice("notifications/message", {"level": "info", "data": None}, revision) == []
    assert notice("notifications/tools/list_changed", {}, revision) == []


def test_good_messages_of_the_stateless_era_have_no_findings() -> None:
    """Source: the schema of 2026-07-28."""
    prefix = "io.modelcontextprotocol/"
    meta: Json = {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientCapabilities": {}}
    cached: dict[str, Json] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
    asks: Json = {"resultType": "input_required", "requestState": "s"}

    assert call("tools/list", {"_meta": meta}, V2026_07_28) == []
    assert result({"tools": [TOOL], **cached}, "tools/list", V2026_07_28) == []
    assert result(asks, "tools/call", V2026_07_28) == []


def test_a_failed_union_is_told_as_the_one_alternative_meant() -> None:
    """Ours: a content block fails five models, and one of them was meant."""
    blocks: Json = [
        {"type": "text"},
        {"type": "zzz"},
        7,
        {"text": "x"},
        {"type": "resource", "resource": {"uri": "a"}},
        {"type": "image", "data": 3},
    ]

    findings = result({"content": blocks, "isError": "yes"}, "tools/call")

    assert findings == [
        ("L-JR-30", "/result/isError"),
        ("L-JR-30", "/result/content/0/text"),
        ("L-TOOL-44", "/result/content/1/type"),
        ("L-JR-30", "/result/content/2"),
        ("L-TOOL-44", "/result/content/3/type"),
        ("L-RES-05", "/result/content/4/resource"),
        ("L-TOOL-42", "/result/content/5/data"),
        ("L-TOOL-42", "/result/content/5/mimeType"),
    ]


def test_findings_are_in_plain_words() -> None:
    """Ours: no validator's jargon on screen."""
    raw: Json = {
        "content": [{"type": "zzz"}, 7, {"type": "resource", "resource": {}}],
        "isError": 1,
    }
    message: Json = {"jsonrpc": "2.0", "id": 1, "result": raw}

    text = [each.summary for each in found(message, MessageKind.RESPONSE, method="tools/call")]

    assert text == [
        "`isError` must be a boolean, not a number",
        "`type` must be 'text', 'image', 'audio', 'resource_link' or 'resource', not 'zzz'",
        "item 2 of `content` must be an object, not a number",
        "`uri` is missing",
        "`resource` must have `text` or `blob`",
    ]


def test_members_of_a_later_revision_are_mentioned_once_each() -> None:
    """L-JR-34: the official models of the older revisions let them pass."""
    tools: Json = [{**TOOL, "icons": [], "title": "x"} for _ in range(50)]
    message: Json = {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools, "ttlMs": 1}}

    findings = found(message, MessageKind.RESPONSE, V2025_03_26, method="tools/list")

    assert said(findings) == [
        ("L-JR-34", "/result/ttlMs"),
        ("L-JR-34", "/result/tools/0/title"),
        ("L-JR-34", "/result/tools/0/icons"),
    ]
    assert "(50 items have it)" in findings[1].summary
    assert {each.severity for each in findings} == {Severity.INFO}


def test_content_of_a_later_revision_is_an_error() -> None:
    """L-TOOL-44."""
    audio: Json = {"type": "audio", "data": "", "mimeType": "audio/wav"}

    assert result({"content": [audio]}, "tools/call", V2024_11_05) == [
        ("L-TOOL-44", "/result/content/0/type")
    ]
    assert result({"content": [audio]}, "tools/call", V2025_03_26) == []


def test_results_of_the_stateless_era_need_their_type_and_their_cache_hints() -> None:
    """L-JR-23, L-JR-24, L-CCH-01 to 03; corpus: list-09-result-shapes, variant 4."""
    assert result({"tools": []}, "tools/list", V2026_07_28) == [
        ("L-JR-23", "/result/resultType"),
        ("L-CCH-01", "/result/cacheScope"),
        ("L-CCH-01", "/result/ttlMs"),
    ]
    odd: Json = {"tools": [], "ttlMs": -5, "cacheScope": "everyone", "resultType": "done"}
    assert result(odd, "tools/list", V2026_07_28) == [
        ("L-JR-24", "/result/resultType"),
        ("L-CCH-03", "/result/cacheScope"),
        ("L-CCH-02", "/result/ttlMs"),
    ]


def test_questions_are_judged_as_questions() -> None:
    """L-MRTR-01, L-MRTR-02, L-MRTR-05."""
    nothing: Json = {"resultType": "input_required"}
    odd: Json = {"resultType": "input_required", "inputRequests": {"b": {"method": "x"}}}

    assert result(nothing, "tools/call", V2026_07_28) == [("L-MRTR-01", "/result")]
    assert result({**nothing, "requestState": ""}, "tools/list", V2026_07_28) == [
        ("L-MRTR-02", "/result/resultType")
    ]
    assert result(odd, "prompts/get", V2026_07_28) == [
        ("L-MRTR-05", "/result/inputRequests/b/method")
    ]


def test_tasks_are_judged_although_there_are_no_official_models() -> None:
    """L-TK4-01, L-TKX-04."""
    assert ("L-TK4-01", "/result/task/ttl") in result({"task": {"taskId": "1"}}, "tools/call")
    assert ("L-TKX-04", "/result/ttlMs") in result(
        {"resultType": "task"}, "tools/call", V2026_07_28
    )
    assert ("L-TK4-01", "/result/tasks/0") in result({"tasks": [7]}, "tasks/list")


def test_integers_with_a_point_are_integers_and_texts_are_not() -> None:
    """Source: JSON Schema 2020-12, section 6.1.1; strict about all else."""
    assert (
        notice(
            "notifications/progress",
            {"progressToken": json_codec.RawNumber("1.0"), "progress": 1},
        )
        == []
    )
    assert notice("notifications/progress", {"progressToken": 1, "progress": "1"}) == [
        ("L-PRG-07", "/params/progress")
    ]


def test_alike_findings_are_folded_and_many_are_bounded() -> None:
    """Ours: a thousand broken blocks are one fact."""
    alike: Json = [{"type": "text", "text": 3} for _ in range(1000)]
    many: Json = [{"type": f"t{n}"} for n in range(100)]

    folded = found(
        {"jsonrpc": "2.0", "id": 1, "result": {"content": alike}},
        MessageKind.RESPONSE,
        method="tools/call",
    )
    bounded = found(
        {"jsonrpc": "2.0", "id": 1, "result": {"content": many}},
        MessageKind.RESPONSE,
        method="tools/call",
    )

    assert [each.summary for each in folded[3:]] == [
        "`text` must be a string, not a number (and 97 more like this)",
        "900 more items of `content` were not validated",
    ]
    assert len(bounded) == MAX_FINDINGS
    assert bounded[-1].summary == "81 more problems in this message not shown"


def test_the_gravest_findings_come_first() -> None:
    """Ours: what is cut off must be the least."""
    raw: Json = {"tools": [{**TOOL, "icons": []}, {}], "nextCursor": None}
    message: Json = {"jsonrpc": "2.0", "id": 1, "result": raw}

    severities = [
        each.severity
        for each in found(message, MessageKind.RESPONSE, V2025_06_18, method="tools/list")
    ]

    assert severities == sorted(severities, reverse=True)
    assert len(set(severities)) == 3


def test_every_finding_has_words_and_a_link() -> None:
    """Ours."""
    message: Json = {
        "jsonrpc": 1,
        "id": True,
        "result": {"tools": [{}], "nextCursor": None, "_meta": {"": 1}},
    }

    for each in found(message, MessageKind.RESPONSE, V2026_07_28, method="tools/list"):
        assert each.summary
        assert each.link.startswith("https://modelcontextprotocol.io/")


def test_long_lists_are_validated_in_pieces_and_places_count_from_the_beginning() -> None:
    """Ours: a hostile list must not hold up the window."""
    tools: Json = [*([TOOL] * 250), {"name": "broken"}, *([TOOL] * 250)]
    text: Json = {"role": "user", "content": {"type": "text", "text": ""}}
    said_of: list[Json] = [*([text] * 150), 7]
    request: Json = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "sampling/createMessage",
        "params": {"messages": said_of, "maxTokens": 1},
    }

    assert result({"tools": tools}, "tools/list") == [
        ("L-TOOL-01", "/result/tools/250/inputSchema"),
        ("more-findings", "/result/tools"),
    ]
    assert said(found(request, MessageKind.REQUEST)) == [("L-SMP-01", "/params/messages/150")]
