"""Who we are, what we can, which revision we speak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.conversation import SUPPORTED
from inspector.demo.extension_tasks import EXTENSION
from inspector.demo.request_errors import INVALID_PARAMS, INVALID_REQUEST, RpcError
from inspector.demo.revision_filter import PERSONAL_FIELDS, fitted
from inspector.demo.samples.icons import LENS

if TYPE_CHECKING:
    from inspector.demo.conversation import Conversation
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

SERVER: JsonObject = {
    "name": "spyglass-demo",
    "title": "Spyglass demo server",
    "version": "1.0.0",
    "description": "Demonstrates every protocol feature and simulates faults on request.",
    "websiteUrl": "https://modelcontextprotocol.io",
    "icons": [*LENS],
}

INSTRUCTIONS = """\
This server comes with Spyglass. It has no purpose but to be looked at.

- **Start with** `echo`, `weather` and `countdown`.
- `show_…` returns every kind of content, `form_…` asks for every kind of argument.
- `notes_…` carries every combination of annotations; the notebook is also a resource, `demo://notes`.
{tasks}- `ask_…` wants something from the client in return.
- `fault_…` breaks the protocol on purpose, each tool in its own way. Some of them end the session.
"""

TASKS = "- `task_…` runs as a task: call it as one, and look at *Tasks*.\n"
LASTING = "- `task_…` becomes a task for clients that declare it: call it, and look at *Tasks*.\n"

EXTENSIONS: JsonObject = {EXTENSION: {}}
"""Optional parts outside the core that we have, by identifier, each with its settings."""


def initialize(conversation: Conversation, params: JsonObject) -> JsonObject:
    """Agree on a revision: the one asked for if we speak it, else our newest.

    Source: lifecycle, "Version Negotiation".
    """
    if conversation.is_open:
        raise RpcError(INVALID_REQUEST, "This session is initialized already")
    conversation.revision = _agreed(params.get("protocolVersion"))
    conversation.client = _object(params.get("clientInfo"))
    conversation.capabilities = _object(params.get("capabilities"))
    conversation.is_open = True
    revision = conversation.revision
    return {
        "protocolVersion": revision.date,
        "capabilities": capabilities_of(revision),
        "serverInfo": fitted(SERVER, PERSONAL_FIELDS, revision),
        "instructions": instructions_of(revision),
    }


def _agreed(requested: Json) -> Revision:
    if not isinstance(requested, str):
        raise RpcError(INVALID_PARAMS, "protocolVersion must be a string")
    return next((revision for revision in SUPPORTED if revision.date == requested), SUPPORTED[-1])


def instructions_of(revision: Revision) -> str:
    """What to try first."""
    text = TASKS if revision.has_tasks else LASTING if revision.has_extensions else ""
    return INSTRUCTIONS.format(tasks=text)


def capabilities_of(revision: Revision) -> JsonObject:
    """What we can, as `revision` declares it."""
    capabilities: JsonObject = {
        "tools": {"listChanged": True},
        "resources": {"subscribe": True, "listChanged": True},
        "prompts": {"listChanged": True},
        "logging": {},
        "experimental": {"spyglass.demo/faults": {"tools": "fault_*"}},
    }
    if revision.has_completions_capability:
        capabilities["completions"] = {}
    if revision.has_tasks:
        calls: JsonObject = {"tools": {"call": {}}}
        capabilities["tasks"] = {"list": {}, "cancel": {}, "requests": calls}
    if revision.has_extensions and EXTENSIONS:
        capabilities["extensions"] = {**EXTENSIONS}
    return capabilities


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
