"""Requests that arrive while the window is in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from tests.support.wait import wait_until
from ui.shell import notifications
from ui.shell.notifications import Desktop, SystemDesktop

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.theme import Theme

PARAMS: JsonObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "<b>secret</b>"}}],
    "maxTokens": 5,
}


class KeptDesktop(Desktop):
    """Keeps what would be displayed outside of the window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.displayed: list[tuple[str, str]] = []
        self.withdrawals = 0

    def notify(self, title: str, text: str) -> None:
        self.displayed.append((title, text))

    def withdraw(self) -> None:
        self.withdrawals += 1


def ask(shell: ShellFixture, id_: int) -> None:
    shell.server.send(
        {"jsonrpc": "2.0", "id": id_, "method": "sampling/createMessage", "params": PARAMS}
    )


def desktop(shell: ShellFixture) -> KeptDesktop:
    kept = KeptDesktop(shell.window)
    shell.window.parts.inbox.notifier.set_desktop(kept)
    return kept


async def in_background(qtbot: QtBot) -> QWidget:
    """Another window, which belongs to no part of Spyglass, and is active."""
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    await wait_until(other.isActiveWindow)
    return other


async def test_a_request_in_the_background_is_notified_of_without_text_of_the_server(
    shell: ShellFixture, qtbot: QtBot
) -> None:
    """Ours; ux: with the window in the background, a desktop notification."""
    await shell.open("my server")
    kept, other = desktop(shell), await in_background(qtbot)

    ask(shell, 7)

    await wait_until(lambda: kept.displayed)
    assert kept.displayed == [("Sampling from my server", "Waiting for your response")]
    kept.clicked.emit()
    await wait_until(lambda: len(shell.window.parts.inbox.dialogs.existing) == 1)
    assert shell.window.parts.inbox.dialogs.existing[0].isVisible()
    shell.session.sampling.reject(shell.app.workspace.inbox.pending[0])
    await wait_until(lambda: not shell.window.parts.inbox.dialogs.existing)
    assert kept.withdrawals > 0
    other.close()


async def test_nothing_is_notified_of_in_the_foreground_or_when_it_is_off(
    shell: ShellFixture, qtbot: QtBot
) -> None:
    """Ours: a command of the View menu turns it off, and it is remembered."""
    await shell.open()
    kept, inbox = desktop(shell), shell.app.workspace.inbox
    shell.window.activateWindow()
    await wait_until(shell.window.isActiveWindow)
    ask(shell, 7)
    await wait_until(lambda: len(inbox.pending) == 1)
    action = shell.window.commands.actions["notifications"]
    assert action.isChecked()
    action.trigger()
    assert not action.isChecked()
    assert not shell.window.layout_state.settings.notifies
    other = await in_background(qtbot)
    before = kept.withdrawals
    ask(shell, 8)
    await wait_until(lambda: len(inbox.pending) == 2)
    inbox.decline_all()
    await wait_until(lambda: kept.withdrawals > before)  # the changes have been looked at

    assert kept.displayed == []
    other.close()


async def test_many_requests_at_once_are_one_or_two_notifications(
    shell: ShellFixture, qtbot: QtBot
) -> None:
    """Ours: a server does not fill the desktop."""
    await shell.open()
    kept, other = desktop(shell), await in_background(qtbot)

    for number in range(30):
        ask(shell, number)
    await wait_until(lambda: len(shell.app.workspace.inbox.pending) == 30)
    await wait_until(lambda: len(kept.displayed) == 2)

    assert kept.displayed[1][0].endswith(" requests from server")
    before = kept.withdrawals
    shell.app.workspace.inbox.decline_all()
    await wait_until(lambda: kept.withdrawals > before)
    assert len(kept.displayed) == 2
    other.close()


def test_without_a_tray_the_window_is_marked(qtbot: QtBot, theme: Theme) -> None:
    """Ours: there is no tray here, and nothing fails for that."""
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    system = SystemDesktop(window, theme.icon("mdi6.account-alert-outline"))

    system.notify("Sampling from server", "Waiting for your response")
    system.withdraw()

    assert QSystemTrayIcon.isSystemTrayAvailable() or not system.findChildren(QSystemTrayIcon)


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
async def test_the_icon_in_the_tray_goes_with_the_notification(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: nothing stays there that the user has to clear away."""
    for name in ("isSystemTrayAvailable", "supportsMessages"):
        monkeypatch.setattr(QSystemTrayIcon, name, lambda: True)
    monkeypatch.setattr(notifications, "VISIBLE_MS", 50)
    window = QWidget()
    qtbot.addWidget(window)
    system = SystemDesktop(window, theme.icon("mdi6.account-alert-outline"))

    system.notify("Sampling from server", "Waiting for your response")

    (tray,) = system.findChildren(QSystemTrayIcon)
    assert tray.isVisible()
    await wait_until(lambda: not tray.isVisible())
