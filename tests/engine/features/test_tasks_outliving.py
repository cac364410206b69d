"""Tasks that are not over when the session is, or the program: they are asked for again in the next one."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector import workspace as workspaces
from inspector.config.client_settings import ClientSettings
from inspector.config.profile import Profile
from inspector.features import task_persistence
from inspector.features.task_persistence import SavedTask, SavedTasks
from inspector.session import era_cache
from inspector.session.task_record import InputState
from inspector.spec import tasks
from inspector.workspace import Workspace
from tests.support.answering import silence
from tests.support.modern import ModernServer, form, params_of
from tests.support.task_server import (
    DECLARED,
    OFFERED,
    Telling,
    answers,
    begin,
    done,
    followed,
    made,
    told,
    unknown,
)
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from pathlib import Path

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject

PROFILE = Profile(id="p", name="modern", command="modern", timeout_seconds=5)


@asynccontextmanager
async def started(
    folder: Path,
    server: ModernServer,
    monkeypatch: pytest.MonkeyPatch,
    profile: Profile = PROFILE,
    *,
    takes_tasks: bool = True,
) -> AsyncGenerator[OpenSession]:
    """A program that starts over `folder`, connects, and ends in order."""
    monkeypatch.setattr(workspaces, "make_transport", server.connect)
    client = ClientSettings(folder)
    await client.load()
    workspace = Workspace(None, client)
    opened = workspace.open(profile)
    opened.client.capabilities.switch("tasks_extension", on=takes_tasks)
    try:
        await opened.connect()
        yield opened
    finally:
        await workspace.aclose()
        await client.aclose()


def serving(
    get: Callable[[JsonObject], Json], /, **more: Callable[[JsonObject], Json]
) -> ModernServer:
    return ModernServer(answers(get, **more), discover=OFFERED)


def kept(folder: Path) -> str:
    """What is in the file."""
    return (folder / "client.json").read_text()


async def test_a_task_is_followed_again_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-TKX-05: two programs over the same folder; the second gets the result."""
    first = serving(lambda _: told(statusMessage="half way", pollIntervalMs=3_600_000))
    async with started(tmp_path, first, monkeypatch) as opened:
        record = await followed(begin(opened))
        await wait_until(lambda: record.asked_frame)
    assert '"taskId": "t"' in kept(tmp_path)
    second = serving(lambda _: done())
    async with started(tmp_path, second, monkeypatch) as opened:
        (record,) = opened.tasks.records
        assert record.is_earlier
        assert record.origin == "tools/call t"
        await wait_until(lambda: record.has_outcome)
        assert record.status == "completed"
        assert params_of(second.of("tasks/get")[0]) == {"taskId": "t"}
        assert second.of("tools/call") == []
    assert "taskId" not in kept(tmp_path)


async def test_a_task_is_kept_while_it_runs_and_not_only_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-TKX-05: durably, whatever becomes of the program."""
    server = serving(lambda _: told(pollIntervalMs=3_600_000))
    async with started(tmp_path, server, monkeypatch) as opened:
        await followed(begin(opened))
        file = tmp_path / "client.json"
        await wait_until(lambda: file.exists() and '"taskId": "t"' in kept(tmp_path))


async def test_what_was_answered_is_not_answered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-TKX-09: over the whole life of the task."""
    wanting = told("input_required", inputRequests={"a": form("A"), "b": form("B")})
    async with started(tmp_path, serving(lambda _: wanting), monkeypatch) as opened:
        await followed(begin(opened))
        await wait_until(lambda: len(opened.inbox.pending) == 2)
        opened.elicitation.decline(opened.inbox.pending[0])
        record = opened.tasks.records[0]
        await wait_until(lambda: record.inputs["a"].state is InputState.GIVEN)
    again = serving(lambda _: wanting)
    async with started(tmp_path, again, monkeypatch) as opened:
        await wait_until(lambda: opened.inbox.pending)
        assert [ask.title for ask in opened.inbox.pending] == ["B"]
        assert opened.tasks.records[0].inputs["a"].status_text == task_persistence.EARLIER_SESSION


async def test_a_task_that_is_not_known_any_more_is_told_so_and_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-TKX-14."""
    async with started(tmp_path, serving(silence), monkeypatch) as opened:
        await followed(begin(opened))
    async with started(tmp_path, serving(unknown), monkeypatch) as opened:
        (record,) = opened.tasks.records
        await wait_until(lambda: record.is_deleted)
        assert record.polling_error is not None
    assert "taskId" not in kept(tmp_path)


async def test_a_task_that_was_left_alone_is_offered_and_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours."""
    async with started(tmp_path, serving(silence), monkeypatch) as opened:
        record = await followed(begin(opened))
        opened.tasks.follow(record, on=False)
        await wait_until(lambda: not record.is_watched)
    later = serving(lambda _: told())
    async with started(tmp_path, later, monkeypatch) as opened:
        (record,) = opened.tasks.records
        assert not record.is_watched
        assert later.of("tasks/get") == []
        await opened.tasks.ask(record)
        assert record.frame
    assert '"taskId": "t"' in kept(tmp_path)


async def test_another_server_is_never_told_of_a_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: the id of a task is for the server alone that made it."""
    async with started(tmp_path, serving(silence), monkeypatch) as opened:
        await followed(begin(opened))
    other = serving(silence)
    edited = replace(PROFILE, command="another")
    async with started(tmp_path, other, monkeypatch, edited) as opened:
        assert opened.tasks.records == []
        assert other.of("tasks/get") == []


async def test_nothing_is_asked_where_tasks_are_not_agreed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-TKX-15."""
    async with started(tmp_path, serving(silence), monkeypatch) as opened:
        await followed(begin(opened))
    off = serving(silence)
    async with started(tmp_path, off, monkeypatch, takes_tasks=False) as opened:
        assert opened.tasks.records == []
    assert '"taskId": "t"' in kept(tmp_path)


async def test_a_reconnect_takes_up_what_ran(monkeypatch: pytest.MonkeyPatch) -> None:
    """C-TKX-05: in one program, with nothing on the disk."""
    monkeypatch.setattr(workspaces, "make_transport", serving(silence).connect)
    workspace = Workspace(None, ClientSettings(None))
    try:
        opened = workspace.open(PROFILE)
        opened.client.capabilities.switch("tasks_extension", on=True)
        await opened.connect()
        await followed(begin(opened))
        await workspace.close(opened)
        monkeypatch.setattr(workspaces, "make_transport", serving(lambda _: done()).connect)
        opened = workspace.open(PROFILE)
        await opened.connect()
        (record,) = opened.tasks.records
        await wait_until(lambda: record.has_outcome)
    finally:
        await workspace.aclose()


async def test_a_task_is_followed_whatever_became_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """C-TKX-16: asking, giving and ending know nothing of the method; which may become a task is said in one place."""
    get = Telling(told("input_required", inputRequests={"k": form("Who?")}), done())
    server = serving(get)
    monkeypatch.setattr(workspaces, "make_transport", server.connect)
    workspace = Workspace(None, ClientSettings(None))
    try:
        opened = workspace.open(PROFILE)
        opened.client.capabilities.switch("tasks_extension", on=True)
        raw: JsonObject = {"taskId": "t", "status": "working", "pollIntervalMs": 100}
        kept_before = SavedTask(
            "t", raw, "prompts/get p", opened.session.steps.clock.wall_s(), True
        )
        opened.client.tasks.update(era_cache.digest(PROFILE), [kept_before], ())
        await opened.connect()
        (record,) = opened.tasks.records
        await wait_until(lambda: opened.inbox.pending)
        opened.elicitation.decline(opened.inbox.pending[0])
        await wait_until(lambda: record.has_outcome)

        assert record.origin == "prompts/get p"
        assert len(server.of("tasks/update")) == 1
        assert not tasks.may_answer("prompts/get", DECLARED)
        assert tasks.may_answer("tools/call", DECLARED)
    finally:
        await workspace.aclose()


async def test_only_so_many_are_followed_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours."""
    names = [f"t{n}" for n in range(task_persistence.MAX_RESUMED + 5)]
    calls = Telling(*(made(taskId=name) for name in names))
    async with started(tmp_path, serving(silence, call=calls), monkeypatch) as opened:
        for _ in names:
            await followed(begin(opened))
    async with started(tmp_path, serving(silence), monkeypatch) as opened:
        assert [record.id for record in opened.tasks.records] == names
        watched = [record.id for record in opened.tasks.records if record.is_watched]
        assert watched == names[5:]


def entry(name: str = "t", since: float = 100.0, **raw: Json) -> SavedTask:
    return SavedTask(
        name, {"taskId": name, "status": "working", **raw}, "tools/call x", since, True
    )


def test_what_expired_is_not_offered() -> None:
    """C-TKX-14: after its time to live, counted from its making."""
    memory = SavedTasks()
    memory.update("d", [entry("short", ttlMs=5000), entry("long", ttlMs=None)], ())
    assert [task.id for task in memory.of("d", 104.0)] == ["short", "long"]
    assert [task.id for task in memory.of("d", 106.0)] == ["long"]
    assert memory.of("d", 100.0 + task_persistence.UNDATED_SECONDS + 1) == ()
    assert memory.of("e", 104.0) == ()


def test_the_number_and_size_of_what_is_kept_are_bounded() -> None:
    """Ours."""
    memory = SavedTasks()
    memory.update("d", (entry(f"t{n}") for n in range(task_persistence.MAX_SAVED + 5)), ())
    memory.update("d", [entry("x" * (task_persistence.MAX_ID + 1))], ())
    found = memory.of("d", 101.0)
    assert len(found) == task_persistence.MAX_SAVED
    assert found[0].id == "t5"
    long: JsonObject = {"taskId": "t", "statusMessage": "x" * 10_000, "result": {}, "ttlMs": 10**40}
    assert task_persistence.summarize(long) == {"taskId": "t", "statusMessage": "x" * 500}


@pytest.mark.parametrize(
    "saved",
    [
        None,
        5,
        [],
        {"target": "d"},
        {"target": 5, "tasks": []},
        {"target": "d", "tasks": [None, 5, {}, {"task": {"taskId": 5}, "since": 1}]},
        {"target": "d", "tasks": [{"task": {"taskId": "t"}, "since": "now"}]},
        {"target": "d", "tasks": {"t": {}}},
    ],
)
def test_what_was_saved_by_somebody_else_is_no_task(saved: Json) -> None:
    """Ours."""
    assert SavedTasks(saved).of("d", 0.0) == ()


def test_what_is_saved_is_read_again() -> None:
    """C-TKX-05."""
    saved: list[Json] = []
    memory = SavedTasks(None, saved.append)
    memory.update("d", [entry(ttlMs=5000)], ())
    memory.update("d", [entry(ttlMs=5000)], ())
    assert len(saved) == 1
    assert SavedTasks(saved[0]).of("d", 101.0) == memory.of("d", 101.0)
    memory.update("d", (), ["t"])
    assert saved[1:] == [{}]
