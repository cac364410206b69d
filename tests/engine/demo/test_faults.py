"""Every fault does what it says, and the session goes on after those that let it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.demo.malformed import NEVER_ASKED
from inspector.demo.tools import TOOLS
from inspector.demo.tools.fault_bytes import NOISES, SPELLINGS
from inspector.demo.tools.fault_messages import ENVELOPES, TOKEN_TITLES
from inspector.demo.tools.fault_results import BROKEN_CONTENT, BROKEN_PROMISES, MALFORMED_ENTRIES
from tests.engine.demo.client import Client, blocks, demo, member, member_object, told

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

PROPER = "This answer is as it should be."


def test_every_fault_is_called_by_a_test() -> None:
    """Ours."""
    others = (
        "test_tasks.py",
        "test_extension_tasks.py",
        "test_stateless.py",
        "test_stateless_client.py",
    )
    here = Path(__file__).read_text() + "".join(
        Path(__file__).with_name(name).read_text() for name in others
    )

    assert [
        tool.name
        for tool in TOOLS
        if tool.name.startswith("fault_") and f'"{tool.name}"' not in here
    ] == []


async def wrong_and_proper(client: Client, tool: str, how: str = "") -> bytes:
    """Call a fault that answers twice; its wrong line. The second answer is as it should be."""
    arguments: dict[str, Json] = {"answer_after": True}
    number = client.start(tool, {**arguments, "how": how} if how else arguments)
    wrong = await client.line()
    proper = json.loads(await client.line())
    assert proper["id"] == number
    assert proper["result"]["content"][0]["text"] == PROPER
    return wrong


async def test_invalid_json_is_not_json() -> None:
    """Transports, "stdio": nothing but messages on stdout."""
    async with demo() as client:
        for how in SPELLINGS:
            line = await wrong_and_proper(client, "fault_invalid_json", how)
            with pytest.raises(ValueError, match=r".*"):
                json.loads(line, parse_constant=refuse)


def refuse(word: str) -> None:
    raise ValueError(word)


async def test_invalid_utf8_is_json_but_for_its_bytes() -> None:
    """Corpus stdio-09."""
    async with demo() as client:
        line = await wrong_and_proper(client, "fault_invalid_utf8")

        with pytest.raises(UnicodeDecodeError):
            line.decode()
        assert json.loads(line.decode(errors="replace"))["result"]["note"].startswith("caf�")


async def test_a_message_is_printed_over_many_lines() -> None:
    """Corpus stdio-14."""
    async with demo() as client:
        number = client.start("fault_pretty_printed", {"answer_after": True})
        lines = [await client.line()]
        while lines[-1] != b"}\n":
            lines.append(await client.line())

        assert len(lines) > 5
        assert json.loads(b"".join(lines))["id"] == number
        assert (await client.message())["id"] == number


async def test_an_answer_that_is_lost_is_not_sent_again_unasked() -> None:
    """Ours."""
    async with demo() as client:
        client.start("fault_invalid_json")
        await client.line()
        await client.result("ping")

        assert len(client.seen) == 2


async def test_broken_responses_are_broken_as_they_say() -> None:
    """Basic, "Messages"."""
    async with demo() as client:
        wrong = {
            how: json.loads(await wrong_and_proper(client, "fault_wrong_envelope", how))
            for how in ENVELOPES
        }

        assert wrong["wrong_jsonrpc"]["jsonrpc"] == "1.0"
        assert "jsonrpc" not in wrong["no_jsonrpc"]
        assert wrong["null_id"]["id"] is None
        assert {"result", "error"} <= set(wrong["result_and_error"])
        assert set(wrong["neither"]) == {"jsonrpc", "id"}
        assert isinstance(wrong["in_a_batch"], list)


async def test_an_id_comes_back_as_a_string() -> None:
    """JSON-RPC 2.0, section 5: the id is the same, its type included."""
    async with demo() as client:
        line = await wrong_and_proper(client, "fault_wrong_id_type")

        assert json.loads(line)["id"] == "2"


async def test_a_request_is_answered_twice() -> None:
    """JSON-RPC 2.0, section 5."""
    async with demo() as client:
        number = client.start("fault_duplicate_response")

        assert await client.line() == await client.line()
        assert await client.result("ping") == {}
        assert number == 2


async def test_an_answer_comes_that_nobody_asked_for() -> None:
    """JSON-RPC 2.0, section 5."""
    async with demo() as client:
        number = client.start("fault_unknown_id")

        assert (await client.message())["id"] == NEVER_ASKED
        assert (await client.message())["id"] == number


async def test_progress_is_broken_as_it_says() -> None:
    """Basic utilities, "Progress"."""
    async with demo() as client:
        values: dict[str, list[Json]] = {}
        for how in TOKEN_TITLES:
            client.seen.clear()
            number = client.start("fault_bad_progress", {"how": how}, _meta={"progressToken": 7})
            await client.until("id", number)
            if how == "too_late":
                await client.message()
            values[how] = [params["progress"] for params in told(client)]

        assert values == {
            "backwards": [5, 3, 1],
            "beyond_total": [1, 2, 30],
            "unknown_token": [1],
            "words": ["half"],
            "too_late": [1],
        }


async def test_unknown_methods_are_sent_and_the_answer_is_told() -> None:
    """JSON-RPC 2.0, section 5.1."""
    async with demo() as client:
        number = client.start("fault_unknown_methods")
        request = await client.until("method", "demo/nonsense")
        client.write_message({"id": request["id"], "error": {"code": -32601, "message": "No"}})

        result = member_object(await client.until("id", number), "result")
        assert "answered by code -32601" in str(blocks(result)[0]["text"])
        assert client.seen[-3]["method"] == "notifications/demo/nonsense"


async def test_noise_comes_before_a_proper_answer() -> None:
    """Transports, "stdio": nothing but messages on stdout."""
    async with demo() as client:
        for kind, noise in NOISES.items():
            number = client.start("fault_noise", {"kind": kind})
            lines = [await client.line() for _ in range(noise.count(b"\n"))]
            assert b"".join(lines) == noise
            assert (await client.message())["id"] == number


async def test_a_message_in_pieces_is_whole_in_the_end() -> None:
    """Corpus stdio-07."""
    async with demo() as client:
        result = await client.call("fault_slow_bytes", {"pieces": 400, "seconds": 0.2})

        assert "望遠鏡" in str(blocks(result)[0]["text"])


async def test_a_flood_holds_every_message_in_order() -> None:
    """Ours: it is what floods are measured with."""
    async with demo() as client:
        number = client.start("fault_flood")
        lines = [await client.line() for _ in range(50_000)]

        assert json.loads(lines[0])["params"]["data"].startswith("message 1 of 50000")
        assert json.loads(lines[-1])["params"]["data"].startswith("message 50000 of 50000")
        assert (await client.message())["id"] == number


async def test_a_flood_can_be_cancelled() -> None:
    """Basic utilities, "Cancellation"."""
    async with demo() as client:
        number = client.start("fault_flood", {"count": 1_000_000})
        await client.line()
        client.notify("notifications/cancelled", {"requestId": number})
        ping = client.send("ping")

        answer = f'"id":{ping},"result":{{}}'.encode()
        while answer not in await client.line():
            pass


async def test_stderr_is_flooded() -> None:
    """Corpus stdio-09."""
    async with demo() as client:
        number = client.start("fault_stderr_flood", {"lines": 2500})
        while "flood line 2500 of 2500" not in await client.stderr_line():
            pass

        assert (await client.message())["id"] == number


async def test_a_huge_result_is_one_line_of_the_size_that_was_asked_for() -> None:
    """Corpus stdio-11."""
    async with demo() as client:
        result = await client.call("fault_huge_result", {"megabytes": 10})

        assert len(str(blocks(result)[0]["text"])) == 10_000_000


async def test_a_deep_result_is_as_deep_as_was_asked_for() -> None:
    """Ours."""
    async with demo() as client:
        client.start("fault_deep_result", {"depth": 100_000})

        line = await client.line()

        assert line.count(b"[") == 100_001
        assert line.endswith(b"}}}\n")


async def test_an_output_schema_is_broken() -> None:
    """Tools, "Output Schema"."""
    async with demo() as client:
        for how, wrong in BROKEN_PROMISES.items():
            assert await client.call("fault_wrong_output", {"how": how}) == wrong


async def test_content_is_broken() -> None:
    """Schema, ContentBlock."""
    async with demo() as client:
        for how, wrong in BROKEN_CONTENT.items():
            result = await client.call("fault_wrong_content", {"how": how})
            assert result["content"] == wrong


async def test_odd_tools_come_and_go() -> None:
    """Corpus list-06 and list-08."""
    async with demo() as client:
        await client.call("fault_odd_list")
        odd = member(await client.result("tools/list"), "tools")
        await client.call("fault_odd_list")
        even = member(await client.result("tools/list"), "tools")

        assert isinstance(odd, list)
        assert odd[1 : len(MALFORMED_ENTRIES) + 1] == MALFORMED_ENTRIES
        assert isinstance(even, list)
        assert even[0] == odd[0]
        assert even[1] == odd[len(MALFORMED_ENTRIES) + 1]
        assert len(told(client)) == 2


async def test_a_call_is_never_answered() -> None:
    """Lifecycle, "Timeouts"."""
    async with demo() as client:
        client.start("fault_never_answer")
        await client.result("ping")
        await client.end()

        assert await client.line() == b""


async def test_an_answer_comes_although_the_call_was_cancelled() -> None:
    """Basic utilities, "Cancellation": late answers are ignored."""
    async with demo() as client:
        number = client.start("fault_late_answer", {"seconds": 0.3})
        client.notify("notifications/cancelled", {"requestId": number})

        result = member_object(await client.until("id", number), "result")

        assert "come what may" in str(blocks(result)[0]["text"])


async def test_stdout_is_closed_while_the_process_goes_on() -> None:
    """Transports, "stdio"."""
    async with demo() as client:
        client.start("fault_close_stdout")
        await client.message()

        assert await client.line() == b""
        assert client.process.returncode is None
        assert await client.end() == 0


@pytest.mark.parametrize(
    ("moment", "rest"), [("before_answer", 0), ("mid_answer", 40), ("after_answer", -1)]
)
async def test_the_process_crashes_when_it_says(moment: str, rest: int) -> None:
    """Corpus stdio-24."""
    async with demo() as client:
        client.start("fault_crash", {"code": 9, "words": "ouch", "moment": moment})

        line = await client.line()

        assert await client.exited() == 9
        assert "demo: ouch\n" in await client.stderr()
        assert line.endswith(b"}\n") if rest < 0 else len(line) == rest
