"""Messages that are told at one look have nothing that a reader of a message alone would find."""

from __future__ import annotations

import copy
import json
import random
from typing import TYPE_CHECKING

import pytest

from inspector.checks.plain_shapes import is_plain, is_plain_page, is_plain_tool
from inspector.checks.views import read_view
from inspector.spec.revision import V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28
from inspector.spec.validation import validate
from inspector.spec.views.tool import ToolView
from inspector.wire import json_codec
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind
from tests.engine.checks.families.test_hostile_values import changed
from tests.support.records import notification

if TYPE_CHECKING:
    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

REVISIONS = (V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28)
SENT, RECEIVED = Direction.SENT, Direction.RECEIVED
CALL = "tools/call"
TEXT: JsonObject = {"type": "text", "text": "The sum is 7."}


def _answer(**members: Json) -> JsonObject:
    return {"jsonrpc": "2.0", "id": 7, **members}


MESSAGES: tuple[tuple[MessageKind, str, Direction, JsonObject], ...] = (
    (
        MessageKind.REQUEST,
        CALL,
        SENT,
        _answer(
            method=CALL, params={"name": "a", "arguments": {"x": 1}, "_meta": {"progressToken": 1}}
        ),
    ),
    (
        MessageKind.RESPONSE,
        CALL,
        RECEIVED,
        _answer(result={"content": [TEXT, TEXT], "isError": True}),
    ),
    (
        MessageKind.RESPONSE,
        CALL,
        RECEIVED,
        _answer(result={"content": [TEXT], "resultType": "complete"}),
    ),
    (
        MessageKind.ERROR,
        CALL,
        RECEIVED,
        _answer(error={"code": -32602, "message": "no such file"}),
    ),
    (
        MessageKind.NOTIFICATION,
        "notifications/message",
        RECEIVED,
        notification("notifications/message", {"level": "info", "data": {"a": 1}, "logger": "x"}),
    ),
    (
        MessageKind.NOTIFICATION,
        "notifications/progress",
        RECEIVED,
        notification(
            "notifications/progress",
            {"progressToken": "x", "progress": 1.5, "total": 3, "message": "half"},
        ),
    ),
    (
        MessageKind.NOTIFICATION,
        "notifications/resources/updated",
        RECEIVED,
        notification("notifications/resources/updated", {"uri": "file:///a"}),
    ),
)
LONG: tuple[Json, ...] = (
    *("a" * 201, "two\nlines", -32001, -32042, -32700, -31999, 5, 1e400, float("nan")),
    *([copy.deepcopy(TEXT)], [], {"_meta": {"modelcontextprotocol.io/x": 1}}, "loud", -2, 2**70),
)
"""Values of the right type that a reader may look at."""


def _found(
    value: Json, kind: MessageKind, method: str, revision: Revision, direction: Direction
) -> list[Finding]:
    found = validate(
        value, kind=kind, method_of_request=method, revision=revision, direction=direction
    )
    if direction is RECEIVED and isinstance(value, dict):
        view = read_view(kind, method, value, revision)
        found += view.findings if view is not None else ()
    return found


def _varied(message: JsonObject, chance: random.Random) -> Json:
    """The message with a value of another kind; or with one member of its part changed, added, or left out."""
    if chance.random() < 0.3:
        return json_codec.read_value(changed(json.dumps(message).encode(), chance))
    varied = copy.deepcopy(message)
    part = next(each for name in ("params", "result", "error") if (each := varied.get(name)))
    assert isinstance(part, dict)
    name = chance.choice([*part, *part, "_meta", "task", "structuredContent", "data"])
    alike = [each for each in LONG if type(each) is type(part.get(name))]
    if chance.random() < 0.2:
        part.pop(name, None)
    else:
        part[name] = copy.deepcopy(chance.choice(alike or LONG))
    return varied


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_readers_find_nothing_in_a_plain_message(revision: Revision) -> None:
    """Ours: also not in one that differs from a usual message in any of its members."""
    chance = random.Random(revision.number)
    plain = others = 0
    for kind, method, direction, message in MESSAGES:
        for _ in range(600):
            value = _varied(message, chance)
            if is_plain(value, kind, method, revision, direction):
                plain += 1
                assert not _found(value, kind, method, revision, direction), value
            else:
                others += 1
    assert plain > 200
    assert others > 1000


@pytest.mark.parametrize("at", range(len(MESSAGES)))
def test_usual_messages_are_plain_where_the_readers_find_nothing(at: int) -> None:
    """Ours: otherwise the short way would not be taken."""
    kind, method, direction, message = MESSAGES[at]
    value = json_codec.read_value(json.dumps(message).replace("1.5", "2").encode())
    clean = [each for each in REVISIONS if not _found(value, kind, method, each, direction)]
    assert clean
    assert [each for each in REVISIONS if is_plain(value, kind, method, each, direction)] == clean


def test_a_message_of_no_usual_kind_is_left_to_the_readers() -> None:
    """Ours: nothing is known of an unknown method, of a list, or of a message of the other side."""
    log = MESSAGES[4][3]
    assert not is_plain(log, MessageKind.NOTIFICATION, "x", V2025_11_25, RECEIVED)
    assert not is_plain(log, MessageKind.NOTIFICATION, "notifications/message", V2025_11_25, SENT)
    assert not is_plain([log], MessageKind.BATCH, "", V2025_11_25, RECEIVED)
    assert not is_plain(MESSAGES[3][3], MessageKind.ERROR, CALL, V2025_11_25, SENT)


TOOL: JsonObject = {
    "name": "get_sum",
    "title": "Sum",
    "description": "Adds two numbers.",
    "inputSchema": {
        "type": "object",
        "properties": {"a": {"type": "integer", "description": "The first.", "default": 1}},
        "required": ["a"],
        "additionalProperties": False,
    },
    "annotations": {"title": "Sum", "readOnlyHint": True, "openWorldHint": False},
}
OTHERS: dict[str, list[Json]] = {
    "name": ["", "a b", "a" * 129, "ä", "a\n", 5, None],
    "description": ["a\u200bb", "\u202e", "a\x00", None, ""],
    "inputSchema": [
        *(None, True, {}, {"type": "string"}, {"$ref": "http://a"}),
        {"type": "object", "properties": {"a": {"$ref": "http://a.example/b"}}},
        {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "é"}}},
    ],
    "annotations": [None, {"readOnlyHint": "yes"}, [], {"x": 1}],
    "icons": [[{"src": "http://a"}]],
    "outputSchema": [{"type": "object"}],
    "execution": [{}],
}
"""By the member, values that a reader looks at."""


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_view_and_the_validators_find_nothing_in_a_plain_tool(revision: Revision) -> None:
    """Ours: also not in one with another value anywhere, or in a page of it."""
    chance = random.Random(revision.number)
    tools: list[Json] = [{**TOOL, name: each} for name, values in OTHERS.items() for each in values]
    raw = json.dumps(TOOL).encode()
    tools += [json_codec.read_value(changed(raw, chance)) for _ in range(600)]
    plain = 0
    for tool in tools:
        if is_plain_tool(tool, revision):
            plain += 1
            assert not ToolView(tool, "/result/tools/0", revision).notes, tool
        page = _answer(result={"tools": [copy.deepcopy(TOOL), tool], "nextCursor": "a"})
        if is_plain_page(page, MessageKind.RESPONSE, "tools/list", revision):
            assert not validate(
                page,
                kind=MessageKind.RESPONSE,
                method_of_request="tools/list",
                revision=revision,
                direction=RECEIVED,
            ), tool
    has_titles = revision in {V2025_06_18, V2025_11_25}  # and asks for nothing else
    assert is_plain_tool(TOOL, revision) == has_titles
    assert (0 < plain < len(tools) / 2) == has_titles


@pytest.mark.parametrize(
    "tool",
    [
        {**TOOL, "\ud800": 1},
        {**TOOL, "inputSchema": {"type": "\ud800"}},
        {**TOOL, "name": "\ud800"},
    ],
)
def test_a_lone_surrogate_is_left_to_the_readers(tool: JsonObject) -> None:
    """Ours: JSON may have one, and no exception ends the checks of a session."""
    page = _answer(result={"tools": [tool]})
    assert not is_plain_tool(tool, V2025_11_25)
    assert not is_plain_page(page, MessageKind.RESPONSE, "tools/list", V2025_11_25)
    error = _answer(error={"code": -32602, "message": "no", "\ud800": 1})
    assert not is_plain(error, MessageKind.ERROR, CALL, V2025_11_25, RECEIVED)
