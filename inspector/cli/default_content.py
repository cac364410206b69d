"""The content with which `--accept-all` accepts a form: the defaults of its schema, and the simplest valid value for what is required."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

_FORMATS = {
    "email": "user@example.com",
    "uri": "https://example.com/",
    "date": "1999-12-31",
    "date-time": "1999-12-31T12:00:00Z",
}

_TEXT = "text"


def default_content(schema: Json, *, has_arrays: bool = True) -> JsonObject | None:
    """Return the content for a form with this schema; fields that may be left out and have no default are left out.

    Without arrays, which the responses of early revisions do not have, fields for them are left out, too; None if one is required.
    """
    found = schema if isinstance(schema, dict) else {}
    properties, required = found.get("properties"), found.get("required")
    needed = required if isinstance(required, list) else []
    content = {
        name: _value(field)
        for name, field in (properties if isinstance(properties, dict) else {}).items()
        if isinstance(field, dict) and (name in needed or "default" in field)
    }
    arrays = [name for name, value in content.items() if isinstance(value, list) and not has_arrays]
    if any(name in needed for name in arrays):
        return None
    return {name: value for name, value in content.items() if name not in arrays}


def _value(field: JsonObject) -> Json:
    if "default" in field:
        return field["default"]
    options = _options(field)
    if options:
        return options[0]
    match field.get("type"):
        case "boolean":
            return True
        case "integer" | "number":
            return _number(field)
        case "array":
            return _several(field)
        case _:
            return _string(field)


def _options(field: JsonObject) -> list[Json]:
    """Return the values of a choice; empty for a field that is none."""
    values = field.get("enum")
    if isinstance(values, list):
        return values
    for key in ("oneOf", "anyOf"):
        items = field.get(key)
        if isinstance(items, list):
            return [each["const"] for each in items if isinstance(each, dict) and "const" in each]
    return []


def _number(field: JsonObject) -> Json:
    """Return 0, or the limit that is closest to it."""
    low, high = field.get("minimum"), field.get("maximum")
    if isinstance(low, int | float) and low > 0:
        return low
    return high if isinstance(high, int | float) and high < 0 else 0


def _several(field: JsonObject) -> Json:
    items, count = field.get("items"), field.get("minItems")
    options = _options(items) if isinstance(items, dict) else []
    return options[: count if isinstance(count, int) else 0]


def _string(field: JsonObject) -> str:
    format_ = field.get("format")
    text = _FORMATS.get(format_, _TEXT) if isinstance(format_, str) else _TEXT
    low, high = field.get("minLength"), field.get("maxLength")
    if isinstance(low, int) and not isinstance(low, bool):
        text = text.ljust(min(low, 10_000), "x")
    return text[:high] if isinstance(high, int) and high >= 0 else text
