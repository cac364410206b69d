"""When a server is asked for suggestions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest

from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.resources.user import click_entry, listed, serving

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import AnsweringServer
    from ui.features.resources.page import ResourcesPage


def questions(server: AnsweringServer) -> list[Json]:
    asked = [m["params"] for m in server.received if m.get("method") == "completion/complete"]
    return [params["argument"] for params in asked if isinstance(params, dict)]


async def test_a_word_typed_in_one_go_is_one_question(resources_page: ResourcesPage) -> None:
    """C-CMP-01, C-CMP-05: not one for each key, and none about a field that was left alone."""
    template: JsonObject = {"uriTemplate": "a:{x}/{y}", "name": "t"}
    server = serving(templates=[template])
    server.answers["completion/complete"] = lambda _: {"completion": {"values": ["other"]}}
    async with shown(resources_page, server) as (page, session):
        await listed(page, 1)
        click_entry(page, "t")
        edit = next(f for f in page.panel.form.fields.fields if f.argument.name == "y").edit
        edit.setFocus()
        for key in "othe":
            QTest.keyClicks(edit, key)
            await session.session.request("ping")
        await wait_until(edit.is_suggesting)

        await wait_until(lambda: questions(server)[-1:] == [{"name": "y", "value": "othe"}])
        assert len(questions(server)) < len("othe")
        edit.hide_suggestions()
