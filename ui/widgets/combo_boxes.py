"""Boxes to select from: one elides its long options, one holds values beside their texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

MIN_CHARACTERS = 8
"""Room that is left where there is little."""


class ElidedComboBox(QComboBox):
    """Takes the room there is."""

    def __init__(self, *, name: str, text: str, parent: QWidget | None = None) -> None:
        """Start empty; `words` name the box."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(MIN_CHARACTERS)

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


class OptionComboBox(QComboBox):
    """Options by key.

    Signals:
        chosen: the person chose the option of this key.
    """

    chosen = Signal(str)

    def __init__(
        self,
        options: Sequence[tuple[str, str]],
        *,
        name: str,
        text: str,
        parent: QWidget | None = None,
    ) -> None:
        """Offer `options` as (key, words); the first is chosen. `words` name the box."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self._keys = [key for key, _ in options]
        for _, shown in options:
            self.addItem(shown)
        self.activated.connect(self._on_activated)

    def current(self) -> str:
        """The key of what is chosen; empty if there is nothing to choose."""
        return self._keys[self.currentIndex()] if self._keys else ""

    def choose(self, key: str) -> None:
        """Choose without telling; unknown keys change nothing."""
        if key in self._keys:
            self.setCurrentIndex(self._keys.index(key))

    def _on_activated(self, at: int) -> None:
        self.chosen.emit(self._keys[at])
