"""Engine events end where the widget ends."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject

from inspector.event import Event
from tests.support.wait import wait_until
from ui.bind import bind, bind_coalesced


def destroy(owner: QObject) -> None:
    owner.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


async def test_a_bound_receiver_hears_the_event_with_its_arguments() -> None:
    """Ours."""
    owner, event, heard = QObject(), Event[int, str](), list[tuple[int, str]]()
    bind(owner, event, lambda number, word: heard.append((number, word)))

    event.fire(7, "x")

    assert heard == [(7, "x")]


async def test_a_bound_receiver_hears_nothing_after_its_owner_was_destroyed() -> None:
    """Ours."""
    owner, event, heard = QObject(), Event[()](), list[int]()
    bind(owner, event, lambda: heard.append(1))
    destroy(owner)

    event.fire()

    assert heard == []


async def test_a_binding_can_be_ended_earlier() -> None:
    """Ours."""
    owner, event, heard = QObject(), Event[()](), list[int]()
    bind(owner, event, lambda: heard.append(1))()

    event.fire()

    assert heard == []


async def test_a_coalesced_receiver_hears_the_first_event_at_once_and_the_rest_as_one() -> None:
    """Ours."""
    owner, event, heard = QObject(), Event[()](), list[int]()
    bind_coalesced(owner, event, lambda: heard.append(1))

    for _ in range(1000):
        event.fire()

    assert heard == [1]
    await wait_until(lambda: len(heard) == 2)


async def test_a_coalesced_receiver_may_cause_the_event_itself() -> None:
    """Ours: no recursion, no loss."""
    owner, event, heard = QObject(), Event[()](), list[int]()

    def receive() -> None:
        heard.append(1)
        if len(heard) < 3:
            event.fire()

    bind_coalesced(owner, event, receive, 5)
    event.fire()

    assert heard == [1]
    await wait_until(lambda: len(heard) == 3)


async def test_a_coalesced_receiver_is_not_called_after_its_owner_was_destroyed() -> None:
    """Ours."""
    owner, event, heard = QObject(), Event[()](), list[int]()
    bind_coalesced(owner, event, lambda: heard.append(1), 1)
    event.fire()
    event.fire()
    destroy(owner)

    event.fire()

    assert heard == [1]
