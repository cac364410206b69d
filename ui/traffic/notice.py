"""A line between the bar and the rows that says what is not in view, and how to get it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.widgets.buttons import link_button, tool_button
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from ui.theme import Theme


class NoticeLine(QWidget):
    """Words and one way on; hidden while there is nothing to say.

    Signals:
        action_triggered: the person takes the way on.
    """

    action_triggered = Signal()

    def __init__(
        self, *, theme: Theme, name: str, closable: bool = False, parent: QWidget | None = None
    ) -> None:
        """Start hidden; a `closable` one can be put away."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._text = plain_label(tone="muted", name=f"{name}_words", parent=self)
        self._action = link_button("", name=f"{name}_action", parent=self)
        self._action.clicked.connect(self.action_triggered)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._text)
        self._row.addWidget(self._action)
        self._row.addStretch(1)
        if closable:
            close = tool_button(theme, "mdi6.close", "Dismiss", name=f"{name}_close", parent=self)
            close.clicked.connect(self.clear)
            self._row.addWidget(close)
        theme.changed.connect(self._refresh)
        self._refresh()
        self.hide()

    def _refresh(self) -> None:
        self._row.setContentsMargins(self._theme.PADDING_PX, 0, self._theme.SPACING_PX, 0)
        self._row.setSpacing(self._theme.SPACING_PX)

    def text(self) -> str:
        """What is said."""
        return self._text.text() if not self.isHidden() else ""

    def say(self, text: str, action: str = "") -> None:
        """Say `words` and offer `action`, if there is a way on."""
        self._text.setText(text)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self._action.setAccessibleName(action)
        self.setAccessibleName(text)
        self.show()

    def clear(self) -> None:
        """Nothing to say any more."""
        self.hide()
