"""Input schemas as model APIs take them: each of these makes one of them refuse the tool, or all tools with it.

None of this is a part of the protocol; the limits and their sources are in `checks.clients`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from inspector.checks.clients import (
    ANTHROPIC_STRICT,
    OPENAI_STRICT,
    Limit,
    effects,
    limits,
    severity_for,
)
from inspector.checks.families.listing import listed, quoted
from inspector.checks.families.tool_schemas import schemas_in, schemas_with
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.pointer import join

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from inspector.checks.clients import Targets
    from inspector.checks.history import History
    from inspector.checks.seen import ListedItem
    from inspector.finding import Finding
    from inspector.json_value import Json, JsonObject

_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_COMBINATORS = ("oneOf", "anyOf", "allOf")
_OPENAPI = ("nullable", "example", "discriminator", "xml", "externalDocs")
_EXCLUSIVE = ("exclusiveMinimum", "exclusiveMaximum")
_OBJECT_KEYS = ("additionalProperties", "type", "properties")
_NOT_IN_OPENAI_STRICT = (
    *("oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"),
    *("patternProperties", "propertyNames", "minProperties", "maxProperties", "uniqueItems"),
    *("contains", "minContains", "maxContains", "unevaluatedItems", "unevaluatedProperties"),
)
_NOT_IN_ANTHROPIC_STRICT = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "maxItems"),
)
_STRICT_FORMATS = frozenset(
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]
)
_TYPES: dict[str, Callable[[Json], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
    "number": lambda value: _is_number(value),
    "integer": lambda value: _is_number(value),
}
Problem = tuple[str, str]
"""What is wrong with a schema, and the keyword."""


def _is_number(value: Json) -> bool:
    return value is not None and not isinstance(value, bool | str | list | dict)


def _root_combinator(schema: JsonObject) -> Iterator[Problem]:
    for key in _COMBINATORS:
        if key in schema:
            yield f"`{key}` at the root", key


def _property_keys(schema: JsonObject) -> Iterator[Problem]:
    properties = schema.get("properties")
    unusual = (
        [key for key in properties if not _KEY.fullmatch(key)]
        if isinstance(properties, dict)
        else []
    )
    if unusual:
        yield (
            f"parameter names with special characters or more than 64 characters: {listed(unusual)}",
            "properties",
        )


def _required_null(schema: JsonObject) -> Iterator[Problem]:
    if "required" in schema and schema["required"] is None:
        yield "`required` is null", "required"


def _root_properties(schema: JsonObject) -> Iterator[Problem]:
    if schema.get("type") == "object" and "properties" not in schema:
        yield "an object without `properties`", "type"


def _array_items(schema: JsonObject) -> Iterator[Problem]:
    kinds = schema.get("type")
    is_array = kinds == "array" or (isinstance(kinds, list) and "array" in kinds)
    if is_array and "items" not in schema and "prefixItems" not in schema:
        yield "an array without `items`", "type"


def _tuple_items(schema: JsonObject) -> Iterator[Problem]:
    if isinstance(schema.get("items"), list):
        yield "`items` is an array, which JSON Schema 2020-12 calls `prefixItems`", "items"


def _openapi(schema: JsonObject) -> Iterator[Problem]:
    for key in _OPENAPI:
        if key in schema:
            yield f"`{key}` is a keyword of OpenAPI, which JSON Schema ignores", key
    for key in _EXCLUSIVE:
        if isinstance(schema.get(key), bool):
            yield f"`{key}` is a boolean, as in draft 4", key


def _openai_strict(schema: JsonObject) -> Iterator[Problem]:
    properties, required = schema.get("properties"), schema.get("required")
    yield from _open_objects(schema)
    if isinstance(properties, dict):
        names = required if isinstance(required, list) else []
        needed = {each for each in names if isinstance(each, str)}
        if optional := [name for name in properties if name not in needed]:
            yield f"optional parameters: {listed(optional)}", "properties"
    yield from _keywords(schema, _NOT_IN_OPENAI_STRICT)
    if isinstance(kind := schema.get("format"), str) and kind not in _STRICT_FORMATS:
        yield f"the format {quoted(kind)}", "format"


def _anthropic_strict(schema: JsonObject) -> Iterator[Problem]:
    yield from _open_objects(schema)
    yield from _keywords(schema, _NOT_IN_ANTHROPIC_STRICT)
    if (fewest := schema.get("minItems")) is not None and fewest not in (0, 1):
        yield "`minItems` above 1", "minItems"


def _open_objects(schema: JsonObject) -> Iterator[Problem]:
    is_object = _is_object(schema) or "additionalProperties" in schema
    if is_object and schema.get("additionalProperties") is not False:
        key = next(each for each in _OBJECT_KEYS if each in schema)
        yield "an object without `additionalProperties: false`", key


def _keywords(schema: JsonObject, refused: Iterable[str]) -> Iterator[Problem]:
    for key in refused:
        if key in schema:
            yield f"the keyword `{key}`", key


def _is_object(schema: JsonObject) -> bool:
    kinds = schema.get("type")
    return (
        "properties" in schema
        or kinds == "object"
        or (isinstance(kinds, list) and "object" in kinds)
    )


def _is_for(client: str) -> Callable[[ListedItem, History], bool]:
    """Return whether the server is for a client that was chosen by name."""
    return lambda _, history: client in history.targets


def _required_default(schema: JsonObject) -> Iterator[Problem]:
    required, properties = schema.get("required"), schema.get("properties")
    if not isinstance(required, list) or not isinstance(properties, dict):
        return
    found = [
        name
        for name in required
        if isinstance(name, str)
        and isinstance(inner := properties.get(name), dict)
        and "default" in inner
    ]
    if found:
        yield f"required parameters with a default: {listed(found)}", "required"


def _default(schema: JsonObject) -> Iterator[Problem]:
    kind = schema.get("type")
    if "default" not in schema or not isinstance(kind, str) or kind not in _TYPES:
        return
    if not _TYPES[kind](schema["default"]):
        yield f"the default is not of type {quoted(kind)}", "default"


def _check(
    rule: str,
    problems: Callable[[JsonObject], Iterator[Problem]],
    keywords: Iterable[str],
    limit: Limit | None = None,
    *,
    is_root: bool = False,
) -> Callable[[ListedItem, History], Iterator[Finding]]:
    """Return a check of the root of an input schema, or of every schema inside; without one of `keywords` it has no such problem."""
    needed = frozenset(keywords)

    @cache
    def strictness(targets: Targets) -> tuple[str, Severity | None] | None:
        """What the targets do, and how much it matters; None if no target has this limit."""
        if limit is None:
            return "", None
        rows = limits(limit, targets=targets)
        return (f": {effects(rows)}", severity_for(rows, targets, None)) if rows else None

    def check(item: ListedItem, history: History) -> Iterator[Finding]:
        strict = strictness(history.targets)
        if strict is None:
            return
        after, weight = strict
        found = schemas_in(item, history)[:1] if is_root else schemas_with(needed, item, history)
        for inner in found:
            for text, key in problems(inner.schema):
                pointer = join(item.pointer, "inputSchema", *inner.steps, key)
                summary = f"{text}{after}"
                yield make_finding(rule, summary, pointer, item.revision, severity=weight)

    return check


_ITEM = (On(Subject.ITEM, "tools/list"),)
_REFUSED = "Clients that reject the schema cannot use the tool, and often no tool of the server."

RULES = (
    Rule(
        "L-MDL-02",
        Severity.WARNING,
        "schemas",
        "alternatives at the root of an input schema",
        why=_REFUSED,
        hint="Describe one object with optional properties, or offer several tools.",
        level="quality",
        on=_ITEM,
        check=_check(
            "L-MDL-02", _root_combinator, _COMBINATORS, Limit.ROOT_COMBINATOR, is_root=True
        ),
    ),
    Rule(
        "L-MDL-03",
        Severity.WARNING,
        "schemas",
        "parameter names that model APIs reject",
        why=_REFUSED,
        hint="Use up to 64 letters, digits, `_`, `.` and `-` in names of parameters.",
        level="quality",
        on=_ITEM,
        check=_check("L-MDL-03", _property_keys, ["properties"], Limit.PROPERTY_KEY, is_root=True),
    ),
    Rule(
        "L-MDL-04",
        Severity.WARNING,
        "schemas",
        "array without items",
        why=_REFUSED,
        hint="Describe the items in `items`; use `{}` for any value.",
        typescript="Replace `z.array(z.any())`, from which Zod 3 leaves `items` out, with the type of the items, such as `z.array(z.string())`.",
        level="quality",
        on=_ITEM,
        check=_check("L-MDL-04", _array_items, ["type"], Limit.ITEMS_MISSING),
    ),
    Rule(
        "L-MDL-05",
        Severity.INFO,
        "schemas",
        "array as items",
        why="JSON Schema 2020-12 does not allow it, so clients change or ignore the parameter.",
        hint="Use `prefixItems`, or an object with named members.",
        level="quality",
        on=_ITEM,
        check=_check("L-MDL-05", _tuple_items, ["items"], Limit.TUPLE_ITEMS),
    ),
    Rule(
        "L-MDL-06",
        Severity.INFO,
        "schemas",
        "object without properties at the root",
        why="Clients that require `properties` reject the tool.",
        hint='Write `"properties": {}` for a tool without parameters.',
        level="quality",
        on=_ITEM,
        check=_check(
            "L-MDL-06", _root_properties, ["type"], Limit.PROPERTIES_MISSING, is_root=True
        ),
    ),
    Rule(
        "L-MDL-07",
        Severity.ERROR,
        "schemas",
        "required is null",
        why=_REFUSED,
        hint="Leave `required` out, or set it to an array.",
        level="quality",
        on=_ITEM,
        check=_check("L-MDL-07", _required_null, ["required"], Limit.REQUIRED_NULL),
    ),
    Rule(
        "L-MDL-08",
        Severity.INFO,
        "schemas",
        "keyword of OpenAPI or draft 4",
        why="JSON Schema ignores the keyword, so models may pass values that the server rejects.",
        hint='Write `"type": ["string", "null"]` for `nullable`, `examples` for `example`, and numbers as exclusive bounds.',
        level="quality",
        on=_ITEM,
        check=_check("L-MDL-08", _openapi, [*_OPENAPI, *_EXCLUSIVE], Limit.OPENAPI),
    ),
    Rule(
        "L-MDL-09",
        Severity.INFO,
        "schemas",
        "default of another type",
        why="Forms and models that use the default send a value that the schema rejects.",
        hint="Use a default that the schema allows, or allow null in `type`.",
        python="Annotate an optional parameter as `str | None = None`.",
        level="quality",
        on=_ITEM,
        check=_check("L-MDL-09", _default, ["default"]),
    ),
    Rule(
        "L-MDL-18",
        Severity.INFO,
        "schemas",
        "required parameter with a default",
        why="The default is never used: a model has to pass the parameter, and may be unsure whether it has to.",
        hint="Leave parameters with a default out of `required`.",
        level="quality",
        on=_ITEM,
        check=_check("L-MDL-18", _required_default, ["required"]),
    ),
    Rule(
        "L-MDL-19",
        Severity.INFO,
        "schemas",
        "schema outside of the strict mode of OpenAI",
        why=_REFUSED,
        hint="Set `additionalProperties` to false, require every parameter and allow null instead, and leave the keyword out.",
        level="quality",
        on=_ITEM,
        check=_check(
            "L-MDL-19",
            _openai_strict,
            [*_OBJECT_KEYS, *_NOT_IN_OPENAI_STRICT, "format"],
            Limit.OPENAI_STRICT,
        ),
        when=_is_for(OPENAI_STRICT),
    ),
    Rule(
        "L-MDL-20",
        Severity.INFO,
        "schemas",
        "schema outside of the strict mode of Anthropic",
        why=_REFUSED,
        hint="Set `additionalProperties` to false, and write limits of values into the description.",
        level="quality",
        on=_ITEM,
        check=_check(
            "L-MDL-20",
            _anthropic_strict,
            [*_OBJECT_KEYS, "minItems", *_NOT_IN_ANTHROPIC_STRICT],
            Limit.ANTHROPIC_STRICT,
        ),
        when=_is_for(ANTHROPIC_STRICT),
    ),
)
