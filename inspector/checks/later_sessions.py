"""The revision of a session that took the place of the first one of a transcript: what comes after its handshake is checked by that.

The server may have been restarted or replaced meanwhile, so that it may be another one, even of the other era. A handshake that a probe or
a user makes begins no such session: one counts after the note that a new session is started, or where the session had no handshake.
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
_NOTE, _RESPONSE, _NOTIFICATION = (
    MessageKind.NOTE,
    MessageKind.RESPONSE,
    MessageKind.NOTIFICATION,
)


class LaterSessions:
    """Follows the frames of one transcript, in order."""

    def __init__(self, transcript: Transcript) -> None:
        self.revision: Revision | None = None
        """The revision of the latest such session; None without one."""
        self._transcript = transcript
        self._is_renewed = False
        self._answered: Revision | None = None
        """The revision in the latest result of `initialize`."""

    def follow(self, number: int, first: Revision | None) -> None:
        """Take note of frame `number`; `first` is the revision of the first session."""
        columns, at = self._transcript.columns, number - 1
        kind = columns.kind[at]
        if kind == _NOTE:
            self._is_renewed |= note_at(self._transcript, number).get("event") == RENEWED
        elif kind == _RESPONSE:
            self._follow_response(number)
        elif kind == _NOTIFICATION and columns.direction[at] == Direction.SENT:
            now = self.revision or first
            may_begin = self._is_renewed or (now is not None and not now.stateful)
            is_begin = columns.methods.texts[columns.method[at]] == _INITIALIZED
            if may_begin and is_begin and self._answered is not None:
                self._begin(self._answered)

    def _follow_response(self, number: int) -> None:
        columns, transcript = self._transcript.columns, self._transcript
        owner = columns.request[number - 1]
        method = columns.methods.texts[columns.method[owner - 1]] if owner else ""
        if method == "initialize":
            result = or_null(transcript.message(number).lazy_result)
            self._answered = _revision_in(result, "protocolVersion")
        elif method == "server/discover" and self._is_renewed:
            meta = _member(or_null(transcript.message(owner).params), META)
            if (revision := _revision_in(meta, META_PROTOCOL_VERSION)) is not None:
                self._begin(revision)

    def _begin(self, revision: Revision) -> None:
        self.revision, self._is_renewed, self._answered = revision, False, None


def _revision_in(value: Json, name: str) -> Revision | None:
    return find(_member(value, name))


def _member(value: Json, name: str) -> Json:
    return value.get(name) if isinstance(value, dict) else None
