"""Connecting, as it happens: each step with its time, and after a failure what to do next.

New parts join under those that are there, so that nothing moves under the pointer; what a login needs is the last of the steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QScrollArea,
    QWidget,
)

from inspector.config.profile import endpoint_text
from inspector.config.profile_warnings import is_unchecked
from inspector.errors import HttpStatus, NegotiationFailed, PeerError
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from inspector.spec.revision import REVISIONS
from inspector.visible_text import visible
from ui.bind import Bindings, bind, bind_coalesced
from ui.connect.authorization_need import Need, need_of
from ui.connect.state_styles import LOGIN, needs_login, reconnects, style_of
from ui.theme import tokens
from ui.widgets.buttons import link_button, push_button, set_primary
from ui.widgets.flow_layout import FlowLayout
from ui.widgets.labels import ElidedLabel, plain_label, set_icon, set_style_property, set_tone
from ui.widgets.layout_parts import column_layout, row_layout, space_in_column
from ui.widgets.outcome_line import VisibleClock
from ui.widgets.units import running_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.auth.authorizer import Authorizer
    from inspector.errors import InspectorError
    from inspector.session.session import Session
    from inspector.session.steps import Step
    from ui.connect.authorization_panel import AuthorizationPanel
    from ui.connect.step_row import StepRow
    from ui.theme import Theme
    from ui.widgets.comparison_table import ComparisonRow

MAX_WIDTH = 880
"""Of the steps, at 100%: a time stands not too far from its step."""

TITLE_HEIGHT = 40
"""Of the line with the title, at 100%."""

KEEP_WAITING_AFTER_S = 5.0
"""A response that takes longer may be one of a slow start; earlier the button would only flicker."""

STILL = {
    SessionState.READY: "Connected",
    SessionState.CLOSING: "Disconnecting",
    SessionState.CLOSED: "Disconnected",
    SessionState.FAILED: "Connection failed",
}
"""State → the title; while connecting it has a clock."""


class ConnectionSteps(QWidget):
    """The steps of one session.

    Signals:
        frame_requested: show the frame of this number in the traffic.
        retry_requested: connect again in the same way.
        revision_requested: connect again and insist on this revision (a date; empty for automatic).
        edit_requested: correct the profile.
        transcript_requested: show everything that was recorded.
        authorization_made: this panel was made, for the authorization that connecting needs.
    """

    frame_requested = Signal(int)
    retry_requested = Signal()
    revision_requested = Signal(str)
    edit_requested = Signal()
    transcript_requested = Signal()
    authorization_made = Signal(object)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("connection_steps")
        self.setAccessibleName("Connection steps")
        self._theme = theme
        self._session: Session | None = None
        self._authorizer: Authorizer | None = None
        self._authorization: AuthorizationPanel | None = None
        self._rows: list[StepRow] = []
        self._bindings = Bindings()
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self._icon = QLabel(self)
        self._title = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._title.setObjectName("steps_title")
        self._address = ElidedLabel(parent=self)
        self._address.setObjectName("steps_address")
        set_tone(self._address, "muted")
        self._unchecked = plain_label(
            "Certificate not verified: the server's identity is unconfirmed.",
            tone="warning",
            name="steps_unchecked",
            wrap=True,
            parent=self,
        )
        self._keep = push_button("Keep waiting", name="keep_waiting", parent=self)
        self._keep.setToolTip("Wait without limit for the response")
        self._keep.hide()
        self._retry = push_button("Retry", name="retry_connect", primary=True, parent=self)
        self._edit = push_button("Edit…", name="edit_profile", parent=self)
        self._transcript = link_button("Show traffic", name="open_transcript", parent=self)
        self._other = QComboBox(self)
        self._other.setObjectName("other_revision")
        self._other.setAccessibleName("Retry with another protocol revision")
        self._clock = VisibleClock(self, self._on_clock_timeout, interval_ms=tokens.CLOCK_MS)
        self._arrange()

    def _arrange(self) -> None:
        theme = self._theme
        self._header = QWidget(self)
        header = row_layout(self._header, self._icon, space=theme.px(8))
        header.addWidget(self._title, 1)
        header.addWidget(self._keep)
        self._column = column_layout(None, space=theme.SPACING_PX)
        # Those that every failure has come first: another after them moves none.
        buttons = FlowLayout(theme.px(6))
        for button in (self._retry, self._edit, self._transcript, self._other):
            buttons.addWidget(button)
        self._steps = QWidget()
        self._body = column_layout(
            self._steps, self._header, self._address, self._unchecked, space=theme.SPACING_PX
        )
        self._body.addWidget(space_in_column(theme, tokens.SPACING_PX))
        self._body.addLayout(self._column)
        self._body.addWidget(space_in_column(theme, tokens.SPACING_PX))
        self._body.addLayout(buttons)
        self._body.addStretch(1)
        body = QWidget()
        set_style_property(body, "surface", "panel")
        row = row_layout(body, space=0)
        row.addWidget(self._steps, 1000)
        row.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidget(body)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it takes the focus
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column_layout(self, scroll, space=0)

    def _wire(self) -> None:
        self._keep.clicked.connect(self._on_keep_clicked)
        self._retry.clicked.connect(self.retry_requested)
        self._edit.clicked.connect(self.edit_requested)
        self._transcript.clicked.connect(self.transcript_requested)
        self._other.activated.connect(self._on_other_activated)
        self._theme.changed.connect(self._refresh)

    def set_session(self, session: Session | None, authorizer: Authorizer | None = None) -> None:
        """Follow a session from now on, and what authorizes it; none empties the view."""
        self._bindings.replace()
        self._session, self._authorizer = session, authorizer
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = []
        if self._authorization is not None:
            self._authorization.set_session(session, authorizer)
        if authorizer is not None:
            self._bindings.add(bind(self, authorizer.changed, self._make_authorization))
        if session is not None:
            for event in (session.changed, session.steps.changed):
                self._bindings.add(bind_coalesced(self, event, self._refresh))
        self._refresh()

    @property
    def need(self) -> Need:
        """What the user can do about the authorization."""
        return need_of(self._session, self._authorizer)

    def _make_authorization(self) -> None:
        """Make the panel of the authorization, which follows it, once there is one; most servers need none."""
        has_flow = self._authorizer is not None and self._authorizer.flow is not None
        if self._authorization is not None or (not has_flow and self.need is Need.NOTHING):
            return
        from ui.connect.authorization_panel import AuthorizationPanel

        panel = self._authorization = AuthorizationPanel(theme=self._theme, parent=self)
        panel.edit_requested.connect(self.edit_requested)
        self._body.insertWidget(self._body.indexOf(self._column) + 1, panel)
        self.authorization_made.emit(panel)
        panel.set_session(self._session, self._authorizer)

    def _refresh(self) -> None:
        session = self._session
        self._make_authorization()
        pad = self._theme.px(tokens.READING_PADDING_PX)
        self._body.setContentsMargins(pad, self._theme.px(8), pad, pad)
        self._steps.setMaximumWidth(self._theme.px(MAX_WIDTH))
        self._header.setFixedHeight(self._theme.px(TITLE_HEIGHT))
        self._title.setFont(self._theme.font(tokens.TITLE, bold=True))
        self._address.setFont(self._theme.mono())
        self._unchecked.setVisible(session is not None and is_unchecked(session.profile))
        if session is not None:
            self._address.set_text(endpoint_text(session.profile))
            look = style_of(session)
            set_icon(self._icon, self._theme, look.icon, look.tone, self._theme.px(20))
        self._refresh_rows()
        self._refresh_buttons()
        self._on_clock_timeout()
        steps = self._session.steps if self._session is not None else ()
        is_running = any(step.state is StepState.RUNNING for step in steps)
        self._clock.switch(on=is_running or self._is_connecting)

    def _refresh_rows(self) -> None:
        session = self._session
        steps = list(session.steps) if session is not None else []
        waits = session is not None and needs_login(session)
        while len(self._rows) < len(steps):
            self._add_row()
        for row, step in zip(self._rows, steps, strict=False):
            is_login = waits and step is steps[-1] and step.state is StepState.FAILED
            row.set_step(step, self._now(), self._complaints(step), needs_login=is_login)

    def _add_row(self) -> None:
        from ui.connect.step_row import StepRow  # with the first step

        row = StepRow(theme=self._theme, parent=self)
        row.frame_requested.connect(self.frame_requested)
        self._rows.append(row)
        self._column.addWidget(row)

    def _complaints(self, step: Step) -> Sequence[ComparisonRow]:
        """What was sent, beside what the server complains about, if the step failed by that."""
        if self._session is None or step.frame is None or step.state is not StepState.FAILED:
            return ()
        from ui.models.error_detail_rows import complaint_rows

        return complaint_rows(self._session.transcript, step.frame)

    def _refresh_buttons(self) -> None:
        state = self._session.state if self._session is not None else None
        is_done = state in (SessionState.FAILED, SessionState.CLOSED)
        for button in (self._retry, self._edit, self._transcript):
            button.setVisible(is_done)
        self._retry.setText("Retry" if state is SessionState.FAILED else "Connect")
        failure = self._session.failure if self._session is not None else None
        # One primary button: what helps, and while authorization is needed, that of its panel.
        needs_edit = is_done and failure is not None and _is_of_settings(failure)
        is_primary = self.need is Need.NOTHING
        set_primary(self._edit, is_primary=is_primary and needs_edit)
        set_primary(self._retry, is_primary=is_primary and not needs_edit)
        self._other.setVisible(
            is_done and isinstance(failure, PeerError | NegotiationFailed | HttpStatus)
        )
        self._fill_revisions()

    @property
    def _is_connecting(self) -> bool:
        return self._session is not None and self._session.state is SessionState.CONNECTING

    def _fill_revisions(self) -> None:
        if self._other.count() == 0:
            self._other.addItem("Retry with revision…", None)
            self._other.addItem("Automatic", "")
            for revision in reversed(REVISIONS):
                self._other.addItem(revision.name, revision.date)
        self._other.setCurrentIndex(0)

    def _now(self) -> float:
        return self._session.steps.clock.monotonic() if self._session is not None else 0.0

    def _on_clock_timeout(self) -> None:
        now = self._now()
        is_held = self.need in {Need.BROWSER, Need.PATIENCE}
        for row in self._rows:
            row.tick(now, is_held=is_held)
        self._title.set_text(self._title_text(now))
        self._keep.setVisible(self._can_extend_wait(now) and not is_held)

    def _can_extend_wait(self, now: float) -> bool:
        """Whether the response takes so long that the limit of the wait matters."""
        step = self._session.steps.pending if self._session is not None else None
        if step is None or step.times_out_at is None:
            return False
        return now - step.started_at >= KEEP_WAITING_AFTER_S or not self._keep.isHidden()

    def _title_text(self, now: float) -> str:
        session = self._session
        if session is None:
            return "No session"
        name = visible(session.profile.name)
        if needs_login(session):
            return f"{LOGIN.text.capitalize()}: {name}"
        if session.state is not SessionState.CONNECTING:
            return f"{STILL[session.state]}: {name}"
        began = session.steps[0].started_at if len(session.steps) else now
        verb = "Reconnecting" if reconnects(session) else "Connecting"
        return f"{verb} to {name}… {running_time(max(0.0, now - began))}"

    def _on_keep_clicked(self) -> None:
        if self._session is not None:
            self._session.handshake_wait.remove_limits()

    def _on_other_activated(self, index: int) -> None:
        date = self._other.itemData(index)
        if date is not None:
            self.revision_requested.emit(str(date))


def _is_of_settings(failure: InspectorError) -> bool:
    from inspector.session.diagnostics import settings_causes  # with the first failure

    return settings_causes.is_of_settings(failure)
