"""Lists whose changes are not announced any more say so, and offer to have that again; a server that was replaced is named."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

from inspector.spec.subscription_filter import ACKNOWLEDGED, LISTEN
from tests.support.answering import silence
from tests.support.modern import ModernServer, complete, discovered, modern, params_of
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, reads, sees

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from ui.features.overview.page import OverviewPage
    from ui.page import Page

    Pages: TypeAlias = dict[str, Page]

TAG = "io.modelcontextprotocol/subscriptionId"
INFO = "io.modelcontextprotocol/serverInfo"
LISTS = ("tools", "resources", "prompts")


def server() -> ModernServer:
    """Declares that it announces changes of everything, and knows no way to ask for that."""
    capabilities: JsonObject = {name: {"listChanged": True} for name in LISTS}
    made = ModernServer(discover=discovered(capabilities=capabilities))
    for method, member in (
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ):
        result = complete(**{member: []}, ttlMs=0, cacheScope="private")  # type: ignore[arg-type] - an empty list
        made.answers[method] = lambda _, result=result: result
    return made


@pytest.mark.parametrize("name", LISTS)
async def test_a_list_that_is_not_announced_says_why_and_opens_the_stream_again(
    name: str, request: pytest.FixtureRequest
) -> None:
    """C-SUB-05: on the page of the list, where one would wait for the change."""
    page: Page = request.getfixturevalue(f"{name}_page")
    async with modern(server=server()) as (made, opened):
        page.set_session(opened)
        page.show()
        await wait_until(lambda: sees(page, f"{name}_quiet"))
        assert "-32601" in reads(page, f"{name}_quiet_text")

        made.answers[LISTEN] = silence
        click(page, f"{name}_quiet_again")
        await wait_until(lambda: len(made.of(LISTEN)) == 2)
        asked = made.of(LISTEN)[-1]
        meta: JsonObject = {TAG: asked["id"]}
        made.notify(
            ACKNOWLEDGED, {"notifications": params_of(asked)["notifications"], "_meta": meta}
        )
        await wait_until(lambda: not sees(page, f"{name}_quiet"))
        page.set_session(None)


async def test_the_overview_names_the_server_that_results_come_from(
    overview_page: OverviewPage,
) -> None:
    """C-MET-07: what was discovered stays in sight."""
    made = server()
    async with modern(server=made) as (_, opened):
        overview_page.set_session(opened)
        overview_page.show()
        other: JsonObject = {INFO: {"name": "other", "version": "2"}}
        made.answers["tools/call"] = lambda _: complete(content=[], _meta=other)
        await opened.session.request("tools/call", {"name": "a", "arguments": {}})

        await wait_until(lambda: "other 2" in reads(overview_page, "overview_oddities"))
        overview_page.set_session(None)
