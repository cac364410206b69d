"""Going back to earlier requests: a box with a line for each, newest first, and what can be done with the visible one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.widgets.buttons import tool_button
from ui.widgets.combo_boxes import ElidedComboBox
from ui.widgets.labels import tool_tip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ui.theme import Theme


class HistoryBox(QWidget):
    """Earlier requests, one of them current.

    Signals:
        selected: the user selected the request of this row.
        repeat_requested: send the current request again.
        reuse_requested: put what the current request sent back into the fields.
        compare_requested: compare the current request with the one before.
        traffic_requested: show the current request in the traffic.
    """

    selected = Signal(int)
    repeat_requested = Signal()
    reuse_requested = Signal()
    compare_requested = Signal()
    traffic_requested = Signal()

    def __init__(
        self,
        *,
        theme: Theme,
        name: str,
        repeat: str,
        reuse: str = "",
        compare: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Start empty; `repeat`, `reuse` and `compare` are the tooltips of the buttons, an empty one hides its button."""
        super().__init__(parent)
        self.setObjectName(name)
        self.box = ElidedComboBox(name=f"{name}_box", text="History", parent=self)
        self.box.activated.connect(self.selected)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACING_PX)
        layout.addWidget(self.box, 1)
        buttons = (
            ("again", "mdi6.replay", repeat, self.repeat_requested),
            ("reuse", "mdi6.arrow-left", reuse, self.reuse_requested),
            ("compare", "mdi6.compare-horizontal", compare, self.compare_requested),
            ("traffic", "mdi6.swap-vertical", "Show in traffic", self.traffic_requested),
        )
        self._buttons = {
            key: tool_button(theme, icon, tooltip or key, name=f"{name}_{key}", parent=self)
            for key, icon, tooltip, _ in buttons
        }
        for key, _, tooltip, signal in buttons:
            self._buttons[key].clicked.connect(signal)
            self._buttons[key].setVisible(bool(tooltip))
            layout.addWidget(self._buttons[key])

    def show_rows(self, rows: Sequence[str], current: int) -> None:
        """List `rows`, and make one of them current."""
        self.box.clear()
        self.box.addItems(list(rows))
        self.box.setCurrentIndex(current)

    def refresh(
        self, text: str, *, has_frame: bool, can_repeat: bool, can_compare: bool = False
    ) -> None:
        """Show the current request as `text`, and enable the buttons."""
        row = self.box.currentIndex()
        if row >= 0:
            self.box.setItemText(row, text)
            self.box.setToolTip(tool_tip(text))
        self._buttons["traffic"].setEnabled(has_frame)
        self._buttons["again"].setEnabled(can_repeat)
        self._buttons["compare"].setEnabled(can_compare)
