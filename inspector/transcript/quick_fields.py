"""The few members of a message that show what it belongs to, found without reading the rest. Never raises."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import msgspec

from inspector.spec.keys import META, META_SUBSCRIPTION_ID
from inspector.spec.methods import TABLE
from inspector.visible_text import one_line
from inspector.wire import json_codec, lazy_json
from inspector.wire.json_codec import RawJson, RawNumber, is_text
from inspector.wire.lazy_json import LazyObject
from inspector.wire.message import ABSENT, LONG_ID, MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from inspector.wire.json_codec import Json
    from inspector.wire.message import MaybeJson, Message

TAG = META_SUBSCRIPTION_ID.rpartition("/")[2].encode()
"""What stands in every message that names a subscription."""

LABEL_MEMBER = TABLE.name_params()
"""Methods whose requests name something, and the member of `params` that does."""


class _Meta(msgspec.Struct, gc=False):
    progress_token: int | str | msgspec.UnsetType = msgspec.field(
        name="progressToken", default=msgspec.UNSET
    )


class RequestParams(msgspec.Struct, gc=False):
    """What a request names, in a struct that has a member for each name besides."""

    meta: _Meta | msgspec.UnsetType = msgspec.field(name="_meta", default=msgspec.UNSET)
    task: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _Progress(msgspec.Struct, gc=False):
    token: int | str | msgspec.UnsetType = msgspec.field(
        name="progressToken", default=msgspec.UNSET
    )


class ToolOutcome(msgspec.Struct, gc=False):
    """Whether a result tells of an error."""

    is_error: bool = msgspec.field(name="isError", default=False)


_read_progress = msgspec.json.Decoder(_Progress).decode
_read_outcome = msgspec.json.Decoder(ToolOutcome).decode
MAX_ID = 60
"""Characters of an id in a sentence."""

MAX_META = 1 << 20
"""Bytes up to which `_meta` is read for a progress token."""

MAX_TOKEN = 200
"""Characters of a progress token of no valid type that are kept."""

_IS_ERROR = b'"isError"'
_IS_TRUE = re.compile(rb"\s*:\s*true")


def key_of(id_: MaybeJson) -> Hashable:
    """An id as the key of a dictionary: `1` and `1.0` are one key (the same number), `true` and `1` are two (Python would say otherwise)."""
    kind = type(id_)
    if kind is int or kind is str or kind is RawNumber or id_ is None:
        return id_  # type: ignore[return-value] - the types checked above are hashable
    return (kind, "" if id_ is ABSENT else json_codec.write(id_))  # type: ignore[arg-type] - absent is excluded


def format_id(id_: object) -> str:
    """An id for a sentence."""
    text = "absent" if id_ is ABSENT else json_codec.write_beginning(id_, MAX_ID + 1)  # type: ignore[arg-type] - absent is excluded
    return text if len(text) <= MAX_ID else text[: MAX_ID - 3] + "…"


def tag_of(message: Message) -> MaybeJson:
    """The id of the subscription that a message names; absent where it names none."""
    params = message.params
    meta = params.get(META) if isinstance(params, dict) else None
    return meta.get(META_SUBSCRIPTION_ID, ABSENT) if isinstance(meta, dict) else ABSENT


def progress_token_of(message: Message) -> MaybeJson:
    """The token of a progress notification; absent where it has none."""
    if not message.is_read_shallowly:
        return _token_in(message, message.params)
    try:
        token = _read_progress(message.raw_params or b"{}").token
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _token_in(message, message.lazily("params"))
    return ABSENT if isinstance(token, msgspec.UnsetType) else token


def _token_in(message: Message, params: MaybeJson) -> MaybeJson:
    """Return the token in params; of an array or object of any length, which no token may be, the beginning of its text."""
    if not isinstance(params, dict):
        return ABSENT
    if unread := _unread_token(params):
        return RawJson(unread[:MAX_TOKEN].decode("utf-8", "replace"))
    token = params.get("progressToken", ABSENT)
    if len(message.raw) > LONG_ID and isinstance(token, (list, dict)):
        return RawJson(json_codec.write_beginning(token, MAX_TOKEN))
    return token


def _unread_token(params: MaybeJson) -> bytes:
    return params.unread_text("progressToken") if isinstance(params, LazyObject) else b""


class RequestReader:
    """Reads what a request names, its progress token, and whether it asks for a task."""

    def __init__(
        self,
        label_members: Mapping[str, str] = LABEL_MEMBER,
        base: type[RequestParams] = RequestParams,
    ) -> None:
        """Read the member that `label_members` has for a method; a struct of all of them, and of those of `base`, reads nothing else of the params."""
        members = dict.fromkeys(label_members.values())
        self._fields = {member: f"label_{number}" for number, member in enumerate(members)}
        self._label_members = label_members
        fields = [
            (field, str, msgspec.field(name=member, default=""))
            for member, field in self._fields.items()
        ]
        self.params = cast(
            "type[RequestParams]",
            msgspec.defstruct("_LabeledParams", fields, bases=(base,), gc=False),
        )
        """The struct of the params of any request."""
        self._read: Callable[[bytes], RequestParams] = msgspec.json.Decoder(self.params).decode

    def read(self, message: Message) -> tuple[str, Hashable | None, bool]:
        """Return the label and the progress token of a request, and whether it asks for a task."""
        if not message.is_read_shallowly:  # its text would have to be written first
            return _named_oddly(message, self._label_members.get(message.method))
        raw = message.raw_params
        if raw is None:
            return "", None, False
        try:
            params = self._read(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _named_oddly(message, self._label_members.get(message.method))
        return self.named_by(params, message.method)

    def named_by(self, params: RequestParams, method: str) -> tuple[str, Hashable | None, bool]:
        """Return the same of params that were read."""
        member = self._label_members.get(method)
        token = None if params.meta is msgspec.UNSET else params.meta.progress_token
        label = getattr(params, self._fields[member]) if member else ""
        is_task = params.task is not msgspec.UNSET
        return label, None if token is msgspec.UNSET else token, is_task


named = RequestReader().read


def _named_oddly(message: Message, member: str | None) -> tuple[str, Hashable | None, bool]:
    params = message.lazy_object("params")
    if not isinstance(params, dict):
        return "", None, False
    label = lazy_json.member(params, member) if member else None
    token = _token_in(message, lazy_json.member(params, META, MAX_META))
    text = "" if label is None else _text_or_beginning(label)
    return text, None if token is ABSENT or token is None else key_of(token), "task" in params


def is_tool_error(message: Message) -> bool:
    """Whether a result says `isError`."""
    if not _may_be_error(message.raw):
        return False
    raw = message.raw_result if message.is_read_shallowly else None
    try:
        if raw is not None:
            return _read_outcome(raw).is_error
    except RecursionError:
        pass
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    result = message.result
    return isinstance(result, dict) and result.get("isError") is True


def _may_be_error(raw: bytes) -> bool:
    """Whether `"isError": true` stands anywhere, so that large results need not be read again to know that it does not."""
    at = raw.rfind(
        _IS_ERROR
    )  # from the end: the member stands there as a rule, and it takes a third of the time
    while at >= 0:
        if _IS_TRUE.match(raw, at + len(_IS_ERROR)):
            return True
        at = raw.rfind(_IS_ERROR, 0, at)
    return False


def retyped(id_: MaybeJson) -> tuple[Hashable, ...]:
    """Return the key of the same id with the other JSON type, string or integer; empty if it has no such form."""
    if isinstance(id_, str):
        is_number = id_.isascii() and id_.isdigit() and len(id_) < 20 and str(int(id_)) == id_
        return (int(id_),) if is_number else ()
    return (str(id_),) if type(id_) is int else ()


def unassigned(message: Message, has_pending: bool) -> tuple[str, str]:
    """Return the rule and the text about a response that belongs to no request."""
    if message.kind is MessageKind.ERROR and (message.id is None or message.id is ABSENT):
        return "unassigned-error", f"error without a request id: {_error_text(message)}"
    others = "; other requests are pending" if has_pending else ""
    if message.id is ABSENT:
        return "L-JR-04", f"response without a request id{others}"
    return "L-JR-04", f"no request with id {format_id(message.id)}{others}"


def _error_text(message: Message) -> str:
    error = message.lazy_object("error")
    if not isinstance(error, dict):
        return format_id(error)
    text = lazy_json.member(error, "message") if "message" in error else ""
    described = one_line(_text_or_beginning(text), MAX_TOKEN)
    return f"{format_id(lazy_json.member(error, 'code'))} {described}"


def _text_or_beginning(value: Json) -> str:
    """Return a text as it is, and the beginning of any other value."""
    return value if is_text(value) else format_id(value)
