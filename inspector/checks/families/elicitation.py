"""Elicitation: forms and URLs that a server asks the user for.

Source: client/elicitation; basic/patterns/mrtr for inputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from inspector.checks.families.client_requests import (
    ELICITATION,
    INPUT_MEMBERS,
    INPUTS,
    asked,
    asks,
)
from inspector.checks.families.listing import quoted, text_of
from inspector.checks.families.tool_schemas import crossed_bounds
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.error_codes import URL_ELICITATION_REQUIRED
from inspector.spec.findings import make_finding
from inspector.spec.json_types import number_of
from inspector.spec.pointer import join
from inspector.spec.revision import V2026_07_28
from inspector.spec.views.elicitation import FORM, URL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.families.client_requests import Asked
    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding
    from inspector.json_value import JsonObject

SHORT_MESSAGE = 12
"""Characters below which a message cannot say what is asked and why."""

MAX_FIELDS = 500
"""Fields of one form that are looked at."""


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


def check_enum_names(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about each field that names its choices by `enumNames`."""
    del history
    for each, schema in _forms(message):
        for name, field in _fields(schema):
            if "enumNames" in field:
                text = f"field {quoted(name)} uses the deprecated `enumNames`"
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
                text = f"`required` lists {quoted(name)}, which is not in `properties`"
                yield make_finding("L-ELI-06", text, f"{root}/required", message.revision)
        for name, field in _fields(schema):
            for text, key in _field_problems(field):
                pointer = join(root, "properties", name, key)
                yield make_finding(
                    "L-ELI-06", f"field {quoted(name)}: {text}", pointer, message.revision
                )


def _field_problems(field: JsonObject) -> Iterator[tuple[str, str]]:
    for low, _, high, _ in crossed_bounds(field):
        yield f"`{low}` is above `{high}`", low
    default, choices = field.get("default"), field.get("enum")
    if isinstance(choices, list) and "default" in field and default not in choices:
        yield "the default is not in `enum`", "default"
    value, low, high = (
        number_of(default),
        number_of(field.get("minimum")),
        number_of(field.get("maximum")),
    )
    if value is not None and (
        (low is not None and value < low) or (high is not None and value > high)
    ):
        yield "the default is outside of its bounds", "default"


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
                text = f"field {quoted(name)} uses `{key}` in a way that only later revisions allow"
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
        text = f"error {URL_ELICITATION_REQUIRED} requires a URL, but the client did not declare `elicitation.url`"
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
        query = _query(text_of(each.params.get("url"))[:4000])
        if each.method == ELICITATION and "response_type" in query and "resource" in query:
            resource = query["resource"][0]
            text = f"the URL starts an OAuth login for {quoted(resource)}; if that is this server, it must respond with HTTP 401 instead"
            yield make_finding("L-ELI-19", text, f"{each.pointer}/url", message.revision)


def _query(url: str) -> dict[str, list[str]]:
    try:
        return parse_qs(urlsplit(url).query)
    except ValueError:
        return {}


def _asks_form(message: ReceivedMessage, history: History) -> bool:
    del history
    return any(True for _ in _forms(message))


def check_mode(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about each elicitation in a mode that we did not declare; a capability that names no mode means forms."""
    declared = history.client_capabilities.get("elicitation")
    named = [mode for mode in (FORM, URL) if isinstance(declared, dict) and mode in declared]
    for each in asked(message):
        mode = text_of(each.params.get("mode")) or FORM
        if each.method == ELICITATION and mode not in (named or [FORM]):
            text = f"the client did not declare the mode {quoted(mode)}"
            yield make_finding("L-ELI-08", text, f"{each.pointer}/mode", message.revision)


_ELICITATION = (On(Subject.REQUEST, ELICITATION), *INPUTS)

RULES = (
    Rule(
        "L-ELI-08",
        Severity.ERROR,
        "elicitation",
        "elicitation mode not declared by the client",
        why="Clients reject the request.",
        hint="Use a mode that the client declared.",
        section="Capabilities",
        level="MUST NOT",
        since=4,
        on=_ELICITATION,
        check=check_mode,
        members=INPUT_MEMBERS,
        when=asks(ELICITATION),
    ),
    Rule(
        "L-ELI-05",
        Severity.INFO,
        "elicitation",
        "deprecated enumNames",
        why="Clients of later revisions show the values instead of the names.",
        hint="Use `oneOf` with `const` and `title`.",
        section="Requested Schema",
        level="deprecated",
        since=4,
        on=_ELICITATION,
        check=check_enum_names,
        members=INPUT_MEMBERS,
        when=_asks_form,
    ),
    Rule(
        "L-ELI-06",
        Severity.INFO,
        "elicitation",
        "form that contradicts itself",
        why="Users cannot submit the form, or start from a default that is rejected.",
        hint="Require only fields that exist, and use bounds and defaults that match each other.",
        section="Requested Schema",
        level="quality",
        since=3,
        on=_ELICITATION,
        check=check_form,
        members=INPUT_MEMBERS,
        when=_asks_form,
    ),
    Rule(
        "L-ELI-07",
        Severity.INFO,
        "elicitation",
        "form with parts of a later revision",
        why="Clients of this revision ignore the part, or reject the form.",
        hint="Use strings, numbers, booleans and `enum`, and defaults only for booleans.",
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
        on=INPUTS,
        check=check_elicitation_id,
        members=INPUT_MEMBERS,
        when=asks(ELICITATION),
    ),
    Rule(
        "L-ELI-16",
        Severity.ERROR,
        "elicitation",
        "error -32042 to a client without elicitation.url",
        why="The client cannot open URLs, so the request can never succeed.",
        hint="Use URL mode only if the client declared `elicitation.url`.",
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
        "elicitation message empty or very short",
        why="Users cannot decide whether to respond.",
        hint="Explain in the message what is requested, and why.",
        level="quality",
        since=3,
        on=_ELICITATION,
        check=check_message,
        members=INPUT_MEMBERS,
        when=asks(ELICITATION, "message"),
    ),
    Rule(
        "L-ELI-19",
        Severity.WARNING,
        "elicitation",
        "URL elicitation used to log in to the server",
        why="The client never gets the token, and its login checks are bypassed.",
        hint="Respond with HTTP 401 and `WWW-Authenticate`, and leave the login to the client.",
        section="URL Mode Elicitation for OAuth Flows",
        level="MUST NOT",
        since=4,
        on=_ELICITATION,
        check=check_login_url,
        members=INPUT_MEMBERS,
        when=asks(ELICITATION, "url"),
    ),
)
