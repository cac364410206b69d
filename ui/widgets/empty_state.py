"""The notice in an empty area: what would be here, and the next step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from inspector.visible_text import visible
from ui.theme import tokens
from ui.widgets.buttons import push_button
from ui.widgets.labels import plain_label, set_icon, show_text

if TYPE_CHECKING:
    from ui.theme import Theme

ICON_PIXELS = 32
"""Edge of the icon at 100%."""


class EmptyState(QWidget):
    """An icon, a title, a text and perhaps a button, in the middle of the area.

    Signals:
        action_triggered: the button was clicked.
    """

    action_triggered = Signal()

    def __init__(
        self,
        title: str,
        text: str = "",
        *,
        theme: Theme,
        icon: str = "mdi6.telescope",
        action: str = "",
        name: str = "empty_state",
        parent: QWidget | None = None,
    ) -> None:
        """Show `title` and `text`; `action` is the label of the button, "" for none."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._icon = icon
        self._build()
        self._wire()
        self.set_text(title, text, action=action)

    def _build(self) -> None:
        self._image = QLabel(self)
        self._image.setMinimumHeight(1)  # without room for all, the icon gives way first
        self._title = plain_label(tone="title", wrap=True, parent=self)
        self._text = plain_label(tone="muted", wrap=True, parent=self)
        self._button = push_button("", name=f"{self.objectName()}_action", parent=self)
        self.setMinimumHeight(1)  # an empty area makes no window larger
        column = QVBoxLayout(self)
        column.addStretch(2)
        for label in (self._image, self._title, self._text):
            column.addWidget(label)  # in full width, or wrapped text would lose lines
        column.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        for label in (self._image, self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)

    def _wire(self) -> None:
        self._button.clicked.connect(self.action_triggered)
        self._theme.changed.connect(self._refresh)

    def set_text(self, title: str, text: str = "", *, action: str = "", icon: str = "") -> None:
        """Show another title and text; an empty `icon` keeps the one before."""
        self._icon = icon or self._icon
        self._title.setText(visible(title))
        show_text(self._text, visible(text))
        self._button.setText(action)
        self._button.setAccessibleName(action)
        self._button.setVisible(bool(action))
        self.setAccessibleName(f"{title}. {text}")
        self._refresh()

    def _refresh(self) -> None:
        edge = self._theme.px(ICON_PIXELS)
        set_icon(self._image, self._theme, self._icon, "muted", edge)
        self._title.setFont(self._theme.font(tokens.TITLE / 1.1, bold=True))
        self._column_spacing()

    def _column_spacing(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.setSpacing(self._theme.PADDING_PX)
            pad = self._theme.px(16)
            layout.setContentsMargins(pad, pad, pad, pad)
