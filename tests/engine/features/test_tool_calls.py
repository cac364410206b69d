"""Calls of tools, from the click to their end."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from inspector.errors import ConnectionLost, PeerError, TimedOut
from inspector.features.tools import ToolCall, Tools
from inspector.session.operation import MAX_OPERATIONS, OperationState
from inspector.session.outgoing import Timeouts
from inspector.spec.views.tool import ToolView
from tests.support.answering import AnsweringServer, connected, silence, tool
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import Answer

ECHO = ToolView(tool("echo"))


@asynccontextmanager
async def calling(
    answer: Answer, *, timeout: float = 5
) -> AsyncGenerator[tuple[Tools, AnsweringServer, Session]]:
    server = AnsweringServer({"tools/call": answer})
    async with connected(server, timeout=timeout) as session:
        yield Tools(session), server, session


def text(text: str) -> JsonObject:
    return {"content": [{"type": "text", "text": text}]}


async def ended(call: ToolCall) -> OperationState:
    await call.wait()
    return call.state


async def test_a_call_ends_with_the_result_read_from_the_record() -> None:
    """C-TOOL-03, C-TOOL-08."""
    async with calling(lambda _: text("hi")) as (tools, _, session):
        call = tools.call(ECHO, '{"a":1}')
        assert (call.state, call.is_finished, call.result) == (OperationState.RUNNING, False, None)
        assert await ended(call) is OperationState.DONE

        assert call.result is not None
        assert call.result.content[0].value("text") == "hi"
        assert call.took_seconds >= 0
        exchange = session.transcript.exchange(call.request_frame)
        assert exchange is not None
        assert exchange.response == call.response_frame
        assert exchange.label == "echo"


async def test_each_of_several_calls_has_its_result_of_one_batch() -> None:
    """C-JR-10, L-JR-15: servers send batches in revisions without them, too."""
    async with calling(silence) as (tools, server, session):
        calls = [tools.call(ECHO, "{}") for _ in "ab"]
        await wait_until(lambda: len(server.methods()) == 2)
        first, second = (call.exchange for call in calls)
        assert first is not None
        assert second is not None
        ids = [session.transcript.message(each.request).id for each in (first, second)]
        responses = [
            f'{{"jsonrpc":"2.0","id":{id_},"result":{{"content":[{{"type":"text","text":"{id_}"}}]}}}}'
            for id_ in ids
        ]
        server.send(f"[{','.join(responses)}]".encode())
        for call, id_, response in zip(calls, ids, responses, strict=True):
            assert await ended(call) is OperationState.DONE
            assert call.result is not None
            assert call.result.content[0].value("text") == str(id_)
            assert call.message == response.encode()


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("{}", "{}"),
        ('{"n":1.50,"e":1e3,"big":9007199254740993}', None),
        ('{ "a" : [ 1 ,\n 2 ] }', '{"a":[1,2]}'),
        ('{"s":"a  b\\n","u":"\\u00e9"}', None),
        ('{"a":1,"a":2}', None),
        ("null", None),
        ("[1]", None),
        ('"text"', None),
        ('{"n":null,"e":"","o":{}}', None),
    ],
)
async def test_arguments_leave_exactly_as_they_were_typed(typed: str, sent: str | None) -> None:
    """C-TOOL-05: only white space between tokens is taken out."""
    async with calling(lambda _: text("")) as (tools, _, session):
        call = tools.call(ECHO, typed)
        await call.wait()

        raw = session.transcript.raw(call.request_frame).decode()
        assert f'"name":"echo","arguments":{sent or typed},' in raw


async def test_no_arguments_are_no_arguments() -> None:
    """Ours: absent, null and empty are three things."""
    async with calling(lambda _: text("")) as (tools, server, _):
        await tools.call(ECHO, None).wait()

        params = server.received[-1]["params"]
        assert isinstance(params, dict)
        assert "arguments" not in params


async def test_text_that_is_not_json_is_refused_before_anything_is_sent() -> None:
    """C-STD-04."""
    async with calling(lambda _: text("")) as (tools, server, _):
        with pytest.raises(ValueError, match="not JSON"):
            tools.call(ECHO, '{"a":')

        assert tools.history.operations == []
        assert server.methods() == []


@pytest.mark.parametrize("name", ["Show every shelf", "", "x" * 300, 7, None])
async def test_a_tool_is_called_by_its_exact_name(name: Json) -> None:
    """C-TOOL-14; list-08."""
    async with calling(lambda _: text("")) as (tools, server, _):
        await tools.call(ToolView({"name": name}), "{}").wait()

        params = server.received[-1]["params"]
        assert isinstance(params, dict)
        assert params["name"] == name


async def test_a_tool_error_is_a_result() -> None:
    """C-TOOL-11."""
    async with calling(lambda _: {**text("no paper"), "isError": True}) as (tools, _, _session):
        call = tools.call(ECHO, "{}")

        assert await ended(call) is OperationState.TOOL_ERROR
        assert call.result is not None
        assert call.error is None


async def test_a_protocol_error_is_an_error_with_its_frame() -> None:
    """C-TOOL-12."""

    def refuse(_params: JsonObject) -> Json:
        raise PeerError(-32602, "Unknown tool", {"name": "echo"})

    async with calling(refuse) as (tools, _, session):
        call = tools.call(ECHO, "{}")

        assert await ended(call) is OperationState.ERROR
        assert call.exchange is not None
        assert call.took_seconds == call.exchange.took_seconds  # what the traffic shows
        assert isinstance(call.error, PeerError)
        assert (call.error.code, call.error.data) == (-32602, {"name": "echo"})
        assert call.response_frame == session.transcript.count
        assert call.result is None


@pytest.mark.parametrize("result", [None, [], 7, "text", {}])
async def test_a_result_of_any_shape_ends_the_call(result: Json) -> None:
    """C-JR-26."""
    async with calling(lambda _: result) as (tools, _, _session):
        call = tools.call(ECHO, "{}")

        assert await ended(call) is OperationState.DONE
        assert call.result is not None
        assert call.result.raw == result


async def test_a_call_that_is_cancelled_says_so_on_the_wire_and_keeps_a_late_answer() -> None:
    """C-CAN-03, C-CAN-06."""
    async with calling(silence) as (tools, server, session):
        call = tools.call(ECHO, "{}")
        await wait_until(lambda: server.methods() == ["tools/call"])
        call.cancel()
        assert await ended(call) is OperationState.CANCELLED
        call.cancel()
        await wait_until(lambda: server.methods()[-1] == "notifications/cancelled")
        assert call.late_frame == 0
        server.reply(server.received[2], text("too late"))

        assert call.late_frame == session.transcript.count
        assert call.result is None


async def test_a_call_cancelled_before_it_was_sent_never_is() -> None:
    """C-CAN-01."""
    async with calling(silence) as (tools, server, session):
        call = tools.call(ECHO, "{}")
        call.cancel()
        assert await ended(call) is OperationState.CANCELLED
        await session.request("ping")

        assert server.methods() == ["ping"]
        assert call.request_frame == 0


async def test_a_call_may_have_a_limit_of_its_own() -> None:
    """C-TOOL-07, C-TMO-03."""
    async with calling(silence) as (tools, server, session):
        call = tools.call(ECHO, "{}", timeouts=Timeouts(0.05))

        assert await ended(call) is OperationState.TIMED_OUT
        assert isinstance(call.error, TimedOut)
        server.reply(server.received[2], text("too late"))
        assert call.late_frame == session.transcript.count


async def test_a_call_whose_connection_ends_is_lost() -> None:
    """stdio-24: nothing is sent again by itself."""
    async with calling(silence) as (tools, server, _):
        call = tools.call(ECHO, "{}")
        await wait_until(lambda: server.methods() == ["tools/call"])
        server.end()

        assert await ended(call) is OperationState.NO_RESPONSE
        assert isinstance(call.error, ConnectionLost)
        assert server.methods() == ["tools/call"]


async def test_a_call_after_the_end_is_lost_at_once() -> None:
    """C-STD-14."""
    async with calling(silence) as (tools, server, _):
        server.end()

        assert await ended(tools.call(ECHO, "{}")) is OperationState.NO_RESPONSE


async def test_progress_is_shown_while_it_comes() -> None:
    """C-TOOL-03, C-PRG-03."""
    async with calling(silence) as (tools, server, _):
        call = tools.call(ECHO, "{}")
        seen: list[float | None] = []
        call.changed.subscribe(lambda: seen.append(call.progress and call.progress.fraction))
        await wait_until(lambda: server.methods() == ["tools/call"])
        params = server.received[-1]["params"]
        assert isinstance(params, dict)
        meta = params["_meta"]
        assert isinstance(meta, dict)
        for done in (1, 2):
            report: JsonObject = {
                "progressToken": meta["progressToken"],
                "progress": done,
                "total": 4,
                "message": "half",
            }
            server.notify("notifications/progress", report)
        server.reply(server.received[-1], text("done"))
        await call.wait()

        assert [step for step in seen if step is not None] == [0.25, 0.5, 0.5]
        assert call.progress_count == 2
        assert call.progress is not None
        assert call.progress.message == "half"


async def test_forty_calls_at_once_keep_their_own_results() -> None:
    """jsonrpc-15."""

    def echo(params: JsonObject) -> Json:
        arguments = params["arguments"]
        assert isinstance(arguments, dict)
        return text(str(arguments["index"]))

    async with calling(echo) as (tools, _, _session):
        calls = [tools.call(ECHO, f'{{"index":{index}}}') for index in range(40)]
        await asyncio.gather(*(call.wait() for call in calls))

        said = [call.result.content[0].value("text") for call in calls if call.result]
        assert said == [str(index) for index in range(40)]


async def test_earlier_calls_of_a_tool_can_be_gone_back_to_within_a_budget() -> None:
    """C-TOOL-08, C-SEC-18."""
    async with calling(lambda _: text("x")) as (tools, _, _session):
        other = tools.call(ToolView(tool("other")), "{}")
        for _ in range(MAX_OPERATIONS):
            tools.call(ECHO, "{}")
        await tools.history.operations[-1].wait()

        assert len(tools.history.operations) == MAX_OPERATIONS
        assert tools.history.dropped == 1
        assert other not in tools.history.operations
        assert len(tools.history.of(lambda call: call.tool.id_label == "echo")) == MAX_OPERATIONS


async def test_whoever_watches_is_told_of_a_new_call_before_it_is_sent() -> None:
    """Ours."""
    async with calling(lambda _: text("x")) as (tools, server, _):
        told: list[tuple[ToolCall, int]] = []
        tools.history.started.subscribe(lambda call: told.append((call, len(server.methods()))))
        call = tools.call(ECHO, "{}")
        await call.wait()

        assert told == [(call, 0)]
