"""A frame read as JSON-RPC. Reading never raises: what cannot be read is a message too, marked malformed.

Reading is shallow: it tells the kind, the id and the method, and leaves the rest as bytes until someone looks. Judging whether the
content is right is not done here.

Source: JSON-RPC 2.0; basic, "Messages". An id keeps its JSON type: `1` and `"1"` are two ids.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias

import msgspec

from inspector.wire import jsontext
from inspector.wire.jsontext import Json, JsonTextError, SpelledNumber

DEEP_READ_LIMIT = 1 << 20
"""Bytes up to which a body is read with every spelling kept; larger ones are read fast, which loses only the sign of `-0`."""


class Kind(IntEnum):
    """What a frame turned out to be."""

    REQUEST = 0
    RESPONSE = 1
    ERROR = 2
    """A response that carries an error."""
    NOTIFICATION = 3
    BATCH = 4
    MALFORMED = 5
    STDERR = 6
    NOTE = 7
    """Spyglass's own remark about the connection."""
    BLANK = 8
    """An empty line, which means nothing."""


class Absent:
    """A member that was not there, as opposed to null."""

    _only: Absent | None = None

    def __new__(cls) -> Absent:
        """There is one."""
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        """As shown in failures of tests."""
        return "ABSENT"

    def __bool__(self) -> bool:
        """Absent is nothing."""
        return False


ABSENT = Absent()


MaybeJson: TypeAlias = "Json | Absent"


def or_null(value: MaybeJson) -> Json:
    """The value, with null where there is none: for whoever need not tell the two apart."""
    return None if isinstance(value, Absent) else value


class _Envelope(msgspec.Struct, gc=False):
    id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    method: str | msgspec.UnsetType = msgspec.UNSET
    params: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_decode_envelope = msgspec.json.Decoder(_Envelope).decode
_decode_fast = msgspec.json.Decoder(float_hook=SpelledNumber).decode


class Message:
    """One message: its kind, id and method at once, its body when asked for."""

    __slots__ = ("_body", "id", "kind", "method", "problem", "raw")

    def __init__(
        self,
        kind: Kind,
        raw: bytes,
        *,
        id: MaybeJson = ABSENT,  # noqa: A002 - the protocol's own word
        method: str = "",
        problem: str = "",
        body: _Envelope | dict[str, Json] | list[Json] | None = None,
    ) -> None:
        """Keep what reading found out; `problem` says in words why a message is malformed."""
        self.kind = kind
        self.raw = raw
        self.id = id
        self.method = method
        self.problem = problem
        self._body = body

    @property
    def params(self) -> MaybeJson:
        """The `params` member."""
        return self._member("params")

    @property
    def result(self) -> MaybeJson:
        """The `result` member."""
        return self._member("result")

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
    def members(self) -> list[Message]:
        """The messages of a batch, each read on its own."""
        value = self.value
        if not isinstance(value, list):
            return []
        return [_classify(member, jsontext.write(member).encode()) for member in value]

    def _raw_member(self, name: str) -> bytes | None:
        body = self._body
        if isinstance(body, _Envelope):
            member: msgspec.Raw | msgspec.UnsetType = getattr(body, name)
            return None if member is msgspec.UNSET else bytes(member)
        return jsontext.write_bytes(body[name]) if isinstance(body, dict) and name in body else None

    def _member(self, name: str) -> MaybeJson:
        body = self._body
        if isinstance(body, _Envelope):
            member: msgspec.Raw | msgspec.UnsetType = getattr(body, name)
            return ABSENT if member is msgspec.UNSET else _value(bytes(member))
        return body.get(name, ABSENT) if isinstance(body, dict) else ABSENT


def read(raw: bytes) -> Message:
    """Read one frame of a message channel."""
    try:
        envelope = _decode_envelope(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _read_tolerantly(raw)
    if not raw.isascii() and not _is_utf8(raw):
        return _read_tolerantly(raw)
    return _from_envelope(envelope, raw)


def _from_envelope(envelope: _Envelope, raw: bytes) -> Message:
    id_, method = envelope.id, envelope.method
    if method is not msgspec.UNSET:
        if id_ is msgspec.UNSET:
            return Message(Kind.NOTIFICATION, raw, method=method, body=envelope)
        return Message(Kind.REQUEST, raw, id=_id(bytes(id_)), method=method, body=envelope)
    known = ABSENT if id_ is msgspec.UNSET else _id(bytes(id_))
    if envelope.error is not msgspec.UNSET:
        return Message(Kind.ERROR, raw, id=known, body=envelope)
    if envelope.result is not msgspec.UNSET:
        return Message(Kind.RESPONSE, raw, id=known, body=envelope)
    return Message(Kind.MALFORMED, raw, id=known, problem=_NEITHER, body=envelope)


_NEITHER = "a JSON object, but neither request, response nor notification"


def _id(raw: bytes) -> Json:
    if raw.isdigit() and len(raw) < jsontext.MAX_INTEGER_DIGITS:
        return int(raw)
    value = _value(raw)
    return None if isinstance(value, Absent) else value


def _value(raw: bytes) -> MaybeJson:
    if len(raw) > DEEP_READ_LIMIT:
        try:
            fast: Json = _decode_fast(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            pass
        else:
            return fast
    try:
        return jsontext.read(raw).value
    except JsonTextError:
        return ABSENT


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _read_tolerantly(raw: bytes) -> Message:
    if not raw.strip():
        return Message(Kind.BLANK, raw)
    try:
        value = jsontext.read(raw).value
    except JsonTextError as error:
        return Message(Kind.MALFORMED, raw, problem=f"not JSON: {error}")
    return _classify(value, raw)


def _classify(value: Json, raw: bytes) -> Message:
    if isinstance(value, list):
        return Message(Kind.BATCH, raw, body=value)
    if not isinstance(value, dict):
        return Message(
            Kind.MALFORMED, raw, problem=f"JSON, but {_NAMES[type(value)]} is no message"
        )
    id_: MaybeJson = value.get("id", ABSENT)
    method = value.get("method", ABSENT)
    if isinstance(method, str):
        kind = Kind.NOTIFICATION if isinstance(id_, Absent) else Kind.REQUEST
        return Message(kind, raw, id=id_, method=method, body=value)
    if not isinstance(method, Absent):
        return Message(
            Kind.MALFORMED, raw, id=id_, problem="the method is not a string", body=value
        )
    for member, kind in (("error", Kind.ERROR), ("result", Kind.RESPONSE)):
        if member in value:
            return Message(kind, raw, id=id_, body=value)
    return Message(Kind.MALFORMED, raw, id=id_, problem=_NEITHER, body=value)


_NAMES: dict[type, str] = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    SpelledNumber: "a number",
    str: "a string",
}
