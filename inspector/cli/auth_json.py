"""Steps of an authorization as JSON, without secrets: no body of a request, no URL of a login."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from inspector.auth import document
from inspector.auth.client import NONE
from inspector.auth.stage import Stage
from inspector.errors import for_cli
from inspector.rule_titles import TITLES
from inspector.wire.redaction import mask_addresses

if TYPE_CHECKING:
    from inspector.auth.check import Check
    from inspector.auth.flow import FlowStep
    from inspector.auth.grant import Grant
    from inspector.auth.state import State
    from inspector.wire.json_codec import Json, JsonObject

DOCUMENTS = {Stage.RESOURCE, Stage.SERVER}
"""Steps whose response is public."""


def flow_step_to_json(step: FlowStep) -> JsonObject:
    """One step."""
    value, _, _ = document.read_object(step.response)
    entry: JsonObject = {
        "stage": step.stage.value,
        "title": step.title,
        "status": step.status.value,
        "url": mask_addresses(step.request.url) if step.request is not None else "",
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
        "title": TITLES.get(check.rule, ""),
        "source": check.source,
        "link": check.link,
        "pointer": check.pointer,
        "result": check.verdict.value,
        "summary": check.summary,
    }
