"""A window of its own for one long text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from inspector.visible_text import one_line
from ui.widgets.dialog_size import set_dialog_size
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from ui.theme import Theme


def open_text(
    text: str, *, title: str, theme: Theme, wanted_name: str = "", parent: QWidget
) -> QDialog:
    """Open a window that shows `text`; it does not block and goes away when closed."""
    dialog = QDialog(parent)
    dialog.setObjectName("text_dialog")
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(one_line(title, 120))
    set_dialog_size(dialog, theme, 760, 520)
    view = TextView(theme=theme, wanted_name=wanted_name or title, parent=dialog)
    column = QVBoxLayout(dialog)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(view)
    view.set_text(text)
    dialog.show()
    return dialog
