"""Cases about lists and their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.session.paginated_list import ListState
from inspector.spec.view import PAGE_BUDGET
from tests.support.corpus import connected, variants

if TYPE_CHECKING:
    from pathlib import Path


async def test_an_empty_cursor_for_ever_is_noticed_at_once(tmp_path: Path) -> None:
    """list-02-cursor-empty-forever-legacy."""
    async with connected("list-02-cursor-empty-forever-legacy", tmp_path) as played:
        assert played.names() == ["a", "b"]
        assert any(note.rule == "L-PAG-04" for note in played.opened.tools.findings)
        assert played.methods().count("tools/list") <= 2


async def test_a_cursor_that_does_not_advance_is_noticed(tmp_path: Path) -> None:
    """list-03-cursor-does-not-advance."""
    async with connected("list-03-cursor-does-not-advance", tmp_path) as played:
        assert played.names() == ["t1", "t2", "t3"]
        assert any("'8' repeated" in note.summary for note in played.opened.tools.findings)
        assert played.methods().count("tools/list") <= 3


async def test_tools_of_the_same_name_stay_apart(tmp_path: Path) -> None:
    """list-06-duplicate-names."""
    async with connected("list-06-duplicate-names", tmp_path) as played:
        tools = played.opened.tools
        assert played.names() == ["open_file", "twin", "misc", "twin", "open_file", "misc"]
        assert [tool.label for tool in tools.items if tool.name == "open_file"] == [
            "First open",
            "Second open",
        ]
        assert [found[0].rule for found in tools.duplicates.values()] == ["L-TOOL-04"] * 6
        schema = tools.items[4].input_schema
        assert isinstance(schema, dict)
        assert schema["properties"] == {"b": {"type": "string"}}


async def test_names_of_every_kind_are_listed_and_can_be_called(tmp_path: Path) -> None:
    """list-08-bad-names."""
    async with connected("list-08-bad-names", tmp_path) as played:
        tools = played.opened.tools
        assert len(tools.items) == 6
        assert played.names()[-1] == "ok"
        assert [bool(tool.problems) for tool in tools.items] == [True] * 5 + [False]
        assert tools.items[2].name == "x" * 300

        await tools.call(tools.items[0], "{}").wait()
        request = await played.received_soon("tools/call")
        params = request["params"]
        assert isinstance(params, dict)
        assert params["name"] == "Show every shelf"


async def test_what_is_no_tool_is_told_and_costs_no_other(tmp_path: Path) -> None:
    """schema-20-null-entry-in-tools: it keeps its place among the tools, and cannot be taken for one."""
    async with connected("schema-20-null-entry-in-tools", tmp_path) as played:
        tools = played.opened.tools
        assert (tools.state, tools.failure) == (ListState.READ, None)
        assert [item.name for item in tools.items if not item.problems] == ["a", "b"]
        (told,) = tools.items[1].problems
        assert (told.rule, told.pointer) == ("L-TOOL-01", "/result/tools/1")
        (frame,) = played.frames(text="null,")
        played.judge()
        places = {finding.pointer for finding in played.transcript.findings(frame)}
        assert any(place.startswith("/result/tools/1") for place in places)

        await tools.call(tools.items[2], "{}").wait()
        request = await played.received_soon("tools/call")
        assert isinstance(request["params"], dict)
        assert request["params"]["name"] == "b"


@pytest.mark.parametrize("variant", variants("list-09-result-shapes"))
async def test_a_list_of_any_shape_is_read_with_a_note(tmp_path: Path, variant: int) -> None:
    """list-09-result-shapes."""
    async with connected("list-09-result-shapes", tmp_path, variant) as played:
        tools = played.opened.tools
        assert tools.state is ListState.READ
        text = " ".join(note.summary for note in tools.findings)
        assert "ttlMs" in text if variant == 4 else "tools" in text
        assert variant == 3 or tools.items == ()
        assert tools.failure is None


async def test_endless_pages_stop_at_the_budget(tmp_path: Path) -> None:
    """list-11-endless-distinct-pages."""
    async with connected("list-11-endless-distinct-pages", tmp_path) as played:
        tools = played.opened.tools
        assert (len(tools.items), tools.more) == (10 * PAGE_BUDGET, True)
        assert played.methods().count("tools/list") == PAGE_BUDGET
        assert "5,000 tools" in played.session.steps[-1].status_text
