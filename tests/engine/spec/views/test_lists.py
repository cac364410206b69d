"""Resources, templates, prompts and suggestions as servers list them, well or badly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.spec.views.completion import MAX_VALUES, CompletionResult
from inspector.spec.views.prompt import PromptResult, PromptsPage, PromptView
from inspector.spec.views.resource import (
    ReadResult,
    ResourcesPage,
    ResourceView,
    TemplatesPage,
    TemplateView,
)

if TYPE_CHECKING:
    from inspector.finding import Finding
    from inspector.wire.json_codec import Json, JsonObject

KEYS = st.sampled_from(
    [
        "resources",
        "resourceTemplates",
        "prompts",
        "contents",
        "messages",
        "completion",
        "values",
        "total",
        "hasMore",
        "uri",
        "uriTemplate",
        "name",
        "title",
        "size",
        "annotations",
        "audience",
        "priority",
        "icons",
        "arguments",
        "required",
        "role",
        "content",
        "type",
        "text",
        "blob",
        "_meta",
        "nextCursor",
    ]
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=4)),
)


def rules(notes: tuple[Finding, ...] | list[Finding]) -> list[str]:
    return [note.rule for note in notes]


@given(JSON)
def test_nothing_makes_a_view_raise(raw: Json) -> None:
    """Ours."""
    for view in (ResourcesPage, TemplatesPage, PromptsPage):
        view(raw)
    assert ReadResult(raw).raw == raw
    assert PromptResult(raw).as_text()
    assert len(CompletionResult(raw).completion.offered) <= MAX_VALUES


def test_a_resource_keeps_what_it_says_and_notes_what_is_wrong() -> None:
    """resource-12: sizes of odd kinds, names that are missing."""
    odd = ResourceView({"uri": "a:1", "name": "n", "title": "", "size": -1})
    text = ResourceView({"uri": "a:2", "size": "12"})
    huge = ResourceView({"uri": "a:3", "name": "x", "size": 9007199254740993})
    lost = ResourceView({"name": "no uri"})

    assert (odd.label, odd.size, rules(odd.notes)) == ("n", None, ["L-RES-01"])
    assert (text.label, text.size, len(text.notes)) == ("a:2", None, 2)
    endless = ResourceView({"uri": "a:4", "name": "x", "size": float("inf")})
    assert (endless.size, rules(endless.notes)) == (None, ["L-RES-01"])
    assert (huge.size, huge.notes) == (9007199254740993, [])
    assert (lost.label, lost.id_label, lost.has_id) == ("no uri", "(no uri)", False)


@pytest.mark.parametrize("uri", ["people/self", "", "/x", "1a:b"])
def test_an_address_without_scheme_is_noted(uri: str) -> None:
    """Ours: it is sent as it is."""
    view = ResourceView({"uri": uri, "name": "x"})

    assert view.uri == uri
    assert rules(view.notes) == ["L-RES-01"]


def test_equal_addresses_clash_and_equal_names_of_prompts_too() -> None:
    """Ours: L-RES-02, L-PRM-01."""
    resources = [ResourceView({"uri": uri, "name": "x"}) for uri in ("a:1", "a:2", "a:1")]
    prompts = [PromptView({"name": name}) for name in ("a", "b", "a")]

    assert sorted(ResourcesPage.duplicates(resources)) == [0, 2]
    assert sorted(PromptsPage.duplicates(prompts)) == [0, 2]


def test_a_template_that_is_none_is_noted() -> None:
    """Ours: L-RES-03."""
    assert rules(TemplateView({"uriTemplate": "x{", "name": "t"}).notes) == ["L-RES-03"]


@pytest.mark.parametrize(
    ("arguments", "notes"), [([], 0), (None, 1), ({}, 1), ([{"name": "a"}, {"name": "a"}], 1)]
)
def test_arguments_of_any_shape_are_read(arguments: Json, notes: int) -> None:
    """prompt-01."""
    view = PromptView({"name": "p", "arguments": arguments})

    assert len(view.notes) == notes
    assert len(view.arguments) == (len(arguments) if isinstance(arguments, list) else 0)


def test_a_message_with_several_blocks_is_shown_and_noted() -> None:
    """Ours: L-PRM-03."""
    block: JsonObject = {"type": "text", "text": "hi"}
    result = PromptResult(
        {"messages": [{"role": "user", "content": [block, block]}, {"role": "x"}, 7]}
    )

    assert [len(message.content) for message in result.messages] == [2, 0, 0]
    assert set(rules(result.findings)) == {"L-PRM-03"}
    assert result.as_text().startswith("user:\n\nhi\n\nhi\n\nx:")


def test_a_prompt_without_messages_is_noted_and_an_empty_one_is_not() -> None:
    """Ours: L-PRM-03."""
    assert set(rules(PromptResult({}).findings)) == {"L-PRM-03"}
    assert rules(PromptResult({"messages": []}).findings) == []


@pytest.mark.parametrize(
    ("reply", "shown", "more", "found"),
    [
        ({"completion": {"values": []}}, 0, False, []),
        ({"completion": {"values": ["v"] * 150, "total": 1000, "hasMore": True}}, 1, True, None),
        ({"completion": {"values": [f"v{n}" for n in range(150)]}}, 100, True, ["L-CMP-01"]),
        ({}, 0, False, ["L-CMP-02"]),
        ({"completion": None}, 0, False, ["L-CMP-02"]),
        ({"completion": {"values": ["a", 7, None]}}, 1, False, ["L-CMP-02", "L-CMP-02"]),
        ({"completion": {"values": ["a", "b"], "total": 1}}, 2, False, ["L-CMP-03"]),
        ({"completion": {"values": ["a"], "total": 5, "hasMore": False}}, 1, True, []),
    ],
)
def test_suggestions_of_any_shape_are_read(
    reply: JsonObject, shown: int, more: bool, found: list[str] | None
) -> None:
    """C-CMP-03; prompt-06."""
    read = CompletionResult(reply)

    assert (len(read.completion.offered), read.completion.more) == (shown, more)
    assert found is None or rules(read.findings) == found
