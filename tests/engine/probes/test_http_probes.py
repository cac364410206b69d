"""Probes of Streamable HTTP against a server that breaks each rule, and one that keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.probes.probe import Effect, Outcome
from inspector.probes.runner import PROBES, run_probes
from inspector.session.session import SessionState
from tests.support.findings import rules_of, validate_all
from tests.support.http_session import talking
from tests.support.http_stub import STREAM_TYPE, answer, reply, well_behaved

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.http_stub import Asked, Reply

    Otherwise = Callable[[Asked], Reply]

HTTP_PROBES = {probe.key for probe in PROBES if probe.effect is Effect.OPENS_CONNECTIONS}


def strict(asked: Asked) -> Reply:
    """What a proper server of the stateful era does, whatever is wrong with a request."""
    headers = asked.headers
    if "origin" in headers or not headers["host"].startswith("127.0.0.1"):
        return reply(403)
    return well_behaved(asked)


def breaking(broken: Callable[[Asked], bool], reply_: Reply | None = None) -> Otherwise:
    """A strict server that accepts what is `broken`, or answers it by `reply_`."""
    return lambda asked: (reply_ or well_behaved(asked)) if broken(asked) else strict(asked)


def accepts_no_stream(asked: Asked) -> bool:
    """Whether it is a GET that accepts something else."""
    return asked.verb == "GET" and asked.headers.get("accept") != STREAM_TYPE


@pytest.mark.parametrize(
    ("key", "rule", "otherwise"),
    [
        ("foreign-origin", "L-HTTP-09", breaking(lambda asked: "origin" in asked.headers)),
        ("foreign-origin", "L-HTTP-09", breaking(lambda a: "origin" in a.headers, reply(400))),
        ("foreign-host", "L-HTTP-09", breaking(lambda asked: "spyglass" in asked.headers["host"])),
        ("get-accept", "L-HTTP-07", breaking(accepts_no_stream, answer({}))),
    ],
)
async def test_a_probe_finds_what_a_careless_server_does(
    key: str, rule: str, otherwise: Otherwise
) -> None:
    """Ours: the finding is at the header block of the response."""
    async with talking(otherwise=otherwise) as (_, session):
        (concluded,) = [each async for each in run_probes(session, {key})]
        ((frame, finding),) = concluded.result.findings

        assert concluded.result.outcome is Outcome.FAILED
        assert finding.rule == rule
        assert rule in concluded.probe.rules
        assert session.transcript.raw(frame).startswith(b"HTTP/1.1 ")
        validate_all(BackgroundValidator(session.transcript, session.revision))
        assert rules_of(session.transcript).count(rule) == 1


async def test_a_server_that_keeps_the_rules_passes_every_probe() -> None:
    """Ours: and the session is what it was."""
    async with talking(otherwise=strict) as (_, session):
        found = {each.probe.key: each.result async for each in run_probes(session, HTTP_PROBES)}

        assert {
            key: each.text for key, each in found.items() if each.outcome is Outcome.FAILED
        } == {}
        assert {each.outcome for each in found.values()} == {Outcome.PASSED}
        assert session.state is SessionState.READY
        assert (await session.request("ping")).message.result == {}
