"""Which of several connections of one server a session is."""

from __future__ import annotations

from inspector.frozen import FrozenStruct


class Run(FrozenStruct, frozen=True):
    """One of several connections of one server."""

    number: int = 1
    """From 1."""
    reason: str = ""
    """Why it was started, in words; empty for the first."""
