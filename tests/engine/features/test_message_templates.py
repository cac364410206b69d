"""Messages to begin with: valid ones for every method of every revision, and frames that each break one rule."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.features.message_templates import (
    MAX_NAMES,
    PING,
    Listed,
    ListedPrompt,
    ListedTool,
    broken_frames,
    harmless_request,
    templates,
)
from inspector.schema.example import example
from inspector.spec import methods
from inspector.spec.mcp_types_validator import validate_call
from inspector.spec.method import MethodKind, Side
from inspector.spec.revision import STATEFUL
from inspector.transcript.exchange import Status
from inspector.wire.message import MessageKind, read
from tests.support.answering import AnsweringServer
from tests.support.modern import EVERYTHING, modern
from tests.support.modern import meta_of as sent_meta_of
from tests.support.opened import opened
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject

SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
LISTED = Listed(
    tuple(ListedTool(f"tool {number}", SCHEMA) for number in range(MAX_NAMES + 5)),
    (ListedPrompt("greet", ("who",)),),
    ("file:///a", "file:///b"),
)


def check(session: Session, listed: Listed) -> None:
    """Every method has a template that the official validator accepts."""
    revision = session.revision
    assert revision is not None
    made = templates(session, listed)
    kinds = (MethodKind.REQUEST, MethodKind.NOTIFICATION)
    for kind, group in zip(kinds, (made.requests, made.notifications), strict=True):
        sent = {json.loads(each.text)["method"] for each in group}
        assert sent == {*methods.names(revision, kind=kind)}
        for each in group:
            message = json.loads(each.text)
            assert ("id" in message) == (kind is MethodKind.REQUEST)
            errors = validate_call(
                message["method"], message.get("params"), kind, Side.CLIENT, revision
            )
            assert not errors, f"{each.title}: {errors}"


@pytest.mark.parametrize("listed", [Listed(), LISTED], ids=["nothing listed", "lists"])
@pytest.mark.parametrize("revision", STATEFUL, ids=str)
async def test_every_method_has_a_valid_template(revision: Revision, listed: Listed) -> None:
    """Ours: with what the revision requires, whether or not the server lists anything."""
    async with opened(AnsweringServer(revision=revision)) as session:
        check(session.session, listed)


@pytest.mark.parametrize("listed", [Listed(), LISTED], ids=["nothing listed", "lists"])
async def test_every_method_without_a_handshake_has_a_valid_template(listed: Listed) -> None:
    """Ours; C-MET-04, C-MET-05."""
    async with modern() as (_, session):
        check(session.session, listed)


async def test_names_that_the_server_lists_are_offered_within_a_bound() -> None:
    """Ours: with the arguments that their schema requires."""
    async with opened(AnsweringServer()) as session:
        made = templates(session.session, LISTED)
        calls = [each for each in made.requests if each.title.startswith("tools/call")]
        assert [each.title for each in calls][:2] == ["tools/call", "tools/call tool 1"]
        assert len(calls) == MAX_NAMES
        params = json.loads(calls[0].text)["params"]
        assert params == {"name": "tool 0", "arguments": {"city": ""}}
        found = made.find("resources/read file:///b")
        assert found is not None
        assert json.loads(found.text)["params"]["uri"] == "file:///b"


async def test_names_that_are_shown_alike_are_still_told_apart() -> None:
    """Ours: a server may list anything."""
    names = ("other", "a\x1b", "a\x1b", "b" * 500)
    async with opened(AnsweringServer()) as session:
        listed = Listed(tuple(map(ListedTool, names)))
        calls = templates(session.session, listed).requests
        titles = [each.title for each in calls if each.title.startswith("tools/call ")]
        assert len({*titles}) == 3
        assert max(map(len, titles)) < 120
        assert not any("\x1b" in title for title in titles)


def test_broken_frames_are_what_they_are_called() -> None:
    """Ours: each is another text, and most are no valid message."""
    frames = {each.title: each.text for each in broken_frames(PING)}
    assert len({*frames.values()}) == len(frames)
    kinds = {title: read(text.encode()).kind for title, text in frames.items()}
    assert kinds["Batch"] is MessageKind.BATCH
    assert kinds["Unknown notification"] is MessageKind.NOTIFICATION
    assert kinds["Not JSON"] is MessageKind.MALFORMED
    assert frames["No jsonrpc"] == PING.replace('"jsonrpc":"2.0",', "")
    assert frames["Two ids"].count('"id"') == 2


async def test_the_example_is_a_ping_where_there_is_one_and_else_a_whole_question() -> None:
    """C-MET-04, C-MET-05: what a revision wants in every request is in it, so that the server answers."""
    async with opened(AnsweringServer()) as session:
        assert harmless_request(session.session) == PING

    async with modern() as (server, session):
        frame = await session.raw.send(harmless_request(session.session))
        await wait_until(lambda: session.session.transcript.status(frame) is Status.OK)

        first, again = server.of("server/discover")
        assert again["id"] == "raw-1"
        assert again["params"] == first["params"]
        assert sent_meta_of(again)["io.modelcontextprotocol/clientCapabilities"] == EVERYTHING


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        (SCHEMA, {"city": ""}),
        ({"type": "integer", "minimum": 3}, 3),
        ({"enum": ["a", "b"]}, "a"),
        ({"const": 7, "type": "integer"}, 7),
        ({"type": ["null", "boolean"]}, False),
        ({"type": "array", "items": {"type": "string"}}, []),
        ({"type": "array", "items": {"type": "integer"}, "minItems": 1}, [0]),
        ({"anyOf": [{"type": "number"}, {"type": "string"}]}, 0),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"default": "x"}}}, "x"),
        ({"$ref": "#"}, ""),
        ({"required": ["a", 1], "type": "object"}, {"a": ""}),
        (True, ""),
        (None, ""),
    ],
)
def test_an_example_has_what_is_required(schema: object, made: object) -> None:
    """Ours: schemas of servers may be anything."""
    assert example(json.loads(json.dumps(schema))) == made
