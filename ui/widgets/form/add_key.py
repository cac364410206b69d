"""A line to type the name of a new key into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from ui.widgets.buttons import link_button
from ui.widgets.form.editor import row_layout

if TYPE_CHECKING:
    from ui.theme import Theme
    from ui.widgets.form.field_context import FieldContext


NEW_KEY = "new key:"
"""What the object name of the line begins with; the pointer of the object follows."""


class AddKey(QWidget):
    """Asks for a key to be added; any text is one, the empty one too.

    Signals:
        wanted(str): this key is to be added.
    """

    wanted = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = QLineEdit(self)
        self._name.setPlaceholderText("new key")
        self._add = link_button("Add key", name="add key", parent=self)
        self._add.setIcon(theme.icon("mdi6.plus", "accent"))
        self._add.setIconSize(QSize(theme.ICON, theme.ICON))
        layout = row_layout(self, space=theme.SPACING_PX)
        layout.addWidget(self._name, 1)
        layout.addWidget(self._add)
        self.setFocusProxy(self._name)
        self._add.clicked.connect(self._on_asked)
        self._name.returnPressed.connect(self._on_asked)

    def rename(self, context: FieldContext) -> None:
        """Name the widgets after the object."""
        self._name.setObjectName(f"{NEW_KEY}{context.pointer}")
        self._name.setAccessibleName(f"{context.spoken}: new key name")
        self._add.setObjectName(f"add key:{context.pointer}")
        self._add.setAccessibleName(f"{context.spoken}: add key")

    def _on_asked(self) -> None:
        name = self._name.text()
        self._name.clear()
        self.wanted.emit(name)
