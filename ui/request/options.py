"""Options of the next request beside its arguments: timeouts, the number of rounds, `_meta`.

They are kept for each server while another is shown. Members of `_meta` override those that Spyglass adds to every request; trace context
is sent this way (`traceparent`, `tracestate`, `baggage`). Every JSON object is sent as it is.

Source: basic, "_meta"; C-MET-08.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from inspector.session.outgoing import Timeouts, preview_overrides
from inspector.visible_text import visible
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from ui.models.bounded_values import BoundedValues
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.json_colors import JsonColors
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from inspector.session.outgoing import OverriddenMeta
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject
    from ui.theme import Theme

MAX_ROUNDS = 1000
"""The highest limit that can be selected."""
MAX_TIMEOUT_SECONDS = 86_400.0

MAX_SERVERS = 200
"""Servers of which the options are kept while another is shown; the oldest are evicted first."""


EXAMPLE = '{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}'

MIN_LINES, MAX_LINES = 2, 8
"""Lines of the text; a longer one scrolls."""

LABEL = "Extra _meta members (override Spyglass's values)"


class _Kept(NamedTuple):
    """The options of one server."""

    meta: str = ""
    """The text of `_meta`."""
    limits: Timeouts | None = None
    """The timeouts, unless they are those of the profile."""


class Limits(QWidget):
    """Idle and total timeout in seconds, and whether progress resets the first."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start with the defaults."""
        super().__init__(parent)
        self.setObjectName("request_limits")
        self._idle = _seconds("Idle timeout", "limit_idle", self)
        self._total = _seconds("Total timeout", "limit_total", self)
        self._resets = QCheckBox("Progress resets the idle timeout", self)
        self._resets.setObjectName("limit_resets")
        self._line = FlowLayout(theme.PADDING_PX, self)
        for label, box in (("Idle", self._idle), ("Total", self._total)):
            self.add(_labelled(label, box, space=theme.PADDING_PX))
        self.add(self._resets)
        self.set_timeouts(Timeouts())

    def add(self, part: QWidget) -> None:
        """Append another limit."""
        self._line.addWidget(part)

    def set_timeouts(self, timeouts: Timeouts) -> None:
        """Show `timeouts`."""
        self._given = timeouts
        self._idle.setValue(timeouts.idle_seconds)
        self._total.setValue(timeouts.total_seconds)
        self._resets.setChecked(timeouts.progress_resets)
        self._displayed = self._read()

    def timeouts(self) -> Timeouts:
        """Return the timeouts; with all their digits, unless the user changed them."""
        read = self._read()
        return self._given if read == self._displayed else read

    def _read(self) -> Timeouts:
        return Timeouts(self._idle.value(), self._total.value(), self._resets.isChecked())


class RequestOptions(QWidget):
    """Timeouts, rounds and `_meta`.

    Signals:
        changed: `_meta` changed.
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
        self._max_rounds = QSpinBox(self)
        self._max_rounds.setObjectName("most_rounds")
        self._max_rounds.setAccessibleName("Maximum input rounds per request")
        self._max_rounds.setRange(0, MAX_ROUNDS)
        self._max_rounds.setSpecialValueText("never")
        self._rounds = _labelled("Max rounds", self._max_rounds, "at most", space=theme.PADDING_PX)
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
        self._max_rounds.valueChanged.connect(self._on_max_rounds_changed)

    def set_session(self, session: Session | None, server: str = "") -> None:
        """Apply to requests over `session`; restore the options of `server`, which is the id of a profile."""
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
        """Show the options that the negotiated revision has."""
        session = self._session
        revision = session.revision if session is not None else None
        self._rounds.setVisible(revision is not None and revision.has_input_required)
        if session is not None:
            self._max_rounds.setValue(session.max_rounds)

    def timeouts(self) -> Timeouts:
        """Return the timeouts of the next request."""
        return self._limits.timeouts()

    def meta(self) -> JsonObject | None:
        """Return extra members of `_meta`; None without any."""
        return self._meta.meta()

    def replaced(self) -> tuple[OverriddenMeta, ...]:
        """Return the members that override what Spyglass sends itself."""
        return preview_overrides(self._session, self.meta()) if self._session is not None else ()

    def problem(self) -> str:
        """Return why the request cannot be sent with these options; empty if it can."""
        return self._meta.problem()

    def _on_max_rounds_changed(self, rounds: int) -> None:
        if self._session is not None:
            self._session.max_rounds = rounds


def _seconds(label: str, name: str, parent: QWidget) -> QDoubleSpinBox:
    box = QDoubleSpinBox(parent)
    box.setObjectName(name)
    box.setAccessibleName(f"{label}, seconds")
    box.setRange(0.1, MAX_TIMEOUT_SECONDS)
    box.setDecimals(1)
    box.setSuffix(" s")
    return box


def _labelled(label: str, box: QWidget, more: str = "", *, space: int) -> QWidget:
    """Return a box between its label and `more` text, on one line."""
    line = QWidget()
    layout = QHBoxLayout(line)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(space)
    layout.addWidget(plain_label(label))
    layout.addWidget(box)
    if more:
        layout.addWidget(plain_label(more, tone="muted"))
    return line


class MetaEdit(QWidget):
    """A JSON text and its error.

    Signals:
        changed: the text changed.
    """

    changed = Signal()

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start empty; `name` begins the names of its parts."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._meta: JsonObject | None = None
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        caption = plain_label(LABEL, tone="muted", wrap=True, parent=self)
        self.text = QPlainTextEdit(self)
        self.text.setObjectName(f"{self.objectName()}_text")
        self.text.setAccessibleName(LABEL)
        self.text.setPlaceholderText(EXAMPLE)
        self.text.setProperty("field", True)
        self.text.setTabChangesFocus(True)
        self._colors = JsonColors(self.text, theme=self._theme)
        self._error = plain_label(
            tone="error", name=f"{self.objectName()}_trouble", wrap=True, parent=self
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.SPACING_PX)
        for part in (caption, self.text, self._error):
            column.addWidget(part)

    def _wire(self) -> None:
        self.text.textChanged.connect(self._on_text_changed)
        self._theme.changed.connect(self._refresh)

    def meta(self) -> JsonObject | None:
        """Return the members; None without any, and while the text cannot be sent."""
        return self._meta

    def problem(self) -> str:
        """Return why the text cannot be sent; empty if it can."""
        return self._error.text()

    def _on_text_changed(self) -> None:
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        self._meta, error_text = _read(self.text.toPlainText())
        self._error.setText(visible(error_text))
        self._error.setVisible(bool(error_text))
        self.text.setFont(self._theme.mono())
        lines = max(MIN_LINES, min(round(self.text.document().size().height()), MAX_LINES))
        frame = 2 * (round(self.text.document().documentMargin()) + 1)
        self.text.setFixedHeight(lines * self.text.fontMetrics().lineSpacing() + frame)


def _read(text: str) -> tuple[JsonObject | None, str]:
    """Return the members of a text, and why it cannot be sent."""
    if not text.strip():
        return None, ""
    try:
        value: Json = json_codec.read(text.encode("utf-8", "surrogatepass")).value
    except JsonSyntaxError as error:
        return None, f"Invalid JSON: {error}"
    if not isinstance(value, dict):
        return None, "_meta must be a JSON object"
    return value, ""
