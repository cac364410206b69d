"""Values judged by schemas."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.schema.json_input import parsed
from inspector.schema.validate import FIRST_ONLY, Checker, Report
from inspector.wire.json_codec import RawJson, read
from tests.support.form_cases import schema_of

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


def found(schema: Json, text: str) -> list[tuple[str, str]]:
    report = Checker(cast("JsonObject", schema)).check(parsed(text))
    return [(problem.pointer, problem.text) for problem in report.problems]


def noted(schema: Json, text: str) -> list[tuple[str, str]]:
    report = Checker(cast("JsonObject", schema)).check(parsed(text))
    return [(note.pointer, note.text) for note in report.notes]


@pytest.mark.parametrize(
    ("schema", "text", "message"),
    [
        ({"type": "integer"}, "0.5", "must be an integer"),
        ({"type": "integer"}, '"x"', "must be an integer"),
        ({"type": ["string", "null"]}, "1", "must be null or a string"),
        ({"minimum": 1}, "0", "must be at least 1"),
        ({"exclusiveMaximum": 1}, "1", "must be less than 1"),
        ({"multipleOf": 2}, "3", "must be a multiple of 2"),
        ({"minLength": 2}, '"a"', "must have at least 2 characters"),
        ({"maxLength": 1}, '"ab"', "must have at most 1 character"),
        ({"maxItems": 1}, "[1,2]", "must have at most 1 item"),
        ({"uniqueItems": True}, "[1,1]", "has duplicate items"),
        ({"pattern": "^a"}, '"b"', "does not match the pattern ^a"),
        ({"enum": [1]}, "2", "is not an allowed value"),
        (
            {"anyOf": [{"type": "string"}, {"type": "boolean"}]},
            "1",
            "must be a string or a boolean",
        ),
    ],
)
def test_problems_are_told_in_words(schema: Json, text: str, message: str) -> None:
    """args-08-float-for-integer."""
    assert found(schema, text) == [("", message)]


def test_problems_stand_at_the_field_they_are_about() -> None:
    """args-17-additional-keys-false."""
    assert found(schema_of("args-17"), '{"a":"1","b/c":2}') == [
        ("/b~1c", "is not allowed by the schema")
    ]
    assert sorted(found(schema_of("schema-11"), '{"a":{}}')) == [
        ("/a/x", "is required"),
        ("/a/y", "is required"),
        ("/b", "is required"),
    ]


def test_of_a_union_the_form_that_is_meant_is_judged() -> None:
    """schema-01-root-anyof."""
    assert found(schema_of("schema-01"), '{"via":"phone"}') == [("/number", "is required")]


PAGE: JsonObject = {"properties": {"path": {}, "mode": {}}, "required": ["path", "mode"]}
LINK: JsonObject = {"properties": {"url": {}}, "required": ["url"]}


@pytest.mark.parametrize(
    ("schema", "text", "expected"),
    [
        ({"oneOf": [PAGE, LINK]}, "{}", [("", "must have exactly one of: path and mode; url")]),
        ({"anyOf": [PAGE, LINK, {"type": "null"}]}, '{"path":1}', [("/mode", "is required")]),
        (
            {"anyOf": [PAGE, LINK]},
            '{"x":1}',
            [("", "must have at least one of: path and mode; url")],
        ),
        (
            {"anyOf": [PAGE, {"type": "array"}]},
            "{}",
            [("/path", "is required"), ("/mode", "is required")],
        ),
    ],
)
def test_a_key_is_missed_alone_only_where_it_is_known_which_alternative_is_meant(
    schema: Json, text: str, expected: list[tuple[str, str]]
) -> None:
    """Ours: else all that would do are named."""
    assert found(schema, text) == expected


def test_a_key_that_is_named_wrong_is_told_at_it() -> None:
    """Ours."""
    schema: Json = {"propertyNames": {"pattern": "^a"}}

    assert found(schema, '{"ab":1,"b/c":2}') == [
        ("/b~1c", "its name does not match the pattern ^a")
    ]


def test_of_a_nullable_field_the_other_form_is_judged() -> None:
    """schema-05-nullable-string-anyof."""
    schema: Json = {"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]}

    assert found(schema, '"a"') == [("", "must have at least 2 characters")]


def test_a_whole_number_may_be_written_with_a_fraction() -> None:
    """args-08-float-for-integer."""
    assert found({"type": "integer"}, "2.0") == []


def test_numbers_are_judged_exactly_as_large_as_they_are() -> None:
    """args-09-bigint-exact."""
    schema: Json = {"type": "integer", "maximum": 7205759403792793600}

    assert found(schema, "7205759403792793600") == []
    assert found(schema, "7205759403792793601") != []
    assert found({"type": "number", "maximum": 1}, "1e999999999") != []


def test_a_format_is_noted_and_does_not_speak_against_sending() -> None:
    """schema-34-unknown-formats."""
    schema = schema_of("schema-34")

    assert found(schema, '{"c":"not-a-uuid","b":"3.5s","a":7}') == []
    assert noted(schema, '{"c":"not-a-uuid"}') == [("/c", "is not a valid uuid")]


def test_a_pattern_that_takes_for_ever_is_not_waited_for() -> None:
    """schema-47-regex-redos; C-SCH-07."""
    started = time.process_time()

    with_lookahead: Json = {"pattern": "^(a|a)*\\1b$"}
    text = noted(with_lookahead, '"' + "a" * 5000 + '!"')
    plain = found(schema_of("schema-47"), '{"s":"' + "a" * 5000 + '!"}')

    assert text == [("", "pattern not validated (too slow)")]
    assert plain == [("/s", "does not match the pattern ^(a+)+$")]
    assert time.process_time() - started < 1


def test_a_schema_that_branches_without_end_is_not_judged() -> None:
    """C-SCH-07: sixty lines of schema that mean 2^60 comparisons."""
    defs: JsonObject = {
        f"d{at}": {"anyOf": [{"$ref": f"#/$defs/d{at + 1}"}, {"$ref": f"#/$defs/d{at + 1}"}]}
        for at in range(60)
    }
    defs["d60"] = {"type": "string"}
    schema: Json = {"$defs": defs, "properties": {"x": {"$ref": "#/$defs/d0"}}}

    assert noted(schema, '{"x":1}') == [("", "not validated: schema too complex")]


def test_a_schema_that_branches_with_each_level_of_the_value_is_not_judged() -> None:
    """C-SCH-07."""
    again: Json = {"properties": {"n": {"$ref": "#"}, "s": {"type": "string"}}}
    schema: Json = {"anyOf": [again, again, again]}
    text = '{"n":' * 30 + '{"s":1}' + "}" * 30

    assert noted(schema, text) == [("", "not validated: schema too complex")]


def test_many_values_by_a_schema_of_many_alternatives_are_not_validated() -> None:
    """C-SCH-07: neither is too much by itself; together they took 23 seconds, in which nothing else ran."""
    alternatives: Json = [{"const": -number} for number in range(1, 501)]
    checker = Checker({"items": {"anyOf": [*alternatives, {"type": "integer"}]}})
    value: Json = [*range(20_000)]
    started = time.process_time()

    report = checker.check(value)

    assert [note.text for note in report.notes] == ["not validated: schema too complex"]
    assert time.process_time() - started < 1


def test_of_a_large_value_only_the_first_problem_is_listed_and_that_is_noted() -> None:
    """C-SCH-07: to list 100,000 problems takes a second, to find one almost none."""
    value: Json = [*range(100_000)]
    started = time.process_time()

    wrong = Checker({"items": {"type": "string"}}).check(value)
    right = Checker({"items": {"type": "integer"}}).check(value)

    assert [problem.pointer for problem in wrong.problems] == ["/0"]
    assert wrong.notes == (FIRST_ONLY,)
    assert right == Report()
    assert time.process_time() - started < 2


def test_many_strings_share_the_time_for_one_pattern() -> None:
    """C-SCH-07: each of them stays just below the limit for one."""
    value: list[Json] = ["a" * 17] * 10_000
    started = time.process_time()

    report = Checker({"items": {"pattern": "^(?!(a|aa)+\\1b)a*$"}}).check(value)

    assert [note.text for note in report.notes][:1] == ["pattern not validated (too slow)"]
    assert time.process_time() - started < 1


def test_a_thousand_fields_of_one_definition_are_judged() -> None:
    """Ours: many is not heavy."""
    properties: JsonObject = {f"p{at}": {"$ref": "#/$defs/d"} for at in range(1000)}
    schema: Json = {
        "$defs": {"d": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "properties": properties,
    }

    assert found(schema, '{"p999":1}') == [("/p999", "must be a string or null")]


def test_a_wrong_keyword_is_noted_and_the_rest_still_counts() -> None:
    """schema-33-draft4-boolean-exclusive."""
    checker = Checker(cast("JsonObject", schema_of("schema-33")))

    assert [note.pointer for note in checker.schema_notes] == ["/properties/days/exclusiveMinimum"]
    assert [problem.text for problem in checker.check({"days": 400}).problems] == [
        "must be at most 365"
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "strnig"},
        {"properties": 5},
        {"pattern": "(["},
        {"$schema": "https://example.test/none"},
        {"$ref": "#/nowhere"},
        {"properties": {"a": {"$ref": "other.json#/x"}}},
        {"required": "a", "minimum": "1", "items": 3},
    ],
)
def test_a_wrong_schema_is_noted_and_nothing_raises(schema: Json) -> None:
    """schema-33-draft4-boolean-exclusive, schema-39-external-ref."""
    checker = Checker(cast("JsonObject", schema))

    assert checker.check({"a": 1}).problems == ()
    assert "$ref" in str(schema) or checker.schema_notes


def test_no_address_is_ever_asked_for_a_schema() -> None:
    """schema-39-external-ref; C-SCH-04, C-TOOL-15."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.setblocking(False)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/pet.json"

        assert found({"properties": {"pet": {"$ref": address}}}, '{"pet":{"n":1}}') == []

        with pytest.raises(BlockingIOError):
            listening.accept()


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/pet.json#/dog", "other.json", "urn:x:y"])
def test_what_an_external_reference_describes_is_noted_as_not_validated(address: str) -> None:
    """schema-39-external-ref; C-SCH-06: the rest of the schema counts all the same."""
    schema: JsonObject = {"properties": {"pet": {"$ref": address}, "n": {"type": "integer"}}}
    checker = Checker(schema)

    assert checker.check({"pet": 1, "n": 1}).problems == ()
    assert [each.pointer for each in checker.check({"n": "x"}).problems] == ["/n"]
    (note,) = checker.schema_notes
    assert note.pointer == "/properties/pet/$ref"
    assert address in note.text
    assert not note.is_wrong
    assert not note.is_wrong


@pytest.mark.parametrize("text", ['"\\ud800"', '{"\\udfff":1}', "[NaN,Infinity,-0]", "1e400"])
def test_odd_values_are_judged_without_raising(text: str) -> None:
    """Ours."""
    found({"type": "string"}, text)


def test_a_value_that_is_nested_too_deeply_is_not_judged() -> None:
    """C-SCH-07."""
    value = read(b"[" * 900 + b"]" * 900).value

    report = Checker(schema=True).check(value)

    assert report.problems == ()


def test_a_text_that_is_no_json_yet_is_the_only_problem_of_its_place() -> None:
    """Ours."""
    checker = Checker({"properties": {"a": {"type": "integer"}}})

    report = checker.check({"a": RawJson('{"x":')})

    assert [problem.pointer for problem in report.problems] == ["/a"]
    assert report.problems[0].text.startswith("not JSON: ")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        ),
        max_leaves=15,
    )
)
def test_no_value_whatever_raises(value: Json) -> None:
    """Ours."""
    Checker(cast("JsonObject", schema_of("schema-09"))).check(value)
