"""Going back to what was asked before: a box with one line each, newest first, and what can be done with the one shown."""

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
    """Lines to choose from.

    Signals:
        chosen: the person wants to see the entry at this place.
        again_wanted: the shown one is to be asked again.
        reuse_wanted: what it asked is to be put back into the fields.
        traffic_wanted: it is to be shown in the traffic.
    """

    chosen = Signal(int)
    again_wanted = Signal()
    reuse_wanted = Signal()
    traffic_wanted = Signal()

    def __init__(
        self,
        *,
        theme: Theme,
        name: str,
        text: str,
        again: str,
        reuse: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """`words` name the box; `again` and `reuse` say what the buttons do, without which there is none."""
        super().__init__(parent)
        self.setObjectName(name)
        self._build(theme, text, again, reuse)
        self._wire()

    def _build(self, theme: Theme, text: str, again: str, reuse: str) -> None:
        name = self.objectName()
        self.box = ElidedComboBox(name=f"{name}_box", text=text, parent=self)
        self._again = tool_button(theme, "mdi6.replay", again, name=f"{name}_again", parent=self)
        self._reuse = tool_button(
            theme, "mdi6.arrow-left", reuse or "Reuse", name=f"{name}_reuse", parent=self
        )
        self._reuse.setVisible(bool(reuse))
        self._traffic = tool_button(
            theme, "mdi6.swap-vertical", "Show in traffic", name=f"{name}_traffic", parent=self
        )
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACING_PX)
        layout.addWidget(self.box, 1)
        for button in (self._again, self._reuse, self._traffic):
            layout.addWidget(button)

    def _wire(self) -> None:
        self.box.activated.connect(self.chosen)
        self._again.clicked.connect(self.again_wanted)
        self._reuse.clicked.connect(self.reuse_wanted)
        self._traffic.clicked.connect(self.traffic_wanted)

    def show_rows(self, rows: Sequence[str], current: int) -> None:
        """List `rows` and mark one."""
        self.box.clear()
        self.box.addItems(list(rows))
        self.box.setCurrentIndex(current)

    def refresh(self, text: str, *, has_frame: bool, can_ask: bool) -> None:
        """Show how the current entry stands now."""
        at = self.box.currentIndex()
        if at >= 0:
            self.box.setItemText(at, text)
            self.box.setToolTip(tool_tip(text))
        self._traffic.setEnabled(has_frame)
        self._again.setEnabled(can_ask)
