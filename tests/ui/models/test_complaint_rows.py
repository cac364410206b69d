"""What was sent beside what the server complains about, from frames alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.revision import NEWEST
from tests.support.talk import Talk
from ui.models.complaint_rows import complaint_rows

if TYPE_CHECKING:
    from inspector.wire.jsontext import Json, JsonObject

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


def asked(talk: Talk, version: str = NEWEST.date) -> int:
    meta: JsonObject = {VERSION: version, CAPABILITIES: {}}
    return talk.request(1, "tools/call", name="a", arguments={}, _meta=meta)


def refused(talk: Talk, code: int, data: Json = None) -> int:
    error: JsonObject = {"code": code, "message": "no"}
    if data is not None:
        error["data"] = data
    return talk.received({"jsonrpc": "2.0", "id": 1, "error": error})


def test_a_refused_revision_is_compared_with_those_that_are_supported() -> None:
    """C-VER-01: even where nobody knows the version that was sent."""
    talk = Talk()
    asked(talk, "1999-01-01")
    frame = refused(talk, -32022, {"supported": ["2030-01-01"], "requested": "1999-01-01"})

    (row,) = complaint_rows(talk.transcript, frame)

    assert (row.ours, row.theirs, row.fits) == ("1999-01-01", "2030-01-01", False)


def test_a_missing_capability_is_named() -> None:
    """L-MOD-04."""
    talk = Talk()
    asked(talk)
    frame = refused(talk, -32021, {"requiredCapabilities": {"roots": {}}})
    (row,) = complaint_rows(talk.transcript, frame)
    assert (row.subject, row.ours, row.fits) == ("Capability roots", "not declared", False)


def test_headers_are_compared_with_the_body() -> None:
    """C-HTTP-34."""
    talk = Talk()
    asked(talk)
    rows = complaint_rows(talk.transcript, refused(talk, -32020))
    assert [(row.subject, row.ours) for row in rows][1:] == [
        ("Header Mcp-Method", "tools/call"),
        ("Header Mcp-Name", "a"),
    ]


def test_other_frames_and_other_errors_have_no_rows() -> None:
    """Ours; a request with a handshake before it says no revision, and is compared with nothing."""
    talk = Talk()
    request = talk.call(1, "a")
    assert complaint_rows(talk.transcript, request) == ()
    assert complaint_rows(talk.transcript, refused(talk, -32602)) == ()
    assert complaint_rows(talk.transcript, 0) == ()
    assert complaint_rows(talk.transcript, 99) == ()
