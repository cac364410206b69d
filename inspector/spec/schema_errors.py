"""Errors of the official validators as findings: which of them are meant, their text, and the rule for their pointer.

A value that matches no variant of a union fails once for each variant, with a dozen errors of which one is meant. `resolve_unions`
finds that one: the variant whose `type` (or similar member) agrees, otherwise the one with the fewest errors. Pure: the errors are
plain data.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from inspector.finding import Finding, Severity
from inspector.frozen import FrozenStruct
from inspector.spec import methods
from inspector.spec.findings import make_finding
from inspector.spec.json_types import format_value, type_text
from inspector.spec.pointer import join

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

Step = str | int

HARMLESS = "harmless"
"""The kind of an error that is none: something the validator cannot take although JSON and the schema can."""

UNREAD = "unread"
"""The kind of a fault that only says how many further items of a list were not looked at."""

_DISCRIMINATORS = frozenset({"type", "method", "mode", "role", "action", "resultType"})
"""Members by which alternatives are told apart."""


class SchemaError(FrozenStruct, frozen=True):
    """One thing that is wrong, at one path."""

    steps: tuple[Step, ...]
    """Keys and positions from the validated value inward."""
    kind: str
    """What is wrong: the validator's own name for it, or `either` or `choice`."""
    expected: tuple[str, ...] = ()
    """What would have fitted, as far as the kind does not say so."""
    value: Json = None
    """What stands there; None also when nothing does."""


class RawSchemaError(NamedTuple):
    """One error of the validator."""

    steps: tuple[Step, ...]
    """Where, with the names of alternatives among the steps."""
    kind: str
    """The validator's name for it."""
    expected: str
    """What a literal must be; empty otherwise."""
    value: Json
    """What stood there."""


class _Located(NamedTuple):
    """An error whose alternatives are told apart from its keys."""

    path: tuple[Step | _Tag, ...]
    raw: RawSchemaError


class _Tag(NamedTuple):
    """The name of an alternative inside a path."""

    name: str


def resolve_unions(errors: Iterable[RawSchemaError], value: Json) -> list[SchemaError]:
    """Return the errors of `value` that are meant by `errors`."""
    return list(_settle([_Located(_located(raw, value), raw) for raw in errors]))


def _located(raw: RawSchemaError, value: Json) -> tuple[Step | _Tag, ...]:
    """Tell keys from names of alternatives by walking through the value."""
    path: list[Step | _Tag] = []
    here, last = value, len(raw.steps) - 1
    for number, step in enumerate(raw.steps):
        found, here = _stepped(here, step)
        if found or (number == last and raw.kind == "missing"):
            path.append(step)
        else:
            path.append(_Tag(str(step)))
    return tuple(path)


def _stepped(here: Json, step: Step) -> tuple[bool, Json]:
    """Go one step inward; where that leads nowhere, stay."""
    if isinstance(here, list) and isinstance(step, int) and step < len(here):
        return True, here[step]
    if isinstance(here, dict) and isinstance(step, str) and step in here:
        return True, here[step]
    return False, here


def _settle(errors: list[_Located]) -> Iterator[SchemaError]:
    unions: defaultdict[tuple[Step | _Tag, ...], dict[_Tag, list[_Located]]] = defaultdict(dict)
    for error in errors:
        at = next((n for n, step in enumerate(error.path) if isinstance(step, _Tag)), None)
        if at is None:
            if error.raw.kind != HARMLESS:
                yield _fault(error)
            continue
        tag = error.path[at]
        assert isinstance(tag, _Tag)
        inner = _Located(error.path[:at] + error.path[at + 1 :], error.raw)
        unions[error.path[:at]].setdefault(tag, []).append(inner)
    for prefix, arms in unions.items():
        yield from _choose(prefix, list(arms.values()))


def _choose(prefix: tuple[Step | _Tag, ...], arms: list[list[_Located]]) -> Iterator[SchemaError]:
    """Tell of one alternative, unless there is one that has only harmless errors."""
    if any(all(error.raw.kind == HARMLESS for error in arm) for arm in arms):
        return
    fitting = [arm for arm in arms if not any(_is_mismatch(error, prefix) for error in arm)]
    if not fitting:
        yield _nothing_fits(prefix, arms)
        return
    # A hostile message has thousands of errors.
    keys = [{_same(error) for error in arm} for arm in fitting]
    common = keys[0].intersection(*keys[1:])
    yield from _settle([error for error in fitting[0] if _same(error) in common])
    rest = [[error for error in arm if _same(error) not in common] for arm in fitting]
    either = _either(prefix, rest)
    if either:
        yield either
    else:
        yield from _settle(min(rest, key=len))


def _same(error: _Located) -> tuple[tuple[Step | _Tag, ...], str]:
    """Return what two errors have in common that say the same of the same position."""
    return error.path, error.raw.kind


def _is_mismatch(error: _Located, prefix: tuple[Step | _Tag, ...]) -> bool:
    """Whether the error says that this alternative was not meant at all."""
    inner = error.path[len(prefix) :]
    if not inner:
        return error.raw.kind.endswith("_type")
    return len(inner) == 1 and inner[0] in _DISCRIMINATORS and error.raw.kind == "literal_error"


def _either(prefix: tuple[Step | _Tag, ...], arms: list[list[_Located]]) -> SchemaError | None:
    """Several alternatives that each lack one member of their own: either of them would do."""
    lacking = [arm[0].path[-1] for arm in arms if len(arm) == 1 and arm[0].raw.kind == "missing"]
    names = tuple(dict.fromkeys(str(name) for name in lacking))
    if len(lacking) < len(arms) or len(names) < 2:
        return None
    return SchemaError(_plain(prefix), "either", names)


def _nothing_fits(prefix: tuple[Step | _Tag, ...], arms: list[list[_Located]]) -> SchemaError:
    mismatches = [error for arm in arms for error in arm if _is_mismatch(error, prefix)]
    choices = [error for error in mismatches if len(error.path) > len(prefix)]
    if choices:
        expected = dict.fromkeys(error.raw.expected for error in choices)
        return SchemaError(_plain(choices[0].path), "choice", tuple(expected), choices[0].raw.value)
    kinds = dict.fromkeys(error.raw.kind for error in mismatches)
    return SchemaError(_plain(prefix), "kinds", tuple(kinds), mismatches[0].raw.value)


def _fault(error: _Located) -> SchemaError:
    expected = (error.raw.expected,) if error.raw.expected else ()
    value = None if error.raw.kind == "missing" else error.raw.value
    return SchemaError(_plain(error.path), error.raw.kind, expected, value)


def _plain(path: tuple[Step | _Tag, ...]) -> tuple[Step, ...]:
    return tuple(step for step in path if not isinstance(step, _Tag))


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
    "sampling/createMessage": (
        (r"^/params/(?:modelPreferences|toolChoice)", "L-SMP-06"),
        (r"^/params", "L-SMP-01"),
    ),
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

OTHER_POINTER_RULE = "L-JR-30"
"""The rule for every place without one of its own."""


def finding_for(fault: SchemaError, base: str, method: str, revision: Revision) -> Finding:
    """Return the finding for a fault in the params or result at `base` of a message about `method`."""
    pointer = join(base, *fault.steps)
    if fault.kind == UNREAD:
        return make_finding("more-findings", text_for(fault), pointer)
    rule, row = _rule(pointer, method, fault), methods.find_any(method)
    subject = _SUBJECTS.get(rule.rpartition("-")[0]) or (row.subject if row else "messages")
    return make_finding(
        rule, text_for(fault), pointer, revision, severity=Severity.ERROR, subject=subject
    )


def text_for(fault: SchemaError) -> str:
    """Return what is wrong, for the user."""
    subject = _subject(fault)
    if fault.kind == UNREAD:
        return f"{fault.expected[0]} more items of {subject} were not validated"
    if fault.kind == "missing":
        return f"{subject} is missing"
    if fault.kind == "either":
        return f"{subject} must have {_listed([f'`{name}`' for name in fault.expected])}"
    if fault.kind in ("choice", "literal_error"):
        return f"{subject} must be {_listed(fault.expected)}, not {format_value(fault.value)}"
    expected = fault.expected if fault.kind == "kinds" else (fault.kind,)
    named = [_KINDS[kind] for kind in expected if kind in _KINDS]
    if named:
        return f"{subject} must be {_listed(dict.fromkeys(named))}, not {type_text(fault.value)}"
    text = fault.expected[0] if fault.expected else fault.kind.replace("_", " ")
    return (
        f"{subject} must be {text.removeprefix(_FOREIGN)}"
        if text.startswith(_FOREIGN)
        else f"{subject}: {text}"
    )


_FOREIGN = "Input should be "
"""How the validator's own messages start."""


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
    rule = next(found, OTHER_POINTER_RULE)
    if rule == "L-CCH-01" and fault.kind != "missing":
        return "L-CCH-02" if pointer.endswith("ttlMs") else "L-CCH-03"
    return rule
