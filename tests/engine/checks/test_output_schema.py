"""Whether structured content fits the output schema of its tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.output_schema import MAX_FINDINGS, OutputSchema, OutputState
from inspector.finding import Severity
from inspector.spec.revision import V2025_03_26, V2025_11_25
from inspector.spec.views.call_result import CallToolResultView

if TYPE_CHECKING:
    from inspector.checks.output_schema import OutputCheck
    from inspector.wire.json_codec import Json, JsonObject

NUMBER: Json = {"properties": {"n": {"type": "integer"}}, "required": ["n"]}
TEXT: Json = [{"type": "text", "text": "{}"}]


def check(schema: Json, revision: object = V2025_11_25, **members: Json) -> OutputCheck:
    raw: JsonObject = {"content": TEXT, **members}
    spoken = V2025_11_25 if revision is V2025_11_25 else V2025_03_26
    return OutputSchema(schema).check(CallToolResultView(raw, revision=spoken))


def test_content_that_fits_the_whole_schema_is_valid() -> None:
    """C-TOOL-10."""
    assert check(NUMBER, structuredContent={"n": 1}).state is OutputState.VALID


def test_content_that_breaks_the_schema_is_a_finding_with_its_place() -> None:
    """C-TOOL-10, L-TOOL-19."""
    outcome = check(NUMBER, structuredContent={"n": "x"})

    assert outcome.state is OutputState.INVALID
    (finding,) = outcome.findings
    assert finding.rule == "L-TOOL-19"
    assert finding.pointer == "/result/structuredContent/n"
    assert finding.severity is Severity.ERROR
    assert finding.link.startswith("https://")


def test_content_is_not_called_valid_by_a_schema_that_is_not_all_there() -> None:
    """C-SCH-06: what is behind an external reference was not validated, which is noted with its URL."""
    schema: Json = {"properties": {"n": {"$ref": "http://127.0.0.1:9/n.json"}}}

    outcome = check(schema, structuredContent={"n": 1})

    assert outcome.state is OutputState.NOT_VALIDATED
    assert any("http://127.0.0.1:9/n.json" in note for note in outcome.notes)
    assert outcome.findings == ()


def test_an_error_need_not_fit() -> None:
    """C-TOOL-10: what does not fit is known, and no finding."""
    outcome = check(NUMBER, structuredContent={"n": "x"}, isError=True)

    assert outcome.state is OutputState.INVALID
    assert outcome.findings == ()
    assert check(NUMBER, isError=True).findings == ()


def test_structured_content_that_must_be_there_and_is_not_is_a_finding() -> None:
    """L-TOOL-18; null is a value."""
    assert [finding.rule for finding in check(NUMBER).findings] == ["L-TOOL-18"]
    assert check({"type": "null"}, structuredContent=None).state is OutputState.VALID


def test_a_revision_without_structured_content_cannot_miss_it() -> None:
    """Ours: a server of several revisions may list the schema in all of them."""
    assert check(NUMBER, V2025_03_26).findings == ()


@pytest.mark.parametrize("schema", [None, 7, "x", []])
def test_by_what_is_no_schema_nothing_is_validated(schema: Json) -> None:
    """Ours: the list is told that it is none."""
    outcome = check(schema, structuredContent={"n": 1})

    assert outcome.state is OutputState.NO_SCHEMA
    assert outcome.findings == ()


def test_many_broken_places_become_few_findings() -> None:
    """Ours: within the budget of the record."""
    days: list[Json] = ["x"] * (MAX_FINDINGS + 5)
    schema: Json = {"properties": {"days": {"items": {"type": "integer"}}}}

    outcome = check(schema, structuredContent={"days": days})

    assert len(outcome.findings) == MAX_FINDINGS + 1
    assert "5 more places" in outcome.findings[-1].summary
