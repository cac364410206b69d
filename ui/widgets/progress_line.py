"""Long work: how far it is, what it says, and a way to stop it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from ui.widgets.buttons import link_button
from ui.widgets.elided_label import ElidedLabel
from ui.widgets.labels import set_tone

if TYPE_CHECKING:
    from ui.theme import Theme

STEPS = 1000
"""Resolution of the bar."""


class ProgressLine(QWidget):
    """A message, a thin bar and *Cancel*; hidden until work is under way.

    Signals:
        cancelled: the person wants it to stop.
    """

    cancelled = Signal()

    def __init__(
        self, *, theme: Theme, name: str = "progress", parent: QWidget | None = None
    ) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._build()
        self.hide()

    def _build(self) -> None:
        self._words = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        set_tone(self._words, "muted")
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress")
        self._cancel = link_button("Cancel", name=f"{self.objectName()}_cancel", parent=self)
        self._cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout()
        row.addWidget(self._words, 1)
        row.addWidget(self._cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.px(2))
        column.addLayout(row)
        column.addWidget(self._bar)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_progress(
        self, text: str, share: float | None = None, *, cancellable: bool = True
    ) -> None:
        """Show `words` and the `share` done, 0 to 1; None if nobody knows."""
        self._words.set_text(text)
        if share is None:
            self._bar.setRange(0, 0)
        else:
            self._bar.setRange(0, STEPS)
            self._bar.setValue(round(min(max(share, 0.0), 1.0) * STEPS))
        self._cancel.setVisible(cancellable)
        self.show()

    def finish(self) -> None:
        """The work is over."""
        self.hide()
