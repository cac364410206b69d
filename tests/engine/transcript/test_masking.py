"""What leaves a record without its secrets: that of a real conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.transcript.masking import Masking
from inspector.wire.secrecy import MASK
from tests.support.demo_server import demo_session
from tests.support.opened import over
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.features.tool_call import ToolCall
    from inspector.workspace import OpenSession


def call(opened: OpenSession, name: str, arguments: str) -> ToolCall:
    tool = next(tool for tool in opened.tools.items if tool.name == name)
    return opened.tools.call(tool, arguments)


def frames(opened: OpenSession, masking: Masking) -> list[bytes]:
    return [masking.raw(number) for number in range(1, opened.session.transcript.count + 1)]


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_ids_of_tasks_are_in_the_record_and_in_no_copy(transport: str) -> None:
    """C-SEC-14: neither in the body nor in the header that repeats it."""
    async with demo_session(transport) as opened:
        made = call(opened, "task_steps", '{"steps": 1, "seconds": 0.1}')
        await over(made)
        assert made.task is not None
        id_, transcript = made.task.id.encode(), opened.session.transcript
        whole = frames(opened, Masking(transcript, with_secrets=True))
        hidden = frames(opened, Masking(transcript))

        assert sum(id_ in raw for raw in whole) >= 3
        assert all(id_ not in raw for raw in hidden)
        assert sum(MASK.encode() in raw for raw in hidden) >= 3


async def test_the_state_of_a_request_goes_back_as_it_came_and_into_no_copy() -> None:
    """C-SEC-14, C-MRTR-03."""
    async with demo_session("stdio") as opened:
        await over(call(opened, "ask_later", '{"rounds": 1}'))
        transcript = opened.session.transcript
        whole = frames(opened, Masking(transcript, with_secrets=True))
        given = [state for raw in whole if (state := spelled(raw))]

        assert len(given) == 2  # from the server, and back
        assert given[0] == given[1]
        assert all(given[0] not in raw for raw in frames(opened, Masking(transcript)))


def spelled(raw: bytes) -> bytes:
    """The state in a message as it is written there."""
    return raw.partition(b'"requestState":"')[2].partition(b'"')[0]


def test_the_longest_secret_is_masked_first_so_that_no_tail_of_it_shows() -> None:
    """C-SEC-14: whichever was known first."""
    talk = Talk()
    talk.transcript.redaction.know(("key-0123456789", "key-0123456789-tail"))
    number = talk.stderr(b"the key is key-0123456789-tail")

    assert Masking(talk.transcript).raw(number) == f"the key is {MASK}".encode()
