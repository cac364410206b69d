"""A panel that prepares a request: what is to be sent, its headers and options in a column, and the row that sends below it.

What the column needs at least is more than a low window or large text leave: then it scrolls as a whole, and the row stays where it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QStyle, QVBoxLayout, QWidget

from ui.widgets.hairline import Hairline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme

MIN_BODY_PIXELS = 80
"""Height at 100% of what is filled in, where everything is short of room: two fields."""


class RequestColumn(QWidget):
    """Lays the parts of such a panel out."""

    def __init__(
        self,
        above: Sequence[QWidget],
        body: QWidget,
        below: Sequence[QWidget],
        *,
        row: QWidget,
        theme: Theme,
        parent: QWidget | None = None,
    ) -> None:
        """`body` gets all the room that the parts `above` and `below` it leave; `row` never scrolls."""
        super().__init__(parent)
        self._theme = theme
        self._body = body
        self._build(above, below, row)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _build(self, above: Sequence[QWidget], below: Sequence[QWidget], row: QWidget) -> None:
        theme, inner = self._theme, _Column()
        column = inner.column
        column.setContentsMargins(theme.PAD, theme.PAD, theme.PAD, 0)
        column.setSpacing(theme.SPACE)
        for part in above:
            column.addWidget(part)
        column.addWidget(_Body(self._body), 1)
        for part in below:
            column.addWidget(part)
        area = _Area(self)
        area.setObjectName("request_column")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        inner.setAutoFillBackground(False)  # `setWidget` switches it on
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(area, 1)
        layout.addWidget(Hairline(theme=theme))
        layout.addWidget(row)

    def _refresh(self) -> None:
        self._body.setMinimumHeight(self._theme.px(MIN_BODY_PIXELS))


class _Area(QScrollArea):
    """Asks for the width of what it scrolls; where it gets less, that is squeezed, and nothing is cut at the side."""

    def minimumSizeHint(self) -> QSize:
        """The width of the column, with room for the scroll bar."""
        column, least = self.widget(), super().minimumSizeHint()
        width = column.column.minimumSize().width() if isinstance(column, _Column) else 0
        beside = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return QSize(width + beside, least.height())

    def event(self, event: QEvent) -> bool:
        """What changed inside may change the width."""
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)


class _Column(QWidget):
    """What scrolls: not before it is lower than it has to be, which Qt asks of a column with wrapped texts as the height it would like."""

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)

    def minimumSizeHint(self) -> QSize:
        """No width, the least height."""
        return QSize(0, self.column.minimumSize().height())

    def heightForWidth(self, width: int) -> int:
        """The least height."""
        return self.column.minimumHeightForWidth(width)


class _Body(QWidget):
    """What shrinks first: no matter how high its texts would like to be in their width, for it scrolls by itself."""

    def __init__(self, body: QWidget) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(body)

    def hasHeightForWidth(self) -> bool:
        """None: the layout above takes the least height instead."""
        return False
