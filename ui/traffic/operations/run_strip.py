"""The line above the rows that names the run of the top row, while there are several: which one, when and why it began."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from ui.theme.signs import Sign
from ui.traffic.divider_links import RUN_LINK
from ui.traffic.operations.run_divider import divider_of
from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, plain_label, set_tone
from ui.widgets.units import clock_time

if TYPE_CHECKING:
    from ui.theme import Theme
    from ui.traffic.operations.table import OperationTable

STRIP_PX = 24
"""Height of the line."""


class RunStrip(QWidget):
    """The line; hidden while there is one run.

    Signals:
        run_requested: show the rows of the run alone that begins with the frame of this number.
    """

    run_requested = Signal(int)

    def __init__(self, *, table: OperationTable, theme: Theme, parent: QWidget) -> None:
        """Follow what `table` displays."""
        super().__init__(parent)
        self.setObjectName("operations_run")
        self.setProperty("surface", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._table, self._theme = table, theme
        self._begin = 0
        """The frame with which the run begins."""
        self._sign = QLabel(self)
        self.title = plain_label("", name="operations_run_title", parent=self)
        self.facts = ElidedLabel("", elide=Qt.TextElideMode.ElideRight, parent=self)
        self.facts.setObjectName("operations_run_facts")
        set_tone(self.facts, "muted")
        self._link = link_button(RUN_LINK, name="operations_run_only", parent=self)
        self._row = QHBoxLayout(self)
        for part in (self._sign, self.title, self.facts, self._link):
            self._row.addWidget(part, 1 if part is self.facts else 0)
        self._link.clicked.connect(lambda: self.run_requested.emit(self._begin))
        table.verticalScrollBar().valueChanged.connect(self.refresh)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self.hide()

    def _apply_theme(self) -> None:
        theme = self._theme
        self.setFixedHeight(theme.px(STRIP_PX))
        self._row.setContentsMargins(theme.px(6), 0, theme.px(12), 0)
        self._row.setSpacing(theme.px(6))
        self._sign.setPixmap(theme.icon(Sign.RUN, "muted").pixmap(theme.ICON, theme.ICON))
        self.title.setFont(theme.font(bold=True))

    def refresh(self) -> None:
        """Name the run of the top row."""
        operations = self._table.operations
        timeline = operations.feed.timeline
        row = self._table.whole_rows()[0]
        is_needed = bool(timeline.dividers) and 0 <= row < operations.rowCount()
        self.setVisible(is_needed)
        if not is_needed:
            return
        number = operations.node(row).number
        transcript, local = timeline.locate(number)
        self._begin = number - local + 1
        label = timeline.run_label(transcript)
        text = timeline.divider(self._begin) or label.capitalize()
        found = divider_of(timeline.start(self._begin), text)
        self.title.setText(found.title)
        # The first run has no reason; when it began is in its first frame.
        self.facts.set_text(found.facts or clock_time(transcript.row(1).wall_s))
