"""What is said of structured content beside the output schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.views.call_result import CallToolResultView
from inspector.spec.views.tool import ToolView
from ui.features.tools.structured import verdict

if TYPE_CHECKING:
    from inspector.wire.jsontext import Json

RESULT = CallToolResultView(
    {"content": [{"type": "text", "text": "{}"}], "structuredContent": {"n": 1}}
)


def tool(output: Json) -> ToolView:
    return ToolView({"name": "x", "inputSchema": {"type": "object"}, "outputSchema": output})


def test_content_that_fits_the_whole_schema_is_valid() -> None:
    """C-TOOL-10."""
    assert verdict(tool({"properties": {"n": {"type": "integer"}}}), RESULT).tone == "ok"


def test_content_is_not_called_valid_by_a_schema_that_is_not_all_there() -> None:
    """C-SCH-06: what is behind an external reference was not judged, which is said with its address."""
    told = verdict(tool({"properties": {"n": {"$ref": "http://127.0.0.1:9/n.json"}}}), RESULT)

    assert told.tone == "warning"
    assert "valid:" not in told.words
    assert "external reference not loaded: 'http://127.0.0.1:9/n.json'" in told.words
