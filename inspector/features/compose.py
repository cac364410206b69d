"""Writing messages: what of their text the revision prescribes, and how a text is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from inspector.compare.json_text import ARRAY, OBJECT, json_text, kind, members, readable, string
from inspector.errors import ConnectionLost
from inspector.frozen import FrozenStruct
from inspector.spec.keys import META, OF_EVERY_REQUEST
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.json_edits import (
    is_json,
    laid_out_like,
    remove_member,
    set_member,
    value_span,
    value_text,
)
from inspector.wire.json_nesting import indented

if TYPE_CHECKING:
    from inspector.compare.json_text import JsonText
    from inspector.session.session import Session
    from inspector.wire.json_codec import JsonObject

MAX_READ = 200_000
"""Characters of a text up to which it is read while it is edited."""

MAX_LINE = 80
"""Characters of a message that stays on one line in an editor."""

VERSION = '"2.0"'
"""The value of `jsonrpc`, as JSON."""

_JSONRPC, _ID, _METHOD, _PARAMS = "jsonrpc", "id", "method", "params"
_NONE = msgspec.Raw(b"null")


def method_of(text: str) -> str:
    """Return the method of a message; empty without one."""
    raw = value_text(text, _METHOD)
    value = json_codec.read(raw.encode("utf-8", "surrogatepass")).value if is_json(raw) else ""
    return value if isinstance(value, str) else ""


def with_method(text: str, method: str) -> str:
    """Return a message with another method."""
    return laid_out_like(set_member(text, json_codec.write(method), _METHOD), text)


class MessageFacts(FrozenStruct, frozen=True):
    """What is in the text of a message."""

    method: str = ""
    id: str = ""
    """As it is written; empty without one."""
    has_envelope: bool = False
    """Whether it has all that its revision prescribes beside id, method and parameters."""


def message_facts(text: str, meta: JsonObject) -> MessageFacts | None:
    """Return what is in a message, read in one pass; None for text that is no JSON object. `meta` is what requests carry in `_meta`."""
    found = _object(json_text(text.encode("utf-8", "surrogatepass")))
    if found is None:
        return None
    given = found.get(_ID)
    of_params = _object(found.get(_PARAMS)) or {}
    needed = meta if given is not None else {}
    return MessageFacts(
        string(found.get(_METHOD, _NONE)) or "",
        readable(given) if given is not None and kind(given) not in {OBJECT, ARRAY} else "",
        readable(found.get(_JSONRPC, _NONE)) == VERSION
        and needed.keys() <= (_object(of_params.get(META)) or {}).keys(),
    )


def _object(text: JsonText | None) -> dict[str, JsonText] | None:
    return members(text) if text is not None and kind(text) == OBJECT else None


def meta_of(session: Session) -> JsonObject:
    """Return the members of `_meta` that every request carries now."""
    try:
        meta = session.stamped({}).get(META)
    except ConnectionLost:
        return {}
    return meta if isinstance(meta, dict) else {}


def has_envelope(text: str, meta: JsonObject) -> bool:
    """Whether a message has all that its revision prescribes beside id, method and parameters; `meta` is for requests."""
    return value_text(text, _JSONRPC) == VERSION and all(
        value_span(text, _PARAMS, META, key) is not None for key in _needed(text, meta)
    )


def with_envelope(text: str, meta: JsonObject) -> str:
    """Return a message with the version of JSON-RPC and those members of `meta` that it does not have."""
    made = set_member(text, VERSION, _JSONRPC)
    meta = _needed(text, meta)
    if meta and value_span(made, _PARAMS) is None:
        made = _with_params(made)
    if meta and value_span(made, _PARAMS, META) is None:
        made = set_member(made, "{}", _PARAMS, META)
    for key, value in reversed(meta.items()):
        if value_span(made, _PARAMS, META, key) is None:
            made = set_member(made, json_codec.write(value), _PARAMS, META, key)
    return laid_out_like(made, text)


def without_envelope(text: str) -> str:
    """Return a message without the version of JSON-RPC and without what every request carries in `_meta`."""
    made = remove_member(text, _JSONRPC)
    for key in sorted(OF_EVERY_REQUEST):
        made = remove_member(made, _PARAMS, META, key)
    return laid_out_like(made, text)


def _needed(text: str, meta: JsonObject) -> JsonObject:
    """Return the members of `_meta` that a message needs: a notification none."""
    return meta if value_span(text, _ID) is not None else {}


def _with_params(text: str) -> str:
    """Return a message with parameters behind its method."""
    span = value_span(text, _METHOD)
    if span is None:
        return set_member(text, "{}", _PARAMS)
    return f'{text[: span[1]]},"{_PARAMS}":{{}}{text[span[1] :]}'


def editable(text: str) -> str:
    """Return a message as it is edited: in lines, if joining them gives the same text again."""
    if not MAX_LINE < len(text) <= MAX_READ or "\n" in text:
        return text
    laid_out = indented(text)
    return laid_out if json_codec.compact(laid_out) == text and is_json(text) else text


class Sending(FrozenStruct, frozen=True):
    """How a text is sent."""

    text: str
    """What is sent."""
    problem: str = ""
    """Why it is not JSON; empty for JSON, and for text that is not read because it is too long."""
    can_join: bool = False
    """Whether it is JSON in lines, which may be joined to one."""
    is_joined: bool = False
    """Whether they are."""


def sending(text: str, *, as_typed: bool = False) -> Sending:
    """Return how a text is sent: JSON in lines on one line, because a message over stdio ends at a line break, unless `as_typed`."""
    if len(text) > MAX_READ:
        return Sending(text)
    try:
        json_codec.read(text.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError as error:
        return Sending(text, error.reason)
    can_join = "\n" in text
    is_joined = can_join and not as_typed
    return Sending(json_codec.compact(text) if is_joined else text, "", can_join, is_joined)
