"""Cases of `checks.families.http` and `http_access`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.revision import V2024_11_05, V2025_11_25
from inspector.transport.base import NOT_ENCRYPTED, OWN_ADDRESS
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json
    from tests.support.talk import Talk

JSON, HTML, TEXT = "application/json", "text/html", "text/plain; charset=utf-8"
STREAM = "text/event-stream"
SESSION = "5f0c1d9e-8a57-4b7e-9c1f-0f6f3d6f2a11"
FOREIGN = "https://evil.example"


def answered(
    status: int, body: Json | bytes = b"", media_type: str = JSON, **headers: str
) -> Callable[[Talk], object]:
    """A call that a server, which has answered before, answers so."""

    def write(talk: Talk) -> None:
        talk.http.open()
        talk.http.request("tools/call")
        talk.http.answer(status, body, media_type, **headers)

    return write


def notified(status: int, body: Json | bytes = b"") -> Callable[[Talk], object]:
    """A notification that is answered so."""

    def write(talk: Talk) -> None:
        talk.http.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        talk.http.answer(status, body)

    return write


def got(status: int, media_type: str = "", **headers: str) -> Callable[[Talk], object]:
    """A GET that a server, which has answered before, answers so."""

    def write(talk: Talk) -> None:
        talk.http.open()
        talk.http.get(accept=STREAM)
        talk.http.answer(status, b"", media_type, **headers)

    return write


def response(id_: Json = 2) -> Json:
    """A result."""
    return {"jsonrpc": "2.0", "id": id_, "result": {"content": []}}


def refusal(code: int = -32600, **members: Json) -> Json:
    """An error."""
    return {"jsonrpc": "2.0", **members, "error": {"code": code, "message": "no"}}


def opened(**headers: str) -> Callable[[Talk], object]:
    """The response to `initialize` with these headers."""

    def write(talk: Talk) -> None:
        talk.http.request("initialize")
        talk.http.result(**headers)

    return write


def of_origin(origin: str, status: int = 200, body: bytes = b"") -> Callable[[Talk], object]:
    """A request of a page, answered so."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/list", origin=origin)
        talk.http.answer(status, body or response(1), TEXT if body else JSON)

    return write


def of_older_origin(origin: str) -> Callable[[Talk], object]:
    """The stream of HTTP+SSE, opened by a page."""

    def write(talk: Talk) -> None:
        talk.http.get(origin=origin)
        talk.http.stream()
        talk.http.block("event: endpoint\ndata: /messages")
        talk.http.request("initialize", origin=origin)
        talk.http.head(202)

    return write


def noted(event: str) -> Callable[[Talk], object]:
    """A connection that Spyglass remarks something about."""

    def write(talk: Talk) -> None:
        talk.note(event, "x")
        talk.http.open()

    return write


def at(host: str, **headers: str) -> Callable[[Talk], object]:
    """A request to that host, which is answered."""

    def write(talk: Talk) -> None:
        talk.http.host = host
        talk.http.request("tools/list", **headers)
        talk.http.result()

    return write


def redirected(status: int) -> Callable[[Talk], object]:
    """A POST that is answered by that status."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/list")
        talk.http.head(status, location="/mcp/")

    return write


def refused(status: int, challenge: str) -> Callable[[Talk], object]:
    """A call that is refused with that challenge."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/call", authorization="Bearer x")
        talk.http.head(status, www_authenticate=challenge)

    return write


def unauthorized(first: str, second: str) -> Callable[[Talk], object]:
    """A POST and a GET that are refused with these challenges."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/call")
        talk.http.head(401, **({"www_authenticate": first} if first else {}))
        talk.http.get()
        talk.http.head(401, **({"www_authenticate": second} if second else {}))

    return write


WHOLE = 'Bearer error="insufficient_scope", scope="write", resource_metadata="https://a.example/m"'
SHARED = {"access_control_allow_origin": "*", "mcp_session_id": SESSION}

CASES = (
    Case("L-HTTP-01", answered(200, b"<p>", HTML), answered(200, response())),
    Case("L-HTTP-01", answered(200, b"", ""), answered(200, b"", STREAM), name="missing"),
    Case("L-HTTP-02", answered(200, b"{oops"), answered(200, response())),
    Case(
        "L-HTTP-02",
        answered(200, response(), f"{JSON}; charset=utf-16"),
        answered(200, response(), f'{JSON}; charset="UTF-8"'),
        name="charset",
    ),
    Case("L-HTTP-03", notified(200), notified(202)),
    Case("rejected-notification", notified(500), notified(404)),
    Case("rejected-notification", notified(400), notified(502), name="by a proxy"),
    Case("L-HTTP-04", notified(202, {}), notified(202)),
    Case("L-HTTP-05", notified(200, response()), notified(400, refusal())),
    Case("L-HTTP-06", answered(202), answered(200, response())),
    Case("L-HTTP-07", got(200, HTML), got(405, allow="POST")),
    Case("L-HTTP-07", got(404), got(401), name="not found"),
    Case("L-HTTP-07", got(500), got(503), name="failed"),
    Case("L-HTTP-08", got(405), got(405, allow="POST")),
    Case("L-HTTP-09", of_origin(FOREIGN), of_origin("http://localhost:3000")),
    Case(
        "L-HTTP-09",
        of_origin(FOREIGN, 400, b"Invalid Origin header"),
        of_origin(FOREIGN, 403, b"Invalid Origin header"),
        name="refused by another status",
    ),
    Case("L-HTTP-10", noted(NOT_ENCRYPTED), noted("proxy")),
    Case("L-HTTP-11", noted(OWN_ADDRESS), noted("proxy")),
    Case("L-HTTP-11", at("0.0.0.0:8000"), at("127.0.0.1:8000"), name="every address"),
    Case("L-HTTP-12", redirected(307), redirected(304)),
    Case("L-HTTP-13", answered(500, b"<p>", HTML), answered(502, b"<p>", HTML)),
    Case("L-HTTP-14", answered(200, refusal(id=2)), answered(400, refusal(id=2))),
    Case("L-HTTP-15", notified(400, refusal(id=1)), notified(400, refusal(id=None))),
    Case(
        "L-HTTP-16",
        opened(**SHARED),
        opened(**SHARED, access_control_expose_headers="X-Other, Mcp-Session-Id"),
    ),
    Case("result-with-error-status", answered(500, response()), answered(200, response())),
    Case(
        "L-OLD-05",
        of_older_origin(FOREIGN),
        of_older_origin("http://127.0.0.1"),
        revision=V2024_11_05,
    ),
    Case("L-AUT-11", refused(403, 'Bearer error="insufficient_scope"'), refused(403, WHOLE)),
    Case("L-AUT-11", refused(400, WHOLE), refused(403, WHOLE), name="status"),
    Case("L-AUT-24", unauthorized(WHOLE, ""), unauthorized(WHOLE, WHOLE)),
    Case("L-AUT-25", at("mcp.example"), at("mcp.example", authorization="Bearer x")),
    Case(
        "L-AUT-25", at("203.0.113.5:80"), at("127.0.0.1:80"), revision=V2025_11_25, name="address"
    ),
)
