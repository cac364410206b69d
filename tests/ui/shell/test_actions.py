"""Every command: in a menu, by its keys, and never in the way of another."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPlainTextEdit, QWidget

from tests.support.wait import wait_until
from tests.ui.qt_actions import click, double_click, find, has_focus, press, sees
from tests.ui.shell.shell_fixture import breathe
from ui.theme.palettes import PALETTES, SYSTEM
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.shell.main_window import MainWindow

CTRL = Qt.KeyboardModifier.ControlModifier
WINDOW = Qt.ShortcutContext.WindowShortcut


def menus(window: MainWindow) -> list[QMenu]:
    return window.menuBar().findChildren(QMenu)


def menu_entries(window: MainWindow) -> list[QAction]:
    return [entry for menu in menus(window) for entry in menu.actions()]


def window_keys(window: MainWindow) -> list[str]:
    """Keys that work everywhere in the window."""
    found: list[str] = []
    for action in window.findChildren(QAction):
        if action.shortcutContext() is WINDOW:
            found += [keys.toString() for keys in action.shortcuts()]
    for shortcut in window.findChildren(QShortcut):
        if shortcut.context() is WINDOW:
            found.append(shortcut.key().toString())
    return found


def local_keys(window: MainWindow) -> dict[QWidget, list[str]]:
    """Keys that work inside one widget only."""
    found: dict[QWidget, list[str]] = {}
    for widget in window.findChildren(QWidget):
        for action in widget.actions():
            if action.shortcutContext() is not WINDOW:
                found.setdefault(widget, []).extend(k.toString() for k in action.shortcuts())
    for shortcut in window.findChildren(QShortcut):
        owner = shortcut.parent()
        if shortcut.context() is not WINDOW and isinstance(owner, QWidget):
            keys = shortcut.keys()
            found.setdefault(owner, []).extend(each.toString() for each in keys)
    return found


async def test_every_command_stands_in_a_menu(shell: ShellFixture) -> None:
    """Ours; ux: every action has a menu entry."""
    window = shell.window

    entries = menu_entries(window)

    actions = [window.commands.actions[command.key] for command in window.commands.actions.commands]
    assert [action.text() for action in actions if action not in entries] == []
    assert len(set(map(id, actions))) == len(actions)


async def test_no_keys_mean_two_things(shell: ShellFixture) -> None:
    """Ours: of two, Qt runs neither."""
    window = shell.window
    everywhere = Counter(window_keys(window))
    assert [keys for keys, times in everywhere.items() if times > 1] == []

    local = local_keys(window)
    shadowed = {
        f"{keys} of {widget.objectName()}"
        for widget, some in local.items()
        for keys in some
        if keys in everywhere
    }
    assert shadowed == set()
    twice = {
        f"{keys} of {widget.objectName()} and {other.objectName()}"
        for widget, some in local.items()
        for other, more in local.items()
        for keys in set(some) & set(more)
        if keys and widget is not other and widget.isAncestorOf(other)
    }
    assert twice == set()


async def test_the_letters_of_a_menu_are_its_own(shell: ShellFixture) -> None:
    """Ours: Alt, then one letter for each entry."""
    for menu in menus(shell.window):
        letters = [_letter(entry.text()) for entry in menu.actions() if not entry.isSeparator()]
        named = Counter(letter for letter in letters if letter)
        assert [letter for letter, times in named.items() if times > 1] == [], menu.title()


def _letter(text: str) -> str:
    at = text.replace("&&", "").find("&")
    return text.replace("&&", "")[at + 1].lower() if at >= 0 else ""


async def test_what_cannot_be_done_now_is_not_offered(shell: ShellFixture) -> None:
    """Ours."""
    actions = shell.window.commands.actions
    needs_connection = ("reconnect", "disconnect", "ping", "lists", "raw")
    assert [key for key in needs_connection if actions[key].isEnabled()] == []
    assert not actions["connect"].isEnabled()

    session = await shell.open()
    await wait_until(lambda: all(actions[key].isEnabled() for key in needs_connection))
    actions.refresh()
    assert not actions["connect"].isEnabled()

    await session.aclose()
    await wait_until(lambda: not actions["disconnect"].isEnabled())
    assert actions["reconnect"].isEnabled()


async def test_find_goes_to_whatever_has_the_focus(shell: ShellFixture) -> None:
    """Ours; ux: Ctrl+F filters what has focus; a text has its own search, and it wins."""
    await shell.open()
    window = shell.window
    window.go("tools")
    await wait_until(lambda: shell.tools.list.model.rowCount() == 40)
    shell.tools.choose(0)

    shell.tools.list.view.setFocus()
    press(shell.tools.list.view, Qt.Key.Key_F, CTRL)
    assert has_focus(find(window, QLineEdit, "tools_filter_line"))

    window.parts.traffic.table.setFocus()
    press(window.parts.traffic.table, Qt.Key.Key_F, CTRL)
    assert has_focus(find(window, QLineEdit, "traffic_filter_line"))

    shell.tools.call_panel.call_button.click()
    await wait_until(lambda: sees(window, "text"))
    view = find(window, TextView, "text")
    view.edit.setFocus()
    press(view.edit, Qt.Key.Key_F, CTRL)
    await wait_until(view.find_bar.isVisible)


async def test_control_enter_in_the_form_calls_and_leaves_the_connection_alone(
    shell: ShellFixture,
) -> None:
    """Ours; the same keys must not connect again."""
    session = await shell.open()
    shell.window.go("tools")
    await wait_until(lambda: shell.tools.list.model.rowCount() == 40)
    shell.tools.choose(0)
    await wait_until(lambda: sees(shell.window, "field:/a"))
    field = find(shell.window, QWidget, "field:/a")
    field.setFocus()

    press(field, Qt.Key.Key_Return, CTRL)

    await wait_until(lambda: session.tools.history.operations)
    await wait_until(lambda: session.tools.history.operations[-1].is_finished)
    assert len(session.tools.history.operations) == 1
    assert shell.session is session


async def test_the_palette_opens_from_inside_a_text(shell: ShellFixture) -> None:
    """Ours: editors have keys of their own, Ctrl+K is none of them."""
    await shell.open()
    shell.window.go("raw")
    edit = find(shell.window, QPlainTextEdit, "raw_edit")
    await wait_until(edit.isVisible)
    edit.setFocus()
    before = edit.toPlainText()

    press(edit, Qt.Key.Key_K, CTRL)

    await wait_until(lambda: QApplication.activePopupWidget() is not None)
    popup = QApplication.activePopupWidget()
    assert popup is not None
    assert popup.objectName() == "palette"
    assert edit.toPlainText() == before
    popup.close()


async def test_pages_and_docks_have_keys(shell: ShellFixture) -> None:
    """Ours."""
    await shell.open()
    window = shell.window
    keys = {c.key: c.shortcut for c in window.commands.actions.commands}

    for spec in window.parts.workbench.specs:
        window.commands.actions[f"page_{spec.key}"].trigger()
        page = window.parts.workbench.current
        assert page.info is spec
        shortcut = keys[f"page_{spec.key}"]
        assert QKeySequence(shortcut).toString() == shortcut  # Qt knows no such key as Ctrl+10
    window.commands.actions["dock_servers"].trigger()
    assert not window.docks["servers"].isVisible()
    window.commands.actions["dock_servers"].trigger()
    assert window.docks["servers"].isVisible()


async def test_colours_and_size_of_text_are_switches_of_the_menu(shell: ShellFixture) -> None:
    """Ours; ux: light and dark following the system."""
    window, theme = shell.window, shell.app.theme
    window.commands.actions["theme_dark"].trigger()
    assert theme.palette.is_dark
    window.commands.actions.refresh()
    assert window.commands.actions["theme_dark"].isChecked()
    assert not window.commands.actions["theme_light"].isChecked()

    window.commands.actions["larger"].trigger()
    assert theme.scale > 1
    window.commands.actions["normal"].trigger()
    assert theme.scale == 1
    window.commands.actions["theme_light"].trigger()
    assert not theme.palette.is_dark


async def test_a_double_click_on_call_calls_once(shell: ShellFixture) -> None:
    """Ours: of a tool that orders something, two calls are two orders."""
    session = await shell.open()
    window = shell.window
    window.go("tools")
    await wait_until(lambda: shell.tools.list.model.rowCount() == 40)
    shell.tools.choose(0)
    await wait_until(lambda: shell.tools.call_panel.call_button.isEnabled())

    double_click(window, shell.tools.call_panel.call_button.objectName())
    await wait_until(
        lambda: (
            session.tools.history.operations and session.tools.history.operations[-1].is_finished
        )
    )
    await breathe()

    assert len(session.tools.history.operations) == 1
    click(window, shell.tools.call_panel.call_button.objectName())
    await wait_until(lambda: len(session.tools.history.operations) == 2)
    assert not any(
        window.commands.actions[each.key].autoRepeat() for each in window.commands.actions.commands
    )


async def test_keys_work_for_what_became_possible_since_a_menu_was_open(
    shell: ShellFixture,
) -> None:
    """Ours: whether something can be done is looked up when it is asked for."""
    await shell.open()
    window = shell.window
    assert not window.commands.actions["review"].isEnabled()
    shell.server.send(
        {
            "jsonrpc": "2.0",
            "id": 7,
            "method": "elicitation/create",
            "params": {"message": "?", "requestedSchema": {"type": "object", "properties": {}}},
        }
    )

    await wait_until(lambda: window.commands.actions["review"].isEnabled())
    window.commands.actions["review"].setEnabled(False)  # as if nothing had told of the request
    press(window, Qt.Key.Key_R, CTRL | Qt.KeyboardModifier.ShiftModifier)

    await wait_until(lambda: window.parts.inbox.dialogs.existing)
    window.parts.inbox.dialogs.existing[0].reject()


async def test_connecting_becomes_possible_with_the_choice_of_a_server(shell: ShellFixture) -> None:
    """Ours: it depends on more than the session."""
    profile = shell.add("one")
    assert not shell.window.commands.actions["connect"].isEnabled()

    shell.window.parts.servers.select(profile)

    await wait_until(lambda: shell.window.commands.actions["connect"].isEnabled())
    assert shell.window.commands.actions["server_edit"].isEnabled()


async def test_control_enter_calls_from_the_list_and_not_from_a_dock(shell: ShellFixture) -> None:
    """Ours: anywhere on the page is anywhere."""
    session = await shell.open()
    window = shell.window
    window.go("tools")
    await wait_until(lambda: shell.tools.list.model.rowCount() == 40)
    shell.tools.choose(0)
    await wait_until(lambda: shell.tools.call_panel.call_button.isEnabled())

    window.parts.traffic.table.setFocus()
    press(window.parts.traffic.table, Qt.Key.Key_Return, CTRL)
    await breathe()
    assert not session.tools.history.operations
    shell.tools.list.view.setFocus()
    press(shell.tools.list.view, Qt.Key.Key_Return, CTRL)

    await wait_until(lambda: len(session.tools.history.operations) == 1)


async def test_the_buttons_of_the_traffic_are_commands(shell: ShellFixture) -> None:
    """Ours; ux: every action has a menu entry with a shortcut."""
    await shell.open()
    window = shell.window
    bar, actions = window.parts.traffic.bar, window.commands.actions
    for key, button in (("pause", bar.pause), ("follow", bar.follow), ("detail", bar.detail)):
        before = button.isChecked()
        actions[key].trigger()
        await wait_until(lambda button=button, before=before: button.isChecked() is not before)
        actions.refresh()
        assert actions[key].isChecked() is button.isChecked()
    actions["pause"].trigger()
    actions["clear"].trigger()
    assert window.parts.traffic.model.visible_frames.first > 0


async def test_every_command_has_keys_or_stands_for_a_rare_choice(shell: ShellFixture) -> None:
    """Ours; also those whose keys hold in one part of the window only are told."""
    without = {c.key for c in shell.window.commands.actions.commands if not c.shortcut}
    rare = {"reset", "demo", "about", "notifications", "stderr_earlier"}
    rare |= {f"theme_{name}" for name in (SYSTEM, *PALETTES)}
    rare |= {"authorize", "authorize_step", "authorize_stop", "bottom_float"}
    rare |= {"token_refresh", "token_expire", "token_break", "import"}
    rare |= {"problems_by_rule", "problems_by_tool", "problems_by_frame"}
    rare |= {"problems_sort", "problems_mute", "problems_targets", "probe"}
    rare |= {"latency", "timeline_range", "timeline_whole"}  # keys of the timeline itself do these
    assert without <= rare
    assert all(
        QKeySequence.listFromString(c.shortcut)[0].toString() != ""
        for c in shell.window.commands.actions.commands
        if c.shortcut
    )


async def test_the_command_of_a_page_brings_it_to_the_front_and_folds_the_dock_from_there(
    shell: ShellFixture,
) -> None:
    """Ours."""
    await shell.open()
    window, actions = shell.window, shell.window.commands.actions
    await wait_until(lambda: window.is_dock_visible("traffic"))

    actions["dock_stderr"].trigger()
    await wait_until(lambda: window.is_dock_visible("stderr"))
    assert not window.is_dock_visible("traffic")
    assert actions["dock_stderr"].isChecked()
    actions["dock_stderr"].trigger()

    await wait_until(lambda: window.bottom.is_folded)
    assert not actions["dock_stderr"].isChecked()
    actions["dock_traffic"].trigger()
    await wait_until(lambda: window.is_dock_visible("traffic"))


async def test_no_keys_are_those_of_a_character_or_of_the_desktop(shell: ShellFixture) -> None:
    """Ours: Ctrl+Alt is AltGr on Windows, where many layouts have characters on it; desktops take it with arrows and letters."""
    await shell.open()
    taken = [
        f"{command.key}: {command.shortcut}"
        for command in shell.window.commands.actions.commands
        if "Ctrl+Alt" in command.shortcut
    ]
    assert taken == []
