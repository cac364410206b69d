"""The well-behaved tools: what they take, what they say meanwhile, how they end."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from inspector.demo.conversation import LEVELS
from inspector.demo.tools import tasks
from tests.engine.demo.client import (
    EVERYTHING,
    STATEFUL,
    Client,
    blocks,
    demo,
    first_text,
    member,
    member_object,
    told,
)

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject


async def test_wrong_arguments_are_a_result_that_says_what_is_wrong() -> None:
    """Fourth revision, tools, "Error Handling"."""
    async with demo() as client:
        result = await client.call("echo", {"times": 50})

        assert result["isError"] is True
        assert first_text(result) == (
            "Wrong arguments: message is required; times must be at most 20."
        )


WRONG: list[tuple[str, JsonObject, str]] = [
    ("add", {"a": "1", "b": True}, "a must be of type number; b must be of type number"),
    ("weather", {"city": "rome"}, "city must be one of lisbon, oslo, nairobi, tokyo"),
    ("wait", {"seconds": -1}, "seconds must be at least 0"),
    ("ping_client", {"x": 1}, "x is not known"),
    ("form_text", {"name": "A"}, "name must be at least 2 characters"),
    ("form_text", {"name": "Ada", "postcode": "1"}, "postcode must match ^[A-Z]{2}[0-9]{4}$"),
    ("form_lists", {"address": {}, "tags": ["a"]}, "address.city is required"),
    ("form_lists", {"address": {"city": ""}, "tags": [1]}, "tags[0] must be of type string"),
    ("form_numbers", {"count": 1.5, "ratio": 0}, "count must be of type integer"),
]


async def test_each_kind_of_wrong_argument_is_named() -> None:
    """Ours."""
    async with demo() as client:
        for tool, arguments, text in WRONG:
            assert text in await client.words(tool, arguments)


async def test_a_sum_that_json_cannot_write_is_a_failure_of_the_tool() -> None:
    """Ours."""
    async with demo() as client:
        for number in (b"1e400", b"1" + b"0" * 400):
            client.write(
                b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"add",'
                b'"arguments":{"a":0.5,"b":%s}}}\n' % number
            )
            assert member(await client.until("id", 9), "result", "isError") is True


async def test_unknown_tools_and_arguments_that_are_no_object_are_protocol_errors() -> None:
    """Tools, "Error Handling"."""
    async with demo() as client:
        assert await client.error_code("tools/call", {"name": "nothing"}) == -32602
        assert await client.error_code("tools/call", {"name": "echo", "arguments": [1]}) == -32602


async def test_a_form_returns_the_line_as_it_arrived() -> None:
    """Ours: numbers keep their spelling."""
    async with demo() as client:
        line = (
            b'{"jsonrpc":"2.0", "id":9, "method":"tools/call", "params":{"name":"form_anything",'
            b' "arguments":{"x":1.50e1, "y":-0, "z":12345678901234567890123}}}'
        )
        client.write(line + b"\n")

        arrived = blocks(member_object(await client.until("id", 9), "result"))[1]["text"]

        assert arrived == f"The request exactly as it arrived:\n{line.decode()}"


async def test_progress_rises_to_its_total_with_words() -> None:
    """Basic utilities, "Progress"."""
    async with demo() as client:
        number = client.start(
            "countdown", {"steps": 4, "seconds": 0}, _meta={"progressToken": "p-1"}
        )
        await client.until("id", number)

        params = [*told(client)]
        assert params[-1] == {
            "progressToken": "p-1",
            "progress": 4,
            "total": 4,
            "message": "Lift-off",
        }
        assert [each["progress"] for each in params] == [0, 1, 2, 3, 4]


async def test_progress_is_not_told_to_a_client_that_did_not_ask_for_it() -> None:
    """Basic utilities, "Progress"."""
    async with demo() as client:
        await client.call("countdown", {"steps": 4, "seconds": 0})

        assert told(client) == []


@pytest.mark.parametrize("tool", ["countdown", "wait"])
async def test_a_cancelled_call_gets_no_answer(tool: str) -> None:
    """Basic utilities, "Cancellation"."""
    async with demo() as client:
        number = client.start(tool, {"seconds": 60})
        client.notify("notifications/cancelled", {"requestId": number, "reason": "test"})

        # The ping is answered although nothing came for the call.
        await client.result("ping")
        await client.end()

        assert f"cancelled: call {number} of {tool}" in await client.stderr()
        assert number not in [message.get("id") for message in client.seen]


async def test_cancelling_what_does_not_run_changes_nothing() -> None:
    """Basic utilities, "Cancellation"."""
    async with demo() as client:
        for number in (1, 99, "x", None):
            client.notify("notifications/cancelled", {"requestId": number})
        client.notify("notifications/cancelled")

        assert await client.result("ping") == {}


async def test_calls_run_beside_each_other() -> None:
    """Ours."""
    async with demo() as client:
        slow = client.start("wait", {"seconds": 60})
        assert await client.words("echo", {"message": "meanwhile"}) == "meanwhile"
        client.notify("notifications/cancelled", {"requestId": slow})


async def test_it_logs_at_all_eight_levels() -> None:
    """Logging, "Setting Log Level"."""
    async with demo() as client:
        await client.call("log_messages")

        assert logged_levels(client) == [*LEVELS]


async def test_it_keeps_to_the_level_that_was_set() -> None:
    """Logging, "Setting Log Level"."""
    async with demo() as client:
        await client.result("logging/setLevel", {"level": "error"})

        text = await client.words("log_messages")

        assert logged_levels(client) == ["error", "critical", "alert", "emergency"]
        assert "4 held back" in text
        assert await client.error_code("logging/setLevel", {"level": "loud"}) == -32602


def logged_levels(client: Client) -> list[Json]:
    return [params["level"] for params in told(client, "notifications/message")]


@pytest.mark.parametrize(
    ("what", "method"),
    [("tool", "tools/list"), ("resource", "resources/list"), ("prompt", "prompts/list")],
)
async def test_a_list_changes_and_changes_back(what: str, method: str) -> None:
    """Tools, "List Changed Notification", and likewise for the others."""
    key = f"{what}s"
    async with demo() as client:
        before = await client.listed(method, key)

        await client.call("toggle_tool", {"what": what})
        during = await client.listed(method, key)
        await client.call("toggle_tool", {"what": what})

        assert len(during) == len(before) + 1
        assert await client.listed(method, key) == before
        methods = [message["method"] for message in client.seen if "method" in message]
        assert methods == [f"notifications/{key}/list_changed"] * 2


async def test_failing_has_three_ways() -> None:
    """Tools, "Error Handling"."""
    async with demo() as client:
        assert (await client.call("fail_as_result"))["isError"] is True
        params: JsonObject = {"name": "fail_as_error", "arguments": {"code": "-32042"}}
        assert await client.error_code("tools/call", params) == -32042
        assert await client.error_code("tools/call", {"name": "fail_unexpectedly"}) == -32603
        await client.end()
        assert "KeyError" in await client.stderr()


async def test_notes_can_be_changed_and_subscribers_are_told() -> None:
    """Resources, "Subscriptions"."""
    async with demo() as client:
        await client.result("resources/subscribe", {"uri": "demo://notes"})
        await client.call("notes_add", {"text": "third"})
        await client.call("notes_tag", {"number": 3, "tag": "x"})
        await client.result("resources/unsubscribe", {"uri": "demo://notes"})
        await client.call("notes_rewrite", {"number": 1, "text": "first"})
        await client.call("notes_share", {"number": 1})
        gone = await client.words("notes_tear_out")
        await client.call("notes_send_away")
        notes = (await client.call("notes_read"))["structuredContent"]

        assert gone.startswith("Note 3 is gone")
        assert notes == {"notes": [{"number": 1, "text": "first", "tags": ["shared"]}]}
        assert told(client) == [{"uri": "demo://notes"}] * 2


async def test_an_update_is_told_to_subscribers_alone_unless_told_otherwise() -> None:
    """Resources, "Subscriptions"."""
    async with demo() as client:
        assert "Nobody subscribed" in await client.words("update_resource")
        await client.call("update_resource", {"even_if_unsubscribed": True})

        assert told(client, "notifications/resources/updated") == [{"uri": "demo://clock"}]


async def answer(client: Client, method: str, answer: JsonObject) -> JsonObject:
    """Wait for a request of the server and answer it; its params."""
    request = await client.until("method", method)
    client.write_message({"id": request["id"], **answer})
    params = request.get("params", {})
    assert isinstance(params, dict)
    return params


async def test_it_pings_the_client_and_tells_the_time_taken() -> None:
    """Basic utilities, "Ping"."""
    async with demo() as client:
        number = client.start("ping_client")
        await answer(client, "ping", {"result": {}})

        result = member_object(await client.until("id", number), "result")
        assert "answered the ping after" in first_text(result)


ASKING: list[tuple[str, JsonObject, str]] = [
    ("ask_roots", {}, "roots/list"),
    ("ask_sampling", {}, "sampling/createMessage"),
    ("ask_elicitation", {"mode": "form"}, "elicitation/create"),
    ("ask_elicitation", {"mode": "url"}, "elicitation/create"),
]


async def test_it_asks_the_client_and_returns_the_answer() -> None:
    """Client, "Roots", "Sampling" and "Elicitation"."""
    async with demo(capabilities=EVERYTHING) as client:
        for tool, arguments, method in ASKING:
            number = client.start(tool, arguments)
            await answer(client, method, {"result": {"mark": 17}})
            result = member_object(await client.until("id", number), "result")
            assert '"mark": 17' in str(blocks(result)[1]["text"])


async def test_it_tells_how_the_client_refused() -> None:
    """Basic, "Responses": errors."""
    async with demo() as client:
        for tool, arguments, method in ASKING:
            number = client.start(tool, {**arguments, "even_if_undeclared": True})
            await answer(client, method, {"error": {"code": -32601, "message": "No"}})
            result = member_object(await client.until("id", number), "result")
            assert "with code -32601: No" in first_text(result)


async def test_it_does_not_ask_for_what_the_client_did_not_declare() -> None:
    """Lifecycle, "Operation": only capabilities that were negotiated."""
    async with demo() as client:
        for tool, arguments, method in ASKING:
            result = await client.call(tool, arguments)
            assert result["isError"] is True
            assert f"{method} was not sent" in first_text(result)


async def test_a_question_is_withdrawn_when_the_call_is_cancelled() -> None:
    """Basic utilities, "Cancellation": either side may cancel."""
    async with demo(capabilities=EVERYTHING) as client:
        number = client.start("ask_roots")
        request = await client.until("method", "roots/list")
        client.notify("notifications/cancelled", {"requestId": number})

        withdrawn = await client.until("method", "notifications/cancelled")

        assert member(withdrawn, "params", "requestId") == request["id"]


async def test_a_question_that_nobody_answers_is_withdrawn_in_the_end() -> None:
    """Lifecycle, "Timeouts"."""
    async with demo(capabilities=EVERYTHING) as client:
        number = client.start("ask_roots", {"wait_seconds": 1})
        await client.until("method", "notifications/cancelled")

        result = member_object(await client.until("id", number), "result")
        assert "did not respond to roots/list within 1 seconds" in first_text(result)


async def test_the_form_of_an_elicitation_fits_the_revision() -> None:
    """Elicitation, "Requested Schema"."""
    for revision in STATEFUL[2:]:
        async with demo(revision=revision, capabilities=EVERYTHING) as client:
            client.start("ask_elicitation")
            params = await answer(client, "elicitation/create", {"result": {"action": "cancel"}})

            size = member(params, "requestedSchema", "properties", "size")
            assert isinstance(size, dict)
            assert ("oneOf" in size) is revision.has_url_elicitation
            assert ("enumNames" in size) is not revision.has_url_elicitation


async def test_tools_appear_with_the_revision_that_defines_what_they_show() -> None:
    """The changelog of each revision."""
    counts: list[set[str]] = []
    for revision in STATEFUL:
        async with demo(revision=revision) as client:
            counts.append(
                {str(tool["name"]) for tool in await client.listed("tools/list", "tools")}
            )

    added = [later - earlier for earlier, later in itertools.pairwise(counts)]
    assert added == [
        {"show_audio"},
        {
            "show_resource_links",
            "ask_elicitation",
            "ask_several",
            "ask_one_by_one",
            "fault_endless_rounds",
            "fault_wrong_output",
        },
        {tool.name for tool in (*tasks.TOOLS, *tasks.FAULT_TOOLS) if tool.is_known(STATEFUL[-1])},
    ]
