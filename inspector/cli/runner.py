"""Runs one command: connect, do what it is for, disconnect, print what was found.

The processes of the server end with it, however it ends: Ctrl+C, too.
"""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import signal
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from inspector.authorizers import authorizer_of
from inspector.cli.command import (
    ERROR_RESPONSE,
    NOT_CONFIRMED,
    NOT_CONNECTED,
    OF_A_SESSION,
    PROBLEMS,
    SUCCESS,
    UNAUTHORIZED,
    USAGE,
    CommandCode,
    InSession,
)
from inspector.cli.console import Keyboard
from inspector.cli.findings_report import SessionFindings
from inspector.cli.json_output import error_to_json
from inspector.cli.notifications import print_logs
from inspector.cli.options import add_session_options
from inspector.cli.session_setup import session_credentials, set_up_session
from inspector.cli.stderr_report import (
    print_error,
    print_failed_connection,
    print_pending_step,
    print_server_output,
)
from inspector.errors import InspectorError, PeerError
from inspector.session.diagnostics.process_exit import explain_exit
from inspector.session.error_responses import http_of
from inspector.session.transport_factory import transport_kind
from inspector.wire import challenge
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Awaitable, Callable, Coroutine

    from inspector.cli.access import Credentials
    from inspector.cli.command import AddArguments, Show
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.cli.session_setup import CredentialsFor, ServerSession
    from inspector.config.profile import Profile
    from inspector.errors import HttpStatus
    from inspector.session.session import Session
    from inspector.wire.challenge import Challenges

    Conclude = Callable[
        [ServerSession[Credentials | None], SessionFindings, Options, Console, int], Awaitable[int]
    ]

C = TypeVar("C", bound="Credentials")

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


FORBIDDEN = 403

_SCOPE_MISSING = "insufficient_scope"
_CHALLENGE = "www-authenticate"


async def run_orderly(work: Coroutine[object, object, int], keyboard: Keyboard) -> int:
    """Run `work` and return its exit code, or 128 plus the number of the signal that ended it: Ctrl+C cancels it once.

    What reads from `keyboard` may use Ctrl+C for something smaller. Further signals change nothing: cleaning up takes a bounded time, and
    without it the processes of the server would stay.
    """
    task = asyncio.current_task()
    assert task is not None
    came: list[int] = []

    def end(number: int) -> None:
        if number == signal.SIGINT and not came and keyboard.on_interrupt():
            return
        if not came:
            task.cancel()
        came.append(number)

    loop = asyncio.get_running_loop()
    for name in _SIGNALS:
        number = getattr(signal, name, None)
        if number is not None:
            with contextlib.suppress(NotImplementedError):  # not on Windows
                loop.add_signal_handler(number, end, number)
    try:
        return await work
    except asyncio.CancelledError:
        if not came:
            raise
        return 128 + came[0]


async def run(options: Options, console: Console, keyboard: Keyboard | None = None) -> int:
    """Run the command of `options` and return the exit code; without `keyboard`, standard input is read."""
    return await options.command.load().run(options, console, keyboard or Keyboard.standard())


def session_command(
    add_arguments: AddArguments,
    show: Show,
    *examples: str,
    codes: tuple[int, ...] = (),
    problem: Callable[[Options], str] = lambda _: "",
) -> CommandCode:
    """Return a command that `show`s something of a connected server."""

    def add(parser: ArgumentParser) -> None:
        add_arguments(parser)
        add_session_options(parser)

    return CommandCode(
        add,
        partial(run_connected, show),
        examples,
        (*OF_A_SESSION, *codes),
        problem,
        InSession(add_arguments, show),
    )


async def run_connected(show: Show, options: Options, console: Console, keyboard: Keyboard) -> int:
    """Run a command that `show`s something of a connected server."""
    return await run_reporting(lambda _server, _findings: show, options, console, keyboard)


async def _print_findings(
    server: ServerSession[Credentials | None],
    findings: SessionFindings,
    options: Options,
    console: Console,
    code: int,
) -> int:
    """Print what was found and not printed yet, and return the exit code."""
    problems = await findings.print(is_connected=server.session.greeting is not None)
    return PROBLEMS if options.strict and problems and code == SUCCESS else code


async def run_reporting(
    make_show: Callable[[ServerSession[Credentials | None], SessionFindings], Show],
    options: Options,
    console: Console,
    keyboard: Keyboard,
    conclude: Conclude = _print_findings,
) -> int:
    """Run a command that reports findings itself: while it runs, or with `conclude`, once the connection is closed."""
    server = await set_up_session(session_credentials, options, console, keyboard)
    if server is None:
        return USAGE
    transcript = server.session.transcript
    findings = SessionFindings(console, transcript, is_on=not options.quiet)
    findings.use_targets(options.clients)
    try:
        code = await _connect_and_show(
            server, findings, options, console, make_show(server, findings)
        )
        console.flush()
    finally:
        await server.session.aclose()
    code = await conclude(server, findings, options, console, code)
    if transcript.failure is not None:
        print_error(console, transcript.failure)
    return code


async def run_in_session(
    server: ServerSession[Credentials | None], line: Options, console: Console
) -> int:
    """Run one of the commands of a connected session, and return its exit code; a failure is printed."""
    command = line.command.load().in_session
    assert command is not None
    try:
        return await command.show(server.session, line, console)
    except InspectorError as error:
        return print_failure(server, error, line, console)


async def run_authorization(
    credentials_for: CredentialsFor[C],
    work: Callable[[ServerSession[C], Options, Console], Awaitable[int]],
    options: Options,
    console: Console,
    keyboard: Keyboard,
) -> int:
    """Run a command about authorization; no secret is in its results, and no finding is printed."""
    server = await set_up_session(credentials_for, options, console, keyboard)
    if server is None:
        return USAGE
    console.masks_results = True
    try:
        code = await work(server, options, console)
    except InspectorError as error:
        print_error(console, error)
        if options.json:
            console.out_failure({"error": error_to_json(error)})
        code = UNAUTHORIZED
    finally:
        await server.session.aclose()
    console.flush()
    if server.session.transcript.failure is not None:
        print_error(console, server.session.transcript.failure)
    return code


async def _connect_and_show(
    server: ServerSession[Credentials | None],
    findings: SessionFindings,
    options: Options,
    console: Console,
    show: Show,
) -> int:
    session = server.session
    findings.start(session)
    pending = session.tasks.spawn(
        print_pending_step(console, session), name="print connection state"
    )
    try:
        await session.connect()
    except InspectorError as error:
        login = _login_command(server, options, error)
        print_failed_connection(session, error, options, console, login=login)
        return UNAUTHORIZED if requires_authorization(error) else NOT_CONNECTED
    finally:
        pending.cancel()
    findings.use_revision_of(session)
    try:
        if options.client.log_level:
            await session.set_log_level(options.client.log_level)
            if not options.command.prints_notifications:
                print_logs(session, console)
        code = await show(session, options, console)
        return code if _is_confirmed(session, console) or code != SUCCESS else NOT_CONFIRMED
    except InspectorError as error:
        return print_failure(server, error, options, console)


def print_failure(
    server: ServerSession[Credentials | None],
    error: InspectorError,
    options: Options,
    console: Console,
) -> int:
    """Print why a connected server gave no result."""
    session = server.session
    explain_exit(error, session.transcript, session.profile)
    print_error(console, error, session.revision)
    if not isinstance(error, PeerError):
        print_server_output(console, session.transcript, error.frame or 0)
    login = _login_command(server, options, error)
    if options.json and not options.command.reports_failures:
        failure = error_to_json(error, session.revision, login)
        console.out_failure({"error": failure})
    if login:
        console.err(f"To log in: {login}")
    return UNAUTHORIZED if requires_authorization(error) else ERROR_RESPONSE


def _is_confirmed(session: Session, console: Console) -> bool:
    """Whether the server named the revision in use; prints a warning if it did not."""
    greeting = session.greeting
    if greeting is None or greeting.is_declared:
        return True
    console.err(
        f"warning: revision {greeting.revision} is not confirmed by the server: it does not support “server/discover”"
    )
    return False


def _login_command(
    server: ServerSession[Credentials | None], options: Options, error: InspectorError
) -> str:
    """Return the command that logs in, if that may help; otherwise empty."""
    authorizer = authorizer_of(server.credentials)
    grant = authorizer.grant if authorizer is not None else None
    held = (*grant.scopes, *grant.tokens.scopes) if grant is not None else ()
    return login_command(options, server.profile, error, held)


def requires_authorization(error: BaseException | None) -> bool:
    """Whether a failure or its cause is a response that requires authorization, or more scopes."""
    return _refusal(error) is not None


def login_command(
    options: Options, profile: Profile, error: BaseException | None, held: tuple[str, ...] = ()
) -> str:
    """Return the command line that logs in; `held` are the scopes of the login in use.

    Empty if no login helps: over other transports, and if the server requires no OAuth token.
    """
    refusal = _refusal(error)
    given = options.auth.is_from_outside or options.auth.client_credentials
    has_header = any(name.lower() == "authorization" for name, _ in profile.headers)
    if refusal is None or not transport_kind(profile.transport).has_headers or given or has_header:
        return ""
    found = _challenges(refusal)
    if found.items and not found.oauth:
        return ""
    parts = ["spyglass-cli", "login", *_server(options, profile)]
    if refusal.status == FORBIDDEN and found.scopes:  # the server names them only in this response
        parts += ["--scope", " ".join(dict.fromkeys((*held, *found.scopes)))]
    return shlex.join(parts)


def _challenges(refusal: HttpStatus) -> Challenges:
    fields = (each.partition(": ") for each in refusal.explained)
    return challenge.read(value for name, _, value in fields if name.lower() == _CHALLENGE)


def _server(options: Options, profile: Profile) -> list[str]:
    """Return the part of the command line that names the server, and how it is reached."""
    named = [
        ("--server", options.server),
        ("--config", options.config),
        ("--folder", options.folder),
        ("--transport", options.transport),
        ("--ca", options.ca_file),
        ("--client-cert", options.client_cert),
        ("--proxy", mask_urls(options.proxy)),
    ]
    parts = [part for switch, value in named if value for part in (switch, str(value))]
    if options.insecure:
        parts.append("--insecure")
    return [*parts, mask_urls(profile.url)] if options.target else parts


def _refusal(error: BaseException | None) -> HttpStatus | None:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        http = http_of(error)
        if http is not None and _is_about_authorization(http):
            return http
        seen.add(id(error))
        error = error.__cause__
    return None


def _is_about_authorization(http: HttpStatus) -> bool:
    if http.status == FORBIDDEN:
        return any(_SCOPE_MISSING in each for each in http.explained)
    return http.status == 401
