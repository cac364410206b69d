"""`auth`, `login` and `logout`: check what a protected server publishes; get a token and keep it in the system keyring; revoke and delete it.

A broken rule that stops a login is printed with a hint; `auth` checks the rest as if the user had accepted that, where it may be accepted.
"""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth.check import CheckResult
from inspector.auth.exchange import Exchanges
from inspector.auth.flow import Flow, StepStatus
from inspector.auth.state import State
from inspector.cli.access import first_refusal_for, login_for, saved_login_for
from inspector.cli.auth_options import add_browser_options, add_client_options, add_grant_options
from inspector.cli.auth_report import (
    flow_step_to_json,
    login_to_json,
    print_failed_steps,
    print_login,
    print_problems,
    print_registration,
    print_steps,
    registration_to_json,
)
from inspector.cli.command import (
    ERROR_RESPONSE,
    NOT_CONNECTED,
    PROBLEMS,
    SUCCESS,
    UNAUTHORIZED,
    USAGE,
    CommandCode,
)
from inspector.cli.console import row_text
from inspector.cli.json_output import error_to_json
from inspector.cli.options import add_strict_option, add_url_options
from inspector.cli.runner import run_authorization
from inspector.cli.session_setup import make_session
from inspector.cli.stderr_report import print_error, print_failed_connection
from inspector.config.authorization import settings_of
from inspector.errors import AuthError, InspectorError, PeerError
from inspector.session.error_responses import http_of
from inspector.session.transport_factory import http_address
from inspector.spec import revision as revisions
from inspector.transcript.transcript import Transcript
from inspector.transport.http.refusals import names_credentials
from inspector.wire import challenge
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterable

    from inspector.auth.authorizer import Authorizer
    from inspector.auth.flow import FlowStep
    from inspector.auth.grant import Grant
    from inspector.cli.access import FirstRefusal
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.cli.session_setup import ServerSession
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json

LISTS = ("tools/list", "resources/list", "prompts/list")
"""Requests that a server may protect although anyone can connect."""

_OK, _UNAUTHORIZED, _FORBIDDEN = 200, 401, 403


def _add_check_options(parser: ArgumentParser) -> None:
    add_url_options(parser)
    add_strict_option(parser)
    add_grant_options(parser)


def _add_login_options(parser: ArgumentParser) -> None:
    add_url_options(parser)
    parser.add_argument("--quiet", action="store_true", help="print no problems of the server")
    add_client_options(parser)
    add_grant_options(parser)
    add_browser_options(parser)


def _add_logout_options(parser: ArgumentParser) -> None:
    add_url_options(parser)
    text = "forget the token without revoking it at the server"
    parser.add_argument("--no-revoke", action="store_true", help=text)
    add_client_options(parser)


# The check


async def _check(server: ServerSession[FirstRefusal], options: Options, console: Console) -> int:
    """Print what is published and checked."""
    session, credentials = server.session, server.credentials
    failure = await _request_without_token(session, lambda: credentials.refusal is not None)
    refusal, grant = credentials.refusal, credentials.grant
    status = refusal.status if refusal is not None else _status_of(failure)
    if failure is not None and not _is_about_access(failure):
        return _not_connected(session, failure, options, console)
    flow = _flow(server, status)
    try:
        steps = await _fetch(flow)
    finally:
        await flow.aclose()
    if refusal is None and not _is_published(flow.state):
        if failure is not None:
            return _not_connected(session, failure, options, console)
        return _no_authorization(server, options, console)
    if not status:
        console.err("The server accepts requests without a token, although it publishes metadata.")
    if options.json:
        console.out_json(
            {
                "server": mask_urls(server.profile.url),
                "revision": flow.state.revision.date,
                "status": status,
                "steps": _steps_to_json(steps),
                "registration": registration_to_json(flow.state),
                "login": login_to_json(grant) if grant is not None else None,
            }
        )
    else:
        print_steps(console, steps)
        print_registration(console, flow.state)
        if grant is not None:
            console.out("\nSaved login")
            print_login(console, grant)
    return _code(steps, options, console)


def _flow(server: ServerSession[FirstRefusal], status: int) -> Flow:
    session, profile, credentials = server.session, server.profile, server.credentials
    fields = () if credentials.refusal is None else credentials.refusal.headers
    challenges = challenge.read(v for name, v in fields if name.lower() == "www-authenticate")
    settings = settings_of(profile)
    revision = session.revision or revisions.find(profile.revision) or revisions.NEWEST
    state = State(profile.url, revision, settings, challenges, status)
    sender = Exchanges(
        http_address(profile), session.peer, on_secrets=credentials.secrets_found.fire
    )
    return Flow(state, sender)


async def _fetch(flow: Flow) -> list[FlowStep]:
    """Get every document before the client matters; a broken rule that the user may accept does not end that."""
    steps: list[FlowStep] = []
    is_repeated = False
    while flow.state.server is None:
        step = await flow.advance()
        if step is None:
            break
        if is_repeated:  # its documents are printed already
            is_repeated = step.status is StepStatus.FAILED
        else:
            steps.append(step)
        if step.status is StepStatus.FAILED:
            settings = flow.state.settings
            if step.waiver is None or settings.waives(step.waiver):
                break
            accepted = settings.waivers | {step.waiver}
            flow.rewind(step.number, replace(settings, waivers=accepted))
            is_repeated = True
    return steps


def _no_authorization(
    server: ServerSession[FirstRefusal], options: Options, console: Console
) -> int:
    if options.json:
        console.out_json({"server": mask_urls(server.profile.url), "status": 0, "steps": []})
    else:
        console.out("The server requires no authorization.")
    return SUCCESS


def _code(steps: list[FlowStep], options: Options, console: Console) -> int:
    """Print the number of checks, and return the exit code."""
    checks = [check for step in steps for check in step.checks]
    broken = sum(check.result is CheckResult.FAILED for check in checks)
    warned = sum(check.result is CheckResult.WARNING for check in checks)
    is_stopped = steps[-1].status is StepStatus.FAILED or any(step.problem for step in steps)
    console.err(f"{len(checks)} checks: {broken} failed, {warned} warnings")
    if broken or is_stopped:
        return ERROR_RESPONSE
    return PROBLEMS if options.strict and warned else SUCCESS


# The login


async def _log_in(server: ServerSession[Authorizer], options: Options, console: Console) -> int:
    """Get a token and keep it."""
    session, authorizer = server.session, server.credentials
    failure = await _request_without_token(session, lambda: authorizer.flow is not None)
    if authorizer.flow is None:
        if failure is not None and not _is_about_access(failure):
            return _not_connected(session, failure, options, console)
        flow, stopped = await _log_in_unasked(authorizer, _status_of(failure))
        if not _is_published(flow.state):
            if failure is not None:
                return _not_connected(session, failure, options, console)
            return _no_login(options, console)
        failure = stopped or await _reconnect(server)
    if authorizer.grant is None:
        return _failed(authorizer, options, console, failure)
    if failure is not None and _status_of(failure) == _UNAUTHORIZED:
        await authorizer.forget()
        return _failed(authorizer, options, console, failure)
    if not options.quiet and authorizer.flow is not None:
        print_problems(console, authorizer.flow.steps)
    _show_login(authorizer, authorizer.grant, options, console)
    if failure is not None:
        print_error(console, failure)
    return SUCCESS if failure is None else NOT_CONNECTED


async def _reconnect(server: ServerSession[Authorizer]) -> InspectorError | None:
    """Connect again, with the token; returns why that failed."""
    session = make_session(server.profile, Transcript(), server.credentials)
    try:
        await session.connect()
    except InspectorError as error:
        return error
    finally:
        await session.aclose()
    return None


async def _log_in_unasked(authorizer: Authorizer, status: int) -> tuple[Flow, AuthError | None]:
    """Log in to a server that did not require it with a valid challenge; returns the failure, too."""
    flow = authorizer.new_flow(status=status)
    try:
        await flow.run()
        await authorizer.take(flow)
    except AuthError as error:
        return flow, error
    finally:
        await flow.aclose()
    return flow, None


def _show_login(authorizer: Authorizer, grant: Grant, options: Options, console: Console) -> None:
    if options.json:
        flow = authorizer.flow
        steps = flow.steps if flow is not None else ()
        console.out_json({"login": login_to_json(grant), "steps": _steps_to_json(steps)})
        return
    console.out(f"Logged in to {mask_urls(grant.server_url)}")
    print_login(console, grant)


def _failed(
    authorizer: Authorizer, options: Options, console: Console, failure: InspectorError | None
) -> int:
    """Print at which step the login failed, or why it ended between two steps."""
    steps = authorizer.flow.steps if authorizer.flow is not None else ()
    print_failed_steps(console, steps)
    if failure is not None and not any(step.problem for step in steps):
        print_error(console, failure)
    if options.json:
        error = None if failure is None else error_to_json(failure)
        console.out_json({"login": None, "error": error, "steps": _steps_to_json(steps)})
    return UNAUTHORIZED


def _no_login(options: Options, console: Console) -> int:
    console.err("The server requires no authorization, and names no authorization server.")
    if options.json:
        console.out_json({"login": None, "error": None, "steps": []})
    return USAGE


# The logout


async def _log_out(server: ServerSession[Authorizer], options: Options, console: Console) -> int:
    """Revoke the token if that is possible, and forget it."""
    session, authorizer = server.session, server.credentials
    authorizer.attach(session.peer)
    url = mask_urls(authorizer.address.url)
    held = await authorizer.find()
    if held is None:
        if options.json:
            console.out_json({"server": url, "wasLoggedIn": False, "isRevoked": False})
        else:
            console.out(f"There is no login for {url}.")
        return SUCCESS
    if options.no_revoke:
        await authorizer.forget()
        problem = "--no-revoke"
    else:
        problem = await authorizer.revoke()
    if options.json:
        console.out_json(
            {"server": url, "wasLoggedIn": True, "isRevoked": not problem, "problem": problem}
        )
    elif problem:
        reason = row_text(problem)
        console.out(f"Logged out of {url}. The token is forgotten, but not revoked: {reason}.")
    else:
        console.out(f"Logged out of {url}. The token is revoked and forgotten.")
    is_failure = problem and held.revocation_endpoint and not options.no_revoke
    return ERROR_RESPONSE if is_failure else SUCCESS


# A request without a token


async def _request_without_token(
    session: Session, is_refused: Callable[[], bool]
) -> InspectorError | None:
    """Connect and request lists until a request is refused; returns the failure of connecting."""
    try:
        await session.connect()
    except InspectorError as error:
        return error
    for method in LISTS:
        if not is_refused() and session.supports(method):
            await _request(session, method)
    return None


async def _request(session: Session, method: str) -> None:
    """Send a request; only a refusal matters, and the credentials keep it."""
    with contextlib.suppress(InspectorError):
        await session.request(method, {})


def _status_of(failure: InspectorError | None) -> int:
    """Return the HTTP status with which connecting failed; 0 if it did not, or there was no response."""
    if failure is None:
        return 0
    http = http_of(failure)
    if http is not None:
        return http.status
    return _OK if isinstance(failure, PeerError) else 0


def _is_about_access(failure: InspectorError) -> bool:
    """Whether connecting may have failed because there was no token: there was a response without another reason."""
    http = http_of(failure)
    if http is None or http.status != _FORBIDDEN:
        return bool(_status_of(failure))
    has_challenge = any("authenticate" in each.lower() for each in http.explained)
    return has_challenge or not http.is_named or names_credentials(http.body)


def _is_published(state: State) -> bool:
    """Whether a document of an authorization was found; endpoints that old revisions assume do not count."""
    return state.resource is not None or (state.server is not None and not state.server.is_guessed)


def _not_connected(
    session: Session, failure: InspectorError, options: Options, console: Console
) -> int:
    print_failed_connection(session, failure, options, console)
    return NOT_CONNECTED


def _steps_to_json(steps: Iterable[FlowStep]) -> Json:
    return [flow_step_to_json(step) for step in steps]


_CODES = (NOT_CONNECTED, ERROR_RESPONSE, UNAUTHORIZED)

auth = CommandCode(
    _add_check_options,
    partial(run_authorization, first_refusal_for, _check),
    ("auth https://mcp.example.com/mcp", "auth --json --server NAME"),
    (*_CODES, PROBLEMS),
)
login = CommandCode(
    _add_login_options,
    partial(run_authorization, login_for, _log_in),
    ("login https://mcp.example.com/mcp", "login --no-browser --server NAME"),
    _CODES,
)
logout = CommandCode(
    _add_logout_options,
    partial(run_authorization, saved_login_for, _log_out),
    ("logout https://mcp.example.com/mcp",),
    _CODES,
)
