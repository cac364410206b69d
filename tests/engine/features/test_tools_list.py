"""The list of tools, whatever the server makes of it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.features.tools import LIST_CHANGED, Tools
from inspector.session.paginated_list import ListState
from inspector.spec.view import PAGE_BUDGET
from inspector.wire import json_codec
from tests.support.answering import AnsweringServer, connected, silence, tool
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import Answer


@asynccontextmanager
async def tools_of(answer: Answer) -> AsyncGenerator[tuple[Tools, AnsweringServer]]:
    server = AnsweringServer({"tools/list": answer})
    async with connected(server) as session:
        yield Tools(session), server


def names(tools: Tools) -> list[str]:
    return [item.id_label for item in tools.items]


def rules(tools: Tools) -> list[str]:
    return [note.rule for note in tools.findings]


async def test_a_list_is_read_and_shown_in_its_order() -> None:
    """C-TOOL-14."""
    async with tools_of(lambda _: {"tools": [tool("b"), tool("a"), tool("B")]}) as (tools, server):
        assert tools.state is ListState.UNREAD
        await tools.refresh()

        assert names(tools) == ["b", "a", "B"]
        assert (tools.state, tools.findings, tools.more) == (ListState.READ, (), False)
        assert server.received[-1]["params"] == {}


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        ({}, []),
        ({"tools": None}, []),
        ({"tools": {"a": tool("a")}}, None),
        ({"tools": "none"}, None),
        (None, []),
        ([], []),
        ({"tools": [], "ttlMs": -5, "cacheScope": "everyone"}, []),
    ],
)
async def test_a_result_of_any_shape_is_a_list_with_a_note(result: Json, shown: Json) -> None:
    """list-09."""
    async with tools_of(lambda _: result) as (tools, _):
        await tools.refresh()

        assert tools.state is ListState.READ
        assert tools.findings
        assert shown is None or names(tools) == shown


async def test_no_item_is_lost_however_odd_it_is() -> None:
    """list-08: every entry is a row."""
    odd: list[Json] = [
        tool("Show every shelf"),
        tool(""),
        tool("x" * 300),
        {"inputSchema": {"type": "object"}},
        {"name": 7, "inputSchema": {"type": "object"}},
        None,
        "text",
        [],
        tool("ok"),
    ]
    async with tools_of(lambda _: {"tools": odd}) as (tools, _):
        await tools.refresh()

        assert len(tools.items) == len(odd)
        assert [bool(item.problems) for item in tools.items] == [True] * 8 + [False]
        assert names(tools)[1:5] == ["(empty name)", "x" * 300, "(no name)", "(7)"]
        assert [item.raw for item in tools.items] == odd


async def test_tools_of_one_name_are_all_there_and_marked() -> None:
    """list-06."""
    listed: list[Json] = [tool("open", n=1), tool("twin"), tool("open", n=2), tool("Twin")]
    async with tools_of(lambda _: {"tools": listed}) as (tools, _):
        await tools.refresh()

        assert names(tools) == ["open", "twin", "open", "Twin"]
        assert {at: found[0].rule for at, found in tools.duplicates.items()} == {
            0: "L-TOOL-04",
            2: "L-TOOL-04",
            1: "L-TOOL-05",
            3: "L-TOOL-05",
        }


def pages(*contents: tuple[list[str], Json]) -> Answer:
    """Pages by number: names and the next cursor; the cursor is the number of the page."""

    def answer(params: JsonObject) -> Json:
        at = 0 if "cursor" not in params else int(str(params["cursor"]))
        listed, following = contents[at]
        result: JsonObject = {"tools": [tool(name) for name in listed]}
        return result if following is None else {**result, "nextCursor": following}

    return answer


async def test_pages_are_read_to_the_end() -> None:
    """C-PAG-04; C-TOOL-19."""
    answer = pages((["a"], "1"), (["b"], "2"), (["c"], None))
    async with tools_of(answer) as (tools, server):
        await tools.refresh()

        assert names(tools) == ["a", "b", "c"]
        assert tools.pages_read == 3
        sent = [m["params"] for m in server.received if m.get("method") == "tools/list"]
        assert sent == [{}, {"cursor": "1"}, {"cursor": "2"}]


async def test_an_empty_cursor_is_a_cursor() -> None:
    """C-PAG-06; list-02."""

    def answer(params: JsonObject) -> Json:
        last = params == {"cursor": ""}
        return {"tools": [tool("b")]} if last else {"tools": [tool("a")], "nextCursor": ""}

    async with tools_of(answer) as (tools, _):
        await tools.refresh()

        assert names(tools) == ["a", "b"]


@pytest.mark.parametrize("cursor", ["", "8", "☃"])
async def test_a_cursor_that_comes_back_ends_the_list_with_a_note(cursor: str) -> None:
    """C-PAG-01; list-02, list-03."""
    page: JsonObject = {"tools": [tool("a"), tool("b")], "nextCursor": cursor}
    async with tools_of(lambda _: page) as (tools, server):
        await tools.refresh()

        assert names(tools) == ["a", "b"]
        assert server.methods() == ["tools/list"] * 2
        assert "L-PAG-04" in rules(tools)
        assert any(note.rule == "L-PAG-04" for note in tools.findings)
        assert not tools.more


@pytest.mark.parametrize("cursor", [None, 7, {}, ["x"], False])
async def test_a_cursor_that_is_no_text_ends_the_list_with_a_note(cursor: Json) -> None:
    """C-PAG-01."""
    page: JsonObject = {"tools": [tool("a")], "nextCursor": cursor}
    async with tools_of(lambda _: page) as (tools, server):
        await tools.refresh()

        assert names(tools) == ["a"]
        assert server.methods() == ["tools/list"]
        assert rules(tools) == ["L-PAG-01"]


async def test_pages_without_end_stop_at_the_budget_and_go_on_when_asked() -> None:
    """C-SEC-18; list-11."""

    def answer(params: JsonObject) -> Json:
        number = int(str(params.get("cursor", "0")))
        return {"tools": [tool(f"t{number}")], "nextCursor": str(number + 1)}

    async with tools_of(answer) as (tools, _):
        await tools.refresh()
        assert (len(tools.items), tools.more) == (PAGE_BUDGET, True)
        assert any(note.rule == "L-PAG-04" for note in tools.findings)

        await tools.load_more()
        assert (len(tools.items), tools.more) == (2 * PAGE_BUDGET, True)
        assert names(tools)[PAGE_BUDGET] == f"t{PAGE_BUDGET}"


async def test_an_error_keeps_what_was_read_before() -> None:
    """Ours."""

    def answer(params: JsonObject) -> Json:
        if params:
            raise PeerError(-32603, "the disk is full")
        return {"tools": [tool("a")], "nextCursor": "1"}

    async with tools_of(answer) as (tools, _):
        await tools.refresh()

        assert tools.state is ListState.FAILED
        assert isinstance(tools.failure, PeerError)
        assert names(tools) == ["a"]


async def test_a_list_that_is_never_answered_fails_in_time() -> None:
    """C-TMO-01; list-09."""
    server = AnsweringServer({"tools/list": silence})
    async with connected(server, timeout=0.05) as session:
        tools = Tools(session)
        await tools.refresh()

        assert tools.state is ListState.FAILED
        assert tools.failure is not None
        assert "timed out" in tools.failure.reason


async def test_after_a_failure_the_list_can_be_read_again() -> None:
    """Ours."""
    answers: list[Answer] = [silence, lambda _: {"tools": [tool("a")]}]
    server = AnsweringServer({"tools/list": lambda params: answers.pop(0)(params)})
    async with connected(server, timeout=0.05) as session:
        tools = Tools(session)
        await tools.refresh()
        await tools.refresh()

        assert (tools.state, tools.failure, names(tools)) == (ListState.READ, None, ["a"])


async def test_announced_changes_are_gathered_into_one_reading() -> None:
    """Ours: list_changed is debounced."""
    async with tools_of(lambda _: {"tools": [tool("a")]}) as (tools, server):
        await tools.refresh()
        server.answers["tools/list"] = lambda _: {"tools": [tool("a"), tool("b")]}
        for _ in range(20):
            server.notify(LIST_CHANGED)
        await wait_until(lambda: names(tools) == ["a", "b"])
        await asyncio.sleep(0)

        assert server.methods() == ["tools/list"] * 2


async def test_a_list_that_is_detached_is_read_again_by_nobody_but_its_owner() -> None:
    """Ours: each command of a shell has a list of its own, and one change would be answered by reading all of them."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("a")]}})
    async with connected(server) as session:
        tools, other = Tools(session), Tools(session)
        await tools.refresh()
        await other.refresh()
        other.detach()
        server.answers["tools/list"] = lambda _: {"tools": [tool("a"), tool("b")]}
        server.notify(LIST_CHANGED)
        await wait_until(lambda: names(tools) == ["a", "b"])
        assert server.methods() == ["tools/list"] * 3

        await other.refresh()

        assert names(other) == ["a", "b"]


async def test_a_change_announced_before_the_list_was_read_changes_nothing() -> None:
    """Ours."""
    async with tools_of(lambda _: {"tools": []}) as (tools, server):
        server.notify(LIST_CHANGED)
        await tools.refresh()

        assert server.methods() == ["tools/list"]


async def test_the_old_list_stays_until_the_first_page_of_the_new_one_is_here() -> None:
    """Ours: nothing flickers."""
    async with tools_of(lambda _: {"tools": [tool("a")]}) as (tools, _):
        seen: list[list[str]] = []
        await tools.refresh()
        tools.changed.subscribe(lambda: seen.append(names(tools)))
        await tools.refresh()

        assert seen
        assert all(shown == ["a"] for shown in seen)


async def test_a_server_without_tools_is_not_asked_but_can_be() -> None:
    """C-LC-10; lifecycle-05."""
    server = AnsweringServer(capabilities={})
    async with connected(server) as session:
        tools = Tools(session)
        assert not tools.offered
        assert server.methods() == []

        await tools.refresh()
        assert isinstance(tools.failure, PeerError)
        assert tools.failure.code == -32601


async def test_schemas_are_kept_word_for_word() -> None:
    """C-SCH-08."""
    schema = '{"type":"object","properties":{"n":{"minimum":1.0,"default":1e2,"x-own":[null]}}}'
    listed = json_codec.read(f'{{"tools":[{{"name":"a","inputSchema":{schema}}}]}}'.encode()).value
    async with tools_of(lambda _: listed) as (tools, _):
        await tools.refresh()

        assert json_codec.write(tools.items[0].value("inputSchema")) == schema


async def test_a_list_that_cannot_be_read_again_stays_as_it_was() -> None:
    """Ours: a failure says so beside the list, and takes nothing away."""
    answers: list[Json] = [{"tools": [tool("a")]}]

    def answer(_: JsonObject) -> Json:
        if not answers:
            raise PeerError(-32603, "not now")
        return answers.pop()

    async with tools_of(answer) as (tools, _):
        await tools.refresh()
        await tools.refresh()

        assert (names(tools), tools.state) == (["a"], ListState.FAILED)
        assert tools.failure is not None
