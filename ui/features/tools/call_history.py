"""Going back to earlier calls of a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from inspector.visible_text import one_line
from ui.models.run_words import place_words
from ui.widgets.buttons import tool_button
from ui.widgets.combo_boxes import ElidedComboBox
from ui.widgets.labels import tool_tip
from ui.widgets.units import duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.features.tools import ToolCall
    from ui.theme import Theme

EXCERPT = 60
"""Characters of arguments shown in the list."""

BUTTONS = (
    ("again", "mdi6.replay", "Call again with the same arguments"),
    ("reuse", "mdi6.arrow-left", "Copy arguments to the form"),
    ("compare", "mdi6.compare-horizontal", "Compare with previous call"),
    ("traffic", "mdi6.swap-vertical", "Show in traffic"),
)
"""What can be done with the call that is shown: name, icon, words."""


class CallHistory(QWidget):
    """The calls of one tool, newest first.

    Signals:
        chosen: the person wants to see this call.
        again_wanted: the call is to be made again.
        reuse_wanted: its arguments are to be put into the form.
        compare_wanted: it is to be compared with the one before.
        traffic_wanted: it is to be shown in the traffic.
    """

    chosen = Signal(object)
    again_wanted = Signal()
    reuse_wanted = Signal()
    compare_wanted = Signal()
    traffic_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("call_history")
        self._calls: Sequence[ToolCall] = ()
        self._runs = 1
        self._build(theme)
        self._wire()

    def _build(self, theme: Theme) -> None:
        self.box = ElidedComboBox(
            name="call_history_box", text="Earlier calls of this tool", parent=self
        )
        self._buttons = {
            name: tool_button(theme, icon, text, name=f"call_{name}", parent=self)
            for name, icon, text in BUTTONS
        }
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.SPACING_PX)
        layout.addWidget(self.box, 1)
        for button in self._buttons.values():
            layout.addWidget(button)

    def _wire(self) -> None:
        self.box.activated.connect(self._on_activated)
        for name, signal in (
            ("again", self.again_wanted),
            ("reuse", self.reuse_wanted),
            ("compare", self.compare_wanted),
            ("traffic", self.traffic_wanted),
        ):
            self._buttons[name].clicked.connect(signal)

    def show_calls(
        self, calls: Sequence[ToolCall], current: ToolCall | None, *, runs: int = 1
    ) -> None:
        """List `calls` of all `runs` of a server, given oldest first, and mark `current`."""
        self._calls, self._runs = tuple(reversed(calls)), runs
        self.box.clear()
        for back, call in enumerate(self._calls):
            self.box.addItem(self._text(back, call))
        if current in self._calls:
            self.box.setCurrentIndex(self._calls.index(current))
        self._buttons["compare"].setEnabled(
            current is not None and self.before(current) is not None
        )

    def refresh(self) -> None:
        """Show how the current call stands now."""
        at = self.box.currentIndex()
        if 0 <= at < len(self._calls):
            text = self._text(at, self._calls[at])
            self.box.setItemText(at, text)
            self.box.setToolTip(tool_tip(text))
            self._buttons["traffic"].setEnabled(self._calls[at].request_frame > 0)

    def before(self, call: ToolCall) -> ToolCall | None:
        """The call made before `call`."""
        at = self._calls.index(call) + 1 if call in self._calls else len(self._calls)
        return self._calls[at] if at < len(self._calls) else None

    def _text(self, back: int, call: ToolCall) -> str:
        """The line of a call, the last but `back` ones."""
        total = len(self._calls)
        place = place_words(total - back, total, call.run, self._runs)
        how = f"{call.state} · {duration(call.took_seconds)}" if call.is_over else call.state
        parts = (place, str(how), one_line(call.arguments or "", EXCERPT))
        return " · ".join(part for part in parts if part)

    def _on_activated(self, at: int) -> None:
        self.chosen.emit(self._calls[at])
