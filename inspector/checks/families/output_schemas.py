"""Output schemas of tools, as a model reads them. Source: server/tools, "Output Schema"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families.listing import (
    any_matches,
    counting,
    listed,
    members,
    name_of,
)
from inspector.checks.seen import PAUSE_ITEMS, At
from inspector.finding import Severity
from inspector.rules.rule import On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.background_tasks import Steps
    from inspector.checks.history import History
    from inspector.checks.seen import ListedItem, WholeList
    from inspector.json_value import JsonObject


def _properties(item: ListedItem) -> JsonObject:
    """Return the properties at the root of the output schema of a tool."""
    schema = members(item).get("outputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties if isinstance(properties, dict) else {}


def check_descriptions(whole: WholeList, history: History) -> Iterator[At | None]:
    """Yield one finding about the properties of results without a description."""
    del history
    found: list[tuple[ListedItem, str]] = []
    for count, item in enumerate(whole.items, 1):
        for name, schema in _properties(item).items():
            if isinstance(schema, dict) and "$ref" not in schema and not schema.get("description"):
                found.append((item, name))
        if not count % PAUSE_ITEMS:
            yield None
    if found:
        first, key = found[0]
        names = [f"{name_of(item)}.{name}" for item, name in found]
        many = "properties" if len(found) > 1 else "property"
        text = f"{len(found):,} {many} of results without a description: {listed(names)}"
        pointer = join(first.pointer, "outputSchema", "properties", key)
        finding = make_finding("L-TOOL-48", text, pointer, whole.revision)
        yield At(first.number, counting(finding, names))


def _has_properties(whole: WholeList, history: History) -> Steps[bool]:
    del history
    return any_matches(whole.items, _properties)


RULES = (
    Rule(
        "L-TOOL-48",
        Severity.INFO,
        "tools",
        "property of a result without a description",
        why="Models have to guess what a value means, and in which unit it is.",
        hint="Describe each property of the output schema, with its unit and format.",
        python="Annotate the fields of the result as `Annotated[float, Field(description=…)]`.",
        typescript="Call `.describe(…)` on each property of the Zod schema.",
        section="Output Schema",
        level="quality",
        since=3,
        on=(On(Subject.LIST, "tools/list"),),
        check=check_descriptions,
        when=_has_properties,
    ),
)
