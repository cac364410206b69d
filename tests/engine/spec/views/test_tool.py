"""Tools and pages of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.finding import Severity
from inspector.spec.revision import V2025_06_18, V2025_11_25, V2026_07_28
from inspector.spec.views.tool import ToolsPage, ToolView

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

SCHEMA: Json = {"type": "object"}


def tool(**members: Json) -> ToolView:
    """A tool with a schema."""
    return ToolView({"inputSchema": SCHEMA, **members}, "/result/tools/0", V2025_11_25)


def test_bad_names_are_shown_and_noted_and_lose_no_tool() -> None:
    """Corpus: list-08-bad-names."""
    names: list[Json] = [
        {"name": "Show every shelf", "inputSchema": SCHEMA},
        {"name": "", "inputSchema": SCHEMA},
        {"name": "x" * 300, "inputSchema": SCHEMA},
        {"inputSchema": SCHEMA},
        {"name": 7, "inputSchema": SCHEMA},
        {"name": "ok", "inputSchema": SCHEMA},
    ]

    page = ToolsPage({"tools": names}, revision=V2025_11_25)

    labels = [each.id_label for each in page.listed]
    assert labels == ["Show every shelf", "(empty name)", "x" * 300, "(no name)", "(7)", "ok"]
    assert [each.has_id for each in page.listed] == [True, True, True, False, False, True]
    assert page.listed[0].name == "Show every shelf"
    assert page.listed[4].exact_id == 7
    rules = [[note.rule for note in each.problems] for each in page.listed]
    assert rules == [["L-TOOL-03"], ["L-TOOL-02"], ["L-TOOL-02"], ["L-TOOL-01"], ["L-TOOL-01"], []]


def test_name_rules_only_inform_before_the_revision_that_has_them() -> None:
    """Source: server/tools, "Tool Names", since 2025-11-25."""
    old = ToolView({"name": "a b", "inputSchema": SCHEMA}, revision=V2025_06_18)

    assert [note.severity for note in old.problems] == [Severity.INFO]
    assert [note.severity for note in tool(name="a b").problems] == [Severity.WARNING]


def test_tools_of_the_same_name_are_all_there_and_all_noted() -> None:
    """Corpus: list-06-duplicate-names."""
    names = ["open_file", "twin", "misc", "twin", "open_file", "misc", "Twin", "alone"]

    page = ToolsPage({"tools": [{"name": each, "inputSchema": SCHEMA} for each in names]})

    assert len(page.listed) == 8
    duplicates = ToolsPage.duplicates(page.listed)
    rules = {number: found[0].rule for number, found in duplicates.items()}
    assert rules == {**dict.fromkeys(range(6), "L-TOOL-04"), 6: "L-TOOL-05"}
    assert duplicates[3][0].pointer == "/result/tools/3/name"
    assert duplicates[3][0] in page.findings


def test_clashes_are_found_across_pages() -> None:
    """Ours: the list on screen consists of several pages."""
    pages = [ToolsPage({"tools": [{"name": "a", "inputSchema": SCHEMA}]}) for _ in range(2)]

    assert set(ToolsPage.duplicates([*pages[0].listed, *pages[1].listed])) == {0, 1}


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ({}, "`tools` is missing"),
        ({"tools": None}, "`tools` must be an array, not null"),
        (
            {"tools": {"a": {"name": "a", "inputSchema": {"type": "object"}}}},
            "`tools` must be an array, not an object",
        ),
        (None, "the result of tools/list must be an object, not null"),
    ],
)
def test_a_page_without_a_list_of_tools_has_a_note_and_no_tools(result: Json, text: str) -> None:
    """Corpus: list-09-result-shapes, variants 1 to 3."""
    page = ToolsPage(result, revision=V2025_11_25)

    assert page.listed == ()
    assert page.raw == result
    assert [note.summary for note in page.notes] == [text]


def test_odd_wrappers_of_a_page_are_noted_and_kept() -> None:
    """Corpus: list-09-result-shapes, variant 4."""
    raw: Json = {"tools": [], "_meta": {"x": 1}, "ttlMs": -5, "cacheScope": "everyone", "extra": 1}

    page = ToolsPage(raw, revision=V2026_07_28)

    assert [note.rule for note in page.notes] == ["L-CCH-02", "L-CCH-03"]
    assert (page.caching.ttl_ms, page.caching.scope) == (0, "private")
    assert page.meta == {"x": 1}
    assert page.unknown == {"extra": 1}


@pytest.mark.parametrize(
    ("raw", "cursor", "rules"),
    [
        ({}, None, []),
        ({"nextCursor": ""}, "", []),
        ({"nextCursor": "8"}, "8", []),
        ({"nextCursor": None}, None, ["L-PAG-01"]),
        ({"nextCursor": 8}, None, ["L-PAG-01"]),
    ],
)
def test_empty_text_is_a_cursor_and_null_is_the_end(
    raw: dict[str, Json], cursor: str | None, rules: list[str]
) -> None:
    """Corpus: list-01-cursor-empty-modern, list-03-cursor-does-not-advance."""
    page = ToolsPage({"tools": [], **raw})

    assert page.next_cursor == cursor
    assert [note.rule for note in page.notes] == rules


def test_items_that_are_no_tools_are_rows_all_the_same() -> None:
    """Ours: a list of four tools of which one is malformed shows four rows."""
    items: list[Json] = [{"name": "a", "inputSchema": SCHEMA}, 7, None, ["x"], "tool"]

    page = ToolsPage({"tools": items})

    assert [each.raw for each in page.listed] == items
    assert [each.label for each in page.listed[1:]] == ["(no name)"] * 4
    assert page.listed[1].problems[0].summary == "a tool must be an object, not a number"


def test_annotations_have_the_defaults_of_the_specification() -> None:
    """Source: ToolAnnotations in the schema."""
    hints = tool(name="a").annotations

    assert (hints.read_only, hints.destructive, hints.idempotent, hints.open_world) == (
        False,
        True,
        False,
        True,
    )
    assert hints.hints()[1] == ("destructive", True, False)


def test_annotations_that_are_stated_say_so_and_odd_ones_keep_the_default() -> None:
    """Source: ToolAnnotations in the schema."""
    found = tool(name="a", annotations={"readOnlyHint": True, "destructiveHint": "no"})

    assert found.annotations.is_stated("readOnlyHint")
    assert not found.annotations.is_stated("destructiveHint")
    assert found.annotations.destructive
    assert [text for text, _, _ in found.annotations.hints()] == ["read-only", "open world"]
    assert [note.pointer for note in found.problems] == [
        "/result/tools/0/annotations/destructiveHint"
    ]


def test_the_label_is_title_then_annotated_title_then_name() -> None:
    """C-MET-11; source: schema, BaseMetadata."""
    annotated: Json = {"title": "Annotated"}

    assert tool(name="n", title="Title", annotations=annotated).label == "Title"
    assert tool(name="n", annotations=annotated).label == "Annotated"
    assert tool(name="n").label == "n"


@pytest.mark.parametrize(
    ("schema", "expected", "notes"),
    [
        ({"type": "object"}, {"type": "object"}, 0),
        ({"type": "array"}, {"type": "array"}, 1),
        ({}, {}, 1),
        (True, True, 1),
        (None, None, 1),
        ("x", None, 1),
    ],
)
def test_schemas_of_any_kind_are_kept_and_noted(schema: Json, expected: Json, notes: int) -> None:
    """Source: server/tools, "Tool"; corpus: result-17-outputschema-uncompilable."""
    found = ToolView({"name": "a", "inputSchema": schema})

    assert found.input_schema == expected
    assert found.value("inputSchema") == schema
    assert len(found.problems) == notes


def test_task_support_is_forbidden_unless_something_valid_is_said() -> None:
    """Source: basic/utilities/tasks, "Tool-Level Negotiation"."""
    assert tool(name="a").task_support == "forbidden"
    assert tool(name="a", execution={"taskSupport": "required"}).task_support == "required"
    assert tool(name="a", execution={"taskSupport": ["x"]}).task_support == "forbidden"


def test_icons_of_unsafe_kinds_are_kept_and_marked() -> None:
    """C-ICO-03; source: basic, "Icons"."""
    found = tool(name="a", icons=[{"src": "javascript:x"}, {"src": "https://a/b.png"}, 3])

    assert [icon.is_safe for icon in found.icons] == [False, True, False]
    assert "L-ICO-01" in [note.rule for note in found.problems]


ODD: JsonObject = {
    "name": "a b",
    "title": 1,
    "inputSchema": [],
    "annotations": {"readOnlyHint": 1},
    "x": 2,
}


def test_what_is_odd_does_not_depend_on_what_was_looked_at_first() -> None:
    """Ours: of thousands of tools only those that are looked at are read as a whole."""
    straight, crossways = ToolView(ODD), ToolView(ODD)
    assert crossways.header_problems == ()
    assert crossways.annotations.read_only is False
    assert crossways.input_schema is None

    assert [note.pointer for note in straight.notes] == [note.pointer for note in crossways.notes]
    assert len(straight.notes) == 4
    assert straight.problems == tuple(straight.notes)
    assert straight.unknown == ToolView(ODD).unknown == {"x": 2}
