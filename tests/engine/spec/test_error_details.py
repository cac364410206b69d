"""What a server complains about, beside what was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec.error_details import explain_error
from inspector.spec.revision import NEWEST, V2025_11_25

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

PREFIX = "io.modelcontextprotocol/"
META: JsonObject = {
    f"{PREFIX}protocolVersion": NEWEST.date,
    f"{PREFIX}clientCapabilities": {"elicitation": {}},
}
CALL: JsonObject = {"name": "größe", "arguments": {"zone": "a"}, "_meta": META}
SCHEMA: JsonObject = {"properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}}


def rows(code: Json, data: Json = None, params: Json = CALL) -> list[tuple[str, str, bool]]:
    error: JsonObject = {"code": code, "message": "no", "data": data}
    found = explain_error(error, "tools/call", params, NEWEST, SCHEMA)
    return [(each.subject, each.sent, each.agrees) for each in found]


def test_a_refused_revision_stands_beside_those_that_are_supported() -> None:
    """C-VER-01."""
    error: JsonObject = {
        "code": -32022,
        "data": {"supported": ["2027-01-01", 7], "requested": "x"},
    }
    first, second = explain_error(error, "tools/list", {"_meta": META}, NEWEST)

    assert (first.sent, first.expected, first.agrees) == (NEWEST.date, "2027-01-01, 7", False)
    assert second.expected == "server received x"


def test_a_missing_capability_is_told_apart_from_those_that_were_declared() -> None:
    """L-DSC-11."""
    required: JsonObject = {"elicitation": {"form": {}, "url": {}}, "sampling": {}}
    assert rows(-32021, {"requiredCapabilities": required}) == [
        ("Capability elicitation.form", "declared", True),
        ("Capability elicitation.url", "not declared", False),
        ("Capability sampling", "not declared", False),
    ]


def test_headers_stand_beside_what_they_repeat() -> None:
    """C-HTTP-34."""
    assert rows(-32020) == [
        ("Header MCP-Protocol-Version", NEWEST.date, True),
        ("Header Mcp-Method", "tools/call", True),
        ("Header Mcp-Name", "=?base64?Z3LDtsOfZQ==?=", True),
        ("Header Mcp-Param-Zone", "a", True),
    ]


def mismatches(headers: list[tuple[str, str]], schema: Json = None) -> list[tuple[str, ...]]:
    found = explain_error({"code": -32020}, "tools/call", CALL, NEWEST, schema, headers)
    return [each[:3] for each in found if not each.agrees]


STANDARD = [
    ("mcp-protocol-version", NEWEST.date),
    ("Mcp-Method", "tools/call"),
    ("MCP-NAME", "=?base64?Z3LDtsOfZQ==?="),
]


@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_headers_as_they_were_sent_stand_beside_the_body(schema: Json) -> None:
    """C-HTTP-34: those that repeat arguments too, whether the schema of the tool is known or not; names have no case."""
    assert mismatches([*STANDARD, ("mcp-param-zone", "a")], schema) == []
    (found,) = mismatches([*STANDARD[:2], ("Mcp-Name", "b"), ("Mcp-Param-Zone", "a")], schema)
    assert found == ("Header Mcp-Name", "b", "body has 'größe' at /params/name")


def test_a_header_that_repeats_another_argument_is_seen() -> None:
    """C-HTTP-34."""
    changed = [*STANDARD, ("Mcp-Param-Zone", "b")]
    body = "body has 'a' at /params/arguments/zone"

    assert mismatches(changed, SCHEMA) == [("Header Mcp-Param-Zone", "b", body)]
    assert mismatches(changed) == [("Header Mcp-Param-Zone", "b", "no matching argument")]
    assert mismatches(STANDARD, SCHEMA) == [("Header Mcp-Param-Zone", "not sent", body)]


def test_metadata_that_is_missing_is_seen() -> None:
    """L-DSC-08."""
    assert [each[2] for each in rows(-32602, params={"_meta": {}})] == [False, False]
    assert rows(-32602) == []
    assert explain_error({"code": -32602}, "tools/call", CALL, V2025_11_25) == ()


@pytest.mark.parametrize("error", [None, 1, [], {}, {"code": "x"}, {"code": -32603}, {"code": 1.5}])
def test_other_errors_say_nothing_of_what_was_sent(error: Json) -> None:
    """Ours."""
    assert explain_error(error, "tools/call", CALL, NEWEST) == ()


@pytest.mark.parametrize("data", [None, 7, [], {}, {"supported": 1, "requiredCapabilities": []}])
@pytest.mark.parametrize("params", [None, 7, {"_meta": 3}, {"_meta": {}}, [1]])
@pytest.mark.parametrize("code", [-32020, -32021, -32022, -32602])
def test_nothing_raises(code: int, params: Json, data: Json) -> None:
    """Ours."""
    rows(code, data, params)
