"""Cases of `checks.families.http_sessions`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transport.base import BAD_SESSION, NO_SESSION
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json
    from tests.support.talk import Talk

FIRST, SECOND = "5f0c1d9e-8a57-4b7e-9c1f-0f6f3d6f2a11", "b1c7a2d4-33e0-4f6a-8e2b-7d9a4c5e6f70"
GONE: Json = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32000, "message": "Session not found"},
}
NO_TOOL: Json = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "No such tool"}}


def connect(talk: Talk, session: str = FIRST) -> None:
    """The handshake, in a session with that id."""
    talk.http.request("initialize")
    talk.http.result(**({"mcp_session_id": session} if session else {}))


def connected(session: str, event: str = "") -> Callable[[Talk], object]:
    """The handshake, and what Spyglass remarks about the session."""

    def write(talk: Talk) -> None:
        connect(talk, session)
        if event:
            talk.note(event, "x")

    return write


def answered(given: str) -> Callable[[Talk], object]:
    """Two answers in a session: the first repeats its id, the second names the session `given`."""

    def write(talk: Talk) -> None:
        connect(talk)
        for each in (FIRST, given):
            talk.http.request("tools/list", mcp_session_id=FIRST)
            talk.http.result(**({"mcp_session_id": each} if each else {}))

    return write


def ended(status: int) -> Callable[[Talk], object]:
    """A request in a session that a DELETE has ended, answered so."""

    def write(talk: Talk) -> None:
        connect(talk)
        talk.http.delete(mcp_session_id=FIRST)
        talk.http.head(200)
        talk.http.request("tools/list", mcp_session_id=FIRST)
        talk.http.answer(status, GONE)

    return write


def unknown(**headers: str) -> Callable[[Talk], object]:
    """A request that is refused because of its session."""

    def write(talk: Talk) -> None:
        connect(talk)
        talk.http.request("tools/list", **headers)
        talk.http.answer(400, GONE)

    return write


def refused(talk: Talk) -> None:
    """A request in a session that is refused for another reason."""
    connect(talk)
    talk.http.request("tools/call", mcp_session_id=FIRST)
    talk.http.answer(400, NO_TOOL)


def deleted(status: int) -> Callable[[Talk], object]:
    """A DELETE, answered so."""

    def write(talk: Talk) -> None:
        connect(talk)
        talk.http.delete(mcp_session_id=FIRST)
        talk.http.head(status, allow="POST")

    return write


def asked(status: int, **headers: str) -> Callable[[Talk], object]:
    """A request with these headers, answered so."""

    def write(talk: Talk) -> None:
        connect(talk)
        talk.http.request("tools/list", **headers)
        if status == 200:
            talk.http.result()
        else:
            talk.http.error(-32600, status)

    return write


CASES = (
    Case("L-SES-01", connected("", BAD_SESSION), connected(FIRST)),
    Case("L-SES-02", connected("17"), connected(FIRST)),
    Case("L-SES-03", answered(SECOND), answered(FIRST)),
    Case("L-SES-04", asked(200), asked(400)),
    Case("L-SES-05", ended(200), ended(404)),
    Case("L-SES-05", ended(400), ended(404), name="by another error"),
    Case("L-SES-05", unknown(mcp_session_id=FIRST), refused, name="unknown to the server"),
    Case("L-SES-06", deleted(500), deleted(405)),
    Case(
        "L-SES-07",
        asked(200, mcp_protocol_version="1999-01-01", mcp_session_id=FIRST),
        asked(400, mcp_protocol_version="1999-01-01", mcp_session_id=FIRST),
    ),
    Case("L-SES-08", asked(400, mcp_session_id=FIRST), asked(200, mcp_session_id=FIRST)),
    Case("no-session-id", connected("", NO_SESSION), connected(FIRST)),
    Case("session-id-missing", answered(""), answered(FIRST)),
)
