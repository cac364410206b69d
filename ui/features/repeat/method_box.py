"""The method of a message: typed, or selected from those of the revision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget

from ui.theme import tokens
from ui.theme.restyle import set_own_font

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QWheelEvent

    from ui.theme import Theme

WIDTH = 220
"""Pixels at 100%."""

MAX_ROWS = 20
"""Entries that are seen at once."""


EXACTLY = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchCaseSensitive
"""How entries are found."""


class MethodBox(QComboBox):
    """An editable box with the methods that can be sent.

    Signals:
        method_entered: the user typed this method, which is none of the entries.
        entry_selected: the user selected this entry.
    """

    method_entered = Signal(str)
    entry_selected = Signal(str)

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName("Method")
        self._theme = theme
        self._method = ""
        self._groups: Sequence[Sequence[str]] = ()
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

    def set_entries(self, groups: Sequence[Sequence[str]]) -> None:
        """Offer these entries, each of which begins with a method or says what it is; with lines between the groups."""
        if groups == self._groups:
            return
        self._groups = groups
        with QSignalBlocker(self):
            self.clear()
            for group in filter(None, groups):
                if self.count():
                    self.insertSeparator(self.count())
                self.addItems(list(group))
        self._show()

    def set_method(self, method: str) -> None:
        """Show the method of the message, unless another one is being typed."""
        is_typing = self.hasFocus() and self.currentText() != self._method
        self._method = method
        if not is_typing:
            self._show()

    def _show(self) -> None:
        method = self._method
        with QSignalBlocker(self):
            # An index without its text would be activated when the focus leaves.
            self.setCurrentIndex(self.findText(method, EXACTLY) if method else -1)
            self.setEditText(method)

    def showPopup(self) -> None:
        """Show the entries whole."""
        view = self.view()
        width = view.sizeHintForColumn(0) + view.verticalScrollBar().sizeHint().width()
        view.setMinimumWidth(min(width + self._theme.px(16), 2 * self.width()))
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Do not replace the message in passing."""
        event.ignore()

    def _on_text_activated(self, text: str) -> None:
        self._method = self.currentText()  # an entry is no method that is being typed
        self.entry_selected.emit(text)

    def _on_editing_finished(self) -> None:
        method = self.currentText()
        if method != self._method and self.findText(method, EXACTLY) < 0:
            self._method = method
            self.method_entered.emit(method)

    def _apply_theme(self) -> None:
        font = self._theme.mono()
        set_own_font(self, font)
        edit = self.lineEdit()
        if edit is not None:  # with a style sheet it keeps the font that it had
            set_own_font(edit, font)
        self.setFixedSize(self._theme.px(WIDTH), self._theme.px(tokens.FIELD))
