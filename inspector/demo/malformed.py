"""The same answer, spelled wrong: each function turns a proper response into the bytes that leave instead of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inspector.demo.writer import line

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject

NEVER_ASKED = 987_654_321
"""An id that no client will have used."""


def _cut_off(response: JsonObject) -> bytes:
    return line(response)[: -len("}\n") - 1] + b"\n"


def _trailing_comma(response: JsonObject) -> bytes:
    return line(response)[:-2] + b",}\n"


def _single_quotes(response: JsonObject) -> bytes:
    return line(response).replace(b'"', b"'")


def _not_a_number(response: JsonObject) -> bytes:
    return line(_with(response, "result", _with(_result(response), "ratio", float("nan"))))


def _pretty_printed(response: JsonObject) -> bytes:
    return json.dumps(response, indent=2).encode() + b"\n"


def _invalid_utf8(response: JsonObject) -> bytes:
    """Latin-1 where UTF-8 is due, and half a character."""
    marked = _with(response, "result", _with(_result(response), "note", "caf@ and #"))
    return line(marked).replace(b"caf@", b"caf\xe9").replace(b"and #", b"and \xe2\x82")


def _wrong_jsonrpc(response: JsonObject) -> bytes:
    return line(_with(response, "jsonrpc", "1.0"))


def _no_jsonrpc(response: JsonObject) -> bytes:
    return line({name: value for name, value in response.items() if name != "jsonrpc"})


def _wrong_id_type(response: JsonObject) -> bytes:
    given = response.get("id")
    return line(_with(response, "id", str(given) if isinstance(given, int) else [given]))


def _null_id(response: JsonObject) -> bytes:
    return line(_with(response, "id", None))


def _unknown_id(response: JsonObject) -> bytes:
    """An unsolicited response, and then the proper one."""
    return line(_with(response, "id", NEVER_ASKED)) + line(response)


def _twice(response: JsonObject) -> bytes:
    return line(response) * 2


def _result_and_error(response: JsonObject) -> bytes:
    return line(_with(response, "error", {"code": -32603, "message": "Both at once"}))


def _neither(response: JsonObject) -> bytes:
    return line({"jsonrpc": "2.0", "id": response.get("id")})


def _in_a_batch(response: JsonObject) -> bytes:
    return line([response])


def _plain_text(response: JsonObject) -> bytes:
    return f"Request {response.get('id')} went well.\n".encode()


def _nothing(response: JsonObject) -> bytes:
    del response
    return b""


GARBLES: dict[str, Callable[[JsonObject], bytes]] = {
    "cut_off": _cut_off,
    "trailing_comma": _trailing_comma,
    "single_quotes": _single_quotes,
    "not_a_number": _not_a_number,
    "plain_text": _plain_text,
    "pretty_printed": _pretty_printed,
    "invalid_utf8": _invalid_utf8,
    "wrong_jsonrpc": _wrong_jsonrpc,
    "no_jsonrpc": _no_jsonrpc,
    "wrong_id_type": _wrong_id_type,
    "null_id": _null_id,
    "unknown_id": _unknown_id,
    "twice": _twice,
    "result_and_error": _result_and_error,
    "neither": _neither,
    "in_a_batch": _in_a_batch,
    "nothing": _nothing,
}
"""By name, for switches and tools."""


def _with(message: JsonObject, name: str, value: Json) -> JsonObject:
    return {**message, name: value}


def _result(response: JsonObject) -> JsonObject:
    result = response.get("result")
    return result if isinstance(result, dict) else {}
