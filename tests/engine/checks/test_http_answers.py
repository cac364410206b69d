"""What HTTP answers do that other clients stumble over, on a real socket."""

from __future__ import annotations

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.errors import InspectorError
from tests.support.findings import rules_of
from tests.support.http_session import at, connected
from tests.support.http_stub import HttpStub, Rule, answer, reply, result_event, stream
from tests.support.wait import wait_until

INITIALIZED = "POST notifications/initialized"
RETRY = "L-SES-19"


async def rules(key: str, rule: Rule | None, expected: int = 1) -> list[str]:
    """The rules that a server breaks which plays `rule`, once there are as many as expected."""
    async with HttpStub({key: rule} if rule else {}) as stub, connected(at(stub.url)) as session:
        sweep = BackgroundValidator(session.transcript, session.revision)

        def found() -> list[str]:
            sweep.validate_slice(1.0)
            return [rule for rule in rules_of(session.transcript) if rule.startswith("L-HTTP")]

        await wait_until(lambda: stub.answered and len(found()) >= expected)
        await wait_until(
            lambda: any(asked.rpc == "notifications/initialized" for asked in stub.answered)
        )
        return sorted(set(found()))


@pytest.mark.parametrize("status", [200, 201, 204])
async def test_a_notification_is_answered_by_202(status: int) -> None:
    """L-HTTP-03: basic/transports, "Sending Messages to the Server"."""
    assert await rules(INITIALIZED, reply(status)) == ["L-HTTP-03"]


@pytest.mark.parametrize("body", [b"null", b"{}", b"Accepted"])
async def test_202_comes_without_a_body(body: bytes) -> None:
    """L-HTTP-04."""
    assert await rules(INITIALIZED, reply(202, body, "application/json")) == ["L-HTTP-04"]


async def test_a_notification_gets_no_result() -> None:
    """L-HTTP-05."""
    refusal = answer({"jsonrpc": "2.0", "id": 99, "result": {}})
    assert await rules(INITIALIZED, refusal, expected=2) == ["L-HTTP-03", "L-HTTP-05"]


async def test_405_names_the_methods_there_are() -> None:
    """L-HTTP-08: RFC 9110, section 15.5.6."""
    assert await rules("GET", reply(405)) == ["L-HTTP-08"]
    assert await rules("GET", reply(405, allow="POST"), expected=0) == []


async def test_a_well_behaved_server_breaks_no_rule() -> None:
    """Ours."""
    assert await rules("", None, expected=0) == []


@pytest.mark.parametrize(("asked", "found"), [(0, [RETRY]), (99, [RETRY]), (100, [])])
async def test_a_delay_of_almost_nothing_is_told_once(asked: int, found: list[str]) -> None:
    """C-HTTP-12, L-SES-19: a server may set it with every event of every stream."""
    event = f"retry: {asked}\nid: a\ndata:\n\n"
    hurried = stream(event, event, result_event())
    async with (
        HttpStub({"POST tools/call": hurried}) as stub,
        connected(at(stub.url)) as session,
    ):
        sweep = BackgroundValidator(session.transcript, session.revision)
        for _ in range(2):
            await session.request("tools/call", {"name": "x"})
        await sweep.finish(5)
        transcript = session.transcript
        rules = [
            each.rule for n in range(1, transcript.count + 1) for each in transcript.findings(n)
        ]

    assert [rule for rule in rules if rule == RETRY] == found


@pytest.mark.parametrize("status", [400, 409])
async def test_the_error_of_a_failed_exchange_needs_no_id(status: int) -> None:
    """C-HTTP-48, L-JR-08: basic/transports, "Sending Messages to the Server"."""
    raw = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"what"}}'
    refused = reply(status, raw, "application/json")
    async with (
        HttpStub({"POST tools/call": refused, "POST notifications/x": refused}) as stub,
        connected(at(stub.url)) as session,
    ):
        sweep = BackgroundValidator(session.transcript, session.revision)
        with pytest.raises(InspectorError):
            await session.request("tools/call", {"name": "x"})
        await session.peer.notify("notifications/x")
        await wait_until(lambda: stub.answered[-1].rpc == "notifications/x")
        await sweep.finish(5)
        found = rules_of(session.transcript)

    assert not {"L-JR-08", "unassigned-error"} & set(found)
