"""Someone who does not see the window and hears what is read out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractItemView

from tests.e2e.waits import until
from tests.support.spoken import faults, interface_of, read_out, spoken

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from tests.support.spoken import Role, Spoken


class Listener:
    """Hears each part that gets the focus, and can listen to a whole window."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        """What was missing, in the order in which it was missed."""
        self._heard: dict[str, Spoken] = {}

    def hear(self, widget: QWidget) -> None:
        """Hear what has the focus: of a list, its current row as well."""
        part = spoken(interface_of(widget))
        self._heard[widget.objectName()] = part
        self.faults += faults(part)
        if not part.is_focused:
            self.faults.append(f"{part.way} has the focus and does not say so")
        has_row = isinstance(widget, QAbstractItemView) and widget.currentIndex().isValid()
        if has_row and QAccessible.isActive():  # else Qt keeps no rows for it
            row = interface_of(widget).focusChild()
            if not (row and spoken(row).name):
                self.faults.append(f"the current row of {part.way} is not read out")

    def has_heard(self, name: str) -> Spoken:
        """What was heard last of the widget called `name`."""
        assert name in self._heard, [*self._heard]
        return self._heard[name]

    def roles(self, *names: str) -> list[Role]:
        """As what the widgets of those names were read out."""
        return [self.has_heard(name).role for name in names]

    async def hears(self, window: QWidget, text: str) -> None:
        """Wait until `text` is read out somewhere in a window."""
        await until(lambda: any(text in part.name + part.value for part in read_out(window)), text)
