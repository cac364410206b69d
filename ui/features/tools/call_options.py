"""What can be changed for the next call beside its arguments: how long it is waited for, how many rounds it may take, its `_meta`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from ui.features.tools.limits import Limits
from ui.features.tools.meta_edit import MetaEdit

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.session.timeouts import Timeouts
    from inspector.wire.jsontext import JsonObject
    from ui.theme import Theme

MOST_ROUNDS = 1000
"""The highest limit that can be chosen."""


class CallOptions(QWidget):
    """Limits and `_meta`.

    Signals:
        changed: what is set for the call is something else.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start with the defaults."""
        super().__init__(parent)
        self.setObjectName("call_options")
        self._session: Session | None = None
        self._build(theme)
        self._wire()

    def _build(self, theme: Theme) -> None:
        self._limits = Limits(theme=theme, parent=self)
        self._most = QSpinBox(self)
        self._most.setObjectName("most_rounds")
        self._most.setAccessibleName("How often a call is sent again because its result asks")
        self._most.setRange(0, MOST_ROUNDS)
        self._most.setSpecialValueText("never")
        caption = QLabel("Rounds", self)
        words = QLabel("at most, when results ask for input", self)
        words.setProperty("look", "muted")
        self._rounds = QWidget(self)
        self._rounds.setObjectName("call_rounds")
        row = QHBoxLayout(self._rounds)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.PAD)
        for part in (caption, self._most, words):
            row.addWidget(part)
        row.addStretch(1)
        self._meta = MetaEdit(theme=theme, parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.PAD, theme.PAD, theme.PAD, 0)
        column.setSpacing(theme.PAD)
        for part in (self._limits, self._rounds, self._meta):
            column.addWidget(part)

    def _wire(self) -> None:
        self._meta.changed.connect(self.changed)
        self._most.valueChanged.connect(self._on_most_changed)

    def set_session(self, session: Session | None) -> None:
        """Show the limits of `session`."""
        self._session = session
        if session is not None:
            self._limits.set_timeouts(session.timeouts)
        self.refresh()

    def refresh(self) -> None:
        """Offer what the revision has, once it is agreed on."""
        session = self._session
        revision = session.revision if session is not None else None
        self._rounds.setVisible(revision is not None and revision.has_input_required)
        if session is not None:
            self._most.setValue(session.most_rounds)

    def timeouts(self) -> Timeouts:
        """The limits as they stand."""
        return self._limits.timeouts()

    def meta(self) -> JsonObject | None:
        """Members of `_meta` for the call; None for none."""
        return self._meta.meta()

    def problem(self) -> str:
        """Why the call cannot be sent like this; empty if it can."""
        return self._meta.problem()

    def _on_most_changed(self, most: int) -> None:
        if self._session is not None:
            self._session.most_rounds = most
