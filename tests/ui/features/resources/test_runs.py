"""Connecting again takes nothing away from the resources page, and servers do not share what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.opened import connect, make_session, open_again, shown
from tests.support.wait import wait_until
from tests.ui.features.resources.user import click_entry, leaves, listed, read, serving
from tests.ui.qt_actions import cells, click, has_focus, reads, sees

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import AnsweringServer
    from ui.features.resources.page import ResourcesPage

RESOURCE: JsonObject = {"uri": "test://a", "name": "a"}
TEMPLATE: JsonObject = {"uriTemplate": "test://{id}", "name": "by id"}


def holding(text: str) -> AnsweringServer:
    """A server with one resource and one template."""
    return serving([RESOURCE], [TEMPLATE], contents=[{"uri": "test://a", "text": text}])


async def test_what_was_read_in_an_earlier_run_stays(resources_page: ResourcesPage) -> None:
    """Ours."""
    async with shown(resources_page, holding("the first")) as (page, first):
        click_entry(page, "a")
        await read(page, first)
        second = await open_again(first, holding("the second"))
        page.set_session(second)
        await listed(page, 2)

        assert "the first" in reads(page, "read_answer")
        await read(page, second)
        assert [row[-1] for row in cells(page.result_panel.history.view)] == ["run 2", "run 1"]
        page.set_session(None)
        await second.aclose()


async def test_the_value_of_a_variable_stays_with_caret_and_focus(
    resources_page: ResourcesPage,
) -> None:
    """Ours."""
    async with shown(resources_page, holding("one")) as (page, first):
        click_entry(page, "by id")
        line = page.panel.form.fields.fields[0].edit
        line.setFocus()
        line.insert("half")
        line.setCursorPosition(1)
        second = await open_again(first, holding("two"))
        page.set_session(second)
        await listed(page, 2)

        assert page.panel.form.fields.fields[0].edit is line
        assert (line.text(), line.cursorPosition(), has_focus(line)) == ("half", 1, True)
        page.set_session(None)
        await second.aclose()


async def test_values_a_typed_address_and_the_filter_belong_to_one_server(
    resources_page: ResourcesPage,
) -> None:
    """Ours: two servers with a template of the same address."""
    async with shown(resources_page, holding("one")) as (page, first):
        click_entry(page, "by id")
        page.panel.form.fields.fields[0].edit.insert("secret of one")
        page.list.header.filter.set_text("by")
        other = make_session(holding("two"), id_="two")
        await connect(other)
        page.set_session(other)
        assert len(leaves(page)) == 2
        click_entry(page, "by id")
        assert page.panel.form.fields.fields[0].edit.text() == ""
        page.show_free("test://typed for two")

        page.set_session(first)
        assert page.panel.form.fields.fields[0].edit.text() == "secret of one"
        assert page.list.header.filter.text() == "by"
        page.show_free()
        assert page.panel.free.text() == ""
        page.list.header.filter.set_text("no such resource")
        assert sees(page, "resources_no_matches")
        click(page, "resources_no_matches_action")
        assert len(leaves(page)) == 2
        page.set_session(other)
        page.show_free()
        assert page.panel.free.text() == "test://typed for two"
        page.set_session(None)
        await other.aclose()


async def test_contents_of_a_wrong_type_are_not_called_empty(resources_page: ResourcesPage) -> None:
    """Ours; no contents at all are."""
    server = holding("one")
    async with shown(resources_page, server) as (page, session):
        click_entry(page, "a")
        found: list[Json] = [{"uri": "x://1", "text": "x"}]
        unusable: tuple[Json, ...] = ("hello", {"text": "x"}, None)
        results: tuple[Json, ...] = (
            *({"contents": contents} for contents in unusable),
            {"content": found},
            "hello",
        )
        for result in results:
            server.answers["resources/read"] = lambda _, result=result: result
            await read(page, session)
            assert "Empty" not in reads(page, "read_answer")
        server.answers["resources/read"] = lambda _: {"contents": []}
        await read(page, session)
        assert "Empty" in reads(page, "read_answer")


async def test_what_one_server_is_asked_for_anyway_is_not_asked_of_another(
    resources_page: ResourcesPage,
) -> None:
    """Ours: neither declares resources."""
    async with shown(resources_page, serving(capabilities={})) as (page, first):
        assert sees(page, "resources_empty")
        click(page, "resources_empty_action")
        await wait_until(lambda: not sees(page, "resources_empty"))
        other = make_session(serving(capabilities={}), id_="two")
        await connect(other)
        page.set_session(other)
        assert sees(page, "resources_empty")

        page.set_session(None)
        await other.aclose()
        assert first.resources.state is not other.resources.state
