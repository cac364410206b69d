"""Capabilities: the table, and the tolerant reading of what was declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.finding import Severity
from inspector.spec import capabilities
from inspector.spec.capability_table import CAPABILITIES
from inspector.spec.methods import METHODS, Side
from inspector.spec.revision import (
    NEWEST,
    REVISIONS,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
    Revision,
)
from inspector.spec.spec_urls import TOPICS

if TYPE_CHECKING:
    from inspector.spec.capabilities import CapabilityRow
    from inspector.wire.json_codec import Json


def rows(declared: Json, revision: Revision = V2025_06_18) -> dict[str, CapabilityRow]:
    """Rows by name."""
    return {row.name: row for row in capabilities.rows(declared, Side.SERVER, revision)}


def test_an_empty_object_declares_and_null_does_not() -> None:
    """Corpus: lifecycle-03-capabilities-shapes, variant 3."""
    found = rows({"tools": None, "prompts": {}})

    assert not found["tools"].declared
    assert found["tools"].present
    assert [each.severity for each in found["tools"].findings] == [Severity.WARNING]
    assert found["prompts"].declared
    assert not found["prompts"].findings


@pytest.mark.parametrize("value", [True, "yes", [{"name": "a"}], 1])
def test_other_shapes_count_as_what_was_probably_meant_and_are_noted(value: Json) -> None:
    """Corpus: lifecycle-03-capabilities-shapes, variants 4 and 5."""
    row = rows({"tools": value})["tools"]

    assert row.declared
    assert row.raw == value
    assert [each.rule for each in row.findings] == ["L-CAP-07"]
    assert row.findings[0].pointer == "/tools"


@pytest.mark.parametrize("value", [False, "", "no", "false", 0])
def test_shapes_that_say_no_are_read_as_no(value: Json) -> None:
    """Ours."""
    row = rows({"tools": value})["tools"]

    assert not row.declared
    assert row.findings


@pytest.mark.parametrize("declared", [None, [], "tools", 7, True])
def test_capabilities_that_are_no_object_declare_nothing_and_are_noted(declared: Json) -> None:
    """Corpus: lifecycle-03-capabilities-shapes, variants 1 and 2."""
    found = capabilities.problems(declared, Side.SERVER, V2025_06_18, "/result/capabilities")

    assert [(each.rule, each.pointer) for each in found] == [("L-CAP-07", "/result/capabilities")]
    assert not any(row.declared for row in capabilities.rows(declared, Side.SERVER, V2025_06_18))


def test_a_key_nobody_defines_is_kept_and_marked() -> None:
    """Corpus: lifecycle-03-capabilities-shapes, variant 5."""
    row = rows({"foo": {"deep": [1]}})["foo"]

    assert row.declared
    assert not row.defined
    assert row.raw == {"deep": [1]}
    assert row.summary == "not defined in this revision"


def test_experiments_and_extensions_each_have_a_row_of_their_own() -> None:
    """C-EXT-01, L-DSC-13; source: basic/versioning, "Extension Negotiation"."""
    declared: Json = {
        "experimental": {"x": 1},
        "extensions": {"io.modelcontextprotocol/tasks": {}, "bare": {}},
    }

    found = rows(declared, V2026_07_28)

    assert [each.rule for each in found["experimental.x"].findings] == ["L-CAP-07"]
    assert found["extensions.io.modelcontextprotocol/tasks"].defined
    assert [each.rule for each in found["extensions.bare"].findings] == ["L-DSC-13"]
    place = capabilities.problems({"extensions": {"a/b": 1}}, Side.SERVER, V2026_07_28, "/c")[
        0
    ].pointer
    assert place == "/c/extensions/a~1b"


def test_a_capability_of_another_revision_is_shown_and_said_to_be_one() -> None:
    """Source: basic/utilities/tasks, which is core in 2025-11-25 only."""
    early, late = rows({"tasks": {"list": {}}}, V2025_06_18), rows({"tasks": {}}, V2026_07_28)

    assert "was added in 2025-11-25" in early["tasks"].findings[0].summary
    assert "was removed after 2025-11-25" in late["tasks"].findings[0].summary
    assert early["tasks.list"].declared


def test_deprecated_capabilities_say_so_from_the_revision_that_deprecates_them() -> None:
    """Source: the page "deprecated" of 2026-07-28."""
    assert not rows({"logging": {}}, V2025_11_25)["logging"].deprecated
    assert rows({"logging": {}}, V2026_07_28)["logging"].deprecated


def test_undeclared_capabilities_have_rows_but_what_is_inside_them_has_none() -> None:
    """Ours: a table of what could be and is not."""
    found = rows({})

    assert not found["tools"].present
    assert "tools.listChanged" not in found
    assert "tools.listChanged" in rows({"tools": {}})


def test_rows_stand_after_the_one_that_holds_them() -> None:
    """Ours: the table is drawn as an indented list."""
    names = [row.name for row in capabilities.rows({"resources": {}}, Side.SERVER, V2025_11_25)]

    at = names.index("resources")
    assert names[at : at + 3] == ["resources", "resources.subscribe", "resources.listChanged"]


@pytest.mark.parametrize(
    ("declared", "path", "expected"),
    [
        ({"elicitation": {}}, ("elicitation", "form"), True),
        ({"elicitation": {"url": {}}}, ("elicitation", "form"), False),
        ({"elicitation": {"url": {}}}, ("elicitation", "url"), True),
        ({"elicitation": {}}, ("elicitation", "url"), False),
        ({}, ("elicitation", "form"), False),
        ({"tools": {"listChanged": True}}, ("tools", "listChanged"), True),
        ({"tools": True}, ("tools", "listChanged"), False),
        (None, ("tools",), False),
        ({"tools": {}}, (), True),
    ],
)
def test_a_path_is_declared_when_every_step_is(
    declared: Json, path: tuple[str, ...], expected: bool
) -> None:
    """Source: client/elicitation, "Capabilities": an empty object stands for form mode."""
    assert capabilities.declares(declared, *path) is expected


def test_a_need_looks_at_the_side_that_has_to_declare_it() -> None:
    """Ours."""
    roots = next(row.needs for row in METHODS if row.name == "roots/list")

    assert capabilities.satisfied(roots, {"roots": {}}, {})
    assert not capabilities.satisfied(roots, {}, {"roots": {}})
    assert capabilities.satisfied(None, None, None)


def test_every_capability_a_method_needs_is_in_the_table() -> None:
    """Ours: the two tables speak of the same things."""
    known = {(row.side, row.path) for row in CAPABILITIES}
    needed = [row.needs for row in METHODS if row.needs and row.needs.path[0] != "extensions"]

    assert all((need.side, need.path) in known for need in needed)
    assert all(row.subject in TOPICS for row in CAPABILITIES)
    assert all(row.last == NEWEST or row.last in REVISIONS for row in CAPABILITIES)
