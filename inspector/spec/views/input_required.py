"""A result that asks for input before the request can be completed.

`requestState` belongs to the server alone: its text is kept exactly as it came and never looked into (C-MRTR-03, C-MRTR-04).

Source: basic/patterns/mrtr.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import msgspec

from inspector.spec import methods
from inspector.spec.json_types import format_value, type_text
from inspector.spec.keys import RESULT_COMPLETE
from inspector.spec.method import Side
from inspector.spec.view import View
from inspector.wire import json_codec
from inspector.wire.json_codec import RawJson
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message

STATE_BYTES = 64 * 1024
"""A state above it is remarked on: it travels with every round."""


class _Members(msgspec.Struct, gc=False):
    result_type: msgspec.Raw | msgspec.UnsetType = msgspec.field(
        name="resultType", default=msgspec.UNSET
    )
    request_state: msgspec.Raw | msgspec.UnsetType = msgspec.field(
        name="requestState", default=msgspec.UNSET
    )


_decode = msgspec.json.Decoder(_Members).decode
_MARK = b"resultType"


def result_type(message: Message) -> Json:
    """What kind of result a response says it holds; one that says nothing is complete (C-JR-17)."""
    raw = message.raw_result or b""
    if _MARK not in raw and b"\\u" not in raw:
        return RESULT_COMPLETE
    members = _read_members_of(raw)
    if members is not None:
        raw_type = members.result_type
        return RESULT_COMPLETE if raw_type is msgspec.UNSET else json_codec.read_value(raw_type)
    result = or_null(message.lazy_result)
    return (
        result.get("resultType", RESULT_COMPLETE) if isinstance(result, dict) else RESULT_COMPLETE
    )


def _read_members_of(raw: bytes) -> _Members | None:
    try:
        return _decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


class InputRequest(View):
    """One thing that is asked for."""

    SUBJECT: ClassVar[str] = "input-required"
    RULE: ClassVar[str] = "L-MRTR-05"
    NOUN: ClassVar[str] = "an input request"

    def __init__(self, key: str, raw: Json, pointer: str, revision: Revision | None) -> None:
        """Read what stands under `key`."""
        super().__init__(raw, pointer, revision)
        self.key = key
        self.method = self.text("method", required=True)
        self.params = self.value("params")

    @property
    def is_known(self) -> bool:
        """Whether it may be asked for so."""
        row = methods.find(self.method, self.revision, Side.SERVER) if self.revision else None
        return row is not None and row.only_in_results


class InputRequired(View):
    """The whole of what is asked for."""

    SUBJECT: ClassVar[str] = "input-required"
    RULE: ClassVar[str] = "L-MRTR-05"
    NOUN: ClassVar[str] = "the result"

    def __init__(self, message: Message, revision: Revision | None = None) -> None:
        """Read a response."""
        super().__init__(or_null(message.result), "/result", revision)
        self.has_requests = self.has("inputRequests")
        asked = self.members("inputRequests") if self.has_requests else {}
        self.requests = tuple(
            InputRequest(key, value, self.pointer_to("inputRequests", key), revision)
            for key, value in asked.items()
        )
        self.has_state = self.has("requestState")
        self.state = self._exact_state(message) if self.has_state else None

    @property
    def problem(self) -> str:
        """Why the client cannot respond; an empty string if it can."""
        if not self.has_requests and not self.has_state:
            return "requires input but has neither `inputRequests` nor `requestState`"
        if self.has_state and not isinstance(self.value("requestState"), str):
            return f"has a `requestState` that is {type_text(self.value('requestState'))}, not a string"
        if self.has_requests and not isinstance(self.value("inputRequests"), dict):
            return f"has `inputRequests` that are {type_text(self.value('inputRequests'))}, not an object"
        strange = next((each for each in self.requests if not each.is_known), None)
        if strange is not None:
            return f"has a disallowed input request {format_value(strange.method)} at {format_value(strange.key)}"
        return ""

    @property
    def summary(self) -> str:
        """What it asks for, in one sentence."""
        if not self.requests:
            return "the server requires the request to be resent"
        asked = ", ".join(each.method for each in self.requests[:5])
        more = f" and {len(self.requests) - 5} more" if len(self.requests) > 5 else ""
        return f"input required: {asked}{more}"

    def retry(self, params: JsonObject, answers: JsonObject) -> JsonObject:
        """The params to send again: those of the beginning, with what was asked for (C-MRTR-05, C-MRTR-07, C-MRTR-08)."""
        kept = {k: v for k, v in params.items() if k not in {"inputResponses", "requestState"}}
        given: JsonObject = {"inputResponses": answers} if self.has_requests else {}
        state: JsonObject = {"requestState": self.state} if self.has_state else {}
        return {**kept, **given, **state}

    def _exact_state(self, message: Message) -> RawJson:
        members = _read_members_of(message.raw_result or b"")
        if members is None or members.request_state is msgspec.UNSET:
            return RawJson(json_codec.write(self.value("requestState")))
        try:
            return RawJson(bytes(members.request_state).decode("utf-8", "surrogatepass"))
        except UnicodeDecodeError:  # it has no exact text
            return RawJson(json_codec.write(self.value("requestState")))
