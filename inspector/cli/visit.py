"""One visit to a server: connect, do one task, disconnect, tell what was found.

However it ends, the server's processes are gone afterwards.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from inspector.checks.sweep import Sweep
from inspector.cli import call, info, lists, raw, recorded, requests
from inspector.cli.codes import (
    FINE,
    NOT_CONFIRMED,
    NOT_CONNECTED,
    PROBLEMS,
    REFUSED,
    UNAUTHORIZED,
    USAGE,
)
from inspector.cli.documents import error_of, steps_of
from inspector.cli.server import read_profile
from inspector.cli.telling import (
    tell_error,
    tell_findings,
    tell_left_out,
    tell_printed,
    tell_steps,
    tell_validated,
    tell_waiting,
)
from inspector.cli.url_guess import suggested_url
from inspector.errors import InspectorError, PeerError, StorageError
from inspector.library.secrets import secret_values
from inspector.session import explaining
from inspector.session.http_verdict import http_of
from inspector.session.session import Session
from inspector.session.transports import make_transport
from inspector.transcript.transcript import Transcript
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.cli.options import Options
    from inspector.cli.screen import Screen

_TASKS: dict[str, Callable[[Session, Options, Screen], Awaitable[int]]] = {
    "info": info.show,
    "tools": lists.show_tools,
    "resources": lists.show_resources,
    "prompts": lists.show_prompts,
    "call": call.show,
    "read": requests.show_read,
    "prompt": requests.show_prompt,
    "request": requests.show_request,
    "raw": raw.show,
}

UNAUTHORIZED_STATUS = 401


async def run(options: Options, screen: Screen) -> int:
    """Do what the options ask for and give the exit code."""
    try:
        if options.task == "transcript":
            return await recorded.show(options, screen)
        profile, warnings = await read_profile(options)
        record = _record(options)
    except StorageError as error:
        tell_error(screen, error)
        return USAGE
    for warning in warnings:
        screen.tell(f"warning: {warning}")
    if not record.redaction.is_on:
        screen.tell(f"warning: secrets are recorded in clear in {options.record}")
    session = Session(profile, record, make_transport)
    record.redaction.know(secret_values(profile))
    sweep = None if options.quiet else Sweep(record)
    try:
        code = await _visit(session, sweep, options, screen)
    finally:
        screen.flush()
        await session.aclose()
    if sweep is not None:
        tell_left_out(screen, await sweep.finish())
        tell_validated(screen, sweep.results.outcomes)
        problems = await tell_findings(screen, record)
        code = PROBLEMS if options.strict and problems and code == FINE else code
    if record.failure is not None:
        tell_error(screen, record.failure)
    return code


async def _visit(session: Session, sweep: Sweep | None, options: Options, screen: Screen) -> int:
    if sweep is not None:
        sweep.suspect = session.suspect
        session.tasks.spawn(sweep.run(), name="judge messages")
    waiting = session.tasks.spawn(tell_waiting(screen, session), name="print what is waited for")
    try:
        await session.connect()
    except InspectorError as error:
        tell_steps(screen, session.steps)
        if all(step.words != error.words for step in session.steps):  # it weighs several of them
            tell_error(screen, error)
        if options.json:
            screen.print_json({"error": error_of(error), "steps": steps_of(session.steps)})
        _suggest_url(screen, session)
        return UNAUTHORIZED if _wants_authorization(error) else NOT_CONNECTED
    finally:
        waiting.cancel()
    if sweep is not None:
        sweep.revision = session.revision
    try:
        code = await _TASKS[options.task](session, options, screen)
        return code if _is_confirmed(session, screen) or code != FINE else NOT_CONFIRMED
    except InspectorError as error:
        explaining.explain_exit(error, session.transcript, session.profile)
        tell_error(screen, error, session.revision)
        if not isinstance(error, PeerError):
            tell_printed(screen, session.transcript)
        if options.json:
            screen.print_json({"error": error_of(error, session.revision)})
        return REFUSED


def _record(options: Options) -> Transcript:
    if options.record is None:
        return Transcript()
    title = options.command[0] if options.command else options.server or str(options.config)
    facts = {"title": mask_addresses(title), "started": f"{time.time():.3f}"}
    record = Transcript.create(options.record, facts=facts)
    record.redaction.is_on = not options.record_secrets
    return record


def _is_confirmed(session: Session, screen: Screen) -> bool:
    """Whether the server itself named the revision that is spoken; says so on stderr where it did not."""
    greeting = session.greeting
    if greeting is None or greeting.is_told:
        return True
    screen.tell(
        f"warning: revision {greeting.revision} is not confirmed by the server: it does not know “server/discover”"
    )
    return False


def _wants_authorization(error: BaseException | None) -> bool:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        http = http_of(error)
        if http is not None and http.status == UNAUTHORIZED_STATUS:
            return True
        seen.add(id(error))
        error = error.__cause__
    return False


def _suggest_url(screen: Screen, session: Session) -> None:
    profile = session.profile
    url = (
        suggested_url(profile.command) if profile.transport == "stdio" and not profile.args else ""
    )
    if url:
        screen.tell(f"Did you mean {url}? A URL begins with http:// or https://.")
