"""The client page, over the real engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QSpinBox, QWidget

from inspector.config.profile import Profile
from inspector.workspace import Workspace
from tests.support.asked import asker, client_side
from tests.support.modern import modern
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from ui.features.client.page import ClientPage
from ui.navigator import Navigator

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme

PARAMS: JsonObject = {"messages": [], "maxTokens": 5}


def on_screen(qtbot: QtBot, theme: Theme) -> ClientPage:
    page = ClientPage(theme=theme)
    qtbot.addWidget(page)
    page.resize(900, 600)
    page.show()
    return page


async def test_switching_something_off_holds_from_the_next_connection_on(
    qtbot: QtBot, theme: Theme
) -> None:
    """C-LC-13."""
    page = on_screen(qtbot, theme)
    wanted: list[bool] = []
    Navigator(page).reconnect_requested.connect(lambda: wanted.append(True))
    async with asker() as asking:
        page.set_session(asking.opened)
        assert page.switches["sampling"].isChecked()
        assert not sees(page, "declare_stale")
        click(page, "declare_sampling")
        await wait_until(lambda: sees(page, "declare_stale"))

        assert not asking.opened.client.capabilities.switches.sampling
        assert "sampling" in asking.opened.session.client_capabilities
        assert not page.switches["sampling_tools"].isEnabled()
        click(page, "declare_reconnect")
        assert wanted == [True]
        page.set_session(None)


async def test_free_json_takes_the_place_of_the_switches(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    page = on_screen(qtbot, theme)
    async with asker() as asking:
        page.set_session(asking.opened)
        page.override.setPlainText("{")
        await wait_until(lambda: "JSON" in reads(page, "declare_trouble"))
        assert page.switches["sampling"].isEnabled()
        assert not find(page, QPushButton, "declare_apply").isEnabled()
        page.override.setPlainText('{"experimental":{}}')
        click(page, "declare_apply")
        await wait_until(lambda: not page.switches["sampling"].isEnabled())

        assert asking.opened.client.capabilities.override == '{"experimental":{}}'
        page.set_session(None)


async def test_free_json_is_declared_when_it_is_applied_and_kept_while_it_is_written(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: half of what somebody writes may be JSON already, and means something else."""
    page = on_screen(qtbot, theme)
    async with asker() as asking:
        page.set_session(asking.opened)
        chosen = asking.opened.client.capabilities
        assert not sees(page, "declare_apply")
        row = page.override.fontMetrics().lineSpacing()
        assert (
            page.override.height() > 3 * row
        )  # as high as what is declared now, which it suggests
        page.override.setPlainText("{}")
        assert sees(page, "declare_apply")
        assert chosen.override == ""

        page.set_session(None)
        page.set_client(client_side())
        assert page.override.toPlainText() == ""
        page.set_session(asking.opened)
        assert page.override.toPlainText() == "{}"
        assert chosen.override == ""

        click(page, "declare_revert")
        assert page.override.toPlainText() == ""
        assert not sees(page, "declare_apply")
        page.set_session(None)


async def test_a_rule_answers_as_often_as_it_may_and_is_switched_off(
    qtbot: QtBot, theme: Theme
) -> None:
    """C-SMP-03: always ask is the default."""
    page = on_screen(qtbot, theme)
    async with asker() as asking:
        page.set_session(asking.opened)
        assert reads(page, "rule_status").startswith("Off")
        find(page, QSpinBox, "rule_times").setValue(1)
        click(page, "rule_start")
        asking.ask(1, "sampling/createMessage", PARAMS)
        assert "This is a test answer" in str((await asking.answer_to(1))["result"])
        await wait_until(lambda: reads(page, "rule_status").startswith("Limit reached"))
        asking.ask(2, "sampling/createMessage", PARAMS)
        await asking.waits()
        click(page, "rule_stop")

        assert asking.opened.sampling.rule is None
        page.set_session(None)


async def test_what_is_declared_can_be_chosen_before_the_first_connection(
    qtbot: QtBot, theme: Theme
) -> None:
    """C-LC-13."""
    page = on_screen(qtbot, theme)
    workspace = Workspace(None)
    profile = Profile(name="server", command="server")
    assert ClientPage.info.works_offline
    assert not page.switches["sampling"].isEnabled()
    page.set_client(workspace.client_profile(profile))
    assert "apply to the next connection" in reads(page, "declare_stale")
    assert not sees(page, "declare_reconnect")
    click(page, "declare_sampling")
    page.override.setPlainText("{")
    await wait_until(lambda: "JSON" in reads(page, "declare_trouble"))
    page.override.setPlainText("")
    await wait_until(lambda: not page.switches["sampling_tools"].isEnabled())

    assert not workspace.client_profile(profile).capabilities.switches.sampling
    page.set_client(client_side())
    assert page.switches["sampling"].isChecked()
    page.set_client(None)
    assert not page.isEnabled()


async def test_where_requests_declare_a_change_holds_at_once(qtbot: QtBot, theme: Theme) -> None:
    """C-LC-13; and what the revision does not have is marked."""
    page = on_screen(qtbot, theme)
    async with modern() as (server, opened):
        opened.session.declare = opened.client.capabilities.enabled
        page.set_session(opened)
        assert "not available" in page.switches["tasks"].text()
        assert "not available" in page.switches["roots_list_changed"].text()
        assert "not available" not in page.switches["roots"].text()
        click(page, "declare_tasks_extension")
        await wait_until(lambda: "apply to the next one" in reads(page, "declare_stale"))
        assert not sees(page, "declare_reconnect")

        await opened.session.request("tools/list", {})
        assert "extensions" in str(server.of("tools/list")[-1]["params"])
        page.set_session(None)


async def test_the_way_to_a_new_connection_is_always_in_sight(qtbot: QtBot, theme: Theme) -> None:
    """Ours: however low the page is."""
    page = on_screen(qtbot, theme)
    page.resize(600, 150)
    async with asker() as asking:
        page.set_session(asking.opened)
        page.switches["sampling"].click()
        await wait_until(lambda: sees(page, "declare_reconnect"))
        button = find(page, QPushButton, "declare_reconnect")
        assert not button.visibleRegion().isEmpty()
        page.set_session(None)


async def test_a_session_comes_before_what_was_chosen_without_one(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours."""
    page = on_screen(qtbot, theme)
    other = client_side()
    other.capabilities.switch("roots", on=False)
    page.set_client(other)
    assert not page.switches["roots"].isChecked()
    async with asker() as asking:
        page.set_session(asking.opened)
        assert page.switches["roots"].isChecked()
        page.set_session(None)
    assert not page.switches["roots"].isChecked()
    page.set_client(None)


async def test_large_text_in_a_narrow_window_wraps(
    qtbot: QtBot, qapp: QApplication, theme: Theme
) -> None:
    """Ours: nothing is scrolled to the side, and the JSON follows the text size there and back."""
    page = on_screen(qtbot, theme)
    page.resize(512 * 2, 640)
    column = find(page, QScrollArea, "client_scroll")
    async with modern() as (_, session):
        page.set_session(session)
        low = page.override.height()
        theme.apply(qapp, "light", 2.0)
        box = page.switches["roots_list_changed"]
        await wait_until(lambda: box.height() > 3 * box.fontMetrics().height() / 2)

        inner = column.widget()
        assert inner is not None
        assert inner.width() == column.viewport().width()
        assert "\n" not in box.text()
        right = max(part.mapTo(inner, part.rect().topRight()).x() for part in parts(page))
        assert right < inner.width()
        assert page.override.height() > 3 * low / 2
        theme.apply(qapp, "light", 1.0)
        await wait_until(lambda: page.override.height() == low)
        page.set_session(None)


def parts(page: ClientPage) -> list[QWidget]:
    return [*page.switches.values(), *page.rule.findChildren(QWidget)]
