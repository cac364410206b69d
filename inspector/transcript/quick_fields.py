"""The few passages of a message that tell what it belongs to, found without reading the rest.

Nothing here raises, whatever the message.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from inspector.spec.keys import META, META_SUBSCRIPTION_ID
from inspector.wire import json_codec
from inspector.wire.json_codec import RawNumber
from inspector.wire.message import ABSENT

if TYPE_CHECKING:
    from collections.abc import Hashable

    from inspector.wire.message import MaybeJson, Message

TAG = META_SUBSCRIPTION_ID.rpartition("/")[2].encode()
"""What stands in every message that names a subscription."""

LABEL_MEMBER = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "resources/subscribe": "uri",
    "resources/unsubscribe": "uri",
    "tasks/get": "taskId",
    "tasks/result": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
"""Methods whose requests name something, and the member of `params` that does."""

_FIELD = {"taskId": "task_id"}
"""Members that have another name here."""


class _Meta(msgspec.Struct, gc=False):
    progress_token: int | str | msgspec.UnsetType = msgspec.field(
        name="progressToken", default=msgspec.UNSET
    )


class _Params(msgspec.Struct, gc=False):
    name: str = ""
    uri: str = ""
    task_id: str = msgspec.field(name="taskId", default="")
    meta: _Meta | msgspec.UnsetType = msgspec.field(name="_meta", default=msgspec.UNSET)
    task: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _ToolOutcome(msgspec.Struct, gc=False):
    is_error: bool = msgspec.field(name="isError", default=False)


_read_params = msgspec.json.Decoder(_Params).decode
_read_outcome = msgspec.json.Decoder(_ToolOutcome).decode
_IS_ERROR = b'"isError"'
_IS_TRUE = re.compile(rb"\s*:\s*true")


def key_of(id_: MaybeJson) -> Hashable:
    """An id as the key of a dictionary: `1` and `1.0` are one key (the same number), `true` and `1` are two (Python would say otherwise)."""
    kind = type(id_)
    if kind is int or kind is str or kind is RawNumber or id_ is None:
        return id_  # type: ignore[return-value] - the types checked above are hashable
    return (kind, "" if id_ is ABSENT else json_codec.write(id_))  # type: ignore[arg-type] - absent is excluded


def shown(id_: object) -> str:
    """An id for a sentence."""
    text = "absent" if id_ is ABSENT else json_codec.write(id_)  # type: ignore[arg-type] - absent is excluded
    return text if len(text) <= 60 else text[:57] + "…"


def tag_of(message: Message) -> MaybeJson:
    """The id of the subscription that a message names; absent where it names none."""
    params = message.params
    meta = params.get(META) if isinstance(params, dict) else None
    return meta.get(META_SUBSCRIPTION_ID, ABSENT) if isinstance(meta, dict) else ABSENT


def named(message: Message) -> tuple[str, Hashable | None, bool]:
    """The label and the progress token of a request, and whether it asks for a task."""
    params = message.raw_params
    if params is None:
        return "", None, False
    member = LABEL_MEMBER.get(message.method)
    try:
        read = _read_params(params)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _named_oddly(message, member)
    token = None if read.meta is msgspec.UNSET else read.meta.progress_token
    label = getattr(read, _FIELD.get(member, member)) if member else ""
    is_task = read.task is not msgspec.UNSET
    return label, None if token is msgspec.UNSET else token, is_task


def _named_oddly(message: Message, member: str | None) -> tuple[str, Hashable | None, bool]:
    params = message.params
    if not isinstance(params, dict):
        return "", None, False
    label = params.get(member) if member else None
    meta = params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    text = label if isinstance(label, str) else "" if label is None else shown(label)
    return text, None if token is None else key_of(token), "task" in params


def is_tool_error(message: Message) -> bool:
    """Whether a result says `isError`."""
    raw = message.raw_result if _may_say_error(message.raw) else None
    try:
        return raw is not None and _read_outcome(raw).is_error
    except RecursionError:
        result = message.result
        return isinstance(result, dict) and result.get("isError") is True
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False


def _may_say_error(raw: bytes) -> bool:
    """Whether `"isError": true` stands anywhere, so that large results need not be read again to know that it does not."""
    at = raw.find(_IS_ERROR)
    while at >= 0:
        at += len(_IS_ERROR)
        if _IS_TRUE.match(raw, at):
            return True
        at = raw.find(_IS_ERROR, at)
    return False


def retyped(id_: MaybeJson) -> tuple[Hashable, ...]:
    """The key of the same id with the other JSON type, string or integer; empty where there is none."""
    if isinstance(id_, str):
        is_number = id_.isascii() and id_.isdigit() and len(id_) < 20 and str(int(id_)) == id_
        return (int(id_),) if is_number else ()
    return (str(id_),) if type(id_) is int else ()
