"""What the exchanges of one connection share: the client, the session and the headers that were agreed on.

Source: basic/transports, "Session Management": the id is given with the answer to `initialize` and holds visible ASCII only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inspector.errors import SessionGone
from inspector.spec.headers import LAST_EVENT_ID, SESSION_ID
from inspector.transport.notes import BAD_SESSION, NO_SESSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.errors import ConnectionLost
    from inspector.transport.base import Sink
    from inspector.transport.http.answer import HttpResponse
    from inspector.transport.http.wire import RecordingClient

_VISIBLE = re.compile(r"[\x21-\x7e]+")

Headers = list[tuple[str, str]]
"""Pairs in the order in which they are sent."""


@dataclass(slots=True, eq=False)
class HttpConnection:
    """One connection, as its exchanges see it."""

    client: RecordingClient
    """Makes the exchanges."""
    sink: Sink
    """Is told of everything."""
    end: Callable[[ConnectionLost], None]
    """Ends the connection."""
    session_id: str = ""
    """The session; empty when the server keeps none."""
    default_headers: Headers = field(default_factory=Headers)
    """What every request carries since the handshake."""
    has_noted_session: bool = False
    """It was said that a session id is ignored."""
    had_stream: bool = False
    """A GET in this session was answered by an event stream."""

    def headers(self, accept: str, *, first: bool = False, last_event: str = "") -> Headers:
        """Headers of one request; the `first` one knows neither session nor agreement."""
        found = [("Accept", accept)]
        if not first:
            found += [(SESSION_ID, self.session_id)] if self.session_id else []
            found += self.default_headers
        return found + ([(LAST_EVENT_ID, last_event)] if last_event else [])

    def is_session_expired(self, answer: HttpResponse) -> bool:
        """Whether the answer to a GET means that the session is gone (C-HTTP-15), and not that the server has no such streams."""
        return answer.status == 404 and bool(self.session_id) and self.had_stream

    def ignore_session(self, answer: HttpResponse) -> None:
        """Take note, once, that the server opens a session where there is none to open (C-HTTP-39)."""
        if SESSION_ID in answer.headers and not self.has_noted_session:
            self.has_noted_session = True
            words = (
                "the server gave a session id, which means nothing in this revision: it is not used"
            )
            self.sink.on_event("session-ignored", words)

    def set_session(self, answer: HttpResponse) -> None:
        """Remember the session that the server opened, if it did."""
        given = answer.headers.get(SESSION_ID)
        if given is None:
            self.sink.on_event(NO_SESSION, "the server gave no session id: it keeps no session")
        elif _VISIBLE.fullmatch(given):
            self.session_id = given
        else:
            self.sink.on_event(
                BAD_SESSION, f"the session id {given!r} is not visible ASCII; it is not used"
            )


def session_expired(*, was_in_use: bool = False) -> SessionGone:
    """The failure of everything that a session had under way."""
    gone = SessionGone(
        "the server no longer knows the session (HTTP 404)",
        remedy="Send it again, in a new session, if it may be carried out twice.",
    )
    gone.was_in_use = was_in_use
    return gone
