"""What a frame can turn out to be."""

from __future__ import annotations

from enum import IntEnum


class MessageKind(IntEnum):
    """What a frame turned out to be."""

    REQUEST = 0
    RESPONSE = 1
    ERROR = 2
    """A response that carries an error."""
    NOTIFICATION = 3
    BATCH = 4
    MALFORMED = 5
    STDERR = 6
    NOTE = 7
    """Spyglass's own remark about the connection."""
    BLANK_LINE = 8
    """An empty line, which means nothing."""
    HTTP = 9
    """The head of an HTTP request or response, or a body that is no message."""
    SSE_OTHER = 10
    """A block of an event stream that carries no message: a comment, an id or a delay alone, another type of event."""


LINKED = frozenset(
    {MessageKind.REQUEST, MessageKind.RESPONSE, MessageKind.ERROR, MessageKind.NOTIFICATION}
)
"""Kinds of messages that may belong to a request."""
