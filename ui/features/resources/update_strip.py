"""Tells that what is shown was updated since it was read, and offers to read it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.navigator import navigator_of
from ui.widgets.buttons import link_button
from ui.widgets.labels import ElidedLabel, set_tone, tool_tip
from ui.widgets.units import clock_exact, clock_time

if TYPE_CHECKING:
    from inspector.features.subscriptions import Update
    from ui.theme import Theme


class UpdateStrip(QWidget):
    """One line; hidden while there is nothing to tell.

    Signals:
        read_wanted: it is to be read again.
    """

    read_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("update_strip")
        self._update: Update | None = None
        self._text = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._text.setObjectName("update_words")
        set_tone(self._text, "warning")
        self._read = link_button("Read again", name="update_read", parent=self)
        self._show = link_button("Show in traffic", name="update_traffic", parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACING_PX)
        row.addWidget(self._text, 1)
        row.addWidget(self._read)
        row.addWidget(self._show)
        self._read.clicked.connect(self.read_wanted)
        self._show.clicked.connect(self._on_show_clicked)
        self.hide()

    def show_update(self, update: Update | None) -> None:
        """Tell of `update`."""
        self._update = update
        self.setVisible(update is not None)
        if update is not None:
            times = f", {update.count:,} times" if update.count > 1 else ""
            self._text.set_text(f"Updated {clock_time(update.wall_s)[:8]}{times} since last read")
            self._text.setToolTip(tool_tip(clock_exact(update.wall_s)))

    def _on_show_clicked(self) -> None:
        if self._update is not None:
            navigator_of(self).show_frame(self._update.frame)
