"""Frames read as JSON-RPC messages. Reading never raises: what cannot be read is a message too, marked malformed.

Reading is shallow: it finds the kind, the id and the method, and keeps the rest as bytes until it is requested. The content is not
validated. On most channels the frame is the message; an SSE event has it in its data, so there `Message.raw` is the data.

Source: JSON-RPC 2.0; basic, "Messages". An id keeps its JSON type: `1` and `"1"` are two ids.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from inspector.wire import batch, json_codec, lazy_json, misshapen
from inspector.wire.absent import ABSENT, Absent, MaybeJson
from inspector.wire.batch import IN_BATCH, MAX_BATCH, SEARCHED_MESSAGES
from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.json_codec import Json, JsonSyntaxError, RawJson, RawNumber
from inspector.wire.message_kind import MessageKind
from inspector.wire.tolerant_json import MAX_INTEGER_DIGITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def or_null(value: MaybeJson) -> Json:
    """Return the value, or None for an absent one."""
    return None if isinstance(value, Absent) else value


class _Envelope(msgspec.Struct, gc=False):
    id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    method: str | msgspec.UnsetType = msgspec.UNSET
    params: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_decode_envelope = msgspec.json.Decoder(_Envelope).decode


class Message(msgspec.Struct, eq=False, gc=False):
    """One message: its kind, id and method at once, its body when asked for.

    A struct because one is made for every frame, at a third of the cost.
    """

    kind: MessageKind
    """What it turned out to be."""
    raw: bytes
    """The whole frame."""
    id: MaybeJson = ABSENT
    """Its id with its JSON type."""
    method: str = ""
    """Its method; empty when it has none."""
    problem: str = ""
    """Why a message is malformed."""
    within: tuple[Message, ...] = ()
    """The messages in a line that is malformed because of what else is on it; of a batch, its messages once they are read."""
    _body: _Envelope | dict[str, Json] | list[Json] | None = None
    _lazy: MaybeJson | msgspec.UnsetType = msgspec.UNSET

    @property
    def params(self) -> MaybeJson:
        """The `params` member."""
        return self._member("params")

    @property
    def result(self) -> MaybeJson:
        """The `result` member."""
        return self._member("result")

    @property
    def lazy_result(self) -> MaybeJson:
        """The `result` member, read once, with what is large in it unread until someone looks (`lazy_json`)."""
        if self._lazy is msgspec.UNSET:
            self._lazy = self.lazily("result")
        return self._lazy

    @property
    def is_read_shallowly(self) -> bool:
        """True when `lazily` reads only what is requested; False for text that needed a tolerance."""
        return isinstance(self._body, _Envelope)

    def lazily(self, name: str) -> MaybeJson:
        """The member `params`, `result` or `error`, likewise; read again each time."""
        member: msgspec.Raw | msgspec.UnsetType = getattr(self._body, name, msgspec.UNSET)
        return self._member(name) if member is msgspec.UNSET else _value(member, lazy_json.read)

    def lazy_object(self, name: str) -> MaybeJson:
        """The same of a member that has to be an object; a large one that is none stays text."""
        member: msgspec.Raw | msgspec.UnsetType = getattr(self._body, name, msgspec.UNSET)
        if member is msgspec.UNSET or not lazy_json.is_large_other(member):
            return self.lazily(name)
        return RawJson(bytes(member).decode("utf-8", "replace"))

    @property
    def error(self) -> MaybeJson:
        """The `error` member."""
        return self._member("error")

    @property
    def raw_params(self) -> bytes | None:
        """The text of `params`, where there is one."""
        return self._raw_member("params")

    @property
    def raw_result(self) -> bytes | None:
        """The text of `result`, where there is one."""
        return self._raw_member("result")

    @property
    def value(self) -> MaybeJson:
        """The whole message; absent when it is not JSON."""
        return _value(self.raw)

    @property
    def lazy_value(self) -> MaybeJson:
        """The whole message, with what is large in it unread until someone looks; text that needed a tolerance is not read again."""
        body = self.value if self._body is None else self._body
        return _value(self.raw, lazy_json.read) if isinstance(body, _Envelope) else body

    @property
    def members(self) -> list[Message]:
        """The messages of a batch, each read on its own."""
        if self.within:
            return list(self.within)
        if self.kind is not MessageKind.BATCH:
            return []
        if isinstance(self._body, list):
            return [*map(_read_member_value, self._body)]
        return [*map(_read_member, batch.texts(self.raw) or ())]

    def response_with(self, id_: MaybeJson) -> Message:
        """The response with this id among the messages of a batch, or else its only response; the batch if there is neither."""
        responses = [
            each for each in self.members if each.kind in (MessageKind.RESPONSE, MessageKind.ERROR)
        ]
        named = [each for each in responses if type(each.id) is type(id_) and each.id == id_]
        return next(iter(named or (responses if len(responses) == 1 else [self])))

    def _raw_member(self, name: str) -> bytes | None:
        body = self._body
        if isinstance(body, _Envelope):
            member: msgspec.Raw | msgspec.UnsetType = getattr(body, name)
            return None if member is msgspec.UNSET else bytes(member)
        return (
            json_codec.write_bytes(body[name]) if isinstance(body, dict) and name in body else None
        )

    def _member(self, name: str) -> MaybeJson:
        body = self._body
        if isinstance(body, _Envelope):
            member: msgspec.Raw | msgspec.UnsetType = getattr(body, name)
            return ABSENT if member is msgspec.UNSET else _value(member)
        return body.get(name, ABSENT) if isinstance(body, dict) else ABSENT


def read(raw: bytes) -> Message:
    """Read one frame of a message channel."""
    return read_plain(raw) or _read_tolerantly(raw)


def read_plain(raw: bytes) -> Message | None:
    """Read one frame fast; None if it needs a tolerance, or is a batch or no JSON."""
    try:
        envelope = _decode_envelope(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return _from_envelope(envelope, raw) if raw.isascii() or is_utf8(raw) else None


def _from_envelope(envelope: _Envelope, raw: bytes) -> Message:
    id_, method = envelope.id, envelope.method
    if method is not msgspec.UNSET:
        if id_ is msgspec.UNSET:
            return Message(_NOTIFICATION, raw, ABSENT, method, "", (), envelope)
        return Message(_REQUEST, raw, _id(bytes(id_)), method, "", (), envelope)
    known = ABSENT if id_ is msgspec.UNSET else _id(bytes(id_))
    if envelope.error is not msgspec.UNSET and not _is_no_error(envelope):
        return Message(MessageKind.ERROR, raw, known, "", "", (), envelope)
    if envelope.result is not msgspec.UNSET:
        return Message(_RESPONSE, raw, known, "", "", (), envelope)
    return Message(MessageKind.MALFORMED, raw, known, "", NEITHER, (), envelope)


def _is_no_error(envelope: _Envelope) -> bool:
    """Whether `error` beside a result tells of none."""
    assert not isinstance(envelope.error, msgspec.UnsetType)
    return envelope.result is not msgspec.UNSET and bytes(envelope.error) in _EMPTY


_EMPTY = frozenset({b"null", b"false", b'""', b"[]"})


def tells_no_error(error: Json) -> bool:
    """Whether the value of `error` beside a result tells of none: null, as JSON-RPC 1 had it, or what other languages have for that.

    An empty object is an error, though one that says nothing.
    """
    return error is None or error is False or error in ("", [])


_REQUEST, _RESPONSE = MessageKind.REQUEST, MessageKind.RESPONSE
_NOTIFICATION = MessageKind.NOTIFICATION
"""Looked up once: that takes a fifth of a microsecond, and there is one for every frame."""

NEITHER = "JSON object, but not a request, response or notification"
"""The problem of an object without method, result and error."""


def _id(raw: bytes) -> Json:
    if raw.isdigit() and len(raw) < MAX_INTEGER_DIGITS:
        return int(raw)
    if len(raw) > LONG_ID and raw[:1] in {b"[", b"{"}:
        return RawJson(raw.decode("utf-8", "replace"))
    value = _value(raw)
    return None if isinstance(value, Absent) else value


LONG_ID = 4096
"""Bytes from which an id that is an array or object, which no id may be, stays text: ids are compared and written wherever they are needed."""


def _value(
    raw: bytes | msgspec.Raw, read: Callable[[bytes | msgspec.Raw], Json] = json_codec.read_value
) -> MaybeJson:
    try:
        return read(raw)
    except JsonSyntaxError:
        return ABSENT


def is_utf8(raw: bytes) -> bool:
    """Return whether bytes are UTF-8."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _read_tolerantly(raw: bytes) -> Message:
    if not raw or raw.isspace():
        return Message(MessageKind.BLANK_LINE, raw)
    if (texts := batch.texts(raw)) is not None:
        return _batch(raw, len(texts), map(_read_member, texts))
    try:
        value = json_codec.read(raw).value
    except json_codec.TooLargeToTolerate:
        return read_undecoded(raw)
    except JsonSyntaxError as error:
        return _among_text(raw) or Message(MessageKind.MALFORMED, raw, problem=f"not JSON: {error}")
    if isinstance(value, list):
        return _batch(raw, len(value), map(_read_member_value, value), value)
    return _classify(value, raw)


def _batch(
    raw: bytes, count: int, members: Iterable[Message], value: list[Json] | None = None
) -> Message:
    """Return a batch, with its value if it needed a tolerance; of one that is too long to be read, the responses in it."""
    if count <= MAX_BATCH:
        return Message(MessageKind.BATCH, raw, _body=value)
    kinds = {MessageKind.RESPONSE, MessageKind.ERROR}
    found = (each.id for each in islice(members, SEARCHED_MESSAGES) if each.kind in kinds)
    ids = [id_ for id_ in found if isinstance(id_, (int, str))]
    unread = tuple(Message(MessageKind.MALFORMED, b"", id_, problem=IN_BATCH) for id_ in ids)
    return Message(MessageKind.MALFORMED, raw, problem=batch.too_long(count), within=unread)


def _read_member(text: bytes) -> Message:
    """Read an item of a batch; an array in it is no message, and its own items are not read."""
    if text[:1] == b"[":
        return _classify([], text)
    return read(text) if text[:1] == b"{" else _read_tolerantly(text)


def _read_member_value(value: Json) -> Message:
    return _classify(value, json_codec.write_bytes(value))


def _among_text(raw: bytes) -> Message | None:
    found = misshapen.embedded(raw)
    if found is None:
        return None
    within = tuple(map(read, found.messages))
    return Message(MessageKind.MALFORMED, raw, problem=found.problem, within=within)


def read_cut(raw: bytes) -> Message:
    """Read a frame of which `raw` is the beginning alone; it has the id of the response that it may have been."""
    return Message(MessageKind.MALFORMED, raw, misshapen.response_id(raw), problem=CUT)


def read_undecoded(raw: bytes, channel: Channel = Channel.BODY) -> Message:
    """Read no more of a large frame than its beginning, for the id of the response that it may be."""
    found = _PLAIN_EVENT.match(raw) if channel is Channel.SSE else None
    id_ = misshapen.response_id(raw, found.end() if found is not None else 0)
    return Message(MessageKind.MALFORMED, raw, id_, problem=UNDECODED)


CUT = "longer than Spyglass keeps of one line, and cut"
"""The problem of a frame of which only the beginning was kept."""

UNDECODED = "so large that Spyglass did not decode it"
"""The problem of a frame that was received whole and not read."""


def _classify(value: Json, raw: bytes) -> Message:
    if not isinstance(value, dict):
        return Message(
            MessageKind.MALFORMED, raw, problem=f"JSON, but {_NAMES[type(value)]} is not a message"
        )
    id_: MaybeJson = value.get("id", ABSENT)
    if len(raw) > LONG_ID and isinstance(id_, (list, dict)):
        id_ = _id(json_codec.write_bytes(id_))
    method = value.get("method", ABSENT)
    if method is None and ("result" in value or "error" in value):
        method = ABSENT
    if isinstance(method, str):
        kind = MessageKind.NOTIFICATION if isinstance(id_, Absent) else MessageKind.REQUEST
        return Message(kind, raw, id_, method, _body=value)
    if not isinstance(method, Absent):
        return Message(
            MessageKind.MALFORMED, raw, id_, problem="the method is not a string", _body=value
        )
    if "error" in value and not ("result" in value and tells_no_error(value["error"])):
        return Message(MessageKind.ERROR, raw, id_, _body=value)
    if "result" in value:
        return Message(MessageKind.RESPONSE, raw, id_, _body=value)
    return Message(MessageKind.MALFORMED, raw, id_, problem=NEITHER, _body=value)


_NAMES: dict[type, str] = {
    list: "an array in a batch",
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    RawNumber: "a number",
    str: "a string",
}

NO_MESSAGE_CHANNELS = {
    Channel.STDERR: MessageKind.STDERR,
    Channel.NOTE: MessageKind.NOTE,
    Channel.HTTP: MessageKind.HTTP,
    Channel.AUTH: MessageKind.HTTP,
}
"""Channels on which no messages travel, and what a frame on them is."""


def decode_frame(channel: Channel, raw: bytes, flaw: FrameDefect = FrameDefect.NONE) -> Message:
    """Read one frame of `channel`; of a truncated one, its beginning."""
    kind = NO_MESSAGE_CHANNELS.get(channel)
    if flaw and kind is None:
        if flaw & FrameDefect.UNDECODED:
            return read_undecoded(raw, channel)
        if flaw & FrameDefect.TRUNCATED and channel is not Channel.SSE:
            return read_cut(raw)
    return DECODERS.get(channel, read)(raw) if kind is None else Message(kind, raw)


_PLAIN_EVENT = re.compile(rb"(?:event: ?message\n)?(?:id: ?[^\r\n]*\n)?data: ?")


def plain_data(raw: bytes) -> bytes:
    """Return the data of a block that is one line of data, with no more than type and id before it, as nearly all are; else nothing."""
    found = _PLAIN_EVENT.match(raw)
    if found is None or not raw.endswith(b"\n\n"):
        return b""
    data = raw[found.end() : -2]
    return b"" if b"\n" in data or b"\r" in data else data


def _read_block(raw: bytes) -> Message:
    """Return the message in the data of a block; a block without its blank line is discarded, as every reader of event streams does."""
    data = plain_data(raw)
    if data and (data.isascii() or is_utf8(data)):
        return read(data)
    from inspector.wire.sse import is_complete, read_block  # brings httpx, which takes its time

    if is_complete(raw):  # first: a block that was not ended may be as long as its budget
        event = read_block(raw)
        if event.has_data and event.event == "message":
            return read(event.data.encode("utf-8", "surrogatepass"))
    return Message(MessageKind.SSE_OTHER, raw)


DECODERS: dict[Channel, Callable[[bytes], Message]] = {Channel.SSE: _read_block}
"""How frames are read on the channels where a frame is more than its message."""
