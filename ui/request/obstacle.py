"""What stands in the way of sending, in a line, and what can be done about it, in a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.widgets.buttons import link_button
from ui.widgets.elided_label import ElidedLabel
from ui.widgets.labels import set_tone
from ui.widgets.tool_tip import tool_tip

if TYPE_CHECKING:
    from ui.theme import Theme


class Obstacle(QWidget):
    """Words, with more of them in the tool tip, and a button.

    Signals:
        action_wanted: the person wants what the button says.
    """

    action_wanted = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start without words; `name` begins the names of the parts."""
        super().__init__(parent)
        self._words = _Words(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._words.setObjectName(f"{name}_problem")
        self._action = link_button("", name=f"{name}_problem_action", parent=self)
        self._action.clicked.connect(self.action_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACING_PX)
        row.addWidget(self._words)
        row.addWidget(self._action)
        row.addStretch(1)
        self.say("", "muted")

    @property
    def has_words(self) -> bool:
        """Whether anything stands in the way."""
        return bool(self._words.whole_text())

    def say(self, words: str, tone: str, *, detail: str = "", action: str = "") -> None:
        """Say `words` in a tone, with `detail` in the tool tip, and offer the `action` of that name."""
        set_tone(self._words, tone)
        self._words.detail = detail
        self._words.set_text(words)
        self._action.setText(action)
        self._action.setAccessibleName(action)
        self._action.setToolTip(tool_tip(detail) if detail else "")
        self._action.setVisible(bool(action))


class _Words(ElidedLabel):
    """A line with a tool tip of its own."""

    detail = ""

    def minimumSizeHint(self) -> QSize:
        """No more than an ellipsis: the button beside it must fit, whatever the size of text."""
        width = self.fontMetrics().horizontalAdvance("…")
        return QSize(width, super().minimumSizeHint().height())

    def _refresh_tool_tip(self) -> None:
        super()._refresh_tool_tip()
        if self.detail:
            self.setToolTip(tool_tip(self.detail))
