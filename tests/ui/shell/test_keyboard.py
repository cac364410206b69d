"""The window without a mouse; ours. ux: keyboard first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.support.wait import wait_until
from ui.shell.palette import open_palette
from ui.widgets.form.layout import TimeSlicer

if TYPE_CHECKING:
    from tests.ui.shell.shell_fixture import ShellFixture

ROUND = 80
"""More than there are places for Tab to stop."""


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def tab() -> QWidget:
    """Press Tab; where it goes."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        key = QKeyEvent(kind, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier, "\t")
        QApplication.sendEvent(focused(), key)
    return focused()


def is_in_sight(widget: QWidget) -> bool:
    return not widget.visibleRegion().isEmpty()


async def test_tab_goes_from_the_list_through_the_form_to_call(shell: ShellFixture) -> None:
    """Ours: fields are made after the button, and come before it all the same."""
    await shell.open()
    shell.window.go("tools")
    shell.tools.choose(3)
    await wait_until(lambda: is_in_sight(shell.tools.call_panel.call_button))
    pace = shell.tools.call_panel.form.findChild(TimeSlicer)
    assert pace is not None
    await wait_until(pace.is_idle)

    shell.tools.list.view.setFocus()
    passed = [tab() for _ in range(ROUND)]
    call = passed.index(shell.tools.call_panel.call_button)
    fields = [at for at, one in enumerate(passed) if shell.tools.call_panel.form.isAncestorOf(one)]
    before = [at for at in fields if at < call]
    assert len(before) >= 2
    assert passed.index(shell.window.parts.traffic.bar.filter.line) > call


async def test_tab_never_stops_where_nobody_can_see_it(shell: ShellFixture) -> None:
    """Ours: what a tab covers takes no focus, and Tab goes round."""
    await shell.open()
    await wait_until(lambda: not shell.window.is_dock_visible("stderr"))
    for spec in shell.window.parts.workbench.specs:
        shell.window.go(spec.key)
        start = focused()
        passed: list[QWidget] = []
        for _ in range(ROUND):
            passed.append(tab())
            await wait_until(lambda: is_in_sight(focused()))  # it may have to be scrolled to
        assert start in passed or not start.focusPolicy() & Qt.FocusPolicy.TabFocus


async def test_every_page_has_a_place_to_begin_and_its_keys_go_there(shell: ShellFixture) -> None:
    """Ours; also when the page is in front already."""
    await shell.open()
    for spec in shell.window.parts.workbench.specs:
        for _ in range(2):
            shell.window.parts.traffic.focus_filter()
            shell.window.commands.actions[f"page_{spec.key}"].trigger()
            assert shell.window.parts.workbench.isAncestorOf(focused()), spec.key
            assert focused().focusPolicy() != Qt.FocusPolicy.NoFocus, spec.key


async def test_a_tool_chosen_in_the_palette_is_ready_to_be_filled_in(shell: ShellFixture) -> None:
    """Ours: the cursor stands in the first field."""
    await shell.open()
    palette = open_palette(shell.window)
    palette.field.setText("tool_05")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)

    form = shell.tools.call_panel.form
    await wait_until(lambda: form.isAncestorOf(focused()))
    assert focused().focusPolicy() & Qt.FocusPolicy.TabFocus
