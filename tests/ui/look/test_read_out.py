"""With a screen reader: the tree of the whole window, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from inspector.compare.compared_frame import ComparedFrame
from tests.support.spoken import faults, interface_of, read_out, spoken
from tests.support.wait import wait_until
from tests.ui.look.busy_server import RESULTS, BusyServer
from ui.widgets.badge import Badge
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tests.ui.shell.shell_fixture import ShellFixture


@pytest.fixture(autouse=True)
def screen_reader() -> Iterator[None]:
    before = QAccessible.isActive()
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(before)


@pytest.fixture
async def busy(shell: ShellFixture, server: BusyServer) -> ShellFixture:
    """A window with something everywhere: a result with problems, a request that waits, a frame, every dock."""
    window = shell.window
    server.log(5)
    window.go("tools")
    shell.tools.choose(3)
    shell.tools.call_panel.call_button.click()
    await wait_until(lambda: server.calls)
    server.answer_call(RESULTS["structured content that is not valid"])
    await wait_until(lambda: shell.tools.result_panel.is_rendered)
    server.ask("sampling/createMessage")
    await wait_until(lambda: shell.app.workspace.inbox.pending)
    for dock in window.docks.values():
        dock.show()
    window.parts.traffic.select_frame(2)
    frame = ComparedFrame(shell.session.session.transcript, 1)
    window.navigator.repeat(frame)
    window.navigator.compare_frames(frame, frame)
    return shell


async def pages(shell: ShellFixture) -> AsyncIterator[str]:
    """Each page in front, by its key."""
    for page in shell.window.parts.workbench.specs:
        shell.window.go(page.key)
        await wait_until(lambda: shell.window.parts.workbench.current.isVisible())
        yield page.key


async def test_every_control_of_every_page_has_a_name_and_a_role(busy: ShellFixture) -> None:
    """Ours; WCAG 2.2, 4.1.2 Name, Role, Value: and no description is markup."""
    found: list[str] = []
    async for page in pages(busy):
        parts = list(read_out(busy.window))
        found += [f"{page}: {fault}" for part in parts for fault in faults(part)]
        assert any(part.is_focusable and f"page_{page}" in part.way for part in parts), page
    assert not found, "\n".join(found)


async def test_every_painted_text_is_read_out(busy: ShellFixture) -> None:
    """Ours; WCAG 2.2, 1.1.1 Non-text Content: badges, texts that are elided, and the counts on tabs."""
    found: list[str] = []
    async for page in pages(busy):
        for part in busy.window.findChildren(QWidget):
            text = painted(part) if part.isVisible() else ""
            name = spoken(interface_of(part)).name
            if " ".join(text.split()) not in " ".join(name.split()):
                found.append(f"{page}: {part.objectName()} paints «{text}», «{name}» is read out")
        bar = busy.window.parts.workbench.tabs.tabBar()
        names = {part.name for part in read_out(bar)}
        titles = [bar.tabText(at) for at in range(bar.count()) if bar.isTabVisible(at)]
        assert all(any(name.startswith(title) for name in names) for title in titles), names
    assert not found, "\n".join(dict.fromkeys(found))


def painted(part: QWidget) -> str:
    """The text of a widget that paints it itself."""
    if isinstance(part, ElidedLabel):
        return part.whole_text().removesuffix(" *")  # read out in a word
    return part.text() if isinstance(part, Badge) else ""
