"""Whether the headers of an HTTP request repeat what its body says: revision, method, name, and annotated arguments.

Written apart from what the engine sends, so that both cannot be wrong in the same way.

Source: basic/transports/streamable-http, "Server Validation", "Custom Headers from Tool Parameters", "Value Encoding".
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from inspector.demo.meta import HEADER_MISMATCH, PROTOCOL_VERSION
from inspector.demo.request_errors import RpcError
from inspector.demo.schema import HEADER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from inspector.wire.json_codec import Json, JsonObject

PARAM = "mcp-param-"

NAMED_BY = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
"""The member of params that is repeated in `Mcp-Name`."""

LARGEST_INTEGER = 2**53 - 1
_OPENING, _CLOSING = "=?base64?", "?="


def compare(headers: Mapping[str, str], message: JsonObject, meta: JsonObject) -> None:
    """Compare the headers that every request has; their names are in small letters.

    Raises:
        RpcError: one is missing, or says something else.
    """
    params = message.get("params")
    _demand(headers, "mcp-protocol-version", meta[PROTOCOL_VERSION])
    _demand(headers, "mcp-method", message["method"])
    member = NAMED_BY.get(str(message["method"]))
    name = params.get(member) if isinstance(params, dict) and member else None
    if isinstance(name, str):
        _demand(headers, "mcp-name", name)


def compare_arguments(headers: Mapping[str, str], schema: JsonObject, arguments: Json) -> None:
    """Compare the headers of a call with what the input schema of its tool wants repeated.

    Raises:
        RpcError: one is missing, says something else, or repeats nothing.
    """
    for header, value in _annotated(schema, arguments):
        name = PARAM + header.lower()
        if value is None and name in headers:
            raise _mismatch(f"{name} repeats an argument that is not there")
        if value is not None and not _is_beyond(value):
            _demand(headers, name, value)


def _annotated(schema: JsonObject, value: Json) -> Iterator[tuple[str, Json]]:
    """The headers that a schema of an object wants, and what each repeats."""
    properties = schema.get("properties")
    for name, part in properties.items() if isinstance(properties, dict) else ():
        inner = value.get(name) if isinstance(value, dict) else None
        if isinstance(part, dict):
            header = part.get(HEADER)
            if isinstance(header, str):
                yield header, inner
            yield from _annotated(part, inner)


def _demand(headers: Mapping[str, str], name: str, value: Json) -> None:
    header = headers.get(name)
    if header is None:
        raise _mismatch(f"The header {name} is missing")
    if not _agree(_decoded(header, name), value):
        raise _mismatch(f"The header {name} says {header!r}, the body {value!r}")


def _agree(header: str, value: Json) -> bool:
    if isinstance(value, bool):
        return header == ("true" if value else "false")
    if isinstance(value, int | float):
        whole, dot, rest = header.partition(".")
        digits = whole.removeprefix("-")
        is_whole = bool(rest) == bool(dot) and not rest.strip("0")  # 42 and 42.0 are one number
        return is_whole and digits.isascii() and digits.isdecimal() and int(whole) == value
    return header == value


def _is_beyond(value: Json) -> bool:
    """Whether it is a number that no client can repeat."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value != value // 1 or abs(value) > LARGEST_INTEGER


def _decoded(header: str, name: str) -> str:
    if not (header.startswith(_OPENING) and header.endswith(_CLOSING)):
        return header
    packed = header[len(_OPENING) : -len(_CLOSING)]
    try:
        return base64.b64decode(packed, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError) as error:
        raise _mismatch(f"The header {name} is not Base64: {error}") from error


def _mismatch(text: str) -> RpcError:
    return RpcError(HEADER_MISMATCH, f"Header mismatch: {text}")
