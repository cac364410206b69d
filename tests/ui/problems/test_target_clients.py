"""The choice of the clients that a server is for, in the options of the problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from inspector.checks.background_validator import BackgroundValidator
from inspector.config.target_clients import TargetClients
from tests.support.talk import Talk
from tests.support.wait import wait_until
from tests.ui.qt_actions import reads
from ui.problems.page import ProblemsPage
from ui.problems.source import ProblemSource

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.json_value import JsonObject
    from ui.theme import Theme


def rules(page: ProblemsPage) -> set[str]:
    """The rules that are displayed."""
    return {page.model.row(row).rule for row in range(page.model.rowCount())}


async def test_limits_of_clients_are_checked_again_for_the_targets_that_are_chosen(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: the choice is kept, and the bar says that not all clients are meant."""
    talk, saved = Talk(), list[object]()
    talk.request(1, "tools/list")
    schema: JsonObject = {"type": "object", "properties": {"a": {"type": "array"}}}
    talk.result(1, tools=[{"name": "n" * 50, "description": "Adds.", "inputSchema": schema}])
    sweep = BackgroundValidator(talk.transcript)
    await sweep.catch_up()
    page = ProblemsPage(ProblemSource(), theme=theme)
    page.source.setParent(page)
    qtbot.addWidget(page)
    page.resize(1400, 320)
    page.source.show(
        talk.transcript, targets=TargetClients(None, saved.append), sweep=lambda: sweep
    )
    page.show()
    await wait_until(lambda: page.feed.is_complete)
    assert {"L-MDL-04", "L-MDL-10"} <= rules(page)

    menu = page.bar.make_menu()
    targets = menu.findChild(QMenu, "problems_targets")
    assert targets is not None
    (client,) = [each for each in targets.actions() if each.text() == "Copilot CLI"]
    client.trigger()

    await wait_until(lambda: page.feed.is_complete and not {"L-MDL-04", "L-MDL-10"} & rules(page))
    assert saved == [["Copilot CLI"]]
    assert reads(page, "problems_muted") == "for Copilot CLI"
    menu.deleteLater()
