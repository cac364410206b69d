"""A column of widgets that scrolls as a whole where it gets less height than it needs, and one that takes no more height than it is given."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QStyle, QVBoxLayout, QWidget


class ScrollColumn(QScrollArea):
    """Asks for the width of what it scrolls; where it gets less, that is squeezed, and nothing is cut at the side."""

    def __init__(
        self, *, name: str, within_screen: bool = False, parent: QWidget | None = None
    ) -> None:
        """Start with an empty `column`, without margins; `within_screen` limits the width that is asked for, as for a dialog."""
        super().__init__(parent)
        self._within_screen = within_screen
        self.setObjectName(name)
        self._inner = _Column()
        self.column = self._inner.column
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._inner)
        self._inner.setAutoFillBackground(False)  # `setWidget` switches it on

    def minimumSizeHint(self) -> QSize:
        """The width of the column, with room for the scroll bar."""
        beside = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        width = self.column.minimumSize().width() + beside
        if self._within_screen:
            width = min(width, _widest(self))
        return QSize(width, super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        """What changed inside may change the width."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


class CappedColumn(ScrollColumn):
    """As high as what it holds, up to `max_height` pixels; beyond that it scrolls."""

    def __init__(self, *, name: str, parent: QWidget | None = None) -> None:
        """Start empty and without a limit."""
        super().__init__(name=name, within_screen=True, parent=parent)
        self._max_height = 0

    def set_max_height(self, pixels: int) -> None:
        """Take at most `pixels` of height."""
        if pixels != self._max_height:
            self._max_height = pixels
            self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        """The height follows from the wrapped texts inside."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of what it holds, or the limit."""
        height = self._inner.heightForWidth(width)
        return min(height, self._max_height) if self._max_height else height


class _Column(QWidget):
    """What scrolls: not before it is lower than it has to be, which Qt asks of a column with wrapped texts as the height it would like."""

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)

    def minimumSizeHint(self) -> QSize:
        """No width, the least height."""
        return QSize(0, self.column.minimumSize().height())

    def heightForWidth(self, width: int) -> int:
        """The least height, also where nothing in it wraps: of such a layout Qt knows none for a width."""
        if not self.column.hasHeightForWidth():
            return self.column.minimumSize().height()
        return self.column.minimumHeightForWidth(width)


def _widest(widget: QWidget) -> int:
    """Pixels that a dialog leaves for its contents where it fills the screen: four fifths."""
    return widget.screen().availableSize().width() * 4 // 5
