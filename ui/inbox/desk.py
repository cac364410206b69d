"""The sheets that are open or were put aside, one a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from inspector.ask import Ask
    from ui.sheet import Sheet

    MakeSheet: TypeAlias = Callable[[Ask, QWidget], Sheet]


class Desk(QObject):
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
        self._sheets: dict[Ask, Sheet] = {}

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """Those that are open, and those that were put aside with what was typed into them."""
        return tuple(self._sheets.values())

    def open(self, ask: Ask) -> Sheet | None:
        """Open the sheet of a question, or bring it to the front as it was left; None when nobody can answer that kind."""
        make = self._makers.get(ask.kind)
        if make is None:
            return None
        sheet = self._sheets.get(ask)
        if sheet is None:
            sheet = self._sheets[ask] = make(ask, self._window)
            sheet.frame_wanted.connect(self.frame_wanted)
            sheet.destroyed.connect(lambda: self._sheets.pop(ask, None))
        sheet.show()
        sheet.raise_()
        sheet.activateWindow()
        return sheet
