"""Finding anything by a few letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView

from tests.support.wait import wait_until
from tests.ui.qt_actions import find, press, reads
from ui.shell.palette import MAX_ROWS, Entry, Palette

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.ui.shell.shell_fixture import ShellFixture
    from ui.theme import Theme


@pytest.fixture
def done() -> list[str]:
    """What was chosen."""
    return []


@pytest.fixture
def palette(qtbot: QtBot, theme: Theme, done: list[str]) -> Palette:
    text = ("Add server…", "get_sum", "Sum of squares", "<b>weather</b>\u202e")
    entries = [Entry(each, "tool", lambda each=each: done.append(each)) for each in text]
    palette = Palette(entries, theme=theme)
    palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(palette)
    palette.show()
    return palette


def names(palette: Palette) -> list[str]:
    return [entry.text for entry in palette.entries()]


def test_every_word_must_match_and_names_that_begin_so_come_first(palette: Palette) -> None:
    """Ours."""
    assert len(names(palette)) == 4

    QTest.keyClicks(palette.field, "sum")
    assert names(palette) == ["Sum of squares", "get_sum"]
    QTest.keyClicks(palette.field, " sq")
    assert names(palette) == ["Sum of squares"]
    QTest.keyClicks(palette.field, "zzz")
    assert names(palette) == []
    assert reads(palette, "palette_more") == "No results"


def test_the_arrows_move_and_enter_takes(palette: Palette, done: list[str]) -> None:
    """Ours; keyboard first."""
    press(palette.field, Qt.Key.Key_Down)
    press(palette.field, Qt.Key.Key_Down)
    press(palette.field, Qt.Key.Key_Up)

    press(palette.field, Qt.Key.Key_Return)

    assert done == ["get_sum"]
    assert not palette.isVisible()


def test_a_number_finds_frames_before_anything_else(
    qtbot: QtBot, theme: Theme, done: list[str]
) -> None:
    """Ours."""
    entries = [Entry("12 monkeys", "tool", lambda: done.append("tool"))]

    def frames(number: int) -> list[Entry]:
        return [Entry(f"#{number}", "frame", lambda: done.append("frame"))] if number < 20 else []

    palette = Palette(entries, theme=theme, find_frames=frames)
    qtbot.addWidget(palette)
    for text, expected in {"12": ["#12", "12 monkeys"], "#12": ["#12"], "#99": []}.items():
        palette.field.setText(text)
        assert names(palette) == expected
    palette.field.setText("#12")
    press(palette.field, Qt.Key.Key_Return)

    assert done == ["frame"]


def test_a_click_takes_once(palette: Palette, done: list[str]) -> None:
    """Ours."""
    view = find(palette, QListView, "palette_view")
    place = view.visualRect(view.model().index(2, 0)).center()

    QTest.mouseClick(
        view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
    )

    assert done == ["Sum of squares"]


def test_escape_takes_nothing(palette: Palette, done: list[str]) -> None:
    """Ours."""
    press(palette.field, Qt.Key.Key_Escape)

    assert done == []
    assert not palette.isVisible()


def test_names_of_servers_are_shown_as_text(palette: Palette) -> None:
    """text-01-bidi-and-invisible; result-27-markup-in-text."""
    view = find(palette, QListView, "palette_view")

    assert view.model().index(3, 0).data() == "<b>weather</b>⟨U+202E⟩"


def test_more_than_can_be_shown_is_counted(qtbot: QtBot, theme: Theme) -> None:
    """Ours: nothing is dropped in silence."""
    palette = Palette([Entry(f"t{n}", "tool", lambda: None) for n in range(1000)], theme=theme)
    palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(palette)
    palette.show()

    assert len(palette.entries()) == MAX_ROWS
    assert reads(palette, "palette_more") == "and 800 more"


async def test_it_finds_servers_tools_and_commands_and_goes_there(shell: ShellFixture) -> None:
    """Ours; ux: Ctrl+K finds any server, tool or command."""
    await shell.open("files")
    other = shell.add("git")
    shell.window.commands.view.open_palette()
    palette = QApplication.activePopupWidget()
    assert isinstance(palette, Palette)
    kinds = {entry.kind for entry in palette.entries()}
    assert {"command", "server", "tool"} <= kinds
    assert palette.width() <= shell.window.width()

    QTest.keyClicks(palette.field, "tool_17")
    press(palette.field, Qt.Key.Key_Return)
    assert shell.window.parts.workbench.current.info.key == "tools"
    await wait_until(lambda: reads(shell.window, "tool_title") == "tool_17")

    shell.window.commands.view.open_palette()
    palette = QApplication.activePopupWidget()
    assert isinstance(palette, Palette)
    QTest.keyClicks(palette.field, "#3")
    press(palette.field, Qt.Key.Key_Return)
    assert shell.window.parts.traffic.modes.current_number() == 3

    shell.window.commands.view.open_palette()
    palette = QApplication.activePopupWidget()
    assert isinstance(palette, Palette)
    QTest.keyClicks(palette.field, "git server")
    press(palette.field, Qt.Key.Key_Return)
    await wait_until(lambda: shell.is_ready(other))


@pytest.mark.parametrize(
    ("typed", "best"),
    [("excel", "excel"), ("EXCEL go", "excel-go"), ("go", "go_on"), ("ex", "excel-go")],
)
def test_an_exact_name_goes_before_one_that_only_begins_so(
    qtbot: QtBot, theme: Theme, typed: str, best: str
) -> None:
    """Ours: Enter starts a program."""
    text = ("excel-go", "ergo", "excel", "go_on")
    palette = Palette([Entry(each, "server", lambda: None) for each in text], theme=theme)
    palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(palette)
    palette.show()

    QTest.keyClicks(palette.field, typed)

    assert names(palette)[0] == best


def test_what_is_painted_of_a_match_is_spoken(qtbot: QtBot, theme: Theme) -> None:
    """Ours; WCAG 2.2, 4.1.2: kind and keys stand beside the name."""
    entries = [
        Entry("Ping", "command", lambda: None, keys="Ctrl+Shift+P"),
        Entry("sum", "tool", lambda: None, "adds"),
    ]
    palette = Palette(entries, theme=theme)
    palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(palette)
    palette.show()

    assert palette.field.accessibleDescription() == "Ping, command, Ctrl+Shift+P"
    press(palette.field, Qt.Key.Key_Down)

    assert palette.field.accessibleDescription() == "sum, tool  adds"
    index = palette.view.currentIndex()
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "sum, tool  adds"
