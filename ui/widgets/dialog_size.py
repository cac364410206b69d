"""How large a dialog is when it opens: as its design says, grown with the text, and never larger than the screen.

What a dialog has less room for than it needs has to scroll in it (`scroll_column`), so that its buttons are always within reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

FRAME = QSize(16, 48)
"""Pixels of title bar and edges, which are known only once the dialog is on the screen."""


def set_dialog_size(dialog: QWidget, theme: Theme, width: int, height: int) -> None:
    """Give `dialog` `width` by `height` pixels at 100%, or what the screen has room for."""
    dialog.resize(QSize(theme.px(width), theme.px(height)).boundedTo(room_for(dialog)))


def room_for(dialog: QWidget) -> QSize:
    """The largest size without its frame that a dialog can have on the screen of the window it belongs to."""
    parent = dialog.parentWidget()
    screen = (parent.window() if parent is not None else dialog).screen()
    return screen.availableSize() - FRAME
