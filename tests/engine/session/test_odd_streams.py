"""An event stream that ends without a response is told by what it held; ours."""

from __future__ import annotations

import pytest

from inspector.errors import InspectorError
from tests.support.http_session import at, session_of
from tests.support.http_stub import HttpStub, result_event, stream

RESULT = result_event()


@pytest.mark.parametrize(
    ("events", "text", "hint"),
    [
        (f"event: result\n{RESULT}", "has the type `result`", "type `message`"),
        (RESULT.replace("data:", "body:"), "has no `data`", "the field `data`"),
        (
            f"\ufeff: hello\n\n\ufeff{RESULT}",
            "begins with a byte order mark: data",
            "start of the stream",
        ),
        ("data: {'jsonrpc': '2.0', 'id': 1}\n\n", "Python dict", "json.dumps"),
        ('data: {\n"id": 2,\n"result": {}}\n\n', "malformed message", "`data:` before each"),
        (
            'data: {"jsonrpc":"2.0","id":99,"result":{}}\n\n',
            "unknown id 99",
            "the id of the request",
        ),
        (RESULT.replace("data: ", ""), "not an event stream", "application/json"),
        ("", "ended without a response", "log of the server"),
    ],
)
async def test_what_a_stream_held_is_named_where_its_response_is_missed(
    events: str, text: str, hint: str
) -> None:
    """Ours: and nobody is told to send `initialize` again."""
    async with (
        HttpStub({"POST initialize": stream(events)}) as stub,
        session_of(at(stub.url)) as session,
    ):
        with pytest.raises(InspectorError) as failure:
            await session.connect()

    assert text in failure.value.reason
    assert hint in failure.value.hint
    assert "carried out twice" not in failure.value.hint
