"""What a user sees while the era of a server is found out: the steps, and afterwards the overview."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QLabel, QPushButton

from inspector.errors import NegotiationFailed
from inspector.inbox import Inbox
from inspector.open_session import OpenSession
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.transcript.transcript import Transcript
from tests.support.asked import client_side
from tests.support.corpus_stateless import Play, old_server, plays
from tests.support.http_session import at
from tests.support.http_stub import HttpStub, answer
from tests.support.wait import wait_until
from tests.ui.qt_actions import find, reads
from ui.connect.steps_view import ConnectionSteps

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from inspector.config.profile import Profile
    from inspector.wire.json_codec import JsonObject
    from ui.features.overview.page import OverviewPage
    from ui.theme import Theme


def session_of(profile: Profile) -> OpenSession:
    """A session that is not connected yet."""
    session = Session(profile, Transcript(), make_transport)
    return OpenSession(profile, session, client_side(), Inbox())


def steps_of(opened: OpenSession, qtbot: QtBot, theme: Theme) -> ConnectionSteps:
    view = ConnectionSteps(theme=theme)
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    view.set_session(opened.session)
    return view


@pytest.mark.parametrize("play", plays("lifecycle-09-discover-fallbacks"), ids=str)
async def test_the_way_to_an_old_server_can_be_read_from_the_steps(
    overview_page: OverviewPage, qtbot: QtBot, theme: Theme, tmp_path: Path, play: Play
) -> None:
    """lifecycle-09-discover-fallbacks: what was asked, what came of it, and which era it is."""
    opened = session_of(old_server(play, tmp_path / "started"))
    view = steps_of(opened, qtbot, theme)
    await opened.connect()
    await wait_until(lambda: "Negotiate: initialize" in reads(view))
    said = reads(view)
    assert "Detect protocol: server/discover" in said
    restarted = play.given["reply"] == "process exits with code 1"
    assert ("without server/discover" in said) is restarted
    view.set_session(None)

    overview_page.set_session(opened)
    await wait_until(lambda: "Revision" in reads(overview_page, "overview_identity"))
    assert "initialize:" in reads(overview_page, "overview_identity")
    overview_page.set_session(None)
    await opened.aclose()


@pytest.mark.parametrize("play", plays("lifecycle-10-discover-unsupported-version"), ids=str)
async def test_a_server_of_a_later_revision_is_told_with_what_both_speak(
    qtbot: QtBot, theme: Theme, play: Play
) -> None:
    """lifecycle-10-discover-unsupported-version: no handshake is tried, and the way on is named."""
    refusal = answer(cast("JsonObject", play.given["reply"]), status=400)
    async with HttpStub({"POST server/discover": refusal}) as stub:
        opened = session_of(replace(at(stub.url), revision=""))
        view = steps_of(opened, qtbot, theme)
        with pytest.raises(NegotiationFailed):
            await opened.connect()
        await wait_until(lambda: find(view, QPushButton, "retry_connect").isVisible())
        await wait_until(lambda: "supports 2027-01-01" in reads(view))
        said = reads(view)
        assert find(view, QLabel, "steps_title").text().startswith("Connection failed")
        assert "the stateless server supports 2027-01-01" in said
        assert "2026-07-28" in said
        assert "no common revision" in said.lower()
        assert [asked.rpc for asked in stub.asked] == ["server/discover"]
        view.set_session(None)
        await opened.aclose()
