"""The client that the conformance suite judges: one scenario, one server, and the engine between.

    MCP_CONFORMANCE_SCENARIO=NAME MCP_CONFORMANCE_PROTOCOL_VERSION=DATE python -m tests.conformance.client URL

Ends with 0 when everything was done, 1 when the engine met an error, 2 when we cannot do that scenario yet. What the server asks is
answered at once: a form with the defaults of its schema, everything else with no.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from functools import partial
from typing import TYPE_CHECKING

from inspector.config.client_settings import ClientSettings
from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.features.elicitation import Elicitation
from inspector.features.sampling import Sampling
from inspector.spec.views.elicitation import ElicitationView
from inspector.wire import json_codec
from inspector.workspace import Workspace
from tests.conformance import authorizing
from tests.conformance.acts import AUTH, AUTOMATIC, act_of

if TYPE_CHECKING:
    from inspector.auth.grant import Access
    from inspector.inbox import Inbox, InboxItem
    from inspector.wire.json_codec import Json, JsonObject

LIMIT_SECONDS = 15.0
"""For one request; the suite allows twice as long for all of them."""

DONE, FAILED, UNKNOWN = 0, 1, 2


async def main() -> int:
    """Play the scenario that the environment names; the exit code."""
    scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
    if act_of(scenario) is None:
        sys.stderr.write(f"not supported: {scenario}\n")
        return UNKNOWN
    profile = Profile(
        name=scenario,
        transport="http",
        url=sys.argv[-1],
        revision="" if scenario in AUTOMATIC else os.environ["MCP_CONFORMANCE_PROTOCOL_VERSION"],
        timeout_seconds=LIMIT_SECONDS,
        total_timeout_seconds=LIMIT_SECONDS,
    )
    try:
        await _play(scenario, profile)
    except InspectorError as error:
        sys.stderr.write(f"{type(error).__name__}: {error.reason}\n")
        return FAILED
    return DONE


async def _play(scenario: str, profile: Profile) -> None:
    context, act = _context(), act_of(scenario)
    assert act is not None
    workspace = Workspace(None, ClientSettings(None), access=partial(_access, scenario, context))
    workspace.inbox.changed.subscribe(lambda: _answer(workspace.inbox))
    opened = workspace.open(profile)
    try:
        await opened.connect()
        await act(opened, context)
    finally:
        await workspace.aclose()


def _access(scenario: str, context: JsonObject, _: Profile) -> Access | None:
    return authorizing.access(scenario, context) if scenario.startswith(AUTH) else None


def _context() -> JsonObject:
    value: Json = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}"))
    assert isinstance(value, dict)
    return value


def _answer(inbox: Inbox) -> None:
    for ask in inbox.pending:
        _answer_one(ask)


def _answer_one(ask: InboxItem) -> None:
    view = ask.view
    if isinstance(ask.feature, Sampling):
        ask.feature.reject(ask)
    elif isinstance(ask.feature, Elicitation):
        if isinstance(view, ElicitationView) and not view.is_url:
            ask.feature.accept(ask, json_codec.write(defaults(view.requested_schema)))
        else:
            ask.feature.decline(ask)


def defaults(schema: Json) -> JsonObject:
    """A form filled in with what its schema says; a field without a default that must be there has its simplest value."""
    shape = schema if isinstance(schema, dict) else {}
    fields, required = shape.get("properties"), shape.get("required")
    needed: list[Json] = required if isinstance(required, list) else []
    filled: JsonObject = {}
    for name, field in (fields if isinstance(fields, dict) else {}).items():
        if isinstance(field, dict) and "default" in field:
            filled[name] = field["default"]
        elif name in needed:
            filled[name] = _simplest(field)
    return filled


def _simplest(field: Json) -> Json:
    shape = field if isinstance(field, dict) else {}
    choices = shape.get("enum")
    if isinstance(choices, list) and choices:
        return choices[0]
    values: dict[Json, Json] = {"boolean": True, "integer": 1, "number": 1, "array": []}
    return values.get(str(shape.get("type")), "x")


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
