"""Structured content beside the same as text, for clients that know text alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.finding import Severity
from inspector.spec.revision import NEWEST, V2025_03_26, V2025_11_25
from inspector.spec.views.call_result import CallToolResultView, check_text_fallback
from inspector.wire.lazy_json import LARGE

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json


def found(
    structured: Json, *texts: str, revision: Revision = V2025_11_25, **more: Json
) -> list[tuple[str, Severity]]:
    content: Json = [{"type": "text", "text": text} for text in texts]
    raw: Json = {"content": content, "structuredContent": structured, **more}
    findings = check_text_fallback(CallToolResultView(raw, revision=revision))
    return [(finding.rule, finding.severity) for finding in findings]


@pytest.mark.parametrize(
    ("structured", "texts"),
    [
        ({"a": 1, "b": [True]}, ['{"b": [true],\n "a": 1.0}']),
        ({"a": 1}, ["as a table:", '{"a":1}']),
        ({"result": "sunny"}, ["sunny"]),
        ({"result": 5}, ["5"]),
        ({"result": [1, 2]}, ["1", "2"]),
        ({"result": ["a", "b"]}, ["a", "b"]),
        ([1, 2], ["[1,2]"]),
    ],
)
def test_the_same_as_json_in_a_text_block_is_enough(structured: Json, texts: list[str]) -> None:
    """L-TOOL-21: also as SDKs wrap a value that is no object."""
    assert found(structured, *texts, revision=NEWEST) == []


def test_structured_content_without_any_text_is_a_warning() -> None:
    """L-TOOL-21."""
    assert found({"a": 1}) == [("L-TOOL-21", Severity.WARNING)]


def test_a_text_that_says_something_else_is_remarked_on() -> None:
    """L-TOOL-21: a summary for people is no fault."""
    assert found({"a": 1}, "one a") == [("L-TOOL-21", Severity.INFO)]
    assert found({"a": 1}, '{"a":2}') == [("L-TOOL-21", Severity.INFO)]


@pytest.mark.parametrize("structured", [[1], 5, None, "x"])
def test_a_value_that_is_no_object_must_come_with_text(structured: Json) -> None:
    """L-TOOL-22: where the revision allows it."""
    assert found(structured, revision=NEWEST) == [("L-TOOL-22", Severity.ERROR)]


def test_errors_questions_and_older_revisions_need_none() -> None:
    """Ours."""
    assert found({"a": 1}, isError=True) == []
    assert found({"a": 1}, revision=V2025_03_26) == []
    assert found({"a": 1}, revision=NEWEST, resultType="input_required") == []


def test_what_is_too_large_to_be_compared_is_not_remarked_on() -> None:
    """Ours: the pages of the window look at it, too."""
    assert found({"a": 1}, "x" * (LARGE + 1)) == []
