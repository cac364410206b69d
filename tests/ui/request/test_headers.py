"""What the headers of the next request will say, on the three pages that ask for something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QPlainTextEdit, QToolButton

from inspector.spec.revision import NEWEST
from tests.support.http_stub import answer
from tests.support.modern import complete, offering, opened_http
from tests.support.wait import wait_until
from tests.ui.features.conftest import on_screen
from tests.ui.qt_actions import click, find, reads, sees
from ui.features.prompts.page import PromptsPage
from ui.features.resources.page import ResourcesPage
from ui.features.tools.page import ToolsPage
from ui.widgets.key_values import KeyValues

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.http_stub import Asked, Reply
    from ui.theme import Theme

CACHED: JsonObject = {"ttlMs": 0, "cacheScope": "private"}
NAMES = ("plain", "größe", "half \ud800")
SCHEMA: JsonObject = {"type": "object"}

ASKING = [(ToolsPage, "call"), (PromptsPage, "get"), (ResourcesPage, "read")]
AskingPage = ToolsPage | PromptsPage | ResourcesPage


def listing(asked: Asked) -> Reply:
    """Lists one thing of each kind for every name."""
    tools: list[Json] = [{"name": name, "inputSchema": SCHEMA} for name in NAMES]
    prompts: list[Json] = [{"name": name} for name in NAMES]
    resources: list[Json] = [{"name": name, "uri": name} for name in NAMES]
    results = {
        "tools/list": complete(tools=tools, **CACHED),
        "prompts/list": complete(prompts=prompts, **CACHED),
        "resources/list": complete(resources=resources, **CACHED),
        "resources/templates/list": complete(resourceTemplates=[], **CACHED),
    }
    found = results.get(asked.rpc)
    return offering(asked) if found is None else answer({"result": found})


def told(page: AskingPage, name: str) -> dict[str, str]:
    facts = find(page, KeyValues, f"{name}_header_facts").facts()
    return {fact.name: fact.value for fact in facts}


@pytest.mark.parametrize(("kind", "name"), ASKING)
async def test_headers_are_folded_away_until_they_say_something_that_is_not_obvious(
    qtbot: QtBot, theme: Theme, kind: type[AskingPage], name: str
) -> None:
    """modern-04-name-header-encoding, C-HTTP-24: what will be sent is seen before it is."""
    page = on_screen(kind(theme=theme), qtbot)
    async with opened_http(otherwise=listing) as session:
        page.set_session(session)
        await wait_until(lambda: page.list.model.rowCount() > 0)

        page.choose(0)
        assert sees(page, f"{name}_headers")
        assert not sees(page, f"{name}_header_facts")
        head = find(page, QToolButton, f"{name}_headers_section_head")
        assert head.text().endswith("· 3")
        head.click()
        assert told(page, name)["Mcp-Name"] == "plain"

        page.choose(1)
        assert sees(page, f"{name}_header_facts")
        assert told(page, name)["Mcp-Name"] == "=?base64?Z3LDtsOfZQ==?="
        assert not sees(page, f"{name}_header_troubles")

        page.choose(2)
        assert "U+FFFD" in reads(page, f"{name}_header_troubles")
        page.set_session(None)


@pytest.mark.parametrize(("kind", "name"), ASKING)
async def test_the_version_in_the_header_follows_the_one_that_is_set_by_hand(
    qtbot: QtBot, theme: Theme, kind: type[AskingPage], name: str
) -> None:
    """C-HTTP-21."""
    page = on_screen(kind(theme=theme), qtbot)
    async with opened_http(otherwise=listing) as session:
        page.set_session(session)
        await wait_until(lambda: page.list.model.rowCount() > 0)
        page.choose(0)
        assert told(page, name)["MCP-Protocol-Version"] == NEWEST.date
        click(page, "limits_button")
        text = find(page, QPlainTextEdit, f"{name}_meta_text")
        text.setPlainText('{"io.modelcontextprotocol/protocolVersion": "1999-01-01"}')
        await wait_until(lambda: told(page, name)["MCP-Protocol-Version"] == "1999-01-01")
        page.set_session(None)


async def test_an_address_that_is_typed_unfolds_its_headers_when_it_needs_encoding(
    qtbot: QtBot, theme: Theme
) -> None:
    """modern-04-name-header-encoding; ours: and what the user folded meanwhile stays folded."""
    page = on_screen(ResourcesPage(theme=theme), qtbot)
    async with opened_http(otherwise=listing) as session:
        page.set_session(session)
        await wait_until(lambda: page.list.model.rowCount() > 0)
        page.show_free("demo://a")
        assert not sees(page, "read_header_facts")

        page.panel.set_free("demo://漢")
        await wait_until(lambda: sees(page, "read_header_facts"))
        assert told(page, "read")["Mcp-Name"] == "=?base64?ZGVtbzovL+a8og==?="

        find(page, QToolButton, "read_headers_section_head").click()
        page.panel.set_free("demo://漢字")
        await wait_until(lambda: told(page, "read")["Mcp-Name"].endswith("a8ouWtlw==?="))
        assert not sees(page, "read_header_facts")
        page.set_session(None)
