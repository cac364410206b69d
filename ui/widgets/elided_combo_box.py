"""A box of long lines of which one is chosen; what does not fit ends in an ellipsis rather than in the middle of a letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

LEAST_CHARACTERS = 8
"""Room that is left where there is little."""


class ElidedComboBox(QComboBox):
    """Takes the room there is."""

    def __init__(self, *, name: str, words: str, parent: QWidget | None = None) -> None:
        """Start empty; `words` name the box."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(LEAST_CHARACTERS)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The style of Qt would cut the text off."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        option.currentText = self.fontMetrics().elidedText(
            option.currentText,
            Qt.TextElideMode.ElideRight,
            room.width() - 2,
        )
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
