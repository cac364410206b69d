"""The schemas of tools beyond whether they are valid: what a model is not told of a parameter, and what contradicts itself.

Source: server/tools, "Tool" and "x-mcp-header"; basic, "JSON Schema Usage"; JSON Schema 2020-12 validation, section 6.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.families.listing import (
    any_matches,
    counting,
    fold,
    listed,
    matching,
    members,
    name_of,
    quoted,
)
from inspector.checks.seen import PAUSE_ITEMS, At
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.json_types import number_of
from inspector.spec.pointer import join
from inspector.spec.subschemas import subschemas

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from inspector.background_tasks import Steps
    from inspector.checks.history import History
    from inspector.checks.seen import ListedItem, WholeList
    from inspector.finding import Finding
    from inspector.json_value import Json, JsonObject
    from inspector.spec.subschemas import Subschema

MAX_DEPTH, MAX_SUBSCHEMAS, MAX_ALTERNATIVES = 12, 500, 40
"""Levels, schemas and alternatives of one schema above which it is called very large: of 632 published tools two pass five levels."""

MAX_SCHEMAS = 2_000
"""Schemas inside one schema that are looked at."""

_TYPED = frozenset(
    ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "$dynamicRef", "not", "if"]
)
"""Keywords that say what a value may be."""

_BOUNDS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
)

_LOWER = frozenset(low for low, _ in _BOUNDS)

_CONTRADICTING = frozenset(["required", "enum", *_LOWER])
"""Keywords without which a schema contradicts nothing."""

_BOOLEAN = frozenset([bool])

_SENSITIVE = frozenset(
    [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "apikey",
        "credential",
        "credentials",
        "ssn",
        "pin",
        "cvv",
    ]
)
_SENSITIVE_PAIRS = frozenset(
    [("api", "key"), ("access", "token"), ("auth", "token"), ("private", "key"), ("card", "number")]
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Parameter(NamedTuple):
    """A parameter of a tool."""

    item: ListedItem
    name: str
    schema: Json

    @property
    def pointer(self) -> str:
        """Where its schema is in the message."""
        return join(self.item.pointer, "inputSchema", "properties", self.name)


def input_schema(item: ListedItem) -> JsonObject:
    """Return the input schema of a tool; an empty object if it has another type, which the schema says."""
    schema = members(item).get("inputSchema")
    return schema if isinstance(schema, dict) else {}


def schemas_in(item: ListedItem, history: History) -> Sequence[Subschema]:
    """Return the input schema and the schemas inside it, some; every rule about one tool shares one walk."""
    return _walked(item, history)[1]


def schemas_with(
    keywords: frozenset[str], item: ListedItem, history: History
) -> Iterable[Subschema]:
    """Return those of the schemas that have one of the keywords: often none, which one look tells for all of them."""
    _, found, known = _walked(item, history)
    if keywords.isdisjoint(known):
        return ()
    return [each for each in found if not keywords.isdisjoint(each.schema)]


def _walked(
    item: ListedItem, history: History
) -> tuple[ListedItem, tuple[Subschema, ...], frozenset[str]]:
    if (walked := history.walked) is None or walked[0] is not item:
        found = tuple(islice(subschemas(input_schema(item)), MAX_SCHEMAS))
        keywords = frozenset[str]().union(*[each.schema for each in found])
        walked = history.walked = item, found, keywords
    return walked


def parameters(item: ListedItem) -> Iterator[Parameter]:
    """Yield the parameters of a tool, those of its root alone."""
    properties = input_schema(item).get("properties")
    for name, schema in properties.items() if isinstance(properties, dict) else ():
        yield Parameter(item, name, schema)


def check_parameters(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield one finding about the parameters without a description, and one about those without a type."""
    del history
    undescribed: list[Parameter] = []
    untyped: list[Parameter] = []
    for count, item in enumerate(whole.items, 1):
        for each in parameters(item):
            if _lacks_description(each):
                undescribed.append(each)
            if _lacks_type(each):
                untyped.append(each)
        if not count % PAUSE_ITEMS:
            yield None
    for found, text in ((undescribed, "without a description"), (untyped, "without a type")):
        if found:
            names = [f"{name_of(each.item)}.{each.name}" for each in found]
            plural = "" if len(found) == 1 else "s"
            summary = f"{len(found):,} parameter{plural} {text}: {listed(names)}"
            finding = make_finding("L-TOOL-08", summary, found[0].pointer, whole.revision)
            yield At(found[0].item.number, counting(finding, names))


def _lacks_description(parameter: Parameter) -> bool:
    schema = parameter.schema
    return isinstance(schema, dict) and "$ref" not in schema and not schema.get("description")


def _lacks_type(parameter: Parameter) -> bool:
    schema = parameter.schema
    return isinstance(schema, dict) and _TYPED.isdisjoint(schema)


def check_size(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a schema so large that clients refuse or time out on it."""
    depth = alternatives = 0
    found = schemas_in(item, history)
    count = len(found)
    for inner in found:
        depth = max(depth, len(inner.steps) // 2)
        choices = inner.schema.get("anyOf")
        alternatives = max(alternatives, len(choices) if isinstance(choices, list) else 0)
    text = ", ".join(
        f"{value:,} {what}"
        for value, limit, what in (
            (depth, MAX_DEPTH, "levels"),
            (count, MAX_SUBSCHEMAS, "schemas inside"),
            (alternatives, MAX_ALTERNATIVES, "alternatives in one `anyOf`"),
        )
        if value > limit
    )
    if text:
        yield make_finding(
            "L-TOOL-13", f"the schema has {text}", join(item.pointer, "inputSchema"), item.revision
        )


def check_contradictions(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield what no value can meet in an input schema, and what it requires without describing it."""
    for inner in schemas_with(_CONTRADICTING, item, history):
        for text, key in _contradictions(inner.schema):
            pointer = join(item.pointer, "inputSchema", *inner.steps, key)
            yield make_finding("L-TOOL-15", text, pointer, item.revision)


def _contradictions(schema: JsonObject) -> Iterator[tuple[str, str]]:
    required, properties = schema.get("required"), schema.get("properties")
    if isinstance(required, list) and isinstance(properties, dict):
        missing = [name for name in required if isinstance(name, str) and name not in properties]
        if missing and "patternProperties" not in schema and "allOf" not in schema:
            yield (
                f"`required` lists names that are not in `properties`: {listed(missing)}",
                "required",
            )
    if schema.get("enum") == []:
        yield "an empty `enum` allows no value", "enum"
    for low, one, high, other in crossed_bounds(schema):
        yield f"`{low}` {one:g} is above `{high}` {other:g}", low


def crossed_bounds(schema: JsonObject) -> Iterator[tuple[str, float, str, float]]:
    """Yield each lower bound that is above its upper bound: keyword and number of both."""
    if _LOWER.isdisjoint(schema):
        return  # as most
    for low, high in _BOUNDS:
        one, other = number_of(schema.get(low)), number_of(schema.get(high))
        if one is not None and other is not None and one > other:
            yield low, one, high, other


def check_boolean_schema(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about each parameter whose schema is true or false."""
    del history
    properties = input_schema(item).get("properties")
    if not isinstance(properties, dict) or _BOOLEAN.isdisjoint(map(type, properties.values())):
        return
    for each in parameters(item):
        if isinstance(each.schema, bool):
            text = f"the schema of {quoted(each.name)} must be an object, not {str(each.schema).lower()}"
            yield make_finding("L-TOOL-14", text, each.pointer, item.revision)


def check_open_parameterless(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield one finding about the tools without parameters that accept any."""
    del history
    found = yield from matching(whole.items, _is_open_parameterless)
    text = "tools without parameters that lack `additionalProperties: false`"
    yield from fold("L-TOOL-16", found, text, "inputSchema")


def _is_open_parameterless(item: ListedItem) -> bool:
    schema = input_schema(item)
    return (
        schema.get("type") == "object"
        and schema.get("additionalProperties") is not False
        and not schema.get("properties")
        and schema.keys() <= {"type", "properties", "$schema", "required", "title", "description"}
    )


def check_sensitive_header(item: ListedItem, history: History) -> Iterator[Finding]:
    """Yield a finding about a parameter that is repeated in a header and looks secret."""
    del history
    for each in parameters(item):
        if (
            isinstance(each.schema, dict)
            and "x-mcp-header" in each.schema
            and _is_sensitive(each.name)
        ):
            text = f"parameter {quoted(each.name)} looks sensitive, but is repeated in a header"
            pointer = join(each.pointer, "x-mcp-header")
            yield make_finding("L-TOOL-39", text, pointer, item.revision)


def _is_sensitive(name: str) -> bool:
    found = [word.lower() for word in _WORD.findall(name)]
    pairs = set(pairwise(found))
    return not _SENSITIVE.isdisjoint(found) or not _SENSITIVE_PAIRS.isdisjoint(pairs)


def _mirrors(item: ListedItem, history: History) -> bool:
    del history
    return any(
        isinstance(each.schema, dict) and "x-mcp-header" in each.schema for each in parameters(item)
    )


def _has_parameters(whole: WholeList, history: History) -> Steps[bool]:
    del history
    return any_matches(whole.items, lambda item: any(True for _ in parameters(item)))


_ITEM, _LIST = (On(Subject.ITEM, "tools/list"),), (On(Subject.LIST, "tools/list"),)

RULES = (
    Rule(
        "L-TOOL-08",
        Severity.INFO,
        "tools",
        "parameter without description or type",
        why="Models have to guess what to pass, and forms can only offer raw JSON.",
        hint="Describe each parameter, with its unit, format and an example, and give it a type.",
        python="Annotate parameters as `Annotated[str, Field(description=…)]`.",
        typescript="Call `.describe(…)` on each parameter of the Zod schema.",
        section="Tool",
        level="quality",
        on=_LIST,
        check=check_parameters,
        when=_has_parameters,
    ),
    Rule(
        "L-TOOL-13",
        Severity.INFO,
        "schemas",
        "schema very large or very deep",
        why="Clients limit the work of validation, and may reject the tool or skip validation.",
        hint="Split the tool, or describe rare options in text.",
        level="quality",
        since=5,
        on=_ITEM,
        check=check_size,
    ),
    Rule(
        "L-TOOL-14",
        Severity.ERROR,
        "tools",
        "boolean schema of a property",
        why="Clients of this revision require an object, and reject the tool.",
        hint="Use `{}` for any value, and leave out properties that are not allowed.",
        level="schema",
        until=4,
        on=_ITEM,
        check=check_boolean_schema,
    ),
    Rule(
        "L-TOOL-15",
        Severity.INFO,
        "schemas",
        "schema that contradicts itself",
        why="No arguments satisfy the schema, or clients drop parts of it.",
        hint="Describe each required parameter in `properties`, and use bounds that some value satisfies.",
        level="quality",
        on=_ITEM,
        check=check_contradictions,
    ),
    Rule(
        "L-TOOL-16",
        Severity.INFO,
        "tools",
        "tool without parameters accepts any",
        why="Models get no error if they pass arguments by mistake.",
        hint='Use `{"type": "object", "additionalProperties": false}` for tools without parameters.',
        section="Tool",
        level="quality",
        since=4,
        on=_LIST,
        check=check_open_parameterless,
    ),
    Rule(
        "L-TOOL-39",
        Severity.WARNING,
        "tools",
        "secret parameter repeated in a header",
        why="Proxies and logs store headers.",
        hint="Remove `x-mcp-header` from parameters with secrets or personal data.",
        section="x-mcp-header",
        level="SHOULD NOT",
        since=5,
        on=_ITEM,
        check=check_sensitive_header,
        when=_mirrors,
    ),
)
