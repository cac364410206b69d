"""The states of a session: apart, for those who show them before there is a session."""

from __future__ import annotations

from enum import StrEnum


class SessionState(StrEnum):
    """The state of a session."""

    CONNECTING = "connecting"
    READY = "connected"
    CLOSING = "disconnecting"
    CLOSED = "disconnected"
    FAILED = "failed"
