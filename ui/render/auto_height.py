"""Views as high as their content, up to a limit, for a column of several that scrolls as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QAbstractScrollArea, QSizePolicy

from ui.theme import tokens
from ui.theme.layout_spaces import keep_margins
from ui.widgets.json_view import JsonView
from ui.widgets.labels import set_style_property
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from inspector.wire.json_codec import Json
    from ui.theme import Theme

PROSE_PIXELS = 880
"""Greatest width at 100% of sentences."""

MAX_ROWS = 20
"""Rows of a view; with more, the view scrolls."""


class AutoHeightText(TextView):
    """Text that takes the height it needs."""

    def __init__(
        self,
        *,
        theme: Theme,
        name: str = "text",
        mime: str = "text/plain",
        file_name: str = "",
        mono: bool = True,
    ) -> None:
        """Start empty; without `mono` in the font of texts that are read."""
        super().__init__(theme=theme, name=name, mime=mime, file_name=file_name, mono=mono)
        self._is_prose = not mono
        if self._is_prose:  # only wire data is on a surface of its own
            set_style_property(self.edit, "surface", "panel")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.edit.setMinimumHeight(1)
        # Lines are wrapped after the view was given a width; that a line takes more rows is told by the scroll bar only.
        layout = self.edit.document().documentLayout()
        layout.documentSizeChanged.connect(self.updateGeometry)
        self.edit.verticalScrollBar().rangeChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """The wrapped lines, and the bars that show."""
        lines = self.edit.document().documentLayout().documentSize().height()
        rows = min(max(round(lines), 1), MAX_ROWS)
        margins = 2 * round(self.edit.document().documentMargin()) + 2
        margins += 2 * tokens.DATA_EDGE
        height = rows * self.edit.fontMetrics().lineSpacing() + margins
        for bar in (self.bar, self.find_bar):
            height += 0 if bar.isHidden() else bar.sizeHint().height()
        return QSize(self.edit.fontMetrics().averageCharWidth() * 60, height)

    def minimumSizeHint(self) -> QSize:
        """Never squeezed below what it needs."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps other lines; sentences keep a width at which they can be read."""
        super().resizeEvent(event)
        layout = self.layout()
        if self._is_prose and layout is not None:
            keep_margins(layout)
            beyond = max(event.size().width() - self._theme.px(PROSE_PIXELS), 0)
            layout.setContentsMargins(0, 0, beyond, 0)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()


class AutoHeightJson(JsonView):
    """A JSON tree that takes the height of its open rows."""

    def __init__(self, value: Json, *, theme: Theme, name: str = "json") -> None:
        """Show `value`."""
        super().__init__(theme=theme, name=name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.tree.setMinimumHeight(1)
        self.tree.expanded.connect(self.updateGeometry)
        self.tree.collapsed.connect(self.updateGeometry)
        self.set_value(value)

    def sizeHint(self) -> QSize:
        """The open rows, and the bars that show."""
        tree = self.tree
        rows = 0
        index: QModelIndex = tree.json.index(0, 0)
        while index.isValid() and rows < MAX_ROWS:
            rows += 1
            index = tree.indexBelow(index)
        height = max(rows, 1) * max(tree.sizeHintForRow(0), 1) + 2
        height += 2 * tokens.DATA_EDGE
        height += 0 if self.find_bar.isHidden() else self.find_bar.sizeHint().height()
        return QSize(tree.fontMetrics().averageCharWidth() * 60, height)

    def minimumSizeHint(self) -> QSize:
        """Never squeezed below what it needs."""
        return QSize(0, self.sizeHint().height())


def reserve_height(widget: QWidget, min_px: int = 0) -> None:
    """Let a view take all available height; one that scrolls shrinks to a height of `min_px`."""
    widget.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
    if min_px and isinstance(widget, QAbstractScrollArea | AutoHeightText | AutoHeightJson):
        widget.setMinimumHeight(min(min_px, widget.sizeHint().height()))
