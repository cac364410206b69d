"""`auth`: what a protected server and its authorization server publish, held against the rules, without logging in.

A rule that stops a login is named with what to do; where a user may accept that, the rest is looked at as if that had happened.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth.check import Verdict
from inspector.auth.exchange import Exchanges
from inspector.auth.flow import Flow, StepStatus
from inspector.auth.state import State
from inspector.cli.auth_json import flow_step_to_json, login_to_json, registration_to_json
from inspector.cli.auth_report import (
    print_login,
    print_registration,
    print_steps,
)
from inspector.cli.exit_codes import ERROR_RESPONSE, NOT_CONNECTED, PROBLEMS, SUCCESS
from inspector.cli.failed_connection import print_failed_connection
from inspector.config.authorization import settings_of
from inspector.errors import InspectorError, PeerError
from inspector.session.http_verdict import http_of
from inspector.session.transports import http_address
from inspector.spec import revision as revisions
from inspector.transport.http.refusals import names_credentials
from inspector.wire import challenge
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.flow import FlowStep
    from inspector.cli.console import Console
    from inspector.cli.first_refusal import FirstRefusal
    from inspector.cli.options import Options
    from inspector.config.profile import Profile
    from inspector.session.session import Session

LISTS = ("tools/list", "resources/list", "prompts/list")
"""Requests that a server may protect although it lets everybody connect."""

GOOD, FORBIDDEN = 200, 403


async def show(
    session: Session,
    profile: Profile,
    credentials: FirstRefusal,
    options: Options,
    console: Console,
) -> int:
    """Print what is published and checked; 3 where a rule with MUST is broken."""
    failure = await ask_without_token(session, lambda: credentials.refusal is not None)
    refusal = credentials.refusal
    status = refusal.status if refusal is not None else status_of(failure)
    if failure is not None and not is_about_access(failure):
        return _not_protected(session, failure, options, console)
    flow = _flow(session, profile, credentials, status)
    try:
        steps = await _look(flow)
    finally:
        await flow.aclose()
    if credentials.refusal is None and not is_published(flow.state):
        return _not_protected(session, failure, options, console)
    if not status:
        console.err("The server accepts requests without a token, although metadata is published.")
    if options.json:
        console.out_json(
            {
                "server": mask_addresses(profile.url),
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
            console.out("\nKept login")
            print_login(console, credentials.grant)
    return _code(steps, options, console)


async def ask_without_token(
    session: Session, is_refused: Callable[[], bool]
) -> InspectorError | None:
    """Connect, and ask for lists until a request is refused; gives the failure of connecting."""
    try:
        await session.connect()
    except InspectorError as error:
        return error
    for method in LISTS:
        if not is_refused() and session.supports(method):
            await _ask(session, method)
    return None


async def _ask(session: Session, method: str) -> None:
    """Send a request; only a refusal is of interest, and the credentials keep that."""
    with contextlib.suppress(InspectorError):
        await session.request(method, {})


def status_of(failure: InspectorError | None) -> int:
    """The HTTP status with which connecting failed; 0 where it did not, or no response came."""
    if failure is None:
        return 0
    http = http_of(failure)
    if http is not None:
        return http.status
    return GOOD if isinstance(failure, PeerError) else 0


def is_about_access(failure: InspectorError) -> bool:
    """Whether connecting may have failed because there was no token: there was a response, and it names no other reason."""
    http = http_of(failure)
    if http is None or http.status != FORBIDDEN:
        return bool(status_of(failure))
    has_challenge = any("authenticate" in each.lower() for each in http.explained)
    return has_challenge or not http.is_named or names_credentials(http.body)


def _flow(session: Session, profile: Profile, credentials: FirstRefusal, status: int) -> Flow:
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


async def _look(flow: Flow) -> list[FlowStep]:
    """Get every document that comes before the choice of a client; what a user may accept does not end that."""
    steps: list[FlowStep] = []
    is_repeated = False
    while flow.state.server is None:
        step = await flow.advance()
        if step is None:
            break
        if is_repeated:  # what came is shown already
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


def is_published(state: State) -> bool:
    """Whether a document of an authorization was found; the endpoints that old revisions assume are none."""
    return state.resource is not None or (state.server is not None and not state.server.is_guessed)


def _not_protected(
    session: Session, failure: InspectorError | None, options: Options, console: Console
) -> int:
    """Nothing of an authorization is there: say so, or why the server was not reached."""
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
