"""A window without height for a page and an open dock. Ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from tests.support.wait import wait_until
from tests.ui.shell.shell_fixture import breathe

if TYPE_CHECKING:
    from tests.ui.shell.shell_fixture import ShellFixture


async def test_an_open_dock_covers_the_page_in_a_window_without_height_for_both(
    shell: ShellFixture,
) -> None:
    """Ours: with large text their parts lay over each other. Folded, or asked for a page, it gives way."""
    await shell.open()
    window, bottom, workbench = shell.window, shell.window.bottom, shell.window.parts.workbench
    window.resize(1280, 720)
    window.layout_state.set_theme("light", 2.0)
    await wait_until(lambda: bottom.is_folded)
    window.go("tools")
    assert workbench.isAncestorOf(window.focusWidget())

    window.commands.actions["dock_traffic"].trigger()
    await wait_until(lambda: workbench.isHidden() and bottom.height() > 400)
    assert window.size() == QSize(1280, 720)
    assert bottom.isAncestorOf(window.focusWidget())
    window.commands.actions["dock_traffic"].trigger()
    await wait_until(lambda: workbench.isVisible() and bottom.height() == 64)

    window.commands.actions["dock_problems"].trigger()
    await wait_until(workbench.isHidden)
    window.go("logs")
    await wait_until(lambda: workbench.isVisible() and bottom.is_folded)
    assert workbench.current.isVisible()

    window.commands.actions["dock_traffic"].trigger()
    window.layout_state.set_theme("light", 1.0)
    await wait_until(lambda: workbench.isVisible() and not bottom.is_folded)


async def test_a_dock_that_covers_the_page_is_maximized_and_restored_to_the_strip(
    shell: ShellFixture,
) -> None:
    """Ours: the command changes what is seen, and nothing that would be seen later."""
    await shell.open()
    window, bottom, workbench = shell.window, shell.window.bottom, shell.window.parts.workbench
    window.resize(1280, 720)
    window.layout_state.set_theme("light", 2.0)
    await wait_until(lambda: bottom.is_folded)
    maximize = window.commands.actions["bottom_maximize"]
    assert not maximize.isChecked()
    window.commands.actions["dock_traffic"].trigger()
    await wait_until(workbench.isHidden)
    assert maximize.isChecked()

    maximize.trigger()
    await wait_until(lambda: workbench.isVisible() and bottom.is_folded)
    assert not maximize.isChecked()
    maximize.trigger()
    await wait_until(workbench.isHidden)
    maximize.trigger()
    window.layout_state.set_theme("light", 1.0)
    window.commands.actions["dock_traffic"].trigger()
    await wait_until(lambda: workbench.isVisible() and not bottom.is_folded)
    assert not maximize.isChecked()


async def test_no_page_of_the_dock_makes_a_small_window_larger(shell: ShellFixture) -> None:
    """Ours: the details of an operation below its rows need more height than there is."""
    await shell.open()
    window, modes = shell.window, shell.window.parts.traffic.modes
    window.resize(1024, 640)
    window.raise_dock("traffic")
    modes.set_mode("operations")
    made = modes.operations
    assert made is not None
    await wait_until(lambda: made.model.rowCount() > 0)
    made.table.go_to_row(made.model.rowCount() - 1)
    await wait_until(made.details.isVisible)
    await wait_until(lambda: made.details.height() > 0)

    assert window.size() == QSize(1024, 640)


async def test_no_page_of_the_dock_makes_a_narrow_window_wider(shell: ShellFixture) -> None:
    """Ours: pages are made when they are displayed first; with large text their bars leave out what the menu has too."""
    await shell.open()
    window, parts = shell.window, shell.window.parts
    window.layout_state.set_theme("light", 2.0)
    window.resize(1024, 640)
    for key in ("timeline", "problems", "stderr", "traffic"):
        window.raise_dock(key)
        await wait_until(lambda key=key: window.bottom.is_page_visible(key))
        window.layout_state.sizes.fit()
        await breathe()
        QApplication.sendPostedEvents()
        assert window.size() == QSize(1024, 640), key

    bar = parts.problems.page.bar
    assert bar.minimumSizeHint().width() <= 1024
    assert bar.explain.isHidden()
    window.resize(1500, 640)
    window.raise_dock("problems")
    await wait_until(bar.explain.isVisible)
