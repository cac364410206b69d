"""How a state looks: an icon, a color and always a text. Pure tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.session.error_responses import http_of
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from ui.widgets.labels import unquoted
from ui.widgets.units import clock_time, duration

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.transcript.event_effects import Unreachable


class StateStyle(NamedTuple):
    """How a state looks."""

    icon: str
    """Name of the icon."""
    tone: str
    """Name of its color."""
    text: str
    """What it is called."""


APPLIES = "Changes apply when you reconnect. The name applies at once."
"""Said of an edited server that is connected."""

DISCONNECTED = StateStyle("mdi6.circle-outline", "muted", "not connected")

SESSIONS: dict[SessionState, StateStyle] = {
    SessionState.CONNECTING: StateStyle("mdi6.circle-slice-5", "pending", "connecting…"),
    SessionState.READY: StateStyle("mdi6.circle", "ok", "connected"),
    SessionState.CLOSING: StateStyle("mdi6.circle-slice-3", "pending", "disconnecting…"),
    SessionState.CLOSED: StateStyle("mdi6.circle-off-outline", "muted", "disconnected"),
    SessionState.FAILED: StateStyle("mdi6.close-circle", "error", "failed"),
}
"""State of a session → its look."""

STEPS: dict[StepState, StateStyle] = {
    StepState.RUNNING: StateStyle("mdi6.progress-clock", "pending", "running"),
    StepState.DONE: StateStyle("mdi6.check-circle", "ok", "done"),
    StepState.FAILED: StateStyle("mdi6.close-circle", "error", "failed"),
    StepState.UNSUCCESSFUL: StateStyle("mdi6.alert-outline", "warning", "unsuccessful"),
    StepState.SKIPPED: StateStyle("mdi6.minus-circle-outline", "muted", "skipped"),
}
"""State of a step → its look."""

LOGIN = StateStyle("mdi6.lock-outline", "warning", "sign-in needed")
"""A session that could not begin because the user has to log in first."""

RECONNECTING = SESSIONS[SessionState.CONNECTING]._replace(text="reconnecting…")
"""A session that begins after another one in which the same server was connected."""

UNREACHABLE = StateStyle("mdi6.alert-circle", "warning", "unreachable")
"""A session that stands, with a server that does not answer."""

LIVE = frozenset({SessionState.CONNECTING, SessionState.READY})
"""States that *Disconnect* ends."""


def style_of(session: Session | None) -> StateStyle:
    """How a server looks, given its latest session."""
    if session is None:
        return DISCONNECTED
    if needs_login(session):
        return LOGIN
    return UNREACHABLE if unreachable(session) is not None else _style_of_state(session)


def reconnects(session: Session) -> bool:
    """Whether a session begins after another one in which the same server was connected."""
    return session.state is SessionState.CONNECTING and session.run.reconnects


def _style_of_state(session: Session) -> StateStyle:
    return RECONNECTING if reconnects(session) else SESSIONS[session.state]


class StateLine(NamedTuple):
    """The second line of a server in the list."""

    text: str
    """A revision, a state or a reason."""
    tone: str
    """Name of its color."""


def state_line(session: Session | None) -> StateLine:
    """The revision of a connected server, or what is wrong with one."""
    look = style_of(session)
    if session is None:
        return StateLine(look.text, look.tone)
    if look is SESSIONS[SessionState.READY] and session.revision is not None:
        return StateLine(session.revision.name, "muted")
    if look is SESSIONS[SessionState.FAILED] and session.failure is not None:
        return StateLine(unquoted(session.failure.reason), look.tone)
    if look is SESSIONS[SessionState.CLOSED] and session.closed_reason:
        return StateLine(unquoted(session.closed_reason), "error")
    text = state_text(session) if look is UNREACHABLE else look.text
    return StateLine(text, "muted" if look.tone == "ok" else look.tone)


def is_filled(session: Session | None) -> bool:
    """Whether the dot of a server is a disk: there is a session, or what keeps it from one."""
    return session is not None and session.state is not SessionState.CLOSED


def needs_login(session: Session) -> bool:
    """Whether connecting ended because the user has to log in, which is a step and no failure."""
    if session.state is not SessionState.FAILED or session.failure is None:
        return False
    http = http_of(session.failure)
    return http is not None and http.needs_user


def unreachable(session: Session) -> Unreachable | None:
    """Since when the server of a session that stands cannot be reached; none while it can."""
    return session.transcript.unreachable if session.state is SessionState.READY else None


def state_text(session: Session | None) -> str:
    """The text of the state, with its time, revision or reason."""
    if session is None:
        return DISCONNECTED.text
    text = _style_of_state(session).text
    lost = unreachable(session)
    if lost is not None:
        return f"{UNREACHABLE.text} since {clock_time(lost.since_wall)[:-2]}"
    if session.state is SessionState.READY and session.revision is not None:
        return f"{text} · {session.revision.name}"
    if needs_login(session):
        return LOGIN.text
    if session.state is SessionState.FAILED and session.failure is not None:
        return f"{text}: {session.failure.reason}"
    if session.state is SessionState.CLOSED and session.closed_reason:
        return f"{text}: {session.closed_reason}"
    return text


def outage_text(session: Session) -> str:
    """For how long the server of a session has been unreachable, and when it is tried next; nothing while it can be reached."""
    lost = unreachable(session)
    if lost is None:
        return ""
    now = session.steps.clock.monotonic()
    text = f"since {clock_time(lost.since_wall)[:-2]} ({duration(now - lost.since)})"
    if lost.next_at is None:
        return text
    wait = lost.next_at - now
    return f"{text}, next attempt {f'in {wait:.0f} s' if wait >= 0.5 else 'now'}"


def is_live(session: Session | None) -> bool:
    """Whether there is something to disconnect."""
    return session is not None and session.state in LIVE
