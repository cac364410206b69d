"""How large the dialog of a server is; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
