"""What is wrong with the schemas of listed tools is told about their list; ours beside the rules."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.spec.revision import V2025_06_18, V2025_11_25, V2026_07_28
from tests.support.findings import validate_all
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

TEXT: JsonObject = {"a": {"type": "string"}}
ANCHOR: JsonObject = {"a": {"$anchor": "x"}}
OLD = "http://json-schema.org/draft-07/schema#"


def told(
    schema: JsonObject, key: str = "inputSchema", revision: Revision = V2025_11_25
) -> list[tuple[str, str]]:
    """Rule and pointer of the findings about the schema of a tool, in its list."""
    talk = Talk()
    talk.request(1, "tools/list")
    tool: JsonObject = {"name": "a", "inputSchema": {"type": "object"}, key: schema}
    page = talk.result(1, tools=[{"name": "b", "inputSchema": {"type": "object"}}, tool])
    judge(talk, revision)
    found = talk.transcript.findings(page)
    rules = ("schema-of-no-dialect", "L-TOOL-09", "L-TOOL-10", "L-TOOL-12", "not-judged")
    return [(each.rule, each.pointer) for each in found if each.rule in rules]


def judge(talk: Talk, revision: Revision) -> None:
    validate_all(BackgroundValidator(talk.transcript, revision))


def of(**members: Json) -> JsonObject:
    return {"type": "object", **members}


@pytest.mark.parametrize("key", ["inputSchema", "outputSchema"])
def test_a_schema_that_is_none_of_its_dialect_is_told_where_it_is_wrong(key: str) -> None:
    """L-TOOL-09: basic, "JSON Schema Usage"; without `$schema` it is 2020-12."""
    place = f"/result/tools/1/{key}"

    assert told(of(properties={"a": {"type": "objekt"}}), key) == [
        ("L-TOOL-09", f"{place}/properties/a/type")
    ]
    assert told(of(properties={"a": {"minimum": 1, "exclusiveMinimum": True}}), key) == [
        ("L-TOOL-09", f"{place}/properties/a/exclusiveMinimum")
    ]


@pytest.mark.parametrize(
    "schema",
    [
        of(properties={"a": {"items": [{"type": "string"}]}}, **{"$schema": OLD}),
        of(properties={"a": {"x-own": 1, "format": "no-such-format"}}),
        of(properties={"a": {"type": "string", "pattern": "^(?<year>\\d{4})\\u{1F600}$"}}),
        of(properties={"a": {"$ref": "#/$defs/a"}}, **{"$defs": TEXT}),
        of(properties={"a": {"$ref": "#x"}}, **{"$defs": ANCHOR}),
        of(properties={"a": {"$ref": "https://x.example/schema"}}),
    ],
)
def test_a_schema_that_is_valid_is_not_found_fault_with(schema: JsonObject) -> None:
    """L-TOOL-09, L-TOOL-12: patterns may be of a kind that only the validator cannot read."""
    assert told(schema) == []


def test_before_the_revision_that_names_a_dialect_a_schema_may_be_of_any() -> None:
    """L-TOOL-09, L-TOOL-10."""
    assert told(of(properties={"a": {"items": [{"type": "string"}]}}), revision=V2025_06_18) == []
    assert told(of(**{"$schema": "urn:own"}), revision=V2025_06_18) == []
    for wrong in (of(properties={"a": {"type": "str"}}), of(required=True)):
        assert [rule for rule, _ in told(wrong, revision=V2025_06_18)] == ["schema-of-no-dialect"]
    assert told(of(properties={"type": "string"}), revision=V2025_06_18) == []


def test_a_dialect_nobody_knows_is_told() -> None:
    """L-TOOL-10."""
    assert told(of(**{"$schema": "urn:own"})) == [
        ("L-TOOL-10", "/result/tools/1/inputSchema/$schema")
    ]


@pytest.mark.parametrize("reference", ["#/$defs/lost", "#lost"])
def test_a_reference_that_leads_nowhere_is_told(reference: str) -> None:
    """L-TOOL-12: in any revision."""
    schema = of(properties={"a": {"$ref": reference}}, **{"$defs": TEXT})

    for revision in (V2025_06_18, V2026_07_28):
        assert told(schema, revision=revision) == [("L-TOOL-12", "/result/tools/1/inputSchema")]


def test_a_schema_with_many_faults_is_told_in_few_lines() -> None:
    """Ours."""
    wrong: JsonObject = {f"p{number}": {"type": "objekt"} for number in range(12)}
    found = told(of(properties=wrong))

    assert len(found) == 6
    assert {rule for rule, _ in found} == {"L-TOOL-09"}


def test_a_schema_that_is_too_large_is_not_validated_and_that_is_told() -> None:
    """Ours."""
    large: JsonObject = {f"property_{number}": {"type": "string"} for number in range(6_000)}

    assert told(of(properties=large)) == [("not-judged", "/result/tools/1/inputSchema")]


def test_what_is_found_later_is_announced() -> None:
    """Ours: the row of the frame was drawn before."""
    talk, announced = Talk(), list[int]()
    talk.request(1, "tools/list")
    page = talk.result(1, tools=[{"name": "a", "inputSchema": of(minLength="x")}])
    talk.transcript.findings_changed.subscribe(
        lambda: announced.append(len(talk.transcript.findings(page)))
    )
    validate_all(BackgroundValidator(talk.transcript, V2025_11_25))

    assert announced
    assert announced[-1] == len(talk.transcript.findings(page)) > 0


def test_what_a_rule_on_the_whole_list_finds_alone_in_its_slice_is_announced() -> None:
    """Ours: it stands at an item, and nothing else may be found in the same slice."""
    talk, announced = Talk(), list[int]()
    talk.request(1, "tools/list")
    page = talk.result(
        1, tools=[{"name": "a", "inputSchema": {"type": "object"}} for _ in range(3)]
    )
    talk.transcript.findings_changed.subscribe(
        lambda: announced.append(len(talk.transcript.findings(page)))
    )
    sweep = BackgroundValidator(talk.transcript, V2025_11_25)
    while sweep.pending:
        if sweep.rules.pending:
            sweep.rules.work(until=0.0)
        else:
            sweep.validate_slice()
        assert (announced or [0])[-1] == len(talk.transcript.findings(page))


def test_a_long_list_is_validated_in_slices() -> None:
    """Ours: the loop gets its turns in between. Pauses of the garbage collector grow with what other tests keep."""
    talk = Talk()
    talk.request(1, "tools/list")
    schemas: list[JsonObject] = [
        of(properties={f"p{number}_{each}": {"type": "string"} for each in range(20)})
        for number in range(600)
    ]
    talk.result(1, tools=[{"name": "a", "inputSchema": schema} for schema in schemas])
    sweep = BackgroundValidator(talk.transcript, V2025_11_25)
    slices: list[float] = []
    gc.disable()
    while sweep.pending:
        began = time.thread_time()
        sweep.validate_slice(0.005)
        slices.append(time.thread_time() - began)
    gc.enable()

    assert len(slices) > 2
    assert max(slices[1:]) < 0.1
