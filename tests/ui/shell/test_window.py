"""The window as it is arranged at first, with large text, on a small screen, and for those who do not see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtWidgets import QAbstractItemView, QWidget

from tests.support.answering import silence
from tests.support.wait import wait_until
from tests.ui.qt_actions import find, reads, sees
from ui.navigator import navigator_of
from ui.shell.dock_sizes import BOTTOM
from ui.theme import tokens

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.shell.main_window import MainWindow


def rows_seen(view: QAbstractItemView) -> int:
    """Rows that are on screen whole."""
    height = view.visualRect(view.model().index(0, 0)).height()
    return view.viewport().height() // height


def place_of(widget: QWidget, window: MainWindow) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


async def called(shell: ShellFixture) -> None:
    """A tool in front with a result beside it, and some traffic."""
    await shell.open()
    shell.window.go("tools")
    await wait_until(lambda: shell.tools.list.model.rowCount() == 40)
    shell.tools.choose(3)
    for _ in range(6):
        shell.tools.call_panel.call_button.click()
        await wait_until(lambda: shell.session.tools.history.operations[-1].is_finished)
    await wait_until(lambda: sees(shell.tools, "call_content"))


async def test_at_first_there_is_room_for_sixteen_tools_a_form_its_result_and_twelve_frames(
    shell: ShellFixture,
) -> None:
    """Ours; ux, "Visual language": all at the same time, at 1360 by 860."""
    await called(shell)
    window = shell.window

    assert (window.width(), window.height()) == (1360, 860)
    assert rows_seen(shell.tools.list.view) >= 16
    assert rows_seen(window.parts.traffic.table) >= 12
    assert window.parts.traffic.model.rowCount() >= 12
    form, result = shell.tools.call_panel.form, shell.tools.result_panel
    assert sees(window, "field:/a")
    assert place_of(form, window).right() < place_of(result, window).left()
    assert form.width() >= 300
    assert result.width() >= 300
    assert form.height() >= 150


async def test_a_small_window_still_shows_everything_that_is_needed_to_call(
    shell: ShellFixture,
) -> None:
    """Ours; ux: usable down to 1024 by 640."""
    await called(shell)
    window = shell.window

    window.resize(1024, 640)
    await wait_until(lambda: window.parts.workbench.width() < 900)

    assert (window.width(), window.height()) == (1024, 640)
    for name in ("call_button", "tool_view", "call_content", "strip_button", "palette_button"):
        widget = find(window, QWidget, name)
        assert widget.isVisible(), name
        assert window.rect().contains(place_of(widget, window)), name
    button = shell.tools.call_panel.call_button
    assert button.width() >= button.sizeHint().width()


async def test_text_of_any_size_fits_the_first_window(shell: ShellFixture) -> None:
    """Ours; ux: text can be enlarged."""
    await called(shell)
    window = shell.window
    shell.tools.call_panel.set_arguments('{"a":"no number"}')
    button = shell.tools.call_panel.call_button
    assert button.text() == "Call anyway"

    for scale in tokens.SCALES:
        window.layout_state.set_theme("light", scale)

        await wait_until(lambda: window.minimumSizeHint().height() <= 860)
        await wait_until(lambda: window.minimumSizeHint().width() <= 1360)
        await wait_until(lambda: button.width() >= button.sizeHint().width())


async def test_after_larger_text_the_arrangement_comes_back(shell: ShellFixture) -> None:
    """Ours: looking closer once does not cost the arrangement."""
    await shell.open()
    window, commands = shell.window, shell.window.commands
    await wait_until(lambda: window.bottom.height() > 300)
    before = [dock.size() for dock in (window.docks["servers"], window.bottom)]

    for _ in tokens.SCALES[1:]:
        commands.view.step_scale(1)
    assert shell.app.theme.scale == tokens.SCALES[-1]
    await wait_until(lambda: window.bottom.is_folded)
    commands.view.step_scale(0)

    await wait_until(
        lambda: [dock.size() for dock in (window.docks["servers"], window.bottom)] == before
    )


async def test_the_title_of_the_window_names_the_server(shell: ShellFixture) -> None:
    """Ours."""
    assert shell.window.windowTitle() == "Spyglass"

    await shell.open("files")

    await wait_until(lambda: shell.window.windowTitle() == "files – Spyglass")


async def test_a_frame_that_is_wanted_is_shown_in_the_traffic_even_if_that_is_hidden(
    shell: ShellFixture,
) -> None:
    """Ours."""
    await shell.open()
    shell.window.hide_dock("traffic")

    navigator_of(shell.tools).show_frame(2)

    assert shell.window.is_dock_visible("traffic")
    await wait_until(lambda: shell.window.parts.traffic.detail.number() == 2)


async def test_a_message_is_edited_and_sent_again_on_the_raw_page(shell: ShellFixture) -> None:
    """Ours; ux: edit and resend."""
    await shell.open()

    navigator_of(shell.tools).edit_and_send('{"x":1}')

    assert shell.window.parts.workbench.current.info.key == "raw"
    assert find(shell.window, QWidget, "raw_edit").isVisible()


async def test_without_a_connection_there_is_nobody_to_send_again_to(shell: ShellFixture) -> None:
    """Ours."""
    session = await shell.open()
    await session.aclose()

    navigator_of(shell.tools).edit_and_send('{"x":1}')

    assert reads(shell.window, "status_message").startswith("Not connected")


async def test_a_resource_that_a_result_links_to_is_read_on_its_page(shell: ShellFixture) -> None:
    """C-TOOL-18; result-07-resource-link."""
    read: list[str] = []

    def answer(params: JsonObject) -> Json:
        read.append(str(params["uri"]))
        return {"contents": [{"uri": params["uri"], "text": "the text"}]}

    shell.server.answers["resources/read"] = answer
    await shell.open()

    navigator_of(shell.tools).read_resource("demo://doc/1")

    assert shell.window.parts.workbench.current.info.key == "resources"
    await wait_until(lambda: read == ["demo://doc/1"])


async def test_closing_the_window_ends_the_program_in_order(shell: ShellFixture) -> None:
    """Ours: the window goes last."""
    asked: list[None] = []
    shell.window.close_requested.disconnect()
    shell.window.close_requested.connect(lambda: asked.append(None))

    assert not shell.window.close()

    assert asked == [None]
    assert shell.window.isVisible()


async def test_the_focus_begins_in_what_is_in_front(shell: ShellFixture) -> None:
    """Ours: not on the button of a dock, where the next space would undock a panel."""
    window = shell.window
    focused = window.focusWidget()
    assert focused is not None
    assert window.parts.workbench.isAncestorOf(focused)


def quick_clocks(window: MainWindow) -> list[QTimer]:
    """What runs over and over, more often than once a second."""
    timers = window.findChildren(QTimer)
    running = (each for each in timers if each.isActive() and not each.isSingleShot())
    return [each for each in running if each.interval() < 1000]


@pytest.mark.parametrize("folded", [True, False])
async def test_while_nothing_happens_nothing_runs_more_often_than_once_a_second(
    shell: ShellFixture, *, folded: bool
) -> None:
    """Ours: with the traffic open or folded, and a frame shown whole; a pending request has its clock as long as it is pending."""
    await shell.open()
    window = shell.window
    window.parts.traffic.select_frame(2)
    window.layout_state.sizes.choose(BOTTOM, opened=not folded)
    await wait_until(lambda: not quick_clocks(window))

    shell.server.answers["tools/call"] = silence
    shell.tools.choose(3)
    shell.tools.call_panel.call_button.click()
    await wait_until(lambda: quick_clocks(window))
    shell.tools.call_panel.cancel_button.click()
    await wait_until(lambda: not quick_clocks(window))


async def test_a_message_is_sent_many_times_by_a_command(shell: ShellFixture) -> None:
    """Ours: on the pages that send messages, while there is a connection."""
    await shell.open()
    action = shell.window.commands.actions["send_many"]
    shell.window.commands.actions.refresh()
    assert not action.isEnabled()
    shell.window.go("raw")
    shell.window.commands.actions.refresh()
    await wait_until(action.isEnabled)
    action.trigger()
    assert not find(shell.window, QWidget, "raw_repeat_panel").isHidden()
