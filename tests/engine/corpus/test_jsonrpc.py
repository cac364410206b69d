"""Cases about messages: ids, envelopes, notifications, timing."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING

import pytest

from inspector.errors import TimedOut
from inspector.session.operation import OperationState
from inspector.session.outgoing import Timeouts
from inspector.session.paginated_list import ListState
from inspector.session.session_state import SessionState
from inspector.transcript.exchange import Status
from inspector.wire.message import MessageKind
from tests.support.corpus import case, connected, failure_of, playing
from tests.support.wait import patience, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import JsonObject


async def test_an_answer_whose_id_became_text_is_taken_with_a_finding(tmp_path: Path) -> None:
    """jsonrpc-01-string-id-for-int."""
    began = time.monotonic()
    async with connected("jsonrpc-01-string-id-for-int", tmp_path) as played:
        assert time.monotonic() - began < patience(4)
        assert played.names() == ["a"]
        (frame,) = played.frames(rule="L-JR-06")
        (finding,) = played.transcript.findings(frame)
        assert (finding.pointer, '"2"' in finding.summary) == ("/id", True)


async def test_answers_that_all_have_the_id_zero_are_linked_to_nothing(tmp_path: Path) -> None:
    """jsonrpc-03-constant-zero-id."""
    async with playing("jsonrpc-03-constant-zero-id", tmp_path, timeout=0.5) as played:
        assert isinstance(await failure_of(played), TimedOut)

        (frame,) = played.frames(rule="L-JR-04")
        assert played.transcript.findings(frame)[0].pointer == "/id"
        assert played.transcript.message(frame).id == 0
        assert played.transcript.exchange(frame) is None


@pytest.mark.parametrize(("variant", "text"), [(0, "-32700 Parse error"), (1, "-32600 Invalid")])
async def test_an_error_that_belongs_to_nobody_stands_beside_what_waits(
    tmp_path: Path, variant: int, text: str
) -> None:
    """jsonrpc-04-error-id-null."""
    async with connected("jsonrpc-04-error-id-null", tmp_path, variant, timeout=0.5) as played:
        assert played.session.state is SessionState.READY
        assert played.opened.tools.state is ListState.FAILED
        assert isinstance(played.opened.tools.failure, TimedOut)
        (frame,) = played.frames(rule="unassigned-error")
        assert text in played.transcript.findings(frame)[0].summary
        assert (await played.session.request("ping")).message.result == {}


async def test_unknown_and_second_answers_are_marked_and_change_nothing(tmp_path: Path) -> None:
    """jsonrpc-06-unknown-and-duplicate."""
    async with connected("jsonrpc-06-unknown-and-duplicate", tmp_path) as played:
        await wait_until(lambda: played.frames(text='"alive"'))

        assert played.names() == ["a"]
        assert len(played.frames(rule="L-JR-04")) == 1
        assert len(played.frames(rule="L-JR-05")) == 1
        assert played.session.state is SessionState.READY


async def test_progress_for_nobody_is_marked_and_harmless(tmp_path: Path) -> None:
    """jsonrpc-08-unknown-progress-token."""
    async with connected("jsonrpc-08-unknown-progress-token", tmp_path) as played:
        await wait_until(lambda: len(played.frames(text="notifications/progress")) == 3)

        assert played.names() == ["a"]
        assert played.frames(rule="L-PRG-01") == played.frames(text="notifications/progress")
        assert played.session.state is SessionState.READY
        assert len(played.frames(kind=MessageKind.NOTE, text="started process")) == 1


@pytest.mark.parametrize("variant", [0, 1, 2])
async def test_an_answer_that_is_hardly_json_rpc_is_taken_with_a_finding(
    tmp_path: Path, variant: int
) -> None:
    """jsonrpc-10-missing-jsonrpc."""
    async with connected("jsonrpc-10-missing-jsonrpc", tmp_path, variant) as played:
        played.judge()

        assert played.names() == ["a"]
        (frame,) = played.frames(rule="L-JR-01")
        assert played.transcript.row(frame).method == "tools/list"


async def test_members_nobody_knows_are_kept(tmp_path: Path) -> None:
    """jsonrpc-12-extra-members."""
    async with connected("jsonrpc-12-extra-members", tmp_path) as played:
        assert played.names() == ["a"]
        (frame,) = played.frames(text='"trace":"x","meta":{"a":1}')
        value = played.transcript.message(frame).value
        assert isinstance(value, dict)
        assert value["meta"] == {"a": 1}


async def test_notifications_of_every_kind_are_recorded_and_never_answered(
    tmp_path: Path,
) -> None:
    """jsonrpc-14-unknown-notifications."""
    given = case("jsonrpc-14-unknown-notifications")["input"]
    assert isinstance(given, dict)
    sent = given["serverSends"]
    assert isinstance(sent, list)
    async with connected("jsonrpc-14-unknown-notifications", tmp_path) as played:
        await wait_until(lambda: len(played.frames(text='"requestId":12345')) == 1)
        await wait_until(lambda: all(played.frames(text=str(text)) for text in sent))
        await played.session.request("ping")

        assert played.methods()[-1] == "ping"
        assert all("method" in message for message in played.received())
        (loud,) = played.frames(text='"loud"')
        assert played.transcript.message(loud).params == {"level": "loud", "data": {"a": [1]}}


async def test_forty_calls_at_once_each_get_their_own_answer(tmp_path: Path) -> None:
    """jsonrpc-15-id-reuse-concurrency."""
    async with connected("jsonrpc-15-id-reuse-concurrency", tmp_path) as played:
        tool = played.opened.tools.items[0]
        calls = [played.opened.tools.call(tool, f'{{"index":{index}}}') for index in range(40)]
        await asyncio.gather(*(call.wait() for call in calls))

        said = [str(call.result.content[0].value("text")) for call in calls if call.result]
        assert [json.loads(text) for text in said] == [{"index": index} for index in range(40)]
        ids = [message["id"] for message in played.received() if "id" in message]
        assert len(ids) == len({repr(id_) for id_ in ids}) == 42
        responses = [call.response_frame for call in calls]
        assert responses != sorted(responses)


async def test_large_ids_come_back_digit_by_digit(tmp_path: Path) -> None:
    """jsonrpc-16-numbers-as-ids-large."""
    async with connected("jsonrpc-16-numbers-as-ids-large", tmp_path) as played:
        await wait_until(lambda: len([m for m in played.received() if "result" in m]) == 2)

        answers = [raw for raw in played.raws() if '"result"' in raw]
        assert sorted(answers) == [
            '{"jsonrpc":"2.0","id":"%s","result":{}}' % ("x" * 5000),
            '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}',
        ]


def _limits(variant: int) -> Timeouts:
    given = case("jsonrpc-17-timeout-and-progress")["input"]
    assert isinstance(given, dict)
    entries = given["variants"]
    assert isinstance(entries, list)
    entry = entries[variant - 1]
    assert isinstance(entry, dict)
    merged: JsonObject = {**given, **entry}
    return Timeouts(
        float(str(merged["clientTimeoutMs"])) / 1000,
        float(str(merged["maxTotalMs"])) / 1000,
        progress_resets=bool(merged.get("resetOnProgress", True)),
    )


async def test_a_slow_call_with_progress_is_answered_in_the_end(tmp_path: Path) -> None:
    """jsonrpc-17-timeout-and-progress, variant 1."""
    async with connected("jsonrpc-17-timeout-and-progress", tmp_path, 1) as played:
        call = played.opened.tools.call(played.opened.tools.items[0], "{}", timeouts=_limits(1))
        await call.wait()

        assert call.state is OperationState.DONE
        assert call.progress_count == 12
        assert call.took_seconds > 1.1
        request = await played.received_soon("tools/call")
        params = request["params"]
        assert isinstance(params, dict)
        assert "progressToken" in str(params["_meta"])


async def test_a_slow_call_whose_progress_does_not_count_times_out(tmp_path: Path) -> None:
    """jsonrpc-17-timeout-and-progress, variant 2."""
    async with connected("jsonrpc-17-timeout-and-progress", tmp_path, 2) as played:
        call = played.opened.tools.call(played.opened.tools.items[0], "{}", timeouts=_limits(2))
        await call.wait()

        assert call.state is OperationState.TIMED_OUT
        cancelled = await played.received_soon("notifications/cancelled")
        request = await played.received_soon("tools/call")
        params = cancelled["params"]
        assert isinstance(params, dict)
        assert params["requestId"] == request["id"]
        await wait_until(lambda: call.late_frame)
        assert "done at last" in played.transcript.raw(call.late_frame).decode()


async def test_a_call_with_endless_progress_ends_at_the_total_limit(tmp_path: Path) -> None:
    """jsonrpc-17-timeout-and-progress, variant 3."""
    async with connected("jsonrpc-17-timeout-and-progress", tmp_path, 3) as played:
        call = played.opened.tools.call(played.opened.tools.items[0], "{}", timeouts=_limits(3))
        await call.wait()

        assert call.state is OperationState.TIMED_OUT
        assert call.error is not None
        assert "total limit of 0.9 s" in call.error.reason
        assert call.progress_count >= 5
        assert played.transcript.status(call.request_frame) is Status.TIMED_OUT
