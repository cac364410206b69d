"""A tool, and a page of tools.

Source: server/tools, "Tool" and "Listing Tools". Annotations are hints of the server's own and never to be trusted.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from msgspec.structs import replace

from inspector.finding import Finding, Severity
from inspector.spec.findings import make_finding
from inspector.spec.json_types import type_text
from inspector.spec.keys import META
from inspector.spec.mirrored_headers import annotated
from inspector.spec.spec_urls import link
from inspector.spec.subschemas import external_refs
from inspector.spec.view import View
from inspector.spec.views.definition import Definition, icons, repeated
from inspector.spec.views.list_page import ListPage
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.background_tasks import Steps
    from inspector.spec.views.definition import IconView
    from inspector.wire.json_codec import JsonObject

MAX_NAME = 128
"""Characters a name should not exceed."""

TASK_SUPPORT = ("forbidden", "optional", "required")

_NAME = re.compile(r"[A-Za-z0-9_.-]*")


class ToolAnnotations(View):
    """Hints about what a tool does, with the defaults the specification gives them."""

    SUBJECT: ClassVar[str] = "tools"
    NOUN: ClassVar[str] = "annotations"

    def _read_members(self) -> None:
        self.title = self.text("title")
        self.read_only = self.flag("readOnlyHint", default=False)
        self.destructive = self.flag("destructiveHint", default=True)
        self.idempotent = self.flag("idempotentHint", default=False)
        self.open_world = self.flag("openWorldHint", default=True)

    def is_stated(self, key: str) -> bool:
        """Whether the server said so itself, e.g. for `readOnlyHint`; otherwise the default holds."""
        return isinstance(self.value(key), bool)

    def hints(self) -> tuple[tuple[str, bool, bool], ...]:
        """Return (label, holds, stated) of each hint that is stated, or that applies to this tool."""
        rows = (
            ("read-only", self.read_only, self.is_stated("readOnlyHint")),
            ("destructive", self.destructive, self.is_stated("destructiveHint")),
            ("idempotent", self.idempotent, self.is_stated("idempotentHint")),
            ("open world", self.open_world, self.is_stated("openWorldHint")),
        )
        unused = {"destructive", "idempotent"} if self.read_only else set[str]()
        return tuple(row for row in rows if row[2] or row[0] not in unused)


_MISSPELT = ("input_schema", "inputschema", "parameters", "schema")
"""Where servers put the input schema by mistake, as APIs of models have it."""


class _Rest(NamedTuple):
    """The members of a tool that are read on demand."""

    input_schema: JsonObject | bool | None
    output_schema: JsonObject | bool | None
    annotations: ToolAnnotations
    icons: tuple[IconView, ...]
    execution: JsonObject
    meta: JsonObject


class ToolView(Definition):
    """One tool as listed.

    Only what identifies and describes it is read at once; the rest is read on demand, since few of thousands are looked at.
    """

    SUBJECT: ClassVar[str] = "tools"
    RULE: ClassVar[str] = "L-TOOL-01"
    NOUN: ClassVar[str] = "a tool"

    @cached_property
    def _rest(self) -> _Rest:
        rest = _Rest(
            input_schema=self._schema("inputSchema", required=True),
            output_schema=self._schema("outputSchema"),
            annotations=self._annotations(),
            icons=icons(self),
            execution=self.members("execution"),
            meta=self.members(META),
        )
        if not self.has("inputSchema"):
            for key in filter(self._members.__contains__, _MISSPELT):
                self.add_finding(f"`{key}` is not read: the schema must be in `inputSchema`", key)
        self._check_name()
        self.check_hidden_text("name", "title", "description")
        self._check_references(rest)
        return rest

    def _complete(self) -> None:
        _ = self._rest, self.header_problems

    def _annotations(self) -> ToolAnnotations:
        if not self.has("annotations"):
            return ToolAnnotations({}, self.pointer_to("annotations"), self.revision)
        read = ToolAnnotations(
            self.value("annotations"), self.pointer_to("annotations"), self.revision
        )
        self.include_findings_of(read)
        return read

    @property
    def input_schema(self) -> JsonObject | bool | None:
        """The schema of the arguments; None if it is missing or has another type."""
        return self._rest.input_schema

    @property
    def output_schema(self) -> JsonObject | bool | None:
        """The schema of structured content; None if it is missing or has another type."""
        return self._rest.output_schema

    @property
    def has_output_schema(self) -> bool:
        """Whether the member `outputSchema` is present and not null."""
        return self.value("outputSchema") is not None

    @property
    def annotations(self) -> ToolAnnotations:
        """Its hints, or the defaults."""
        return self._rest.annotations

    @property
    def icons(self) -> tuple[IconView, ...]:
        """Its icons, which are not loaded."""
        return self._rest.icons

    @property
    def execution(self) -> JsonObject:
        """The member `execution`."""
        return self._rest.execution

    @property
    def meta(self) -> JsonObject:
        """Its `_meta`."""
        return self._rest.meta

    @cached_property
    def header_problems(self) -> tuple[Finding, ...]:
        """What is wrong with the annotations that repeat arguments in headers; over HTTP it excludes the tool."""
        if self.revision is None or not self.revision.has_standard_headers:
            return ()
        found = annotated(self.input_schema).problems
        page = link("tools", self.revision, "x-mcp-header")
        placed = tuple(
            replace(each, pointer=self.pointer_to("inputSchema") + each.pointer, link=page)
            for each in found
        )
        self._notes += placed
        return placed

    @cached_property
    def definition_bytes(self) -> int:
        """Bytes of the definition as compact JSON: a model gets the whole definition with every request."""
        return len(json_codec.write(self.raw).encode("utf-8", "surrogatepass"))

    @property
    def label(self) -> str:
        """What to call it on screen: `title`, `annotations.title`, `name`; never empty."""
        return self.title or self._annotated_title() or self.id_label

    def _annotated_title(self) -> str:
        hints = self.value("annotations")
        title = hints.get("title") if isinstance(hints, dict) else None
        return title if isinstance(title, str) else ""

    @property
    def task_support(self) -> str:
        """`forbidden`, `optional` or `required`; the first when nothing valid is said."""
        value = self.execution.get("taskSupport")
        return value if isinstance(value, str) and value in TASK_SUPPORT else TASK_SUPPORT[0]

    def _schema(self, key: str, *, required: bool = False) -> JsonObject | bool | None:
        """Return a schema; None if it is missing or has another type."""
        value = self.value(key)
        if isinstance(value, bool):
            self.add_finding(f"`{key}` must be an object, not {type_text(value)}", key)
            return value
        schema = self.members(key, required=required)
        if key == "inputSchema" and isinstance(value, dict) and schema.get("type") != "object":
            self.add_finding('`inputSchema` must have "type": "object" at its root', key, "type")
        return schema if isinstance(value, dict) else None

    def _check_references(self, rest: _Rest) -> None:
        """What a schema only refers to is never loaded, so nothing is validated against it (C-SCH-06)."""
        for key, schema in (
            ("inputSchema", rest.input_schema),
            ("outputSchema", rest.output_schema),
        ):
            for each in external_refs(schema):
                pointer = self.pointer_to(key, *each.steps)
                self._notes.append(make_finding("L-TOOL-11", each.text, pointer, self.revision))

    def _check_name(self) -> None:
        if not self.has_id:
            return
        binding = self.revision is None or self.revision.has_tool_name_rules
        severity = Severity.WARNING if binding else Severity.INFO
        if not 1 <= len(self.name) <= MAX_NAME:
            text = f"name should have 1–{MAX_NAME} characters, not {len(self.name)}"
            self.add_finding(
                text, "name", rule="L-TOOL-02", severity=severity, section="Tool Names"
            )
        if _NAME.fullmatch(self.name) is None:
            text = f"name should contain only ASCII letters, digits, `_`, `-` and `.`{_strange(self.name)}"
            self.add_finding(
                text, "name", rule="L-TOOL-03", severity=severity, section="Tool Names"
            )


def _strange(name: str) -> str:
    """Name the first character that a tool name should not hold, with its code point: many look like an ASCII letter."""
    found = next((each for each in name if _NAME.fullmatch(each) is None), "")
    if not found:
        return ""
    character = f"“{found}” (U+{ord(found):04X})" if found.isprintable() else f"U+{ord(found):04X}"
    return f"; this one holds {character} at position {name.index(found) + 1}"


class ToolsPage(ListPage[ToolView]):
    """The result of `tools/list`."""

    SUBJECT: ClassVar[str] = "tools"
    NOUN: ClassVar[str] = "the result of tools/list"
    KEY: ClassVar[str] = "tools"
    ITEM = ToolView

    @classmethod
    def find_duplicates(
        cls, items: Sequence[ToolView], limit: int | None = None
    ) -> Steps[dict[int, tuple[Finding, ...]]]:
        """Return findings for tools, by position, whose name is not unique, or differs from another only in case."""
        names = [tool.name or None for tool in items]
        same = yield from repeated(names)
        same_folded = yield from repeated(name.casefold() if name else None for name in names)
        found: dict[int, tuple[Finding, ...]] = {}
        for number in islice(same_folded, limit):
            found[number] = (_duplicate(items[number], same.get(number, 1)),)
            yield
        return found


def _duplicate(tool: ToolView, same: int) -> Finding:
    if same > 1:
        text = f"{same} tools are named {tool.name!r}; the server decides which one is called"
        return make_finding(
            "L-TOOL-04", text, tool.pointer_to("name"), tool.revision, section="Tool Names"
        )
    text = f"name differs from another tool only in case: {tool.name!r}"
    return make_finding(
        "L-TOOL-05", text, tool.pointer_to("name"), tool.revision, section="Tool Names"
    )
