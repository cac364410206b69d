"""Responses that are not read for a while. Source: JSON-RPC 2.0: each request has a response; basic/transports, "stdio"."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.probes.probe import Outcome, Probe, ProbeResult, always
from inspector.probes.scenarios.parallel_requests import list_method

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext

COUNT = 50
PAUSE_SECONDS = 2.0


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a response to each, though the pipe or the connection was full."""
    method = list_method(context)
    if reason := await context.why_slow(method, None, COUNT):
        return ProbeResult(Outcome.NOT_TRIED, reason)
    reading = context.session.peer.reading
    reading.clear()
    going_on = asyncio.get_running_loop().call_later(PAUSE_SECONDS, reading.set)
    try:
        answers = await asyncio.gather(*(context.ask(method) for _ in range(COUNT)))
    finally:
        going_on.cancel()
        reading.set()
    for answer in answers:
        if answer.is_late:
            text = f"one of {COUNT} requests, whose responses were read {PAUSE_SECONDS:g} s late, has no response: {answer.text}"
            return context.find("L-JR-14", text, answer.frame)
    return context.conclude(answers[-1], f"{COUNT} responses")


PROBE = Probe(
    "slow-reader",
    "Responses that are read late",
    f"a list, and then {COUNT} times at once, whose responses are not read for {PAUSE_SECONDS:g} s",
    ("L-JR-14",),
    run,
    always,
    requests=COUNT + 1,
    seconds=PAUSE_SECONDS,
)
