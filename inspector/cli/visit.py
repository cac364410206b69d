"""One visit to a server: connect, do one task, disconnect, tell what was found.

However it ends, the server's processes are gone afterwards.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from inspector.checks.sweep import Sweep
from inspector.cli import call, info, raw, recorded, tools
from inspector.cli.codes import NOT_CONNECTED, REFUSED
from inspector.cli.documents import error_of, steps_of
from inspector.cli.options import USAGE
from inspector.cli.telling import tell_error, tell_findings, tell_printed, tell_steps
from inspector.errors import InspectorError, PeerError, StorageError
from inspector.library.entry import guess_transport, is_url
from inspector.library.profile import Profile, with_
from inspector.session.session import Session
from inspector.session.transports import make_transport
from inspector.transcript.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.cli.options import Options
    from inspector.cli.screen import Screen

_TASKS: dict[str, Callable[[Session, Options, Screen], Awaitable[int]]] = {
    "info": info.show,
    "tools": tools.show,
    "call": call.show,
    "raw": raw.show,
}

LONGEST_SECONDS = 600.0
"""The total limit of a request, unless `--timeout` is above it."""


async def run(options: Options, screen: Screen) -> int:
    """Do what the options ask for and give the exit code."""
    try:
        if options.task == "transcript":
            return await recorded.show(options, screen)
        record = _record(options)
    except StorageError as error:
        tell_error(screen, error)
        return USAGE
    session = Session(_profile(options), record, make_transport)
    sweep = None if options.quiet else Sweep(record)
    try:
        code = await _visit(session, sweep, options, screen)
    finally:
        screen.flush()
        await session.aclose()
    if sweep is not None:
        _judge_the_rest(sweep)
        tell_findings(screen, record)
    if record.failure is not None:
        tell_error(screen, record.failure)
    return code


async def _visit(session: Session, sweep: Sweep | None, options: Options, screen: Screen) -> int:
    if sweep is not None:
        sweep.suspect = session.suspect
        session.tasks.spawn(sweep.run(), name="judge messages")
    try:
        await session.connect()
    except InspectorError as error:
        tell_steps(screen, session.steps)
        if options.json:
            screen.print_json({"error": error_of(error), "steps": steps_of(session.steps)})
        return NOT_CONNECTED
    if sweep is not None:
        sweep.revision = session.revision
    try:
        return await _TASKS[options.task](session, options, screen)
    except InspectorError as error:
        tell_error(screen, error)
        if not isinstance(error, PeerError):
            tell_printed(screen, session.transcript)
        if options.json:
            screen.print_json({"error": error_of(error)})
        return REFUSED


def _judge_the_rest(sweep: Sweep) -> None:
    while sweep.waiting:
        sweep.judge_some()


def _record(options: Options) -> Transcript:
    if options.record is None:
        return Transcript()
    facts = {"title": options.command[0], "started": f"{time.time():.3f}"}
    return Transcript.create(options.record, facts=facts)


def _profile(options: Options) -> Profile:
    first, *rest = options.command
    profile = Profile(
        name=first,
        headers=options.headers,
        revision=options.revision,
        timeout_seconds=options.timeout_seconds,
        total_timeout_seconds=max(options.timeout_seconds, LONGEST_SECONDS),
    )
    if is_url(first) and not rest:
        transport = options.transport or guess_transport(first)
        return with_(profile, url=first, transport=transport)
    return with_(profile, command=first, args=tuple(rest), env=options.env, cwd=options.cwd)
