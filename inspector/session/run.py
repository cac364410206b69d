"""One of several connections of a server, and why it began."""

from __future__ import annotations

from enum import StrEnum

from inspector.frozen import FrozenStruct


class RunCause(StrEnum):
    """Why a run ended and the next one began."""

    NONE = ""
    """It is the first run."""
    USER = "user"
    """The user connected again."""
    FILES = "files"
    """Source files changed."""
    EXIT = "exit"
    """The process of the server exited."""
    EXPIRED = "expired"
    """The server ended the session, and no other one could be started."""
    LOST = "lost"
    """The connection ended otherwise."""
    NOT_CONNECTED = "not connected"
    """Connecting failed."""
    AUTHORIZATION = "authorization"
    """The server required authorization."""


class Run(FrozenStruct, frozen=True):
    """One of several connections of one server."""

    number: int = 1
    """From 1."""
    reason: str = ""
    """Why it was started; empty for the first."""
    cause: RunCause = RunCause.NONE
    """The kind of that reason."""
    reconnects: bool = False
    """Whether one of the runs before was connected."""
