"""What a refusal names in its body or headers is what the hint is about, and nothing else; ours unless a row is named."""

from __future__ import annotations

import pytest

from inspector.errors import for_cli
from inspector.transport.http import statuses
from inspector.transport.http.response import HttpResponse

URL = "https://mcp.test/mcp"
SCOPE = 'Bearer error="insufficient_scope", scope="files:read"'
QUOTED = 'Bearer error_description="unexpected "aud" claim", scope="files:read"'
METADATA = 'Bearer resource_metadata="https://mcp.test/.well-known/oauth-protected-resource"'


NOT_THERE = ("deployed", "tunnel")
NO_SOCKET = ("WebSocket",)


async def nothing():
    return
    yield b""


def refusal(
    status: int,
    body: str = "",
    sent: dict[str, str] | None = None,
    *,
    challenge: str = "",
    upgrade: str = "",
    more: dict[str, str] | None = None,
    via: str = "",
) -> str:
    """The hint for the command line."""
    headers = {"www-authenticate": challenge, "upgrade": upgrade, **(more or {})}
    names = {name: value for name, value in headers.items() if value}
    answer = HttpResponse(
        status, "Reason", names, 1, nothing(), request_headers=sent or {}, url=URL, via=via
    )
    error = statuses.from_status(answer, body.encode())
    assert error.hint
    return for_cli(error.hint)


@pytest.mark.parametrize(
    ("status", "body", "text", "others"),
    [
        (403, "Invalid Origin header", "Origin", ("credentials", "Host")),
        (403, "Invalid Host header: mcp.test", "add mcp.test to the hosts", ("credentials",)),
        (421, "Misdirected Request", "hosts that", ("credentials",)),
        (400, "Invalid HTTP_HOST header. Add it to ALLOWED_HOSTS.", "hosts that", ()),
        (403, "Your IP address 10.1.2.3 is not allowed", "IP address of this computer", ("Host",)),
        (403, "CSRF verification failed.", "CSRF", ("credentials",)),
        (422, "ActionController::InvalidAuthenticityToken", "CSRF", ("credentials",)),
        (403, 'This host ("a.test") is not allowed.', "hosts that", ("credentials",)),
        (404, "The endpoint x.ngrok-free.app is offline. ERR_NGROK_3200", "tunnel", ("path",)),
        (503, "<h1>503 - Tunnel Unavailable</h1>", "tunnel", ()),
        (530, "error code: 1033", "Start the tunnel", ()),
        (404, "DEPLOYMENT_NOT_FOUND", "deployed", ("path",)),
        (404, "<title>No such app</title>", "deployed", ("path",)),
        (404, '{"error_description":"Application not found in the directory"}', "path", NOT_THERE),
        (404, '{"message":"Application not found"}', "path", NOT_THERE),
        (404, "Tool error: deployment could not be found: web-1", "path", NOT_THERE),
        (404, '{"error": "deployment_not_found"}', "path", NOT_THERE),
        (503, "tunnel of the VPN closed", "", NOT_THERE),
        (503, '{"message":"Connection to tunnel gateway unavailable"}', "", NOT_THERE),
        (503, "the endpoint /v1/files is offline", "", NOT_THERE),
        (403, "User x on host db1 is not allowed to connect", "admits", ("hosts that",)),
        (403, "Host '10.1.2.3' is not allowed to connect to this server", "", ("hosts that",)),
        (403, "<title>Attention Required! | Cloudflare</title>", "firewall", ("Origin",)),
        (403, '{"message": "invalid API key"}', "--header 'Authorization", ("Origin",)),
        (400, "The plain HTTP request was sent to HTTPS port", "Change the URL to https", ()),
        (400, "Client sent an HTTP request to an HTTPS server.", "Change the URL to https", ()),
        (403, "Forbidden", "Host, Origin, IP address", ()),
        (403, "<h1>Blocked hosts: mcp.test</h1>", "hosts that", ("credentials",)),
        (400, "<h1>No required SSL certificate was sent</h1>", "--client-cert", ("body",)),
        (400, "Bad Request: expected websocket upgrade", "a WebSocket endpoint", ()),
        (400, '{"error":"websocket_url is missing"}', "", ("WebSocket",)),
        (403, '{"message":"Missing Authentication Token"}', "path of the URL, with the stage", ()),
        (403, '{"error":"missing authentication token in body"}', "credentials", ("stage",)),
        (400, "session_id is required", "event stream (often /sse)", ()),
        (422, '{"detail":[{"loc":["query","session_id"]}]}', "event stream (often /sse)", ()),
        (422, '{"detail":[{"loc":["body","session_id"]}]}', "", ("/sse", "Mcp-Session-Id")),
        (400, '{"message":"The websocket connection to the browser is closed"}', "", NO_SOCKET),
        (400, "The websocket connection to the browser is closed", "", NO_SOCKET),
        (400, '{"error":{"message":"the accept header argument is invalid"}}', "", ("`Accept: ",)),
        (406, "Not Acceptable: Client must accept both", "`Accept: ", ("body",)),
        (403, "Denied by company policy: you may not use this tool", "", ("in your network",)),
        (403, "The tool was blocked by your administrator", "", ("in your network",)),
        (403, "<p>Blocked by your organization</p>", "in your network", ("credentials",)),
        (403, "the zscaler tenant is suspended", "", ("in your network",)),
        (400, "The sessionId field is required.", "event stream (often /sse)", ()),
        (403, "No valid crumb was included in the request", "CSRF", ("credentials",)),
        (400, "missing required Authorization header", "Authorization", ("body",)),
        (400, "Accept header must include text/event-stream", "`Accept: ", ("body",)),
        (404, 'The requested webhook "POST mcp" is not registered.', "workflow", ("path",)),
        (403, "<title>Web Page Blocked</title>", "in your network", ("credentials",)),
        (403, '{"error":"blocked by company policy"}', "", ("in your network",)),
        (401, "No `apikey` request header was found.", "apikey: ", ("Authorization",)),
        (400, "Missing sessionId parameter", "event stream (often /sse)", ()),
        (400, "Bad Request: No valid session ID provided", "accept initialize", ("/sse",)),
        (500, "Error: stream is not readable", "already parsed", ("log",)),
        (500, "RuntimeError: Task group is not initialized.", "session manager", ("log",)),
        (400, "", "without a reason", ()),
        (400, "missing X-Tenant-Id header", "what the body of the response names", ()),
    ],
)
def test_the_hint_is_about_what_the_body_names(
    status: int, body: str, text: str, others: tuple[str, ...]
) -> None:
    """One cause, and not every cause that the status may have."""
    hint = refusal(status, body)

    assert text in hint
    assert not any(other in hint for other in others)


@pytest.mark.parametrize(
    ("body", "headers", "text"),
    [
        ('{"error": {"code": "404"}}', {"x-vercel-error": "DEPLOYMENT_NOT_FOUND"}, "deployed"),
        ('{"message":"Application not found"}', {"x-railway-fallback": "true"}, "deployed"),
        ("{}", {"ngrok-error-code": "ERR_NGROK_3200"}, "tunnel"),
    ],
)
def test_what_stands_before_a_server_is_known_by_its_headers(
    body: str, headers: dict[str, str], text: str
) -> None:
    """JSON alone may be of the server itself."""
    assert text in refusal(404, body, more={"content-type": "application/json", **headers})
    assert text not in refusal(404, body, more={"content-type": "application/json"})


@pytest.mark.parametrize(
    ("challenge", "body", "text"),
    [
        ("", "", "--header 'Authorization: Bearer TOKEN'"),
        ('Basic realm="x"', "", "--header 'Authorization: Basic CREDENTIALS'"),
        (METADATA, "", "/.well-known/oauth-protected-resource"),
        ("", "Provide it in the X-API-Key header.", "--header 'X-API-Key: TOKEN'"),
        ('Bearer realm="x"', "Pass it in X-API-Key.", "also names the header X-API-Key"),
        (SCOPE, "", "the scope files:read"),
        (QUOTED, "", "--header 'Authorization: Bearer TOKEN'"),
        (QUOTED, "", "the scope files:read."),
        ("Bearer scope = 'files:read'", "", "the scope files:read."),
        ('Negotiate dG9rZW4=, Bearer realm="x"', "", "--header 'Authorization: Bearer TOKEN'"),
    ],
)
def test_a_challenge_tells_which_header_is_missing_and_what_it_asks_for(
    challenge: str, body: str, text: str
) -> None:
    """RFC 6750, RFC 9728."""
    assert text in refusal(401, body, challenge=challenge)


def test_what_a_challenge_says_in_quotes_is_no_parameter_of_it() -> None:
    """RFC 9110, section 11.2."""
    hint = refusal(401, challenge='Basic realm="the scope=no is expired"')

    assert hint.endswith("--header 'Authorization: Basic CREDENTIALS'.")


@pytest.mark.parametrize(
    ("status", "challenge", "sent", "text"),
    [
        (401, 'Bearer error="invalid_token"', "Authorization", "is rejected"),
        (401, 'Bearer error_description="The token expired"', "Authorization", "has expired"),
        (403, SCOPE, "Authorization", "does not suffice"),
        (403, "", "authorization", "credentials that were sent"),
    ],
)
def test_credentials_that_were_sent_are_told_from_missing_ones(
    status: int, challenge: str, sent: str, text: str
) -> None:
    """Nobody is told to add what is there."""
    hint = refusal(
        status, sent={sent: "Bearer t", "authorization": "Bearer t"}, challenge=challenge
    )

    assert text in hint
    assert "--header" not in hint


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ({"Mcp-Session-Id": "s"}, "restarted"),
        ({"MCP-Protocol-Version": "2025-06-18"}, "it is missing"),
        ({"MCP-Protocol-Version": "2026-07-28"}, "without a session"),
        ({}, "accept initialize without"),
    ],
)
def test_a_session_that_is_missed_is_told_by_who_left_it_out(
    sent: dict[str, str], text: str
) -> None:
    """The session id is given with the response to initialize, and sent with everything that follows."""
    assert text in refusal(400, "Bad Request: No valid session ID provided", sent)
    assert text in refusal(410, "session expired", sent)
    of_argument = refusal(422, '{"detail":[{"loc":["query","session_id"]}]}', sent)
    assert (text in of_argument) is not bool(sent)


@pytest.mark.parametrize(("date", "is_agreed"), [("2025-06-18", True), ("2026-07-28", False)])
def test_a_header_of_the_revision_that_is_refused_is_named(date: str, *, is_agreed: bool) -> None:
    """The server contradicts its own choice; a revision without a handshake was not agreed on."""
    hint = refusal(400, "Unsupported protocol version", {"MCP-Protocol-Version": date})

    assert date in hint
    assert ("agreed on" in hint) == is_agreed


def test_a_websocket_is_no_missing_http_1_1() -> None:
    """RFC 9110, section 15.5.22."""
    assert "WebSocket" in refusal(426, upgrade="websocket")
    assert "HTTP/1.1" in refusal(426, upgrade="h2c")


def test_a_refusal_that_came_through_a_plain_proxy_may_be_its_own() -> None:
    """Without TLS a proxy responds in the place of the server."""
    assert "proxy" in refusal(403, "Blocked by policy", via="the proxy http://p.test")
