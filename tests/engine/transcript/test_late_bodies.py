"""Bodies of HTTP errors that come after their headers have ended the request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject


@pytest.mark.parametrize(
    ("status", "rules"), [("failed", ["wrong-id"]), ("", ["L-JR-04"])], ids=["failed", "answered"]
)
def test_an_error_body_belongs_to_the_request_that_its_headers_have_failed(
    status: str, rules: list[str]
) -> None:
    """C-HTTP-48: the Python SDK makes up an id; with several requests, headers come before bodies."""
    talk = Talk()
    number = talk.http.request("tools/list")
    talk.http.request("prompts/list")
    talk.http.opener = number
    if status:
        talk.http.lost(status)
    else:
        talk.result(1, tools=[])
    body: JsonObject = {
        "jsonrpc": "2.0",
        "id": "server-error",
        "error": {"code": -1, "message": "x"},
    }
    late = talk.http.answer(404, body)

    assert [each.rule for each in talk.transcript.findings(late)] == rules
    assert (talk.transcript.columns.request[late - 1] == number) is bool(status)
    assert (talk.transcript.columns.response[number - 1] == late) is bool(status)
