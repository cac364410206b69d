"""The window around the pages makes no more of what a server says than text either; ours, and corpus kind `text`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QMenu

from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.wait import wait_until
from tests.ui.hostile import NASTY, TEXTS, troubles
from tests.ui.hostile_server import FORM, SAMPLING, VISIT, hostile_server, log
from ui.shell.open_link import OpenLink

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.theme import Theme


async def test_the_whole_window_shows_words_as_words(shell: ShellFixture) -> None:
    """text-01-bidi-and-invisible; result-27-markup-in-text."""
    server = shell.server = hostile_server()
    session = await shell.open()
    log(server)
    for number, (method, params) in enumerate(ASKS):
        server.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
    for text in TEXTS:
        raw = text.encode("utf-8", "surrogatepass")
        transcript = session.session.transcript
        transcript.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(raw)])
        transcript.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(raw)])
        server.notify(text, {text: text})
    await wait_until(lambda: len(shell.window.parts.workspace.inbox.pending) == len(ASKS))
    tabs = shell.window.parts.workbench.tabs
    for at in range(tabs.count()):
        tabs.setCurrentIndex(at)
        assert troubles(shell.window) == []
    await wait_until(lambda: len(shell.window.parts.inbox.panel.cards) == len(ASKS))
    assert troubles(shell.window) == []


async def test_rows_of_the_traffic_show_words_as_words(shell: ShellFixture) -> None:
    """text-01-bidi-and-invisible: rows, detail, problems and the menu of a row."""
    shell.server = hostile_server()
    session = await shell.open()
    for text in TEXTS:
        shell.server.notify(text, {text: [text]})
    panel = shell.window.parts.traffic
    count = session.session.transcript.count
    await wait_until(lambda: panel.model.rowCount() > count - len(TEXTS))
    for number in range(count - len(TEXTS), count + 1):
        panel.select_frame(number)
        panel.row_actions.open_menu(panel.table.rect().center())
        assert troubles(panel) == []
        for menu in panel.findChildren(QMenu):
            menu.close()


async def test_what_can_be_found_is_shown_as_words(shell: ShellFixture) -> None:
    """text-01-bidi-and-invisible; result-27-markup-in-text."""
    shell.server = hostile_server()
    await shell.open()
    shell.window.commands.actions["palette"].trigger()

    assert troubles(shell.window) == []


@pytest.mark.parametrize("url", [*TEXTS, f"https://user:pw@раypal.example:1/{NASTY}"])
def test_a_link_is_shown_as_words(qtbot: QtBot, theme: Theme, url: str) -> None:
    """result-27-markup-in-text."""
    dialog = OpenLink(url, theme=theme)
    qtbot.addWidget(dialog)

    assert troubles(dialog) == []


ASKS: tuple[tuple[str, JsonObject], ...] = (
    ("sampling/createMessage", SAMPLING),
    ("elicitation/create", FORM),
    ("elicitation/create", VISIT),
)
