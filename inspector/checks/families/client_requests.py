"""What a server asks of the client, as requests and inside of results that require input; and the rules of sampling.

Source: client/sampling; basic/patterns/mrtr for inputs; "deprecated".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.families.listing import text_of
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.pointer import join
from inspector.spec.revision import V2026_07_28

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.json_value import Json, JsonObject

SAMPLING, ELICITATION = "sampling/createMessage", "elicitation/create"
MAX_ROUNDS = 20
"""Uses of tools in one sampling conversation above which it is called endless."""


class Asked(NamedTuple):
    """A request of the server to the client."""

    method: str
    params: JsonObject
    pointer: str
    """Where its params are in the message."""


def asked(message: ReceivedMessage) -> Iterator[Asked]:
    """Yield what a message asks: itself, if it is a request, or the inputs that a result requires."""
    if message.method in {SAMPLING, ELICITATION} and "method" in message.value:
        yield Asked(message.method, message.params, "/params")
        return
    inputs = message.result.get("inputRequests")
    for key, each in inputs.items() if isinstance(inputs, dict) else ():
        params = each.get("params") if isinstance(each, dict) else None
        method = each.get("method") if isinstance(each, dict) else None
        if isinstance(params, dict) and isinstance(method, str):
            yield Asked(method, params, join("/result/inputRequests", key, "params"))


def check_tool_loop(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a sampling conversation that goes on using tools."""
    del history
    for each in asked(message):
        messages = each.params.get("messages")
        if each.method == SAMPLING and isinstance(messages, list):
            rounds = sum(1 for one in messages if _has_tool_result(one))
            if rounds > MAX_ROUNDS:
                text = f"the conversation has {rounds:,} rounds of tools"
                yield make_finding("L-SMP-07", text, f"{each.pointer}/messages", message.revision)


def _has_tool_result(message: Json) -> bool:
    content = message.get("content") if isinstance(message, dict) else None
    found = content if isinstance(content, list) else [content]
    return any(isinstance(block, dict) and block.get("type") == "tool_result" for block in found)


def check_sampling_used(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about sampling in a revision that advises against it."""
    del history
    for each in asked(message):
        if each.method == SAMPLING:
            text = f"sampling is deprecated since {V2026_07_28}"
            yield make_finding("L-SMP-09", text, each.pointer, message.revision)


def check_sampling_tools(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about tools in sampling that we did not declare."""
    for each in asked(message):
        if each.method == SAMPLING and "tools" in each.params and not _declares(history, "tools"):
            text = "`tools` is set, but the client did not declare `sampling.tools`"
            yield make_finding("L-SMP-02", text, f"{each.pointer}/tools", message.revision)


def check_sampling_context(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about context that we did not declare."""
    for each in asked(message):
        context = text_of(each.params.get("includeContext"))
        if (
            each.method == SAMPLING
            and context not in {"", "none"}
            and not _declares(history, "context")
        ):
            text = '`includeContext` is set, but the client did not declare `sampling.context`; treated as "none"'
            pointer = f"{each.pointer}/includeContext"
            yield make_finding("L-SMP-03", text, pointer, message.revision)


def _declares(history: History, part: str) -> bool:
    declared = history.client_capabilities.get("sampling")
    return isinstance(declared, dict) and declared.get(part) is not None


def asks(method: str, key: str = "") -> Callable[[ReceivedMessage, History], bool]:
    """Return whether a message asks by `method`, with the member `key` unless that is empty."""

    def when(message: ReceivedMessage, history: History) -> bool:
        del history
        if message.method != method and "inputRequests" not in message.result:
            return False  # as nearly always
        return any(
            each.method == method and (not key or key in each.params) for each in asked(message)
        )

    return when


INPUTS = tuple(
    On(Subject.RESULT, method) for method in ("tools/call", "prompts/get", "resources/read")
)
"""Results that may require input."""

INPUT_MEMBERS = ("inputRequests",)
"""What such a result has."""

_SAMPLING = (On(Subject.REQUEST, SAMPLING), *INPUTS)

RULES = (
    Rule(
        "L-SMP-03",
        Severity.WARNING,
        "sampling",
        "includeContext without sampling.context",
        why="Clients ignore it, and the model lacks the context.",
        hint="Leave `includeContext` out, or use `none`.",
        section="Capabilities",
        level="SHOULD NOT",
        since=4,
        on=_SAMPLING,
        check=check_sampling_context,
        members=INPUT_MEMBERS,
        when=asks(SAMPLING, "includeContext"),
    ),
    Rule(
        "L-SMP-02",
        Severity.ERROR,
        "sampling",
        "tools without sampling.tools",
        why="Clients without tool support reject the request.",
        hint="Send `tools` only to clients that declare `sampling.tools`.",
        section="Tools in Sampling",
        level="MUST NOT",
        since=4,
        on=_SAMPLING,
        check=check_sampling_tools,
        members=INPUT_MEMBERS,
        when=asks(SAMPLING, "tools"),
    ),
    Rule(
        "L-SMP-07",
        Severity.WARNING,
        "sampling",
        "very many tool rounds in one conversation",
        why="Each round costs the user another request to a model.",
        hint="Limit the rounds of one conversation, and send the last request with `none` as the mode of `toolChoice`.",
        section="Security Considerations",
        level="SHOULD",
        since=4,
        on=_SAMPLING,
        check=check_tool_loop,
        members=INPUT_MEMBERS,
        when=asks(SAMPLING, "tools"),
    ),
    Rule(
        "L-SMP-09",
        Severity.INFO,
        "deprecated",
        "sampling is deprecated",
        why="Clients may drop support for it in one of the next revisions.",
        hint="Call a model API from the server, or return the data to the client's model as a result.",
        level="deprecated",
        since=5,
        on=INPUTS,
        check=check_sampling_used,
        members=INPUT_MEMBERS,
        when=asks(SAMPLING),
    ),
)
