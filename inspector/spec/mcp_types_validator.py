"""The official validators.

`mcp_types` has models of each revision for requests, notifications and results. Validation is strict, so that `"true"` is not a
boolean; errors of strictness or Python alone (`1.0` for an integer, lone surrogates, depth) are dropped.

This module imports pydantic and the models, which takes about a second: it is imported late, by `validation` alone.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, cast, get_args

import mcp_types.methods as models
from msgspec.structs import replace
from pydantic import TypeAdapter, ValidationError

from inspector.spec.keys import RESULT_INPUT_REQUIRED
from inspector.spec.method import MethodKind, Side
from inspector.spec.schema_errors import (
    HARMLESS,
    UNREAD,
    RawSchemaError,
    SchemaError,
    resolve_unions,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic_core import ErrorDetails

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

_CALLS: dict[tuple[MethodKind, Side], Mapping[tuple[str, str], object]] = {
    (MethodKind.REQUEST, Side.CLIENT): models.CLIENT_REQUESTS,
    (MethodKind.REQUEST, Side.SERVER): models.SERVER_REQUESTS,
    (MethodKind.NOTIFICATION, Side.CLIENT): models.CLIENT_NOTIFICATIONS,
    (MethodKind.NOTIFICATION, Side.SERVER): models.SERVER_NOTIFICATIONS,
}

_RESULTS: dict[Side, Mapping[tuple[str, str], object]] = {
    Side.CLIENT: models.CLIENT_RESULTS,
    Side.SERVER: models.SERVER_RESULTS,
}

PIECE = 100
"""Items of a list that are validated at once."""

MAX_ERRORS = 2000
"""Errors of the validator that are looked at."""

_NO_FAULT = frozenset({"string_unicode", "recursion_loop"})
"""Errors that Python or the validator has with legal JSON."""


def validate_call(
    method: str, params: JsonObject | None, kind: MethodKind, sender: Side, revision: Revision
) -> list[SchemaError]:
    """Return the errors in a request or notification, with paths from the message; an empty list if no model exists."""
    model = _CALLS[kind, sender].get((method, revision.date))
    if model is None:
        return []
    envelope: JsonObject = {"jsonrpc": "2.0", "method": method}
    if kind is MethodKind.REQUEST:
        envelope["id"] = 0
    if params is not None:
        envelope["params"] = params
    return _faults(_adapter(model), envelope)


def validate_result(
    method: str, result: JsonObject, sender: Side, revision: Revision
) -> list[SchemaError]:
    """Return the errors in the result of a request for `method`; an empty list if no model exists."""
    model = _RESULTS[sender].get((method, revision.date))
    if model is None:
        return []
    return _faults(_adapter(_alternative(model, result)), result)


def _alternative(model: object, result: JsonObject) -> object:
    """Return the one model meant, where a result may be complete or ask for input."""
    asks = result.get("resultType") == RESULT_INPUT_REQUIRED
    for each in get_args(model):
        if (each.__name__ == "InputRequiredResult") == asks:
            return each
    return model


@functools.cache
def _adapter(model: object) -> TypeAdapter[object]:
    made: TypeAdapter[object] = TypeAdapter(cast("type[object]", model))
    return made


def _faults(adapter: TypeAdapter[object], value: JsonObject) -> list[SchemaError]:
    """Validate a value whose long list, if it has one, is cut into pieces: the first piece with faults is the last.

    A thousand broken items would be ten thousand errors, and seconds to tell them apart.
    """
    path, items = _long_list(value)
    if not path:
        return _checked(adapter, value)
    for start in range(0, len(items), PIECE):
        found = _checked(adapter, _with(value, path, items[start : start + PIECE]))
        if found:
            left = len(items) - start - PIECE
            unread = [SchemaError(path, UNREAD, (str(left),))] if left > 0 else []
            return [_shifted(fault, path, start) for fault in found] + unread
    return []


def _long_list(value: JsonObject) -> tuple[tuple[str, ...], list[Json]]:
    """Return where a list of more than one piece is, directly in `value` or in its params, and its items."""
    params = value.get("params")
    for holder, members in (((), value), (("params",), params)):
        for key, member in members.items() if isinstance(members, dict) else ():
            if isinstance(member, list) and len(member) > PIECE:
                return (*holder, key), member
    return (), []


def _with(value: JsonObject, path: tuple[str, ...], items: list[Json]) -> JsonObject:
    """Return `value` with other items at `path`."""
    key, *rest = path
    inner = value.get(key)
    inside = _with(inner, tuple(rest), items) if rest and isinstance(inner, dict) else items
    return {**value, key: inside}


def _shifted(fault: SchemaError, path: tuple[str, ...], start: int) -> SchemaError:
    """Count the items at `path` from the beginning of the list again."""
    depth = len(path)
    if fault.steps[:depth] == path and len(fault.steps) > depth:
        number = fault.steps[depth]
        if isinstance(number, int):
            return replace(fault, steps=(*path, number + start, *fault.steps[depth + 1 :]))
    return fault


def _checked(adapter: TypeAdapter[object], value: JsonObject) -> list[SchemaError]:
    try:
        adapter.validate_python(value, strict=True, by_name=False, by_alias=True)
    except ValidationError as error:
        return resolve_unions(_raws(error.errors(include_url=False)[:MAX_ERRORS]), value)
    return []


def _raws(errors: list[ErrorDetails]) -> Iterator[RawSchemaError]:
    for each in errors:
        name, value = each["type"], cast("Json", each["input"])
        harmless = name in _NO_FAULT or (_wants_integer(each) and _is_integer(value))
        yield RawSchemaError(each["loc"], HARMLESS if harmless else name, _expected(each), value)


def _expected(error: ErrorDetails) -> str:
    """Return the allowed values of a literal, or the validator's message if the name of the error is not enough."""
    expected: object = error.get("ctx", {}).get("expected")
    if expected:
        return str(expected)
    return "" if error["type"].endswith("_type") else error["msg"]


def _wants_integer(error: ErrorDetails) -> bool:
    return error["type"] in ("int_type", "int_from_float")


def _is_integer(value: Json) -> bool:
    """JSON Schema counts 1.0 among the integers."""
    return isinstance(value, float) and value.is_integer()
