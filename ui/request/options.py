"""What can be changed for the next request beside what it asks for: how long it is waited for, how many rounds it may take, its `_meta`.

What was set stays with its server while another is looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSpinBox, QVBoxLayout, QWidget

from inspector.session.foretelling import replaced
from ui.models.bounded_values import BoundedValues
from ui.request.limits import Limits, labelled
from ui.request.meta_edit import MetaEdit

if TYPE_CHECKING:
    from inspector.session.foretelling import Replaced
    from inspector.session.session import Session
    from inspector.session.timeouts import Timeouts
    from inspector.wire.jsontext import JsonObject
    from ui.theme import Theme

MOST_ROUNDS = 1000
"""The highest limit that can be chosen."""

MAX_SERVERS = 200
"""Servers of which the options are kept while another is shown; the oldest are evicted first."""


class _Kept(NamedTuple):
    """What was set for one server."""

    meta: str = ""
    """The text of `_meta`."""
    limits: Timeouts | None = None
    """How long it is waited for, where that is not what the server's settings say."""


class RequestOptions(QWidget):
    """Limits and `_meta`.

    Signals:
        changed: what is set for the request is something else.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start with the defaults; `name` begins the names of its parts."""
        super().__init__(parent)
        self.setObjectName(f"{name}_options")
        self._session: Session | None = None
        self._server = ""
        self._kept: BoundedValues[str, _Kept] = BoundedValues(_Kept(), MAX_SERVERS)
        self._build(theme, name)
        self._wire()

    def _build(self, theme: Theme, name: str) -> None:
        self._limits = Limits(theme=theme, parent=self)
        self._most = QSpinBox(self)
        self._most.setObjectName("most_rounds")
        self._most.setAccessibleName("Maximum input rounds per request")
        self._most.setRange(0, MOST_ROUNDS)
        self._most.setSpecialValueText("never")
        self._rounds = labelled("Max rounds", self._most, "at most", space=theme.PADDING_PX)
        self._rounds.setObjectName("request_rounds")
        self._rounds.setToolTip(
            "How many times a request is resent because its result is input_required"
        )
        self._limits.add(self._rounds)
        self._meta = MetaEdit(theme=theme, name=f"{name}_meta", parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.SPACING_PX, 0, 0)
        column.setSpacing(theme.PADDING_PX)
        for part in (self._limits, self._meta):
            column.addWidget(part)

    def _wire(self) -> None:
        self._meta.changed.connect(self.changed)
        self._most.valueChanged.connect(self._on_most_changed)

    def set_session(self, session: Session | None, server: str = "") -> None:
        """Ask over `session` from now on, with what was set for `server`, which is its identity, before."""
        if self._session is not None:
            limits = self._limits.timeouts()
            own = limits == self._session.timeouts
            kept = _Kept(self._meta.text.toPlainText(), None if own else limits)
            self._kept.put(self._server, kept)
        self._session, self._server = session, server
        kept = self._kept.get(server) if session is not None else _Kept()
        if session is not None:
            self._limits.set_timeouts(kept.limits or session.timeouts)
        self._meta.text.setPlainText(kept.meta)
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
        """Members of `_meta` for the request; None for none."""
        return self._meta.meta()

    def replaced(self) -> tuple[Replaced, ...]:
        """Which of them stand in the place of what the request would say by itself."""
        return replaced(self._session, self.meta()) if self._session is not None else ()

    def problem(self) -> str:
        """Why the request cannot be sent like this; empty if it can."""
        return self._meta.problem()

    def _on_most_changed(self, most: int) -> None:
        if self._session is not None:
            self._session.most_rounds = most
