"""Templates: a field for each variable, the address they make, and suggestions."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtTest import QTest

from inspector.errors import PeerError
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.resources.user import case, click_entry, listed, read, serving
from tests.ui.qt_actions import click, reads, sees

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.resources.page import ResourcesPage
    from ui.widgets.argument_fields import ArgumentField


def template(text: str) -> JsonObject:
    return {"uriTemplate": text, "name": "t"}


def field(page: ResourcesPage, name: str) -> ArgumentField:
    return next(f for f in page.panel.form.fields.fields if f.argument.name == name)


def fill(page: ResourcesPage, name: str, value: Json) -> None:
    """Type a value as a user would: lists and pairs parted by commas."""
    found = field(page, name)
    if isinstance(value, str):
        shape, text = "text", value
        found.empty.setChecked(not value)
    elif isinstance(value, list):
        shape, text = "list", ",".join(map(str, value))
    else:
        shape, text = "pairs", ",".join(f"{k}={v}" for k, v in cast("JsonObject", value).items())
    found.shape.choose(shape)
    found.edit.setText(text)


def expected(given: JsonObject) -> list[str]:
    variants = cast("list[JsonObject]", cast("JsonObject", given["expect"])["variants"])
    return [str(variant["sendsUri"]) for variant in variants]


@pytest.mark.parametrize("number", range(4))
async def test_values_are_encoded_and_the_address_is_shown_first(
    resources_page: ResourcesPage, number: int
) -> None:
    """resource-01-template-encodes; C-RES-08."""
    given = case("resource-01")
    filled = cast("JsonObject", cast("list[JsonObject]", given["variants"])[number]["fill"])
    async with shown(resources_page, serving(templates=[given["template"]])) as (page, session):
        await listed(page, 1)
        click_entry(page, "t")
        for name, value in filled.items():
            fill(page, name, value)

        uri = expected(given)[number]
        assert reads(page, "expanded_uri") == uri
        made = await read(page, session)
        assert (made.uri, made.source) == (uri, "demo://news/{tag}")


@pytest.mark.parametrize("number", range(12))
async def test_every_operator_has_fields_for_its_variables(
    resources_page: ResourcesPage, number: int
) -> None:
    """resource-03-template-operators; C-RES-08."""
    given = case("resource-03")
    values = cast("JsonObject", given["vars"])
    text = str(cast("list[JsonObject]", given["variants"])[number]["template"])
    async with shown(resources_page, serving(templates=[template(text)])) as (page, _):
        await listed(page, 1)
        click_entry(page, "t")
        for one in page.panel.form.fields.fields:
            fill(page, one.argument.name, values[one.argument.name])

        assert page.panel.uri() == expected(given)[number]


async def test_a_variable_that_occurs_twice_has_one_field(resources_page: ResourcesPage) -> None:
    """resource-04-template-same-var-twice."""
    given = case("resource-04")
    async with shown(resources_page, serving(templates=[given["template"]])) as (page, session):
        await listed(page, 1)
        click_entry(page, "t")
        fields = [f.argument.name for f in page.panel.form.fields.fields]
        assert fields == ["a.b", "id", "x%20y"]
        for name, value in cast("JsonObject", given["fill"]).items():
            fill(page, name, value)

        made = await read(page, session)
        assert made.uri == cast("JsonObject", given["expect"])["sendsUri"]


async def test_a_template_that_is_none_is_told_and_can_be_sent(
    resources_page: ResourcesPage,
) -> None:
    """C-RES-08."""
    async with shown(resources_page, serving(templates=[template("a:{x")])) as (page, session):
        await listed(page, 1)
        click_entry(page, "t")

        assert "unclosed" in reads(page, "resource_heading")
        assert (await read(page, session)).uri == "a:{x"


async def test_empty_is_not_absent(resources_page: ResourcesPage) -> None:
    """C-RES-08: undefined variables vanish, empty ones do not."""
    async with shown(resources_page, serving(templates=[template("a:x{?q}")])) as (page, _):
        await listed(page, 1)
        click_entry(page, "t")
        assert page.panel.uri() == "a:x"

        field(page, "q").empty.click()
        assert page.panel.uri() == "a:x?q="


async def test_what_was_typed_stays_with_its_template(resources_page: ResourcesPage) -> None:
    """Ours."""
    two: list[Json] = [template("a:{x}"), {"uriTemplate": "b:{x}", "name": "u"}]
    async with shown(resources_page, serving(templates=two)) as (page, _):
        await listed(page, 2)
        click_entry(page, "t")
        fill(page, "x", "1")
        click_entry(page, "u")
        assert page.panel.uri() == "b:"
        click_entry(page, "t")

        assert page.panel.uri() == "a:1"


async def test_suggestions_come_while_typing_with_the_other_variables(
    resources_page: ResourcesPage,
) -> None:
    """C-CMP-01, C-CMP-04."""
    server = serving(templates=[template("a:{x}/{y}")])
    server.answers["completion/complete"] = lambda _: {
        "completion": {"values": ["one", "other"], "total": 340, "hasMore": True}
    }
    async with shown(resources_page, server) as (page, _):
        await listed(page, 1)
        click_entry(page, "t")
        fill(page, "x", "1")
        edit = field(page, "y").edit
        edit.setFocus()
        QTest.keyClicks(edit, "o")
        await wait_until(edit.is_suggesting)

        assert edit.suggestions.values == ("one", "other")
        assert edit.suggestions.text == "2 of 340"
        asked = [m["params"] for m in server.received if m.get("method") == "completion/complete"]
        assert asked == [
            {
                "ref": {"type": "ref/resource", "uri": "a:{x}/{y}"},
                "argument": {"name": "y", "value": "o"},
                "context": {"arguments": {"x": "1"}},
            }
        ]
        edit.hide_suggestions()


async def test_suggestions_that_are_not_declared_can_be_asked_for(
    resources_page: ResourcesPage,
) -> None:
    """C-CMP-06."""
    server = serving(templates=[template("a:{x}")], capabilities={"resources": {}})

    def refuse(_params: JsonObject) -> Json:
        raise PeerError(-32602, "no such thing")

    server.answers["completion/complete"] = refuse
    async with shown(resources_page, server) as (page, _):
        await listed(page, 1)
        click_entry(page, "t")
        assert "not declared by the server" in reads(page, "template_suggest")

        click(page, "template_suggest_link")
        await wait_until(lambda: not sees(page, "template_suggest"))
        edit = field(page, "x").edit
        edit.setFocus()
        QTest.keyClicks(edit, "a")
        await wait_until(lambda: field(page, "x").status() == "no suggestions")
        assert edit.text() == "a"
