"""Cases of `checks.families.stateless_http`, `stateless_headers` and `stateless_streams`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.keys import META, META_PROTOCOL_VERSION
from inspector.spec.revision import V2026_07_28
from tests.engine.checks.families.tools_cases import tool
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk

MODERN = V2026_07_28
SESSION = "5f0c1d9e-8a57-4b7e-9c1f-0f6f3d6f2a11"
PROGRESS = "notifications/progress"
HEADERS = {"mcp_method": "tools/list", "mcp_protocol_version": MODERN.date}
STAMPED: JsonObject = {META: {META_PROTOCOL_VERSION: MODERN.date}}


def refused(
    code: int,
    status: int,
    message: str = "no",
    *,
    method: str = "tools/call",
    params: JsonObject | None = None,
    **headers: str,
) -> Callable[[Talk], object]:
    """A request with these headers that is refused so."""

    def write(talk: Talk) -> None:
        talk.http.open()
        talk.http.request(method, params, **headers)
        talk.http.error(code, status, message)

    return write


def paged(media_type: str, body: Json | bytes) -> Callable[[Talk], object]:
    """A request that is answered by 404."""

    def write(talk: Talk) -> None:
        talk.http.open()
        talk.http.request("tools/call")
        talk.http.answer(404, body, media_type)

    return write


def listed(**headers: str) -> Callable[[Talk], object]:
    """A list that was asked for with these headers."""

    def write(talk: Talk) -> None:
        talk.http.request("server/discover", mcp_method="server/discover", **VERSIONED)
        found: JsonObject = {
            "supportedVersions": [MODERN.date],
            "capabilities": {},
            "serverInfo": {"name": "sample", "version": "1.2.3"},
        }
        talk.http.result("application/json", found)
        talk.http.request("tools/list", STAMPED, **headers)
        talk.http.result("application/json", {"tools": []})

    return write


VERSIONED = {"mcp_protocol_version": MODERN.date}


def missed(arguments: JsonObject) -> Callable[[Talk], object]:
    """A call whose header of a parameter the server misses."""
    properties: Json = {"region": {"type": "string", "x-mcp-header": "Region"}}
    schema: Json = {"type": "object", "properties": properties}

    def write(talk: Talk) -> None:
        talk.http.request("tools/list", STAMPED, **HEADERS)
        talk.http.result("application/json", {"tools": [tool(inputSchema=schema)]})
        talk.http.request("tools/call", {"name": "get_sum", "arguments": arguments})
        talk.http.error(-32020, 400, "Missing header Mcp-Param-Region")

    return write


def got(verb: str, status: int, *, revision: str = MODERN.date) -> Callable[[Talk], object]:
    """A GET or DELETE that is answered so."""

    def write(talk: Talk) -> None:
        talk.http.open()
        sent = {"mcp_protocol_version": revision} if revision else {}
        if verb == "GET":
            talk.http.get(**sent)
        else:
            talk.http.delete(**sent)
        talk.http.head(status, allow="POST")

    return write


def answered(**headers: str) -> Callable[[Talk], object]:
    """A list with these headers of the response."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/list")
        talk.http.result(**headers)

    return write


def progress(*, is_own: bool) -> Callable[[Talk], object]:
    """Progress of the first of two calls, on its stream or on that of the other."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/call", {META: {"progressToken": "t"}})
        talk.http.stream()
        own = talk.http.opener
        talk.http.request("tools/call")
        talk.http.stream()
        talk.http.opener = own if is_own else talk.http.opener
        talk.http.notice(PROGRESS, progressToken="t", progress=1)

    return write


def streamed(*, late: bool = False, second: int = 0, id_: int = 0) -> Callable[[Talk], object]:
    """A stream with progress after its response, a second response, or one with that id."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/list")
        talk.http.result()
        talk.http.request("tools/call", {META: {"progressToken": "t"}})
        talk.http.stream()
        if not late:
            talk.http.notice(PROGRESS, progressToken="t", progress=1)
        talk.http.result_event(id_ or 2)
        if late:
            talk.http.notice(PROGRESS, progressToken="t", progress=1)
        if second:
            talk.http.result_event(second)

    return write


def open_after(seconds: float) -> Callable[[Talk], object]:
    """A comment that long after the response."""

    def write(talk: Talk) -> None:
        streamed()(talk)
        talk.wait(seconds)
        talk.http.block(": keep-alive")

    return write


def ended(*, is_answered: bool) -> Callable[[Talk], object]:
    """A stream that ends with the response or without it."""

    def write(talk: Talk) -> None:
        talk.http.request("tools/call")
        talk.http.stream()
        talk.http.block(": hello")
        if is_answered:
            talk.http.result_event()
        talk.http.lost()

    return write


def removed(method: str, code: int = 0) -> Callable[[Talk], object]:
    """A method that this revision does not have, answered by a result or an error."""

    def write(talk: Talk) -> None:
        talk.request(1, method)
        if code:
            talk.error(1, code, "no")
        else:
            talk.result(1)

    return write


ENCODED = "=?base64?w6Q=?="

CASES = tuple(
    case._replace(revision=MODERN)
    for case in (
        Case("L-MOD-01", refused(-32022, 200), refused(-32022, 400)),
        Case("L-MOD-02", refused(-32021, 200), refused(-32021, 400)),
        Case("L-MOD-03", refused(-32020, 422), refused(-32020, 400)),
        Case("L-MOD-04", refused(-32601, 200), refused(-32601, 404)),
        Case("L-MOD-04", paged("text/plain", b"x"), paged("application/json", {}), name="page"),
        Case(
            "L-MOD-05",
            refused(-32602, 200, params={}),
            refused(-32602, 200, params=STAMPED),
        ),
        Case("L-MOD-06", listed(**{**HEADERS, "mcp_method": "ping"}), listed(**HEADERS)),
        Case("L-MOD-06", listed(**VERSIONED), listed(**HEADERS), name="missing"),
        Case(
            "L-MOD-07",
            refused(-32020, 400, "Mcp-Name does not match", mcp_name=ENCODED),
            refused(-32020, 400, "Mcp-Method does not match", mcp_name=ENCODED),
        ),
        Case("L-MOD-08", missed({}), missed({"region": "eu"})),
        Case("L-MOD-08", missed({"region": None}), missed({"region": "eu"}), name="null"),
        Case("L-MOD-11", got("GET", 200), got("GET", 405)),
        Case("L-MOD-11", got("DELETE", 200), got("DELETE", 405), name="DELETE"),
        Case("L-MOD-11", got("GET", 200), got("GET", 200, revision=""), name="both eras"),
        Case("L-MOD-12", answered(mcp_session_id=SESSION), answered(x_other="x")),
        Case("L-MOD-13", progress(is_own=False), progress(is_own=True)),
        Case("L-MOD-14", streamed(late=True), streamed()),
        Case("L-MOD-14", open_after(30), open_after(0.5), name="open"),
        Case("L-MOD-16", streamed(second=2), streamed()),
        Case("L-MOD-16", streamed(id_=1), streamed(), name="of another request"),
        Case("L-MOD-18", ended(is_answered=False), ended(is_answered=True)),
        Case("L-MOD-19", removed("ping"), removed("ping", -32601)),
        Case("L-MOD-19", removed("ping", -32602), removed("ping", -32601), name="code"),
        Case("L-MOD-22", listed(mcp_method="tools/list"), listed(**HEADERS)),
    )
)
