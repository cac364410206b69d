"""Questions for the user; ours."""

from __future__ import annotations

import asyncio

import pytest

from inspector import inbox as asks
from inspector.errors import PeerError
from inspector.inbox import Inbox, InboxItem, InboxItemStatus
from tests.support.wait import wait_until

HERE, THERE = object(), object()


def question(title: str = "?", origin: object = HERE) -> InboxItem:
    return InboxItem("sampling", origin, None, "server", 1, 0.0, title, None)


async def put(inbox: Inbox, *asked: InboxItem) -> list[asyncio.Task[object]]:
    """Put questions, each in a task of its own."""
    tasks: list[asyncio.Task[object]] = [asyncio.ensure_future(inbox.submit(ask)) for ask in asked]
    await wait_until(lambda: len(inbox.pending) >= len(asked))
    return tasks


async def test_questions_are_answered_in_any_order_and_none_is_lost() -> None:
    """elicit-08; ours."""
    inbox = Inbox()
    first, second = question("one"), question("two")
    tasks = await put(inbox, first, second)

    assert inbox.answer(second, {"n": 2})
    assert inbox.pending == (first,)
    assert inbox.answer(first, {"n": 1})
    assert await asyncio.gather(*tasks) == [{"n": 1}, {"n": 2}]
    assert inbox.items == ()
    assert inbox.status(first) is InboxItemStatus.ANSWERED


async def test_a_question_is_answered_once() -> None:
    """Ours: two sheets cannot send two answers."""
    inbox, ask = Inbox(), question()
    (task,) = await put(inbox, ask)

    assert inbox.answer(ask, 1)
    assert not inbox.answer(ask, 2)
    assert not inbox.reject(ask, PeerError(-1, "no"))
    assert await task == 1


async def test_a_refusal_reaches_whoever_asked() -> None:
    """C-SMP-03."""
    inbox, ask = Inbox(), question()
    (task,) = await put(inbox, ask)
    inbox.reject(ask, PeerError(-1, "no"))

    with pytest.raises(PeerError, match="no"):
        await task


async def test_the_end_of_a_connection_withdraws_its_questions_and_no_others() -> None:
    """Ours: they stay to be seen until they are dismissed."""
    inbox = Inbox()
    mine, other = question("mine"), question("other", THERE)
    tasks = await put(inbox, mine, other)
    inbox.withdraw_from(HERE, "the connection ended")
    await wait_until(tasks[0].done)

    assert tasks[0].cancelled()
    assert inbox.pending == (other,)
    assert (inbox.status(mine), inbox.note(mine)) == (
        InboxItemStatus.WITHDRAWN,
        "the connection ended",
    )
    assert not inbox.answer(mine, 1)
    inbox.dismiss(mine, other)
    assert inbox.items == (other,)
    inbox.answer(other, 1)


async def test_a_waiter_that_is_cancelled_withdraws_its_question() -> None:
    """Ours."""
    inbox, ask = Inbox(), question()
    (task,) = await put(inbox, ask)
    task.cancel()
    assert not inbox.answer(ask, 1)
    await wait_until(task.done)

    assert inbox.status(ask) is InboxItemStatus.WITHDRAWN


async def test_too_many_questions_are_refused_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """C-SMP-07, C-ELI-13."""
    monkeypatch.setattr(asks, "MAX_PENDING", 3)
    inbox = Inbox()
    waiting = [question(str(number)) for number in range(3)]
    await put(inbox, *waiting)

    with pytest.raises(PeerError, match="wait for a user"):
        await inbox.submit(question())
    for ask in waiting:
        inbox.answer(ask, None)


async def test_what_is_over_makes_room_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ours: everything that grows has a budget."""
    monkeypatch.setattr(asks, "MAX_FINISHED", 2)
    inbox = Inbox()
    asked = [question(str(number)) for number in range(5)]
    await put(inbox, *asked)
    inbox.withdraw_from(HERE, "over")

    assert inbox.items == tuple(asked[3:])


async def test_an_answer_with_words_stays_listed_and_can_say_more() -> None:
    """C-ELI-22."""
    inbox, ask = Inbox(), question()
    await put(inbox, ask)
    inbox.answer(ask, {}, text="under way")
    changed: list[str] = []
    inbox.changed.subscribe(lambda: changed.append(inbox.note(ask)))
    for text in ("done", "done"):
        inbox.set_note(ask, text)

    assert changed == ["done"]
    assert inbox.items == (ask,)
    assert inbox.note(ask) == "done"
    assert inbox.status(ask) is InboxItemStatus.ANSWERED
