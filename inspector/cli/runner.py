"""One visit to a server: connect, do one task, disconnect, tell what was found.

However it ends, the server's processes are gone afterwards.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from inspector.checks.sweep import Sweep
from inspector.cli import call, info, lists, raw, requests, transcript
from inspector.cli.auth_options import AUTH_TASKS
from inspector.cli.exit_codes import (
    ERROR_RESPONSE,
    NOT_CONFIRMED,
    NOT_CONNECTED,
    PROBLEMS,
    SUCCESS,
    UNAUTHORIZED,
    USAGE,
)
from inspector.cli.failed_connection import print_failed_connection
from inspector.cli.json_output import error_to_json
from inspector.cli.keyboard import Keyboard
from inspector.cli.login_hint import login_command, requires_authorization
from inspector.cli.server import read_profile
from inspector.cli.stderr_report import (
    print_error,
    print_findings,
    print_output_checks,
    print_server_output,
    print_unchecked,
    print_waiting,
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
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.config.profile import Profile

_TASKS: dict[str, Callable[[Session, Options, Console], Awaitable[int]]] = {
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


async def run(options: Options, console: Console, keyboard: Keyboard | None = None) -> int:
    """Do what the options ask for and give the exit code; `keyboard` is what a user types, standard input without it."""
    try:
        if options.command == "transcript":
            return await transcript.show(options, console)
        profile, warnings = await read_profile(options)
        credentials = await _credentials(profile, options, console, keyboard)
        record = _record(options)
    except (StorageError, AuthError, ConnectFailed) as error:
        print_error(console, error)
        return USAGE
    for warning in warnings:
        console.err(f"warning: {warning}")
    if not record.redaction.is_on:
        console.err(f"warning: secrets are recorded in clear in {options.record}")
    session = _session(profile, record, credentials)
    console.mask = lambda text: Masking(record).text(text)
    console.masks_results = options.command in AUTH_TASKS
    has_checks = not options.quiet and options.command not in AUTH_TASKS
    sweep = Sweep(record) if has_checks else None
    try:
        if options.command in AUTH_TASKS:
            code = await _authorize(session, profile, credentials, options, console)
        else:
            code = await _run_command(session, profile, credentials, sweep, options, console)
    finally:
        console.flush()
        await session.aclose()
    if sweep is not None:
        print_unchecked(console, await sweep.finish())
        print_output_checks(console, sweep.results.outcomes)
        problems = await print_findings(console, record)
        code = PROBLEMS if options.strict and problems and code == SUCCESS else code
    if record.failure is not None:
        print_error(console, record.failure)
    return code


async def _credentials(
    profile: Profile, options: Options, console: Console, keyboard: Keyboard | None
) -> Credentials | None:
    """What lets the task in. What that needs is imported late: a server that is a program starts faster without it."""
    is_about_access = options.command in AUTH_TASKS or options.auth.is_from_outside
    if profile.transport not in OVER_HTTP and not is_about_access:
        return None
    from inspector.cli.access import credentials_for

    return await credentials_for(profile, options, console, keyboard or Keyboard.standard())


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
    console: Console,
) -> int:
    """Do a task that is about authorization."""
    from inspector.cli import auth, login
    from inspector.cli.first_refusal import FirstRefusal

    try:
        if isinstance(credentials, FirstRefusal):
            return await auth.show(session, profile, credentials, options, console)
        authorizer = _authorizer(credentials)
        assert authorizer is not None
        if options.command == "logout":
            return await login.log_out(session, authorizer, options, console)
        connects = partial(_connects, profile, authorizer)
        return await login.log_in(session, authorizer, options, console, connects)
    except InspectorError as error:
        print_error(console, error)
        if options.json:
            console.out_json({"error": error_to_json(error)})
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


async def _run_command(
    session: Session,
    profile: Profile,
    credentials: Credentials | None,
    sweep: Sweep | None,
    options: Options,
    console: Console,
) -> int:
    if sweep is not None:
        sweep.suspect = session.suspect
        session.tasks.spawn(sweep.run(), name="judge messages")
    waiting = session.tasks.spawn(print_waiting(console, session), name="print what is waited for")
    try:
        await session.connect()
    except InspectorError as error:
        login = _login_command(options, profile, credentials, error)
        print_failed_connection(session, error, options, console, login=login)
        return UNAUTHORIZED if requires_authorization(error) else NOT_CONNECTED
    finally:
        waiting.cancel()
    if sweep is not None:
        sweep.revision = session.revision
    try:
        code = await _TASKS[options.command](session, options, console)
        return code if _is_confirmed(session, console) or code != SUCCESS else NOT_CONFIRMED
    except InspectorError as error:
        explaining.explain_exit(error, session.transcript, session.profile)
        print_error(console, error, session.revision)
        if not isinstance(error, PeerError):
            print_server_output(console, session.transcript)
        login = _login_command(options, profile, credentials, error)
        if options.json:
            failure = error_to_json(error, session.revision) | ({"login": login} if login else {})
            console.out_json({"error": failure}, hides=True)
        if login:
            console.err(f"To log in: {login}")
        return UNAUTHORIZED if requires_authorization(error) else ERROR_RESPONSE


def _record(options: Options) -> Transcript:
    if options.record is None:
        return Transcript()
    title = options.target[0] if options.target else options.server or str(options.config)
    facts = {"title": mask_addresses(title), "started": f"{time.time():.3f}"}
    record = Transcript.create(options.record, facts=facts)
    record.redaction.is_on = not options.record_secrets
    return record


def _is_confirmed(session: Session, console: Console) -> bool:
    """Whether the server itself named the revision that is spoken; says so on stderr where it did not."""
    greeting = session.greeting
    if greeting is None or greeting.is_told:
        return True
    console.err(
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
