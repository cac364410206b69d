"""The list of resources: everything that was listed, as a tree or flat."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from inspector.errors import PeerError
from inspector.spec.error_codes import INTERNAL_ERROR, METHOD_NOT_FOUND
from tests.support.answering import Answer, AnsweringServer
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.resources.user import (
    badges,
    case,
    click_entry,
    filter_by,
    leaves,
    listed,
    rows,
    serving,
)
from tests.ui.qt_actions import click, reads, sees
from ui.features.resources.resource_facts import MAX_SEGMENTS, icon_of, segments

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.resources.page import ResourcesPage


def resource(uri: str, **more: Json) -> JsonObject:
    return {"uri": uri, "name": uri, **more}


async def test_resources_stand_in_folders_by_the_steps_of_their_addresses(
    resources_page: ResourcesPage,
) -> None:
    """C-RES-01."""
    uris = ("demo://a/b/1", "demo://a/b/2", "demo://a", "file:///x", "odd")
    server = serving([{"uri": uri} for uri in uris], [{"uriTemplate": "demo://{x}", "name": "t"}])
    async with shown(resources_page, server):
        await listed(resources_page, 6)

        assert rows(resources_page) == [
            "Templates",
            "t",
            "Resources",
            "demo://",
            "a/b/",
            "demo://a/b/1",
            "demo://a/b/2",
            "demo://a",
            "file:///",
            "file:///x",
            "odd",
        ]


async def test_the_flat_list_has_the_order_of_the_server(resources_page: ResourcesPage) -> None:
    """C-RES-01."""
    uris = ["demo://b/2", "odd", "demo://a/1"]
    async with shown(resources_page, serving([resource(uri) for uri in uris])):
        await listed(resources_page, 3)
        click_entry(resources_page, "odd")
        click(resources_page, "resources_tree")

        assert rows(resources_page) == ["Resources", *uris]
        assert resources_page.list.item is not None
        assert resources_page.list.item.address == "odd"


async def test_every_entry_is_a_row_however_odd(resources_page: ResourcesPage) -> None:
    """resource-12-size-and-fields: the name falls back to the address, both of two equal ones are there."""
    given = cast("list[Json]", case("resource-12")["resources"])
    async with shown(resources_page, serving(given)):
        await listed(resources_page, 5)

        assert sorted(leaves(resources_page)) == ["a:2", "dup", "n", "no uri", "x"]
        assert "duplicate" in badges(resources_page, "dup")
        assert "9007.2 TB" in badges(resources_page, "x")
        click_entry(resources_page, "no uri")
        assert "No URI" in reads(resources_page, "wish_panel")
        assert not resources_page.panel.row.button.isEnabled()


async def test_the_filter_looks_at_all_that_a_resource_says(resources_page: ResourcesPage) -> None:
    """C-RES-01, C-RES-07."""
    server = serving(
        [
            resource("a:1", title="Alpha", annotations={"audience": ["assistant"]}),
            resource("a:2", description="about alpha", mimeType="text/x-y"),
            resource("a:3"),
        ]
    )
    async with shown(resources_page, server):
        await listed(resources_page, 3)
        for text, count in (("alpha", 2), ("x-y alpha", 1), ("assistant", 1), ("", 3)):
            filter_by(resources_page, text)
            assert len(leaves(resources_page)) == count


async def test_the_choice_outlives_filtering_and_reading_again(
    resources_page: ResourcesPage,
) -> None:
    """Ours."""
    given = [resource("a:1"), resource("a:2"), resource("a:2", title="second")]
    async with shown(resources_page, serving(given)) as (page, session):
        await listed(page, 3)
        click_entry(page, "second")
        filter_by(page, "a:1")
        await session.read_lists()
        filter_by(page, "")
        await wait_until(lambda: len(leaves(page)) == 3)

        assert page.list.position == 2
        assert page.list.view.currentIndex().data() == "second"


def without_end(params: JsonObject) -> Json:
    """An empty page, and always another one."""
    return {"resources": [], "nextCursor": f"{params.get('cursor', '')}+"}


def broken_off(params: JsonObject) -> Json:
    """A first page, and no second one."""
    if params:
        raise PeerError(METHOD_NOT_FOUND, "Method not found")
    return {"resourceTemplates": [{"uriTemplate": "a:{x}", "name": "t"}], "nextCursor": "2"}


def refused(code: int) -> Answer:
    def refuse(_params: JsonObject) -> Json:
        raise PeerError(code, "no")

    return refuse


@pytest.mark.parametrize(
    ("templates", "counted"),
    [
        (refused(METHOD_NOT_FOUND), "no list of templates"),
        (refused(INTERNAL_ERROR), "0 templates"),
        (broken_off, "1 template"),
    ],
)
async def test_only_a_list_of_templates_that_a_server_does_not_have_is_not_counted(
    resources_page: ResourcesPage, templates: Answer, counted: str
) -> None:
    """Ours: many servers have resources and no templates; a list that could not be read is there."""
    server = serving([])
    server.answers["resources/list"] = without_end
    server.answers["resources/templates/list"] = templates
    async with shown(resources_page, server) as (page, _):
        await wait_until(lambda: page.list.summary() == f"0 resources, {counted}")


async def test_a_server_without_resources_says_so_and_can_be_asked_all_the_same(
    resources_page: ResourcesPage,
) -> None:
    """C-LC-10: not declared, not asked; the user may."""
    server = serving([resource("a:1")], capabilities={})
    async with shown(resources_page, server):
        assert resources_page.missing() == "server does not declare resources"
        assert "Not supported by this server" in reads(resources_page, "resources_empty")
        assert server.methods() == []

        click(resources_page, "resources_empty_action")
        await listed(resources_page, 1)
        assert (resources_page.missing(), resources_page.badge()) == ("", "1")


async def test_a_server_without_templates_is_no_failure(resources_page: ResourcesPage) -> None:
    """Ours: many servers refuse the list of templates."""
    server = AnsweringServer(
        {"resources/list": lambda _: {"resources": [resource("a:1")]}},
        capabilities={"resources": {}},
    )
    async with shown(resources_page, server):
        await listed(resources_page, 1)

        assert not sees(resources_page, "resources_error")


@pytest.mark.parametrize(
    "uri",
    [
        "http://h.test",
        "people/self",
        "urn:a:42",
        "x:",
        "",
        "//",
        "a//b",
        "d://h/%2F?q/#/",
        "/" * 99,
    ],
)
def test_the_steps_of_an_address_are_the_address_again(uri: str) -> None:
    """resource-06: nothing is normalised."""
    assert "".join(segments(uri)) == uri
    assert len(segments(uri)) <= MAX_SEGMENTS


@pytest.mark.parametrize(
    ("mime", "icon"),
    [
        ("TEXT/HTML; charset=utf-8", "mdi6.language-html5"),
        ("application/ld+json", "mdi6.code-json"),
        ("image/x-unknown", "mdi6.file-image-outline"),
        ("", "mdi6.file-outline"),
        ("☃", "mdi6.file-outline"),
    ],
)
def test_every_type_has_an_icon(mime: str, icon: str) -> None:
    """Ours."""
    assert icon_of(mime) == icon
