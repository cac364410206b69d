"""What leaves the window after an authorization: no copy and no report of an error holds a secret of it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from inspector.auth.grant import Access
from inspector.auth.settings import Settings, Way
from inspector.clock import SystemClock
from inspector.errors import InspectorError
from inspector.export.formats import CURL, INDENTED_JSON, JSON_LINES, RAW
from inspector.workspace import Workspace
from tests.support.http_session import call
from tests.support.http_stub import reply
from tests.support.protected import Protected
from tests.support.redirected import Redirected
from tests.support.traces import secrets_of, traces
from tests.support.wait import wait_until
from tests.ui.traffic.hands import frames
from ui.errors import Reporter
from ui.models.timeline import timeline_of
from ui.traffic.panel import TrafficPanel

if TYPE_CHECKING:
    import logging

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

SETTINGS = Settings(way=Way.CODE, client_id="me", client_secret="client-secret/0123456789")


def copies(panel: TrafficPanel) -> str:
    """Everything that can be copied of the rows."""
    clipboard, actions = QGuiApplication.clipboard(), panel.row_actions
    found: list[str] = []

    def take() -> None:
        found.append(clipboard.text())
        clipboard.clear()

    panel.table.selectAll()
    for format_ in (RAW, JSON_LINES):
        actions.copy(format_)
        take()
    actions.copy_all(JSON_LINES)
    take()
    for number in frames(panel):
        panel.select_frame(number)
        actions.copy(INDENTED_JSON)
        take()
        actions.copy(CURL)
        take()
    return "\n".join(found)


async def test_no_copy_and_no_report_of_an_error_holds_a_secret_of_an_authorization(
    qtbot: QtBot, theme: Theme, logged: list[logging.LogRecord]
) -> None:
    """C-SEC-17: every row raw, as JSON, as JSON lines and as cURL; an error that names each secret, kept and logged."""
    async with Protected() as server:
        workspace = Workspace(None, access=lambda _: Access(SETTINGS, server.grants, Redirected))
        opened = workspace.open(server.profile)
        await opened.connect()
        assert opened.authorizer is not None
        assert await opened.authorizer.refresh()
        server.stub.play("POST tools/call", reply(307, location="https://x.example/?code=the-code"))
        with contextlib.suppress(InspectorError):
            await call(opened.session)
        secrets = secrets_of(server, SETTINGS, opened.authorizer.grant)
        panel = TrafficPanel(theme=theme, clock=SystemClock())
        qtbot.addWidget(panel)
        panel.set_timeline(timeline_of(opened.session.transcript))
        panel.filtering.show_http(True)
        await wait_until(lambda: len(frames(panel)) == opened.session.transcript.count)
        text = copies(panel)
        reporter = Reporter(clock=SystemClock())
        reporter.without_secrets = workspace.without_secrets
        for secret in secrets:
            reporter.report(ValueError(f"{secret!r} is no number"), f"While reading {secret}")
        text += "".join(f"{each.summary}{each.traceback}" for each in reporter.problems)
        text += "".join(record.getMessage() for record in logged)
        logged.clear()
        await workspace.aclose()

    assert "grant_type=authorization_code" in text
    assert "curl" in text
    assert "ValueError" in text
    assert len(secrets) >= 8
    assert traces(secrets, text.encode()) == []
