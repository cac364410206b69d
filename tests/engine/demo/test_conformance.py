"""What the demo server offers to the conformance suite; the suite itself judges it in `make conformance`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonschema_rs
import pytest

from inspector.demo.conformance.tools import SCHEMA, TOOLS
from inspector.spec.revision import NEWEST as LATEST
from tests.engine.demo.client import (
    EVERYTHING,
    NEWEST,
    STATEFUL,
    Client,
    bare_demo,
    demo,
    first_text,
)
from tests.engine.demo.stateless import calling, settled
from tests.engine.demo.validity import LISTS, findings
from tests.support.demo_server import demo as http_demo
from tests.support.http_session import at, call, connected, result_text, words_of

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject

ASKING = {tool.name for tool in TOOLS if tool.name.startswith(("test_sampling", "test_elicit"))}


async def names(client: Client) -> list[str]:
    """What every entry of every list is found by."""
    entries = [entry for method, key in LISTS.items() for entry in await client.listed(method, key)]
    return [str(entry.get("uriTemplate", entry.get("uri", entry["name"]))) for entry in entries]


def is_fixture(name: str) -> bool:
    return name.startswith(("test_", "test://", "json_schema_"))


async def test_people_do_not_see_it() -> None:
    """Ours."""
    async with demo() as client:
        assert [name for name in await names(client) if is_fixture(name)] == []


async def test_the_first_page_has_all_of_it() -> None:
    """Ours: the suite reads one page of each list."""
    async with demo("--conformance") as client:
        page = await client.result("tools/list")
        listed = page["tools"]
        assert isinstance(listed, list)

        there = [str(tool["name"]) for tool in listed if isinstance(tool, dict)]
        known = [tool.name for tool in TOOLS if tool.is_known(NEWEST)]
        assert there[: len(known)] == known
        assert len([name for name in await names(client) if is_fixture(name)]) == len(known) + 8


@pytest.mark.parametrize("revision", STATEFUL, ids=str)
async def test_everything_of_it_is_valid_in_its_revision(revision: Revision) -> None:
    """Ours: judged by the official validators."""
    async with demo("--conformance", revision=revision, capabilities=EVERYTHING) as client:
        there = await names(client)
        for tool in TOOLS:
            if tool.name in there and tool.name not in ASKING:
                await client.call(tool.name)
        for uri in ("test://static-text", "test://static-binary", "test://template/7/data"):
            await client.result("resources/read", {"uri": uri})
        for prompt in (name for name in there if name.startswith(("test_simple_p", "test_prompt"))):
            arguments: JsonObject = {"arg1": "a", "arg2": "b", "resourceUri": "test://x"}
            await client.result("prompts/get", {"name": prompt, "arguments": arguments})

        assert [
            (message, finding)
            for message in client.seen
            for finding in findings(message, client.asked, revision)
        ] == []


async def test_everything_of_it_is_valid_where_requests_stand_alone() -> None:
    """Ours: judged by the official validators."""
    async with bare_demo("--conformance") as client:
        for tool in (tool for tool in TOOLS if tool.is_known(LATEST)):
            arguments = {"prompt": "?", "message": "?"} if tool.input.get("required") else {}
            if tool.name != "json_schema_2020_12_tool":
                await settled(client, "tools/call", calling(tool.name, **arguments))
        asked: JsonObject = {"name": "test_input_required_result_prompt"}
        assert (await settled(client, "prompts/get", asked))[0] == 2

        assert [
            (message, finding)
            for message in client.seen
            for finding in findings(message, client.asked, LATEST)
        ] == []


async def test_it_asks_the_client_and_says_what_came_back() -> None:
    """Elicitation."""
    async with demo("--conformance", capabilities=EVERYTHING) as client:
        number = client.start("test_elicitation_sep1034_defaults")
        asked = await client.until("method", "elicitation/create")
        answer: JsonObject = {"action": "accept", "content": {"age": 30}}
        client.write_message({"id": asked["id"], "result": answer})
        result = (await client.until("id", number))["result"]

        assert isinstance(result, dict)
        assert first_text(result).startswith("Elicitation completed: action=accept, content={")


async def test_a_client_that_cannot_be_asked_is_told_so() -> None:
    """Ours."""
    async with demo("--conformance") as client:
        result = await client.call("test_sampling", {"prompt": "?"})

        assert result["isError"] is True
        assert "“sampling”" in first_text(result)


async def test_the_answer_of_one_tool_comes_on_a_stream_that_is_opened_again() -> None:
    """SEP-1699; C-HTTP-10, C-HTTP-11."""
    async with http_demo("--http", "0", "--conformance") as url, connected(at(url)) as session:
        await call(session, "about_this_session")
        assert not words_of(session, "resuming")

        answer = await call(session, "test_reconnection")

        assert "opened again" in result_text(answer)
        assert words_of(session, "resuming")


def test_its_schema_is_one() -> None:
    """SEP-1613, SEP-2106."""
    jsonschema_rs.meta.validate(SCHEMA)
