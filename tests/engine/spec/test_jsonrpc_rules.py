"""What is said about a message as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.finding import Severity
from inspector.spec import jsonrpc_rules
from inspector.spec.json_types import format_value
from inspector.spec.revision import (
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
    Revision,
)
from inspector.wire import json_codec
from inspector.wire.json_codec import RawNumber
from inspector.wire.message import MessageKind
from tests.engine.spec.judging import TOOL, call, found, notice, result, said

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json


@pytest.mark.parametrize("version", [None, "1.0", 2.0, "absent"])
def test_the_version_of_json_rpc_must_be_the_text_two_point_zero(version: Json) -> None:
    """Corpus: jsonrpc-10-missing-jsonrpc; L-JR-01."""
    message: dict[str, Json] = {"id": 1, "result": {}}
    if version != "absent":
        message["jsonrpc"] = version

    assert said(found(message, MessageKind.RESPONSE)) == [("L-JR-01", "/jsonrpc")]


def test_extra_members_of_a_message_are_no_findings() -> None:
    """Corpus: jsonrpc-12-extra-members."""
    message: Json = {
        "jsonrpc": "2.0",
        "id": 1,
        "trace": "x",
        "meta": {},
        "result": {"tools": [TOOL]},
    }

    assert found(message, MessageKind.RESPONSE, method="tools/list") == []


@pytest.mark.parametrize(
    ("id_", "rules"),
    [
        (1, []),
        ("x" * 5000, []),
        (9007199254740993, []),
        (0, []),
        (None, ["L-JR-10"]),
        (True, ["L-JR-11"]),
        (1.5, ["L-JR-11"]),
        ([], ["L-JR-11"]),
        (RawNumber("9" * 5000), []),
        (RawNumber("-0"), []),
        (RawNumber("1e999"), ["L-JR-11"]),
    ],
)
def test_an_id_is_text_or_an_integer(id_: Json, rules: list[str]) -> None:
    """Corpus: jsonrpc-16-numbers-as-ids-large; L-JR-10, L-JR-11."""
    message: Json = {"jsonrpc": "2.0", "id": id_, "method": "ping"}

    assert [each.rule for each in found(message, MessageKind.REQUEST)] == rules


@pytest.mark.parametrize(
    ("number", "text"),
    [("1e999", "1e999"), ("1.50", "1.50"), ("9" * 5000, "an integer of 5,000 digits")],
)
def test_a_number_is_shown_as_it_was_written(number: str, text: str) -> None:
    """Ours: not as what a program makes of it."""
    assert format_value(RawNumber(number)) == text


@pytest.mark.parametrize(
    ("error", "id_", "revision", "rules"),
    [
        ({"code": -32700, "message": "Parse error"}, None, V2025_11_25, ["L-JR-09"]),
        ({"code": -32700, "message": "Parse error"}, "absent", V2025_11_25, []),
        ({"code": -32700, "message": "Parse error"}, "absent", V2025_06_18, ["L-JR-08"]),
        ({"code": "E", "message": 1}, 1, V2025_11_25, ["L-JR-07", "L-JR-07"]),
        ("boom", 1, V2025_11_25, ["L-JR-07"]),
        ({"code": 1, "message": "x" * 201}, 1, V2025_11_25, ["L-JR-20"]),
        ({"code": 1, "message": "Traceback:\n  File"}, 1, V2025_11_25, ["L-JR-20"]),
        ({"code": -32002, "message": "x"}, 1, V2026_07_28, ["L-JR-26"]),
        ({"code": -32050, "message": "x"}, 1, V2026_07_28, ["L-JR-25"]),
        ({"code": -32001, "message": "x"}, 1, V2026_07_28, ["L-JR-27"]),
        ({"code": -32022, "message": "x"}, 1, V2026_07_28, ["L-JR-29"]),
        ({"code": -32042, "message": "x"}, 1, V2025_11_25, ["L-ELI-15"]),
        ({"code": -32001, "message": "x"}, 1, V2025_11_25, []),
    ],
)
def test_errors_are_held_to_their_revision(
    error: Json, id_: Json, revision: Revision, rules: list[str]
) -> None:
    """Corpus: jsonrpc-04-error-id-null; source: basic, "Error Codes"."""
    message: dict[str, Json] = {"jsonrpc": "2.0", "error": error}
    if id_ != "absent":
        message["id"] = id_

    assert [each.rule for each in found(message, MessageKind.ERROR, revision)] == rules


def test_result_and_error_exclude_each_other() -> None:
    """L-JR-03."""
    message: Json = {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": ""}}

    assert said(found(message, MessageKind.ERROR)) == [("L-JR-03", "/result")]


@pytest.mark.parametrize("error", [None, False, "", []])
def test_an_empty_error_beside_a_result_is_still_told(error: Json) -> None:
    """L-JR-03."""
    message: Json = {"jsonrpc": "2.0", "id": 1, "result": {}, "error": error}

    assert said(found(message, MessageKind.RESPONSE)) == [("L-JR-03", "/error")]
    batch = found([message], MessageKind.BATCH, V2025_03_26)
    assert ("L-JR-03", "/0/error") in said(batch)


@pytest.mark.parametrize("value", [None, [], "x", 0])
def test_a_result_is_an_object(value: Json) -> None:
    """L-JR-21."""
    assert result(value, "tools/list") == [("L-JR-21", "/result")]


@pytest.mark.parametrize(
    ("method", "kind", "revision", "rule"),
    [
        ("notifications/whatever", MessageKind.NOTIFICATION, V2025_11_25, "L-JR-31"),
        ("", MessageKind.NOTIFICATION, V2025_11_25, "L-JR-31"),
        ("vendor/x", MessageKind.REQUEST, V2025_11_25, "L-JR-33"),
        ("tools/list", MessageKind.REQUEST, V2025_11_25, "L-JR-33"),
        ("elicitation/create", MessageKind.REQUEST, V2025_03_26, "L-JR-34"),
        ("roots/list", MessageKind.REQUEST, V2026_07_28, "L-JR-22"),
        ("vendor/x", MessageKind.REQUEST, V2026_07_28, "L-JR-22"),
        ("tools/list", MessageKind.NOTIFICATION, V2025_11_25, "L-JR-10"),
        ("notifications/message", MessageKind.REQUEST, V2025_11_25, "L-JR-10"),
        ("notifications/tasks/status", MessageKind.NOTIFICATION, V2026_07_28, "L-JR-34"),
    ],
)
def test_methods_out_of_place_are_named(
    method: str, kind: MessageKind, revision: Revision, rule: str
) -> None:
    """Corpus: jsonrpc-14-unknown-notifications; source: A.1 to A.3 of the schemas."""
    message: dict[str, Json] = {"jsonrpc": "2.0", "method": method}
    if kind is MessageKind.REQUEST:
        message["id"] = 1

    assert [each.rule for each in found(message, kind, revision)] == [rule]


def test_params_must_be_an_object() -> None:
    """Corpus: jsonrpc-14-unknown-notifications, the first line."""
    findings = notice("notifications/message", [1, 2])

    assert findings == [("L-JR-30", "/params")]


def test_batches_belong_to_one_revision() -> None:
    """L-JR-15, L-JR-16, L-LC-12."""
    ping: Json = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    answer: Json = {"jsonrpc": "2.0", "id": 1, "result": {}}

    assert said(found([ping], MessageKind.BATCH, V2025_03_26)) == []
    assert said(found([ping], MessageKind.BATCH, V2025_06_18)) == [("L-JR-15", "")]
    assert found([ping], MessageKind.BATCH, V2024_11_05)[0].severity is Severity.INFO
    assert said(found([], MessageKind.BATCH, V2025_03_26)) == [("L-JR-16", "")]
    assert said(found([ping, answer], MessageKind.BATCH, V2025_03_26)) == [("L-JR-16", "")]
    assert said(found([7, [ping]], MessageKind.BATCH, V2025_03_26)) == [
        ("L-JR-02", "/0"),
        ("L-JR-02", "/1"),
    ]


def test_what_is_no_message_is_said_to_be_none() -> None:
    """L-JR-02."""
    values: list[Json] = [5, None, "hello", {}, {"method": 7}, {"jsonrpc": "2.0", "id": 1}]
    for value in values:
        assert [each.rule for each in found(value, MessageKind.MALFORMED)] == ["L-JR-02"]


@pytest.mark.parametrize("kind", [MessageKind.STDERR, MessageKind.NOTE, MessageKind.BLANK_LINE])
def test_what_is_no_traffic_is_not_judged(kind: MessageKind) -> None:
    """Ours."""
    assert found(None, kind) == []


def test_malformed_and_reserved_meta_keys_are_named() -> None:
    """L-MET-01, L-MET-02."""
    meta: Json = {
        "a b": 1,
        "io.modelcontextprotocol/own": 1,
        "com.example/fine": 1,
        "progressToken": 1,
    }

    assert call("tools/list", {"_meta": meta}) == [
        ("L-MET-01", "/params/_meta/a b"),
        ("L-MET-02", "/params/_meta/io.modelcontextprotocol~1own"),
    ]
    assert call("tools/list", {"_meta": meta}, V2025_03_26) == []


def test_tolerances_of_reading_become_findings() -> None:
    """Corpus: result-18-nan-in-body; L-JR-18, L-JR-19."""
    notes = json_codec.read(b'\xef\xbb\xbf{"a": NaN, "a": "\xff"}').notes

    rules = {each.rule for each in jsonrpc_rules.check_notes(notes, V2025_11_25)}

    assert rules == {"L-STD-04", "L-JR-18", "L-JR-19"}
