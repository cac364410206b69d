"""A message that was edited, as the command lines and programs that send it."""

from __future__ import annotations

import shlex

from inspector.cli.command_line import read
from inspector.export.edited import EditedMasking, latest_request
from inspector.export.formats import CLI, CURL, PYTHON, TYPESCRIPT, Format
from inspector.wire.redaction import MASK
from tests.engine.export.test_requests import ADD, started
from tests.support.http_talk import HttpTalk
from tests.support.records import Written, notification, request, result

EDITED = '{"jsonrpc":"2.0","id":"rep-1","method":"tools/call","params":{"name":"add","arguments":{"a":9}}}'


def copied(record: Written, number: int, text: str, format_: Format) -> str:
    masking = EditedMasking(record.transcript, number, text)
    return "\n".join(format_.texts(record.transcript, [number], masking))


def test_an_edited_request_is_copied_in_place_of_the_one_that_was_sent() -> None:
    """Ours: the server is that of the recorded request, method and parameters are those of the text."""
    record = started()
    number = record.sent(request(1, "tools/call", ADD))
    line = copied(record, number, EDITED, CLI)
    options = read(shlex.split(line)[1:])
    assert options.command.name == "call"
    assert '{"a":9}' in line
    assert "inspector.demo" in line
    assert "call_tool('add', {'a': 9})" in copied(record, number, EDITED, PYTHON)
    assert '"a":9' in copied(record, number, EDITED, TYPESCRIPT).replace(" ", "")
    listing = EDITED.replace("tools/call", "prompts/list")
    assert "prompts/list" in copied(record, number, listing, CLI)


def test_the_latest_request_that_can_be_sent_at_any_time_is_found() -> None:
    """Ours: what opens a session is none."""
    record = started()
    assert latest_request(record.transcript) == 0
    record.sent(request(1, "initialize"))
    assert latest_request(record.transcript) == 0
    number = record.sent(request(2, "tools/list"))
    record.received(result(2))
    record.sent(notification("notifications/cancelled"))
    assert latest_request(record.transcript) == number


def test_headers_that_repeat_the_message_are_those_of_the_edited_one_and_secrets_are_masked() -> (
    None
):
    """Ours: over HTTP, and with the one definition of what is a secret."""
    talk = HttpTalk()
    headers = {"authorization": "Bearer abc", "mcp_name": "add", "mcp_method": "tools/call"}
    number = talk.post(request(1, "tools/call", ADD), **headers)
    mirrored = (("Mcp-Name", "subtract"), ("Mcp-Method", "tools/call"))
    masking = EditedMasking(talk.transcript, number, EDITED, mirrored)
    line = "\n".join(CURL.texts(talk.transcript, [number], masking))
    tokens = shlex.split(line.replace("\\\n", " "))
    assert tokens[tokens.index("--data-raw") + 1] == EDITED
    assert [token for token in tokens if token.lower().startswith("mcp-")] == [
        "Mcp-Name: subtract",
        "Mcp-Method: tools/call",
    ]
    assert MASK in line
    assert "abc" not in line
