"""What was sent beside what the server complains about, from frames alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import PeerError
from inspector.spec.revision import NEWEST
from tests.support.http_session import at, connected
from tests.support.http_stub import HttpStub, answer
from tests.support.modern import proper
from tests.support.talk import Talk
from ui.models.error_detail_rows import complaint_rows

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.http_stub import Rule

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


async def test_over_http_the_headers_that_were_sent_are_compared() -> None:
    """C-HTTP-34: also one for an argument, where nobody knows the schema of the tool."""
    error: JsonObject = {"error": {"code": -32020, "message": "Header mismatch"}}
    refuses: dict[str, Rule] = {"POST tools/call": answer(error, status=400)}
    headers = (("Mcp-Param-Zone", "north"), ("Mcp-Param-Depth", "3"))
    async with (
        HttpStub(refuses, otherwise=proper) as stub,
        connected(replace(at(stub.url), revision="", headers=headers)) as session,
    ):
        with pytest.raises(PeerError) as refused_:
            await session.request("tools/call", {"name": "a", "arguments": {"zone": "n", "d": 3}})
        frame = refused_.value.frame
        assert frame is not None
        rows = complaint_rows(session.transcript, frame)

    assert [(row.subject, row.ours, row.fits) for row in rows][2:] == [
        ("Header Mcp-Name", "a", True),
        ("Header Mcp-Param-Zone", "north", False),
        ("Header Mcp-Param-Depth", "3", True),
    ]
    assert rows[-1].theirs == "body has it at /params/arguments/d"
