"""How large the dialog of a server is; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton, QScrollArea, QWidget

from tests.support.wait import wait_until
from tests.ui.qt_actions import find

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication

    from ui.connect.editor import ServerEditor
    from ui.theme import Theme


def test_the_dialog_fits_the_screen_whatever_the_size_of_text(
    qapp: QApplication, theme: Theme, open_editor: Callable[..., ServerEditor]
) -> None:
    """Ours: its buttons are at the bottom."""
    theme.apply(qapp, "light", 3.0)

    editor = open_editor()

    room = editor.screen().availableSize()
    assert editor.height() <= room.height()


def test_the_dialog_has_its_size_a_title_line_and_a_foot(
    qapp: QApplication, theme: Theme, open_editor: Callable[..., ServerEditor]
) -> None:
    """Ours: what saves is at the right, the main button last."""
    theme.apply(qapp, "light", 1.0)
    editor = open_editor()
    buttons = [
        find(editor, QPushButton, name)
        for name in ("cancel_edit", "save_server", "save_and_connect")
    ]

    assert (editor.width(), editor.height()) == (720, 520)
    assert find(editor, QWidget, "editor_title").height() == 40
    assert abs(find(editor, QWidget, "editor_foot").height() - 46) <= 1
    lefts = [button.mapTo(editor, QPoint()).x() for button in buttons]
    assert lefts == sorted(lefts)
    assert buttons[-1].mapTo(editor, buttons[-1].rect().topRight()).x() == editor.width() - 16 - 1


async def test_with_large_text_no_field_is_cut_and_fields_keep_half_of_the_dialog(
    qapp: QApplication, theme: Theme, open_editor: Callable[..., ServerEditor]
) -> None:
    """Ours; WCAG 2.2, 1.4.10: nothing scrolls sideways here."""
    theme.apply(qapp, "light", 2.0)
    editor = open_editor()
    editor.resize(784, 588)
    editor.paste("API_TOKEN=s3cret uvx mcp-server-git --repository '/tmp/my repo'")
    scroll = next(
        each for each in editor.findChildren(QScrollArea) if each.isAncestorOf(editor.form)
    )
    viewport = scroll.viewport()

    def rights() -> list[int]:
        fields = [*editor.form.findChildren(QLineEdit), *editor.findChildren(QPlainTextEdit)]
        inside = [each for each in fields if each.isVisible() and viewport.isAncestorOf(each)]
        return [each.mapTo(viewport, each.rect().topRight()).x() for each in inside]

    await wait_until(lambda: bool(rights()) and max(rights()) < viewport.width())
    await wait_until(lambda: viewport.height() >= editor.height() / 2)
    assert scroll.isAncestorOf(editor.will_run)
    theme.apply(qapp, "light", 1.0)
