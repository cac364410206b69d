"""The layout of a request panel: arguments, headers and options in a column, and the row that sends below it.

The column scrolls as a whole where a low window or large text leave less height than it needs; the row never does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from ui.widgets.layout_parts import Hairline, ScrollColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme

GAP_PIXELS = 12
"""At 100%, between a description, the views below it and the first field."""

MIN_BODY_PIXELS = 80
"""Minimum height at 100% of the arguments: two fields."""


class RequestColumn(QWidget):
    """The laid out parts of a request panel."""

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
        """Give `body` the height that the parts `above` and `below` leave; `row` never scrolls."""
        super().__init__(parent)
        self._theme = theme
        self._body = body
        self._build(above, below, row)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _build(self, above: Sequence[QWidget], below: Sequence[QWidget], row: QWidget) -> None:
        theme = self._theme
        area = ScrollColumn(name="request_column", parent=self)
        column = area.column
        column.setContentsMargins(theme.PADDING_PX, theme.PADDING_PX, theme.PADDING_PX, 0)
        column.setSpacing(theme.SPACING_PX)
        for part in above:
            column.addWidget(part)
            column.addSpacing(theme.px(GAP_PIXELS) - theme.SPACING_PX)
        column.addWidget(_Body(self._body), 1)
        for part in below:
            column.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(area, 1)
        layout.addWidget(Hairline(theme=theme))
        layout.addWidget(row)

    def _refresh(self) -> None:
        self._body.setMinimumHeight(self._theme.px(MIN_BODY_PIXELS))


class _Body(QWidget):
    """Shrinks first: it scrolls, so the height that its texts prefer does not matter."""

    def __init__(self, body: QWidget) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(body)

    def hasHeightForWidth(self) -> bool:
        """Return False: the layout above takes the minimum height instead."""
        return False
