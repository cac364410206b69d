"""Faults as findings: plain words, and the rule of the checks that fits the place.

Data and pure functions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec import methods
from inspector.spec.json_types import format_value, type_text
from inspector.spec.pointer import join
from inspector.spec.schema_errors import UNREAD
from inspector.spec.spec_urls import link

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.spec.schema_errors import SchemaError

_KINDS = {
    "string_type": "a string",
    "int_type": "an integer",
    "int_from_float": "an integer",
    "float_type": "a number",
    "bool_type": "a boolean",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "list_type": "an array",
    "none_required": "null",
}
"""What the validator wanted, by its name for the error."""

_PLACES: tuple[tuple[str, str], ...] = (
    (r"/annotations/audience(/\d+)?$", "L-ANN-01"),
    (r"/annotations/priority$", "L-ANN-02"),
    (r"/annotations/lastModified$", "L-ANN-03"),
    (r"/icons(/\d+(/\w+)?)?$", "L-ICO-03"),
    (
        r"/(serverInfo|clientInfo|io\.modelcontextprotocol~1(server|client)Info)/(name|version)$",
        "L-IMP-01",
    ),
    (r"/capabilities/", "L-CAP-07"),
    (r"^/result/nextCursor$", "L-PAG-01"),
    (r"^/result/(ttlMs|cacheScope)$", "L-CCH-01"),
    (r"^/result/inputRequests", "L-MRTR-05"),
    (r"^/result/requestState$", "L-MRTR-05"),
)
"""Rules for places that mean the same in every method."""

_METHOD_PLACES: dict[str, tuple[tuple[str, str], ...]] = {
    "initialize": ((r"^/result", "L-LC-01"),),
    "server/discover": ((r"^/result", "L-DSC-02"),),
    "tools/list": (
        (r"/outputSchema", "L-TOOL-17"),
        (r"/execution", "L-TOOL-36"),
        (r"/(name|inputSchema)(/type)?$", "L-TOOL-01"),
        (r"/inputSchema/properties/", "L-TOOL-14"),
    ),
    "tools/call": (
        (r"^/result/content$", "L-TOOL-23"),
        (r"^/result/structuredContent$", "L-TOOL-20"),
        (r"^/result/content/\d+/type$", "L-TOOL-44"),
        (r"^/result/content/\d+/resource", "L-RES-05"),
        (r"^/result/content/\d+/(data|mimeType)$", "L-TOOL-42"),
        (r"^/result/content/\d+/(uri|name)$", "L-TOOL-41"),
    ),
    "resources/list": ((r"/(uri|name)$", "L-RES-01"),),
    "resources/templates/list": ((r"/(uriTemplate|name)$", "L-RES-03"),),
    "resources/read": ((r"^/result/contents", "L-RES-05"),),
    "prompts/list": ((r"^/result/prompts", "L-PRM-01"),),
    "prompts/get": ((r"^/result/messages", "L-PRM-03"),),
    "completion/complete": ((r"^/result/completion", "L-CMP-02"),),
    "notifications/message": ((r"^/params", "L-LOG-01"),),
    "notifications/progress": ((r"^/params", "L-PRG-07"),),
    "sampling/createMessage": ((r"^/params", "L-SMP-01"),),
    "elicitation/create": (
        (r"/requestedSchema/properties/", "L-ELI-03"),
        (r"^/params", "L-ELI-02"),
    ),
    "subscriptions/listen": ((r"^/result", "L-SUB-07"),),
}
"""Rules for places of one method."""

_SUBJECTS = {
    "L-ANN": "resources",
    "L-CAP": "capabilities",
    "L-CCH": "caching",
    "L-ICO": "icons",
    "L-IMP": "lifecycle",
    "L-MRTR": "input-required",
    "L-PAG": "pagination",
    "L-RES": "resources",
}
"""Where a family of rules is described, when that is not the page of the method."""

OTHER_PLACE = "L-JR-30"
"""The rule for every place without one of its own."""


def finding_for(fault: SchemaError, base: str, method: str, revision: Revision) -> Finding:
    """Return the finding for a fault in the params or result at `base` of a message about `method`."""
    pointer = join(base, *fault.steps)
    if fault.kind == UNREAD:
        return Finding("more-findings", Severity.INFO, text_for(fault), pointer)
    rule, row = _rule(pointer, method, fault), methods.find_any(method)
    subject = _SUBJECTS.get(rule.rpartition("-")[0]) or (row.subject if row else "messages")
    return Finding(rule, Severity.ERROR, text_for(fault), pointer, link(subject, revision))


def text_for(fault: SchemaError) -> str:
    """Say what is wrong, in words for the person."""
    subject = _subject(fault)
    if fault.kind == UNREAD:
        return f"{fault.expected[0]} more items of {subject} were not validated"
    if fault.kind == "missing":
        return f"{subject} is missing"
    if fault.kind == "either":
        return f"{subject} must have {_listed([f'`{name}`' for name in fault.expected])}"
    if fault.kind in ("choice", "literal_error"):
        return f"{subject} must be {_listed(fault.expected)}, not {format_value(fault.value)}"
    wanted = fault.expected if fault.kind == "kinds" else (fault.kind,)
    named = [_KINDS[kind] for kind in wanted if kind in _KINDS]
    if named:
        return f"{subject} must be {_listed(dict.fromkeys(named))}, not {type_text(fault.value)}"
    said = fault.expected[0] if fault.expected else fault.kind.replace("_", " ")
    return (
        f"{subject} must be {said.removeprefix(_FOREIGN)}"
        if said.startswith(_FOREIGN)
        else f"{subject}: {said}"
    )


_FOREIGN = "Input should be "
"""How the validator's own words begin."""


def _subject(fault: SchemaError) -> str:
    if not fault.steps:
        return "this"
    last = fault.steps[-1]
    if isinstance(last, str):
        return f"`{last}`"
    holder = fault.steps[-2] if len(fault.steps) > 1 else ""
    return f"item {last + 1} of `{holder}`" if holder else f"item {last + 1}"


def _listed(texts: list[str] | tuple[str, ...] | dict[str, None]) -> str:
    """Join alternatives; those that are lists already (`'a' or 'b'`) are taken apart first."""
    apart = dict.fromkeys(each for word in texts for each in re.split(r" or |, ", word))
    each = list(apart)
    return " or ".join([", ".join(each[:-1]), each[-1]] if len(each) > 1 else each)


def _rule(pointer: str, method: str, fault: SchemaError) -> str:
    tables = (_PLACES, _METHOD_PLACES.get(method, ()))
    found = (rule for table in tables for pattern, rule in table if re.search(pattern, pointer))
    rule = next(found, OTHER_PLACE)
    if rule == "L-CCH-01" and fault.kind != "missing":
        return "L-CCH-02" if pointer.endswith("ttlMs") else "L-CCH-03"
    return rule
