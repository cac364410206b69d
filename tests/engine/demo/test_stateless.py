"""The demo server where every request stands alone: over stdio, by a client that knows no more than to send lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jsonschema_rs
import pytest

from inspector.demo.conversation import LEVELS
from inspector.demo.discovery import FAULTS
from inspector.demo.tools import TOOLS
from inspector.spec.mirrored_headers import annotated
from inspector.spec.revision import NEWEST, STATEFUL
from tests.engine.demo.client import (
    Client,
    bare_demo,
    demo,
    first_text,
    member,
    member_object,
    told,
)
from tests.engine.demo.stateless import (
    ALONE,
    PREFIX,
    calling,
    said,
    settled,
)
from tests.engine.demo.validity import ARGUMENTS, FRIENDLY, LISTS, filled, findings

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

TAG = f"{PREFIX}subscriptionId"


async def refused(client: Client, method: str, params: JsonObject) -> JsonObject:
    return member_object(await client.ask(method, params), "error")


async def test_everything_that_is_said_is_valid() -> None:
    """Ours: judged by the official validators, and by the rule that nothing is used before it was defined."""
    async with bare_demo() as client:
        await client.result("server/discover", said())
        offered = {method: await pages(client, method, key) for method, key in LISTS.items()}
        names = {str(tool["name"]) for tool in offered["tools/list"]}
        for tool in (each for each in FRIENDLY if each.name in names):
            called = calling(tool.name, **ARGUMENTS.get(tool.name, {}))
            await client.result("tools/call", said(called, logLevel="debug"))
        for tool in ("ask_roots", "ask_sampling", "ask_elicitation", "ask_several", "ask_later"):
            await settled(client, "tools/call", calling(tool))
        await settled(client, "tools/call", calling("ask_elicitation", mode="url"))
        for resource in offered["resources/list"]:
            await settled(client, "resources/read", {"uri": resource["uri"]})
        for prompt in offered["prompts/list"]:
            params: JsonObject = {"name": prompt["name"], "arguments": filled(prompt)}
            await settled(client, "prompts/get", params)

        assert [
            (message, finding)
            for message in client.seen
            for finding in findings(message, client.asked, NEWEST)
        ] == []


async def pages(client: Client, method: str, key: str) -> list[JsonObject]:
    """All entries of all pages."""
    found: list[JsonObject] = []
    params: JsonObject = {}
    while True:
        result = await client.result(method, said(params))
        page = result[key]
        assert isinstance(page, list)
        found += [entry for entry in page if isinstance(entry, dict)]
        if "nextCursor" not in result:
            return found
        params = {"cursor": result["nextCursor"]}


async def test_both_eras_are_spoken_side_by_side_unless_one_is_chosen() -> None:
    """Versioning, "Dual-era"."""
    async with demo() as client:
        assert (await client.result("tools/list", said()))["resultType"] == "complete"
        assert "resultType" not in await client.result("tools/list")
    async with bare_demo(*ALONE) as client:
        error = await refused(client, "initialize", {"protocolVersion": STATEFUL[-1].date})
        assert (error["code"], member(error, "data", "supported")) == (-32022, [NEWEST.date])
        assert await client.error_code("ping", said()) == -32601
    async with bare_demo("--era", "stateful") as client:
        assert await client.error_code("server/discover", said()) == -32601


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("tools/list", {}, -32602),
        ("tools/list", {"_meta": 1}, -32602),
        ("tools/list", {"_meta": {f"{PREFIX}protocolVersion": NEWEST.date}}, -32602),
        ("tools/list", {"_meta": {f"{PREFIX}clientCapabilities": {}}}, -32602),
        ("tools/list", said(protocolVersion="v999"), -32022),
        ("tools/list", said(logLevel="loud"), -32602),
        ("logging/setLevel", said({"level": "info"}), -32601),
        ("resources/subscribe", said({"uri": "demo://notes"}), -32601),
        ("subscriptions/listen", said(), -32602),
        ("tools/call", said(calling("ping_client")), -32602),
        ("tools/call", said({**calling("ask_later"), "inputResponses": None}), -32602),
        ("tools/call", said({**calling("ask_later"), "requestState": "mine"}), -32602),
        ("resources/read", said({"uri": "demo://nowhere"}), -32602),
    ],
)
async def test_what_is_wrong_with_a_request_is_said_by_its_code(
    method: str, params: JsonObject, code: int
) -> None:
    """Basic, "_meta", "Error Codes"."""
    async with bare_demo(*ALONE) as client:
        assert await client.error_code(method, params) == code


@pytest.mark.parametrize(
    ("tool", "arguments", "required"),
    [
        ("ask_sampling", {}, {"sampling": {}}),
        ("ask_roots", {}, {"roots": {}}),
        ("ask_elicitation", {}, {"elicitation": {"form": {}}}),
        ("ask_elicitation", {"mode": "url"}, {"elicitation": {"url": {}}}),
        ("ask_several", {}, {"elicitation": {"form": {}}}),
    ],
)
async def test_a_capability_that_was_not_declared_is_named(
    tool: str, arguments: JsonObject, required: JsonObject
) -> None:
    """Basic, "Error Codes": MissingRequiredClientCapability."""
    async with bare_demo(*ALONE) as client:
        error = await refused(client, "tools/call", said(calling(tool, **arguments), {}))

        assert (error["code"], member(error, "data", "requiredCapabilities")) == (-32021, required)


async def test_what_is_not_declared_is_asked_for_all_the_same_on_request() -> None:
    """Ours."""
    async with bare_demo(*ALONE) as client:
        params = said(calling("ask_roots", even_if_undeclared=True), {})

        assert (await client.result("tools/call", params))["resultType"] == "input_required"


@pytest.mark.parametrize(
    ("tool", "arguments", "rounds", "text"),
    [
        ("ask_roots", {}, 2, "file:///tmp"),
        ("ask_sampling", {}, 2, "Hello there"),
        ("ask_elicitation", {}, 2, "Ada"),
        ("ask_several", {}, 2, "Ada"),
        ("ask_one_by_one", {"rounds": 4}, 5, "moon moon moon moon"),
        ("ask_later", {"rounds": 3}, 4, "3 times"),
    ],
)
async def test_a_call_that_asks_is_answered_in_rounds(
    tool: str, arguments: JsonObject, rounds: int, text: str
) -> None:
    """Multi round-trip requests."""
    async with bare_demo(*ALONE) as client:
        took, result = await settled(client, "tools/call", calling(tool, **arguments))

        assert took == rounds
        assert text in str(result["content"])


async def test_prompts_and_resources_ask_too() -> None:
    """Multi round-trip requests: `prompts/get` and `resources/read`."""
    async with bare_demo(*ALONE) as client:
        took, prompt = await settled(client, "prompts/get", {"name": "introduce"})
        assert (took, "Ada" in str(prompt["messages"])) == (2, True)
        took, read = await settled(client, "resources/read", {"uri": "demo://guest-book"})
        assert (took, "Ada" in str(read["contents"])) == (2, True)
    async with demo() as client:
        assert await client.error_code("prompts/get", {"name": "introduce"}) == -32602
        uris = [entry["uri"] for entry in await client.listed("resources/list", "resources")]
        assert "demo://guest-book" not in uris


async def test_state_that_was_changed_or_belongs_elsewhere_is_refused() -> None:
    """Multi round-trip requests, "Security"."""
    async with bare_demo(*ALONE) as client:
        later = await client.result("tools/call", said(calling("ask_later")))
        state = str(later["requestState"])
        for other in ("ask_later", "ask_several"):
            changed = state if other != "ask_later" else state.swapcase()
            params = said({**calling(other), "requestState": changed})
            assert await client.error_code("tools/call", params) == -32602


async def test_log_messages_come_to_those_that_ask_for_them() -> None:
    """Logging: the level travels with each request."""
    async with bare_demo(*ALONE) as client:
        await client.result("tools/call", said(calling("log_messages")))
        assert told(client, "notifications/message") == []
        await client.result("tools/call", said(calling("log_messages"), logLevel="error"))

        levels = [params["level"] for params in told(client, "notifications/message")]
        assert levels == [*LEVELS[LEVELS.index("error") :]]


async def test_progress_comes_and_a_cancelled_call_gets_no_answer() -> None:
    """Cancellation, "stdio"."""
    async with bare_demo(*ALONE) as client:
        params = said(calling("countdown", seconds=30))
        number = client.send(
            "tools/call", {**params, "_meta": {**meta(params), "progressToken": 9}}
        )
        progress = await client.until("method", "notifications/progress")
        assert member(progress, "params", "progressToken") == 9
        client.notify("notifications/cancelled", {"requestId": number})
        await client.result("tools/list", said())

        assert number not in [message.get("id") for message in client.seen]


def meta(params: JsonObject) -> JsonObject:
    return member_object(params, "_meta")


async def test_announcements_are_tagged_and_only_what_was_asked_for() -> None:
    """Subscriptions."""
    async with bare_demo(*ALONE) as client:
        uris: list[Json] = ["demo://notes", "other://thing"]
        wanted: JsonObject = {"toolsListChanged": True, "resourceSubscriptions": uris}
        number = client.send("subscriptions/listen", said({"notifications": wanted}))
        first = await client.message()
        for what in ("tool", "prompt"):
            await client.result("tools/call", said(calling("toggle_tool", what=what)))
        await client.result("tools/call", said(calling("notes_add", text="x")))
        await client.result("tools/call", said(calling("end_subscriptions")))

        assert first["method"] == "notifications/subscriptions/acknowledged"
        assert member(first, "params", "notifications") == {
            "toolsListChanged": True,
            "resourceSubscriptions": ["demo://notes"],
        }
        assert all(member(params, "_meta", TAG) == number for params in told(client))
        assert [message["method"] for message in client.seen if "id" not in message][1:] == [
            "notifications/tools/list_changed",
            "notifications/resources/updated",
        ]
        (end,) = [message for message in client.seen if message.get("id") == number]
        assert member(end, "result", "_meta", TAG) == number
        assert [
            finding
            for message in client.seen
            for finding in findings(message, client.asked, NEWEST)
        ] == []


async def test_a_subscription_that_was_cancelled_is_silent() -> None:
    """Subscriptions, "stdio"."""
    async with bare_demo(*ALONE) as client:
        wanted: JsonObject = {"toolsListChanged": True}
        number = client.send("subscriptions/listen", said({"notifications": wanted}))
        await client.message()
        client.notify("notifications/cancelled", {"requestId": number})
        await client.result("tools/call", said(calling("toggle_tool")))

        assert told(client, "notifications/tools/list_changed") == []


def test_arguments_are_annotated_properly_and_wrongly() -> None:
    """Tools, "x-mcp-header"."""
    headed = next(tool for tool in TOOLS if tool.name == "form_headers")

    found = annotated(headed.input)
    assert [each.header for each in found.valid] == ["Region", "Priority", "Express", "City"]
    assert found.problems == ()
    jsonschema_rs.meta.validate(headed.input)


async def test_odd_tools_are_annotated_in_every_wrong_way() -> None:
    """L-TOOL-38."""
    async with bare_demo(*ALONE, "--odd-tools", "--page-size", "99") as client:
        tools = (await client.result("tools/list", said()))["tools"]
        assert isinstance(tools, list)
        odd = [
            tool
            for tool in tools
            if isinstance(tool, dict) and str(tool.get("name")).startswith("odd_header_")
        ]

        assert len(odd) == 11
        assert [tool for tool in odd if not annotated(tool["inputSchema"]).problems] == []


@pytest.mark.parametrize("how", FAULTS)
async def test_discovery_goes_wrong_on_request(how: str) -> None:
    """Ours."""
    async with bare_demo("--discover", how) as client:
        response = await client.ask("server/discover", said(None, {}))
        proper = [NEWEST.date]

        found = response.get("result", {})
        assert isinstance(found, dict)
        assert found.get("supportedVersions") != proper


async def test_the_capability_that_discovery_wants_opens_it() -> None:
    """Ours."""
    async with bare_demo("--discover", "capability") as client:
        found = await client.result("server/discover", said())
        assert found["supportedVersions"] == [NEWEST.date]


async def test_a_tool_says_who_asked() -> None:
    """Ours."""
    async with bare_demo(*ALONE) as client:
        info: JsonObject = {"name": "test", "version": "1"}
        result = await client.result(
            "tools/call", said(calling("about_this_session"), clientInfo=info)
        )

        assert NEWEST.date in first_text(result)
        assert '"test"' in first_text(result)
