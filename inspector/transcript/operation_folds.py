"""What folds with what: the key of a frame, by which neighbors become one counted row."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from inspector.transcript.index import KINDS, FrameFlags
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.transcript.index import Columns

LIST_MEMBERS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
"""Requests that read what a server offers, as they are sent at the start; and the member of the result that has it."""
TASK_METHODS = frozenset({"tasks/get", "tasks/result", "tasks/update", "tasks/cancel"})
"""Requests about a task that an earlier request created."""
PING = "ping"
SUBSCRIPTION = "subscriptions/listen"
USER_METHODS = frozenset({"sampling/createMessage", "elicitation/create"})
"""Requests of a server that the user responds to."""


class Fold(IntEnum):
    """Why frames are one row."""

    NONE = 0
    """They are not."""
    LISTS = 1
    """Lists that were read one after the other."""
    PINGS = 2
    PROBE = 3
    """Requests of Spyglass that only find out how to talk to the server, and their responses."""
    STDERR = 4
    BLANK = 5
    HTTP = 6
    """HTTP header blocks, and bodies that are no messages."""
    AUTHORIZATION = 7
    """HTTP of an authorization."""
    KEEP_ALIVE = 8
    """SSE events without a message."""
    NOTE = 9
    MALFORMED = 10
    NOTIFICATION = 11
    """The same notification in the same direction."""
    POLL = 12
    """The same request about a task."""


_BITS = 4
BY_KIND = {
    MessageKind.STDERR: Fold.STDERR,
    MessageKind.BLANK_LINE: Fold.BLANK,
    MessageKind.HTTP: Fold.HTTP,
    MessageKind.SSE_OTHER: Fold.KEEP_ALIVE,
    MessageKind.NOTE: Fold.NOTE,
    MessageKind.MALFORMED: Fold.MALFORMED,
    MessageKind.NOTIFICATION: Fold.NOTIFICATION,
}
"""Why frames of these kinds fold: their kind alone decides."""
_KEYS = tuple(int(BY_KIND.get(kind, Fold.NONE)) for kind in KINDS)
_REQUEST, _NOTIFICATION, _HTTP = (
    int(MessageKind.REQUEST),
    int(MessageKind.NOTIFICATION),
    int(MessageKind.HTTP),
)
_BY_METHOD = {
    PING: Fold.PINGS,
    **dict.fromkeys(LIST_MEMBERS, Fold.LISTS),
    **dict.fromkeys(TASK_METHODS, Fold.POLL),
}


def fold_key(columns: Columns, frame: int) -> int:
    """Return the key of a frame; neighbors with the same one fold, and 0 never does."""
    at = frame - 1
    if columns.flags[at] & FrameFlags.PROBE:
        return int(Fold.PROBE)
    kind = columns.kind[at]
    if kind == _REQUEST:
        key = int(_BY_METHOD.get(columns.methods.texts[columns.method[at]], Fold.NONE))
        if key == Fold.LISTS and columns.direction[at] != Direction.SENT:
            return int(Fold.NONE)
        return _with_method(columns, at, key) if key == Fold.POLL else key
    if kind == _HTTP and columns.channel[at] == Channel.AUTH:
        return int(Fold.AUTHORIZATION)
    key = _KEYS[kind]
    return _with_method(columns, at, key) if kind == _NOTIFICATION else key


def _with_method(columns: Columns, at: int, key: int) -> int:
    return (columns.method[at] << 1 | columns.direction[at]) << _BITS | key


def fold_of(key: int) -> Fold:
    """Return why frames with this key fold."""
    return Fold(key & (1 << _BITS) - 1)
