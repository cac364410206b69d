"""Dialogs with text of twice the size on a small screen: all of each is on the screen, and its buttons can be reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from inspector.clock import SystemClock
from tests.support.asked import asker
from tests.support.sheets import Table
from tests.support.wait import wait_until
from ui.errors import Reporter
from ui.shell.help_window import AboutDialog, HelpWindow
from ui.shell.open_link import OpenLink
from ui.shell.palette import Palette
from ui.widgets.count_tab_bar import CountTabBar
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.layout_parts import (
    FRAME,
    CappedColumn,
    column_layout,
    max_dialog_size,
    row_layout,
    set_dialog_size,
)
from ui.widgets.text_view import open_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme

LARGE = 2.0

LONG_HOST = "https://" + "sub-domain." * 20 + "test/"

FORM: JsonObject = {
    "message": "word " * 100,
    "requestedSchema": {
        "type": "object",
        "properties": {f"field_{at}": {"type": "string", "minLength": 1} for at in range(12)},
    },
}
VISIT: JsonObject = {
    "mode": "url",
    "message": "word " * 100,
    "url": "http://good.test@xn--pple-43d.test/x?y=1",
    "elicitationId": "e1",
}
SAMPLING: JsonObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "word " * 100}}],
    "maxTokens": 5,
}


@pytest.fixture
def large(qapp: QApplication, theme: Theme) -> Theme:
    theme.apply(qapp, "light", LARGE)
    return theme


def scrolls(widget: QWidget) -> bool:
    """Whether a scroll area is around it."""
    around = widget.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    return around is not None


def is_within_reach(dialog: QWidget) -> bool:
    """Whether `dialog` is no larger than its screen, and every button of it that does not scroll is whole."""
    room = QRect(QPoint(), dialog.size())
    fixed = [
        button
        for button in dialog.findChildren(QPushButton)
        if button.isVisible() and not scrolls(button)
    ]
    whole = all(
        room.contains(QRect(button.mapTo(dialog, QPoint()), button.size()))
        and button.width() >= button.minimumSizeHint().width()
        for button in fixed
    )
    screen = max_dialog_size(dialog)
    least = dialog.minimumSizeHint()
    return (
        whole
        and dialog.height() <= screen.height()
        and dialog.width() <= screen.width()
        and least.boundedTo(screen) == least
    )


def make_link(theme: Theme, parent: QWidget) -> QDialog:
    return OpenLink(LONG_HOST, theme=theme, parent=parent)


def make_about(theme: Theme, parent: QWidget) -> QDialog:
    return AboutDialog(reporter=Reporter(clock=SystemClock()), theme=theme, parent=parent)


def make_help(theme: Theme, parent: QWidget) -> QDialog:
    from ui.shell.actions import Command

    return HelpWindow(
        [Command("a", "A", lambda: None, "Ctrl+A", menu="&File")], theme=theme, parent=parent
    )


def make_palette(theme: Theme, parent: QWidget) -> QDialog:
    return Palette((), theme=theme, parent=parent)


def make_text(theme: Theme, parent: QWidget) -> QDialog:
    return open_text("word " * 1000, title="t", theme=theme, parent=parent)


@pytest.mark.parametrize("make", [make_link, make_about, make_help, make_palette, make_text])
def test_a_dialog_is_no_larger_than_the_screen(
    qtbot: QtBot, large: Theme, make: Callable[[Theme, QWidget], QDialog]
) -> None:
    """Ours: whatever is in it."""
    window = QWidget()
    qtbot.addWidget(window)
    dialog = make(large, window)
    dialog.show()

    qtbot.waitUntil(lambda: is_within_reach(dialog), timeout=20_000)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("sampling/createMessage", SAMPLING),
        ("elicitation/create", FORM),
        ("elicitation/create", VISIT),
    ],
)
async def test_what_responds_to_a_server_fits_the_screen(
    qtbot: QtBot, large: Theme, method: str, params: JsonObject
) -> None:
    """Ours: the rest scrolls, and the buttons wrap."""
    async with asker() as asking:
        table = Table(asking.inbox, large)
        qtbot.addWidget(table.window)
        asking.ask(1, method, params)
        sheet = table.dialogs.open(await asking.waits())
        assert sheet is not None

        await wait_until(lambda: is_within_reach(sheet))
        sheet.reject()


def test_a_dialog_has_its_size_where_there_is_room(qtbot: QtBot, theme: Theme) -> None:
    """Ours: at 100%, and with a screen of its parent."""
    dialog = QWidget()
    qtbot.addWidget(dialog)
    set_dialog_size(dialog, theme, 300, 200)
    assert (dialog.width(), dialog.height()) == (300, 200)

    set_dialog_size(dialog, theme, 30_000, 20_000)

    assert dialog.size() == dialog.screen().availableSize() - FRAME


@pytest.mark.parametrize("size", [QSize(250, 150), QSize(300, 200)], ids=["opened", "resized"])
@pytest.mark.parametrize("lines", [1, 9], ids=["little in it", "more in it than is room for"])
def test_an_open_dialog_grows_with_its_text_and_is_as_it_was_at_the_size_before(
    qtbot: QtBot, qapp: QApplication, theme: Theme, size: QSize, lines: int
) -> None:
    """Ours: what the user made of it is kept in proportion, and not what its window had room for, or its contents needed."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(500, 300)
    window.show()
    dialog, inner = QDialog(window), QWidget()
    column_layout(inner, *(QLabel("line") for _ in range(lines)), space=0)
    column_layout(dialog, inner, space=0)
    set_dialog_size(dialog, theme, 250, 150)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.height() == 150, timeout=20_000)
    dialog.resize(size)

    theme.apply(qapp, "light", 1.25)
    assert dialog.size() == (size.toSizeF() * 1.25).toSize()
    theme.apply(qapp, "light", LARGE)
    qtbot.waitUntil(lambda: dialog.width() == min(2 * size.width(), 460), timeout=20_000)
    qtbot.waitUntil(lambda: dialog.height() >= 276, timeout=20_000)
    theme.apply(qapp, "light", 1.0)

    qtbot.waitUntil(lambda: dialog.size() == size, timeout=20_000)


@pytest.mark.parametrize("scales", [(2.0,), (2.0, 1.0, 2.0)])
def test_every_tab_of_a_bar_has_room_for_its_title_however_often_the_text_was_enlarged(
    qtbot: QtBot, qapp: QApplication, theme: Theme, scales: tuple[float, ...]
) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    bar = CountTabBar(theme, height=27, parent=around)
    row_layout(around, bar, space=0).addStretch(1)
    for title in ("Traffic", "Standard error"):
        bar.add_title(title, widest="9,999")
        bar.addTab(title)
    around.resize(2000, 100)
    around.show()

    for scale in scales:
        theme.apply(qapp, "light", scale)
        qtbot.waitUntil(lambda: bar.width() == sum(map(bar.tab_width, range(2))), timeout=20_000)
        assert bar.tabRect(0).left() == 0


@pytest.mark.usefixtures("theme")
def test_a_capped_column_is_as_high_as_its_text_up_to_its_limit(qtbot: QtBot) -> None:
    """Ours: beyond that it scrolls."""
    around = QWidget()
    qtbot.addWidget(around)
    column = QVBoxLayout(around)
    capped = CappedColumn(name="capped", parent=around)
    label = QLabel("word " * 200)
    label.setWordWrap(True)
    capped.column.addWidget(label)
    column.addWidget(capped)
    column.addStretch(1)
    around.resize(300, 600)
    around.show()
    bar = capped.verticalScrollBar()
    qtbot.waitUntil(lambda: label.height() > 100 and not bar.maximum(), timeout=20_000)

    capped.set_max_height(60)

    qtbot.waitUntil(lambda: capped.height() == 60, timeout=20_000)
    assert capped.verticalScrollBar().maximum() > 0


def test_what_does_not_fit_goes_on_in_the_next_line_each_in_the_middle_of_its_line(
    qtbot: QtBot,
) -> None:
    """Ours: a caption beside a button stands on its height."""
    around, blocks = blocks_in_a_row(qtbot, (20, 40, 20))
    flow = FlowLayout(10, around)
    for block in blocks:
        flow.addWidget(block)

    flow.setGeometry(QRect(0, 0, 220, 200))

    assert [(block.x(), block.y()) for block in blocks] == [(0, 10), (110, 0), (0, 50)]
    assert flow.heightForWidth(220) == 70
    assert flow.heightForWidth(400) == 40


def test_the_last_of_a_row_stand_at_its_end_also_where_it_wraps(qtbot: QtBot) -> None:
    """Ours: the buttons of a dialog."""
    around, blocks = blocks_in_a_row(qtbot, (20, 20, 20))
    flow = FlowLayout(10, around)
    flow.addWidget(blocks[0])
    flow.to_the_end()
    for block in blocks[1:]:
        flow.addWidget(block)

    flow.setGeometry(QRect(0, 0, 400, 20))
    assert [block.x() for block in blocks] == [0, 190, 300]

    flow.setGeometry(QRect(0, 0, 250, 50))
    assert [(block.x(), block.y()) for block in blocks] == [(0, 0), (150, 0), (150, 30)]


def blocks_in_a_row(qtbot: QtBot, heights: tuple[int, ...]) -> tuple[QWidget, list[QWidget]]:
    """A widget, and blocks in it that are 100 pixels wide."""
    around = QWidget()
    qtbot.addWidget(around)
    blocks: list[QWidget] = []
    for height in heights:
        block = QWidget(around)
        block.setFixedSize(100, height)
        blocks.append(block)
    around.resize(400, 200)
    around.show()
    return around, blocks
