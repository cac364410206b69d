"""What to do about an error response: by the request, the session and the words of the error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import HttpStatus, PeerError
from inspector.session.diagnostics.refusals import refusal_hint
from inspector.session.error_responses import hint_of, opening_hint
from inspector.session.outgoing import OutgoingRequest
from inspector.session.protocol_mode import Agreement
from inspector.spec.revision import NEWEST, V2025_11_25, Revision
from inspector.spec.views.handshake import DiscoverResultView, InitializeResultView
from tests.support.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import JsonObject
    from inspector.session.peer import Reply


async def never(_params: JsonObject, _on_sent: Callable[[int], None] | None) -> Reply:
    raise NotImplementedError


def hint(
    error: PeerError,
    method: str,
    params: JsonObject,
    revision: Revision = V2025_11_25,
    *,
    served: bool = True,
) -> str:
    """Return the hint for an error of a server that declares tools, and has listed `t` with the cursor `2` if it `served` a list."""
    talk = Talk()
    opened = talk.request(1, "initialize")
    talk.sent({"jsonrpc": "2.0", "method": "notifications/initialized"})
    if served:
        talk.request(2, "tools/list")
        talk.result(2, tools=[{"name": "t"}], nextCursor="2")
    view = InitializeResultView if revision.stateful else DiscoverResultView
    agreed = Agreement(revision, revision, view({"capabilities": {"tools": {}}}), opened)
    return refusal_hint(error, OutgoingRequest(method, params, never), agreed, talk.transcript)


@pytest.mark.parametrize(
    ("error", "method", "params", "word"),
    [
        (PeerError(-32601, "Method not found"), "tools/list", {}, ""),  # it had a result
        (PeerError(-32002, "Server not initialized"), "tools/call", {"name": "t"}, "names none"),
        (PeerError(-32002, "Not found"), "resources/read", {"uri": "x:y"}, ""),
        (PeerError(-32002, "Not found"), "tools/call", {"name": "t", "arguments": {"uri": 1}}, ""),
        (PeerError(-32601, "Method not found"), "prompts/list", {}, ""),
        (PeerError(-32601, "Method not found"), "tools/call", {"name": "t"}, "without the method"),
        (PeerError(-32601, "Method not found"), "tools/call", {"name": "no"}, "Compare the name"),
        (PeerError(-32601, "No method tools/call"), "tools/call", {"name": "no"}, "without the me"),
        (PeerError(-32601, "Method not found: no"), "tools/call", {"name": "no"}, "server lists"),
        (PeerError(-32601, "Unknown tool: no"), "tools/call", {"name": "no"}, "server lists"),
        (PeerError(-32601, "Not supported here"), "tools/call", {"name": "no"}, ""),
        (PeerError(-32602, "Invalid cursor"), "tools/list", {"cursor": "2"}, "itself"),
        (PeerError(-32602, "Cursor expired"), "tools/list", {"cursor": "2"}, "first page"),
        (PeerError(-32602, "Invalid cursor"), "tools/list", {"cursor": "no"}, "Send a cursor"),
        (PeerError(-32602, "Invalid cursor"), "prompts/list", {"cursor": "2"}, "Send a cursor"),
        (PeerError(-32602, "Unknown x"), "tools/list", {"cursor": "2", "x": 1}, ""),
        (PeerError(-32602, "Unknown tool: t"), "tools/call", {"name": "t"}, "server lists"),
        (PeerError(-32602, "User not found"), "tools/call", {"name": "t"}, ""),
        (PeerError(-32602, "city: too long"), "tools/call", {"name": "t"}, ""),
        (
            PeerError(-32603, '"code":"invalid_type","path":["params"]'),
            "tools/list",
            {},
            "before a",
        ),
        (
            PeerError(-32602, "1 validation error for City"),
            "tools/call",
            {},
            "rejects the request.",
        ),
        (PeerError(-32603, "1 validation error for City"), "tools/call", {}, "fetched or returns"),
        (PeerError(-32603, "Server not initialized"), "tools/call", {}, ""),
        (PeerError(-32600, "Server not initialized"), "tools/call", {}, ""),
        (PeerError(-32600, "Bad"), "tools/list", {}, "specification"),
        (PeerError(-32600, "Bad"), "tools/call", {}, ""),
    ],
)
def test_a_refused_request_is_explained_by_what_was_sent(
    error: PeerError, method: str, params: JsonObject, word: str
) -> None:
    """Ours: a code means many things, most of which the request rules out."""
    found = hint(error, method, params)

    assert word in found
    assert bool(found) is bool(word)


def test_a_method_that_had_no_result_yet_may_be_missing() -> None:
    """Ours."""
    error = PeerError(-32601, "Method not found")

    assert "without the method" in hint(error, "tools/list", {}, served=False)


@pytest.mark.parametrize(
    ("error", "method", "served", "is_said"),
    [
        (PeerError(-32600, "Server not initialized"), "tools/list", False, True),
        (PeerError(-32600, "Server not initialized"), "tools/list", True, False),
        (PeerError(-32600, "Server not initialized"), "tools/call", False, False),
        (PeerError(-32602, "Request before initialization"), "tools/call", False, True),
        (PeerError(-32600, "Database not initialized"), "tools/list", False, False),
        (PeerError(-32600, "Error: Database: not initialized"), "tools/list", False, False),
        (PeerError(-32603, "Server not initialized"), "tools/list", False, False),
    ],
)
def test_only_a_server_that_means_the_session_is_told_of_the_handshake(
    error: PeerError, method: str, served: bool, is_said: bool
) -> None:
    """Ours: a handler has state of its own, and a session that served a request is open."""
    found = hint(error, method, {}, served=served)

    assert ("handshake is complete" in found) is is_said


@pytest.mark.parametrize(
    ("text", "word"),
    [("Server not initialized", "handshake"), ("No valid session ID provided", "session")],
)
def test_a_stateless_server_is_not_told_to_send_what_its_revision_has_not(
    text: str, word: str
) -> None:
    """Ours: there is no handshake and no session to repair."""
    error = PeerError(-32000, text)
    error.hint = "Let the server send the header Mcp-Session-Id."
    found = hint(error, "tools/list", {}, NEWEST, served=False)

    assert word in found
    assert "Mcp-Session-Id" not in found


@pytest.mark.parametrize(
    ("error", "is_said"),
    [
        (PeerError(-32602, "Browser session not found: 42"), False),
        (PeerError(-32602, "Argument 'session' is required"), False),
        (PeerError(-32000, "Session not found"), False),
        (PeerError(-32001, "Session not found", http=HttpStatus("", status=404)), True),
        (PeerError(-32000, "Bad Request: Mcp-Session-Id header is required"), True),
        (PeerError(-32000, "Invalid or missing session ID", http=HttpStatus("", status=400)), True),
        (PeerError(-32603, "Database not initialized"), False),
    ],
)
def test_the_state_of_a_tool_is_not_taken_for_that_of_the_session(
    error: PeerError, is_said: bool
) -> None:
    """Ours."""
    found = hint(error, "tools/call", {"name": "t"}, NEWEST, served=False)

    assert ("without a session" in found) is is_said
    assert bool(found) is is_said


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (PeerError(-32603, "Engine already initialized"), "server log"),
        (PeerError(-32603, "Database not initialized"), "server log"),
        (PeerError(-32602, "_meta.protocolVersion is required"), "prefix"),
        (PeerError(-32001, "API key is missing"), "header over HTTP"),
        (PeerError(-32000, ""), "`message`"),
        (PeerError(-32000, "no luck"), "data of the error"),
        (PeerError(-32602, "Not a token"), "names and arguments"),
    ],
)
def test_the_words_of_an_error_count_before_its_code(error: PeerError, word: str) -> None:
    """Ours."""
    assert word in hint_of(error, V2025_11_25)


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (PeerError(-32600, "Invalid Request: Server already initialized"), "one session"),
        (PeerError(-32000, "Bad Request: Server not initialized"), "first request"),
        (PeerError(-32000, "Engine already initialized"), ""),
        (PeerError(-32603, "Server not initialized"), ""),
    ],
)
def test_the_words_of_a_refused_initialize_are_about_the_session(
    error: PeerError, word: str
) -> None:
    """Ours: in any other request they may be about something that a handler uses."""
    found = opening_hint(error)

    assert word in found
    assert bool(found) is bool(word)
