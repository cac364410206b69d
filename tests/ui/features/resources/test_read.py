"""Reading: what leaves, and what is shown of what came."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from inspector.errors import PeerError
from inspector.features.subscriptions import UPDATED
from tests.support.answering import silence
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.resources.user import (
    badges,
    button,
    case,
    click_entry,
    leaves,
    listed,
    read,
    serving,
    view,
)
from tests.ui.qt_actions import cells, click, find, press, reads, sees
from ui.render import BlockWidget

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.resources.page import ResourcesPage

ONE: list[Json] = [{"uri": "a:1", "name": "one"}]
HELLO: list[Json] = [{"uri": "a:1", "text": "hello"}]


async def test_each_listed_address_leaves_byte_for_byte(resources_page: ResourcesPage) -> None:
    """resource-06-uri-verbatim."""
    given = cast("list[JsonObject]", case("resource-06")["resources"])
    server = serving(cast("list[Json]", given), contents=HELLO)
    async with shown(resources_page, server) as (page, session):
        await listed(page, len(given))
        for entry in given:
            click_entry(page, str(entry["name"]))
            assert (await read(page, session)).uri == entry["uri"]

        sent = [m["params"] for m in server.received if m.get("method") == "resources/read"]
        assert [cast("JsonObject", params)["uri"] for params in sent] == [e["uri"] for e in given]


async def test_a_link_is_read_from_the_server_whatever_its_scheme(
    resources_page: ResourcesPage,
) -> None:
    """resource-07-custom-scheme-read."""
    async with shown(resources_page, serving(ONE, contents=HELLO)) as (page, session):
        await listed(page, 1)
        page.read_uri("zed://state/now")
        await wait_until(
            lambda: [r.is_finished for r in session.reads.history.operations] == [True]
        )

        assert session.reads.history.operations[0].uri == "zed://state/now"
        assert find(page, QLineEdit, "free_uri").text() == "zed://state/now"
        await wait_until(lambda: "hello" in reads(page, "read_answer"))


async def test_contents_are_drawn_by_their_type(resources_page: ResourcesPage) -> None:
    """resource-09-mime-dispatch; C-RES-10."""
    contents = cast("list[Json]", cast("JsonObject", case("resource-09")["result"])["contents"])
    async with shown(resources_page, serving(ONE, contents=contents)) as (page, session):
        await listed(page, 1)
        click_entry(page, "one")
        await read(page, session)

        blocks = page.result_panel.contents.findChildren(BlockWidget)
        assert [block.current_view() for block in blocks] == [
            "table",
            "text",
            "text",
            "text",
            "text",
            "bytes",
        ]
        assert "<script>" in reads(blocks[4])
        assert "6 B" in reads(blocks[5])
        assert page.window().windowTitle() != "PWN"


async def test_a_missing_resource_is_told_with_code_and_address(
    resources_page: ResourcesPage,
) -> None:
    """resource-10-not-found-codes; C-RES-04."""
    server = serving(ONE)
    async with shown(resources_page, server) as (page, session):
        await listed(page, 1)
        click_entry(page, "one")
        for code in (-32002, -32602):

            def refuse(_params: JsonObject, code: int = code) -> Json:
                raise PeerError(code, "Resource not found", {"uri": "a:1"})

            server.answers["resources/read"] = refuse
            await read(page, session)
            await wait_until(lambda code=code: str(code) in reads(page, "read_error"))

            assert "not found: a:1" in reads(page, "read_error")
        assert "-32002" in reads(page, "read_error")


async def test_no_contents_are_told(resources_page: ResourcesPage) -> None:
    """C-RES-10."""
    async with shown(resources_page, serving(ONE)) as (page, session):
        await listed(page, 1)
        click_entry(page, "one")
        await read(page, session)

        assert "Empty result: no contents." in reads(page, "read_answer")
        assert "L-RES-10" in await view(page, "problems")


async def test_the_answer_has_tree_and_exact_text(resources_page: ResourcesPage) -> None:
    """Ours: raw is truth."""
    async with shown(resources_page, serving(ONE, contents=HELLO)) as (page, session):
        await listed(page, 1)
        click_entry(page, "one")
        await read(page, session)

        assert '"contents":[{"uri":"a:1","text":"hello"}]' in await view(page, "raw")
        assert "contents" in await view(page, "json")


async def test_enter_in_the_list_reads_and_readings_are_kept(
    resources_page: ResourcesPage,
) -> None:
    """Ours."""
    two: list[Json] = [*ONE, {"uri": "a:2", "name": "two"}]
    async with shown(resources_page, serving(two, contents=HELLO)) as (page, session):
        await listed(page, 2)
        click_entry(page, "one")
        press(page.list.view, Qt.Key.Key_Return)
        await wait_until(
            lambda: [r.is_finished for r in session.reads.history.operations] == [True]
        )
        await read(page, session)
        click_entry(page, "two")
        assert cells(page.result_panel.history.view) == []

        click_entry(page, "one")
        assert [row[:3] for row in cells(page.result_panel.history.view)] == [
            ["2", "a:1", "OK"],
            ["1", "a:1", "OK"],
        ]
        assert reads(page, "read_history_position") == "2 of 2"


async def test_a_reading_can_be_cancelled(resources_page: ResourcesPage) -> None:
    """C-CAN-01."""
    server = serving(ONE)
    server.answers["resources/read"] = silence
    async with shown(resources_page, server) as (page, session):
        await listed(page, 1)
        click_entry(page, "one")
        click(page, "read_button")
        await wait_until(lambda: sees(page, "read_cancel"))
        click(page, "read_cancel")
        await wait_until(lambda: page.result_panel.status.outcome.text() == "cancelled by you")

        assert session.reads.history.operations[0].is_finished
        await wait_until(lambda: not sees(page, "read_cancel"))


async def test_an_address_that_was_typed_is_sent_as_typed(resources_page: ResourcesPage) -> None:
    """Ours: not trimmed, not checked."""
    async with shown(resources_page, serving(ONE, contents=HELLO)) as (page, session):
        await listed(page, 1)
        click(page, "read_any")
        find(page, QLineEdit, "free_uri").setText(" no scheme %zz ")

        assert (await read(page, session)).uri == " no scheme %zz "


async def test_an_update_marks_the_row_and_the_reading(resources_page: ResourcesPage) -> None:
    """C-RES-06."""
    server = serving(ONE, contents=HELLO)
    async with shown(resources_page, server) as (page, session):
        await listed(page, 1)
        click_entry(page, "one")
        await read(page, session)
        click(page, "subscribe_button")
        await wait_until(lambda: button(page, "subscribe_button").text() == "Unsubscribe")
        await wait_until(lambda: "subscribed" in badges(page, "one"))

        server.notify(UPDATED, {"uri": "a:1"})
        await wait_until(lambda: sees(page, "update_strip"))
        # The list and the result follow the session each in a turn of its own.
        await wait_until(lambda: badges(page, "one")[0].startswith("updated "))
        assert len(session.reads.history.operations) == 1

        click(page, "update_read")
        await wait_until(lambda: len(session.reads.history.operations) == 2)
        await wait_until(lambda: not sees(page, "update_strip"))
        click(page, "subscribe_button")
        await wait_until(lambda: button(page, "subscribe_button").text() == "Subscribe")


async def test_what_was_updated_is_read_again_by_itself_only_if_wanted(
    resources_page: ResourcesPage,
) -> None:
    """C-RES-06: off by default; a burst is one reading."""
    server = serving(ONE, contents=HELLO)
    async with shown(resources_page, server) as (page, session):
        await listed(page, 1)
        click_entry(page, "one")
        await read(page, session)
        click(page, "subscribe_button")
        await wait_until(lambda: sees(page, "read_again_automatically"))
        assert not page.panel.subscribe_row.automatic.isChecked()
        click(page, "read_again_automatically")
        for _ in range(10):
            server.notify(UPDATED, {"uri": "a:1"})
        await wait_until(lambda: len(session.reads.history.operations) > 1)
        await asyncio.sleep(0)

        assert len(session.reads.history.operations) == 2


async def test_subscribing_where_it_is_not_declared_is_said_to_be_so(
    resources_page: ResourcesPage,
) -> None:
    """resource-13-subscribe-unsupported; C-RES-02."""
    given = case("resource-13")
    capabilities = cast("JsonObject", cast("JsonObject", given["initialize"])["capabilities"])
    server = serving(ONE, capabilities=capabilities)
    del server.answers["resources/subscribe"]
    async with shown(resources_page, server) as (page, _):
        await listed(page, 1)
        click_entry(page, "one")
        assert button(page, "subscribe_button").text() == "Subscribe anyway"
        assert "resources.subscribe" in button(page, "subscribe_button").toolTip()

        click(page, "subscribe_button")
        await wait_until(lambda: "-32601" in reads(page, "subscribe_error"))


async def test_words_of_the_server_are_never_rich_text(resources_page: ResourcesPage) -> None:
    """result-27-markup-in-text."""
    evil = "<b>x</b>\u202e"
    given: list[Json] = [{"uri": f"a:{evil}", "name": evil, "description": evil, "mimeType": evil}]
    async with shown(resources_page, serving(given)) as (page, _):
        await listed(page, 1)
        click_entry(page, leaves(page)[0])

        text = reads(page, "wish_panel")
        assert "<b>x</b>" in text
        assert "\u202e" not in reads(page, "resource_facts")
