"""Streams of announcements as a user sees them, and what is said of a server without a handshake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QTreeWidget

from inspector.session.notification_stream import StreamState
from inspector.spec.subscription_filter import SubscriptionFilter
from tests.support.answering import AnsweringServer, Silence
from tests.support.http_stub import answer
from tests.support.modern import discovered, modern, opened_http, proper
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.qt_actions import cells, click, find, reads, requested_frames, sees
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.http_stub import Asked, Reply
    from tests.support.modern import ModernServer
    from ui.features.overview.page import OverviewPage

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
CHANGED = "notifications/tools/list_changed"


def silent(_params: JsonObject) -> Json:
    raise Silence


def announce(server: ModernServer, method: str, **params: Json) -> None:
    """On the stream that was asked for last."""
    id_ = server.of("subscriptions/listen")[-1]["id"]
    server.notify(method, {"_meta": {SUBSCRIPTION: id_}, **params})


async def test_a_stream_is_opened_followed_and_closed(overview_page: OverviewPage) -> None:
    """C-SUB-01, C-SUB-02; modern-12-subscriptions-stream: what was refused is told."""
    async with modern({"subscriptions/listen": silent}) as (server, session):
        overview_page.set_session(session)
        await wait_until(lambda: sees(overview_page, "streams_none"))
        assert not find(overview_page, QPushButton, "listen_open").isEnabled()
        for box in ("listen_tools", "listen_prompts"):
            find(overview_page, QCheckBox, box).setChecked(True)
        click(overview_page, "listen_open")
        await wait_until(lambda: server.of("subscriptions/listen"))
        announce(server, ACKNOWLEDGED, notifications={"toolsListChanged": True})
        announce(server, CHANGED)

        await wait_until(
            lambda: reads(overview_page, "stream_state_words") == "Open · 1 notification"
        )
        assert reads(overview_page, "stream_wanted") == (
            "requested: tools list changes, prompts list changes"
        )
        assert reads(overview_page, "stream_agreed").endswith('{"toolsListChanged":true}')
        assert reads(overview_page, "stream_words") == "declined: promptsListChanged"
        assert find(overview_page, QLabel, "stream_words").property("tone") == "warning"

        frames = requested_frames(navigator_of(overview_page))
        click(overview_page, "stream_frame")
        assert frames == [session.session.listening.streams[0].request_frame]
        click(overview_page, "stream_close")
        await wait_until(lambda: reads(overview_page, "stream_state_words").startswith("Closed"))
        assert reads(overview_page, "stream_words") == "declined: promptsListChanged"

        click(overview_page, "stream_again")
        await wait_until(lambda: len(server.of("subscriptions/listen")) == 2)
        overview_page.set_session(None)


async def test_a_stream_that_the_server_refuses_says_why(overview_page: OverviewPage) -> None:
    """Ours: what was asked for stays in sight."""
    async with modern() as (_, session):
        overview_page.set_session(session)
        stream = session.session.listening.open(SubscriptionFilter(uris=("file:///a",)))
        await wait_until(lambda: stream.state is StreamState.FAILED)
        await wait_until(lambda: reads(overview_page, "stream_state_words").startswith("Failed"))
        assert "updates of file:///a" in reads(overview_page, "stream_wanted")
        assert stream.status_text in reads(overview_page, "stream_words")
        assert find(overview_page, QLabel, "stream_words").property("tone") == "warning"
        overview_page.set_session(None)


async def test_there_is_no_word_of_streams_where_lists_announce_themselves(
    overview_page: OverviewPage,
) -> None:
    """Ours."""
    async with shown(overview_page, AnsweringServer()) as (_, _session):
        await wait_until(lambda: sees(overview_page, "overview_title"))
        assert not sees(overview_page, "streams")


async def test_the_page_says_how_the_era_was_found_and_what_the_server_supports(
    overview_page: OverviewPage,
) -> None:
    """C-VER-12."""
    found = discovered(
        "2026-07-28", "2025-11-25", capabilities={"extensions": {"com.example/x": {}}}
    )
    async with modern(discover=found) as (_, session):
        overview_page.set_session(session)
        await wait_until(lambda: "Revision" in reads(overview_page, "overview_identity"))
        facts = reads(overview_page, "overview_identity")
        assert "stateless · discovered with server/discover" in facts
        assert "2026-07-28, 2025-11-25" in facts
        assert "com.example/x" in facts
        overview_page.set_session(None)


async def test_a_server_that_does_not_say_what_it_can_do_is_explained(
    overview_page: OverviewPage,
) -> None:
    """C-VER-02: `server/discover` need not be there; then everything must be tried."""

    def untold(asked: Asked) -> Reply:
        if asked.rpc == "server/discover":
            error: JsonObject = {"code": -32601, "message": "Method not found"}
            return answer({"error": error}, status=404)
        return proper(asked)

    async with opened_http(otherwise=untold, revision="2026-07-28") as session:
        assert session.session.greeting is not None
        assert not session.session.greeting.is_declared
        overview_page.set_session(session)
        await wait_until(lambda: sees(overview_page, "overview_oddities"))
        text = find(overview_page, QLabel, "overview_oddities").text()
        assert "did not respond to server/discover" in text
        assert not sees(overview_page, "raw_greeting")
        overview_page.set_session(None)


async def test_capabilities_that_are_deprecated_say_so(overview_page: OverviewPage) -> None:
    """C-VER-20: those of the server and our own, and no others."""
    found = discovered(capabilities={"logging": {}, "tools": {}})
    async with modern(discover=found) as (_, session):
        overview_page.set_session(session)
        await wait_until(lambda: "Revision" in reads(overview_page, "overview_identity"))
        for name, old, new in (
            ("server_capabilities", "logging", "tools"),
            ("client_capabilities", "sampling", "elicitation"),
        ):
            rows = {row[0].strip(): row for row in cells(find(overview_page, QTreeWidget, name))}
            assert "deprecated" in " ".join(rows[old])
            assert "deprecated" not in " ".join(rows[new])
        overview_page.set_session(None)


async def test_what_can_be_subscribed_to_wraps_in_a_narrow_page(
    overview_page: OverviewPage,
) -> None:
    """Ours: the page is not made wider than its window."""
    async with modern({"subscriptions/listen": silent}) as (_server, session):
        overview_page.set_session(session)
        await wait_until(lambda: sees(overview_page, "streams_none"))
        button = find(overview_page, QPushButton, "listen_open")
        row = find(overview_page, QCheckBox, "listen_tools").y()
        assert abs(button.y() - row) < button.height()

        overview_page.resize(360, 420)

        await wait_until(lambda: button.y() - row > button.height() // 2)
        overview_page.set_session(None)
