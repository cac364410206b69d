"""What rules know of the HTTP exchanges of a connection: sessions, streams, and how the server answered so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.http_exchanges import JSON, STREAM
from inspector.checks.latest import Latest, json_key
from inspector.spec.keys import HEADER_PROTOCOL_VERSION, HEADER_SESSION_ID
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.checks.http_exchanges import Exchange, Exchanges, HttpFrame
    from inspector.checks.seen import ReceivedMessage

SESSION, VERSION = HEADER_SESSION_ID.lower(), HEADER_PROTOCOL_VERSION.lower()
"""Names of headers in lower case."""

_INITIALIZE = "initialize"
_ENDPOINT = "endpoint"


class HttpHistory:
    """What is known of the exchanges of one connection, the current frame included."""

    def __init__(self, exchanges: Exchanges | None = None) -> None:
        """Begin without any."""
        self.is_older = False
        """Whether it is HTTP+SSE: every POST is answered by 202, and the response comes on the one stream."""
        self.endpoint: str | None = None
        """What the first event `endpoint` of HTTP+SSE said; None before it."""
        self.has_responded = False
        """Whether a request was answered in one of the two types: it is a server of MCP that answers here."""
        self.session_id = ""
        """Of the latest response to `initialize`; empty for none."""
        self.earlier_id = ""
        """Of the one before."""
        self.has_been_given = False
        """Whether any response to `initialize` had a session id."""
        self.is_repeated = False
        """Whether responses to other requests repeat it, which is allowed."""
        self.ended_ids: Latest[str, int] = Latest()
        """Session ids that a DELETE has ended, with the frame of the answer to that."""
        self.left_ids: Latest[str, int] = Latest()
        """Session ids that a DELETE of ours is to end, with its frame: what is sent beside it may reach the server later."""
        self.event_ids: Latest[str, int] = Latest()
        """Ids of events of the session, with the frame that opened their stream."""
        self.requests: Latest[str, tuple[int, int, str]] = Latest()
        """By the id of a request of the server, as JSON: its stream, its frame and its method."""
        self.is_authorized = False
        """Whether a request of this connection carried a token, or was asked for one."""
        self.challenges: dict[str, bool] = {}
        """By the method of HTTP, whether the latest 401 had a challenge."""
        self._exchanges = exchanges

    def exchange(self, opener: int) -> Exchange | None:
        """Return the exchange that a frame opened; None for another frame, or if it is forgotten."""
        return self._exchanges.of(opener) if self._exchanges is not None and opener else None

    def add(self, frame: HttpFrame) -> None:
        """Take note of a frame, before the rules look at it."""
        exchange = frame.exchange
        self.is_authorized |= "authorization" in exchange.sent or exchange.status == 401
        if frame.event is not None:
            self._add_event(frame)
        if frame.is_sent and exchange.verb == "DELETE":
            self.left_ids[exchange.sent.get(SESSION, "")] = frame.number
        if frame.headers is None or frame.is_sent:
            return
        is_answer = frame.asked is MessageKind.REQUEST and exchange.is_good
        if frame.method == _INITIALIZE and is_answer:
            self._add_session(exchange.received.get(SESSION, ""))
        elif exchange.verb == "DELETE" and exchange.is_good and exchange.sent.get(SESSION):
            self.ended_ids[exchange.sent[SESSION]] = frame.number

    def add_checked(self, frame: HttpFrame) -> None:
        """Take note of a frame, after the rules have looked at it."""
        exchange = frame.exchange
        if frame.headers is not None and not frame.is_sent:
            is_answer = frame.asked is MessageKind.REQUEST and exchange.is_good
            self.has_responded |= is_answer and exchange.media_type in {JSON, STREAM}
            is_other = frame.method != _INITIALIZE and exchange.sent.get(SESSION, "") != ""
            given = exchange.received.get(SESSION, "")
            if exchange.status == 401 and len(exchange.verb) <= len("DELETE"):
                self.challenges[exchange.verb] = "www-authenticate" in exchange.received
            self.is_repeated |= is_other and given == exchange.sent.get(SESSION)
        if frame.event is not None:
            if frame.event.id:
                self.event_ids[frame.event.id] = exchange.opener
            if frame.event.event == _ENDPOINT and self.endpoint is None:
                self.endpoint = frame.event.data.strip()
        if self._exchanges is not None:
            self._exchanges.add(frame)

    def add_message(self, message: ReceivedMessage) -> None:
        """Take note of a message of the server, after the rules have looked at it."""
        if message.kind is MessageKind.REQUEST and message.stream:
            known = (message.stream, message.number, message.method)
            self.requests[json_key(message.value.get("id"))] = known

    def _add_session(self, given: str) -> None:
        self.earlier_id, self.session_id = self.session_id, given
        self.is_repeated = False
        self.event_ids = Latest()
        self.requests = Latest()
        self.has_been_given |= bool(given)

    def _add_event(self, frame: HttpFrame) -> None:
        """The first event of a GET that no POST came before opens HTTP+SSE; so does any event `endpoint`."""
        assert frame.event is not None
        if frame.event.event == _ENDPOINT and frame.event.has_data:
            self.is_older = True
        elif frame.exchange.verb == "GET" and not self.has_responded and not frame.event.is_comment:
            self.is_older |= not frame.exchange.is_resumed and frame.asked is None
