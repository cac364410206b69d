"""The revision of a session that took the place of the first one of a transcript: what comes after its handshake is checked by that.

The server may have been restarted or replaced meanwhile, so that it may be another one, even of the other era. A handshake that a probe or
a user makes begins no such session: one counts after the note that a new session is started; where the session had no handshake, it counts once
the note that the server was replaced follows. Until then only the notification that completes it is checked by its revision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.openings import RENEWED
from inspector.spec.keys import META, META_PROTOCOL_VERSION
from inspector.spec.revision import find
from inspector.transcript.event_effects import note_at
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind, or_null

if TYPE_CHECKING:
    from inspector.json_value import Json
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript

_INITIALIZED = "notifications/initialized"
_REPLACED = "server-replaced"
"""The event of the note that another server responds; after a handshake with it, where the session had none."""

_OPENING = frozenset({"server/discover", "initialize"})
_NOTE, _REQUEST, _RESPONSE, _NOTIFICATION = (
    MessageKind.NOTE,
    MessageKind.REQUEST,
    MessageKind.RESPONSE,
    MessageKind.NOTIFICATION,
)


class LaterSessions:
    """Follows the frames of one transcript, in order."""

    def __init__(self, transcript: Transcript) -> None:
        self.revision: Revision | None = None
        """The revision of the latest such session; None without one."""
        self.completed: Revision | None = None
        """The revision of the handshake that the latest frame completes, where no session begins with it."""
        self._transcript = transcript
        self._is_renewed = self._may_initialize = False
        """Whether a new session is being started; whether one that began with `server/discover` may go on with a handshake."""
        self._answered: Revision | None = None
        """The revision in the latest result of `initialize`, while nothing has shown that the session goes on without that handshake."""

    def current(self, first: Revision | None) -> Revision | None:
        """Return the revision by which the latest frame is checked; `first` is that of the first session."""
        return self.completed or self.revision or first

    def follow(self, number: int, first: Revision | None) -> None:
        """Take note of frame `number`; `first` is the revision of the first session."""
        columns, at, now = self._transcript.columns, number - 1, self.revision or first
        kind, is_stateless = columns.kind[at], now is not None and not now.stateful
        self.completed = None
        if kind == _NOTE:
            self._follow_note(number, is_stateless=is_stateless)
        elif kind == _RESPONSE:
            self._follow_response(number)
        elif (self._is_renewed or is_stateless) and columns.direction[at] == Direction.SENT:
            self._follow_sent(kind, columns.methods.texts[columns.method[at]])

    def _follow_sent(self, kind: int, method: str) -> None:
        if kind == _REQUEST and method not in _OPENING:
            self._may_initialize = False
        elif kind == _NOTIFICATION and method == _INITIALIZED and self._answered is not None:
            if self._is_renewed or self._may_initialize:
                self._begin(self._answered)
            else:
                self.completed = self._answered

    def _follow_note(self, number: int, *, is_stateless: bool) -> None:
        event = note_at(self._transcript, number).get("event")
        if event == RENEWED:
            self._is_renewed, self._answered = True, None
        elif event == _REPLACED and is_stateless and self._answered is not None:
            self._begin(self._answered)

    def _follow_response(self, number: int) -> None:
        columns, transcript = self._transcript.columns, self._transcript
        owner = columns.request[number - 1]
        method = columns.methods.texts[columns.method[owner - 1]] if owner else ""
        if method == "initialize":
            result = or_null(transcript.message(number).lazy_result)
            self._answered = _revision_in(result, "protocolVersion")
        elif method == "server/discover":
            self._answered = None
            meta = _member(or_null(transcript.message(owner).params), META)
            revision = _revision_in(meta, META_PROTOCOL_VERSION)
            if self._is_renewed and revision is not None:
                self._begin(revision)
                self._may_initialize = True

    def _begin(self, revision: Revision) -> None:
        self.revision, self._answered = revision, None
        self._is_renewed = self._may_initialize = False


def _revision_in(value: Json, name: str) -> Revision | None:
    return find(_member(value, name))


def _member(value: Json, name: str) -> Json:
    return value.get(name) if isinstance(value, dict) else None
