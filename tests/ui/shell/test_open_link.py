"""Links of servers are opened by people only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from tests.ui.qt_actions import click, find, reads
from ui.shell.open_link import OpenLink

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def ask(url: str, qtbot: QtBot, theme: Theme, opened: list[str]) -> OpenLink:
    dialog = OpenLink(url, theme=theme, open_url=opened.append)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.open()
    return dialog


def test_the_whole_address_is_shown_with_its_host_set_off(qtbot: QtBot, theme: Theme) -> None:
    """Ours; ux: a URL is never opened without consent, its host set off."""
    url = "https://trusted.test@evil.test/a?b=<i>"
    dialog = ask(url, qtbot, theme, [])

    assert reads(dialog, "open_link_host") == "evil.test"
    assert url in reads(dialog, "open_link_address")


def test_it_is_opened_when_the_person_says_so(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    opened: list[str] = []
    dialog = ask("https://a.test/x", qtbot, theme, opened)
    assert opened == []

    click(dialog, "open_link_copy")
    assert QGuiApplication.clipboard().text() == "https://a.test/x"
    assert opened == []
    click(dialog, "open_link_open")

    assert opened == ["https://a.test/x"]
    assert not dialog.isVisible()


def test_leaving_opens_nothing(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    opened: list[str] = []
    dialog = ask("https://a.test/x", qtbot, theme, opened)

    click(dialog, "open_link_cancel")

    assert opened == []


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "http://["]
)
def test_only_addresses_of_the_web_can_be_opened_at_all(
    qtbot: QtBot, theme: Theme, url: str
) -> None:
    """C-SEC-08, C-SEC-10; result-07-resource-link."""
    dialog = ask(url, qtbot, theme, [])

    opens = find(dialog, QPushButton, "open_link_open")
    assert not opens.isEnabled()
