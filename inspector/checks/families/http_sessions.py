"""HTTP sessions: the id that the server gives, and what becomes of it.

Source: basic/transports, "Session Management" and "Protocol Version Header".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.checks.http_exchanges import JSON, STREAM
from inspector.checks.http_history import SESSION, VERSION
from inspector.checks.seen import Note
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, Kind, On, Rule, Subject
from inspector.spec import methods
from inspector.spec.findings import make_finding
from inspector.spec.keys import HEADER_SESSION_ID
from inspector.spec.revision import find
from inspector.spec.task_rules import guessable
from inspector.transport.base import BAD_SESSION, NO_SESSION
from inspector.visible_text import one_line
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import HttpFrame
    from inspector.finding import Finding

BAD_REQUEST, NOT_FOUND, NOT_ALLOWED = 400, 404, 405
LARGEST_REASON = 4096
"""Bytes of a refusal that are searched for its reason."""

_UNKNOWN = re.compile(
    rb"session.{0,40}(?:not found|unknown|invalid|expired|no longer|terminated|not exist)"
    rb"|(?:unknown|invalid|expired|no valid|no such).{0,20}session",
    re.IGNORECASE,
)
"""How servers say that they do not know a session."""


def check_ascii(seen: HttpFrame | Note, history: History) -> Iterator[Finding]:
    """Yield that the session id cannot be sent back."""
    del history
    if isinstance(seen, Note):
        text = f"`{HEADER_SESSION_ID}` must contain only visible ASCII characters"
        yield make_finding("L-SES-01", text, "", seen.revision)


def _is_given_or_bad(seen: HttpFrame | Note, history: History) -> bool:
    return isinstance(seen, Note) or _is_given(seen, history)


def check_guessable(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that the id of the session can be guessed, once."""
    text = guessable(history.http.session_id, history.http.earlier_id)
    if text and history.is_first("L-SES-02"):
        yield make_finding(
            "L-SES-02", f"session ids must be unguessable; {text}", "", frame.revision
        )


def _is_given(frame: HttpFrame, history: History) -> bool:
    del history
    return bool(frame.exchange.received.get(SESSION)) and frame.exchange.is_good


def check_change(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a response names another session than its request, once."""
    given, sent = frame.exchange.received.get(SESSION, ""), frame.exchange.sent.get(SESSION, "")
    if given and given != sent and history.is_first("L-SES-03"):
        text = f"`{HEADER_SESSION_ID}` of the response differs from that of the request"
        yield make_finding("L-SES-03", text, "", frame.revision)


def check_repetition(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a response lacks the session id that earlier ones repeat, once."""
    is_response = frame.asked is MessageKind.REQUEST and frame.exchange.media_type in {JSON, STREAM}
    is_missing = is_response and not frame.exchange.received.get(SESSION)
    if history.http.is_repeated and is_missing and history.is_first("session-id-missing"):
        text = f"earlier responses repeat `{HEADER_SESSION_ID}`, but this one does not"
        yield make_finding("session-id-missing", text)


def _is_in_session(frame: HttpFrame, history: History) -> bool:
    del history
    is_later = frame.method != "initialize" and bool(frame.exchange.sent.get(SESSION))
    return is_later and frame.exchange.is_good


def check_required_id(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a request without the session id is not refused by 400."""
    status = frame.exchange.status
    if status != BAD_REQUEST and history.is_first("L-SES-04"):
        text = f"in a session, a request without `{HEADER_SESSION_ID}` should be rejected with HTTP 400, not HTTP {status}"
        yield make_finding("L-SES-04", text, "", frame.revision)


def _lacks_id(frame: HttpFrame, history: History) -> bool:
    """Whether the user took the id out of a request; a server that asks for authorization says so first."""
    is_request = frame.asked is MessageKind.REQUEST and not methods.opens_session(frame.method)
    is_missing = is_request and SESSION not in frame.exchange.sent
    return is_missing and bool(history.http.session_id) and frame.exchange.status not in {401, 403}


def check_ended(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a session that is over is answered by another status than 404."""
    status, sent = frame.exchange.status, frame.exchange.sent.get(SESSION, "")
    if frame.headers is None:
        is_known = sent in {history.http.session_id, history.http.earlier_id}
        if not (status == BAD_REQUEST and is_known and _UNKNOWN.search(frame.raw[:LARGEST_REASON])):
            return
    elif sent not in history.http.ended_ids or status in {NOT_FOUND, 401, 403}:
        return
    if history.is_first("L-SES-05"):
        text = f"a request with the id of an ended session must get HTTP 404, not HTTP {status}"
        yield make_finding("L-SES-05", text, "", frame.revision)


def _may_have_ended(frame: HttpFrame, history: History) -> bool:
    sent = frame.exchange.sent.get(SESSION, "")
    is_request = bool(sent) and frame.asked is MessageKind.REQUEST and frame.method != "initialize"
    return is_request and (sent in history.http.ended_ids or not frame.exchange.is_good)


def check_delete(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that DELETE is answered by neither success nor 405; the session may be gone already."""
    del history
    status = frame.exchange.status
    if not frame.exchange.is_good and status not in {NOT_ALLOWED, NOT_FOUND, 401, 403}:
        text = f"DELETE must end the session, or return HTTP 405 if clients cannot end it, not HTTP {status}"
        yield make_finding("L-SES-06", text, "", frame.revision)


def _is_delete(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.exchange.verb == "DELETE" and SESSION in frame.exchange.sent


def check_version(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a revision that there is not is accepted in the header."""
    del history
    status, sent = frame.exchange.status, frame.exchange.sent[VERSION]
    if status != BAD_REQUEST:
        text = f"`MCP-Protocol-Version: {one_line(sent, 40)}` is not a revision and must be rejected with HTTP 400, not HTTP {status}"
        yield make_finding("L-SES-07", text, "", frame.revision)


def _is_unknown_version(frame: HttpFrame, history: History) -> bool:
    del history
    sent = frame.exchange.sent.get(VERSION)
    is_asked = frame.asked is MessageKind.REQUEST and frame.method != "initialize"
    is_other = sent is not None and find(sent) is None
    return is_asked and is_other and frame.exchange.status not in {401, 403, NOT_FOUND}


def check_missing_version(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a request without the version header is refused in a session."""
    del history
    if frame.exchange.status == BAD_REQUEST:
        text = "a request without `MCP-Protocol-Version` was rejected, although the session determines the revision"
        yield make_finding("L-SES-08", text, "", frame.revision)


def _lacks_version(frame: HttpFrame, history: History) -> bool:
    sent = frame.exchange.sent
    is_asked = frame.asked is MessageKind.REQUEST and frame.method != "initialize"
    is_in_session = sent.get(SESSION, "") == history.http.session_id != ""
    return is_asked and is_in_session and VERSION not in sent


def check_presence(seen: HttpFrame | Note, history: History) -> Iterator[Finding]:
    """Yield that the response to `initialize` has no session id."""
    if not isinstance(seen, Note):
        return
    again = "this time, " if history.http.has_been_given else ""
    text = f"{again}the response to `initialize` has no `{HEADER_SESSION_ID}`: the server has no sessions, or a proxy removed the header"
    severity = Severity.WARNING if again else Severity.INFO
    yield make_finding("no-session-id", text, "", seen.revision, severity=severity)


_SESSIONS, _VERSIONS = "Session Management", "Protocol Version Header"
_ON_HEADERS, _ON_BODY = On(Subject.HTTP), On(Subject.BODY)
_ON_OPENING = On(Subject.HTTP, "initialize")

RULES = (
    Rule(
        "L-SES-01",
        Severity.ERROR,
        "http",
        "session id is not visible ASCII",
        why="Clients cannot send the id back, so every later request fails.",
        hint="Use only characters from 0x21 to 0x7E in the session id, such as a UUID.",
        section=_SESSIONS,
        level="MUST",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(On(Subject.NOTE, BAD_SESSION), _ON_OPENING),
        check=check_ascii,
        when=_is_given_or_bad,
    ),
    Rule(
        "L-SES-02",
        Severity.WARNING,
        "http",
        "session id can be guessed",
        why="Anyone who guesses the session id can read and use the session.",
        hint="Generate the session id with a secure random source, such as UUID version 4.",
        python="Let the session manager generate the id, or use `uuid4().hex`.",
        typescript="Pass `sessionIdGenerator: () => randomUUID()`.",
        section=_SESSIONS,
        level="SHOULD",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_OPENING,),
        check=check_guessable,
        when=_is_given,
    ),
    Rule(
        "L-SES-03",
        Severity.WARNING,
        "http",
        "session id changed within the session",
        why="Clients keep the first id, and lose what the server does for the other one.",
        hint="Send the session id only with the response to `initialize`, or repeat the same id.",
        section=_SESSIONS,
        level="quality",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_change,
        when=_is_in_session,
    ),
    Rule(
        "L-SES-04",
        Severity.WARNING,
        "http",
        "request without the session id not rejected with 400",
        why="The request runs without a session, or in that of another client.",
        hint="Reject requests without the session id with HTTP 400, except `initialize`.",
        section=_SESSIONS,
        level="SHOULD",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        kind=Kind.ACTIVE,
        on=(_ON_HEADERS,),
        check=check_required_id,
        when=_lacks_id,
    ),
    Rule(
        "L-SES-05",
        Severity.WARNING,
        "http",
        "ended session without HTTP 404",
        why="Clients start a new session only upon 404; upon other errors they fail until they are restarted.",
        hint="Respond to a request with an unknown or ended session id with HTTP 404.",
        typescript="Send 404 in the handler that finds no transport for `mcp-session-id`; early examples of version 1 sent 400.",
        section=_SESSIONS,
        level="MUST",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS, _ON_BODY),
        check=check_ended,
        when=_may_have_ended,
    ),
    Rule(
        "L-SES-06",
        Severity.INFO,
        "http",
        "DELETE returns neither success nor 405",
        why="Clients cannot determine whether the session has ended.",
        hint="Respond to DELETE with a success status, or with HTTP 405 if clients cannot end sessions.",
        section=_SESSIONS,
        level="quality",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_delete,
        when=_is_delete,
    ),
    Rule(
        "L-SES-07",
        Severity.WARNING,
        "http",
        "unknown MCP-Protocol-Version not rejected with 400",
        why="Client and server continue with different revisions.",
        hint="Reject an unknown or unsupported `MCP-Protocol-Version` with HTTP 400.",
        section=_VERSIONS,
        level="MUST",
        since=3,
        until=4,
        transports=HTTP_ONLY,
        kind=Kind.ACTIVE,
        on=(_ON_HEADERS,),
        check=check_version,
        when=_is_unknown_version,
    ),
    Rule(
        "L-SES-08",
        Severity.INFO,
        "http",
        "request without MCP-Protocol-Version rejected",
        why="Clients that omit the header fail, although the session determines the revision.",
        hint="Use the revision of the session for a request without `MCP-Protocol-Version`.",
        section=_VERSIONS,
        level="SHOULD",
        since=3,
        until=4,
        transports=HTTP_ONLY,
        kind=Kind.ACTIVE,
        on=(_ON_HEADERS,),
        check=check_missing_version,
        when=_lacks_version,
    ),
    Rule(
        "no-session-id",
        Severity.INFO,
        "http",
        "initialize response without a session id",
        why="Without a session, the server cannot recognize the client in its later requests.",
        hint="Send `Mcp-Session-Id` with the response to `initialize` if the server keeps state.",
        section=_SESSIONS,
        level="quality",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(On(Subject.NOTE, NO_SESSION), _ON_OPENING),
        check=check_presence,
    ),
    Rule(
        "session-id-missing",
        Severity.INFO,
        "http",
        "session id not repeated",
        why="A proxy may have responded instead of the server.",
        hint="Repeat `Mcp-Session-Id` in every response, or only in the first one.",
        level="quality",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_repetition,
        when=_is_in_session,
    ),
)
