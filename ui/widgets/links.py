"""Links beside text that may be longer than there is room.

Apart from `buttons`, because the types of Qt that it needs take some milliseconds before the first paint.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QWidget

from inspector.visible_text import visible
from ui.widgets.buttons import PushButton, dress_link, link_button
from ui.widgets.labels import ElidedLabel, no_mnemonic, set_tone
from ui.widgets.layout_parts import row_layout

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from ui.theme import Theme


class ElidedLink(PushButton):
    """A link as wide as its text where there is room; where there is not, a shorter text that fits, or the shortest one elided."""

    def __init__(self, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__("", repeats=False, parent=parent)
        self._texts: tuple[str, ...] = ("",)
        self.setObjectName(name)
        self.setAutoDefault(False)
        dress_link(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def whole_text(self) -> str:
        """The whole text, whichever is displayed."""
        return self._texts[0]

    def set_text(self, text: str, *shorter: str) -> None:
        """Show `text`, or the first of `shorter` texts that fits; assistive technology gets the whole text."""
        self._texts = tuple(map(visible, (text, *shorter)))
        self.setAccessibleName(self._texts[0])
        self._fit()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """The size for the whole text."""
        return self._around(self._texts[0])

    def minimumSizeHint(self) -> QSize:
        """The size for a letter and the ellipsis."""
        return self._around("M…")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is elided may have changed."""
        super().resizeEvent(event)
        self._fit()

    def _around(self, message: str) -> QSize:
        """The size that `message` needs."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        text = QSize(self._advance(message), self.fontMetrics().height())
        kind = QStyle.ContentsType.CT_PushButton
        return self.style().sizeFromContents(kind, option, text, self)

    def _fit(self) -> None:
        long = self._texts[0]
        width = self.width() - self._around(long).width() + self._advance(long)
        fitting = (text for text in self._texts if self._advance(text) <= width)
        text = next(fitting, self._texts[-1])
        text = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
        label = no_mnemonic(text)  # it may be a value of the server
        if label != self.text():
            name = self.accessibleName()
            self.setText(label)
            self.setAccessibleName(name)  # the label would be the name otherwise

    def _advance(self, text: str) -> int:
        """The whole pixels that a text needs; rounded down, a link as wide as its text would elide it."""
        return ceil(QFontMetricsF(self.font()).horizontalAdvance(text))


class LinkLine(QWidget):
    """A muted line with a link beside it; hidden while its text is empty.

    Signals:
        clicked: the link was clicked.
    """

    clicked = Signal()

    def __init__(
        self, link: str, *, theme: Theme, name: str, parent: QWidget | None = None
    ) -> None:
        """Start hidden, with `link` as the text of the link."""
        super().__init__(parent)
        self.setObjectName(name)
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._text.setObjectName(f"{name}_text")
        set_tone(self._text, "muted")
        self._link = link_button(link, name=f"{name}_link", parent=self)
        row = row_layout(self, self._text, self._link, space=theme.SPACING_PX)
        row.addStretch(1)
        self._link.clicked.connect(self.clicked)
        self.hide()

    def text(self) -> str:
        """The text of the line."""
        return self._text.whole_text()

    def set_text(self, text: str) -> None:
        """Show `text`; an empty one hides the line."""
        self._text.set_text(text)
        self.setVisible(bool(text))


def set_link_height(link: PushButton, pixels: int) -> None:
    """Make a link as high as the row that it stands in; the style sheet gives it the height of a button. Call it again when sizes change."""
    link.ensurePolished()
    link.setFixedHeight(pixels)
