"""Drop-down lists: one elides its long options, one has keys for its options, one belongs into a form that scrolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QListView,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QWheelEvent

MIN_CHARACTERS = 8
"""Width that an elided box keeps."""


class ElidedComboBox(QComboBox):
    """As wide as there is room; a text that does not fit ends in an ellipsis."""

    def __init__(self, *, name: str, text: str, parent: QWidget | None = None) -> None:
        """Start empty; `text` is the accessible name."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(MIN_CHARACTERS)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Elide the text, which the style of Qt would clip."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        area = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        option.currentText = self.fontMetrics().elidedText(
            option.currentText,
            Qt.TextElideMode.ElideRight,
            area.width() - 2,
        )
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()


class OptionComboBox(QComboBox):
    """Options by key.

    Signals:
        chosen: the user selected the option of this key.
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
        """Offer `options` as (key, label), the first one selected; `text` is the accessible name."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self._keys = [key for key, _ in options]
        for _, label in options:
            self.addItem(label)
        self.activated.connect(self._on_activated)

    def current(self) -> str:
        """The key of the selected option; empty without options."""
        return self._keys[self.currentIndex()] if self._keys else ""

    def choose(self, key: str) -> None:
        """Select an option without a signal; unknown keys change nothing."""
        if key in self._keys:
            self.setCurrentIndex(self._keys.index(key))

    def _on_activated(self, at: int) -> None:
        self.chosen.emit(self._keys[at])


class NoWheelComboBox(QComboBox):
    """A drop-down that ignores the wheel, with which the form around it scrolls, and does not ask for the width of its widest entry."""

    _ARROW = 1.8
    """Width of the arrow in heights of a line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        view = QListView(self)
        view.setUniformItemSizes(True)
        self.setView(view)
        self.setMaxVisibleItems(16)
        self.setMinimumContentsLength(6)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.setSizeAdjustPolicy(policy)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._muted_text = ""

    def set_muted_text(self, text: str) -> None:
        """Display `text` in a muted color at the right end."""
        self._muted_text = text
        self.update()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Draw the placeholder of an empty box in the color of placeholders."""
        super().initStyleOption(option)
        if self.currentIndex() < 0:
            pale = self.palette().placeholderText().color()
            option.palette.setColor(QPalette.ColorRole.Text, pale)
            option.palette.setColor(QPalette.ColorRole.ButtonText, pale)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, then the muted text on it."""
        super().paintEvent(event)
        taken = self.fontMetrics().horizontalAdvance(f"{self.currentText()}  {self._muted_text}")
        arrow = round(self._ARROW * self.fontMetrics().height())
        if self._muted_text and taken < self.width() - 2 * arrow:
            painter = QPainter(self)
            painter.setPen(self.palette().placeholderText().color())
            aligned = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(self.rect().adjusted(0, 0, -arrow, 0), int(aligned), self._muted_text)
            painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the scroll area."""
        event.ignore()
