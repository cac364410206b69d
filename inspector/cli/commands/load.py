"""`load`: one call many times, several at once, and how long the calls took."""

from __future__ import annotations

import asyncio
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING

from inspector.cli.arguments import add_name_and_arguments
from inspector.cli.command import ERROR_RESPONSE, SUCCESS, TOOL_ERROR
from inspector.cli.options import add_meta_option, positive_count, positive_seconds
from inspector.cli.runner import session_command
from inspector.errors import ConnectionLost, InspectorError
from inspector.transcript.exchange import Status
from inspector.wire.json_codec import RawJson

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.json_value import JsonObject
    from inspector.session.session import Session

DEFAULT_CONCURRENCY = 10
DEFAULT_DURATION_S = 10.0

MAX_CALLS = 200_000
"""Calls of one run: every frame is kept until its end."""

MAX_REASONS, OTHER_REASONS = 100, "other reasons"
"""Reasons that are counted one by one: a server may give each call one of its own."""

SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}
"""Percentiles, by the share of the calls that take no longer."""


def _add_arguments(parser: ArgumentParser) -> None:
    text = "the tool, and its arguments as those of call"
    add_name_and_arguments(parser, "NAME", text)
    add_meta_option(parser)
    add = parser.add_argument
    text = f"calls at once at most (default {DEFAULT_CONCURRENCY})"
    add("--concurrency", type=positive_count, metavar="N", help=text)
    text = f"begin no call after S seconds (default {DEFAULT_DURATION_S:g}, without --count)"
    add("--for", dest="duration_s", type=positive_seconds, metavar="S", help=text)
    add("--count", type=positive_count, metavar="N", help="begin N calls at most")
    text = "begin N calls a second at most, evenly (default: as many as possible)"
    add("--rate", type=positive_seconds, metavar="N", help=text)


class Load:
    """Calls a tool until a number or a time is reached."""

    def __init__(self, session: Session, options: Options) -> None:
        """Call over `session` as `options` say."""
        self.took_s: list[float] = []
        """The durations of the calls that had a response."""
        self.tool_errors = 0
        """Results with `isError`."""
        self.errors: dict[str, int] = {}
        """Calls without a result, by reason."""
        self.seconds = 0.0
        """The whole run."""
        self._session = session
        self._options = options
        self._begun = 0
        self._started_s = 0.0

    async def run(self) -> None:
        """Make all calls; ends early if the connection does."""
        self._started_s = perf_counter()
        async with asyncio.TaskGroup() as group:
            for _ in range(self._options.concurrency or DEFAULT_CONCURRENCY):
                group.create_task(self._work())
        self.seconds = perf_counter() - self._started_s

    async def _work(self) -> None:
        while self._may_begin():
            number, self._begun = self._begun, self._begun + 1
            if self._options.rate:
                due_s = self._started_s + number / self._options.rate
                await asyncio.sleep(max(0.0, due_s - perf_counter()))
                if self._is_late():
                    return
            if not await self._call():
                return

    def _may_begin(self) -> bool:
        count = min(self._options.count or MAX_CALLS, MAX_CALLS)
        return not self._is_late() and self._begun < count

    def _is_late(self) -> bool:
        """Whether the time in which calls may begin is over."""
        options = self._options
        limit_s = options.duration_s or (0.0 if options.count else DEFAULT_DURATION_S)
        return bool(limit_s) and perf_counter() - self._started_s >= limit_s

    async def _call(self) -> bool:
        """Make one call; False if the connection has ended."""
        options, began_s = self._options, perf_counter()
        params: JsonObject = {"name": options.args[0]}
        if options.arguments is not None:
            params["arguments"] = RawJson(options.arguments)
        try:
            reply = await self._session.request("tools/call", params, meta=options.meta or None)
        except InspectorError as error:
            is_kept = error.reason in self.errors or len(self.errors) < MAX_REASONS
            reason = error.reason if is_kept else OTHER_REASONS
            self.errors[reason] = self.errors.get(reason, 0) + 1
            return not isinstance(error, ConnectionLost)
        self.took_s.append(perf_counter() - began_s)
        exchange = self._session.transcript.exchange(reply.request_frame)
        self.tool_errors += exchange is not None and exchange.status is Status.TOOL_ERROR
        return True


async def _show(session: Session, options: Options, console: Console) -> int:
    """Make the calls, and print how many there were and how long they took."""
    work = Load(session, options)
    await work.run()
    failed = sum(work.errors.values())
    calls = len(work.took_s) + failed
    took = sorted(work.took_s)
    times = {name: _percentile(took, share) for name, share in SHARES.items()} if took else {}
    if options.json:
        console.out_json(
            {
                "calls": calls,
                "tool_errors": work.tool_errors,
                "errors": {**work.errors},
                "seconds": work.seconds,
                "calls_per_second": calls / work.seconds,
                **{f"{name}_s": value for name, value in times.items()},
            }
        )
    else:
        console.out(
            f"{calls:,} calls in {work.seconds:.1f} s, {calls / work.seconds:,.1f} a second"
        )
        console.out(f"{work.tool_errors:,} tool errors, {failed:,} errors")
        for reason, count in work.errors.items():
            console.out(f"    {count:,} times: {reason}")
        for name, value in times.items():
            console.out(f"{name} {value * 1000:,.2f} ms")
    if failed or not calls:
        return ERROR_RESPONSE
    return TOOL_ERROR if work.tool_errors else SUCCESS


def _percentile(took: list[float], share: float) -> float:
    """Return the value at the nearest rank: a duration that occurred."""
    return took[max(ceil(share * len(took)), 1) - 1]


load = session_command(
    _add_arguments,
    _show,
    "load echo message=hello --quiet -- npx -y @modelcontextprotocol/server-everything",
    "load search query=x --concurrency 50 --for 30 --json --quiet -- http://127.0.0.1:3001/mcp",
    "load search query=x --rate 20 --count 200 --server NAME",
    codes=(TOOL_ERROR,),
)
