"""What the shell can rely on in every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.page import Page
from ui.pages import TOOLS

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class Tools(Page):
    info = TOOLS


def test_a_page_has_a_name_and_starts_without_a_session(qtbot: QtBot) -> None:
    """Ours."""
    page = Tools()
    qtbot.addWidget(page)

    assert page.objectName() == "page_tools"
    assert page.accessibleName() == "Tools"
    assert page.session is None
    assert (page.badge(), page.missing()) == ("", "")


def test_a_new_session_is_told(qtbot: QtBot) -> None:
    """Ours."""
    page = Tools()
    qtbot.addWidget(page)

    with qtbot.waitSignal(page.changed, timeout=20_000):
        page.set_session(None)
