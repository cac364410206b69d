"""Completion: unknown references, context, and time.

Source: server/utilities/completion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

SLOW_COMPLETION_SECONDS = 1.0
"""Suggestions that take longer come after the user has typed on."""

ENOUGH_CONTEXTS = 3
"""Contexts that must give the same values before that is worth a remark."""


def check_unknown_reference(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a completion for what does not exist that is not refused by -32602."""
    code = message.error.get("code")
    if not message.error:
        text = "a prompt that is not listed returns suggestions"
        yield make_finding("L-CMP-05", text, "", message.revision, severity=Severity.INFO)
    elif code != INVALID_PARAMS:
        text = f"a prompt that is not listed should return error -32602, not {format_value(code)}"
        yield make_finding("L-CMP-05", text, "/error/code", message.revision)


def _is_reference_unknown(message: ReceivedMessage, history: History) -> bool:
    whole, params = history.lists.get("prompts/list"), message.request_params()
    reference = params.get("ref") if isinstance(params, dict) else None
    if whole is None or not isinstance(reference, dict) or reference.get("type") != "ref/prompt":
        return False
    names = (item.value.get("name") for item in whole.items if isinstance(item.value, dict))
    return reference.get("name") not in names


def check_context(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about the same values in every context."""
    key, _, digest = history.completed.read(message)
    known = history.completed.contexts.get(key) or {}
    if len(known) == ENOUGH_CONTEXTS and set(known.values()) == {digest}:
        text = f"{ENOUGH_CONTEXTS} different contexts returned the same values for the same input"
        yield make_finding("L-CMP-06", text, "/result/completion/values", message.revision)


def _has_contexts(message: ReceivedMessage, history: History) -> bool:
    key, context, _ = history.completed.read(message)
    known = history.completed.contexts.get(key) or {}
    return context != 0 and context not in known and len(known) >= ENOUGH_CONTEXTS


def check_completion_time(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about suggestions that come late."""
    seconds = history.calls.seconds_of(message.request, message.monotonic_s)
    if seconds is not None and seconds > SLOW_COMPLETION_SECONDS:
        text = f"the suggestions took {seconds:.1f} s"
        yield make_finding("L-CMP-07", text, "", message.revision)


_COMPLETION = On(Subject.RESULT, "completion/complete")

RULES = (
    Rule(
        "L-CMP-05",
        Severity.WARNING,
        "completion",
        "unknown reference without error -32602",
        why="Clients cannot distinguish a wrong name from a failure of the server.",
        hint="Reject a prompt or a template that does not exist with error -32602.",
        section="Error Handling",
        level="SHOULD",
        since=2,
        on=(_COMPLETION, On(Subject.ERROR, "completion/complete")),
        check=check_unknown_reference,
        when=_is_reference_unknown,
    ),
    Rule(
        "L-CMP-06",
        Severity.INFO,
        "completion",
        "completion context ignored",
        why="Users see values that do not match their earlier input.",
        hint="Use `context.arguments` to narrow the values.",
        level="quality",
        since=3,
        on=(_COMPLETION,),
        check=check_context,
        when=_has_contexts,
    ),
    Rule(
        "L-CMP-07",
        Severity.INFO,
        "completion",
        "slow completion",
        why="Users have typed on before the suggestions arrive.",
        hint="Respond within a second, from a cache if necessary.",
        level="quality",
        on=(_COMPLETION,),
        check=check_completion_time,
    ),
)
