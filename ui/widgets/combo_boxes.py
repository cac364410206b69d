"""Drop-down lists that elide what does not fit: one as wide as there is room, one with keys for its options, one for a form that scrolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QListView,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from ui.widgets.type_hint import draw_hint, hint_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent, QWheelEvent

    from ui.theme import Theme

MIN_CHARACTERS = 8
"""Width that an elided box keeps."""


class FittingComboBox(QComboBox):
    """A drop-down whose text ends in an ellipsis where it does not fit; the style of Qt would clip it."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box with as much of the text as fits."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        if self.currentIndex() < 0:
            option.currentText = self.placeholderText()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        area = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        option.currentText = self.fitted(option.currentText, area.width() - 2)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    def fitted(self, text: str, width: int) -> str:
        """Return what is displayed of the selected option in `width` pixels."""
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)


class ElidedComboBox(FittingComboBox):
    """As wide as there is room."""

    def __init__(self, *, name: str, text: str, parent: QWidget | None = None) -> None:
        """Start empty; `text` is the accessible name."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(MIN_CHARACTERS)


class OptionComboBox(FittingComboBox):
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


class NoWheelComboBox(FittingComboBox):
    """A drop-down that ignores the wheel, with which the form around it scrolls, and does not ask for the width of its widest entry."""

    _HINT_SPACE_PX = 8
    """Least space at 100% between the value and the hint, and between the hint and the arrow."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        view = QListView(self)
        view.setUniformItemSizes(True)
        self.setView(view)
        self.setMaxVisibleItems(16)
        self.setMinimumContentsLength(6)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.setSizeAdjustPolicy(policy)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._hint = ""

    def set_hint(self, text: str) -> None:
        """Display `text` in small muted letters at the right end, where there is room for it."""
        self._hint = text
        self.update()

    def hint_rect(self) -> QRect:
        """Where the hint is displayed; empty without room for it."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        control = QStyle.ComplexControl.CC_ComboBox
        area = self.style().subControlRect(control, option, field, self)
        space = self._theme.px(self._HINT_SPACE_PX)
        width = hint_width(self._theme, self._hint)
        displayed = self.fontMetrics().horizontalAdvance(
            self.currentText() or self.placeholderText()
        )
        if not width or displayed + width + 2 * space > area.width():
            return QRect()
        return QRect(area.right() + 1 - space - width, area.top(), width, area.height())

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Draw the placeholder of an empty box in the color of placeholders."""
        super().initStyleOption(option)
        if self.currentIndex() < 0:
            pale = self.palette().placeholderText().color()
            option.palette.setColor(QPalette.ColorRole.Text, pale)
            option.palette.setColor(QPalette.ColorRole.ButtonText, pale)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, then the hint on it."""
        super().paintEvent(event)
        area = self.hint_rect()
        if not area.isEmpty():
            draw_hint(self, self._theme, self._hint, area)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the scroll area."""
        event.ignore()
