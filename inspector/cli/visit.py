"""One visit to a server: connect, do one task, disconnect, tell what was found.

However it ends, the server's processes are gone afterwards.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from inspector.checks.sweep import Sweep
from inspector.cli import call, info, lists, raw, recorded, requests
from inspector.cli.auth_options import AUTH_TASKS
from inspector.cli.codes import (
    FINE,
    NOT_CONFIRMED,
    NOT_CONNECTED,
    PROBLEMS,
    REFUSED,
    UNAUTHORIZED,
    USAGE,
)
from inspector.cli.documents import error_of
from inspector.cli.failed_connection import show_failed
from inspector.cli.keyboard import Keyboard
from inspector.cli.login_hint import login_command, requires_authorization
from inspector.cli.server import read_profile
from inspector.cli.telling import (
    tell_error,
    tell_findings,
    tell_left_out,
    tell_printed,
    tell_validated,
    tell_waiting,
)
from inspector.config.authorization import OVER_HTTP
from inspector.config.secrets import secret_values
from inspector.errors import AuthError, ConnectFailed, InspectorError, PeerError, StorageError
from inspector.session import explaining
from inspector.session.session import Session
from inspector.session.transports import make_transport
from inspector.transcript.masking import Masking
from inspector.transcript.transcript import Transcript
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.auth.authorizer import Authorizer
    from inspector.cli.access import Credentials
    from inspector.cli.options import Options
    from inspector.cli.screen import Screen
    from inspector.config.profile import Profile

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


async def run(options: Options, screen: Screen, keyboard: Keyboard | None = None) -> int:
    """Do what the options ask for and give the exit code; `keyboard` is what a user types, standard input without it."""
    try:
        if options.task == "transcript":
            return await recorded.show(options, screen)
        profile, warnings = await read_profile(options)
        credentials = await _credentials(profile, options, screen, keyboard)
        record = _record(options)
    except (StorageError, AuthError, ConnectFailed) as error:
        tell_error(screen, error)
        return USAGE
    for warning in warnings:
        screen.tell(f"warning: {warning}")
    if not record.redaction.is_on:
        screen.tell(f"warning: secrets are recorded in clear in {options.record}")
    session = _session(profile, record, credentials)
    screen.hide = lambda text: Masking(record).text(text)
    screen.hides_results = options.task in AUTH_TASKS
    has_checks = not options.quiet and options.task not in AUTH_TASKS
    sweep = Sweep(record) if has_checks else None
    try:
        if options.task in AUTH_TASKS:
            code = await _authorize(session, profile, credentials, options, screen)
        else:
            code = await _visit(session, profile, credentials, sweep, options, screen)
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


async def _credentials(
    profile: Profile, options: Options, screen: Screen, keyboard: Keyboard | None
) -> Credentials | None:
    """What lets the task in. What that needs is imported late: a server that is a program starts faster without it."""
    is_about_access = options.task in AUTH_TASKS or options.auth.is_from_outside
    if profile.transport not in OVER_HTTP and not is_about_access:
        return None
    from inspector.cli.access import credentials_for

    return await credentials_for(profile, options, screen, keyboard or Keyboard.standard())


def _session(profile: Profile, record: Transcript, credentials: Credentials | None) -> Session:
    session = Session(profile, record, partial(make_transport, credentials=credentials))
    record.redaction.know(secret_values(profile))
    if credentials is not None:
        credentials.secrets_found.subscribe(record.redaction.know_more)
    authorizer = _authorizer(credentials)
    if authorizer is not None:
        from inspector.authorizers import declared

        session.declare = partial(declared, lambda _: {}, authorizer)
    return session


def _authorizer(credentials: Credentials | None) -> Authorizer | None:
    if credentials is None:
        return None
    from inspector.auth.authorizer import Authorizer

    return credentials if isinstance(credentials, Authorizer) else None


async def _authorize(
    session: Session,
    profile: Profile,
    credentials: Credentials | None,
    options: Options,
    screen: Screen,
) -> int:
    """Do a task that is about authorization."""
    from inspector.cli import auth, login
    from inspector.cli.first_refusal import FirstRefusal

    try:
        if isinstance(credentials, FirstRefusal):
            return await auth.show(session, profile, credentials, options, screen)
        authorizer = _authorizer(credentials)
        assert authorizer is not None
        if options.task == "logout":
            return await login.log_out(session, authorizer, options, screen)
        connects = partial(_connects, profile, authorizer)
        return await login.log_in(session, authorizer, options, screen, connects)
    except InspectorError as error:
        tell_error(screen, error)
        if options.json:
            screen.print_json({"error": error_of(error)})
        return UNAUTHORIZED


async def _connects(profile: Profile, credentials: Authorizer) -> InspectorError | None:
    """Connect once more; gives why that is not possible."""
    session = _session(profile, Transcript(), credentials)
    try:
        await session.connect()
    except InspectorError as error:
        return error
    finally:
        await session.aclose()
    return None


async def _visit(
    session: Session,
    profile: Profile,
    credentials: Credentials | None,
    sweep: Sweep | None,
    options: Options,
    screen: Screen,
) -> int:
    if sweep is not None:
        sweep.suspect = session.suspect
        session.tasks.spawn(sweep.run(), name="judge messages")
    waiting = session.tasks.spawn(tell_waiting(screen, session), name="print what is waited for")
    try:
        await session.connect()
    except InspectorError as error:
        login = _login_command(options, profile, credentials, error)
        show_failed(session, error, options, screen, login=login)
        return UNAUTHORIZED if requires_authorization(error) else NOT_CONNECTED
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
        login = _login_command(options, profile, credentials, error)
        if options.json:
            failure = error_of(error, session.revision) | ({"login": login} if login else {})
            screen.print_json({"error": failure}, hides=True)
        if login:
            screen.tell(f"To log in: {login}")
        return UNAUTHORIZED if requires_authorization(error) else REFUSED


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


def _login_command(
    options: Options,
    profile: Profile,
    credentials: Credentials | None,
    error: InspectorError,
) -> str:
    """The command that logs in where that may help; empty where it cannot."""
    authorizer = _authorizer(credentials)
    grant = authorizer.grant if authorizer is not None else None
    held = (*grant.scopes, *grant.tokens.scopes) if grant is not None else ()
    return login_command(options, profile, error, held)
