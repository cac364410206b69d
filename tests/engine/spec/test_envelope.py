"""What is said about a message as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.finding import Severity
from inspector.spec import envelope
from inspector.spec.kinds import shown
from inspector.spec.revision import FIFTH, FIRST, FOURTH, SECOND, THIRD, Revision
from inspector.wire import jsontext
from inspector.wire.jsontext import SpelledNumber
from inspector.wire.message import Kind
from tests.engine.spec.judging import TOOL, call, found, notice, result, said

if TYPE_CHECKING:
    from inspector.wire.jsontext import Json


@pytest.mark.parametrize("version", [None, "1.0", 2.0, "absent"])
def test_the_version_of_json_rpc_must_be_the_text_two_point_zero(version: Json) -> None:
    """Corpus: jsonrpc-10-missing-jsonrpc; L-JR-01."""
    message: dict[str, Json] = {"id": 1, "result": {}}
    if version != "absent":
        message["jsonrpc"] = version

    assert said(found(message, Kind.RESPONSE)) == [("L-JR-01", "/jsonrpc")]


def test_extra_members_of_a_message_are_no_findings() -> None:
    """Corpus: jsonrpc-12-extra-members."""
    message: Json = {
        "jsonrpc": "2.0",
        "id": 1,
        "trace": "x",
        "meta": {},
        "result": {"tools": [TOOL]},
    }

    assert found(message, Kind.RESPONSE, method="tools/list") == []


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
        (SpelledNumber("9" * 5000), []),
        (SpelledNumber("-0"), []),
        (SpelledNumber("1e999"), ["L-JR-11"]),
    ],
)
def test_an_id_is_text_or_an_integer(id_: Json, rules: list[str]) -> None:
    """Corpus: jsonrpc-16-numbers-as-ids-large; L-JR-10, L-JR-11."""
    message: Json = {"jsonrpc": "2.0", "id": id_, "method": "ping"}

    assert [each.rule for each in found(message, Kind.REQUEST)] == rules


@pytest.mark.parametrize(
    ("number", "words"),
    [("1e999", "1e999"), ("1.50", "1.50"), ("9" * 5000, "an integer of 5,000 digits")],
)
def test_a_number_is_shown_as_it_was_written(number: str, words: str) -> None:
    """Ours: not as what a program makes of it."""
    assert shown(SpelledNumber(number)) == words


@pytest.mark.parametrize(
    ("error", "id_", "revision", "rules"),
    [
        ({"code": -32700, "message": "Parse error"}, None, FOURTH, ["L-JR-09"]),
        ({"code": -32700, "message": "Parse error"}, "absent", FOURTH, []),
        ({"code": -32700, "message": "Parse error"}, "absent", THIRD, ["L-JR-08"]),
        ({"code": "E", "message": 1}, 1, FOURTH, ["L-JR-07", "L-JR-07"]),
        ("boom", 1, FOURTH, ["L-JR-07"]),
        ({"code": 1, "message": "x" * 201}, 1, FOURTH, ["L-JR-20"]),
        ({"code": 1, "message": "Traceback:\n  File"}, 1, FOURTH, ["L-JR-20"]),
        ({"code": -32002, "message": "x"}, 1, FIFTH, ["L-JR-26"]),
        ({"code": -32050, "message": "x"}, 1, FIFTH, ["L-JR-25"]),
        ({"code": -32001, "message": "x"}, 1, FIFTH, ["L-JR-27"]),
        ({"code": -32022, "message": "x"}, 1, FIFTH, ["L-JR-29"]),
        ({"code": -32042, "message": "x"}, 1, FOURTH, ["L-ELI-15"]),
        ({"code": -32001, "message": "x"}, 1, FOURTH, []),
    ],
)
def test_errors_are_held_to_their_revision(
    error: Json, id_: Json, revision: Revision, rules: list[str]
) -> None:
    """Corpus: jsonrpc-04-error-id-null; source: basic, "Error Codes"."""
    message: dict[str, Json] = {"jsonrpc": "2.0", "error": error}
    if id_ != "absent":
        message["id"] = id_

    assert [each.rule for each in found(message, Kind.ERROR, revision)] == rules


def test_result_and_error_exclude_each_other() -> None:
    """L-JR-03."""
    message: Json = {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": ""}}

    assert said(found(message, Kind.ERROR)) == [("L-JR-03", "/result")]


@pytest.mark.parametrize("error", [None, False, "", []])
def test_an_empty_error_beside_a_result_is_still_told(error: Json) -> None:
    """L-JR-03."""
    message: Json = {"jsonrpc": "2.0", "id": 1, "result": {}, "error": error}

    assert said(found(message, Kind.RESPONSE)) == [("L-JR-03", "/error")]
    batch = found([message], Kind.BATCH, SECOND)
    assert ("L-JR-03", "/0/error") in said(batch)


@pytest.mark.parametrize("value", [None, [], "x", 0])
def test_a_result_is_an_object(value: Json) -> None:
    """L-JR-21."""
    assert result(value, "tools/list") == [("L-JR-21", "/result")]


@pytest.mark.parametrize(
    ("method", "kind", "revision", "rule"),
    [
        ("notifications/whatever", Kind.NOTIFICATION, FOURTH, "L-JR-31"),
        ("", Kind.NOTIFICATION, FOURTH, "L-JR-31"),
        ("vendor/x", Kind.REQUEST, FOURTH, "L-JR-33"),
        ("tools/list", Kind.REQUEST, FOURTH, "L-JR-33"),
        ("elicitation/create", Kind.REQUEST, SECOND, "L-JR-34"),
        ("roots/list", Kind.REQUEST, FIFTH, "L-JR-22"),
        ("vendor/x", Kind.REQUEST, FIFTH, "L-JR-22"),
        ("tools/list", Kind.NOTIFICATION, FOURTH, "L-JR-10"),
        ("notifications/message", Kind.REQUEST, FOURTH, "L-JR-10"),
        ("notifications/tasks/status", Kind.NOTIFICATION, FIFTH, "L-JR-34"),
    ],
)
def test_methods_out_of_place_are_named(
    method: str, kind: Kind, revision: Revision, rule: str
) -> None:
    """Corpus: jsonrpc-14-unknown-notifications; source: A.1 to A.3 of the schemas."""
    message: dict[str, Json] = {"jsonrpc": "2.0", "method": method}
    if kind is Kind.REQUEST:
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

    assert said(found([ping], Kind.BATCH, SECOND)) == []
    assert said(found([ping], Kind.BATCH, THIRD)) == [("L-JR-15", "")]
    assert found([ping], Kind.BATCH, FIRST)[0].severity is Severity.INFO
    assert said(found([], Kind.BATCH, SECOND)) == [("L-JR-16", "")]
    assert said(found([ping, answer], Kind.BATCH, SECOND)) == [("L-JR-16", "")]
    assert said(found([7, [ping]], Kind.BATCH, SECOND)) == [("L-JR-02", "/0"), ("L-JR-02", "/1")]


def test_what_is_no_message_is_said_to_be_none() -> None:
    """L-JR-02."""
    values: list[Json] = [5, None, "hello", {}, {"method": 7}, {"jsonrpc": "2.0", "id": 1}]
    for value in values:
        assert [each.rule for each in found(value, Kind.MALFORMED)] == ["L-JR-02"]


@pytest.mark.parametrize("kind", [Kind.STDERR, Kind.NOTE, Kind.BLANK])
def test_what_is_no_traffic_is_not_judged(kind: Kind) -> None:
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
    assert call("tools/list", {"_meta": meta}, SECOND) == []


def test_tolerances_of_reading_become_findings() -> None:
    """Corpus: result-18-nan-in-body; L-JR-18, L-JR-19."""
    notes = jsontext.read(b'\xef\xbb\xbf{"a": NaN, "a": "\xff"}').notes

    rules = {each.rule for each in envelope.check_notes(notes, FOURTH)}

    assert rules == {"L-STD-04", "L-JR-18", "L-JR-19"}
