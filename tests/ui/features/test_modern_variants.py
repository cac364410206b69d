"""What a user sees of those variants of other cases that are about the stateless era; servers in memory, and over HTTP where it matters."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtWidgets import QToolButton

from tests.support.corpus_http import stateless_rules
from tests.support.corpus_stateless import CaseServer, Play, all_plays, played_in, playing, plays
from tests.support.findings import findings_of, validate_all
from tests.support.http_stub import HttpStub
from tests.support.modern import offering, opened_at
from tests.support.wait import wait_until
from tests.ui.features.resources import user as resources_user
from tests.ui.features.tools.user import call, click_tool, listed, outcome, rows, view
from tests.ui.qt_actions import find, reads

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject
    from ui.features.resources.page import ResourcesPage
    from ui.features.tools.page import ToolsPage
    from ui.page import Page


@asynccontextmanager
async def shown(page: Page, server: CaseServer) -> AsyncGenerator[OpenSession]:
    """The page over a session with that server."""
    async with playing(server) as session:
        page.set_session(session)
        yield session
        page.set_session(None)


@asynccontextmanager
async def over_http(page: Page, play: Play) -> AsyncGenerator[tuple[HttpStub, OpenSession]]:
    """The page over a session with a stub that plays it."""
    async with (
        HttpStub(stateless_rules(play), otherwise=offering) as stub,
        opened_at(stub) as session,
    ):
        page.set_session(session)
        yield stub, session
        page.set_session(None)


OF_STRUCTURED = ("✔ Valid", "null", '"x"')
"""For each variant what stands in the view of the structured content."""


@pytest.mark.parametrize("play", plays("result-29-structured-non-object"), ids=str)
async def test_structured_content_of_any_kind_is_shown_and_judged(
    tools_page: ToolsPage, play: Play
) -> None:
    """result-29-structured-non-object: null is a value, and what was promised is an array."""
    server = CaseServer(play.given)
    server.says("tools/call", cast("JsonObject", play.given["result"]))
    async with shown(tools_page, server) as session:
        await listed(tools_page, 1)
        click_tool(tools_page, "ls")
        await call(tools_page, session)

        breaks = "does not match its output schema" if play.number > 1 else "malformed result"
        await wait_until(lambda: not session.sweep.pending)
        assert outcome(tools_page) == f"ok, {breaks}"
        said = await view(tools_page, "structured")
        assert OF_STRUCTURED[play.number - 1].strip('"') in said
        assert ("✔ Valid" in said) is (play.number == 1)
        assert ("must be an array" in said) is (play.number > 1)


@pytest.mark.parametrize("play", plays("resource-10-not-found-codes"), ids=str)
async def test_a_missing_resource_is_told_with_code_and_address(
    resources_page: ResourcesPage, play: Play
) -> None:
    """resource-10-not-found-codes."""
    server = CaseServer({"resources": [{"uri": "x:1", "name": "one"}]})
    server.says("resources/read", str(play.given["rawBody"]))
    async with shown(resources_page, server) as session:
        await resources_user.listed(resources_page, 1)
        resources_user.click_entry(resources_page, "one")
        await resources_user.read(resources_page, session)
        await wait_until(lambda: "-32602" in reads(resources_page, "read_error"))
        assert "not found: x:1" in reads(resources_page, "read_error")


@pytest.mark.parametrize("play", plays("list-09-result-shapes")[3:], ids=str)
async def test_odd_promises_about_a_list_are_noted(tools_page: ToolsPage, play: Play) -> None:
    """list-09-result-shapes: an empty list, with its notes."""
    server = CaseServer(play.given)
    server.says("tools/list", cast("JsonObject", play.given["result"]))
    async with shown(tools_page, server):
        await wait_until(lambda: "ttlMs" in reads(tools_page))
        assert "`ttlMs` is negative" in reads(tools_page)
        assert "'everyone'" in reads(tools_page)
        refresh = find(tools_page, QToolButton, "tools_refresh")
        assert "not to be kept, private" in refresh.accessibleDescription()
        assert rows(tools_page) == []


@pytest.mark.parametrize("play", plays("list-01-cursor-empty-modern"), ids=str)
async def test_what_is_behind_an_empty_cursor_is_listed(tools_page: ToolsPage, play: Play) -> None:
    """list-01-cursor-empty-modern."""
    async with shown(tools_page, CaseServer(play.given)):
        await listed(tools_page, 3)
        assert rows(tools_page) == ["a", "b", "c"]


@pytest.mark.parametrize("play", plays("http-14-array-body"), ids=str)
async def test_a_list_that_came_in_a_batch_is_there_at_once(
    tools_page: ToolsPage, play: Play
) -> None:
    """http-14-array-body: with the finding that there are batches are not part of."""
    async with over_http(tools_page, play) as (_, session):
        validate_all(session.sweep)
        found = findings_of(session.session.transcript)
        assert any("batches are not part of" in each.summary for each in found)
        assert (rows(tools_page), session.tools.failure) == ([], None)


@pytest.mark.parametrize("play", plays("sse-12-closes-before-response"), ids=str)
async def test_a_list_that_was_lost_says_so_and_can_be_asked_for_again(
    tools_page: ToolsPage, play: Play
) -> None:
    """sse-12-closes-before-response: under new ids, by POST alone."""
    async with over_http(tools_page, play) as (stub, session):
        await wait_until(lambda: "ended without a response" in reads(tools_page))
        before = stub.said("POST tools/list")
        await session.tools.refresh()
        asked = stub.said("POST tools/list")
        assert len(asked) == len(before) + 2
        assert len({json.dumps(each.message["id"]) for each in asked}) == len(asked)
        assert {each.verb for each in stub.asked} == {"POST"}


def test_every_variant_about_the_stateless_era_is_seen_here() -> None:
    """Ours: on the pages, or in the steps of connecting."""
    seen = played_in(Path(__file__).parent)
    assert {str(play) for play in all_plays()} - seen.keys() == set()
