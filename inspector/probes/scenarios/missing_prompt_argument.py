"""A prompt without its required arguments. Source: server/prompts, "Implementation Considerations"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.probe import Probe
from inspector.spec.error_codes import INVALID_PARAMS

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult
    from inspector.wire.json_codec import JsonObject


def _prompt(context: ProbeContext) -> JsonObject | None:
    for prompt in context.listed("prompts"):
        arguments = prompt.get("arguments")
        for each in arguments if isinstance(arguments, list) else ():
            if isinstance(each, dict) and each.get("required") is True:
                return prompt
    return None


async def run(context: ProbeContext) -> ProbeResult:
    """Expect error -32602."""
    prompt = _prompt(context) or {}
    answer = await context.ask("prompts/get", {"name": prompt.get("name"), "arguments": {}})
    if answer.result is not None:
        text = f"{prompt.get('name')!r} renders without what it requires"
        return context.find("L-PRM-07", text, answer.frame, "/result")
    if answer.is_error and answer.code != INVALID_PARAMS:
        text = f"a missing argument must be answered by error {INVALID_PARAMS}; the answer was {answer.text}"
        severity = Severity.INFO if answer.is_exception else None
        return context.find("L-PRM-06", text, answer.frame, "/error/code", severity)
    return context.conclude(answer)


def needs(context: ProbeContext) -> str:
    """Apply to servers with a prompt that requires an argument."""
    return "" if _prompt(context) is not None else "no prompt requires an argument"


PROBE = Probe(
    "missing-prompt-argument",
    "Prompt without a required argument",
    "prompts/get of the first prompt that requires an argument, without it",
    ("L-PRM-06", "L-PRM-07"),
    run,
    needs,
)
