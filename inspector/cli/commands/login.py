"""`login`: a token for a protected server, kept in the system keyring."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.access import login_for
from inspector.cli.auth_json import flow_step_to_json, login_to_json
from inspector.cli.auth_options import add_browser_options, add_client_options, add_grant_options
from inspector.cli.auth_probe import is_about_access, is_published, request_without_token, status_of
from inspector.cli.auth_report import print_failed_steps, print_login, print_problems
from inspector.cli.exit_codes import NOT_CONNECTED, SUCCESS, UNAUTHORIZED, USAGE
from inspector.cli.json_output import error_to_json
from inspector.cli.options import add_url_options
from inspector.cli.runner import run_authorization
from inspector.cli.session_setup import make_session
from inspector.cli.stderr_report import print_error, print_failed_connection
from inspector.errors import AuthError, InspectorError
from inspector.transcript.transcript import Transcript
from inspector.wire.redaction import mask_addresses

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.auth.authorizer import Authorizer
    from inspector.auth.flow import Flow
    from inspector.auth.grant import Grant
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.cli.session_setup import ServerSession
    from inspector.session.session import Session

UNAUTHORIZED_STATUS = 401


def add_arguments(parser: ArgumentParser) -> None:
    """Add the URL and the options of a login."""
    add_url_options(parser)
    parser.add_argument("--quiet", action="store_true", help="print no problems of the server")
    add_client_options(parser)
    add_grant_options(parser)
    add_browser_options(parser)


async def _log_in(server: ServerSession[Authorizer], options: Options, console: Console) -> int:
    """Get a token and keep it."""
    session, authorizer = server.session, server.credentials
    failure = await request_without_token(session, lambda: authorizer.flow is not None)
    if authorizer.flow is None:
        if failure is not None and not is_about_access(failure):
            return _not_connected(session, failure, options, console)
        flow, stopped = await _log_in_unasked(authorizer, status_of(failure))
        if not is_published(flow.state):
            return _not_protected(session, failure, options, console)
        failure = stopped or await _reconnect(server)
    if authorizer.grant is None:
        return _failed(authorizer, options, console, failure)
    if failure is not None and status_of(failure) == UNAUTHORIZED_STATUS:
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
        console.out_json(
            {"login": login_to_json(grant), "steps": [flow_step_to_json(each) for each in steps]}
        )
        return
    console.out(f"Logged in to {mask_addresses(grant.server_url)}")
    print_login(console, grant)


def _failed(
    authorizer: Authorizer,
    options: Options,
    console: Console,
    failure: InspectorError | None,
) -> int:
    """Print at which step the login failed, or why it ended between two steps."""
    steps = authorizer.flow.steps if authorizer.flow is not None else ()
    print_failed_steps(console, steps)
    if failure is not None and not any(step.problem for step in steps):
        print_error(console, failure)
    if options.json:
        error = None if failure is None else error_to_json(failure)
        console.out_json(
            {"login": None, "error": error, "steps": [flow_step_to_json(each) for each in steps]}
        )
    return UNAUTHORIZED


def _not_protected(
    session: Session, failure: InspectorError | None, options: Options, console: Console
) -> int:
    """The server names no authorization server."""
    if failure is not None:
        return _not_connected(session, failure, options, console)
    console.err("The server requires no authorization, and names no authorization server.")
    if options.json:
        console.out_json({"login": None, "error": None, "steps": []})
    return USAGE


def _not_connected(
    session: Session, failure: InspectorError, options: Options, console: Console
) -> int:
    print_failed_connection(session, failure, options, console)
    return NOT_CONNECTED


run = partial(run_authorization, login_for, _log_in)
