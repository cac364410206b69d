"""What a transcript counts as it grows, for the status bar."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    """Running totals of one transcript."""

    sent: int = 0
    """Frames sent."""
    received: int = 0
    """Frames received on a message channel, blank lines and events without a message excluded."""
    http: int = 0
    """Heads of HTTP requests and responses, and bodies that are no messages, of both sides."""
    stderr: int = 0
    """Lines on standard error."""
    pending: int = 0
    """Requests of both sides without an outcome."""
    problems: int = 0
    """Frames that are malformed or have a finding above `INFO`."""
    bytes: int = 0
    """Bytes of all frames, those that were not kept included."""
