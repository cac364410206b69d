"""`auth`: what a protected server and its authorization server publish, checked without a login.

A broken rule that stops a login is printed with a hint; if the user may accept it, the rest is checked as if it were accepted.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth.check import Verdict
from inspector.auth.exchange import Exchanges
from inspector.auth.flow import Flow, StepStatus
from inspector.auth.state import State
from inspector.cli.access import first_refusal_for
from inspector.cli.auth_json import flow_step_to_json, login_to_json, registration_to_json
from inspector.cli.auth_options import add_grant_options
from inspector.cli.auth_probe import is_about_access, is_published, request_without_token, status_of
from inspector.cli.auth_report import (
    print_login,
    print_registration,
    print_steps,
)
from inspector.cli.exit_codes import ERROR_RESPONSE, NOT_CONNECTED, PROBLEMS, SUCCESS
from inspector.cli.options import add_strict_option, add_url_options
from inspector.cli.runner import run_authorization
from inspector.cli.stderr_report import print_failed_connection
from inspector.config.authorization import settings_of
from inspector.session.transport_factory import http_address
from inspector.spec import revision as revisions
from inspector.wire import challenge
from inspector.wire.redaction import mask_addresses

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from inspector.auth.flow import FlowStep
    from inspector.cli.auth_probe import FirstRefusal
    from inspector.cli.console import Console
    from inspector.cli.options import Options
    from inspector.cli.session_setup import ServerSession
    from inspector.errors import InspectorError
    from inspector.session.session import Session


def add_arguments(parser: ArgumentParser) -> None:
    """Add the URL and the options of a check."""
    add_url_options(parser)
    add_strict_option(parser)
    add_grant_options(parser)


async def _show(server: ServerSession[FirstRefusal], options: Options, console: Console) -> int:
    """Print what is published and checked."""
    session, credentials = server.session, server.credentials
    failure = await request_without_token(session, lambda: credentials.refusal is not None)
    refusal = credentials.refusal
    status = refusal.status if refusal is not None else status_of(failure)
    if failure is not None and not is_about_access(failure):
        return _not_protected(session, failure, options, console)
    flow = _flow(server, status)
    try:
        steps = await _fetch(flow)
    finally:
        await flow.aclose()
    if credentials.refusal is None and not is_published(flow.state):
        return _not_protected(session, failure, options, console)
    if not status:
        console.err("The server accepts requests without a token, although it publishes metadata.")
    if options.json:
        console.out_json(
            {
                "server": mask_addresses(server.profile.url),
                "revision": flow.state.revision.date,
                "status": status,
                "steps": [flow_step_to_json(step) for step in steps],
                "registration": registration_to_json(flow.state),
                "login": login_to_json(credentials.grant)
                if credentials.grant is not None
                else None,
            }
        )
    else:
        print_steps(console, steps)
        print_registration(console, flow.state)
        if credentials.grant is not None:
            console.out("\nSaved login")
            print_login(console, credentials.grant)
    return _code(steps, options, console)


def _flow(server: ServerSession[FirstRefusal], status: int) -> Flow:
    session, profile, credentials = server.session, server.profile, server.credentials
    refusal = credentials.refusal
    fields = () if refusal is None else refusal.headers
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


def _not_protected(
    session: Session, failure: InspectorError | None, options: Options, console: Console
) -> int:
    """Print that the server requires no authorization, or why connecting failed."""
    if failure is None:
        if options.json:
            url = mask_addresses(session.profile.url)
            console.out_json({"server": url, "status": 0, "steps": []})
        else:
            console.out("The server requires no authorization.")
        return SUCCESS
    print_failed_connection(session, failure, options, console)
    return NOT_CONNECTED


def _code(steps: list[FlowStep], options: Options, console: Console) -> int:
    """The exit code, with a line about what was found."""
    checks = [check for step in steps for check in step.checks]
    broken = sum(check.verdict is Verdict.FAILED for check in checks)
    warned = sum(check.verdict is Verdict.WARNING for check in checks)
    is_stopped = steps[-1].status is StepStatus.FAILED or any(step.problem for step in steps)
    console.err(f"{len(checks)} checks: {broken} failed, {warned} warnings")
    if broken or is_stopped:
        return ERROR_RESPONSE
    return PROBLEMS if options.strict and warned else SUCCESS


run = partial(run_authorization, first_refusal_for, _show)
