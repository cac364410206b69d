"""Whatever JSON comes, views and the judge give an answer, and nothing is lost."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.finding import MAX_FINDINGS, Finding
from inspector.spec import capabilities
from inspector.spec.error_details import ErrorView
from inspector.spec.keys import CONTENT_TYPES
from inspector.spec.methods import METHODS, Side
from inspector.spec.revision import REVISIONS, Revision
from inspector.spec.validation import validate
from inspector.spec.views.call_result import CallToolResultView
from inspector.spec.views.content import content
from inspector.spec.views.handshake import DiscoverResultView, InitializeResultView
from inspector.spec.views.notifications import LogView, ProgressView
from inspector.spec.views.task import CreatedTaskView, DetailedTaskView, TaskView
from inspector.spec.views.tool import ToolsPage
from inspector.wire.frame import Direction
from inspector.wire.json_codec import Json, RawNumber
from inspector.wire.message import MessageKind

KEYS = [
    "tools",
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "audience",
    "priority",
    "icons",
    "src",
    "sizes",
    "theme",
    "execution",
    "taskSupport",
    "_meta",
    "nextCursor",
    "ttlMs",
    "cacheScope",
    "content",
    "structuredContent",
    "isError",
    "type",
    "text",
    "data",
    "mimeType",
    "resource",
    "uri",
    "blob",
    "resultType",
    "task",
    "taskId",
    "status",
    "ttl",
    "protocolVersion",
    "capabilities",
    "serverInfo",
    "version",
    "instructions",
    "supportedVersions",
    "code",
    "message",
    "level",
    "logger",
    "progressToken",
    "progress",
    "total",
    "jsonrpc",
    "id",
    "method",
    "params",
    "result",
    "error",
    "inputRequests",
    "toolUseId",
    "input",
    "listChanged",
    "experimental",
    "extensions",
    "elicitation",
    "form",
    "arguments",
    "requestedSchema",
    "properties",
    "messages",
    "role",
]

WORDS = [row.name for row in CONTENT_TYPES] + [
    "object",
    "complete",
    "input_required",
    "2.0",
    "user",
]

TEXTS = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=()), max_size=8)
NUMBERS = (
    st.integers()
    | st.floats()
    | st.integers(10**300, 10**400)
    | st.sampled_from([RawNumber("1E400"), RawNumber("-0"), RawNumber("1.0")])
)
LEAVES = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = cast(
    "st.SearchStrategy[Json]",
    st.recursive(
        LEAVES,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(KEYS) | TEXTS, inner, max_size=6)
        ),
        max_leaves=24,
    ),
)
REVISION = st.sampled_from(REVISIONS)
NAMES = sorted({row.name for row in METHODS})


@given(VALUES, REVISION)
@settings(max_examples=60, deadline=None)
def test_views_read_anything(raw: Json, revision: Revision) -> None:
    """Ours: views never raise, and what came stays."""
    page, answer = ToolsPage(raw, revision=revision), CallToolResultView(raw, revision=revision)
    items = raw.get("tools") if isinstance(raw, dict) else None

    assert [tool.raw for tool in page.listed] == (items if isinstance(items, list) else [])
    for tool in page.listed:
        assert tool.label
        assert tool.id_label
    for view in (
        page,
        answer,
        content(raw, "", revision),
        ErrorView(raw, revision=revision),
        LogView(raw, revision=revision),
        ProgressView(raw, revision=revision),
        TaskView(raw, "", revision),
        DetailedTaskView(raw, "", revision),
        CreatedTaskView(raw, "", revision),
        InitializeResultView(raw),
        DiscoverResultView(raw, revision=revision),
    ):
        assert view.raw is raw
        assert all(note.summary for note in view.notes)
    assert all(isinstance(each, Finding) for each in (*page.findings, *answer.findings))


@given(VALUES, REVISION, st.sampled_from(Side))
@settings(max_examples=60, deadline=None)
def test_capabilities_of_any_shape_have_rows(raw: Json, revision: Revision, side: Side) -> None:
    """Ours: every key that came has its row."""
    rows = capabilities.rows(raw, side, revision)
    present = {row.path[0] for row in rows if row.present}

    assert present == (set(raw) if isinstance(raw, dict) else set())
    assert isinstance(capabilities.problems(raw, side, revision), list)


@given(
    VALUES,
    st.sampled_from(MessageKind),
    st.none() | st.sampled_from(NAMES),
    REVISION,
    st.sampled_from([Direction.SENT, Direction.RECEIVED]),
)
@settings(max_examples=60, deadline=None)
def test_the_judge_says_something_bounded_about_any_value(
    value: Json, kind: MessageKind, method: str | None, revision: Revision, direction: Direction
) -> None:
    """Ours: judging never raises."""
    findings = validate(
        value, kind=kind, method_of_request=method, revision=revision, direction=direction
    )

    assert len(findings) <= MAX_FINDINGS
    assert all(each.summary and each.rule for each in findings)


@given(VALUES, st.sampled_from(NAMES), REVISION, st.sampled_from(Side))
@settings(max_examples=100, deadline=None)
def test_the_judge_copes_with_any_params_and_results(
    value: Json, method: str, revision: Revision, side: Side
) -> None:
    """Ours: here every method's model sees odd values."""
    direction = Direction.SENT if side is Side.CLIENT else Direction.RECEIVED
    messages: dict[MessageKind, Json] = {
        MessageKind.REQUEST: {"jsonrpc": "2.0", "id": 1, "method": method, "params": value},
        MessageKind.NOTIFICATION: {"jsonrpc": "2.0", "method": method, "params": value},
        MessageKind.RESPONSE: {"jsonrpc": "2.0", "id": 1, "result": value},
        MessageKind.ERROR: {"jsonrpc": "2.0", "id": 1, "error": value},
    }

    for kind, message in messages.items():
        findings = validate(
            message, kind=kind, method_of_request=method, revision=revision, direction=direction
        )
        assert len(findings) <= MAX_FINDINGS


@pytest.mark.parametrize("revision", REVISIONS, ids=str)
def test_very_deep_values_are_read_and_judged(revision: Revision) -> None:
    """Ours: nesting is the sender's choice."""
    deep: Json = {}
    for _ in range(900):
        deep = {"type": "tool_result", "content": [deep], "structuredContent": deep}
    message: Json = {"jsonrpc": "2.0", "id": 1, "result": {"content": [deep], "tools": [deep]}}

    for method in ("tools/call", "tools/list"):
        assert validate(
            message,
            kind=MessageKind.RESPONSE,
            method_of_request=method,
            revision=revision,
            direction=Direction.RECEIVED,
        )
    assert CallToolResultView({"content": [deep]}, revision=revision).content
