"""What of a message is repeated in headers, and how."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from inspector.spec.mirrored_headers import (
    LARGEST_INTEGER,
    annotated,
    decode,
    encode,
    mirrored,
    mirrored_arguments,
    well_formed,
)
from inspector.spec.revision import NEWEST
from inspector.wire import json_codec

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


def annotation(name: Json, type_: Json = "string") -> JsonObject:
    return {"type": type_, "x-mcp-header": name}


def schema(**properties: Json) -> JsonObject:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize("plain", ["a", "", "a b", "file:///a b.txt", "x=?base64?", "=?BASE64?x?="])
def test_what_survives_as_it_is_is_sent_as_it_is(plain: str) -> None:
    """C-HTTP-30."""
    assert encode(plain) == plain


@pytest.mark.parametrize("odd", ["ü", " a", "a ", "\ta", "a\tb", "a\nb", "\x7f", "=?base64?x?="])
def test_everything_else_travels_in_base64(odd: str) -> None:
    """C-HTTP-24, C-HTTP-30, C-HTTP-31."""
    text = encode(odd)
    assert text.startswith("=?base64?")
    assert text.endswith("?=")
    assert base64.b64decode(text[9:-2]).decode() == odd


@pytest.mark.parametrize("half", ["\ud800", "a\udc00b", "\udc00\ud800"])
def test_half_a_surrogate_pair_is_replaced_and_that_is_told(half: str) -> None:
    """C-HTTP-24: the value is UTF-8, which has no form for it; ours: the header says as much as it can, and never in silence."""
    found = mirrored("tools/call", {"name": half}, NEWEST)

    name = found.headers[-1]
    assert decode(name.value) == well_formed(half)
    assert "\N{REPLACEMENT CHARACTER}" in decode(name.value)
    assert not name.is_exact
    assert [trouble.pointer for trouble in found.problems] == ["/params/name"]
    assert "U+FFFD" in found.problems[0].summary


def test_two_halves_that_are_a_pair_are_one_character() -> None:
    """Ours."""
    found = mirrored("tools/call", {"name": "\ud83d\ude00"}, NEWEST)

    assert decode(found.headers[-1].value) == "😀"
    assert found.problems == ()


def test_an_argument_with_half_a_surrogate_pair_is_told_as_well() -> None:
    """C-HTTP-24, C-HTTP-29."""
    found = mirrored_arguments(schema(a=annotation("A")), {"a": "x\ud800"})

    assert [name for name, _ in found.pairs] == ["Mcp-Param-A"]
    assert [trouble.pointer for trouble in found.problems] == ["/params/arguments/a"]


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("7", "7"),
        ("-7", "-7"),
        ("7.0", "7"),
        ("1e3", "1000"),
        ("true", "true"),
        ("false", "false"),
        ('""', ""),
        ('"7"', "7"),
        ("null", None),
        (str(LARGEST_INTEGER), str(LARGEST_INTEGER)),
        (str(-LARGEST_INTEGER), str(-LARGEST_INTEGER)),
    ],
)
def test_values_are_converted_as_the_text_says(text: str, header: str | None) -> None:
    """C-HTTP-29, C-HTTP-32."""
    value = json_codec.read(f'{{"a":{text}}}'.encode()).value
    found = mirrored_arguments(schema(a=annotation("A", "integer")), value)

    assert found.pairs == (() if header is None else (("Mcp-Param-A", header),))
    assert found.problems == ()


@pytest.mark.parametrize("text", ["1.5", "{}", "[1]", str(LARGEST_INTEGER + 1), "1e400"])
def test_what_has_no_form_in_a_header_is_left_out_and_told(text: str) -> None:
    """C-HTTP-29: the call is not blocked for it."""
    value = json_codec.read(f'{{"a":{text}}}'.encode()).value
    found = mirrored_arguments(schema(a=annotation("A", "integer")), value)

    assert found.headers == ()
    assert [finding.pointer for finding in found.problems] == ["/params/arguments/a"]


def test_values_are_read_at_the_exact_place() -> None:
    """C-HTTP-33."""
    nested = schema(o=schema(a=annotation("Deep")))

    assert mirrored_arguments(nested, {"a": "no", "o": {"a": "yes"}}).pairs == (
        ("Mcp-Param-Deep", "yes"),
    )
    assert mirrored_arguments(nested, {"o": [{"a": "no"}]}).pairs == ()
    assert mirrored_arguments(nested, None).pairs == ()


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        (schema(a=annotation("")), "empty"),
        (schema(a=annotation(7)), "must be a string"),
        (schema(a=annotation(None)), "must be a string"),
        (schema(a=annotation("A B")), "not a valid header name"),
        (schema(a=annotation("A:")), "not a valid header name"),
        (schema(a=annotation("Ä")), "not a valid header name"),
        (schema(a=annotation("A\x00")), "not a valid header name"),
        (schema(a=annotation("A", ["string", "null"])), "allowed: "),
        (schema(a=annotation("A", "number")), "allowed: "),
        (schema(a={"x-mcp-header": "A"}), "nothing"),
        (schema(a=annotation("A"), b=annotation("a")), "repeats "),
        ({**schema(), "x-mcp-header": "A"}, "properties"),
        (schema(a={"type": "array", "items": annotation("A")}), "properties"),
        ({"allOf": [schema(a=annotation("A"))]}, "properties"),
        ({"$defs": {"d": annotation("A")}}, "properties"),
        ({"if": schema(a=annotation("A"))}, "properties"),
        ({"additionalProperties": annotation("A")}, "properties"),
        ({"patternProperties": {".": annotation("A")}}, "properties"),
    ],
)
def test_each_rule_of_annotations_is_kept(bad: JsonObject, text: str) -> None:
    """C-HTTP-26, L-TOOL-38."""
    problems = annotated(bad).problems

    assert len(problems) == 1
    assert text in problems[0].summary
    assert problems[0].pointer.endswith("/x-mcp-header")


@pytest.mark.parametrize("name", ["Method", "a", "!#$%&'*+-.^_`|~0"])
def test_any_token_is_a_name(name: str) -> None:
    """C-HTTP-26."""
    assert [each.header for each in annotated(schema(a=annotation(name))).valid] == [name]


def test_examples_and_defaults_are_not_looked_into() -> None:
    """C-HTTP-26: places of schemas only."""
    inner = schema(a=annotation(7))
    assert (
        annotated(schema(b={"default": inner, "const": inner, "examples": [inner]})).problems == ()
    )


def test_a_schema_without_end_is_looked_at_for_a_while() -> None:
    """Ours: bounded, and no recursion."""
    deep: JsonObject = {}
    for _ in range(5000):
        deep = {"properties": {"a": deep}}

    assert annotated(deep).problems == ()


@pytest.mark.parametrize("value", [None, 7, "x", [], True, {"properties": 7}, {"items": [7]}])
def test_what_is_no_schema_annotates_nothing(value: Json) -> None:
    """Ours."""
    assert annotated(value) == ((), ())


def test_only_some_methods_repeat_a_name() -> None:
    """C-HTTP-23."""
    named = {
        method: dict(mirrored(method, {"name": "n", "uri": "u"}, NEWEST).pairs).get("Mcp-Name")
        for method in ("tools/call", "prompts/get", "resources/read", "tools/list", "x")
    }
    assert named == {
        "tools/call": "n",
        "prompts/get": "n",
        "resources/read": "u",
        "tools/list": None,
        "x": None,
    }


def test_a_name_that_is_no_text_is_not_repeated() -> None:
    """Ours."""
    pairs = mirrored("tools/call", {"name": 7}, NEWEST).pairs
    assert [name for name, _ in pairs] == ["MCP-Protocol-Version", "Mcp-Method"]
