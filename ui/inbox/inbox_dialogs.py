"""The sheets that are open or were put aside, one a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, QPoint, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from inspector.inbox import InboxItem
    from ui.inbox_dialog import InboxDialog

    MakeSheet: TypeAlias = Callable[[InboxItem, QWidget], InboxDialog]


STEP, MAX_STEPS = 28, 8
"""Pixels between the corners of sheets that open over each other, and how many of them are told apart."""


class InboxDialogs(QObject):
    """Opens sheets over a window.

    Signals:
        frame_wanted: the person wants to see this question in the traffic of its session.
    """

    frame_wanted = Signal(object)

    def __init__(self, makers: Mapping[str, MakeSheet], window: QWidget) -> None:
        """`makers` has for each kind of question who makes its sheet."""
        super().__init__(window)
        self._makers = makers
        self._window = window
        self._sheets: dict[InboxItem, InboxDialog] = {}

    def has_unsent(self) -> bool:
        """Return whether something was written into a sheet whose question still waits."""
        return any(sheet.is_unsent for sheet in self.sheets)

    def _place_of(self, sheet: InboxDialog) -> QPoint:
        """Where a sheet opens: where it was, or over the middle of the window, a step away from the sheets that are open.

        A window that is shown again where Qt has it would open lower by the height of its title bar each time.
        """
        if sheet.left_at is not None:
            return sheet.left_at
        others = sum(other.isVisible() for other in self.sheets)
        middle = self._window.frameGeometry().center() - sheet.rect().center()
        return middle + QPoint(STEP, STEP) * (others % MAX_STEPS)

    @property
    def sheets(self) -> tuple[InboxDialog, ...]:
        """Those that are open, and those that were put aside with what was typed into them."""
        return tuple(self._sheets.values())

    def open(self, ask: InboxItem) -> InboxDialog | None:
        """Open the sheet of a question, or bring it to the front as it was left; None when nobody can answer that kind."""
        make = self._makers.get(ask.kind)
        if make is None:
            return None
        sheet = self._sheets.get(ask)
        if sheet is None:
            sheet = self._sheets[ask] = make(ask, self._window)
            sheet.frame_wanted.connect(self.frame_wanted)
            sheet.destroyed.connect(lambda: self._sheets.pop(ask, None))
        if not sheet.isVisible():
            sheet.move(self._place_of(sheet))
        sheet.show()
        sheet.raise_()
        sheet.activateWindow()
        return sheet
