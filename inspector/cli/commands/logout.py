"""`logout`: the token of a protected server, revoked and forgotten."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.cli.access import saved_login_for
from inspector.cli.auth_options import add_client_options
from inspector.cli.console import row_text
from inspector.cli.exit_codes import ERROR_RESPONSE, SUCCESS
from inspector.cli.options import add_url_options
from inspector.cli.runner import run_authorization
from inspector.wire.redaction import mask_addresses

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.auth.authorizer import Authorizer
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.cli.session_setup import ServerSession


def add_arguments(parser: ArgumentParser) -> None:
    """Add the URL and the options of a logout."""
    add_url_options(parser)
    add_client_options(parser)


async def _log_out(server: ServerSession[Authorizer], options: Options, console: Console) -> int:
    """Revoke the token if that is possible, and forget it."""
    session, authorizer = server.session, server.credentials
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
        reason = row_text(problem)
        console.out(f"Logged out of {url}. The token is forgotten, but not revoked: {reason}.")
    else:
        console.out(f"Logged out of {url}. The token is revoked and forgotten.")
    return ERROR_RESPONSE if problem and held.revocation_endpoint else SUCCESS


run = partial(run_authorization, saved_login_for, _log_out)
