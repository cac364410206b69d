"""A check box whose label wraps where it has no room in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStyle, QStyleOptionButton, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QFontMetrics, QResizeEvent


class WrappingCheckBox(QCheckBox):
    """As wide as its label in one line; with less width it has more lines. `text` returns the label as it was set."""

    _label = ""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        """Show `text`, in which an `&` is a mnemonic."""
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setText(text)

    def text(self) -> str:
        """The label in one line."""
        return self._label

    def setText(self, text: str) -> None:
        """Show another label."""
        if text != self._label:
            self._label = text
            self.setAccessibleName(text.replace("&", ""))
            self._wrap()
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """The size for one line."""
        metrics = self.fontMetrics()
        around = self._around(metrics)
        return QSize(metrics.horizontalAdvance(self._label) + 1, metrics.height()) + around

    def minimumSizeHint(self) -> QSize:
        """The size of the widest part without a space."""
        metrics = self.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, self._label.split(" ")), default=0)
        return QSize(widest + 1, metrics.height()) + self._around(metrics)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of the lines in a width."""
        metrics = self.fontMetrics()
        around = self._around(metrics)
        lines = len(_lines(self._label, metrics, width - around.width()))
        return around.height() + metrics.height() + (lines - 1) * metrics.lineSpacing()

    def _around(self, metrics: QFontMetrics) -> QSize:
        """What the indicator and the edges take."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        text = QSize(0, metrics.height())
        kind = QStyle.ContentsType.CT_CheckBox
        return self.style().sizeFromContents(kind, option, text, self) - text

    def _wrap(self) -> None:
        metrics = self.fontMetrics()
        width = self.width() - self._around(metrics).width()
        displayed = "\n".join(_lines(self._label, metrics, width))
        if displayed != super().text():
            super().setText(displayed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width fits other lines."""
        super().resizeEvent(event)
        self._wrap()

    def changeEvent(self, event: QEvent) -> None:
        """Another font fits other lines."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._wrap()


def _lines(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """Divide a text at its spaces into lines of a width; what has no space in it may be longer."""
    lines = [""]
    for part in text.split(" "):
        longer = f"{lines[-1]} {part}" if lines[-1] else part
        if lines[-1] and metrics.horizontalAdvance(longer) > width:
            lines.append(part)
        else:
            lines[-1] = longer
    return lines
