"""Steps of an authorization as text (the request, the response, and the checks) and as JSON; no secrets: no body of a request, no URL of a login."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from inspector.auth import document
from inspector.auth.check import CheckResult
from inspector.auth.client import NONE
from inspector.auth.flow import StepStatus
from inspector.auth.state import Stage
from inspector.cli.console import indented, row_text, shorten_strings
from inspector.errors import for_cli
from inspector.rules import RULES
from inspector.wire import json_codec
from inspector.wire.redaction import mask_urls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from inspector.auth.check import Check
    from inspector.auth.flow import FlowStep
    from inspector.auth.grant import Grant
    from inspector.auth.state import State
    from inspector.cli.console import Console
    from inspector.wire.json_codec import Json, JsonObject

DOCUMENTS = {Stage.RESOURCE, Stage.SERVER}
"""Steps whose response is public."""

MAX_FORMATTED_SECONDS = 120
"""What is shorter is printed in seconds."""

MAX_CHALLENGE_LENGTH = 1000
"""Characters of a challenge that are printed."""


def print_steps(console: Console, steps: Sequence[FlowStep]) -> None:
    """Print steps with their documents and every check."""
    for step in steps:
        console.out(row_text(step_text(step)))
        for line in _details(step):
            console.out(indented(row_text(line)))
        for line in _document(step):
            console.out(indented(line))
        for line in (*_checks(step), *_problem(step)):
            console.out(indented(row_text(line)))
        console.out()


def print_failed_steps(console: Console, steps: Sequence[FlowStep]) -> None:
    """Print the steps of an authorization that failed, with the reason."""
    for step in steps:
        console.err(row_text(step_text(step)))
        for check in _broken(step):
            if check.summary != step.problem:
                console.err(indented(row_text(check_text(check))))
        for line in _problem(step):
            console.err(indented(row_text(line)))


def print_problems(console: Console, steps: Iterable[FlowStep]) -> None:
    """Print the rules that the server broke during a login: other clients may fail there."""
    for step in steps:
        for check in _broken(step):
            console.err(row_text(f"problem: {check.summary} {_source(check)}"))


def step_text(step: FlowStep) -> str:
    """What a step did, in one line."""
    return f"{step.title}: {step.reason if step.status is StepStatus.DONE else step.status}"


def check_text(check: Check) -> str:
    """Return a check, in one line."""
    return f"{_OUTCOME_TEXT[check.result]} {check.summary} {_source(check)}"


def print_registration(console: Console, state: State) -> None:
    """Print which clients the authorization server accepts."""
    server = state.server
    if server is None:
        return
    url = server.registration_endpoint
    methods = ", ".join(server.client_auth or ()) or "(not listed)"
    console.out("Clients")
    rows = [
        (
            "Client id metadata document",
            "supported" if server.takes_client_documents else "not supported",
        ),
        ("Dynamic registration", url or "not supported"),
        ("Preregistered client", "with --client-id ID"),
        ("Client authentication", methods),
        ("Requested scopes", " ".join(state.scopes) or "(none)"),
    ]
    console.out_table(rows, "    ")


def print_login(console: Console, grant: Grant) -> None:
    """Print what was granted, without a token."""
    rows = [
        ("Authorization server", grant.issuer),
        ("Client", f"{grant.client.id} ({grant.client.origin})"),
        ("Scopes", " ".join(grant.tokens.scopes) or "(not named)"),
        ("Token", f"{grant.tokens.type}, {_validity(grant)}"),
        ("Saved in", "the system keyring"),
    ]
    console.out_table(rows, "    ")


def _validity(grant: Grant) -> str:
    """Return how long a login is valid."""
    renewal = (
        "renewed automatically" if grant.tokens.refresh else "no refresh token: log in again then"
    )
    if math.isinf(grant.tokens.expires_at):
        return "valid until it is refused"
    seconds = max(grant.tokens.expires_at - time.time(), 0)
    amount = f"{seconds:.0f} s" if seconds < MAX_FORMATTED_SECONDS else f"{seconds / 60:.0f} min"
    return f"valid for {amount}, {renewal}"


_OUTCOME_TEXT = {
    CheckResult.PASSED: "ok:",
    CheckResult.INFO: "info:",
    CheckResult.WARNING: "warning:",
    CheckResult.FAILED: "error:",
}


def _details(step: FlowStep) -> Iterator[str]:
    """Yield the request and its status, or the challenges."""
    if step.request is not None:
        came = step.response.problem or f"HTTP {step.response.status}"
        yield f"{step.request.verb} {mask_urls(step.request.url)}: {came}"
    if step.request is None:
        for each in step.before.challenges.items:
            params = ", ".join(f'{name}="{value}"' for name, value in each.params)
            yield f"{each.scheme} {params or each.token68}"[:MAX_CHALLENGE_LENGTH]


def _document(step: FlowStep) -> Iterator[str]:
    """Yield the document in the response, or an excerpt of something else."""
    if step.stage in DOCUMENTS and step.response.status:
        value, problem, _ = document.read_object(step.response)
        if value is not None:
            yield json_codec.write(shorten_strings(value), indent=2)
        elif step.response.is_good:
            yield f"{problem}: {document.excerpt(step.response.body)}"


def _checks(step: FlowStep) -> Iterator[str]:
    """Yield the checks except the one that stopped the step."""
    yield from (check_text(each) for each in step.checks if each.summary != step.problem)


def _problem(step: FlowStep) -> Iterator[str]:
    """Yield the reason for a failed step, and the hint."""
    if step.problem:
        rules = [_source(check) for check in _broken(step) if check.summary == step.problem]
        yield " ".join((f"stopped: {step.problem}", *rules))
    if step.hint:
        yield for_cli(step.hint)
    if step.waiver is not None:
        yield f"To log in anyway, add --accept {step.waiver}."


def _broken(step: FlowStep) -> list[Check]:
    return [
        each for each in step.checks if each.result in {CheckResult.FAILED, CheckResult.WARNING}
    ]


def _source(check: Check) -> str:
    """Return the rule of a check, and where it is written."""
    rule = check.source if check.rule in check.source else f"{check.rule}; {check.source}"
    return f"[{rule}]"


def flow_step_to_json(step: FlowStep) -> JsonObject:
    """One step."""
    value, _, _ = document.read_object(step.response)
    entry: JsonObject = {
        "stage": step.stage.value,
        "title": step.title,
        "status": step.status.value,
        "url": mask_urls(step.request.url) if step.request is not None else "",
        "httpStatus": step.response.status,
        "summary": step.reason,
        "problem": step.problem,
        "hint": for_cli(step.hint),
        "accept": step.waiver.value if step.waiver is not None else "",
        "seconds": None if math.isnan(step.seconds) else step.seconds,
        "checks": [_check_to_json(check) for check in step.checks],
    }
    if step.stage in DOCUMENTS:
        entry["document"] = value
    if step.stage is Stage.CHALLENGE:
        entry["challenges"] = [
            {"scheme": each.scheme, "parameters": [[n, v] for n, v in each.params]}
            for each in step.before.challenges.items
        ]
    return entry


def registration_to_json(state: State) -> Json:
    """Which clients the authorization server accepts; null if its metadata is unknown."""
    server = state.server
    if server is None:
        return None
    return {
        "issuer": server.issuer,
        "clientMetadataDocument": server.takes_client_documents,
        "dynamicRegistration": server.registration_endpoint,
        "authenticationMethods": [*(server.client_auth or ())],
        "scopes": [*state.scopes],
    }


def login_to_json(grant: Grant) -> JsonObject:
    """What was granted, without a token."""
    expires_at = grant.tokens.expires_at
    return {
        "server": grant.server_url,
        "issuer": grant.issuer,
        "clientId": grant.client.id,
        "clientOrigin": grant.client.origin.value,
        "isPublicClient": grant.client.method == NONE,
        "tokenType": grant.tokens.type,
        "scopes": [*grant.tokens.scopes],
        "resource": grant.resource,
        "expiresAt": None if math.isinf(expires_at) else int(expires_at),
        "hasRefreshToken": bool(grant.tokens.refresh),
    }


def _check_to_json(check: Check) -> JsonObject:
    return {
        "rule": check.rule,
        "title": RULES[check.rule].title if check.rule in RULES else "",
        "source": check.source,
        "link": check.link,
        "pointer": check.pointer,
        "result": check.result.value,
        "summary": check.summary,
    }
