"""The error of a response, and what it is about beside what was sent, for the codes that say what they are about.

Pure: reads the request as sent and the error as received. A code that says nothing about the request has no rows.

Source: JSON-RPC 2.0, section 5.1; basic, "Responses", "Error Codes", "_meta"; basic/versioning; basic/transports/streamable-http,
"Server Validation".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from inspector.spec.capabilities import declares
from inspector.spec.error_codes import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_VERSION,
    ErrorCode,
    explain,
)
from inspector.spec.json_types import format_value, type_text
from inspector.spec.keys import (
    HEADER_PARAM_PREFIX,
    META,
    META_CLIENT_CAPABILITIES,
    META_PROTOCOL_VERSION,
)
from inspector.spec.mirrored_headers import decode, mirrored, places_of
from inspector.spec.view import View
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from inspector.spec.mirrored_headers import MirroredHeader
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

    Headers = Sequence[tuple[str, str]]
    """Names and values."""

MAX_TEXT = 500
"""Characters of a value that are shown."""


class ErrorDetail(NamedTuple):
    """One comparison of what was sent with what the server expects."""

    subject: str
    """The header, member or capability."""
    sent: str
    """What the client sent."""
    expected: str
    """What the server expects, or what the body has."""
    agrees: bool
    """Whether the two match, so that this is probably not the cause."""


def explain_error(
    error: Json,
    method: str,
    params: Json,
    revision: Revision,
    input_schema: Json = None,
    headers: Headers | None = None,
) -> tuple[ErrorDetail, ...]:
    """Return the rows for the member `error` of a response.

    `input_schema` is the tool's, for a call; `headers` are the sent ones if known, otherwise those that should have been sent are assumed.
    """
    found = error if isinstance(error, dict) else {}
    code, data = found.get("code"), found.get("data")
    sent: JsonObject = params if isinstance(params, dict) else {}
    found_meta = sent.get(META)
    meta: JsonObject = found_meta if isinstance(found_meta, dict) else {}
    if code == HEADER_MISMATCH:
        return tuple(_of_headers(method, sent, revision, input_schema, headers))
    explain = _EXPLAINERS.get(code) if isinstance(code, int) else None
    return tuple(explain(meta, data, revision)) if explain is not None else ()


def _of_headers(
    method: str, params: JsonObject, revision: Revision, input_schema: Json, headers: Headers | None
) -> Iterator[ErrorDetail]:
    if not revision.has_standard_headers:
        return
    found = mirrored(method, params, revision, input_schema)
    sent = {name.lower(): (name, value) for name, value in headers or found.pairs}
    for mirror in found.headers:
        name, value = sent.pop(mirror.name.lower(), (mirror.name, None))
        yield _beside(name, value, mirror)
    for name, value in sent.values():
        if name.lower().startswith(HEADER_PARAM_PREFIX.lower()):
            yield _of_param(name, value, params.get("arguments"))
    for problem in found.problems:
        yield ErrorDetail("Omitted header", "", problem.summary, False)


def _beside(name: str, value: str | None, mirror: MirroredHeader) -> ErrorDetail:
    """A header beside what it repeats."""
    agrees = value is not None and decode(value) == decode(mirror.value)
    repeated = "it" if agrees else format_value(decode(mirror.value))
    body = f"body has {repeated} at {mirror.source or 'no member'}"
    sent = "not sent" if value is None else _text(value)
    return ErrorDetail(f"Header {name}", sent, body, agrees and bool(mirror.source))


def _of_param(name: str, value: str, arguments: Json) -> ErrorDetail:
    """A header for an argument, of a tool whose schema is not known here."""
    places = places_of(arguments, value)
    body = f"body has it at {' and '.join(places[:3])}" if places else "no matching argument"
    return ErrorDetail(f"Header {name}", _text(value), body, bool(places))


def _of_version(meta: JsonObject, data: Json, _revision: Revision) -> Iterator[ErrorDetail]:
    fields: JsonObject = data if isinstance(data, dict) else {}
    sent, supported = meta.get(META_PROTOCOL_VERSION), fields.get("supported")
    listed = supported if isinstance(supported, list) else []
    expected = ", ".join(map(_text, listed)) or "none listed"
    yield ErrorDetail("Revision", _text(sent), expected, sent in listed)
    if "requested" in fields and fields["requested"] != sent:
        understood = f"server received {_text(fields['requested'])}"
        yield ErrorDetail("Revision as received", _text(sent), understood, False)


def _of_capabilities(meta: JsonObject, data: Json, _revision: Revision) -> Iterator[ErrorDetail]:
    required = data.get("requiredCapabilities") if isinstance(data, dict) else None
    declared = meta.get(META_CLIENT_CAPABILITIES)
    for path in _leaves(required):
        has = declares(declared, *path)
        sent = "declared" if has else "not declared"
        yield ErrorDetail(f"Capability {'.'.join(path)}", sent, "required", has)


def _of_params(meta: JsonObject, _data: Json, revision: Revision) -> Iterator[ErrorDetail]:
    """What every request needs and this one lacks; most errors with this code are about the arguments."""
    if not revision.has_request_meta:
        return
    for key in (META_PROTOCOL_VERSION, META_CLIENT_CAPABILITIES):
        if key not in meta:
            yield ErrorDetail(f"_meta {key}", "not sent", "required with every request", False)


def _leaves(value: Json, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict) and value and len(path) < 5:
        for key, inner in value.items():
            yield from _leaves(inner, (*path, key))
    elif path:
        yield path


def _text(value: Json) -> str:
    text = value if isinstance(value, str) else json_codec.write(value)
    return text if len(text) <= MAX_TEXT else format_value(value)


_EXPLAINERS: dict[int, Callable[[JsonObject, Json, Revision], Iterator[ErrorDetail]]] = {
    UNSUPPORTED_VERSION: _of_version,
    MISSING_CLIENT_CAPABILITY: _of_capabilities,
    INVALID_PARAMS: _of_params,
}


class ErrorView(View):
    """The member `error` of a response."""

    SUBJECT: ClassVar[str] = "errors"
    RULE: ClassVar[str] = "L-JR-07"
    NOUN: ClassVar[str] = "`error`"
    POINTER: ClassVar[str] = "/error"

    def _read_members(self) -> None:
        self.has_code = self.has("code")
        self.code = self.value("code")
        self.message = self.text("message", required=True)
        self.has_data = self.has("data")
        self.data = self.value("data")
        self.meaning: ErrorCode = explain(self.code, self.revision)
        self._check()

    @property
    def supported_versions(self) -> list[str]:
        """The revisions that `data.supported` lists, if it does."""
        found = self.data.get("supported") if isinstance(self.data, dict) else None
        return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []

    @property
    def summary(self) -> str:
        """The server's own message, or what the code stands for when it left none."""
        return self.message or self.meaning.name

    def _check(self) -> None:
        if not self.has_code:
            if self.is_object:
                self.add_finding("`code` is missing", "code")
        elif isinstance(self.code, bool) or not isinstance(self.code, int):
            self.add_finding(f"`code` must be an integer, not {type_text(self.code)}", "code")
