"""Who the server is, what was agreed and what both sides can do, whatever the server said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtWidgets import QLabel, QTextBrowser, QTreeWidget, QWidget

from inspector.session.session_state import SessionState
from inspector.wire import json_codec
from tests.support.answering import AnsweringServer, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.qt_actions import cells, click, find, reads, sees
from ui.navigator import navigator_of
from ui.render import BlockWidget

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.overview.page import OverviewPage

CASES = Path(__file__).parent / "cases"


def case(name: str) -> JsonObject:
    (path,) = CASES.glob(f"{name}*.json")
    return cast("JsonObject", cast("JsonObject", json_codec.read(path.read_bytes()).value)["input"])


def greeting(result: Json) -> AnsweringServer:
    return AnsweringServer({"initialize": lambda _: result, "tools/list": lambda _: {"tools": []}})


def greeted(**more: Json) -> JsonObject:
    """An ordinary answer to `initialize`, but for what is given."""
    return {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "d", "version": "1"},
        **more,
    }


def declared(page: OverviewPage) -> dict[str, str]:
    tree = find(page, QTreeWidget, "server_capabilities")
    return {row[0]: row[1] for row in cells(tree)}


def oddities(page: OverviewPage) -> str:
    return find(page, QLabel, "overview_oddities").text()


async def is_shown(page: OverviewPage) -> None:
    await wait_until(
        lambda: sees(page, "overview_title") and "Name" in reads(page, "overview_identity")
    )


async def test_the_page_says_who_the_server_is_and_what_was_agreed(
    overview_page: OverviewPage,
) -> None:
    """C-LC-01; ours: name, version, address and the revision with how it was found."""
    info: Json = {
        "name": "files",
        "version": "2",
        "title": "My files",
        "description": "Reads them",
        "websiteUrl": "https://files.test",
        "icons": [{"src": "https://files.test/i.png"}],
    }
    async with shown(overview_page, greeting(greeted(serverInfo=info))):
        await is_shown(overview_page)

        assert reads(overview_page, "overview_title") == "My files"
        said = reads(overview_page, "overview_identity")
        for text in ("files", "2", "Reads them", "https://files.test", "1 icon (not loaded)"):
            assert text in said
        assert "2025-11-25 · initialize: requested and accepted · automatic" in said
        assert "memory" in said
        assert "Negotiate: initialize with 2025-11-25" in reads(overview_page, "overview_story")


async def test_a_server_that_chose_another_revision_is_said_to_have(
    overview_page: OverviewPage,
) -> None:
    """C-LC-03."""
    async with shown(overview_page, greeting(greeted(protocolVersion="2024-11-05"))):
        await is_shown(overview_page)

        said = reads(overview_page, "overview_identity")
        assert "2024-11-05 · initialize: requested 2025-11-25, server chose this" in said


@pytest.mark.parametrize(
    ("variant", "tools", "text"),
    [
        (1, "–", "must be an object, not null"),
        (2, "–", "`capabilities` is missing"),
        (3, "✘ no (null)", "`tools` must be an object, not null; treated as not declared"),
        (4, '✔ yes ([{"name":"a"}])', "`tools` must be an object, not an array"),
        (5, "✔ yes", "`logging` must be an object, not a string"),
        (6, "–", ""),
    ],
)
async def test_capabilities_of_any_shape_are_shown_and_noted(
    overview_page: OverviewPage, variant: int, tools: str, text: str
) -> None:
    """lifecycle-03-capabilities-shapes: connected in all; null is not declared, everything else is."""
    variants = cast("list[JsonObject]", case("lifecycle-03")["variants"])
    async with shown(overview_page, greeting(variants[variant - 1]["result"])) as (_, session):
        await is_shown(overview_page)

        assert session.session.state is SessionState.READY
        assert declared(overview_page)["tools"] == tools
        assert text in oddities(overview_page)
        assert sees(overview_page, "overview_oddities") == bool(text)


async def test_capabilities_nobody_defined_are_shown_and_marked(
    overview_page: OverviewPage,
) -> None:
    """lifecycle-03-capabilities-shapes; ours: shown rather than dropped."""
    capabilities: Json = {"tools": {"listChanged": True, "turbo": 1}, "foo": {}}
    async with shown(overview_page, greeting(greeted(capabilities=capabilities))):
        await is_shown(overview_page)

        rows = cells(find(overview_page, QTreeWidget, "server_capabilities"))
        by_name = {row[0]: row for row in rows}
        assert by_name["listChanged"][1] == "✔ yes"
        assert by_name["listChanged"][2] == "2024-11-05"
        assert by_name["foo"][2:] == ["undefined", "not defined in this revision"]
        assert by_name["turbo"][2] == "undefined"
        assert by_name["prompts"][1] == "–"


async def test_what_spyglass_declares_is_told_too(overview_page: OverviewPage) -> None:
    """Ours; ux: both directions."""
    async with shown(overview_page, greeting(greeted())):
        await is_shown(overview_page)

        assert cells(find(overview_page, QTreeWidget, "client_capabilities"))


async def test_the_tables_have_room_for_every_row(overview_page: OverviewPage) -> None:
    """Ours: they do not scroll by themselves inside the page."""
    async with shown(overview_page, greeting(greeted())):
        await is_shown(overview_page)
        tree = find(overview_page, QTreeWidget, "server_capabilities")

        count = len(cells(tree))
        needed = tree.header().height() + count * tree.sizeHintForRow(0)
        assert tree.height() >= needed
        assert tree.sizeHintForRow(0) >= 22


async def test_members_the_revision_does_not_define_are_marked(
    overview_page: OverviewPage,
) -> None:
    """Ours; ux: whatever the server sent that the revision does not define."""
    more = greeted(turbo={"on": True}, serverInfo={"name": "d", "version": "1", "colour": "red"})
    async with shown(overview_page, greeting(more)):
        await is_shown(overview_page)

        lines = oddities(overview_page).splitlines()
        assert 'Not defined in 2025-11-25: turbo = {"on":true}' in lines
        assert 'Not defined in 2025-11-25: serverInfo.colour = "red"' in lines


async def test_the_whole_answer_is_there_as_it_came(overview_page: OverviewPage) -> None:
    """Ours; raw is truth."""
    async with shown(overview_page, greeting(greeted(turbo=7))):
        await is_shown(overview_page)
        assert not sees(overview_page, "greeting_tree")

        click(overview_page, "raw_greeting_head")

        await wait_until(lambda: "turbo 7" in reads(overview_page, "greeting_tree"))


async def test_short_instructions_are_rendered(overview_page: OverviewPage) -> None:
    """Ours; ux: instructions rendered, their links asked about."""
    text = "# Start\n\n- with `echo` and [this](https://files.test/x)\n- then <b>that</b>"
    async with shown(overview_page, greeting(greeted(instructions=text))):
        await is_shown(overview_page)

        browser = find(overview_page, QTextBrowser, "markdown")
        assert "<b>that</b>" in browser.toPlainText()
        assert "# Start" not in browser.toPlainText()
        wanted: list[str] = []
        navigator_of(overview_page).link_requested.connect(wanted.append)
        find(overview_page, BlockWidget, "content_block").open_link("https://files.test/x")
        assert wanted == ["https://files.test/x"]


async def test_huge_instructions_are_folded_with_their_size(overview_page: OverviewPage) -> None:
    """lifecycle-06-instructions-huge: nothing is pushed away, controls are visible, HTML is text."""
    given = case("lifecycle-06")
    generate = cast("JsonObject", given["generate"])
    repeat = cast("JsonObject", generate["instructions"])["$repeat"]
    text, times = cast("list[Json]", repeat)
    whole = str(text) * cast("int", times)
    result = {**cast("JsonObject", given["result"]), "instructions": whole}
    async with shown(overview_page, greeting(result)):
        await is_shown(overview_page)
        await wait_until(lambda: sees(overview_page, "instructions_head"))
        assert reads(overview_page, "instructions") == "Instructions · 296.0 kB"

        click(overview_page, "instructions_head")

        await wait_until(lambda: sees(overview_page, "content_block"))
        said = reads(overview_page, "content_block")
        assert "<b>that</b>" in said
        assert "\u0007" not in said
        assert "Showing the first" in said


async def test_hostile_names_and_descriptions_are_plain_text(overview_page: OverviewPage) -> None:
    """text-01-bidi-and-invisible; result-27-markup-in-text."""
    info: Json = {"name": "<img src=x>\u202e", "version": "<b>1</b>"}
    async with shown(overview_page, greeting(greeted(serverInfo=info))):
        await is_shown(overview_page)

        said = reads(overview_page, "overview_identity")
        assert "<img src=x>⟨U+202E⟩" in said
        assert "<b>1</b>" in said
        rich = [
            label.text()
            for label in overview_page.findChildren(QLabel)
            if "<" in label.text() and label.textFormat() != label.textFormat().PlainText
        ]
        assert rich == []


async def test_without_a_connection_the_page_says_what_would_be_here(
    overview_page: OverviewPage,
) -> None:
    """Ours."""
    assert "Not connected" in reads(overview_page, "overview_empty")

    async with shown(
        overview_page, AnsweringServer({"tools/list": lambda _: {"tools": [tool("a")]}})
    ):
        await is_shown(overview_page)
    assert find(overview_page, QWidget, "overview_empty").isVisible()
