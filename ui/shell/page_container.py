"""The place of a page in its tab, where what the page needs to lay itself out again ends.

A layout would tell every change in the page to the tabs, and those lay out and paint the whole page for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QResizeEvent


class PageContainer(QWidget):
    """Holds one page, as large as itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("workbench_room")
        self._page: QWidget | None = None

    def set_page(self, page: QWidget) -> None:
        """Show `page` here; it is the only one."""
        self._page = page
        page.setParent(self)
        page.setGeometry(self.rect())
        page.show()

    def sizeHint(self) -> QSize:
        """What the page would like."""
        return self._page.sizeHint() if self._page is not None else super().sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The page fills the room."""
        super().resizeEvent(event)
        if self._page is not None:
            self._page.setGeometry(self.rect())
