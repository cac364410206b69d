"""The part of the line at the top of a result that steps through the requests of the selected entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from ui.widgets.buttons import tool_button
from ui.widgets.layout_parts import row_layout
from ui.widgets.steady_label import SteadyLabel

if TYPE_CHECKING:
    from ui.theme import Theme

POSITION_STEP = 4
"""Digits in whose steps the position gets its width, as numbers grow."""

MIN_STEPS, MIN_REVIEW_STEPS = 380, 500
"""Least width at 100% of a panel for the outcome and all buttons in one line, and with *Review* between them."""

MIN_REVIEW = 380
"""Least width at 100% for *Review* and only the position and its neighbors."""


class HistorySteps(QWidget):
    """Which request is shown, the buttons that go to its neighbors, and what can be done with it. Its width stays as it is.

    Signals:
        stepped: go so many requests towards the newest; negative towards the oldest.
        repeat_requested: send the current request again.
        compare_requested: compare the current request with the one before.
    """

    stepped = Signal(int)
    repeat_requested = Signal()
    compare_requested = Signal()

    def __init__(
        self,
        *,
        theme: Theme,
        name: str,
        repeat: str,
        compare: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Start empty; `name` begins the object names of the buttons, of which `repeat` and `compare` are tooltips; an empty one hides its button."""
        super().__init__(parent)
        self.setObjectName(f"{name}_steps")
        self._theme = theme
        buttons = (
            ("previous", "mdi6.chevron-left", "Previous request"),
            ("next", "mdi6.chevron-right", "Next request"),
            ("compare", "mdi6.compare-horizontal", compare),
            ("again", "mdi6.repeat", repeat),
        )
        self._buttons = {
            key: tool_button(theme, icon, text or key, name=f"{name}_{key}", parent=self)
            for key, icon, text in buttons
        }
        self._buttons["compare"].setVisible(bool(compare))
        self._has_compare = bool(compare)
        self._position = SteadyLabel(digits=POSITION_STEP, name=f"{name}_position", parent=self)
        self._position.setAlignment(Qt.AlignmentFlag.AlignCenter)
        row = row_layout(self, self._buttons["previous"], self._position, space=0)
        for key in ("next", "compare", "again"):
            row.addWidget(self._buttons[key])
        self._buttons["previous"].clicked.connect(lambda: self.stepped.emit(-1))
        self._buttons["next"].clicked.connect(lambda: self.stepped.emit(1))
        self._buttons["compare"].clicked.connect(self.compare_requested)
        self._buttons["again"].clicked.connect(self.repeat_requested)

    def fit(self, width: int, *, has_review: bool) -> None:
        """Show what fits into the line of a panel of `width` pixels beside the outcome, and beside *Review* if something waits for the user."""
        px = self._theme.px
        is_compact = width < px(MIN_REVIEW_STEPS if has_review else MIN_STEPS)
        self._buttons["compare"].setVisible(self._has_compare and not is_compact)
        self._buttons["again"].setVisible(not is_compact)
        self.setVisible(not has_review or width >= px(MIN_REVIEW))

    def show_position(
        self, number: int, total: int, *, can_repeat: bool, can_compare: bool
    ) -> None:
        """Show that the request `number` of `total` is current, counted from 1, and enable the buttons."""
        self._position.show_text(f"{number:,} of {total:,}")
        self._buttons["previous"].setEnabled(number > 1)
        self._buttons["next"].setEnabled(0 < number < total)
        self._buttons["again"].setEnabled(can_repeat)
        self._buttons["compare"].setEnabled(can_compare)
