"""What to do about an error response: by the request, the session and the words of the error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.session.diagnostics.refusals import refusal_hint
from inspector.session.error_responses import hint_of
from inspector.session.outgoing import OutgoingRequest
from inspector.session.protocol_mode import Agreement
from inspector.spec.revision import NEWEST, V2025_11_25, Revision
from inspector.spec.views.handshake import DiscoverResultView, InitializeResultView
from inspector.transcript.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import JsonObject
    from inspector.session.peer import Reply


async def never(_params: JsonObject, _on_sent: Callable[[int], None] | None) -> Reply:
    raise NotImplementedError


def hint(
    error: PeerError, method: str, params: JsonObject, revision: Revision = V2025_11_25
) -> str:
    """Return the hint for an error of a server that declares tools."""
    view = InitializeResultView if revision.stateful else DiscoverResultView
    agreed = Agreement(revision, revision, view({"capabilities": {"tools": {}}}), 0)
    return refusal_hint(error, OutgoingRequest(method, params, never), agreed, Transcript())


@pytest.mark.parametrize(
    ("error", "method", "params", "word"),
    [
        (PeerError(-32601, "Method not found"), "tools/list", {}, "handle tools/list"),
        (PeerError(-32601, "Method not found"), "prompts/list", {}, ""),
        (PeerError(-32602, "Invalid cursor"), "tools/list", {"cursor": ""}, "nextCursor"),
        (PeerError(-32602, "Unknown tool: t"), "tools/call", {"name": "t"}, "server lists"),
        (PeerError(-32602, "city: too long"), "tools/call", {"name": "t"}, ""),
        (PeerError(-32603, '[{"code":"invalid_type"}]'), "tools/list", {}, "validation"),
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
    found = hint(error, "tools/list", {}, NEWEST)

    assert word in found
    assert "Mcp-Session-Id" not in found


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (PeerError(-32600, "Server already initialized"), "one session"),
        (PeerError(-32000, "Bad Request: Server not initialized"), "first request"),
        (PeerError(-32602, "_meta.protocolVersion is required"), "prefix"),
        (PeerError(-32001, "API key is missing"), "environment variable"),
        (PeerError(-32000, ""), "`message`"),
        (PeerError(-32000, "no luck"), "data of the error"),
        (PeerError(-32602, "Not a token"), "names and arguments"),
    ],
)
def test_the_words_of_an_error_count_before_its_code(error: PeerError, word: str) -> None:
    """Ours."""
    assert word in hint_of(error, V2025_11_25)
