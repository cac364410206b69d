"""A request without the header that repeats its name. Source: basic/transports/streamable-http, "Server Validation"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, conclude, needs_standard_headers
from inspector.probes.probe import Effect, Probe
from inspector.spec.error_codes import HEADER_MISMATCH
from inspector.spec.keys import HEADER_NAME

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult
    from inspector.wire.json_codec import JsonObject


async def run(context: ProbeContext) -> ProbeResult:
    """Expect an error."""
    method, params = _named(context)
    answer = await ask_http(context, (HEADER_NAME, None), method=method, params=params)
    if answer.has_result:
        text = f"a request without `{HEADER_NAME}` must be refused with error {HEADER_MISMATCH}, and got a result"
        return context.find("L-MOD-06", text, answer.frame)
    return conclude(context, answer)


def _named(context: ProbeContext) -> tuple[str, JsonObject]:
    """Return a request that names what is listed and has no effect: a prompt without arguments, or a resource; empty without one."""
    for prompt in context.listed("prompts"):
        name = prompt.get("name")
        if isinstance(name, str) and not prompt.get("arguments"):
            return "prompts/get", {"name": name, "arguments": {}}
    for resource in context.listed("resources"):
        uri = resource.get("uri")
        if isinstance(uri, str):
            return "resources/read", {"uri": uri}
    return "", {}


def needs(context: ProbeContext) -> str:
    """Apply to servers with a prompt that has no arguments, or a resource: reading it has no effect."""
    reason = "" if _named(context)[0] else "no prompt without arguments and no resource is listed"
    return needs_standard_headers(context) or reason


PROBE = Probe(
    "missing-name-header",
    "Request without its name in the headers",
    f"prompts/get or resources/read without `{HEADER_NAME}`",
    ("L-MOD-06",),
    run,
    needs,
    Effect.OPENS_CONNECTIONS,
)
