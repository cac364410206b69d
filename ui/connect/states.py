"""How a state looks: an icon, a colour and always a word. Pure tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.session.session import SessionState
from inspector.session.steps import StepState

if TYPE_CHECKING:
    from inspector.session.session import Session


class Look(NamedTuple):
    """How a state looks."""

    icon: str
    """Name of the icon."""
    tone: str
    """Name of its colour."""
    words: str
    """What it is called."""


OFF = Look("mdi6.circle-outline", "muted", "not connected")

SESSIONS: dict[SessionState, Look] = {
    SessionState.CONNECTING: Look("mdi6.circle-slice-5", "pending", "connecting…"),
    SessionState.READY: Look("mdi6.circle", "ok", "connected"),
    SessionState.CLOSING: Look("mdi6.circle-slice-3", "pending", "disconnecting…"),
    SessionState.CLOSED: Look("mdi6.circle-off-outline", "muted", "disconnected"),
    SessionState.FAILED: Look("mdi6.close-circle", "error", "failed"),
}
"""State of a session → its look."""

STEPS: dict[StepState, Look] = {
    StepState.RUNNING: Look("mdi6.progress-clock", "pending", "running"),
    StepState.DONE: Look("mdi6.check-circle", "ok", "done"),
    StepState.FAILED: Look("mdi6.close-circle", "error", "failed"),
    StepState.SKIPPED: Look("mdi6.minus-circle-outline", "muted", "skipped"),
}
"""State of a step → its look."""

LIVE = frozenset({SessionState.CONNECTING, SessionState.READY})
"""States that *Disconnect* ends."""


def look_of(session: Session | None) -> Look:
    """How a server looks, given its latest session."""
    return OFF if session is None else SESSIONS[session.state]


def state_words(session: Session | None) -> str:
    """The state in words, with what is known beyond it."""
    if session is None:
        return OFF.words
    words = SESSIONS[session.state].words
    if session.state is SessionState.READY and session.revision is not None:
        return f"{words} · {session.revision.name}"
    if session.state is SessionState.FAILED and session.failure is not None:
        return f"{words}: {session.failure.words}"
    if session.state is SessionState.CLOSED and session.closed_words:
        return f"{words}: {session.closed_words}"
    return words


def is_live(session: Session | None) -> bool:
    """Whether there is something to disconnect."""
    return session is not None and session.state in LIVE
