"""Watching a resource where changes are announced on streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session.notification_stream import StreamState
from tests.support.answering import Silence
from tests.support.modern import complete, discovered, modern
from tests.support.wait import wait_until
from tests.ui.features.resources.user import click_entry, listed
from tests.ui.qt_actions import click, reads, sees

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import Answer
    from tests.support.modern import ModernServer
    from ui.features.resources.page import ResourcesPage

URI = "file:///a.txt"
LISTEN = "subscriptions/listen"
DECLARES: JsonObject = {"resources": {"subscribe": True}}


def silent(_params: JsonObject) -> Json:
    raise Silence


def paged(**items: Json) -> Json:
    return complete(**items, ttlMs=1, cacheScope="public")


def agree(server: ModernServer) -> Json:
    """To the stream that was asked for last; gives its id."""
    id_ = server.of(LISTEN)[-1]["id"]
    meta: JsonObject = {"io.modelcontextprotocol/subscriptionId": id_}
    params: JsonObject = {"_meta": meta, "notifications": {"resourceSubscriptions": [URI]}}
    server.notify("notifications/subscriptions/acknowledged", params)
    return id_


async def test_the_stream_that_announces_a_resource_is_in_sight(
    resources_page: ResourcesPage,
) -> None:
    """C-SUB-01, C-RES-05, C-STD-11: it can be opened again when it is over."""
    answers: dict[str, Answer] = {
        "resources/list": lambda _params: paged(resources=[{"uri": URI, "name": "a"}]),
        "resources/templates/list": lambda _params: paged(resourceTemplates=[]),
        LISTEN: silent,
    }
    async with modern(answers, discover=discovered(capabilities=DECLARES)) as (server, session):
        resources_page.set_session(session)
        await listed(resources_page, 1)
        click_entry(resources_page, "a")
        assert not sees(resources_page, "stream_line")

        click(resources_page, "subscribe_button")
        await wait_until(lambda: server.of(LISTEN))
        id_ = agree(server)
        await wait_until(lambda: sees(resources_page, "stream_line"))
        assert reads(resources_page, "stream_line_words") == "Notification stream: open"
        assert not sees(resources_page, "stream_line_again")

        server.send({"jsonrpc": "2.0", "id": id_, "result": {"resultType": "complete"}})
        text = "Notification stream: ended · ended by the server"
        await wait_until(lambda: reads(resources_page, "stream_line_words") == text)
        click(resources_page, "stream_line_again")
        await wait_until(lambda: len(server.of(LISTEN)) == 2)
        agree(server)
        await wait_until(lambda: session.session.listening.streams[-1].state is StreamState.OPEN)
        resources_page.set_session(None)
