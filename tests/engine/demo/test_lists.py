"""Pages, resources, prompts and completion."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from inspector.demo.completion import MAX_VALUES
from inspector.demo.tools import TOOLS
from tests.engine.demo.client import NEWEST, demo, member

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


async def test_tools_come_in_pages_of_the_size_that_was_asked_for() -> None:
    """Pagination."""
    async with demo("--page-size", "7") as client:
        first = await client.result("tools/list")
        tools = await client.listed("tools/list", "tools")

        assert len(member_list(first, "tools")) == 7
        assert [tool["name"] for tool in tools] == [
            tool.name for tool in TOOLS if tool.is_known(NEWEST)
        ]


def member_list(result: JsonObject, name: str) -> list[Json]:
    value = result[name]
    assert isinstance(value, list)
    return value


async def test_a_list_has_a_few_pages_by_itself() -> None:
    """Ours."""
    async with demo() as client:
        for method in ("tools/list", "resources/list"):
            assert "nextCursor" in await client.result(method)
        assert "nextCursor" not in await client.result("prompts/list")


async def test_a_cursor_that_it_did_not_make_is_refused() -> None:
    """Pagination, "Error Handling"; the last one is of another list."""
    async with demo() as client:
        for cursor in ("", "nonsense", "éé", 3, None, "cmVzb3VyY2VzQDE2"):
            assert await client.error_code("tools/list", {"cursor": cursor}) == -32602


async def test_every_resource_can_be_read_and_has_the_size_that_it_says() -> None:
    """Resources, "Reading Resources"."""
    async with demo() as client:
        for resource in await client.listed("resources/list", "resources"):
            result = await client.result("resources/read", {"uri": resource["uri"]})
            contents = result["contents"]
            assert isinstance(contents, list)
            assert contents
            if "size" in resource:
                assert resource["size"] == len(decoded(contents[0]))
                assert member(contents[0], "mimeType") == resource["mimeType"]


def decoded(contents: Json) -> bytes:
    assert isinstance(contents, dict)
    if "blob" in contents:
        return base64.b64decode(str(contents["blob"]), validate=True)
    return str(contents["text"]).encode()


TEMPLATES = {
    "demo://greeting/japanese/Yuki": "こんにちは, Yuki!",
    "demo://greeting/english/J%C3%BCrgen%20B": "Hello, Jürgen B!",
    "demo://notes/2": '"number": 2',
    "demo://library/birds": "- herons",
    "demo://library/birds/kites": "# Kites",
    "demo://search": "whales.md",
    "demo://search?q=le": "levers.md",
    "demo://search?q=le&limit=1": "telescopes.md",
}
NOWHERE = ("demo://nothing", "demo://greeting/klingon/Worf", "demo://notes/99", "demo://library/x")


async def test_templates_lead_somewhere() -> None:
    """Resources, "Resource Templates"."""
    async with demo() as client:
        for uri, text in TEMPLATES.items():
            result = await client.result("resources/read", {"uri": uri})
            assert text in str(result["contents"])


async def test_what_is_not_there_is_not_found() -> None:
    """Resources, "Error Handling"."""
    async with demo() as client:
        for uri in NOWHERE:
            response = await client.ask("resources/read", {"uri": uri})
            assert member(response, "error", "code") == -32002
            assert member(response, "error", "data") == {"uri": uri}


async def test_a_prompt_is_filled_in() -> None:
    """Prompts, "Getting a Prompt"."""
    async with demo() as client:
        result = await client.result(
            "prompts/get", {"name": "greet", "arguments": {"name": "Ada", "language": "finnish"}}
        )

        assert "Greet Ada with “Hei”" in str(result["messages"])


INCOMPLETE: list[JsonObject] = [
    {"name": "nothing"},
    {"name": "greet"},
    {"name": "greet", "arguments": {"language": "finnish"}},
    {"name": "greet", "arguments": {"name": 3}},
]


async def test_a_prompt_without_what_it_needs_is_refused() -> None:
    """Prompts, "Getting a Prompt"."""
    async with demo() as client:
        for params in INCOMPLETE:
            assert await client.error_code("prompts/get", params) == -32602


def question(prompt: str, name: str, value: str, **chosen: str) -> JsonObject:
    return {
        "ref": {"type": "ref/prompt", "name": prompt},
        "argument": {"name": name, "value": value},
        "context": {"arguments": {**chosen}},
    }


SUGGESTED: list[tuple[JsonObject, list[str]]] = [
    (question("greet", "language", "f"), ["finnish", "french"]),
    (question("plan_trip", "country", ""), ["France", "Japan", "Norway", "Portugal"]),
    (question("plan_trip", "city", "l", country="Portugal"), ["Lisbon"]),
    (question("plan_trip", "city", "l"), ["Lille", "Lisbon", "Lyon"]),
    (question("plan_trip", "city", "", country="Atlantis"), []),
    (
        {
            "ref": {"type": "ref/resource", "uri": "demo://notes/{number}"},
            "argument": {"name": "number", "value": ""},
        },
        ["1", "2"],
    ),
]


async def test_completion_knows_what_fits() -> None:
    """Completion, "Requesting Completions"."""
    async with demo() as client:
        for params, values in SUGGESTED:
            result = await client.result("completion/complete", params)
            expected = {"values": values, "total": len(values), "hasMore": False}
            assert result["completion"] == expected


async def test_completion_says_when_there_is_more() -> None:
    """Completion: at most 100 values."""
    async with demo() as client:
        result = await client.result("completion/complete", question("greet", "name", ""))

        completion = result["completion"]
        assert isinstance(completion, dict)
        assert len(member_list(completion, "values")) == MAX_VALUES
        assert completion["hasMore"] is True


async def test_completion_of_the_unknown_is_refused() -> None:
    """Completion, "Error Handling"."""
    async with demo() as client:
        params = question("nothing", "language", "")
        assert await client.error_code("completion/complete", params) == -32602
