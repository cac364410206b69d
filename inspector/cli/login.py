"""`login` and `logout`: a token for a protected server, kept in the system keyring until it is revoked and forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.cli.auth import ask_without_token, is_about_access, is_published, status_of
from inspector.cli.auth_json import flow_step_to_json, login_to_json
from inspector.cli.auth_report import print_failed_steps, print_login, print_problems
from inspector.cli.exit_codes import ERROR_RESPONSE, NOT_CONNECTED, SUCCESS, UNAUTHORIZED, USAGE
from inspector.cli.failed_connection import print_failed_connection
from inspector.cli.json_output import error_to_json
from inspector.cli.stderr_report import print_error
from inspector.cli.terminal_escape import one_line
from inspector.errors import AuthError, InspectorError
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.auth.authorizer import Authorizer
    from inspector.auth.flow import Flow
    from inspector.auth.grant import Grant
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.session.session import Session

UNAUTHORIZED_STATUS = 401


async def log_in(
    session: Session,
    authorizer: Authorizer,
    options: Options,
    console: Console,
    connects: Callable[[], Awaitable[InspectorError | None]],
) -> int:
    """Get a token and keep it; `connects` tries once more whether the server takes it.

    Raises:
        StorageError: the keyring cannot be read or written.
    """
    failure = await ask_without_token(session, lambda: authorizer.flow is not None)
    if authorizer.flow is None:
        if failure is not None and not is_about_access(failure):
            return _not_connected(session, failure, options, console)
        flow, stopped = await _log_in_unasked(authorizer, status_of(failure))
        if not is_published(flow.state):
            return _nothing_there(session, failure, options, console)
        failure = stopped or await connects()
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


async def log_out(
    session: Session, authorizer: Authorizer, options: Options, console: Console
) -> int:
    """Revoke the token where that is possible, and forget it.

    Raises:
        StorageError: the keyring cannot be read or written.
    """
    authorizer.attach(session.peer)
    url = mask_addresses(authorizer.address.url)
    held = await authorizer.find()
    if held is None:
        if options.json:
            console.out_json({"server": url, "wasLoggedIn": False, "isRevoked": False})
        else:
            console.out(f"There is no login for {url}.")
        return SUCCESS
    problem = await authorizer.revoke()
    if options.json:
        console.out_json(
            {"server": url, "wasLoggedIn": True, "isRevoked": not problem, "problem": problem}
        )
    elif problem:
        reason = one_line(problem)
        console.out(f"Logged out of {url}. The token is forgotten, but not revoked: {reason}.")
    else:
        console.out(f"Logged out of {url}. The token is revoked and forgotten.")
    return ERROR_RESPONSE if problem and held.revocation_endpoint else SUCCESS


async def _log_in_unasked(authorizer: Authorizer, status: int) -> tuple[Flow, AuthError | None]:
    """Log in to a server that did not ask for it in the right way; gives why that failed, too."""
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
    """There is no login: say at which step it ended, or what ended it between two steps."""
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


def _nothing_there(
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
