"""What holds one page, made before it or when it is first displayed."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtWidgets import QWidget

from inspector.background_tasks import IMPORTING
from ui.lazy_imports import IMPORTING_STEP_S, import_in_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtGui import QResizeEvent, QShowEvent

P = TypeVar("P", bound=QWidget)

PIECE_S = 0.008
"""Seconds for importing in one turn of the event loop: half of the time between two refreshes of a screen."""


class PageContainer(QWidget):
    """Holds one page, as large as itself.

    A layout would pass every layout request of the page on to the tabs, which then lay out and paint the whole page for each.
    """

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


class LazyPage(PageContainer, Generic[P]):
    """Holds a page that is made when it is first displayed, or when something is asked of it.

    Signals:
        made_page: the page is there now.
    """

    made_page = Signal()

    def __init__(
        self, make: Callable[[QWidget], P], *, package: str, parent: QWidget | None = None
    ) -> None:
        """Start empty; `make` returns the page, given its parent. Its `package` is imported in pieces when it is first displayed."""
        super().__init__(parent)
        self._make = make
        self._package = package
        self._pieces: Iterator[None] = iter(())
        self._importing = QTimer(self, interval=0)
        self._importing.timeout.connect(self._import_next)
        self.made: P | None = None
        """The page; None until it is made."""

    @property
    def page(self) -> P:
        """The page, made if it is not there yet."""
        if self.made is None:
            # A page that is made inside of a window with a style sheet takes its fonts from that.
            self.made = self._make(self)
            self.set_page(self.made)
            self.made_page.emit()
        return self.made

    def minimumSizeHint(self) -> QSize:
        """What the page needs."""
        return self.made.minimumSizeHint() if self.made is not None else super().minimumSizeHint()

    def showEvent(self, event: QShowEvent) -> None:
        """Make the page that is to be seen, once its modules are there."""
        super().showEvent(event)
        if self.made is None and not self._importing.isActive():
            self._pieces = import_in_pieces(self._package)
            self._importing.start()

    def _import_next(self) -> None:
        """Import for a while, and make the page in a turn of its own; wait while a thread imports."""
        until = monotonic() + PIECE_S
        for _ in self._pieces:
            if self.made is not None:
                break
            if monotonic() >= until or IMPORTING.locked():
                self._importing.setInterval(
                    int(IMPORTING_STEP_S * 1000) if IMPORTING.locked() else 0
                )
                return
        self._importing.stop()
        _ = self.page
