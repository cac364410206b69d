"""What a server asks of the client: sampling and elicitation, as requests and inside of results that require input.

Source: client/sampling, client/elicitation; basic/patterns/mrtr for inputs; "deprecated".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, urlsplit

from inspector.checks.families.listing import quoted, text_of
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.error_codes import URL_ELICITATION_REQUIRED
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

SHORT_MESSAGE = 12
"""Characters below which a message cannot say what is asked and why."""

MAX_FIELDS = 500
"""Fields of one form that are looked at."""

_BOUNDS = (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"))


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


def _forms(message: ReceivedMessage) -> Iterator[tuple[Asked, JsonObject]]:
    """Yield the forms that are asked for, with their schemas."""
    for each in asked(message):
        schema = each.params.get("requestedSchema")
        if each.method == ELICITATION and isinstance(schema, dict):
            yield each, schema


def _fields(schema: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for count, (name, field) in enumerate(properties.items()):
            if count >= MAX_FIELDS:
                return
            if isinstance(field, dict):
                yield name, field


def check_tool_loop(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a sampling conversation that goes on using tools."""
    del history
    for each in asked(message):
        messages = each.params.get("messages")
        if each.method == SAMPLING and isinstance(messages, list):
            rounds = sum(1 for one in messages if _has_tool_result(one))
            if rounds > MAX_ROUNDS:
                text = f"{rounds} rounds of tools in one conversation"
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


def check_enum_names(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about each field that names its choices by `enumNames`."""
    del history
    for each, schema in _forms(message):
        for name, field in _fields(schema):
            if "enumNames" in field:
                text = f"field {quoted(name)} names its choices by `enumNames`"
                pointer = join(each.pointer, "requestedSchema", "properties", name, "enumNames")
                yield make_finding("L-ELI-05", text, pointer, message.revision)


def check_form(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield what no entry in a form can meet, and defaults that the form itself refuses."""
    del history
    for each, schema in _forms(message):
        root = join(each.pointer, "requestedSchema")
        required, properties = schema.get("required"), schema.get("properties")
        names = properties if isinstance(properties, dict) else {}
        for name in required if isinstance(required, list) else ():
            if isinstance(name, str) and name not in names:
                text = f"{quoted(name)} is required, and is no field"
                yield make_finding("L-ELI-06", text, f"{root}/required", message.revision)
        for name, field in _fields(schema):
            for text, key in _field_problems(field):
                pointer = join(root, "properties", name, key)
                yield make_finding(
                    "L-ELI-06", f"field {quoted(name)}: {text}", pointer, message.revision
                )


def _field_problems(field: JsonObject) -> Iterator[tuple[str, str]]:
    for low, high in _BOUNDS:
        one, other = _number(field.get(low)), _number(field.get(high))
        if one is not None and other is not None and one > other:
            yield f"`{low}` is above `{high}`", low
    default, choices = field.get("default"), field.get("enum")
    if isinstance(choices, list) and "default" in field and default not in choices:
        yield "the default is none of the choices", "default"
    value, low, high = (
        _number(default),
        _number(field.get("minimum")),
        _number(field.get("maximum")),
    )
    if value is not None and (
        (low is not None and value < low) or (high is not None and value > high)
    ):
        yield "the default is outside of the bounds", "default"


def _number(value: Json) -> float | None:
    if value is None or isinstance(value, bool | str | list | dict):
        return None
    try:
        return float(str(value))
    except (ValueError, OverflowError):
        return None


def check_later_fields(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about each field of a form that only a later revision allows."""
    del history
    for each, schema in _forms(message):
        for name, field in _fields(schema):
            key = (
                "default"
                if "default" in field and field.get("type") != "boolean"
                else "oneOf"
                if "oneOf" in field
                else "type"
                if field.get("type") == "array"
                else ""
            )
            if key:
                text = f"field {quoted(name)} uses `{key}` as only later revisions do"
                pointer = join(each.pointer, "requestedSchema", "properties", name, key)
                yield make_finding("L-ELI-07", text, pointer, message.revision)


def check_elicitation_id(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about an id that the revision has no more."""
    del history
    for each in asked(message):
        if each.method == ELICITATION and "elicitationId" in each.params:
            text = f"`elicitationId` was removed in {V2026_07_28}"
            yield make_finding("L-ELI-10", text, f"{each.pointer}/elicitationId", message.revision)


def check_url_error(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a URL that is asked for although we did not declare that we open any."""
    declared = history.client_capabilities.get("elicitation")
    if not (isinstance(declared, dict) and "url" in declared):
        text = f"error {URL_ELICITATION_REQUIRED}, although the client did not declare `elicitation.url`"
        yield make_finding("L-ELI-16", text, "/error/code", message.revision)


def _is_url_error(message: ReceivedMessage, history: History) -> bool:
    del history
    return message.error.get("code") == URL_ELICITATION_REQUIRED


def check_message(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a message that is too short to say what is asked and why."""
    del history
    for each in asked(message):
        text = text_of(each.params.get("message")).strip()
        if each.method == ELICITATION and len(text) < SHORT_MESSAGE and "message" in each.params:
            summary = f"the message is {quoted(text)}" if text else "the message is empty"
            yield make_finding("L-ELI-17", summary, f"{each.pointer}/message", message.revision)


def check_login_url(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a URL that begins a login for a resource: a server must not use it to authorize the client to itself."""
    del history
    for each in asked(message):
        query = parse_qs(urlsplit(text_of(each.params.get("url"))[:4000]).query)
        if each.method == ELICITATION and "response_type" in query and "resource" in query:
            resource = query["resource"][0]
            text = f"the URL begins an OAuth login for {quoted(resource)}; if that is this server, it must use its own 401"
            yield make_finding("L-ELI-19", text, f"{each.pointer}/url", message.revision)


def _asks_form(message: ReceivedMessage, history: History) -> bool:
    del history
    return any(True for _ in _forms(message))


def _asks(method: str, key: str = "") -> Callable[[ReceivedMessage, History], bool]:
    """Return whether a message asks by `method`, with the member `key` unless that is empty."""

    def when(message: ReceivedMessage, history: History) -> bool:
        del history
        return any(
            each.method == method and (not key or key in each.params) for each in asked(message)
        )

    return when


_INPUTS = tuple(
    On(Subject.RESULT, method) for method in ("tools/call", "prompts/get", "resources/read")
)
"""Results that may require input."""

_SAMPLING = (On(Subject.REQUEST, SAMPLING), *_INPUTS)
_ELICITATION = (On(Subject.REQUEST, ELICITATION), *_INPUTS)

RULES = (
    Rule(
        "L-SMP-07",
        Severity.WARNING,
        "sampling",
        "tool loop without an end",
        why="Each round costs the user a request to a model, and nothing ends them.",
        hint="Bound the rounds of one conversation, and give the last request without tools.",
        section="Security Considerations",
        level="SHOULD",
        since=4,
        on=_SAMPLING,
        check=check_tool_loop,
        when=_asks(SAMPLING, "tools"),
    ),
    Rule(
        "L-SMP-09",
        Severity.INFO,
        "deprecated",
        "sampling is deprecated",
        why="Clients may drop it from the next revision on.",
        hint="Call a model yourself, or return what the client's model needs as a result.",
        level="deprecated",
        since=5,
        on=_INPUTS,
        check=check_sampling_used,
        when=_asks(SAMPLING),
    ),
    Rule(
        "L-ELI-05",
        Severity.INFO,
        "elicitation",
        "choices named by enumNames",
        why="Clients of later revisions display the values instead of the names.",
        hint="Use `oneOf` with `const` and `title`.",
        section="Requested Schema",
        level="deprecated",
        since=4,
        on=_ELICITATION,
        check=check_enum_names,
        when=_asks_form,
    ),
    Rule(
        "L-ELI-06",
        Severity.INFO,
        "elicitation",
        "form that contradicts itself",
        why="No answer of the user can meet it.",
        hint="Require fields that exist, and give bounds and defaults that fit each other.",
        section="Requested Schema",
        level="quality",
        since=3,
        on=_ELICITATION,
        check=check_form,
        when=_asks_form,
    ),
    Rule(
        "L-ELI-07",
        Severity.INFO,
        "elicitation",
        "form with parts of a later revision",
        why="Clients of this revision ignore the part, or refuse the form.",
        hint="Use booleans, numbers, texts and `enum`, and a default for booleans alone.",
        section="Requested Schema",
        level="quality",
        since=3,
        until=3,
        on=_ELICITATION,
        check=check_later_fields,
        when=_asks_form,
    ),
    Rule(
        "L-ELI-10",
        Severity.INFO,
        "elicitation",
        "elicitationId is not part of this revision",
        why="Clients ignore it, and no notification refers to it.",
        hint="Leave `elicitationId` out.",
        level="removed",
        since=5,
        on=_INPUTS,
        check=check_elicitation_id,
        when=_asks(ELICITATION),
    ),
    Rule(
        "L-ELI-16",
        Severity.ERROR,
        "elicitation",
        "URL required from a client that opens none",
        why="The client cannot do what is asked, and the request can never succeed.",
        hint="Ask by URL only if the client declared `elicitation.url`.",
        section="URL Elicitation Required Error",
        level="MUST NOT",
        since=4,
        until=4,
        on=(On(Subject.ERROR),),
        check=check_url_error,
        when=_is_url_error,
    ),
    Rule(
        "L-ELI-17",
        Severity.INFO,
        "elicitation",
        "message that does not say why",
        why="Users cannot decide whether to answer.",
        hint="Say in the message what is asked, by what, and what it is needed for.",
        level="quality",
        since=3,
        on=_ELICITATION,
        check=check_message,
        when=_asks(ELICITATION, "message"),
    ),
    Rule(
        "L-ELI-19",
        Severity.WARNING,
        "elicitation",
        "URL elicitation used to log in to the server",
        why="The client never gets the token, and its own checks of the login are bypassed.",
        hint="Answer 401 with `WWW-Authenticate`, and leave the login to the client.",
        section="URL Mode Elicitation for OAuth Flows",
        level="MUST NOT",
        since=4,
        on=_ELICITATION,
        check=check_login_url,
        when=_asks(ELICITATION, "url"),
    ),
)
