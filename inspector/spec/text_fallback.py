"""Whether a result with structured content says the same in text, for clients that know text alone. Pure.

Source: server/tools, "Structured Content" ("a tool that returns structured content SHOULD also return the serialized JSON in a
TextContent block"); SEP-2106 for values that are no objects; L-TOOL-21, L-TOOL-22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec import revision as revisions
from inspector.spec.spec_urls import link
from inspector.spec.views.content import TextContent
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.lazy_json import LARGE, LazyArray, LazyObject

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.spec.views.call_result import CallToolResultView
    from inspector.wire.json_codec import Json

SHOULD, MUST = "L-TOOL-21", "L-TOOL-22"

WRAPPER = "result"
"""The member in which SDKs put a value that is no object; the text has the value alone."""


def of_result(result: CallToolResultView) -> Iterator[Finding]:
    """Yield what is missing in the text of a result."""
    revision = result.revision or revisions.NEWEST
    if not (result.has_structured and result.is_complete and revision.has_structured_content):
        return
    if result.is_error:
        return
    page = link("tools", result.revision, "Structured Content")
    texts = [
        block.body
        for block in result.content
        if isinstance(block, TextContent) and not block.is_malformed
    ]
    if not texts and revision.structured_content_is_any and not isinstance(result.structured, dict):
        text = "structured content that is no object must come with a text block, for older clients"
        yield Finding(MUST, Severity.ERROR, text, result.pointer_to("content"), page)
    elif not texts:
        text = "structured content should come with a text block that has the same as JSON"
        yield Finding(SHOULD, Severity.WARNING, text, result.pointer_to("content"), page)
    elif not _says_the_same(texts, result.structured):
        text = "no text block has the structured content as JSON; clients that know text alone read something else"
        yield Finding(SHOULD, Severity.INFO, text, result.pointer_to("content"), page)


def _says_the_same(texts: Sequence[str], structured: Json) -> bool:
    """Whether the texts have the value; what is too large to be compared counts as the same."""
    if sum(map(len, texts)) > LARGE:
        return True
    if isinstance(structured, LazyObject | LazyArray):
        return False  # more text than there is in the blocks
    values = [_value(text) for text in texts]
    if structured in values or structured in texts:
        return True
    if not isinstance(structured, dict) or set(structured) != {WRAPPER}:
        return False
    inner = structured[WRAPPER]
    return inner in values or inner in texts or inner in (values, list(texts))


def _value(text: str) -> Json:
    try:
        return json_codec.read(text.encode("utf-8", "surrogatepass")).value
    except JsonSyntaxError:
        return text
