"""What a server is in a run is compared with the run before, as soon as both are known; ours."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from inspector.background_tasks import at_once
from inspector.compare.json_difference import ChangeKind
from inspector.compare.server_snapshot import recorded_snapshot
from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.run_comparison import snapshot_of
from inspector.session.run import RunCause
from inspector.workspace import Workspace
from tests.support.answering import AnsweringServer, tool
from tests.support.opened import open_again, opened
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.compare.run_difference import RunDifference
    from inspector.json_value import Json
    from inspector.open_session import OpenSession

FIELD: Json = {"type": "object", "properties": {"status": {"type": "string"}}}
OTHER: Json = {"type": "object", "properties": {"state": {"type": "string"}}}


def a_server(*tools: Json) -> AnsweringServer:
    return AnsweringServer({"tools/list": lambda _: {"tools": list(tools)}})


OLD = a_server(tool("find", inputSchema=FIELD), tool("drop"), tool("keep"))
NEW = a_server(
    tool("keep", description="Keeps."), tool("find", inputSchema=OTHER), tool("a"), tool("b")
)


async def difference_of(session: OpenSession) -> RunDifference:
    await wait_until(lambda: session.comparison.difference is not None)
    assert session.comparison.difference is not None
    return session.comparison.difference


async def test_a_run_names_what_changed_since_the_run_before() -> None:
    """Ours: tools that were added or removed, and what changed of the others."""
    async with opened(OLD) as first:
        second = await open_again(first, NEW)
        difference = await difference_of(second)
        start = second.comparison.start

        found = {(each.kind, each.noun): each.names for each in difference.summaries}
        assert found[ChangeKind.ADDED, "tool"] == ("a", "b")
        assert found[ChangeKind.REMOVED, "tool"] == ("drop",)
        assert found[ChangeKind.CHANGED, "schema"] == ("find",)
        assert found[ChangeKind.CHANGED, "description"] == ("keep",)
        assert found[ChangeKind.MOVED, "tool"] in {("keep",), ("find",)}
        assert difference.text.startswith(
            "2 tools added, 1 tool removed, schema of find changed, description of keep changed"
        )
        (tools,) = difference.lists
        find = next(each for each in tools.changed if each.name == "find")
        assert find.paths == (
            (ChangeKind.REMOVED, "inputSchema.properties.status"),
            (ChangeKind.ADDED, "inputSchema.properties.state"),
        )
        assert (start.number, start.compared, start.cause) == (2, 1, RunCause.USER)
        assert start.difference is difference
        await second.aclose()


async def test_a_list_marks_what_is_new_or_changed_since_the_run_before() -> None:
    """Ours: for as long as the run; a reading that differs from the one before comes first."""
    async with opened(OLD) as first:
        second = await open_again(first, NEW)
        await wait_until(lambda: second.tools.news.text)

        assert second.tools.news.text == "2 new, 2 changed, removed: drop since run 1"
        assert second.tools.news.marks == {0: "changed", 1: "changed", 2: "new", 3: "new"}
        assert first.tools.news.text == ""
        await second.aclose()


async def test_a_run_in_which_nothing_changed_has_an_empty_difference() -> None:
    """Ours: it is known that nothing changed, as opposed to not known yet."""
    async with opened(OLD) as first:
        assert first.comparison.start.difference is None
        second = await open_again(first, OLD)
        difference = await difference_of(second)

        assert difference.is_empty
        assert difference.text == ""
        await second.aclose()


async def test_a_run_is_compared_with_the_latest_one_that_knew_the_server() -> None:
    """Ours: a run that failed to connect says nothing of its tools."""
    async with opened(a_server(tool("a"))) as first:
        failing = AnsweringServer()
        failing.answers["initialize"] = lambda _: "no result"
        second = await open_again(first, failing)
        assert second.session.greeting is None
        third = await open_again(second, a_server(tool("a"), tool("b")))

        assert (await difference_of(third)).text == "1 tool added"
        assert third.comparison.start.compared == 1
        assert third.session.run.cause is RunCause.NOT_CONNECTED
        assert third.session.run.reconnects
        await third.aclose()


async def test_a_list_that_changes_later_is_compared_again() -> None:
    """Ours."""
    server = a_server(tool("a"))
    async with opened(a_server(tool("a"))) as first:
        second = await open_again(first, server)
        assert (await difference_of(second)).is_empty

        server.answers["tools/list"] = lambda _: {"tools": [tool("a"), tool("b")]}
        server.notify("notifications/tools/list_changed")

        await wait_until(lambda: text_of(second) == "1 tool added")
        await second.aclose()


def text_of(session: OpenSession) -> str:
    difference = session.comparison.difference
    return difference.text if difference is not None else ""


async def test_a_recording_has_the_same_snapshot_as_its_session() -> None:
    """Ours: recordings are compared like runs."""
    pages: list[Json] = [
        {"tools": [tool("a"), tool("b", description="Ü")], "nextCursor": "2"},
        {"tools": [tool("c")]},
    ]
    server = AnsweringServer({"tools/list": lambda params: pages["cursor" in params]})
    async with opened(server) as session:
        live = await snapshot_of(session)
        recorded = at_once(recorded_snapshot(session.session.transcript))

        assert recorded.lists["tools"] == live.lists["tools"]
        assert live.lists["tools"] is not None
        assert len(live.lists["tools"]) == 3
        assert recorded.lists["prompts"] is None
        assert (recorded.revision, recorded.info, recorded.capabilities) == (
            live.revision,
            live.info,
            live.capabilities,
        )


async def test_the_cause_of_a_run_is_known() -> None:
    """Ours: the exit of a process, and files that changed."""
    workspace = Workspace(None)
    leaving = Profile(name="leaving", command=sys.executable, args=("-c", "raise SystemExit(7)"))
    first = workspace.open(leaving)
    try:
        await first.connect()
    except InspectorError:
        await workspace.end(first)
    second = workspace.open(leaving, changed_files="server.py")

    assert first.session.run.cause is RunCause.NONE
    assert second.session.run.cause is RunCause.FILES
    assert second.session.run.reason == "server.py changed"
    await workspace.aclose()


async def test_a_server_that_ends_is_the_cause_of_the_next_run() -> None:
    """Ours."""
    server = a_server(tool("a"))
    async with opened(server) as first:
        server.end()
        second = await open_again(first, a_server(tool("a")))

        assert second.session.run.cause is RunCause.LOST
        await second.aclose()
