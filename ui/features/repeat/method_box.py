"""The method of a message: typed, or selected from those of the revision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme

WIDTH = 220
"""Pixels at 100%."""

MAX_ROWS = 20
"""Entries that are seen at once."""


class MethodBox(QComboBox):
    """An editable box with the methods that can be sent.

    Signals:
        method_entered: the user typed or selected this method.
    """

    method_entered = Signal(str)

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName("Method")
        self._theme = theme
        self._method = ""
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMaxVisibleItems(MAX_ROWS)
        completer = QCompleter(self.model(), self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)
        edit = self.lineEdit()
        assert edit is not None
        edit.setObjectName(f"{name}_edit")
        edit.setAccessibleName("Method")
        edit.editingFinished.connect(self._on_editing_finished)
        self.textActivated.connect(self._on_text_activated)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def set_methods(self, methods: Sequence[str]) -> None:
        """Offer these methods."""
        if [self.itemText(at) for at in range(self.count())] == list(methods):
            return
        with QSignalBlocker(self):
            self.clear()
            self.addItems(list(methods))
        self._show()

    def set_method(self, method: str) -> None:
        """Show the method of the message, unless another one is being typed."""
        is_typing = self.hasFocus() and self.currentText() != self._method
        self._method = method
        if not is_typing:
            self._show()

    def _show(self) -> None:
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findText(self._method))
            self.setEditText(self._method)

    def _on_text_activated(self, text: str) -> None:
        self._enter(text)

    def _on_editing_finished(self) -> None:
        self._enter(self.currentText())

    def _enter(self, method: str) -> None:
        if method != self._method:
            self._method = method
            self.method_entered.emit(method)

    def _apply_theme(self) -> None:
        self.setFont(self._theme.mono())
        self.setFixedWidth(self._theme.px(WIDTH))
