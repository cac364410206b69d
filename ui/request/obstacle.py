"""Why a request cannot be sent or has problems, in one line, with a button for the next step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, set_tone, tool_tip

if TYPE_CHECKING:
    from ui.theme import Theme


class Obstacle(QWidget):
    """A line of text, its details in the tooltip, and a button.

    Signals:
        action_requested: the button was clicked.
    """

    action_requested = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start without text; `name` begins the names of the parts."""
        super().__init__(parent)
        self._line = _Line(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._line.setObjectName(f"{name}_problem")
        self._action = link_button("", name=f"{name}_problem_action", parent=self)
        self._action.clicked.connect(self.action_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACING_PX)
        row.addWidget(self._line)
        row.addWidget(self._action)
        row.addStretch(1)
        self.show_text("", "muted")

    @property
    def has_text(self) -> bool:
        """Whether there is anything to read."""
        return bool(self._line.whole_text())

    def show_text(self, text: str, tone: str, *, detail: str = "", action: str = "") -> None:
        """Show `text` in a tone and `detail` in the tooltip; `action` labels the button, which an empty string hides."""
        set_tone(self._line, tone)
        self._line.detail = detail
        self._line.set_text(text)
        self._action.setText(action)
        self._action.setAccessibleName(action)
        self._action.setToolTip(tool_tip(detail) if detail else "")
        self._action.setVisible(bool(action))


class _Line(ElidedLabel):
    """A line with a tooltip of its own."""

    detail = ""

    def minimumSizeHint(self) -> QSize:
        """Return the width of an ellipsis: the button beside it must fit at every text size."""
        width = self.fontMetrics().horizontalAdvance("…")
        return QSize(width, super().minimumSizeHint().height())

    def _refresh_tool_tip(self) -> None:
        super()._refresh_tool_tip()
        if self.detail:
            self.setToolTip(tool_tip(self.detail))
