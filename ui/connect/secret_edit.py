"""A field for one secret: masked until it is to be seen, and named as saved where its value lies in the keyring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from ui.connect.line_edit import LineEdit
from ui.connect.name_value_edit import SEALED_WORDS
from ui.widgets.buttons import tool_button

if TYPE_CHECKING:
    from ui.theme import Theme


class SecretEdit(QWidget):
    """A masked field with a button that shows its value.

    Signals:
        changed: the user typed.
        reveal_requested: a value that lies in the keyring is to be fetched and shown.
    """

    changed = Signal()
    reveal_requested = Signal()

    def __init__(self, label: str, *, theme: Theme, name: str, parent: QWidget | None = None):
        """Start empty; `label` is the accessible name."""
        super().__init__(parent)
        self.setObjectName(f"{name}_row")
        self._theme = theme
        self._is_sealed = False
        self.field = LineEdit(self)
        self.field.setObjectName(name)
        self.field.setAccessibleName(label)
        self._eye = tool_button(
            theme,
            "mdi6.eye-outline",
            "Show value",
            name=f"show_{name}",
            checkable=True,
            parent=self,
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACING_PX)
        row.addWidget(self.field, 1)
        row.addWidget(self._eye)
        self.setFocusProxy(self.field)
        self.field.textChanged.connect(self._on_typed)
        self._eye.toggled.connect(self._on_eye_toggled)
        theme.changed.connect(self._refresh)
        self._refresh()

    @property
    def is_sealed(self) -> bool:
        """Whether the value lies in the keyring and was not typed again."""
        return self._is_sealed

    def value(self) -> str:
        """What was typed; empty where that is unknown."""
        return self.field.text()

    def set_value(self, value: str, *, is_sealed: bool) -> None:
        """Show another value; that of a sealed one is unknown here."""
        self._is_sealed = is_sealed and not value
        self.field.set_value(value)
        self._refresh()

    def _refresh(self) -> None:
        is_seen = self._eye.isChecked()
        mode = QLineEdit.EchoMode.Normal if is_seen else QLineEdit.EchoMode.Password
        self.field.setEchoMode(mode)
        self.field.setPlaceholderText(SEALED_WORDS if self._is_sealed else "")
        self.field.setFont(self._theme.mono())

    def _on_typed(self, text: str) -> None:
        if text:
            self._is_sealed = False
        self._refresh()
        self.changed.emit()

    def _on_eye_toggled(self, checked: bool) -> None:
        self._refresh()
        if checked and self._is_sealed:
            self.reveal_requested.emit()
